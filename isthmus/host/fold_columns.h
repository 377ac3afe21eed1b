// fold_columns.h: many chunks that lie side by side, folded in registers.
#pragma once

#include "isthmus/host/fold_values.h"

namespace isthmus::inline ISTHMUS_ABI::host::ISTHMUS_ISA {
namespace {

/// Vectors of a row that are combined at a time: as many as leave registers for SumOfAll.
inline constexpr int column_vectors = vector_bytes == 64 ? 16 : 8;

/// Columns as wide as some vectors, from byte `at` of each row on. Every vector is added to `sum`.
template <class Step, class V, int vectors, class Sum>
void fold_strip(char* out, const char* const* rows, std::int64_t count, std::int64_t at, Sum& sum) {
  // prefetched so far ahead: a piece of a row is too short for the processor to do it
  constexpr std::int64_t rows_ahead = 8;
  V lane[lane_count][vectors];
  const std::int64_t lanes = count < lane_count ? count : lane_count;
  std::int64_t i = 0, next = 0;
  const auto prefetch = [&] {
    if (next + rows_ahead < count)
      for (int line = 0; line < static_cast<int>(vectors * sizeof(V)); line += 64)
        __builtin_prefetch(rows[next + rows_ahead] + at + line);
  };
  const auto vector = [&](int k) {
    V value;
    std::memcpy(&value, rows[next] + at + k * sizeof(V), sizeof value);
    sum.add(k, value);
    return value;
  };
  do {  // there is a row
    V v[vectors];
    prefetch();
#pragma GCC unroll 16
    for (int k = 0; k < vectors; ++k) v[k] = vector(k);
    ++next;
    for (std::int64_t row = i + lane_count; row < count; row += lane_count, ++next) {
      prefetch();
#pragma GCC unroll 16
      for (int k = 0; k < vectors; ++k) v[k] = Step::apply(v[k], vector(k));
    }
#pragma GCC unroll 16
    for (int k = 0; k < vectors; ++k) lane[i][k] = v[k];
  } while (++i < lanes);
  fold_lanes(lanes, [&](std::int64_t a, std::int64_t b) {
    for (int k = 0; k < vectors; ++k) lane[a][k] = Step::apply(lane[a][k], lane[b][k]);
  });
  std::memcpy(out + at, lane[0], sizeof lane[0]);
}

/// As many strips of so many vectors as there are from `at` on, which they move.
template <template <class, class> class Combine, class T, int vectors>
void fold_strips(char* out, const char* const* rows, std::int64_t count, std::int64_t& at,
                 std::int64_t end) {
  using V = typename Lanes<T>::V;
  using Step = Combine<V, typename Lanes<T>::UV>;
  constexpr auto bytes = static_cast<std::int64_t>(vectors * sizeof(V));
  for (; at + bytes <= end; at += bytes) {
    if constexpr (Ordered<Step>::is_known) {
      SumOfAll<T> sum;
      fold_strip<Ordered<Step>, V, vectors>(out, rows, count, at, sum);
      if (!sum.is_nan()) continue;
    }
    NoSum none;
    fold_strip<Step, V, vectors>(out, rows, count, at, none);
  }
}

/// See FoldColumns.
template <template <class, class> class Combine, class T>
bool fold_columns(void* out_memory, const char* const* rows, std::int64_t count, std::int64_t n) {
  constexpr auto width = static_cast<std::int64_t>(sizeof(typename Lanes<T>::V));
  auto* out = static_cast<char*>(out_memory);
  const std::int64_t end = n * static_cast<std::int64_t>(sizeof(T));
  if (end < width) return false;
  std::int64_t at = 0;
  fold_strips<Combine, T, column_vectors>(out, rows, count, at, end);
  fold_strips<Combine, T, column_vectors / 4>(out, rows, count, at, end);
  fold_strips<Combine, T, 1>(out, rows, count, at, end);
  if (at == end) return true;
  at = end - width;  // once more, some of them
  fold_strips<Combine, T, 1>(out, rows, count, at, end);
  return true;
}

}  // namespace
}  // namespace isthmus::inline ISTHMUS_ABI::host::ISTHMUS_ISA
