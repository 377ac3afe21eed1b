// positions.h: elements of an array by their positions in memory; what indexing is made of.
#pragma once

#include <string_view>
#include <vector>

#include "isthmus/array/array.h"
#include "isthmus/core/finding.h"

namespace isthmus::inline ISTHMUS_ABI {
struct Operand;
}

namespace isthmus::inline ISTHMUS_ABI::detail {

/// Where the elements of an array lie, counted from its lowest one in memory: never negative.
struct ISTHMUS_EXPORT Positions {
  explicit Positions(const Layout& layout);

  std::int64_t first = 0;   ///< Of element (0, ..., 0).
  std::int64_t lowest = 0;  ///< Of position 0, from where the memory begins.
  std::int64_t count = 0;   ///< Positions from the lowest to the highest element; at least 1.
};

/// Makes an operand that is read at any position show an array, counted as Positions does.
void show_base(Operand& operand, const Array& base);

/// Where the elements of a layout would lie in memory, as int64: the positions of a box. Pending;
/// what adds them to another position that is the same along an axis lets a load see that the
/// positions follow each other there.
Array places_of(Layout layout, const Device& device);

/// base[position] for each of these int64 positions, counted as Positions does; the caller has made
/// sure that they are inside. Pending; fuses with what gives the positions and what reads the
/// result. Throws device_mismatch.
ISTHMUS_EXPORT Array load(std::string_view who, const Array& base, Array positions);

/// Writes the values, broadcast and cast, at these positions of the memory of `target`, counted as
/// Positions does, but where they are negative. Of equal positions the last one in row-major order
/// is written; `is_unique` says that there are none. Throws as assign() does, device_mismatch.
ISTHMUS_EXPORT void store(std::string_view who, const Array& target, Array positions,
                          const Value& values, bool is_unique);
/// Adds the values to the elements at these positions instead, one after another in row-major
/// order. For dtypes and devices of which adds_by_position() says so.
ISTHMUS_EXPORT void add_to(std::string_view who, const Array& target, Array positions,
                           const Value& values);
/// Whether one thread of the device adds numbers up faster than all of its threads sort them: of a
/// CPU. Not of bool, float16 and bfloat16, which are added up in other dtypes.
ISTHMUS_EXPORT bool adds_by_position(DType dtype, const Device& device);

/// How many of the `sorted` elements, a dense row of a built-in real dtype in ascending order, NaN
/// last, are less than each value, or not greater; int64. Both have one dtype. Pending, as load().
ISTHMUS_EXPORT Array search(std::string_view who, const Array& sorted, Array values, bool is_right);

/// The position of the element with this row-major number in some axes.
Array position_of(const Array& number, const Dims& shape, const Dims& strides);

/// A check of indices that nobody has waited for, and what it finds.
struct LateIndices {
  Ref<Finding> check;
  Array finding;
};
using LateIndexList = std::vector<LateIndices>;

/// The indices as int64 from 0 on, negative ones counted from the end of `extent` elements. Throws
/// index for one that is outside, naming the axis (negative: of all elements); where knowing would
/// be a wait for a device, adds a check to `late` instead, and what is outside becomes what is not.
/// `given`: their shape, as errors have it. Throws type for what are no integers.
ISTHMUS_EXPORT Array checked_indices(std::string_view who, const Array& indices,
                                     std::int64_t extent, int axis, const Dims& given,
                                     LateIndexList& late);
/// Positions that rely on these checks: the error comes with the wait for what is read there. Where
/// one has failed, positions of writes are negative. Without positions it waits for the checks, and
/// throws index.
ISTHMUS_EXPORT Array guarded(Array positions, const LateIndexList& late, bool is_of_writes);

}  // namespace isthmus::inline ISTHMUS_ABI::detail
