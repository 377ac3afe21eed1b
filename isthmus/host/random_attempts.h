// random_attempts.h: rows of numbers that are drawn until one is accepted.
//
// What each element tries first is calculated for all of a block, in vectors; the few of which that
// is rejected are drawn again from the beginning, one by one. The bits are those of the functions
// in random_functions.inc.
#pragma once

#include <algorithm>

#include "isthmus/host/philox.h"
#include "isthmus/host/random_text.h"

namespace isthmus::inline ISTHMUS_ABI::host::ISTHMUS_ISA {
namespace {

constexpr std::int64_t attempted = 128;  ///< Elements of a block.
static_assert(attempted % philox_group_at == 0);

/// The operands of a block; those of its first element again where it is not full.
template <class T>
struct Attempt {
  using U = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;

  Attempt(const ulong* x, const ulong* y, const T* z, std::int64_t n) {
    for (std::int64_t i = 0; i < attempted; ++i) {
      const std::int64_t k = i < n ? i : 0;
      position[i] = x[k], key[i] = y[k], parameter[i] = z[k];
    }
  }
  /// Random bits of a stream, for all elements.
  void draw(ulong stream) { philox_at(attempted, position, key, stream, low, high); }
  /// The results, but those that were rejected, which `again` draws.
  template <class F>
  void write(T* out, std::int64_t n, F again) const {
    for (std::int64_t i = 0; i < n; ++i)
      out[i] = is_accepted[i] ? result[i] : again(position[i], key[i], parameter[i]);
  }

  alignas(64) ulong position[attempted], key[attempted], low[attempted], high[attempted];
  alignas(64) T parameter[attempted], result[attempted];
  alignas(64) U is_accepted[attempted];
};

template <class T>
void row_gamma(void* out, const void* x, const void* y, const void* z, std::int64_t n) {
  using U = typename Attempt<T>::U;
  for (std::int64_t begin = 0; begin < n; begin += attempted) {
    const std::int64_t count = std::min(attempted, n - begin);
    Attempt<T> all(static_cast<const ulong*>(x) + begin, static_cast<const ulong*>(y) + begin,
                   static_cast<const T*>(z) + begin, count);
    T normal[attempted], chance[attempted];
    all.draw(0);
    for (std::int64_t i = 0; i < attempted; ++i) normal[i] = random_radius((U)all.low[i]);
    for (std::int64_t i = 0; i < attempted; ++i)
      normal[i] = normal[i] * random_turn((U)all.high[i], 0u);
    all.draw(ulong{1} << 32);
    for (std::int64_t i = 0; i < attempted; ++i) chance[i] = random_positive((U)all.low[i]);
    U has_small = 0;
    for (std::int64_t i = 0; i < attempted; ++i) {
      const T shape = all.parameter[i], u = chance[i], square = normal[i] * normal[i];
      const T d = (shape < 1 ? shape + 1 : shape) - (T)1 / 3, c = 1 / std::sqrt(9 * d);
      const T root = 1 + c * normal[i], v = root * root * root;
      const bool is_near = u < 1 - (T)0.0331 * square * square;
      const bool is_in = exact_log(u) < square / 2 + d * (1 - v + exact_log(v));
      all.result[i] = d * v;
      all.is_accepted[i] = (shape > 0) & (root > 0) & (is_near | is_in);
      has_small |= shape < 1;
    }
    if (has_small) {
      all.draw(ulong{1} << 33);
      for (std::int64_t i = 0; i < attempted; ++i) {
        const T shape = all.parameter[i];
        const T factor = exact_exp(exact_log(random_positive((U)all.low[i])) / shape);
        all.result[i] = shape < 1 ? all.result[i] * factor : all.result[i];
      }
    }
    const T least = (T)1.2e-38, fourth = least * least * (least * least);
    const T tiny = sizeof(T) == 4 ? least : fourth * fourth;
    for (std::int64_t i = 0; i < attempted; ++i)
      all.result[i] = all.result[i] < tiny ? (T)0 : all.result[i];
    all.write(static_cast<T*>(out) + begin, count,
              [](ulong at, ulong key, T shape) { return random_gamma(at, key, shape); });
  }
}

/// Means below 30, of which none is rejected: all search at once until the last has found.
template <class T>
void search_poisson(Attempt<T>& all) {
  using U = typename Attempt<T>::U;
  T chance[attempted], probability[attempted], sum[attempted];
  for (std::int64_t i = 0; i < attempted; ++i) {
    chance[i] = random_uniform((U)all.low[i]);
    sum[i] = probability[i] = exact_exp(-all.parameter[i]);
    all.result[i] = 0;
  }
  U is_searching = 1;
  for (int k = 1; k <= 200 && is_searching; ++k) {
    const T number = static_cast<T>(k);
    is_searching = 0;
    for (std::int64_t i = 0; i < attempted; ++i) {
      const bool is_above = chance[i] >= sum[i];
      probability[i] = probability[i] * all.parameter[i] / number;
      sum[i] = is_above ? sum[i] + probability[i] : sum[i];
      all.result[i] = is_above ? number : all.result[i];
      is_searching |= is_above;
    }
  }
}

template <class T>
void row_poisson(void* out, const void* x, const void* y, const void* z, std::int64_t n) {
  using U = typename Attempt<T>::U;
  for (std::int64_t begin = 0; begin < n; begin += attempted) {
    const std::int64_t count = std::min(attempted, n - begin);
    Attempt<T> all(static_cast<const ulong*>(x) + begin, static_cast<const ulong*>(y) + begin,
                   static_cast<const T*>(z) + begin, count);
    all.draw(0);
    U are_low = 1, is_low = 0;
    for (std::int64_t i = 0; i < attempted; ++i) {
      is_low = (all.parameter[i] >= 0) & (all.parameter[i] < 30);
      all.is_accepted[i] = is_low, are_low &= is_low;
    }
    if (are_low) {
      search_poisson(all);
    } else {
      for (std::int64_t i = 0; i < attempted; ++i) {
        const T mean = all.parameter[i];
        const T b = (T)0.931 + (T)2.53 * std::sqrt(mean), a = (T)-0.059 + (T)0.02483 * b;
        const T low = (T)0.9277 - (T)3.6224 / (b - 2);
        const T u = random_positive((U)all.low[i]) - (T)0.5, v = random_positive((U)all.high[i]);
        const T us = (T)0.5 - std::fabs(u);
        all.result[i] = std::floor((2 * a / us + b) * u + mean + (T)0.43);
        all.is_accepted[i] = (mean >= 30) & (mean <= (T)9.2e18) & (us >= (T)0.07) & (v <= low);
      }
    }
    all.write(static_cast<T*>(out) + begin, count,
              [](ulong at, ulong key, T mean) { return random_poisson(at, key, mean); });
  }
}

}  // namespace
}  // namespace isthmus::inline ISTHMUS_ABI::host::ISTHMUS_ISA
