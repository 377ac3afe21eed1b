// array.h: Array, and the functions that calculate and move its elements.
#pragma once

#include <initializer_list>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

#include "isthmus/array/array_class.h"
#include "isthmus/array/value.h"
#include "isthmus/core/op_info.h"

namespace isthmus::inline ISTHMUS_ABI {

/// The common dtype of all operands; at least one must be an array or a strong number.
ISTHMUS_EXPORT DType result_type(std::string_view who, std::span<const Value> values);

/// @{
/// The pending result of a row of ops.def; operands broadcast. Runs at once if it reads memory that
/// others may change, if operations are eager, or if the graph is full. Throws TypeError for dtypes
/// that the row does not support, PromotionError for dtypes without a common dtype, OverflowError
/// for a number that the dtype cannot hold, ValueError for shapes that do not broadcast, and
/// DeviceMismatchError.
ISTHMUS_EXPORT Array apply(Op op, std::span<const Value> operands);
inline Array apply(Op op, std::initializer_list<Value> operands) {
  return apply(op, std::span(operands.begin(), operands.size()));
}
/// @}

/// The pending result of a row of reductions.def over `axes` (all if not given), accumulated in
/// `dtype` if given. Throws IndexError or ValueError for bad axes, ValueError for an empty max or
/// min.
ISTHMUS_EXPORT Array reduce(Reduction reduction, Array x,
                            std::optional<std::span<const std::int64_t>> axes, Flag keepdims,
                            std::optional<DType> dtype = {});
/// The pending mean over `axes`, calculated in the dtype of x, in the default real dtype for
/// integers, or in `dtype`. Throws IndexError or ValueError for bad axes, TypeError for an integer
/// dtype.
ISTHMUS_EXPORT Array mean(Array x, const AxisSet& axes = all_axes, Flag keepdims = false,
                          std::optional<DType> dtype = {});
/// The same with the dtype as a C++ type: mean<double>(x).
template <Element T>
Array mean(Array x, const AxisSet& axes = all_axes, Flag keepdims = false) {
  return mean(std::move(x), axes, keepdims, dtype_of_type<T>());
}

/// Sets the elements of `target` to `value`, broadcast and cast. Evaluates pending values that read
/// these elements, and enqueues the write at once. A temporary pending value is written only there,
/// and not to memory of its own. Throws ValueError for read-only memory.
/// @{
ISTHMUS_EXPORT void assign(const Array& target, const Value& value);
ISTHMUS_EXPORT void assign(const Array& target, Value&& value);
/// @}

/// x cast to another dtype: x itself if it has that dtype and `copy` is false, else a pending
/// value.
ISTHMUS_EXPORT Array astype(Array x, DType dtype, Flag copy = true);
/// The same with the dtype as a C++ type: astype<float>(x).
template <Element T>
Array astype(Array x, Flag copy = true) {
  return astype(std::move(x), dtype_of_type<T>(), copy);
}
/// A pending copy with a dense layout in the axis order of x; x.copy() is row-major.
ISTHMUS_EXPORT Array copy(const Array& x);
/// A pending copy in row-major order, or x itself if it is row-major already.
ISTHMUS_EXPORT Array contiguous(const Array& x);

/// x on another device, or x itself if it is on that device. Copies, waits for the source, and
/// counts the copy.
ISTHMUS_EXPORT Array to_device(const Array& x, const Device& device);
/// x in memory that the host can access, in any layout, evaluated and complete: x itself if it is
/// so already.
ISTHMUS_EXPORT Array to_host(const Array& x);
/// The only element as a C++ number: item<float>(x). Also throws what number_as() throws.
template <Element T>
T item(const Array& x) {
  return number_as<T>("item", item(x));
}

/// Whether the device can calculate in this dtype.
ISTHMUS_EXPORT bool has_dtype(const Device& device, DType dtype);
/// The real dtype of new arrays on the device.
ISTHMUS_EXPORT DType default_real(const Device& device);

/// Rounds to `decimals` places after the decimal point, or before it if `decimals` is negative.
/// Halves round to even, calculated as in NumPy. A number that this calculation would take out of
/// the range of the dtype has no such places and stays unchanged. Integers change only if
/// `decimals` is negative; then the result is exact, and wraps around if the dtype cannot hold it.
ISTHMUS_EXPORT Array round_to(Array x, AnyInteger decimals);

}  // namespace isthmus::inline ISTHMUS_ABI
