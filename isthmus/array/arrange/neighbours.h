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
                                           const AxisSet& axes = all_axes,
                                           AnyInteger edge_order = 1);

/// How many elements pad() puts before and after an axis.
struct PadWidth {
  AnyInteger before;  ///< At the beginning.
  AnyInteger after;   ///< At the end.
};
/// Numbers that pad() puts before and after an axis, or ends there.
struct PadConstant {
  Value before;  ///< At the beginning.
  Value after;   ///< At the end.
};
/// What some modes of pad() take: one pair for all axes or one for each. Empty is not given; a mode
/// that does not take what is given throws ValueError.
struct PadOptions {
  std::vector<PadConstant> constant_values = {};  ///< Of "constant"; 0 by default.
  std::vector<PadConstant> end_values = {};       ///< Of "linear_ramp"; 0 by default.
  /// Of "mean", "median", "maximum" and "minimum": of how many elements at the edge, 1 or more; of
  /// all by default, and where an axis has fewer.
  std::vector<PadWidth> stat_length = {};
  /// Of "reflect" and "symmetric": "even", the default, or "odd", twice the element at the edge
  /// less those that are mirrored.
  std::string_view reflect_type = {};
};
/// @{
/// x with a margin: pad(x, {{1, 2}, {0, 1}}), one pair for each axis or one for all, or one number
/// for all. Later axes are in the corners. What is in the margin, by `mode`: "constant" a number,
/// as a full() of x's dtype has it; "edge" the element at the edge; "reflect" and "symmetric" the
/// elements mirrored, without and with that at the edge; "wrap" those from the other end; "mean",
/// "median", "maximum" and "minimum" those along the axis, rounded for integers, halves to even, of
/// complex numbers in the order of sort(); "linear_ramp" even steps from the edge to a number,
/// calculated in float64 or complex128 where the device has them, rounded down for integers;
/// "empty" undefined elements. New memory, pending. Waits for numbers that are arrays. Throws
/// ValueError for negative widths, another number of them, another mode, what the mode does not
/// take, lengths less than 1, and an axis without elements in all modes but "constant" and "empty";
/// TypeError for struct dtypes in modes that calculate, OverflowError for numbers that x's integers
/// cannot hold. Source: NumPy 2, pad.
ISTHMUS_EXPORT Array pad(const Array& x, const std::vector<PadWidth>& widths,
                         std::string_view mode = "constant", const PadOptions& options = {});
inline Array pad(const Array& x, AnyInteger width, std::string_view mode = "constant",
                 const PadOptions& options = {}) {
  return pad(x, std::vector<PadWidth>{{width, width}}, mode, options);
}
/// @}
/// @{
/// The same with one constant for all.
inline Array pad(const Array& x, const std::vector<PadWidth>& widths, std::string_view mode,
                 const Value& constant) {
  return pad(x, widths, mode, PadOptions{.constant_values = {{constant, constant}}});
}
inline Array pad(const Array& x, AnyInteger width, std::string_view mode, const Value& constant) {
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
