// key_vectors.h: vectors of keys, and networks of them that put a few keys in order.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <utility>

#include "isthmus/base/export.h"

#if defined(__AVX512F__)
#include "isthmus/host/key_vectors_avx512.h"
#else
#include "isthmus/host/key_vectors_avx2.h"
#endif

namespace isthmus::inline ISTHMUS_ABI::host::ISTHMUS_ISA {
namespace {

/// The pairs of rows that a network of merges of odd and even rows compares (Batcher 1968).
template <int rows>
struct Comparisons {
  struct Pair {
    int low, high;
  };
  std::array<Pair, 5 * rows> pairs{};
  std::size_t count = 0;

  constexpr Comparisons() {
    for (int run = 1; run < rows; run *= 2)
      for (int apart = run; apart >= 1; apart /= 2)
        for (int first = apart % run; first + apart < rows; first += 2 * apart)
          for (int i = first; i < first + apart && i + apart < rows; ++i)
            if (i / (2 * run) == (i + apart) / (2 * run)) pairs[count++] = {i, i + apart};
  }
};
template <int rows>
inline constexpr Comparisons<rows> comparisons;

/// Keys in order where `rows` vectors, 12 or a power of two up to 16, lie below each other. Each
/// column is brought in order, which takes no exchange of lanes; then columns are merged, two, four
/// and more of them, so that their keys follow each other column by column.
template <class K, int rows>
struct Network {
  using V = Vectors<K>;
  using Vector = typename V::Vector;
  using Block = Vector[rows];

  [[gnu::always_inline]] static void compare(Vector& low, Vector& high) {
    const Vector a = low, b = high;
    low = V::min(a, b);
    high = V::max(a, b);
  }

  [[gnu::always_inline]] static void sort_columns(Block& x) {
    [&]<std::size_t... i>(std::index_sequence<i...>) {
      (compare(x[comparisons<rows>.pairs[i].low], x[comparisons<rows>.pairs[i].high]), ...);
    }(std::make_index_sequence<comparisons<rows>.count>());
  }

  /// The lanes with a number that has the bit `apart`.
  static constexpr auto upper(int apart) {
    unsigned mask = 0;
    for (int lane = 0; lane < V::lanes; ++lane)
      if (lane & apart) mask |= 1u << lane;
    return static_cast<typename V::Mask>(mask);
  }

  template <int apart>
  [[gnu::always_inline]] static void compare_columns(Block& x) {
    if constexpr (apart >= 1) {
#pragma GCC unroll 16
      for (int row = 0; row < rows; ++row)
        x[row] = V::template pick<upper(apart)>(x[row], V::template exchange<apart>(x[row]));
      compare_columns<apart / 2>(x);
    }
  }

  /// Of each `count` rows, which first rise and then fall, or the other way round.
  template <int count>
  [[gnu::always_inline]] static void compare_rows(Block& x) {
    if constexpr (count == 3) {
#pragma GCC unroll 16
      for (int row = 0; row < rows; row += 3) {
        compare(x[row], x[row + 2]);
        compare(x[row], x[row + 1]);
        compare(x[row + 1], x[row + 2]);
      }
    } else if constexpr (count > 1) {
      constexpr int apart = count / 2;
#pragma GCC unroll 16
      for (int row = 0; row < rows; ++row)
        if (row % count < apart) compare(x[row], x[row + apart]);
      compare_rows<apart>(x);
    }
  }

  /// Of runs of `width` columns each two become one: the first against the second backwards, and
  /// what that leaves in each of them by halves.
  template <int width>
  [[gnu::always_inline]] static void merge_columns(Block& x) {
    if constexpr (width < V::lanes) {
      constexpr int all = 2 * width - 1;
#pragma GCC unroll 16
      for (int row = 0; row < (rows + 1) / 2; ++row) {
        const Vector a = x[row], b = x[rows - 1 - row];
        x[row] = V::template pick<upper(width)>(a, V::template exchange<all>(b));
        x[rows - 1 - row] = V::template pick<upper(width)>(b, V::template exchange<all>(a));
      }
      compare_columns<width / 2>(x);
      compare_rows<rows>(x);
      merge_columns<2 * width>(x);
    }
  }

  /// Columns of `count` rows, a power of two, become what lies in memory one after another.
  template <int count>
  [[gnu::always_inline]] static void transpose(Vector* x) {
#pragma GCC unroll 16
    for (int round = 1; round < count; round *= 2) {
      Vector y[count];
#pragma GCC unroll 16
      for (int row = 0; row < count / 2; ++row) {
        y[2 * row] = V::zip_low(x[row], x[row + count / 2]);
        y[2 * row + 1] = V::zip_high(x[row], x[row + count / 2]);
      }
#pragma GCC unroll 16
      for (int row = 0; row < count; ++row) x[row] = y[row];
    }
  }
  [[gnu::always_inline]] static void transpose_all(Block& x) {
    if constexpr (rows == 12) {
      Block y;
#pragma GCC unroll 16
      for (int four = 0; four < rows; four += 4) transpose<4>(x + four);
#pragma GCC unroll 16
      for (int v = 0; v < 4; ++v) V::weave(x[v], x[v + 4], x[v + 8], y + 3 * v);
#pragma GCC unroll 16
      for (int row = 0; row < rows; ++row) x[row] = y[row];
    } else {
      transpose<rows>(x);
    }
  }

  /// At most `rows` vectors of keys.
  [[gnu::noinline]] static void sort(const K* from, K* to, std::int64_t n) {
    Block x;
    const Vector last = V::all(std::numeric_limits<K>::max());
    const auto lanes_of = [&](int v) {
      return std::clamp<std::int64_t>(n - v * V::lanes, 0, V::lanes);
    };
#pragma GCC unroll 16
    for (int v = 0; v < rows; ++v)
      x[v] = V::ranked(V::load_first(from + v * V::lanes, lanes_of(v), last));
    sort_columns(x);
    merge_columns<1>(x);
    transpose_all(x);
#pragma GCC unroll 16
    for (int v = 0; v < rows; ++v) V::store_first(to + v * V::lanes, lanes_of(v), V::ranked(x[v]));
  }
};

/// So many keys a network puts in order.
template <class K>
inline constexpr std::int64_t few = 16 * Vectors<K>::lanes;

template <class K>
void sort_few(const K* from, K* to, std::int64_t n) {
  constexpr int lanes = Vectors<K>::lanes;
  if (n <= lanes) return Network<K, 1>::sort(from, to, n);
  if (n <= 2 * lanes) return Network<K, 2>::sort(from, to, n);
  if (n <= 4 * lanes) return Network<K, 4>::sort(from, to, n);
  if (n <= 8 * lanes) return Network<K, 8>::sort(from, to, n);
  if (n <= 12 * lanes) return Network<K, 12>::sort(from, to, n);
  return Network<K, 16>::sort(from, to, n);
}

}  // namespace
}  // namespace isthmus::inline ISTHMUS_ABI::host::ISTHMUS_ISA
