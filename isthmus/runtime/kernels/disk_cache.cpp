// disk_cache.cpp: files of kernels, written whole or not at all, the oldest removed first.
#include "isthmus/runtime/kernels/disk_cache.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <charconv>
#include <filesystem>
#include <memory>
#include <mutex>
#include <vector>

#include "isthmus/base/environment.h"
#include "isthmus/base/format.h"
#include "isthmus/base/hash.h"
#include "isthmus/runtime/backend.h"
#include "isthmus/runtime/kernels/kernel_cache.h"
#include "isthmus/version.h"

namespace isthmus::inline ISTHMUS_ABI {

using detail::format;

namespace fs = std::filesystem;

namespace {

constexpr std::string_view extension = ".kernel", unfinished = ".partial";
constexpr std::string_view magic = "isthmus kernel 1\n";

enum class Use : std::uint8_t { full, none, read_only };
Use use_of_disk() {
  constexpr Use uses[] = {Use::full, Use::none, Use::read_only};
  return uses[choose("ISTHMUS_CACHE", {"1", "0", "ro"})];
}
bool is_read_only() { return use_of_disk() == Use::read_only; }

/// The folder of all versions of this library.
fs::path wanted_folder() {
  if (const std::string folder = variable("ISTHMUS_CACHE_DIR"); !folder.empty()) return folder;
  // a relative XDG_CACHE_HOME is to be ignored, says the standard
  if (const fs::path home(variable("XDG_CACHE_HOME")); home.is_absolute()) return home / "isthmus";
  if (const fs::path home(variable("HOME")); home.is_absolute()) return home / ".cache/isthmus";
  return {};
}

/// Bytes the folder may hold: a number, or one with K, M or G behind it.
std::uint64_t size_limit() {
  constexpr std::uint64_t usual = std::uint64_t{256} << 20;
  const std::string text = variable("ISTHMUS_CACHE_SIZE");
  if (text.empty()) return usual;
  std::uint64_t limit = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), limit);
  const std::string_view unit(end, static_cast<std::size_t>(text.data() + text.size() - end));
  const int shift = unit == "K" ? 10 : unit == "M" ? 20 : unit == "G" ? 30 : 0;
  if (error != std::errc() || (shift == 0 && !unit.empty())) {
    warn_of_setting(
        format("ISTHMUS_CACHE_SIZE: '{}' is not a number of bytes, with or without K, M or G after "
               "it; 256M is used",
               text));
    return usual;
  }
  return limit > UINT64_MAX >> shift ? UINT64_MAX : limit << shift;
}

/// Code is loaded from here: whoever else may write to the folder could run theirs as us.
bool is_ours(const fs::path& folder) {
  struct stat status;
  if (stat(folder.c_str(), &status) != 0 || !S_ISDIR(status.st_mode)) return false;
  return status.st_uid == geteuid() && (status.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

/// The user is warned of an existing folder that is not trusted: nothing else would show that
/// kernels are built anew each time.
bool is_trusted(const fs::path& folder) {
  std::error_code error;
  if (is_ours(folder)) return true;
  if (fs::exists(folder, error))
    warn_of_setting(
        format("kernel cache: {} is not a folder that only you may write to, so kernels are not "
               "kept; chmod 700 it, or name another in ISTHMUS_CACHE_DIR",
               folder.string()));
  return false;
}

void make(const fs::path& folder) {
  std::error_code ignored;  // is_ours() then says no
  fs::create_directories(folder.parent_path(), ignored);
  mkdir(folder.c_str(), S_IRWXU);
}

/// An open file; -1 if there is none.
struct File {
  int descriptor;
  explicit File(int descriptor) : descriptor(descriptor) {}
  File(const File&) = delete;
  ~File() {
    if (descriptor >= 0) close(descriptor);
  }
};

bool read_all(int file, std::string& text) {
  for (std::size_t at = 0; at < text.size();) {
    const ssize_t count = read(file, text.data() + at, text.size() - at);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    at += static_cast<std::size_t>(count);
  }
  return true;
}

bool write_all(int file, std::string_view text) {
  while (!text.empty()) {
    const ssize_t count = ::write(file, text.data(), text.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    text.remove_prefix(static_cast<std::size_t>(count));
  }
  return true;
}

void append_number(std::string& out, std::uint64_t number) {
  for (int i = 0; i < 8; ++i) out += static_cast<char>(number >> (8 * i));
}

/// What stands before the binary: the whole key, so that a hash never decides alone, and a digest
/// that tells a damaged file.
std::string header(std::string_view key, std::string_view binary) {
  std::string text(magic);
  append_number(text, key.size());
  append_number(text, binary.size());
  const Digest digest = sha256(binary);
  text.append(digest.begin(), digest.end());
  return text += key;
}

std::string name_of(std::string_view key) { return to_hex(sha256(key)).append(extension); }

struct CachedFile {
  fs::path path;
  std::uint64_t bytes;
  timespec used;
};

/// libstdc++'s iterators of folders end the process where memory runs out (12.2).
std::vector<fs::path> paths_in(const fs::path& folder) {
  std::vector<fs::path> paths;
  const std::unique_ptr<DIR, int (*)(DIR*)> open(opendir(folder.c_str()), closedir);
  if (!open) return paths;
  while (const dirent* const entry = readdir(open.get()))
    if (entry->d_name[0] != '.') paths.push_back(folder / entry->d_name);
  return paths;
}

/// Our files in the folder of all versions and in those of each: what older ones left behind is
/// the oldest. What processes that died left unfinished goes after an hour.
std::vector<CachedFile> list(const fs::path& folder) {
  std::vector<CachedFile> entries;
  std::vector<fs::path> paths = paths_in(folder);
  const std::size_t own = paths.size();  // what is in folders below stands behind them
  for (std::size_t i = 0; i < paths.size(); ++i) {
    const fs::path path = paths[i];
    struct stat status;
    if (lstat(path.c_str(), &status) != 0) continue;
    if (S_ISDIR(status.st_mode) && i < own) {
      for (fs::path& below : paths_in(path)) paths.push_back(std::move(below));
      continue;
    }
    if (!S_ISREG(status.st_mode)) continue;
    if (path.extension() == unfinished && time(nullptr) - status.st_mtime > 3600)
      ::unlink(path.c_str());
    if (path.extension() == extension)
      entries.push_back({path, static_cast<std::uint64_t>(status.st_size), status.st_mtim});
  }
  return entries;
}

/// Where the folder holds more than its limit: removes what was not used for longest until an
/// eighth of it is free, so that the stores to come need not list all files again. What it holds.
std::uint64_t shrink(const fs::path& folder, std::uint64_t limit) {
  auto entries = list(folder);
  std::uint64_t sum = 0;
  for (const CachedFile& entry : entries) sum += entry.bytes;
  if (sum <= limit) return sum;
  std::ranges::sort(entries, {}, [](const CachedFile& entry) {
    return std::pair(entry.used.tv_sec, entry.used.tv_nsec);
  });
  for (const CachedFile& entry : entries) {
    if (sum <= limit - limit / 8) break;
    if (::unlink(entry.path.c_str()) == 0) sum -= entry.bytes;
  }
  return sum;
}

/// What the folder is thought to hold, so that not every store lists it. Other processes may add
/// to it meanwhile; the next process to pass the limit sees theirs too.
struct Size {
  std::mutex lock;
  fs::path folder;
  std::uint64_t bytes = 0;
};

void account(const fs::path& folder, std::uint64_t added) {
  const std::uint64_t limit = size_limit();
  static Size& known = *new Size;  // leaked: kernels may be stored while the process ends
  std::lock_guard lock(known.lock);
  if (known.folder == folder && known.bytes + added <= limit) {
    known.bytes += added;
    return;
  }
  known.bytes = shrink(folder.parent_path(), limit);
  known.folder = folder;
}

}  // namespace

fs::path cache_folder() {
  const Use use = use_of_disk();
  const fs::path all = wanted_folder();
  if (use == Use::none || all.empty()) return {};
  const fs::path folder = all / format("{}-{}", ISTHMUS_VERSION_STRING, backend_interface);
  if (use == Use::full) make(all), make(folder);
  return is_trusted(all) && is_trusted(folder) ? folder : fs::path();
}

std::uint64_t cache_limit() { return size_limit(); }

namespace disk {

Found find(std::string_view key) {
  const fs::path folder = cache_folder();
  if (folder.empty()) return {};
  const fs::path path = folder / name_of(key);
  // never through a link, never waiting for a pipe
  const File file(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
  if (file.descriptor < 0) return {std::nullopt, errno != ENOENT};
  struct stat status;
  if (fstat(file.descriptor, &status) != 0 || !S_ISREG(status.st_mode) ||
      status.st_uid != geteuid())
    return {std::nullopt, true};
  const std::size_t front = magic.size() + 16 + sizeof(Digest) + key.size();
  const auto size = static_cast<std::size_t>(status.st_size);
  if (size < front || size > size_limit()) return {std::nullopt, true};
  std::string text(size, '\0');
  if (!read_all(file.descriptor, text)) return {std::nullopt, true};
  std::string binary = text.substr(front);
  if (text.compare(0, front, header(key, binary)) != 0) return {std::nullopt, true};
  const timespec now[2] = {{0, UTIME_OMIT}, {0, UTIME_NOW}};
  if (!is_read_only()) futimens(file.descriptor, now);
  return {std::move(binary), false};
}

void store(std::string_view key, std::string_view binary) {
  const fs::path folder = cache_folder();
  if (folder.empty() || is_read_only()) return;
  const std::string text = header(key, binary).append(binary);
  if (text.size() > size_limit()) return;
  static std::atomic<unsigned> serial{0};
  const fs::path path = folder / name_of(key);
  const std::string partial = format("{}.{}.{}{}", path.string(), getpid(), serial++, unfinished);
  bool is_whole;
  {
    const File file(open(partial.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
    if (file.descriptor < 0) return;
    is_whole = write_all(file.descriptor, text);
  }
  std::error_code error;
  if (fs::is_directory(fs::symlink_status(path, error))) fs::remove(path, error);
  if (is_whole && rename(partial.c_str(), path.c_str()) == 0) return account(folder, text.size());
  ::unlink(partial.c_str());
}

Contents contents() {
  const fs::path folder = cache_folder();
  Contents found;
  if (folder.empty()) return found;
  for (const CachedFile& entry : list(folder.parent_path())) {
    ++found.files;
    found.bytes += static_cast<std::int64_t>(entry.bytes);
  }
  return found;
}

void clear() {
  const fs::path folder = cache_folder();
  if (!folder.empty() && !is_read_only()) account(folder, (shrink(folder.parent_path(), 0), 0));
}

}  // namespace disk

}  // namespace isthmus::inline ISTHMUS_ABI
