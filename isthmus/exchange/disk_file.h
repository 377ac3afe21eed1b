// disk_file.h: files on disk as sources and sinks of bytes.
#pragma once

#include <filesystem>
#include <string>

#include "isthmus/exchange/npy_format.h"

namespace isthmus::inline ISTHMUS_ABI {

/// A file that is there. Not for several threads.
class DiskFile : public ByteSource {
 public:
  /// `flags` are open()'s. Throws FileError.
  DiskFile(std::string who, const std::filesystem::path& path, int flags);
  DiskFile(const DiskFile&) = delete;
  DiskFile& operator=(const DiskFile&) = delete;
  ~DiskFile() override;
  std::size_t read(void* to, std::size_t bytes) override;
  std::optional<std::uint64_t> left() override;
  std::size_t position() const { return position_; }
  void move_to(std::uint64_t position);  ///< Of a file on disk.
  int descriptor() const { return descriptor_; }

 private:
  std::string who_;
  std::filesystem::path path_;
  int descriptor_;
  std::size_t position_ = 0;
  std::optional<std::uint64_t> size_;  ///< Of a file on disk; none of a pipe.
};

/// A file that is being made beside its place, and takes it when it is whole. What is no file on
/// disk, such as a pipe, is written to in its place.
class NewFile : public ByteSink {
 public:
  NewFile(std::string who, const std::filesystem::path& path);
  NewFile(const NewFile&) = delete;
  NewFile& operator=(const NewFile&) = delete;
  ~NewFile() override;  ///< Removes one that was not finished.
  void write(const void* from, std::size_t bytes) override;
  void finish();

 private:
  [[noreturn]] void fail_to(std::string_view what, int error) const;

  std::string who_;
  std::filesystem::path named_, path_;  ///< As it was named, and behind links.
  std::filesystem::path beside_;        ///< Empty where it is written to in its place.
  int descriptor_ = -1;
};

}  // namespace isthmus::inline ISTHMUS_ABI
