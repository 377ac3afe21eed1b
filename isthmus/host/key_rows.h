// key_rows.h: loops over keys of elements.
#pragma once

#include <bit>
#include <cstring>

#include "isthmus/host/keys.h"
#include "isthmus/host/rows.h"

#if defined(__AVX2__)
#include "isthmus/host/key_vectors.h"
#endif

namespace isthmus::inline ISTHMUS_ABI::host::ISTHMUS_ISA {
namespace {

template <class T, bool is_descending>
int make_keys(KeyOf<T>* keys, const char* elements, std::int64_t n) {
  KeyOf<T> is_any_forgotten = 0, is_any_zero_or_nan = 0;  // as wide as a key, for vectors
#pragma GCC ivdep
  for (std::int64_t i = 0; i < n; ++i) {
    T x;
    std::memcpy(&x, elements + i * static_cast<std::int64_t>(sizeof(T)), sizeof x);
    is_any_forgotten |= static_cast<KeyOf<T>>(is_forgotten(x));
    is_any_zero_or_nan |= static_cast<KeyOf<T>>(is_zero_or_nan(x));
    keys[i] = key_of(x, is_descending);
  }
  return (is_any_forgotten ? has_forgotten : 0) | (is_any_zero_or_nan ? has_zero_or_nan : 0);
}

#if defined(__AVX2__)
/// Calls f(key, there, i) for vectors of keys of elements from i on, and the lanes that there are.
template <class T, bool is_descending, class F>
int each_vector(const char* elements, std::int64_t n, F f) {
  using K = KeyOf<T>;
  constexpr std::int64_t block = 512, lanes = Vectors<K>::lanes;
  alignas(64) K keys[block];
  int flags = no_flags;
  for (std::int64_t begin = 0; begin < n; begin += block) {
    const std::int64_t count = std::min(block, n - begin);
    flags |= make_keys<T, is_descending>(
        keys, elements + begin * static_cast<std::int64_t>(sizeof(T)), count);
    std::int64_t i = 0;
    for (; i + lanes <= count; i += lanes)
      f(Vectors<K>::load(keys + i), Vectors<K>::first(lanes), begin + i);
    if (i < count) f(Vectors<K>::load(keys + i), Vectors<K>::first(count - i), begin + i);
  }
  return flags;
}

template <class Mask>
std::int64_t count_of(Mask mask) {
  return std::popcount(static_cast<unsigned>(mask));
}

/// Puts lanes of what stands for keys to `to`; says where the next ones go.
template <class K>
K* put(K* to, K* end, typename Vectors<K>::Mask mask, typename Vectors<K>::Vector x) {
  using V = Vectors<K>;
  const std::int64_t count = count_of(mask);
  const auto chosen = V::compress(mask, x);
  if (end - to >= V::lanes)
    V::store(to, chosen);  // what is behind the chosen ones is put again
  else
    V::store_first(to, count, chosen);
  return to + count;
}
#endif

}  // namespace
}  // namespace isthmus::inline ISTHMUS_ABI::host::ISTHMUS_ISA
