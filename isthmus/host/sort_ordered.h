// sort_ordered.h: rows that are in order already, or in the opposite one.
#pragma once

#include <atomic>
#include <cstdint>
#include <cstring>
#include <utility>
#include <vector>

#include "isthmus/host/keys.h"
#include "isthmus/host/row_elements.h"
#include "isthmus/host/rows.h"
#include "isthmus/threads/executor.h"

namespace isthmus::inline ISTHMUS_ABI::host {

/// The KeyOrders of a row. Threads share it once its first piece shows one, and none of them goes
/// on where there is none.
template <class T>
int orders_of(const RowElements& row, const KeyTable& order, bool is_descending) {
  using K = KeyOf<T>;
  const auto key_at = [&](const char* element) {
    T x;
    std::memcpy(&x, element, sizeof x);
    return key_of(x, is_descending);
  };
  std::atomic<int> orders = is_rising | is_falling;
  const auto follows = [&](K before, K next) { orders &= next < before ? is_falling : is_rising; };
  // gives the first and the last key
  const auto look = [&](std::int64_t first, std::int64_t last) {
    std::pair<K, K> ends{};
    for (std::int64_t piece = first; piece < last && orders; ++piece)
      row.visit(piece, piece + 1, [&](std::int64_t, std::int64_t count, const char* elements) {
        const K begin = key_at(elements);
        piece == first ? void(ends.first = begin) : follows(ends.second, begin);
        ends.second = key_at(elements + (count - 1) * row.bytes);
        orders &= order.orders(elements, count, is_descending);
      });
    return ends;
  };
  look(0, 1);
  if (!orders || row.n <= row.piece()) return orders;
  const ElementParts parts(row);
  std::vector<std::pair<K, K>> ends(static_cast<std::size_t>(parts.count));
  parts.each([&](std::int64_t p, std::int64_t first, std::int64_t last) {
    ends[static_cast<std::size_t>(p)] = look(first, last);
  });
  for (std::size_t p = 1; p < ends.size() && orders; ++p)
    follows(ends[p - 1].second, ends[p].first);
  return orders;
}

/// Elements of a row in one of the KeyOrders, or their indices, in order.
template <class T>
void put_ordered(const AlongAxes& rows, std::int64_t row, int orders, bool gives_indices) {
  const std::int64_t n = rows.length, bytes = gives_indices ? sizeof(std::int64_t) : sizeof(T);
  char* const out = rows.direct(row);
  const Bytes own = out ? Bytes(nullptr, std::free) : allocate(n * bytes);
  char* const to = out ? out : own.get();
  const auto place_of = [&](std::int64_t i) { return orders & is_rising ? i : n - 1 - i; };
  if (gives_indices) {
    const auto number = [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t i = begin; i < end; ++i) {
        const std::int64_t index = place_of(i);
        std::memcpy(to + i * bytes, &index, sizeof index);
      }
    };
    parallel_for(n, 1 << 16, number);
  } else {
    const auto put = [&](std::int64_t begin, std::int64_t count, const char* elements) {
      for (std::int64_t i = 0; i < count; ++i)
        std::memcpy(to + place_of(begin + i) * bytes, elements + i * bytes, sizeof(T));
    };
    const RowElements elements{rows, row, n, bytes};
    const ElementParts parts(elements);
    parts.each([&](std::int64_t, std::int64_t first, std::int64_t last) {
      elements.visit(first, last, put);
    });
  }
  if (out) return;
  const Bytes stored =
      is_half(rows.program.accumulator) ? allocate(2 * n) : Bytes(nullptr, std::free);
  rows.write(row, 0, n, to, stored.get());
}

}  // namespace isthmus::inline ISTHMUS_ABI::host
