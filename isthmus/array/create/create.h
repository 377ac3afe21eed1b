// create.h: functions that create arrays.
#pragma once

#include "isthmus/array/array.h"
#include "isthmus/array/shape.h"
#include "isthmus/core/device.h"

namespace isthmus::inline ISTHMUS_ABI {

// Without a dtype, new arrays have the default real dtype of the device, default_real(). You can
// also pass the dtype as a C++ type, zeros<float>({2, 3}), and the device as a string,
// zeros<float>({2, 3}, "opencl:0"). All functions throw ValueError for a bad shape, TypeError for a
// dtype that the device does not have, and OutOfMemoryError. None of them waits.

/// New memory with undefined elements.
ISTHMUS_EXPORT Array empty(const Shape& shape, std::optional<DType> dtype = {},
                           const Device& device = default_device());
/// Pending: every element is `value`, cast to `dtype`. The default dtype is that of the number
/// alone: int64 for an int, the default real dtype for a double, else the dtype of its type, such
/// as float32 for 1.f. Throws the usual errors for a number that does not fit the dtype; error
/// messages begin with `who`.
ISTHMUS_EXPORT Array full(const Shape& shape, const Value& value, std::optional<DType> dtype = {},
                          const Device& device = default_device(), std::string_view who = "full");
/// @{
/// Pending: zeros({2, 3}), ones({2, 3}, TypeId::int32, "opencl:0").
ISTHMUS_EXPORT Array zeros(const Shape& shape, std::optional<DType> dtype = {},
                           const Device& device = default_device());
ISTHMUS_EXPORT Array ones(const Shape& shape, std::optional<DType> dtype = {},
                          const Device& device = default_device());
/// @}
/// @{
/// An array with the shape, device and context of `like`, and with its dtype if none is given;
/// row-major.
ISTHMUS_EXPORT Array empty_like(const Array& like, std::optional<DType> dtype = {});
ISTHMUS_EXPORT Array full_like(const Array& like, const Value& value,
                               std::optional<DType> dtype = {}, std::string_view who = "full_like");
ISTHMUS_EXPORT Array zeros_like(const Array& like, std::optional<DType> dtype = {});
ISTHMUS_EXPORT Array ones_like(const Array& like, std::optional<DType> dtype = {});
/// @}
/// Pending: ceil((stop - start) / step) numbers from start on, calculated as in NumPy. The default
/// dtype is int64 if all three are integers, float32 if all reals among them are floats. Throws
/// ValueError for a step of 0.
ISTHMUS_EXPORT Array arange(const Value& start, const Value& stop, const Value& step = 1,
                            std::optional<DType> dtype = {},
                            const Device& device = default_device());
/// The same with a step of 1.
inline Array arange(const Value& start, const Value& stop, DType dtype,
                    const Device& device = default_device()) {
  return arange(start, stop, 1, dtype, device);
}
/// Pending: numbers from 0 to before stop.
inline Array arange(const Value& stop, std::optional<DType> dtype = {},
                    const Device& device = default_device()) {
  return arange(0, stop, 1, dtype, device);
}
/// Pending: `count` numbers from start to stop, which is included if `endpoint`. The default dtype
/// is complex if one of the two is, and float32 or complex64 if all reals are floats. Throws
/// ValueError for a negative count.
ISTHMUS_EXPORT Array linspace(const Value& start, const Value& stop, AnyInteger count,
                              std::optional<DType> dtype = {}, Flag endpoint = true,
                              const Device& device = default_device());
/// Pending: ones on the k-th diagonal and zeros elsewhere; square if columns are not given.
ISTHMUS_EXPORT Array eye(AnyInteger rows, OptionalInteger columns = {}, AnyInteger k = 0,
                         std::optional<DType> dtype = {}, const Device& device = default_device());
/// Pending int64: the index of each element along `axis`. Throws IndexError for a bad axis.
ISTHMUS_EXPORT Array index_along(const Shape& shape, AnyInteger axis,
                                 const Device& device = default_device());

/// A type that converts to Device.
template <class D>
concept DeviceLike = std::convertible_to<const D&, Device>;
/// @{
/// The same with the dtype as a C++ type, or with a device and no dtype. A shape without braces
/// does not compile.
#define ISTHMUS_CREATION(name)                                                 \
  template <Element T>                                                         \
  Array name(const Shape& shape, const Device& device = default_device()) {    \
    return name(shape, dtype_of_type<T>(), device);                            \
  }                                                                            \
  template <DeviceLike D>                                                      \
  Array name(const Shape& shape, const D& device) {                            \
    return name(shape, std::nullopt, device);                                  \
  }                                                                            \
  template <class T = void, class... I>                                        \
    requires detail::LooseIntegers<I...>                                       \
  Array name(I...) {                                                           \
    static_assert(detail::never<I...>, "a shape needs braces: zeros({2, 3})"); \
    return Array();                                                            \
  }                                                                            \
  template <Number T, class... Rest>                                           \
    requires(!Element<T>)                                                      \
  Array name(const Shape&, const Rest&...) {                                   \
    static_assert(detail::never<T>,                                            \
                  "no dtype has elements of this type; for bytes write "       \
                  "zeros<std::int8_t>({2, 3}) or std::uint8_t");               \
    return Array();                                                            \
  }                                                                            \
  template <Element T>                                                         \
  Array name##_like(const Array& like) {                                       \
    return name##_like(like, dtype_of_type<T>());                              \
  }
ISTHMUS_CREATION(empty)
ISTHMUS_CREATION(zeros)
ISTHMUS_CREATION(ones)
#undef ISTHMUS_CREATION
template <Element T>
Array full(const Shape& shape, const Value& value, const Device& device = default_device()) {
  return full(shape, value, dtype_of_type<T>(), device);
}
template <DeviceLike D>
Array full(const Shape& shape, const Value& value, const D& device) {
  return full(shape, value, std::nullopt, device);
}
template <Element T>
Array full_like(const Array& like, const Value& value) {
  return full_like(like, value, dtype_of_type<T>());
}
template <Element T>
Array arange(const Value& start, const Value& stop, const Value& step = 1,
             const Device& device = default_device()) {
  return arange(start, stop, step, dtype_of_type<T>(), device);
}
template <Element T>
Array arange(const Value& stop, const Device& device = default_device()) {
  return arange(0, stop, 1, dtype_of_type<T>(), device);
}
template <DeviceLike D>
Array arange(const Value& stop, const D& device) {
  return arange(0, stop, 1, std::nullopt, device);
}
template <DeviceLike D>
Array arange(const Value& start, const Value& stop, const D& device) {
  return arange(start, stop, 1, std::nullopt, device);
}
template <DeviceLike D>
Array arange(const Value& start, const Value& stop, const Value& step, const D& device) {
  return arange(start, stop, step, std::nullopt, device);
}
template <Element T, DeviceLike D>
Array arange(const Value& start, const Value& stop, const D& device) {
  return arange(start, stop, 1, dtype_of_type<T>(), device);
}
template <Element T>
Array linspace(const Value& start, const Value& stop, AnyInteger count, Flag endpoint = true,
               const Device& device = default_device()) {
  return linspace(start, stop, count, dtype_of_type<T>(), endpoint, device);
}
template <DeviceLike D>
Array linspace(const Value& start, const Value& stop, AnyInteger count, const D& device) {
  return linspace(start, stop, count, std::nullopt, true, device);
}
template <DeviceLike D>
Array linspace(const Value& start, const Value& stop, AnyInteger count, std::optional<DType> dtype,
               const D& device) {
  return linspace(start, stop, count, dtype, true, device);
}
template <Element T, DeviceLike D>
Array linspace(const Value& start, const Value& stop, AnyInteger count, const D& device) {
  return linspace(start, stop, count, dtype_of_type<T>(), true, device);
}
template <DeviceLike D>
Array eye(AnyInteger rows, const D& device) {
  return eye(rows, {}, 0, {}, device);
}
template <Element T, DeviceLike D>
Array eye(AnyInteger rows, const D& device) {
  return eye(rows, {}, 0, dtype_of_type<T>(), device);
}
template <Element T>
Array eye(AnyInteger rows, OptionalInteger columns = {}, AnyInteger k = 0,
          const Device& device = default_device()) {
  return eye(rows, columns, k, dtype_of_type<T>(), device);
}
/// @}

}  // namespace isthmus::inline ISTHMUS_ABI
