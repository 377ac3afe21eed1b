// layout.h: the positions of the elements of an array, relative to the start of its memory.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "isthmus/base/checked.h"
#include "isthmus/base/error.h"
#include "isthmus/base/export.h"
#include "isthmus/base/small_vector.h"

namespace isthmus::inline ISTHMUS_ABI {

/// The maximum number of axes of an array.
inline constexpr std::size_t max_dimensions = 64;

/// Extents or strides; four dimensions without an allocation.
using Dims = detail::SmallVector<std::int64_t, 4>;

/// Shape, strides and offset, the last two in elements. Strides may be negative or zero.
struct Layout {
  Dims shape;               ///< Lengths of the axes.
  Dims strides;             ///< Distances from one index of an axis to the next.
  std::int64_t offset = 0;  ///< Of the first element, from the beginning of the memory.

  int ndim() const { return static_cast<int>(shape.size()); }  ///< The number of axes.
  /// Elements in all; 1 for a scalar.
  std::int64_t count() const { return detail::product_of({shape.begin(), shape.end()}); }
  /// Whether all parts are equal, including strides without effect.
  friend bool operator==(const Layout&, const Layout&) = default;
};

/// Row-major layout of a new array; strides of axes of length 0 or 1 are as if they were longer.
ISTHMUS_EXPORT Layout row_major(std::span<const std::int64_t> shape);
/// Column-major layout of a new array.
ISTHMUS_EXPORT Layout column_major(std::span<const std::int64_t> shape);
/// Dense layout of `shape` with its axes in the stride order of `like` (order 'K' of NumPy).
ISTHMUS_EXPORT Layout dense_like(std::span<const std::int64_t> shape,
                                 std::span<const Layout* const> like);

/// Dense layout of a copy of one array, order 'K' of NumPy's astype() and copy(): axes by stride, a
/// stretched axis innermost.
ISTHMUS_EXPORT Layout dense_copy_of(const Layout& layout);

/// Whether the elements are contiguous in row-major order.
ISTHMUS_EXPORT bool is_row_major(const Layout& layout);
/// Whether the elements are contiguous in column-major order.
ISTHMUS_EXPORT bool is_column_major(const Layout& layout);
/// Whether two indices can refer to the same element (a zero stride, or rows that overlap).
ISTHMUS_EXPORT bool may_overlap_itself(const Layout& layout);

/// A range of offsets, in elements.
struct Extent {
  std::int64_t begin;  ///< The lowest one.
  std::int64_t end;    ///< One past the highest one.
};
/// The offsets that the layout covers; {offset, offset} if it has no elements. Throws ValueError on
/// overflow.
ISTHMUS_EXPORT Extent extent_of(const Layout& layout);

/// The shape that all shapes broadcast to. Throws ValueError, naming the axis (the message begins
/// with `who`).
ISTHMUS_EXPORT Dims broadcast_shapes(std::string_view who,
                                     std::span<const std::span<const std::int64_t>> shapes);
/// The layout broadcast to `shape`, with zero strides where it is stretched. Throws ValueError.
ISTHMUS_EXPORT Layout broadcast(std::string_view who, const Layout& layout,
                                std::span<const std::int64_t> shape);

/// The axes in this order.
ISTHMUS_EXPORT Layout permute(const Layout& layout, std::span<const int> axes);
/// A view with `shape`, if strides allow it; false if the elements would have to move.
ISTHMUS_EXPORT bool try_reshape(const Layout& layout, std::span<const std::int64_t> shape,
                                Layout& result);
namespace detail {
/// The number of elements of a shape. Throws ValueError for a negative extent or above 2^63-1 (the
/// message begins with `who`).
ISTHMUS_EXPORT std::int64_t checked_count(std::string_view who,
                                          std::span<const std::int64_t> shape);
/// The number of bytes of an array with elements of `item_bytes` bytes. Throws as checked_count
/// does, and `too_many` above 2^63-1 bytes, which is the limit of every array, view or not.
ISTHMUS_EXPORT std::int64_t checked_bytes(std::string_view who, std::span<const std::int64_t> shape,
                                          std::int64_t item_bytes,
                                          Errc too_many = Errc::out_of_memory);
/// The axis in [0, ndim). Throws IndexError, naming it (the message begins with `who`).
ISTHMUS_EXPORT int checked_axis(std::string_view who, std::int64_t axis, int ndim);
}  // namespace detail

}  // namespace isthmus::inline ISTHMUS_ABI
