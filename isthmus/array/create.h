// create.h: arrays from nothing, from numbers and from memory.
#pragma once

#include "isthmus/array/array.h"
#include "isthmus/runtime/registry.h"

namespace isthmus {

using Shape = std::span<const std::int64_t>;

/// New memory with undefined elements. Throws value for a bad shape, out_of_memory.
ISTHMUS_EXPORT Array empty(Shape shape, DType dtype, const Device& device = default_device());
/// Pending: every element is `value`, cast to `dtype`. `who` begins the text of errors.
ISTHMUS_EXPORT Array full(Shape shape, Scalar value, DType dtype,
                          const Device& device = default_device(), std::string_view who = "full");
/// Pending: ceil((stop - start) / step) numbers from start on, calculated as NumPy does.
ISTHMUS_EXPORT Array arange(Scalar start, Scalar stop, Scalar step, DType dtype,
                            const Device& device = default_device());
/// Pending: `count` numbers from start to stop, which is among them if `endpoint`.
ISTHMUS_EXPORT Array linspace(Scalar start, Scalar stop, std::int64_t count, DType dtype,
                              bool endpoint = true, const Device& device = default_device());
/// Pending: ones on the k-th diagonal, else zeros.
ISTHMUS_EXPORT Array eye(std::int64_t rows, std::int64_t columns, std::int64_t k, DType dtype,
                         const Device& device = default_device());
/// Pending int64: the position of each element along `axis`.
ISTHMUS_EXPORT Array index_along(Shape shape, int axis, const Device& device = default_device());

/// An array over memory that is there: a leaf like any other, no copy.
ISTHMUS_EXPORT Array from_view(View view);
/// What the array shows; evaluates it.
ISTHMUS_EXPORT View to_view(const Array& x);

}  // namespace isthmus
