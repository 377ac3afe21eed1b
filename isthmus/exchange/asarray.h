// asarray.h: what holds numbers as an array: shared where that is possible, copied if asked to.
#pragma once

#include "isthmus/exchange/dlpack.h"
#include "isthmus/exchange/span.h"

namespace isthmus::inline ISTHMUS_ABI {

/// How an array is wanted. Nothing of it given: as it is, and without a copy.
struct Wanted {
  std::optional<DType> dtype = {};    ///< Of the elements.
  std::optional<Device> device = {};  ///< Where they are.
  /// true: always new memory; false: copy_refused where it takes a copy.
  std::optional<bool> copy = {};
};

/// x itself, or its memory seen on another device that reaches it; else a copy. Pending where it is
/// one. Throws CopyRefusedError. Source: Array API 2025.12.
ISTHMUS_EXPORT Array asarray(const Array& x, const Wanted& wanted = {});

/// The elements of a contiguous range that outlives the call: shared with the caller, who keeps it.
template <std::ranges::contiguous_range R>
  requires(std::ranges::borrowed_range<R> && !std::derived_from<std::remove_cvref_t<R>, Array>)
Array asarray(R&& range, const Wanted& wanted = {}) {
  return asarray(from_span(range), wanted);
}
/// A vector's elements, taken over where they lie.
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
/// The memory of a tensor, which is taken over as from_dlpack() does, also if this throws.
inline Array asarray(dlpack::DLManagedTensorVersioned* tensor, const Wanted& wanted = {}) {
  return asarray(from_dlpack(tensor), wanted);
}
inline Array asarray(dlpack::DLManagedTensor* tensor, const Wanted& wanted = {}) {
  return asarray(from_dlpack(tensor), wanted);
}
/// @}

namespace detail {
/// `who` begins the texts of errors; `is_new`: nobody else has the memory of x, so that copy = true
/// is met. x, if it was moved and nothing is to be done.
ISTHMUS_EXPORT Array as_wanted(std::string_view who, Array&& x, bool is_new, const Wanted& wanted);
}  // namespace detail

}  // namespace isthmus::inline ISTHMUS_ABI
