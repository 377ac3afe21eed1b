// files.h: arrays in files of NumPy's formats.
#pragma once

#include <filesystem>
#include <initializer_list>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "isthmus/array/array.h"

namespace isthmus::inline ISTHMUS_ABI {

/// How a file is mapped into memory, in the words of NumPy's mmap_mode.
enum class MapMode {
  read,           ///< "r": the array is read-only.
  read_write,     ///< "r+": what is written to the array is written to the file.
  copy_on_write,  ///< "c": what is written to the array stays in memory.
};

/// How load() is to read. Nothing of it given: into new memory of the cpu.
struct LoadOptions {
  std::optional<MapMode> mmap_mode = {};  ///< The array shows the file's own pages, without a copy.
  /// Where the array is to be: shared or copied as asarray(); only shared for MapMode::read_write.
  std::optional<Device> device = {};
};

/// Writes the elements to a file of NumPy's format, `.npy`, which is appended to a name without it.
/// The elements are written in column-major order if they lie in it, else in row-major order. The
/// file is made beside its place and moved there: if this throws, what was there before is whole,
/// and arrays that show the old file keep it. bfloat16 is written as ml_dtypes does, "<V2". Waits
/// for the value and for the disk. Throws SystemFileError; ValueError for a path with a NUL;
/// TypeError for structs without fields.
ISTHMUS_EXPORT void save(const std::filesystem::path& file, const Array& x);

/// The array of a `.npy` file, versions 1 to 3, of either byte order, in the order of axes that the
/// file has. New memory, or the file's own. Waits for the disk. Throws FileError; ValueError for
/// what is no such file, is shorter than it says or holds Python objects, and for mapping a file
/// of another byte order; ExchangeError for mapping one whose elements are misaligned, and, a
/// CopyRefusedError, for writing to a file by a device that does not share the memory; TypeError
/// for other dtypes. A mapped file must not become shorter while an array shows it.
ISTHMUS_EXPORT Array load(const std::filesystem::path& file, const LoadOptions& how = {});

/// A name and the array that savez() saves under it.
using NamedArray = std::pair<std::string, Array>;

/// @{
/// Writes arrays to one archive, `.npz`, which is appended to a name without it: a zip file with a
/// member `name.npy` for each, not compressed. Otherwise as save(). Throws ValueError for a name
/// that is there twice, is empty or has a NUL.
ISTHMUS_EXPORT void savez(const std::filesystem::path& file, std::span<const NamedArray> arrays);
inline void savez(const std::filesystem::path& file, std::initializer_list<NamedArray> arrays) {
  savez(file, std::span<const NamedArray>(arrays.begin(), arrays.size()));
}
/// @}

/// The arrays of an archive, by their names. Reads what savez() and NumPy's savez() write; members
/// that are compressed throw UnsupportedError, which Python's load() reads. All are on `device`;
/// members are never mapped. Throws what load() throws, and ValueError for what is no archive.
ISTHMUS_EXPORT std::map<std::string, Array> load_archive(const std::filesystem::path& file,
                                                         const std::optional<Device>& device = {});

}  // namespace isthmus::inline ISTHMUS_ABI
