// shape.h: shapes, lists of axes and flags, as arguments.
#pragma once

#include <concepts>
#include <initializer_list>
#include <optional>
#include <ranges>
#include <span>
#include <type_traits>
#include <utility>

#include "isthmus/array/lent_iterator.h"
#include "isthmus/array/number.h"
#include "isthmus/core/layout.h"

namespace isthmus::inline ISTHMUS_ABI {

namespace detail {
/// False for all types: for a static_assert in a template that must not be instantiated.
template <class...>
inline constexpr bool never = false;
[[noreturn]] ISTHMUS_EXPORT void refuse_integer(std::uint64_t number);
}  // namespace detail

/// An integer of any C++ type but bool, as a 64-bit integer: an axis or a count. Throws
/// OverflowError above 2^63-1.
struct AnyInteger {
  /// Any integer but a bool.
  template <std::integral I>
    requires(!std::same_as<I, bool>)
  constexpr AnyInteger(I integer) : value(static_cast<std::int64_t>(integer)) {  // NOLINT
    if constexpr (is_character<I>) {
      static_assert(detail::never<I>,
                    "a character is not an index or a length: write static_cast<int>(c)");
    } else if (!std::in_range<std::int64_t>(integer)) [[unlikely]] {
      detail::refuse_integer(static_cast<std::uint64_t>(integer));
    }
  }
  /// A value of an unscoped enum: enum { rows, columns }.
  template <class E>
    requires(std::is_enum_v<E> && std::convertible_to<E, std::int64_t>)
  constexpr AnyInteger(E number) : AnyInteger(+number) {}  // NOLINT
  /// Does not compile: a fraction or a bool.
  template <class T>
    requires(std::floating_point<T> || std::same_as<T, bool>)
  constexpr AnyInteger(T) : value(0) {  // NOLINT
    static_assert(detail::never<T>,
                  "an axis, a count and a number of a slice must be integers: write "
                  "static_cast<std::int64_t>(x)");
  }
  /// The number.
  constexpr operator std::int64_t() const { return value; }  // NOLINT: as integers convert
  std::int64_t value;                                        ///< The number.
};

/// An AnyInteger or nothing: `{}` or std::nullopt, like None in Python.
class OptionalInteger : public std::optional<std::int64_t> {
 public:
  constexpr OptionalInteger() = default;        ///< None.
  constexpr OptionalInteger(std::nullopt_t) {}  ///< None. NOLINT
  /// One.
  template <std::convertible_to<AnyInteger> T>
  constexpr OptionalInteger(T number)  // NOLINT
      : std::optional<std::int64_t>(AnyInteger(number).value) {}
  /// @{
  /// From an optional integer.
  constexpr OptionalInteger(const std::optional<std::int64_t>& number)  // NOLINT
      : std::optional<std::int64_t>(number) {}
  template <class T>
    requires std::is_arithmetic_v<T>
  constexpr OptionalInteger(const std::optional<T>& number) {  // NOLINT
    if (number) *this = OptionalInteger(*number);
  }
  /// @}
};

/// Lengths of axes: a brace list of integers of any types, `zeros({2, rows.size()})`, one integer,
/// or any contiguous range of integers. Owns a copy of them. Throws OverflowError for a number
/// above 2^63-1.
class Shape : public Dims {
 public:
  /// No axes.
  Shape() = default;
  /// @{
  /// x.shape() is a shape.
  Shape(const Dims& dims) : Dims(dims) {}        // NOLINT
  Shape(Dims&& dims) : Dims(std::move(dims)) {}  // NOLINT
  /// @}
  /// A brace list.
  Shape(std::initializer_list<AnyInteger> lengths) : Dims(lengths.begin(), lengths.end()) {}
  /// One axis.
  template <std::integral I>
    requires(!std::same_as<I, bool>)
  Shape(I length) : Dims({AnyInteger(length)}) {}  // NOLINT
  /// The integers from one iterator to another.
  template <std::forward_iterator It>
  Shape(It first, It last) {
    if constexpr (std::is_unsigned_v<std::iter_value_t<It>>)
      for (; first != last; ++first) push_back(AnyInteger(*first));
    else
      assign(first, last);
  }
  /// A contiguous range of integers.
  template <std::ranges::contiguous_range R>
    requires(std::integral<std::ranges::range_value_t<R>> && !std::derived_from<R, Dims>)
  Shape(const R& range)  // NOLINT: a range of integers is a shape
      : Shape(std::ranges::begin(range), std::ranges::end(range)) {
    static_assert(!std::same_as<std::ranges::range_value_t<R>, char>,
                  "a string is not a shape or an axis: devices and dtypes come after it");
  }
};

/// The shape of a temporary array, as returned by (x + y).shape(): a value, which you can pass as a
/// Shape. It converts to a std::span only if it has a name itself.
class ShapeOf : public Dims {
 public:
  /// A copy.
  explicit ShapeOf(const Dims& dims) : Dims(dims) {}

  /// @{
  /// The lengths.
  operator std::span<const std::int64_t>() const& { return {data(), size()}; }  // NOLINT
  const std::int64_t* data() const& { return Dims::data(); }
  LentIterator<const std::int64_t> begin() const& { return LentIterator(Dims::begin()); }
  LentIterator<const std::int64_t> end() const& { return LentIterator(Dims::end()); }
  /// @}
  /// @{
  /// For a temporary: does not compile.
  template <class T = std::int64_t>
  operator std::span<const T>() const&& {  // NOLINT
    return refused<std::span<const T>>();
  }
  template <class T = std::int64_t>
  const T* data() const&& {
    return refused<const T*>();
  }
  template <class T = std::int64_t>
  LentIterator<const T> begin() const&& {
    return refused<LentIterator<const T>>();
  }
  template <class T = std::int64_t>
  LentIterator<const T> end() const&& {
    return refused<LentIterator<const T>>();
  }
  /// @}

 private:
  template <class Result>
  Result refused() const {
    static_assert(detail::never<Result>,
                  "the shape of a temporary array is gone after the statement: give it a name "
                  "first, const Shape shape = array.shape()");
    return {};
  }
};

/// The layout of a temporary array, as returned by (x + y).layout(): a value, which you can pass as
/// a Layout.
struct LayoutOf {
  ShapeOf shape;            ///< Lengths of the axes.
  ShapeOf strides;          ///< The distance from one index of an axis to the next, in elements.
  std::int64_t offset = 0;  ///< Of the first element, from the beginning of the memory.

  /// A copy.
  explicit LayoutOf(const Layout& layout)
      : shape(layout.shape), strides(layout.strides), offset(layout.offset) {}
  /// Converts to a Layout.
  operator Layout() const { return {shape, strides, offset}; }  // NOLINT: it is one

  int ndim() const { return static_cast<int>(shape.size()); }  ///< How many axes there are.
  std::int64_t count() const { return static_cast<Layout>(*this).count(); }  ///< Elements in all.
  /// Whether all parts are equal, including strides without effect.
  friend bool operator==(const LayoutOf&, const LayoutOf&) = default;
};

/// @{
/// Layouts of new arrays, from a list, row_major({2, 3}), or from x.shape().
inline Layout row_major(std::initializer_list<AnyInteger> shape) { return row_major(Shape(shape)); }
inline Layout row_major(const ShapeOf& shape) {
  return row_major(std::span(shape.data(), shape.size()));
}
inline Layout column_major(std::initializer_list<AnyInteger> shape) {
  return column_major(Shape(shape));
}
inline Layout column_major(const ShapeOf& shape) {
  return column_major(std::span(shape.data(), shape.size()));
}
/// @}

/// Numbers of axes; negative ones count from the last.
using Axes = Shape;

namespace detail {
/// Several integers instead of a list, as in zeros(2, 3).
template <class... I>
concept LooseIntegers = sizeof...(I) > 1 && ((std::integral<I> && !std::same_as<I, bool>) && ...);
}  // namespace detail

/// A flag, such as keepdims: a bool, but nothing else that converts to bool. A number, as in sum(x,
/// 0, 1), and a string do not compile.
struct Flag {
  /// A bool, or an object that converts to one.
  template <std::convertible_to<bool> B>
  constexpr Flag(B flag) : is_on(flag) {  // NOLINT: a bool is a switch
    static_assert(std::same_as<B, bool> || std::is_class_v<B>,
                  "this is true or false: several axes are a list, sum(x, {0, 1}), and a device "
                  "or a dtype is a separate argument");
  }
  /// The bool.
  constexpr operator bool() const { return is_on; }  // NOLINT
  bool is_on;                                        ///< The bool.
};

/// The type of all_axes.
struct AllAxes {};
inline constexpr AllAxes all_axes;  ///< sum(x, all_axes, true): over all axes, which stay.

/// The axes of an operation: one, `sum(x, 0)`; several, `sum(x, {0, -1})`, or any range of
/// integers, where an empty range means no axis, as axis=() in NumPy; or all_axes. `{}` could mean
/// all axes or none, and does not compile.
class AxisSet {
 public:
  /// All of them.
  AxisSet(AllAxes) {}  // NOLINT
  /// @{
  /// One axis, a list of axes, or a range of them.
  template <std::integral I>
    requires(!std::same_as<I, bool>)
  AxisSet(I axis) : is_all_(false), axes_(axis) {}                                  // NOLINT
  AxisSet(std::initializer_list<AnyInteger> axes) : is_all_(false), axes_(axes) {}  // NOLINT
  AxisSet(const Dims& axes) : is_all_(false), axes_(axes) {}                        // NOLINT
  template <std::ranges::contiguous_range R>
    requires(std::integral<std::ranges::range_value_t<R>> && !std::derived_from<R, Dims>)
  AxisSet(const R& axes) : is_all_(false), axes_(axes) {}  // NOLINT
  /// @}
  /// Does not compile: the bool is probably meant for keepdims.
  template <std::same_as<bool> B>
  AxisSet(B) {  // NOLINT
    static_assert(detail::never<B>,
                  "a bool is not an axis: write sum(x, all_axes, true) to keep the axes");
  }
  /// Does not compile: {} could be all axes or none.
  template <class T = void>
  AxisSet() {
    static_assert(detail::never<T>,
                  "{} could be all axes or none: write sum(x) or sum(x, all_axes) for all, and "
                  "sum(x, Axes()) for none");
  }

  /// The axes; nothing if all axes are meant.
  std::optional<std::span<const std::int64_t>> get() const {
    if (is_all_) return {};
    return std::span(axes_.data(), axes_.size());
  }

 private:
  bool is_all_ = true;
  Axes axes_;
};

}  // namespace isthmus::inline ISTHMUS_ABI
