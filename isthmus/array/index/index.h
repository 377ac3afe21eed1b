// index.h: x[...]: views by numbers and slices, new memory by arrays of indices and masks.
#pragma once

#include <concepts>

#include "isthmus/array/array.h"

namespace isthmus::inline ISTHMUS_ABI {

/// One entry of x[{...}]: an integer, or what slice(), newaxis and ellipsis give.
struct IndexItem {
  /// What an entry is.
  enum class Kind : std::uint8_t { integer, slice, newaxis, ellipsis };
  /// Does not compile: {} could be the axis, as in slice(), or an element.
  template <class T = void>
  constexpr IndexItem() {
    static_assert(detail::never<T>,
                  "{} is no index: write slice() for the whole axis, 0 for its first element");
  }
  /// An entry that needs no numbers.
  constexpr explicit IndexItem(Kind what) : kind(what) {}
  /// An integer, which takes the axis away.
  template <std::integral I>
    requires(!std::same_as<I, bool>)
  constexpr IndexItem(I number) : integer(AnyInteger(number)) {}  // NOLINT
  /// Does not compile: indices are integers.
  template <class T>
    requires(std::same_as<T, bool> || std::floating_point<T>)
  IndexItem(T) {  // NOLINT
    static_assert(detail::never<T>,
                  "an index is an integer, and a mask an array of bools: x[0], x[x > 0]");
  }
  /// Does not compile: of arrays of structs field() is meant.
  template <std::convertible_to<std::string_view> T>
  IndexItem(const T&) {  // NOLINT
    static_assert(detail::never<T>,
                  "a text is no index: write field(x, \"name\") for a field of structs, "
                  "x[slice(1, 3)] for the elements 1 and 2");
  }
  Kind kind = Kind::integer;          ///< Which of the fields below mean something.
  std::int64_t integer = 0;           ///< Negative: from the end.
  std::optional<std::int64_t> start;  ///< Of a slice, as in Python; absent ones too.
  std::optional<std::int64_t> stop;   ///< Likewise.
  std::optional<std::int64_t> step;   ///< Likewise.
};

/// Elements from start on, before stop, each step; `{}` for what is not given, as Python's None:
/// slice({}, {}, -1) is the axis backwards, slice() all of it.
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
  static_assert(detail::never<T>, "an index of several axes has braces: x[{slice(1), 0}]");
  return item;
}
template <class T>
  requires(std::integral<T> || std::derived_from<T, Array>)
IndexItem operator,(const T&, const IndexItem& item) {
  static_assert(detail::never<T>, "an index of several axes has braces: x[{0, slice(1)}]");
  return item;
}
/// @}
inline constexpr IndexItem newaxis{IndexItem::Kind::newaxis};    ///< A new axis of length 1.
inline constexpr IndexItem ellipsis{IndexItem::Kind::ellipsis};  ///< All axes not mentioned.

/// x[{items}] for a list that is known at run time: a view. Throws IndexError for too many items or
/// an index outside its axis, ValueError for a step of 0.
ISTHMUS_EXPORT Array index(const Array& x, std::span<const IndexItem> items);

/// One entry of an index in which arrays may be: what IndexItem takes, integers of any shape, or a
/// mask, an array of bools that takes the place of as many axes as it has. Keeps the array.
struct IndexEntry {
  /// A number, a slice, newaxis, ellipsis.
  IndexEntry(const IndexItem& one) : item(one) {}  // NOLINT: is one
  /// An integer.
  template <std::integral I>
    requires(!std::same_as<I, bool>)
  IndexEntry(I number) : item(number) {}  // NOLINT
  /// Indices or a mask.
  IndexEntry(Array indices) : item(0), array(std::move(indices)) {}  // NOLINT
  IndexItem item;                                                    ///< Where there is no array.
  std::optional<Array> array;                                        ///< Indices or a mask.
};

/// x[{entries}] with NumPy's meaning: arrays of indices broadcast and take the place of their axes,
/// numbers beside them count as such, and if something stands between them, their axes come first;
/// a mask chooses where it is true. With arrays new memory, pending, else a view; an array of
/// integers without axes is the number that it has. Waits for that, and to count what a mask
/// chooses. Throws IndexError for too many entries, an index outside its axis (on a device, where
/// the host would have to wait to know it: whoever waits for the result gets the error), arrays
/// that do not broadcast, are of other dtypes, or are masks of other lengths than the axes. Source:
/// Array API 2025.12, indexing; NumPy 2 where the standard is silent.
ISTHMUS_EXPORT Array index(const Array& x, std::span<const IndexEntry> entries);
/// x[{entries}] = value: writes to the elements that index() would read, broadcast and cast. Of
/// elements that are meant twice the last one in row-major order counts. One number for all that a
/// mask chooses is written by one kernel, which waits for nothing. Throws as index() and assign();
/// where an index that is outside is found later, nothing is written, and the next wait for x
/// throws.
ISTHMUS_EXPORT void assign(const Array& x, std::span<const IndexEntry> entries, const Value& value);

/// What x[{slice(1), indices}] and x[mask] give: an array of its own, which as long as it has no
/// name also says where its elements came from, so that they can be written to:
/// x[mask] = 0, x[indices] += 1. The latter reads, adds and writes, as in Python.
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
  /// Makes the name another array; writes nothing.
  IndexedArray& operator=(Array other) & {
    static_cast<Array&>(*this) = std::move(other);
    x_ = Array();
    return *this;
  }
  IndexedArray& operator=(const IndexedArray& other) & { return *this = Array(other); }
  /// @}
  /// Of one that has a name: does not compile, as of an Array.
  template <class T>
    requires(!std::derived_from<T, Array>)
  IndexedArray& operator=(const T& value) & {
    static_cast<Array&>(*this) = value;
    return *this;
  }
  ~IndexedArray() = default;
  /// Of anything but an array, a number or a list of numbers: does not compile, as of an Array.
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
