// npy_format.h: the beginning of NumPy's .npy files, and arrays as streams of such bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "isthmus/array/array.h"
#include "isthmus/exchange/header_text.h"

namespace isthmus::inline ISTHMUS_ABI {

/// Numbers within an element whose bytes are in the other order.
struct Swap {
  std::int64_t byte_offset;  ///< From the beginning of the element.
  std::int64_t bytes;        ///< Of one number.
  std::int64_t count;        ///< How many of them, one after another.
};

/// What a .npy file says of its elements.
struct NpyHeader {
  DType dtype;
  std::vector<Swap> swaps;  ///< Empty where the bytes are in this machine's order.
  Dims shape;
  bool is_column_major = false;
  std::int64_t bytes() const;  ///< Of all elements: at most 2^63-1.
};

/// The dtype that a `descr` names: '<f4', or a list of fields. Throws ValueError for what cannot
/// be, TypeError for dtypes that Isthmus has not.
DType dtype_of_descr(std::string_view who, const HeaderValue& descr, std::vector<Swap>& swaps);
/// The `descr` of a dtype. Throws TypeError for structs whose fields are not in order.
std::string descr_of(std::string_view who, DType dtype);

/// All of a file before its elements.
std::string npy_header(std::string_view who, DType dtype, std::span<const std::int64_t> shape,
                       bool is_column_major);
/// Of the dictionary's text in UTF-8. Throws ValueError, TypeError.
NpyHeader parse_npy_header(std::string_view who, std::string_view text);

/// Where bytes come from.
class ByteSource {
 public:
  virtual ~ByteSource() = default;
  /// The next `bytes` of them; fewer only at the end. Returns how many.
  virtual std::size_t read(void* to, std::size_t bytes) = 0;
  /// How many there are still, if that is known.
  virtual std::optional<std::uint64_t> left() { return {}; }
};

/// Where bytes go, one after another.
class ByteSink {
 public:
  virtual ~ByteSink() = default;
  virtual void write(const void* from, std::size_t bytes) = 0;
};

/// Reads what stands before the elements, and no byte more. Throws ValueError.
ISTHMUS_EXPORT NpyHeader read_npy_header(std::string_view who, ByteSource& source);
/// An array in new memory of the host.
ISTHMUS_EXPORT Array read_npy(std::string_view who, ByteSource& source);

/// An array made ready to be written: where the host reads it, dense, and lent meanwhile.
class ISTHMUS_EXPORT NpyContent {
 public:
  NpyContent(std::string_view who, const Array& x);
  NpyContent(const NpyContent&) = delete;
  NpyContent& operator=(const NpyContent&) = delete;
  ~NpyContent();
  const std::string& header() const { return header_; }
  std::span<const std::byte> elements() const;

 private:
  std::string header_;
  Array array_;
};
ISTHMUS_EXPORT void write_npy(std::string_view who, const Array& x, ByteSink& sink);

/// A member of an archive.
struct ArchiveMember {
  std::string_view name;  ///< Without ".npy".
  const Array* array;
};
/// A whole archive, its members one after another. Throws ValueError for bad names.
ISTHMUS_EXPORT void write_npz(std::string_view who, std::span<const ArchiveMember> members,
                              ByteSink& sink);

}  // namespace isthmus::inline ISTHMUS_ABI
