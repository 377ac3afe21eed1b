// rows.h: what is done along some axes, as rows of a dense array of two axes.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "isthmus/array/array.h"
#include "isthmus/base/small_vector.h"

namespace isthmus::inline ISTHMUS_ABI::detail {

/// An array whose last axis has what lay along one axis, or along several in row-major order. It is
/// row-major: element (i, j) has the position i * length + j. A copy where memory is not so.
struct Rows {
  Rows(const Array& x, int axis);
  /// Along these axes; they are named by `who` if they are bad.
  Rows(std::string_view who, const Array& x, const AxisSet& axes);

  /// (count, n) with the n elements of each row along the one axis again. A view.
  Array back(const Array& made) const;
  /// One element of each row in the shape that a reduction has. A view.
  Array reduced(const Array& made, bool keepdims) const;
  /// The same of several, in the first axis of `made`.
  Array reduced_behind(const Array& made, bool keepdims) const;

  Array all;                ///< The rows.
  std::int64_t count = 1;   ///< How many there are.
  std::int64_t length = 1;  ///< Elements of each.

 private:
  Dims shape_;                  // of the array
  SmallVector<bool, 4> along_;  // for each axis whether it is in the rows
};

/// rows[i, at[i, j]] for indices that are in the rows.
Array pick(std::string_view who, const Array& rows, const Array& at);

/// Where the elements of each row are in the order of the first key, of the second one where that
/// has equal elements, and so on, stably. All have the shape (count, length); int64.
struct Key {
  Array rows;
  bool is_descending = false;
};
Array argsort_rows(std::string_view who, std::span<const Key> keys);

/// Appends the keys that put rows in NumPy's order: complex numbers by real, then imaginary parts.
void append_keys(std::vector<Key>& keys, const Array& rows, bool is_descending);

/// All elements in row-major order, dense.
Array in_one_row(const Array& x);

}  // namespace isthmus::inline ISTHMUS_ABI::detail
