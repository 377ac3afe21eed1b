// not_of_arrays.h: uses of an array that are errors, and what to write instead.
#pragma once

#include <concepts>
#include <vector>

#include "isthmus/array/number.h"
#include "isthmus/array/shape.h"

namespace isthmus::inline ISTHMUS_ABI {

/// Uses of an array that are common in other libraries. None of them compiles.
struct NotOfArrays {
  /// An array has no single truth value.
  template <std::same_as<bool> B>
  explicit operator B() const {
    static_assert(detail::never<B>,
                  "an array has no single truth value: write any(x).item<bool>() or "
                  "all(x).item<bool>(), and x.has_value() for whether x is an array");
    return false;
  }
  /// @{
  /// Reading elements may take long, and they have a type. Numbers are refused only in explicit
  /// conversions: with an implicit conversion, pow(x, 2.0) could be that of doubles.
  template <Number T>
    requires(!std::same_as<T, bool>)
  explicit operator T() const = delete;  // write x.item<T>() for the one element
  template <Element T, class Allocator>
  operator std::vector<T, Allocator>() const = delete;  // write x.to_vector<T>()
  /// @}
  /// @{
  /// The program must say what a loop iterates over.
  template <class T = void>
  void begin() const {
    static_assert(
        detail::never<T>,
        "an array is not a range: loop over x.to_vector<T>(), a copy, over to_span<T>(x), "
        "which has a name, or over unstack(x), views without the first axis");
  }
  template <class T = void>
  void end() const {}
  /// @}
  /// Indexing by parentheses, as in other libraries.
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
