// not_of_arrays.h: uses of an array that mean nothing, and what to write in their place.
#pragma once

#include <concepts>
#include <vector>

#include "isthmus/array/number.h"
#include "isthmus/array/shape.h"

namespace isthmus::inline ISTHMUS_ABI {

/// What users of other libraries write of an array. Nothing of it compiles.
struct NotOfArrays {
  /// An array is true nowhere and everywhere.
  template <std::same_as<bool> B>
  explicit operator B() const {
    static_assert(detail::never<B>,
                  "an array has many elements, and no truth: write any(x).item<bool>() or "
                  "all(x).item<bool>(), and x.has_value() for whether x is an array");
    return false;
  }
  /// @{
  /// To take elements may take long, and they have a type. Numbers are refused where they are made
  /// of an array explicitly: with an implicit conversion pow(x, 2.0) could be that of doubles.
  template <Number T>
    requires(!std::same_as<T, bool>)
  explicit operator T() const = delete;  // write x.item<T>() for the one element
  template <Element T, class Allocator>
  operator std::vector<T, Allocator>() const = delete;  // write x.to_vector<T>()
  /// @}
  /// @{
  /// What a loop is to go over must be said.
  template <class T = void>
  void begin() const {
    static_assert(detail::never<T>,
                  "an array is no range: loop over x.to_vector<T>(), a copy, over to_span<T>(x), "
                  "which has a name, or over unstack(x), views without the first axis");
  }
  template <class T = void>
  void end() const {}
  /// @}
  /// As libraries have it that are indexed by parentheses.
  template <class... I>
  void operator()(const I&...) const {
    static_assert(detail::never<I...>,
                  "an array is indexed by brackets: x[0], x[{0, 1}], x[{slice(), 1}]");
  }
  /// Elements have a type, and may not be calculated yet.
  template <class T = void>
  void data() const {
    static_assert(detail::never<T>,
                  "elements have a type: write to_span<T>(x).data(), whose span has a name, or "
                  "x.to_vector<T>(), a copy");
  }
};

}  // namespace isthmus::inline ISTHMUS_ABI
