// files.cpp: .npy files on disk, read, mapped and written.
#include "isthmus/exchange/files.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <memory>

#include "isthmus/base/file_error.h"
#include "isthmus/exchange/asarray.h"
#include "isthmus/exchange/disk_file.h"
#include "isthmus/exchange/share.h"

namespace isthmus::inline ISTHMUS_ABI {

using detail::check;
using detail::fail;
using detail::format;

namespace {

std::filesystem::path with_ending(std::string_view who, const std::filesystem::path& file,
                                  std::string_view ending) {
  const std::string name = file.string();
  detail::check_path(who, name);
  check(!name.empty(), Errc::value, "{}: the name of the file is empty", who);
  return name.ends_with(ending) ? file : std::filesystem::path(name + std::string(ending));
}

/// Pages of a file in memory.
struct Mapping {
  void* base = nullptr;
  std::size_t bytes = 0;
  ~Mapping() {
    if (base) munmap(base, bytes);
  }
};

Array map(const std::string& who, const std::filesystem::path& path, MapMode mode) {
  DiskFile file(who, path, mode == MapMode::read_write ? O_RDWR : O_RDONLY);
  const NpyHeader header = read_npy_header(who, file);
  check(
      header.swaps.empty(), Errc::value,
      "{}: its byte order is not this machine's, so it cannot be mapped; load it without mmap_mode",
      who);
  const auto left = file.left();
  check(left.has_value(), Errc::value, "{}: only a file on disk can be mapped", who);
  const auto bytes = static_cast<std::size_t>(header.bytes());
  check(*left >= bytes, Errc::value,
        "{}: the file ends within the elements: {} of {} bytes are there", who, *left, bytes);
  const std::size_t begin = file.position();
  check(begin % static_cast<std::size_t>(alignment_of(header.dtype)) == 0, Errc::exchange,
        "{}: its elements are misaligned, so it cannot be mapped; load it without mmap_mode", who);
  auto mapping = std::make_shared<Mapping>();
  mapping->bytes = begin + bytes;
  const int access = mode == MapMode::read ? PROT_READ : PROT_READ | PROT_WRITE;
  const int sharing = mode == MapMode::copy_on_write ? MAP_PRIVATE : MAP_SHARED;
  void* const base = mmap(nullptr, mapping->bytes, access, sharing, file.descriptor(), 0);
  if (base == MAP_FAILED) throw SystemFileError(who, "be mapped", errno, path);
  mapping->base = base;
  Foreign foreign;
  foreign.who = who;
  foreign.address = static_cast<char*>(base) + begin;
  foreign.dtype = header.dtype;
  foreign.layout = header.is_column_major ? column_major(header.shape) : row_major(header.shape);
  foreign.is_read_only = mode == MapMode::read;
  foreign.is_private = mode == MapMode::copy_on_write;
  return adopt(foreign, std::move(mapping));
}

}  // namespace

void save(const std::filesystem::path& file, const Array& x) {
  const std::filesystem::path path = with_ending("save", file, ".npy");
  const std::string who = format("save: '{}'", path.string());
  const NpyContent content(who, x);  // so that no file is begun of what fails
  NewFile made(who, path);
  made.write(content.header().data(), content.header().size());
  made.write(content.elements().data(), content.elements().size());
  made.finish();
}

Array load(const std::filesystem::path& path, const LoadOptions& how) {
  detail::check_path("load", path.native());
  const std::string who = format("load: '{}'", path.string());
  Array x;
  if (how.mmap_mode) {
    x = map(who, path, *how.mmap_mode);
  } else {
    DiskFile file(who, path, O_RDONLY);
    x = read_npy(who, file);
  }
  if (how.device && how.mmap_mode == MapMode::read_write) {
    std::optional<Array> shared = share_on(x, *how.device);
    check(shared.has_value(), Errc::copy_refused,
          "{}: {} gets a copy, and writes to that do not reach the file; load it without a device, "
          "or without mmap_mode",
          who, *how.device);
    return *std::move(shared);
  }
  return detail::as_wanted(who, std::move(x), true, {.device = how.device});
}

void savez(const std::filesystem::path& file, std::span<const NamedArray> arrays) {
  const std::filesystem::path path = with_ending("savez", file, ".npz");
  const std::string who = format("savez: '{}'", path.string());
  std::vector<ArchiveMember> members;
  for (const auto& [name, array] : arrays) members.push_back({name, &array});
  NewFile made(who, path);
  write_npz(who, members, made);
  made.finish();
}

}  // namespace isthmus::inline ISTHMUS_ABI
