// disk_file.cpp: files by the calls of POSIX, which wait with no lock held.
#include "isthmus/exchange/disk_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <system_error>
#include <utility>

#include "isthmus/base/file_error.h"
#include "isthmus/runtime/unblocked.h"

namespace isthmus::inline ISTHMUS_ABI {

using detail::format;

static constexpr std::size_t most_at_once = std::size_t{1} << 30;  // less than any system refuses

/// Less than zero: not opened; errno says why.
static int open_file(const std::filesystem::path& path, int flags) {
  const Unblocked unblocked;
  return open(path.c_str(), flags | O_CLOEXEC, 0666);
}

DiskFile::DiskFile(std::string who, const std::filesystem::path& path, int flags)
    : who_(std::move(who)), path_(path), descriptor_(open_file(path, flags)) {
  if (descriptor_ < 0) throw SystemFileError(who_, "be opened", errno, path_);
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
    if (got < 0) throw SystemFileError(who_, "be read", errno, path_);
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
    throw SystemFileError(who_, "be read", errno, path_);
  position_ = position;
}

NewFile::NewFile(std::string who, const std::filesystem::path& path)
    : who_(std::move(who)), named_(path), path_(path) {
  std::error_code ignored;  // what is not there yet is made
  if (auto real = std::filesystem::canonical(path, ignored); !ignored) path_ = std::move(real);
  struct stat facts;
  const bool is_there = stat(path_.c_str(), &facts) == 0;
  if (!is_there && errno != ENOENT) fail_to("be made", errno);  // before all of it is written
  if (is_there && !S_ISREG(facts.st_mode)) {
    descriptor_ = open_file(path_, O_WRONLY);
    if (descriptor_ < 0) fail_to("be written", errno);
    return;
  }
  static std::atomic<unsigned> count{0};
  do {  // a name of its own, since the file's may be as long as names can be
    beside_ = path_.parent_path() / format(".{}-{}.part", getpid(), count.fetch_add(1));
    descriptor_ = open_file(beside_, O_WRONLY | O_CREAT | O_EXCL);
  } while (descriptor_ < 0 && errno == EEXIST);  // of a process that ended within save
  if (descriptor_ < 0) fail_to("be made", errno);
  if (is_there && fchmod(descriptor_, facts.st_mode & 07777) != 0) {
    // the new file has the usual permissions then
  }
}

void NewFile::fail_to(std::string_view what, int error) const {
  throw SystemFileError(who_, what, error, named_);
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
    if (put < 0) fail_to("be written", errno);
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
    fail_to("be written", error);
  }
  if (beside_.empty() || rename(beside_.c_str(), path_.c_str()) == 0) return;
  const int error = errno;
  ::unlink(beside_.c_str());
  fail_to("take its name", error);
}

}  // namespace isthmus::inline ISTHMUS_ABI
