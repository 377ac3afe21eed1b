// files.h: arrays in files in NumPy's formats.
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

/// How a file is mapped into memory, as by NumPy's mmap_mode.
enum class MapMode {
  read,           ///< "r": the array is read-only.
  read_write,     ///< "r+": writes to the array are written to the file.
  copy_on_write,  ///< "c": writes to the array stay in memory.
};

/// Options of load(). By default it reads into new memory of the cpu.
struct LoadOptions {
  std::optional<MapMode> mmap_mode = {};  ///< The array uses the pages of the file, without a copy.
  /// The device of the array: shared or copied as by asarray(); only shared for
  /// MapMode::read_write.
  std::optional<Device> device = {};
};

/// Writes the elements to a file in NumPy's format; `.npy` is appended to a name without it. The
/// elements are written in column-major order if they are in that order in memory, otherwise in
/// row-major order. The file is written next to its place and moved there: if this throws, the
/// previous file is intact, and arrays that map the old file keep it. bfloat16 is written as
/// ml_dtypes does, "<V2". Waits for the value and for the disk. Throws SystemFileError; ValueError
/// for a path with a NUL; TypeError for structs without fields.
ISTHMUS_EXPORT void save(const std::filesystem::path& file, const Array& x);

/// The array of a `.npy` file, versions 1 to 3, of either byte order, in the axis order of the
/// file. New memory, or the pages of the file. Waits for the disk. Throws FileError; ValueError for
/// a file that is not `.npy`, is shorter than its header says or holds Python objects, and for
/// mapping a file of another byte order; ExchangeError for mapping a file whose elements are
/// misaligned, and CopyRefusedError, which derives from it, for writing to a file by a device that
/// does not share the memory; TypeError for other dtypes. A mapped file must not be shortened while
/// an array uses it.
ISTHMUS_EXPORT Array load(const std::filesystem::path& file, const LoadOptions& how = {});

/// A name and the array that savez() saves under it.
using NamedArray = std::pair<std::string, Array>;

/// @{
/// Writes arrays to one archive, a zip file with an uncompressed member `name.npy` for each; `.npz`
/// is appended to a name without it. Otherwise as save(). Throws ValueError for a name that occurs
/// twice, is empty or contains a NUL.
ISTHMUS_EXPORT void savez(const std::filesystem::path& file, std::span<const NamedArray> arrays);
inline void savez(const std::filesystem::path& file, std::initializer_list<NamedArray> arrays) {
  savez(file, std::span<const NamedArray>(arrays.begin(), arrays.size()));
}
/// @}

/// The arrays of an archive, by their names. Reads the files of savez() and of NumPy's savez().
/// Compressed members, which Python's load() reads, throw UnsupportedError. All arrays are on
/// `device`; members are never mapped. Throws what load() throws, and ValueError for a file that is
/// not an archive.
ISTHMUS_EXPORT std::map<std::string, Array> load_archive(const std::filesystem::path& file,
                                                         const std::optional<Device>& device = {});

}  // namespace isthmus::inline ISTHMUS_ABI
