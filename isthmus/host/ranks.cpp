// ranks.cpp: where the elements of short rows go.
#include "isthmus/host/key_rows.h"
#include "isthmus/host/vector.h"

namespace isthmus::inline ISTHMUS_ABI::host::ISTHMUS_ISA {

namespace {

/// Integers that compare as keys do, with room for the places of a short row.
template <class K>
using LaneOf = std::conditional_t<(sizeof(K) <= 2), std::int16_t, std::make_signed_t<K>>;
template <class K>
LaneOf<K> lane_of(K key) {
  constexpr K sign = sizeof(K) == 1 ? K{0} : static_cast<K>(K{1} << (8 * sizeof(K) - 1));
  return static_cast<LaneOf<K>>(static_cast<K>(key ^ sign));
}

/// A key's place is how many keys come before it: those that are less, and equal ones in front.
template <class T>
void rank(void* indices, const void* elements, std::int64_t n, bool is_descending) {
  using K = KeyOf<T>;
  using L = LaneOf<K>;
  typedef L V __attribute__((vector_size(vector_bytes)));
  constexpr std::int64_t width = vector_bytes / sizeof(L), most = KeyTable::most_ranked + width;
  K keys[most];
  L lanes[most], places[most];
  V own_place;
  for (std::int64_t i = 0; i < width; ++i) own_place[i] = static_cast<L>(i);
  const auto* const in = static_cast<const char*>(elements);
  is_descending ? make_keys<T, true>(keys, in, n) : make_keys<T, false>(keys, in, n);
  for (std::int64_t i = 0; i < n; ++i) lanes[i] = lane_of(keys[i]);
  for (std::int64_t i = n; i < n + width; ++i) lanes[i] = 0;
  for (std::int64_t begin = 0; begin < n; begin += width) {
    const std::int64_t end = std::min(n, begin + width);
    V own, place = V{} + static_cast<L>(begin);
    std::memcpy(&own, lanes + begin, sizeof own);
    for (std::int64_t k = 0; k < begin; ++k) place += lanes[k] > own;  // true is -1
    for (std::int64_t k = begin; k < end; ++k)
      place -= (lanes[k] < own) | ((lanes[k] == own) & (static_cast<L>(k - begin) < own_place));
    for (std::int64_t k = end; k < n; ++k) place -= lanes[k] < own;
    std::memcpy(places + begin, &place, sizeof place);
  }
  for (std::int64_t i = 0; i < n; ++i)
    std::memcpy(static_cast<char*>(indices) + 8 * places[i], &i, sizeof i);
}

template <class T>
void fill(RowTable& table, TypeId type) {
  table.keys[static_cast<int>(type)].rank = rank<T>;
}

}  // namespace

void fill_ranks(RowTable& table) {
  each_key_type([&]<class T>(T, TypeId type) { fill<T>(table, type); });
}

}  // namespace isthmus::inline ISTHMUS_ABI::host::ISTHMUS_ISA
