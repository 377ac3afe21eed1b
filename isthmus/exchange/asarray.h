// asarray.h: conversion of objects to arrays: shared where possible, copied on request.
#pragma once

#include "isthmus/exchange/dlpack.h"
#include "isthmus/exchange/span.h"

namespace isthmus::inline ISTHMUS_ABI {

/// The properties of the requested array. By default it is unchanged and not copied.
struct Wanted {
  std::optional<DType> dtype = {};    ///< Of the elements.
  std::optional<Device> device = {};  ///< The device of the array.
  /// true: always new memory; false: CopyRefusedError if a copy is needed.
  std::optional<bool> copy = {};
};

/// x itself, or its memory as an array of another device that can access it; otherwise a copy,
/// which is pending. Throws CopyRefusedError. Source: Array API 2025.12.
ISTHMUS_EXPORT Array asarray(const Array& x, const Wanted& wanted = {});

/// The elements of a contiguous range that outlives the call, shared with the caller, who keeps it
/// alive.
template <std::ranges::contiguous_range R>
  requires(std::ranges::borrowed_range<R> && !std::derived_from<std::remove_cvref_t<R>, Array>)
Array asarray(R&& range, const Wanted& wanted = {}) {
  return asarray(from_span(range), wanted);
}
/// Takes over the elements of a vector in place.
template <Element T, class Allocator>
Array asarray(std::vector<T, Allocator>&& elements, const Wanted& wanted = {}) {
  return asarray(Array(std::move(elements)), wanted);
}
/// @{
/// A number, in new memory. Throws CopyRefusedError for copy = false.
ISTHMUS_EXPORT Array asarray(const Scalar& number, const Wanted& wanted = {});
template <Number T>
Array asarray(T number, const Wanted& wanted = {}) {
  return asarray(to_scalar(number), wanted);
}
/// @}
/// @{
/// The memory of a tensor, which is taken over as by from_dlpack(), even if this throws.
inline Array asarray(dlpack::DLManagedTensorVersioned* tensor, const Wanted& wanted = {}) {
  return asarray(from_dlpack(tensor), wanted);
}
inline Array asarray(dlpack::DLManagedTensor* tensor, const Wanted& wanted = {}) {
  return asarray(from_dlpack(tensor), wanted);
}
/// @}

namespace detail {
/// Error messages begin with `who`. `is_new`: nobody else has the memory of x, so copy = true is
/// satisfied. Returns x, moved, if there is nothing to do.
ISTHMUS_EXPORT Array as_wanted(std::string_view who, Array&& x, bool is_new, const Wanted& wanted);
}  // namespace detail

}  // namespace isthmus::inline ISTHMUS_ABI
