// index.h: views by basic indexing.
#pragma once

#include <concepts>

#include "isthmus/array/array.h"

namespace isthmus::inline ISTHMUS_ABI {

/// One entry of x[{...}]: an integer, or what slice(), newaxis and ellipsis give.
struct IndexItem {
  /// What an entry is.
  enum class Kind : std::uint8_t { integer, slice, newaxis, ellipsis };
  /// The integer 0.
  constexpr IndexItem() = default;
  /// An entry that needs no numbers.
  constexpr explicit IndexItem(Kind what) : kind(what) {}
  /// An integer, which takes the axis away.
  template <std::integral I>
    requires(!std::same_as<I, bool>)
  constexpr IndexItem(I number) : integer(AnyInteger(number)) {}  // NOLINT
  Kind kind = Kind::integer;          ///< Which of the fields below mean something.
  std::int64_t integer = 0;           ///< Negative: from the end.
  std::optional<std::int64_t> start;  ///< Of a slice, as in Python; absent ones too.
  std::optional<std::int64_t> stop;   ///< Likewise.
  std::optional<std::int64_t> step;   ///< Likewise.
};

/// Elements from start on, before stop, each step; `{}` for what is not given, as Python's None:
/// slice({}, {}, -1) is the axis backwards, slice() all of it.
inline IndexItem slice(std::optional<std::int64_t> start = {},
                       std::optional<std::int64_t> stop = {},
                       std::optional<std::int64_t> step = {}) {
  IndexItem item(IndexItem::Kind::slice);
  item.start = start, item.stop = stop, item.step = step;
  return item;
}
inline constexpr IndexItem newaxis{IndexItem::Kind::newaxis};    ///< A new axis of length 1.
inline constexpr IndexItem ellipsis{IndexItem::Kind::ellipsis};  ///< All axes not mentioned.

/// x[{items}] for a list that is known at run time: a view. Throws index for too many items or an
/// index outside its axis, value for a step of 0.
ISTHMUS_EXPORT Array index(const Array& x, std::span<const IndexItem> items);

}  // namespace isthmus::inline ISTHMUS_ABI
