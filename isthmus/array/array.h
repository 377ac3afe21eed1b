// array.h: Array, and what calculates and moves its elements.
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

/// The dtype that all operands have in common; at least one of them must be an array or strong.
ISTHMUS_EXPORT DType result_type(std::string_view who, std::span<const Value> values);

/// @{
/// The pending result of a row of ops.def; operands broadcast. Runs at once where it reads memory
/// that others may change, where operations are eager, or where the graph is full. Throws TypeError
/// for dtypes that the row does not take, PromotionError for dtypes without a common one,
/// OverflowError for a number that the dtype cannot hold, ValueError for shapes that do not
/// broadcast, and DeviceMismatchError.
ISTHMUS_EXPORT Array apply(Op op, std::span<const Value> operands);
inline Array apply(Op op, std::initializer_list<Value> operands) {
  return apply(op, std::span(operands.begin(), operands.size()));
}
/// @}

/// The pending result of a row of reductions.def over `axes` (all of them if not given), summed up
/// in `dtype` if given. Throws IndexError or ValueError for bad axes, ValueError for an empty max
/// or min.
ISTHMUS_EXPORT Array reduce(Reduction reduction, Array x,
                            std::optional<std::span<const std::int64_t>> axes, Flag keepdims,
                            std::optional<DType> dtype = {});
/// The pending mean over `axes`, in the dtype of x or, for integers, the default real one; or
/// calculated in `dtype`. Throws IndexError or ValueError for bad axes, TypeError for a dtype of
/// integers.
ISTHMUS_EXPORT Array mean(Array x, const AxisSet& axes = all_axes, Flag keepdims = false,
                          std::optional<DType> dtype = {});
/// The same with the dtype as a type of C++: mean<double>(x).
template <Element T>
Array mean(Array x, const AxisSet& axes = all_axes, Flag keepdims = false) {
  return mean(std::move(x), axes, keepdims, dtype_of_type<T>());
}

/// Changes the elements of `target` to `value`, broadcast and cast. Evaluates what is pending and
/// would read them; enqueues the write at once. Throws ValueError for read-only memory. A pending
/// value that has no name is written there alone, and not to memory of its own, too.
/// @{
ISTHMUS_EXPORT void assign(const Array& target, const Value& value);
ISTHMUS_EXPORT void assign(const Array& target, Value&& value);
/// @}

/// x as another dtype: x itself if it has that one and `copy` is false, else a pending value.
ISTHMUS_EXPORT Array astype(Array x, DType dtype, Flag copy = true);
/// The same with the dtype as a type of C++: astype<float>(x).
template <Element T>
Array astype(Array x, Flag copy = true) {
  return astype(std::move(x), dtype_of_type<T>(), copy);
}
/// A pending copy with a dense layout ordered as x's.
ISTHMUS_EXPORT Array copy(const Array& x);
/// A pending copy in row-major order, or x itself if it has that already.
ISTHMUS_EXPORT Array contiguous(const Array& x);

/// x on another device; x itself if it is there. Copies, waits for the source, and is counted.
ISTHMUS_EXPORT Array to_device(const Array& x, const Device& device);
/// x where the host can look, in any layout, with nothing pending on it: itself if it is already.
ISTHMUS_EXPORT Array to_host(const Array& x);
/// The one element as a C++ number: item<float>(x). Throws what number_as() does, too.
template <Element T>
T item(const Array& x) {
  return number_as<T>("item", item(x));
}

/// Whether the device can calculate in this dtype.
ISTHMUS_EXPORT bool has_dtype(const Device& device, DType dtype);
/// The real dtype of new arrays on the device.
ISTHMUS_EXPORT DType default_real(const Device& device);

/// Rounded to so many places after the point, or before it where `decimals` is negative, halves to
/// even, calculated as NumPy does; what that would take past the dtype's range has no such places
/// and stays. Integers stay what they are unless it is negative; then they are exact, and what the
/// dtype does not hold wraps around.
ISTHMUS_EXPORT Array round_to(Array x, AnyInteger decimals);

}  // namespace isthmus::inline ISTHMUS_ABI
