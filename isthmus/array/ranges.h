// ranges.h: the ranges that arrays are made of, and those that are refused.
#pragma once

#include <concepts>
#include <ranges>
#include <string_view>
#include <type_traits>

#include "isthmus/array/number.h"
#include "isthmus/core/layout.h"

namespace isthmus::inline ISTHMUS_ABI {

class Array;
struct Value;

namespace detail {
/// A type with its own conversion to Array.
template <class R>
concept MakesArray = requires(const R& range) { range.operator Array(); } ||
                     requires(const R& range) { range.operator const Array&(); };
/// A range of elements, at any places in memory.
template <class R>
concept AnyElementRange =
    std::ranges::input_range<const R&> && Element<std::ranges::range_value_t<const R&>> &&
    !std::derived_from<R, Dims> && (std::ranges::contiguous_range<R> || !MakesArray<R>);
/// A range of elements that are contiguous in memory.
template <class R>
concept ElementRange = AnyElementRange<R> && std::ranges::contiguous_range<R>;
/// The same, but preferred in overload resolution.
template <class R>
concept NamedElementRange = ElementRange<R> && !std::same_as<R, void>;
/// A range of elements that are not contiguous in memory, such as a std::list.
template <class R>
concept LooseRange = AnyElementRange<R> && !std::ranges::contiguous_range<const R&> &&
                     !std::same_as<std::ranges::range_value_t<const R&>, bool>;
/// A range of ranges of elements, such as a vector of vectors.
template <class R>
concept RangeOfRanges =
    std::ranges::input_range<const R&> &&
    std::ranges::input_range<std::ranges::range_reference_t<const R&>> &&
    Element<std::ranges::range_value_t<std::ranges::range_reference_t<const R&>>>;
/// A range of characters.
template <class R>
concept CharacterRange =
    std::ranges::input_range<const R&> && is_character<std::ranges::range_value_t<const R&>>;
/// A range of arrays.
template <class R>
concept RangeOfArrays = std::ranges::input_range<const R&> &&
                        std::derived_from<std::ranges::range_value_t<const R&>, Array>;
/// A contiguous range of structs or other things that cannot be elements of an array.
template <class R>
concept RangeOfOthers =
    std::ranges::contiguous_range<const R&> && !Number<std::ranges::range_value_t<const R&>> &&
    !std::ranges::input_range<std::ranges::range_reference_t<const R&>> && !RangeOfArrays<R> &&
    !std::convertible_to<const R&, std::string_view>;
/// A type that no list contains.
struct Nothing {
  explicit Nothing(Nothing*);
};
/// A type that is not an array and does not convert to one.
template <class T>
concept NoElements = !std::derived_from<T, Array> && !std::convertible_to<const T&, Value>;
}  // namespace detail

}  // namespace isthmus::inline ISTHMUS_ABI
