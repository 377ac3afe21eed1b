// keys.h: elements as unsigned numbers in the same order.
#pragma once

#include <bit>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "isthmus/base/export.h"
#include "isthmus/core/dtype.h"

namespace isthmus::inline ISTHMUS_ABI::host {
namespace {  // compiled for several instruction sets

/// The unsigned type of a key for T.
template <class T>
using KeyOf = std::conditional_t<
    sizeof(T) == 1, std::uint8_t,
    std::conditional_t<sizeof(T) == 2, std::uint16_t,
                       std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>>>;

/// All bits, if the first one is set, otherwise none.
template <class K>
K all_if_first_bit(K bits) {
  return static_cast<K>(static_cast<std::make_signed_t<K>>(bits) >> (8 * sizeof(K) - 1));
}

/// Smaller keys come first. All NaNs have the last key, and zeros of both signs one key.
template <class T>
KeyOf<T> key_of(T x, bool is_descending) {
  using K = KeyOf<T>;
  constexpr K sign = static_cast<K>(K{1} << (8 * sizeof(K) - 1));
  K key;
  if constexpr (std::is_floating_point_v<T>) {  // without branches, for vectors
    const K bits = x == 0 ? K{0} : std::bit_cast<K>(x);
    key = static_cast<K>(bits ^ (all_if_first_bit(bits) | sign));
    if (is_descending) key = static_cast<K>(~key);
    return x != x ? std::numeric_limits<K>::max() : key;
  } else if constexpr (std::is_signed_v<T>) {
    key = static_cast<K>(static_cast<K>(x) ^ sign);
  } else {
    key = x;
  }
  return is_descending ? static_cast<K>(~key) : key;
}

/// The element of a key; of a zero the positive one, of the last key of floats a NaN.
template <class T>
T element_of(KeyOf<T> key, bool is_descending) {
  using K = KeyOf<T>;
  constexpr K sign = static_cast<K>(K{1} << (8 * sizeof(K) - 1));
  const bool is_last = key == std::numeric_limits<K>::max();
  if (is_descending) key = static_cast<K>(~key);
  if constexpr (std::is_floating_point_v<T>) {
    const K bits = static_cast<K>(key ^ (static_cast<K>(~all_if_first_bit(key)) | sign));
    return std::bit_cast<T>(is_last ? std::bit_cast<K>(std::numeric_limits<T>::quiet_NaN()) : bits);
  } else if constexpr (std::is_signed_v<T>) {
    return static_cast<T>(key ^ sign);
  } else {
    return key;
  }
}

/// Whether the key forgets the sign or the bits of an element.
template <class T>
bool is_forgotten(T x) {
  if constexpr (std::is_floating_point_v<T>) {
    using K = KeyOf<T>;
    const K minus_zero = std::bit_cast<K>(T(-0.0));
    return (x != x) | (std::bit_cast<K>(x) == minus_zero);
  }
  return false;
}

/// Whether the element is of a key that forgets something.
template <class T>
bool is_zero_or_nan(T x) {
  if constexpr (std::is_floating_point_v<T>) return (x != x) | (x == 0);
  return false;
}

/// Calls f(T, type) for the types of elements that have keys.
template <class F>
void each_key_type(F f) {
  f(std::int8_t{}, TypeId::int8);
  f(std::int16_t{}, TypeId::int16);
  f(std::int32_t{}, TypeId::int32);
  f(std::int64_t{}, TypeId::int64);
  f(std::uint8_t{}, TypeId::uint8);
  f(std::uint16_t{}, TypeId::uint16);
  f(std::uint32_t{}, TypeId::uint32);
  f(std::uint64_t{}, TypeId::uint64);
  f(float{}, TypeId::float32);
  f(double{}, TypeId::float64);
}

}  // namespace
}  // namespace isthmus::inline ISTHMUS_ABI::host
