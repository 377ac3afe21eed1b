// rows_random.cpp: rows of random.def.
//
// A block of random bits gives several elements. Most loops ask for elements that follow each
// other: then each block is calculated once, in vectors of blocks. The bits are those of the rows
// that calculate element by element.
#include <bit>
#include <cstring>

#include "isthmus/host/row.h"
#include "isthmus/host/vector.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace isthmus::inline ISTHMUS_ABI::host::ISTHMUS_ISA {
namespace {

using uint = std::uint32_t;
using ulong = std::uint64_t;

[[maybe_unused]] inline float as_T(std::uint32_t bits) { return std::bit_cast<float>(bits); }
[[maybe_unused]] inline double as_T(std::uint64_t bits) { return std::bit_cast<double>(bits); }
[[maybe_unused]] inline std::uint32_t as_U(float x) { return std::bit_cast<std::uint32_t>(x); }
[[maybe_unused]] inline std::uint64_t as_U(double x) { return std::bit_cast<std::uint64_t>(x); }

#define FUNCTION inline
#include "isthmus/core/philox_functions.inc"
#define T float
#define U std::uint32_t
#include "isthmus/core/random_functions.inc"
#undef T
#undef U
#define T double
#define U std::uint64_t
#include "isthmus/core/random_functions.inc"
#undef T
#undef U

/// Defines Natural_name<T>::apply and Real_name<T>::apply for every row.
#define RANDOM(name, arity_, words_, natural, real, ...)                                       \
  template <class T>                                                                           \
  struct Natural_##name {                                                                      \
    static constexpr int arity = arity_, words = words_;                                       \
    static auto apply(auto x, auto y, auto z) { return (void)x, (void)y, (void)z, (natural); } \
  };                                                                                           \
  template <class T>                                                                           \
  struct Real_##name {                                                                         \
    using U = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;                \
    static constexpr int arity = arity_, words = words_;                                       \
    static auto apply(auto x, auto y, auto z) { return (void)x, (void)y, (void)z, (real); }    \
  };
#include "isthmus/core/random.def"

/// The element-by-element row.
template <class F, class T>
void each(void* out_memory, const void* x_memory, const void* y_memory, const void* z_memory,
          std::int64_t n) {
  using X = std::conditional_t<(F::words > 0), ulong, T>;
  using Y = std::conditional_t<(F::words > 1), ulong, T>;
  using Z = std::conditional_t<(F::words > 2), ulong, T>;
  auto* out = static_cast<T*>(out_memory);
  const auto* x = static_cast<const X*>(x_memory);
  const auto* y = static_cast<const Y*>(y_memory);
  const auto* z = static_cast<const Z*>(z_memory);
#pragma GCC ivdep
  for (std::int64_t i = 0; i < n; ++i)
    out[i] = static_cast<T>(F::apply(x[i], y[i], F::arity > 2 ? z[i] : Z{}));
}

template <class F, class T>
constexpr Row row_by_element() {
  if constexpr (std::is_same_v<decltype(F::apply(ulong{}, ulong{}, T{})), None>)
    return nullptr;
  else
    return each<F, T>;
}

/// So many elements that follow each other are worth the fast way.
constexpr std::int64_t piece = 128;

#if defined(__x86_64__)
/// Products of the low halves of 64 bits; the high ones may hold anything.
using Lanes __attribute__((vector_size(vector_bytes))) = ulong;
inline Lanes product(Lanes x, Lanes y) {
#if defined(__AVX512F__)
  return (Lanes)_mm512_maskz_mul_epu32(0xff, (__m512i)x, (__m512i)y);  // g++ 12 warns of the other
#elif defined(__AVX2__)
  return (Lanes)_mm256_mul_epu32((__m256i)x, (__m256i)y);
#else
  return (Lanes)_mm_mul_epu32((__m128i)x, (__m128i)y);
#endif
}
#else
using Lanes __attribute__((vector_size(vector_bytes))) = ulong;
inline Lanes product(Lanes x, Lanes y) { return (x & 0xffffffff) * (y & 0xffffffff); }
#endif

/// The 64 bits of each half of the blocks from `block` on. Each lane has 32 of them at a time: what
/// a compiler makes of plain C on 32 bits spends half its time on moving products about.
void fill_words(ulong* words, std::int64_t blocks, ulong block, ulong key, ulong stream) {
  constexpr std::int64_t lanes = sizeof(Lanes) / sizeof(ulong);
  constexpr ulong low_bits = 0xffffffff;
  alignas(64) ulong low[piece / 2], high[piece / 2];
  Lanes step;
  for (std::int64_t i = 0; i < lanes; ++i) step[i] = static_cast<ulong>(i);
  for (std::int64_t i = 0; i < blocks; i += lanes) {
    const Lanes counter = step + (block + static_cast<ulong>(i));
    Lanes a = counter, b = counter >> 32;
    Lanes c = Lanes{} + stream, d = Lanes{} + (stream >> 32);
    uint k = static_cast<uint>(key), l = static_cast<uint>(key >> 32);
#pragma GCC unroll 10
    for (int round = 0; round < 10; ++round) {
      const Lanes first = product(a, Lanes{} + 0xd2511f53),
                  second = product(c, Lanes{} + 0xcd9e8d57);
      a = (second >> 32) ^ b ^ (Lanes{} + ulong{k}), b = second;
      c = (first >> 32) ^ d ^ (Lanes{} + ulong{l}), d = first;
      k += 0x9e3779b9u, l += 0xbb67ae85u;
    }
    const Lanes one = (a & low_bits) | b << 32, other = (c & low_bits) | d << 32;
    std::memcpy(low + i, &one, sizeof one);
    std::memcpy(high + i, &other, sizeof other);
  }
#pragma GCC ivdep
  for (std::int64_t i = 0; i < blocks; ++i) words[2 * i] = low[i], words[2 * i + 1] = high[i];
}

/// What is made of the words of one piece.
template <class T>
struct Bits {
  static void make(T* out, const T* words) { std::memcpy(out, words, piece * sizeof(T)); }
};
template <class T, class U>
struct Uniform {
  static void make(T* out, const U* words) {
    for (std::int64_t i = 0; i < piece; ++i) out[i] = random_uniform(words[i]);
  }
};
template <class T, class U>
struct Exponential {
  static void make(T* out, const U* words) {
    for (std::int64_t i = 0; i < piece; ++i) out[i] = 0 - exact_log(random_positive(words[i]));
  }
};
template <class T, class U>
struct Normal {
  static void make(T* out, const U* words) {
    T radius[piece / 2], sine[piece / 2], cosine[piece / 2];
    for (std::int64_t i = 0; i < piece / 2; ++i) radius[i] = random_radius(words[2 * i]);
    for (std::int64_t i = 0; i < piece / 2; ++i) {
      cosine[i] = radius[i] * random_turn(words[2 * i + 1], 0);
      sine[i] = radius[i] * random_turn(words[2 * i + 1], 1);
    }
    for (std::int64_t i = 0; i < piece / 2; ++i) out[2 * i] = cosine[i], out[2 * i + 1] = sine[i];
  }
};

/// Whether a piece of positions follow each other under one key and stream.
bool is_run(const ulong* x, const ulong* key, const ulong* stream) {
  ulong differs = 0;
  for (std::int64_t i = 0; i < piece; ++i)
    differs |= (x[i] - x[0] - static_cast<ulong>(i)) | (key[i] ^ key[0]) | (stream[i] ^ stream[0]);
  return differs == 0;
}

/// The row that calculates whole blocks where it can.
template <class Make, class F, class T>
void row_by_block(void* out_memory, const void* x_memory, const void* y_memory,
                  const void* z_memory, std::int64_t n) {
  using Word = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
  constexpr std::int64_t of_block = 16 / sizeof(T);
  auto* out = static_cast<T*>(out_memory);
  const auto* x = static_cast<const ulong*>(x_memory);
  const auto* key = static_cast<const ulong*>(y_memory);
  const auto* stream = static_cast<const ulong*>(z_memory);
  alignas(64) std::conditional_t<std::is_integral_v<T>, T, Word> words[piece];
  for (std::int64_t i = 0; i < n;) {
    std::int64_t count = std::min(piece, n - i);
    const std::int64_t before = static_cast<std::int64_t>(-x[i] % of_block);
    if (before == 0 && count == piece && is_run(x + i, key + i, stream + i)) {
      fill_words(reinterpret_cast<ulong*>(words), piece / of_block, x[i] / of_block, key[i],
                 stream[i]);
      Make::make(out + i, words);
    } else {
      if (before && before < count) count = before;  // to where a block begins
      each<F, T>(out + i, x + i, key + i, stream + i, count);
    }
    i += count;
  }
}

template <TypeId id>
void fill_natural(RowTable& table) {
  using T = storage_t<id>;
#define RANDOM(name, ...)                                                  \
  table.random[static_cast<int>(Op::name) - first][static_cast<int>(id)] = \
      row_by_element<Natural_##name<T>, T>();
  constexpr int first = static_cast<int>(Op::user) + 1;
#include "isthmus/core/random.def"
  table.random[static_cast<int>(Op::random_bits) - first][static_cast<int>(id)] =
      row_by_block<Bits<T>, Natural_random_bits<T>, T>;
}

template <TypeId id>
void fill_real(RowTable& table) {
  using T = storage_t<id>;
  using U = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
  constexpr int first = static_cast<int>(Op::user) + 1;
#define RANDOM(name, ...)                                                  \
  table.random[static_cast<int>(Op::name) - first][static_cast<int>(id)] = \
      row_by_element<Real_##name<T>, T>();
#include "isthmus/core/random.def"
  const auto set = [&](Op op, Row row) {
    table.random[static_cast<int>(op) - first][static_cast<int>(id)] = row;
  };
  set(Op::random_uniform, row_by_block<Uniform<T, U>, Real_random_uniform<T>, T>);
  set(Op::random_exponential, row_by_block<Exponential<T, U>, Real_random_exponential<T>, T>);
  set(Op::random_normal, row_by_block<Normal<T, U>, Real_random_normal<T>, T>);
}

}  // namespace

void fill_random_rows(RowTable& table) {
  fill_natural<TypeId::uint32>(table);
  fill_natural<TypeId::uint64>(table);
  fill_real<TypeId::float32>(table);
  fill_real<TypeId::float64>(table);
}

}  // namespace isthmus::inline ISTHMUS_ABI::host::ISTHMUS_ISA
