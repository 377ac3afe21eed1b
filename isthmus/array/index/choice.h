// choice.h: elements chosen by indices along some axes, and all along the others.
#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "isthmus/array/array.h"
#include "isthmus/array/index/index.h"
#include "isthmus/array/index/positions.h"
#include "isthmus/array/index/take.h"

namespace isthmus::inline ISTHMUS_ABI::detail {

/// Indices that take the place of axes: of one, or of several as the row-major number of an element
/// in them.
struct Chosen {
  Array indices;  ///< Integers; broadcast against each other.
  Dims shape;     ///< Of the axes.
  Dims strides;   ///< Of the axes.
  int axis = 0;   ///< The number of the first of them, for errors.
  Outside outside = Outside::raise;
  bool is_checked = false;  ///< They are int64 and inside.
};

/// Which elements of an array are meant, by axis.
struct Choice {
  Layout kept;                 ///< The axes without indices, from the first element that is meant.
  std::size_t place = 0;       ///< Among those: where the axes of the indices come.
  std::vector<Chosen> chosen;  ///< At least one.
  bool is_unique = false;      ///< No element is meant twice.

  /// The positions of the elements in `x`, whose axes these are: int64, pending, of the shape that
  /// the elements have; they rely on what is added to `late`, see guarded(). Throws index for what
  /// is known to be outside, what are no integers and what does not broadcast.
  Array positions(std::string_view who, const Array& x, LateIndexList& late) const;
};

/// The choice by indices of one axis, whose place theirs take.
Choice along_axis(const Array& x, const Array& indices, int axis, Outside outside,
                  bool is_checked = false);
/// The choice by an index with arrays; nothing where it has none, and the elements are a view.
/// Waits for what masks choose. Throws as index(), with `who` before its texts.
std::optional<Choice> choice_by(std::string_view who, const Array& x,
                                std::span<const IndexEntry> entries);

/// The elements along an axis at these positions, int64 of one axis, which are all inside. Pending,
/// but for structs.
Array elements_at(std::string_view who, const Array& x, Array positions, int axis);

/// The elements of x. Pending, but for structs. Throws as positions() and load().
Array read(std::string_view who, const Array& x, const Choice& choice);
/// Writes the values there, broadcast and cast. Throws as positions() and assign().
void write(std::string_view who, const Array& x, const Choice& choice, const Value& values);

/// What is written, where the target lies; between two contexts of one device through the host.
/// Cast where it comes from: the target's device may not have its dtype.
Array brought_to(const Array& target, const Array& value);
/// Without leading axes of length 1 past so many: NumPy drops them of what is assigned.
Array without_leading_ones(const Array& x, int axes);

}  // namespace isthmus::inline ISTHMUS_ABI::detail
