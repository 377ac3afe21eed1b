// neighbours.h: elements together with those beside them: derivatives, margins, windows.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "isthmus/array/array.h"

namespace isthmus::inline ISTHMUS_ABI {

/// The derivatives of f along `axes`, one array for each: differences of the second order inside,
/// one-sided ones of the order `edge_order`, 1 or 2, at both ends. `spacing` is the distance of the
/// elements, for all axes or one for each; or, for each, an array of their coordinates. Without it
/// the distance is 1. In the dtype of f or, for integers, the default real one; half precision is
/// calculated in float32. New memory, pending. Throws TypeError for bools and for another number of
/// distances, ValueError for axes shorter than edge_order + 1, coordinates of another shape and
/// another edge_order, IndexError for bad axes. Source: NumPy 2, gradient.
ISTHMUS_EXPORT std::vector<Array> gradient(const Array& f, const std::vector<Value>& spacing = {},
                                           const AxisSet& axes = all_axes, int edge_order = 1);

/// How many elements pad() puts before and after an axis.
struct PadWidth {
  AnyInteger before;  ///< At the beginning.
  AnyInteger after;   ///< At the end.
};
/// What the mode "constant" of pad() puts before and after an axis.
struct PadConstant {
  Value before;  ///< At the beginning.
  Value after;   ///< At the end.
};
/// @{
/// x with a margin: pad(x, {{1, 2}, {0, 1}}), one pair for each axis or one for all, or one number
/// for all. What is in it, by `mode`: "constant" the number `constant`, as a full() of x's dtype
/// has it, or one pair of them for each axis or one for all, later axes in the corners; "edge" the
/// element at the edge; "reflect" and "symmetric" the elements mirrored, without and with that at
/// the edge; "wrap" those from the other end. New memory, pending. Waits for `constant` if that is
/// an array. Throws ValueError for negative widths, another number of them, another mode, and an
/// axis without elements in all modes but "constant". Source: NumPy 2, pad.
ISTHMUS_EXPORT Array pad(const Array& x, const std::vector<PadWidth>& widths,
                         std::string_view mode = "constant", const Value& constant = 0);
ISTHMUS_EXPORT Array pad(const Array& x, const std::vector<PadWidth>& widths, std::string_view mode,
                         const std::vector<PadConstant>& constants);
inline Array pad(const Array& x, AnyInteger width, std::string_view mode = "constant",
                 const Value& constant = 0) {
  return pad(x, std::vector<PadWidth>{{width, width}}, mode, constant);
}
/// @}

/// All windows of this shape into x: `axes` (all, in order) get as many indices as there are
/// windows along them, and new axes at the end have the elements of each. An axis may be repeated.
/// A read-only view; nothing is calculated. Throws ValueError for another number of lengths,
/// negative ones and those longer than the axis, IndexError for bad axes. Source: NumPy 2,
/// lib.stride_tricks.sliding_window_view.
ISTHMUS_EXPORT Array sliding_window_view(const Array& x, const Shape& window_shape,
                                         const AxisSet& axes = all_axes);

}  // namespace isthmus::inline ISTHMUS_ABI
