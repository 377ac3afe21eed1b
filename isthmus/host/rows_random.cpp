// rows_random.cpp: rows of random.def.
//
// A block of random bits gives several elements. Most loops ask for elements that follow each
// other: then each block is calculated once, in vectors of blocks. The bits are those of the rows
// that calculate element by element.
#include <algorithm>
#include <bit>
#include <cstring>

#include "isthmus/host/philox.h"
#include "isthmus/host/random_attempts.h"
#include "isthmus/host/row.h"

namespace isthmus::inline ISTHMUS_ABI::host::ISTHMUS_ISA {
namespace {

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

/// Blocks and elements that are made at once.
constexpr std::int64_t piece_blocks = 64;
static_assert(piece_blocks % philox_group == 0);
template <class T>
constexpr std::int64_t piece = piece_blocks * 16 / sizeof(T);

/// Random bits become elements while they are in registers. `Word` is as wide as an element.
template <class T, class Word>
struct Bits {
  static constexpr bool is_in_vectors = true;
  static Lanes make(Lanes words) { return words; }
};
template <class T, class Word>
struct Uniform {
  static constexpr bool is_in_vectors = true;
  static Lanes make(Lanes bits) {
    using Real __attribute__((vector_size(vector_bytes))) = T;
    using Words __attribute__((vector_size(vector_bytes))) = Word;
    if constexpr (sizeof(T) == 4) {
      using Signed __attribute__((vector_size(vector_bytes))) = std::int32_t;
      const Real whole = __builtin_convertvector((Signed)((Words)bits >> 8), Real);
      return (Lanes)(whole * 5.9604644775390625e-8f);
    } else {
      // 2^84 + high 2^32 and 2^52 + low as doubles: all steps are exact
      const Words whole = (Words)bits >> 11;
      const Real high = (Real)(whole >> 32 | 0x4530000000000000);
      const Real low = (Real)((whole & 0xffffffff) | 0x4330000000000000);
      return (Lanes)((high - (0x1p84 + 0x1p52) + low) * 1.1102230246251565e-16);
    }
  }
};
/// Others by way of memory, a piece at a time.
template <class T, class Word>
struct Exponential {
  static constexpr bool is_in_vectors = false;
  static void make(T* out, const Word* words) {
    for (std::int64_t i = 0; i < piece<T>; ++i) out[i] = 0 - exact_log(random_positive(words[i]));
  }
};
template <class T, class Word>
struct Normal {
  static constexpr bool is_in_vectors = false;
  static void make(T* out, const Word* words) {
    T radius[piece<T> / 2], sine[piece<T> / 2], cosine[piece<T> / 2];
    for (std::int64_t i = 0; i < piece<T> / 2; ++i) radius[i] = random_radius(words[2 * i]);
    for (std::int64_t i = 0; i < piece<T> / 2; ++i) {
      cosine[i] = radius[i] * random_turn(words[2 * i + 1], 0);
      sine[i] = radius[i] * random_turn(words[2 * i + 1], 1);
    }
    for (std::int64_t i = 0; i < piece<T> / 2; ++i)
      out[2 * i] = cosine[i], out[2 * i + 1] = sine[i];
  }
};

/// Whole pieces from the block on that the first of them begins with.
template <template <class, class> class Make, class T>
void make_pieces(T* out, std::int64_t pieces, ulong block, ulong key, ulong stream) {
  using Word = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
  using Maker = Make<T, Word>;
  if constexpr (Maker::is_in_vectors) {
    char* const memory = reinterpret_cast<char*>(out);
    each_philox(pieces * piece_blocks, block, key, stream, [memory](std::int64_t i, Lanes words) {
      const Lanes made = Maker::make(words);
      std::memcpy(memory + i * 8, &made, sizeof made);
    });
  } else {
    alignas(64) Word words[piece<T>];
    for (std::int64_t k = 0; k < pieces; ++k) {
      each_philox(piece_blocks, block + static_cast<ulong>(k * piece_blocks), key, stream,
                  [&](std::int64_t i, Lanes made) {
                    std::memcpy(reinterpret_cast<char*>(words) + i * 8, &made, sizeof made);
                  });
      Maker::make(out + k * piece<T>, words);
    }
  }
}

/// Elements that follow each other, under one key and stream. `F` makes a single one of them.
template <template <class, class> class Make, class F, class T>
void row_of_run(void* out_memory, const void* x, const void* y, const void* z, std::int64_t n) {
  constexpr std::int64_t of_block = 16 / sizeof(T), few = 16;
  auto* out = static_cast<T*>(out_memory);
  ulong at = *static_cast<const ulong*>(x);
  const ulong key = *static_cast<const ulong*>(y), stream = *static_cast<const ulong*>(z);
  while (n > 0) {
    if (at % of_block == 0 && n >= piece<T>) {
      const std::int64_t pieces = n / piece<T>;
      make_pieces<Make>(out, pieces, at / of_block, key, stream);
      out += pieces * piece<T>, at += static_cast<ulong>(pieces * piece<T>), n -= pieces * piece<T>;
      continue;
    }
    const auto before = static_cast<std::int64_t>(at % of_block);
    const std::int64_t count = std::min(piece<T> - before, n);
    if (count < few) {
      for (std::int64_t i = 0; i < count; ++i)
        out[i] = static_cast<T>(F::apply(at + static_cast<ulong>(i), key, stream));
    } else {
      alignas(64) T made[piece<T>];
      make_pieces<Make>(made, 1, at / of_block, key, stream);
      std::memcpy(out, made + before, static_cast<std::size_t>(count) * sizeof(T));
    }
    out += count, at += static_cast<ulong>(count), n -= count;
  }
}

/// Whether positions follow each other under one key and stream.
bool is_run(const ulong* x, const ulong* key, const ulong* stream, std::int64_t n) {
  ulong differs = 0;
  for (std::int64_t i = 0; i < n; ++i)
    differs |= (x[i] - x[0] - static_cast<ulong>(i)) | (key[i] ^ key[0]) | (stream[i] ^ stream[0]);
  return differs == 0;
}

/// The row of any elements, which looks for runs.
template <template <class, class> class Make, class F, class T>
void row_by_pieces(void* out_memory, const void* x_memory, const void* y_memory,
                   const void* z_memory, std::int64_t n) {
  auto* out = static_cast<T*>(out_memory);
  const auto* x = static_cast<const ulong*>(x_memory);
  const auto* key = static_cast<const ulong*>(y_memory);
  const auto* stream = static_cast<const ulong*>(z_memory);
  for (std::int64_t i = 0; i < n; i += piece<T>) {
    const std::int64_t count = std::min(piece<T>, n - i);
    const bool is_whole = is_run(x + i, key + i, stream + i, count);
    const auto row = is_whole ? row_of_run<Make, F, T> : each<F, T>;
    row(out + i, x + i, key + i, stream + i, count);
  }
}

template <template <class, class> class Make, class F, class T>
void set(RowTable& table, Op op, TypeId type) {
  const int row = static_cast<int>(op) - static_cast<int>(Op::user) - 1;
  table.random[row][static_cast<int>(type)] = row_by_pieces<Make, F, T>;
  table.random_runs[row][static_cast<int>(type)] = row_of_run<Make, F, T>;
}

template <TypeId id>
void fill_natural(RowTable& table) {
  using T = storage_t<id>;
#define RANDOM(name, ...)                                                  \
  table.random[static_cast<int>(Op::name) - first][static_cast<int>(id)] = \
      row_by_element<Natural_##name<T>, T>();
  constexpr int first = static_cast<int>(Op::user) + 1;
#include "isthmus/core/random.def"
  set<Bits, Natural_random_bits<T>, T>(table, Op::random_bits, id);
}

template <TypeId id>
void fill_real(RowTable& table) {
  using T = storage_t<id>;
  constexpr int first = static_cast<int>(Op::user) + 1;
#define RANDOM(name, ...)                                                  \
  table.random[static_cast<int>(Op::name) - first][static_cast<int>(id)] = \
      row_by_element<Real_##name<T>, T>();
#include "isthmus/core/random.def"
  set<Uniform, Real_random_uniform<T>, T>(table, Op::random_uniform, id);
  set<Exponential, Real_random_exponential<T>, T>(table, Op::random_exponential, id);
  set<Normal, Real_random_normal<T>, T>(table, Op::random_normal, id);
  table.random[static_cast<int>(Op::random_gamma) - first][static_cast<int>(id)] = row_gamma<T>;
  table.random[static_cast<int>(Op::random_poisson) - first][static_cast<int>(id)] = row_poisson<T>;
}

}  // namespace

void fill_random_rows(RowTable& table) {
  fill_natural<TypeId::uint32>(table);
  fill_natural<TypeId::uint64>(table);
  fill_real<TypeId::float32>(table);
  fill_real<TypeId::float64>(table);
}

}  // namespace isthmus::inline ISTHMUS_ABI::host::ISTHMUS_ISA
