// create.h: arrays from nothing, from numbers and from memory.
#pragma once

#include "isthmus/array/array.h"
#include "isthmus/array/shape.h"
#include "isthmus/runtime/registry.h"

namespace isthmus {

// Where no dtype is given, new arrays are of the device's default real one, default_real(). All
// throw value for a bad shape, type for a dtype that the device has not, out_of_memory; none waits.

/// New memory with undefined elements.
ISTHMUS_EXPORT Array empty(const Shape& shape, std::optional<DType> dtype = {},
                           const Device& device = default_device());
/// Pending: every element is `value`, cast to `dtype`, which is by default what the number makes by
/// itself: its own, or for a literal bool, int64, uint64, the default real or complex one. Throws
/// what a number that does not fit the dtype throws anywhere; `who` begins the texts of errors.
ISTHMUS_EXPORT Array full(const Shape& shape, const Value& value, std::optional<DType> dtype = {},
                          const Device& device = default_device(), std::string_view who = "full");
/// Pending: zeros({2, 3}), ones({2, 3}, TypeId::int32, parse_device("opencl:0")).
ISTHMUS_EXPORT Array zeros(const Shape& shape, std::optional<DType> dtype = {},
                           const Device& device = default_device());
ISTHMUS_EXPORT Array ones(const Shape& shape, std::optional<DType> dtype = {},
                          const Device& device = default_device());
/// Of the shape, device and context of `like`, and of its dtype if none is given.
ISTHMUS_EXPORT Array empty_like(const Array& like, std::optional<DType> dtype = {});
ISTHMUS_EXPORT Array full_like(const Array& like, const Value& value,
                               std::optional<DType> dtype = {}, std::string_view who = "full_like");
ISTHMUS_EXPORT Array zeros_like(const Array& like, std::optional<DType> dtype = {});
ISTHMUS_EXPORT Array ones_like(const Array& like, std::optional<DType> dtype = {});
/// Pending: ceil((stop - start) / step) numbers from start on, calculated as NumPy does; int64 by
/// default if all three are integers. Throws value for a step of 0.
ISTHMUS_EXPORT Array arange(const Value& start, const Value& stop, const Value& step = 1,
                            std::optional<DType> dtype = {},
                            const Device& device = default_device());
/// Pending: numbers from 0 on, before stop.
inline Array arange(const Value& stop, std::optional<DType> dtype = {},
                    const Device& device = default_device()) {
  return arange(0, stop, 1, dtype, device);
}
/// Pending: `count` numbers from start to stop, which is among them if `endpoint`; complex by
/// default if one of the two is. Throws value for a negative count.
ISTHMUS_EXPORT Array linspace(const Value& start, const Value& stop, std::int64_t count,
                              std::optional<DType> dtype = {}, bool endpoint = true,
                              const Device& device = default_device());
/// Pending: ones on the k-th diagonal, else zeros; square if columns are not given.
ISTHMUS_EXPORT Array eye(std::int64_t rows, std::optional<std::int64_t> columns = {},
                         std::int64_t k = 0, std::optional<DType> dtype = {},
                         const Device& device = default_device());
/// Pending int64: the position of each element along `axis`.
ISTHMUS_EXPORT Array index_along(const Shape& shape, int axis,
                                 const Device& device = default_device());

/// An array over memory that is there: a leaf like any other, no copy.
ISTHMUS_EXPORT Array from_view(View view);
/// What the array shows; evaluates it.
ISTHMUS_EXPORT View to_view(const Array& x);

}  // namespace isthmus
