// neighbours.h: functions of adjacent elements: derivatives, padding, windows.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "isthmus/array/array.h"

namespace isthmus::inline ISTHMUS_ABI {

/// The derivatives of f along `axes`, one array for each: differences of second order inside, and
/// one-sided differences of order `edge_order`, 1 or 2, at both ends. `spacing` is the distance of
/// the elements, one for all axes or one for each; or, for each axis, an array of coordinates.
/// Without it the distance is 1. The dtype is that of f or, for integers, the default real dtype;
/// half precision is calculated in float32. New memory, pending. Throws TypeError for bools and for
/// another number of distances, ValueError for axes shorter than edge_order + 1, coordinates of
/// another shape and another edge_order, IndexError for bad axes. Source: NumPy 2, gradient.
ISTHMUS_EXPORT std::vector<Array> gradient(const Array& f, const std::vector<Value>& spacing = {},
                                           const AxisSet& axes = all_axes,
                                           AnyInteger edge_order = 1);

/// The number of elements that pad() adds before and after an axis.
struct PadWidth {
  AnyInteger before;  ///< At the beginning.
  AnyInteger after;   ///< At the end.
};
/// Numbers that pad() writes before and after an axis, or at which a ramp ends there.
struct PadConstant {
  Value before;  ///< At the beginning.
  Value after;   ///< At the end.
};
/// Options of some modes of pad(): one pair for all axes or one for each. An empty option is not
/// set; setting an option that the mode does not use throws ValueError.
struct PadOptions {
  std::vector<PadConstant> constant_values = {};  ///< For "constant"; 0 by default.
  std::vector<PadConstant> end_values = {};       ///< For "linear_ramp"; 0 by default.
  /// For "mean", "median", "maximum" and "minimum": the number of elements at the edge to use, 1 or
  /// more; all by default, and if an axis has fewer.
  std::vector<PadWidth> stat_length = {};
  /// For "reflect" and "symmetric": "even", the default, or "odd", which is twice the element at
  /// the edge minus the mirrored elements.
  std::string_view reflect_type = {};
};
/// @{
/// x with padding: pad(x, {{1, 2}, {0, 1}}), with one pair for each axis or one for all, or one
/// number for all. Later axes determine the corners. The padding depends on `mode`: "constant" is a
/// number, converted as by full() in x's dtype; "edge" is the element at the edge; "reflect" and
/// "symmetric" are the mirrored elements, without and with the one at the edge; "wrap" takes
/// elements from the other end; "mean", "median", "maximum" and "minimum" are those along the axis,
/// rounded for integers, halves to even, and in the order of sort() for complex numbers;
/// "linear_ramp" is even steps from the edge to a number, calculated in float64 or complex128 where
/// the device has them, rounded down for integers; "empty" is undefined elements. New memory,
/// pending. Waits for numbers that are arrays. Throws ValueError for negative widths, another
/// number of widths, an unknown mode, an option that the mode does not use, lengths less than 1,
/// and an axis without elements in all modes but "constant" and "empty"; TypeError for struct
/// dtypes in modes that calculate, OverflowError for numbers that x's integers cannot hold. Source:
/// NumPy 2, pad.
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

/// All windows of this shape into x: along `axes` (by default all, in order), the result has one
/// index for each window, and new axes at the end hold the elements of each window. An axis may be
/// repeated. A read-only view; nothing is calculated. Throws ValueError for another number of
/// lengths, and for lengths that are negative or longer than the axis, IndexError for bad axes.
/// Source: NumPy 2, lib.stride_tricks.sliding_window_view.
ISTHMUS_EXPORT Array sliding_window_view(const Array& x, const Shape& window_shape,
                                         const AxisSet& axes = all_axes);

}  // namespace isthmus::inline ISTHMUS_ABI
