// disk_file.cpp: files by the calls of POSIX, which wait with no lock held.
#include "isthmus/exchange/disk_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <system_error>

#include "isthmus/base/error.h"
#include "isthmus/runtime/unblocked.h"

namespace isthmus::inline ISTHMUS_ABI {

using detail::check;
using detail::fail;
using detail::format;

static constexpr std::size_t most_at_once = std::size_t{1} << 30;  // less than any system refuses

void file_error(std::string_view who, std::string_view what, int error) {
  fail(Errc::file, "{} cannot {}: {}", who, what, std::generic_category().message(error));
}

static int open_file(const std::string& who, const std::filesystem::path& path, int flags,
                     std::string_view what) {
  const Unblocked unblocked;
  const int descriptor = open(path.c_str(), flags | O_CLOEXEC, 0666);
  if (descriptor < 0) file_error(who, what, errno);
  return descriptor;
}

DiskFile::DiskFile(std::string who, const std::filesystem::path& path, int flags)
    : who_(std::move(who)), descriptor_(open_file(who_, path, flags, "be opened")) {
  struct stat facts;
  if (fstat(descriptor_, &facts) == 0 && S_ISREG(facts.st_mode))
    size_ = static_cast<std::uint64_t>(facts.st_size);
}

DiskFile::~DiskFile() { close(descriptor_); }

std::size_t DiskFile::read(void* to, std::size_t bytes) {
  const Unblocked unblocked;
  auto* at = static_cast<char*>(to);
  std::size_t done = 0;
  while (done < bytes) {
    const ssize_t got = ::read(descriptor_, at + done, std::min(bytes - done, most_at_once));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) file_error(who_, "be read", errno);
    if (got == 0) break;
    done += static_cast<std::size_t>(got);
  }
  position_ += done;
  return done;
}

std::optional<std::uint64_t> DiskFile::left() {
  if (!size_) return {};
  return *size_ > position_ ? *size_ - position_ : 0;
}

void DiskFile::move_to(std::uint64_t position) {
  if (lseek(descriptor_, static_cast<off_t>(position), SEEK_SET) < 0)
    file_error(who_, "be read", errno);
  position_ = position;
}

NewFile::NewFile(std::string who, const std::filesystem::path& path)
    : who_(std::move(who)), path_(path) {
  std::error_code ignored;  // what is not there yet is made
  if (auto real = std::filesystem::canonical(path, ignored); !ignored) path_ = std::move(real);
  struct stat facts;
  const bool is_there = stat(path_.c_str(), &facts) == 0;
  if (is_there && !S_ISREG(facts.st_mode)) {
    descriptor_ = open_file(who_, path_, O_WRONLY, "be written");
    return;
  }
  static std::atomic<unsigned> count{0};
  beside_ = path_;
  beside_ += format(".{}-{}.part", getpid(), count.fetch_add(1));
  descriptor_ = open_file(who_, beside_, O_WRONLY | O_CREAT | O_EXCL, "be made");
  if (is_there && fchmod(descriptor_, facts.st_mode & 07777) != 0) {
    // the new file has the usual permissions then
  }
}

NewFile::~NewFile() {
  if (descriptor_ < 0) return;
  close(descriptor_);
  if (!beside_.empty()) ::unlink(beside_.c_str());
}

void NewFile::write(const void* from, std::size_t bytes) {
  const Unblocked unblocked;
  const auto* at = static_cast<const char*>(from);
  while (bytes > 0) {
    const ssize_t put = ::write(descriptor_, at, std::min(bytes, most_at_once));
    if (put < 0 && errno == EINTR) continue;
    if (put < 0) file_error(who_, "be written", errno);
    at += put;
    bytes -= static_cast<std::size_t>(put);
  }
}

void NewFile::finish() {
  const Unblocked unblocked;
  // some file systems tell only now that they have no room
  if (close(std::exchange(descriptor_, -1)) != 0) {
    const int error = errno;
    if (!beside_.empty()) ::unlink(beside_.c_str());
    file_error(who_, "be written", error);
  }
  if (beside_.empty() || rename(beside_.c_str(), path_.c_str()) == 0) return;
  const int error = errno;
  ::unlink(beside_.c_str());
  file_error(who_, "take its name", error);
}

}  // namespace isthmus::inline ISTHMUS_ABI
