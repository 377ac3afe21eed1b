// index.h: x[...]: views by integers and slices, new memory by arrays of indices and masks.
#pragma once

#include <concepts>

#include "isthmus/array/array.h"

namespace isthmus::inline ISTHMUS_ABI {

/// One entry of x[{...}]: an integer, a slice(), newaxis or ellipsis.
struct IndexItem {
  /// The kind of an entry.
  enum class Kind : std::uint8_t { integer, slice, newaxis, ellipsis };
  /// Does not compile: {} could be the axis, as in slice(), or an element.
  template <class T = void>
  constexpr IndexItem() {
    static_assert(detail::never<T>,
                  "{} is not an index: write slice() for the whole axis, 0 for its first element");
  }
  /// An entry without numbers.
  constexpr explicit IndexItem(Kind what) : kind(what) {}
  /// An integer, which removes the axis.
  template <std::integral I>
    requires(!std::same_as<I, bool>)
  constexpr IndexItem(I number) : integer(AnyInteger(number)) {}  // NOLINT
  /// Does not compile: indices are integers.
  template <class T>
    requires(std::same_as<T, bool> || std::floating_point<T>)
  IndexItem(T) {  // NOLINT
    static_assert(detail::never<T>,
                  "an index is an integer, and a mask is an array of bools: x[0], x[x > 0]");
  }
  /// Does not compile: use field() for arrays of structs.
  template <std::convertible_to<std::string_view> T>
  IndexItem(const T&) {  // NOLINT
    static_assert(detail::never<T>,
                  "a string is not an index: write field(x, \"name\") for a field of structs, "
                  "x[slice(1, 3)] for the elements 1 and 2");
  }
  Kind kind = Kind::integer;          ///< Selects which of the fields below are used.
  std::int64_t integer = 0;           ///< A negative one counts from the end.
  std::optional<std::int64_t> start;  ///< Of a slice, as in Python; may be absent.
  std::optional<std::int64_t> stop;   ///< Likewise.
  std::optional<std::int64_t> step;   ///< Likewise.
};

/// Elements from start to before stop, in steps of `step`. Pass `{}` to omit a number, like None in
/// Python: slice({}, {}, -1) is the axis in reverse, slice() the whole axis.
inline IndexItem slice(OptionalInteger start = {}, OptionalInteger stop = {},
                       OptionalInteger step = {}) {
  IndexItem item(IndexItem::Kind::slice);
  item.start = start, item.stop = stop, item.step = step;
  return item;
}
/// @{
/// Does not compile: x[slice(1), 0] lacks the braces of x[{slice(1), 0}].
template <class T>
IndexItem operator,(const IndexItem& item, const T&) {
  static_assert(detail::never<T>, "an index of several axes needs braces: x[{slice(1), 0}]");
  return item;
}
template <class T>
  requires(std::integral<T> || std::derived_from<T, Array>)
IndexItem operator,(const T&, const IndexItem& item) {
  static_assert(detail::never<T>, "an index of several axes needs braces: x[{0, slice(1)}]");
  return item;
}
/// @}
inline constexpr IndexItem newaxis{IndexItem::Kind::newaxis};    ///< A new axis of length 1.
inline constexpr IndexItem ellipsis{IndexItem::Kind::ellipsis};  ///< All axes not mentioned.

/// x[{items}] for a list that is known at run time: a view. Throws IndexError for too many items or
/// an index out of range, ValueError for a step of 0.
ISTHMUS_EXPORT Array index(const Array& x, std::span<const IndexItem> items);

/// One entry of an index that may contain arrays: anything that IndexItem accepts, an array of
/// integers of any shape, or a mask, an array of bools that replaces as many axes as it has. Keeps
/// the array alive.
struct IndexEntry {
  /// A number, a slice, newaxis or ellipsis.
  IndexEntry(const IndexItem& one) : item(one) {}  // NOLINT: is one
  /// An integer.
  template <std::integral I>
    requires(!std::same_as<I, bool>)
  IndexEntry(I number) : item(number) {}  // NOLINT
  /// Indices or a mask.
  IndexEntry(Array indices) : item(0), array(std::move(indices)) {}  // NOLINT
  IndexItem item;                                                    ///< Used if there is no array.
  std::optional<Array> array;                                        ///< Indices or a mask.
};

/// x[{entries}] with NumPy's meaning: arrays of indices broadcast and replace their axes, and
/// numbers in the same index count as arrays of indices. If another entry separates them, their
/// axes come first. A mask selects the elements where it is true. An index with arrays returns new
/// memory, pending; any other index returns a view. An array of integers without axes counts as its
/// number. Waits for such an array, and to count what a mask selects. Throws IndexError for too
/// many entries, an index out of range (on a device, if the host would have to wait to detect it,
/// waiting for the result throws the error), and arrays that do not broadcast, have other dtypes,
/// or are masks of other lengths than the axes. Source: Array API 2025.12, indexing; NumPy 2 where
/// the standard is silent.
ISTHMUS_EXPORT Array index(const Array& x, std::span<const IndexEntry> entries);
/// x[{entries}] = value: writes the value, broadcast and cast, to the elements that index() would
/// read. If an element is indexed twice, the last value in row-major order counts. One number for
/// all elements of a mask is written by one kernel, which waits for nothing. Throws as index() and
/// assign(). If an index out of range is only detected later, nothing is written, and the next wait
/// for x throws.
ISTHMUS_EXPORT void assign(const Array& x, std::span<const IndexEntry> entries, const Value& value);

/// The result of x[{slice(1), indices}] and x[mask]: a new array, which as a temporary also knows
/// where its elements came from, so that you can write to them: x[mask] = 0, x[indices] += 1. The
/// latter reads, adds and writes, as in Python.
class ISTHMUS_EXPORT IndexedArray : public Array {
 public:
  /// By index().
  IndexedArray(const Array& x, std::vector<IndexEntry> entries)
      : Array(index(x, std::span<const IndexEntry>(entries))),
        x_(x),
        entries_(std::move(entries)) {}
  IndexedArray(const IndexedArray&) = default;  ///< The same.
  IndexedArray(IndexedArray&&) = default;       ///< The same.
  /// @{
  /// Makes this another array; writes nothing.
  IndexedArray& operator=(Array other) & {
    static_cast<Array&>(*this) = std::move(other);
    x_ = Array();
    return *this;
  }
  IndexedArray& operator=(const IndexedArray& other) & { return *this = Array(other); }
  /// @}
  /// For a named object: does not compile, as for an Array.
  template <class T>
    requires(!std::derived_from<T, Array>)
  IndexedArray& operator=(const T& value) & {
    static_cast<Array&>(*this) = value;
    return *this;
  }
  ~IndexedArray() = default;
  /// For anything but an array, a number or a list of numbers: does not compile, as for an Array.
  template <detail::NoElements T>
  IndexedArray& operator=(const T& value) && {
    static_cast<Array&&>(*this) = value;
    return *this;
  }
  /// @{
  /// Writes where the elements came from; see assign().
  void operator=(const Value& value) &&;
  void operator=(std::initializer_list<Nested> elements) &&;
  void operator=(IndexedArray&& value) && { std::move(*this) = Value(value); }
  /// @}
  /// Reads, calculates and writes. Throws as the operators do: TypeError, ValueError.
  void update(Op op, const Value& value) &&;

 private:
  Array x_;
  std::vector<IndexEntry> entries_;
};

/// @{
/// x[indices] += y and the like: see IndexedArray.
#define ISTHMUS_IN_PLACE(symbol, row) \
  inline void operator symbol(IndexedArray&& x, const Value& y) { std::move(x).update(Op::row, y); }
ISTHMUS_IN_PLACE(+=, add)
ISTHMUS_IN_PLACE(-=, subtract)
ISTHMUS_IN_PLACE(*=, multiply)
ISTHMUS_IN_PLACE(/=, divide)
ISTHMUS_IN_PLACE(%=, remainder)
ISTHMUS_IN_PLACE(&=, bitwise_and)
ISTHMUS_IN_PLACE(|=, bitwise_or)
ISTHMUS_IN_PLACE(^=, bitwise_xor)
ISTHMUS_IN_PLACE(<<=, bitwise_left_shift)
ISTHMUS_IN_PLACE(>>=, bitwise_right_shift)
#undef ISTHMUS_IN_PLACE
/// @}

template <std::same_as<IndexEntry> E>
IndexedArray Array::operator[](std::initializer_list<std::type_identity_t<E>> entries) const {
  return IndexedArray(*this, std::vector<IndexEntry>(entries));
}
template <std::derived_from<Array> A>
IndexedArray Array::operator[](const A& indices) const {
  return IndexedArray(*this, {IndexEntry(indices)});
}

}  // namespace isthmus::inline ISTHMUS_ABI
