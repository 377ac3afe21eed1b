// fold_values.h: the combine steps of reductions.def, and a chunk of dense values folded by them.
#pragma once

#include <cstring>

#include "isthmus/host/complex.h"
#include "isthmus/host/complex_vectors.h"
#include "isthmus/host/fold.h"
#include "isthmus/host/rows.h"
#include "isthmus/host/vector.h"

namespace isthmus::inline ISTHMUS_ABI::host::ISTHMUS_ISA {
namespace {

#define ISTHMUS_REDUCTION(name, rule_, expression)                         \
  template <class T, class U>                                              \
  struct Combine_##name {                                                  \
    static constexpr AccumulateRule rule = AccumulateRule::rule_;          \
    static auto apply(T x, T y) { return (void)x, (void)y, (expression); } \
  };
namespace boolean {
#define REDUCTION(name, rule, boolean_, ...) ISTHMUS_REDUCTION(name, rule, boolean_)
#include "isthmus/core/reductions.def"
}  // namespace boolean
namespace integer {
#define REDUCTION(name, rule, boolean_, integer_, ...) ISTHMUS_REDUCTION(name, rule, integer_)
#include "isthmus/core/reductions.def"
}  // namespace integer
namespace real {
#define REDUCTION(name, rule, boolean_, integer_, real_, ...) ISTHMUS_REDUCTION(name, rule, real_)
#include "isthmus/core/reductions.def"
}  // namespace real
namespace complex {
#define REDUCTION(name, rule, boolean_, integer_, real_, complex_, ...) \
  ISTHMUS_REDUCTION(name, rule, complex_)
#include "isthmus/core/reductions.def"
}  // namespace complex

template <class T>
struct Unsigned {
  using type = T;
};
template <class T>
  requires std::is_integral_v<T>
struct Unsigned<T> : std::make_unsigned<T> {};

/// All lanes as vectors of the instruction set, or as single numbers where there are none.
template <class T>
struct Lanes {
  static constexpr std::size_t all = lane_count * sizeof(T);
  static constexpr std::size_t bytes = all < vector_bytes ? all : vector_bytes;
  typedef T V __attribute__((vector_size(bytes)));
  typedef typename Unsigned<T>::type UV __attribute__((vector_size(bytes)));
};
template <class R>
struct Lanes<Complex<R>> {
  using V = Complex<R>;
  using UV = V;
};

/// The vectors that are folded, and the step for them.
template <template <class, class> class Combine, class T>
struct VectorStep {
  using V = typename Lanes<T>::V;
  using Step = Combine<V, typename Lanes<T>::UV>;
};
/// Sums of complex numbers are those of their parts.
template <class R>
struct VectorStep<complex::Combine_sum, Complex<R>> {
  using V = typename ComplexVectors<R>::V;
  struct Step {
    static V apply(V x, V y) { return x + y; }
  };
};

/// The step for numbers without a NaN among them, if that is one instruction instead of four.
template <class Combine>
struct Ordered {
  static constexpr bool is_known = false;
};
template <class T, class U>
struct Ordered<real::Combine_max<T, U>> {
  static constexpr bool is_known = true;
  static T apply(T x, T y) { return y > x ? y : x; }
};
template <class T, class U>
struct Ordered<real::Combine_min<T, U>> {
  static constexpr bool is_known = true;
  static T apply(T x, T y) { return y < x ? y : x; }
};

template <class T, class U>
struct Ordered<real::Combine_nanmax<T, U>> : Ordered<real::Combine_max<T, U>> {};
template <class T, class U>
struct Ordered<real::Combine_nanmin<T, U>> : Ordered<real::Combine_min<T, U>> {};

/// The sum of all that passes: a NaN if any is one. (So it is of infinities of both signs.)
template <class T>
class SumOfAll {
 public:
  using V = typename Lanes<T>::V;
  void add(int k, V x) { sums_[k % count] += x; }
  bool is_nan() const {
    V sum = sums_[0];
    for (int k = 1; k < count; ++k) sum += sums_[k];
    T all = 0;
    for (std::size_t i = 0; i < sizeof(V) / sizeof(T); ++i) all += sum[i];
    return all != all;
  }

 private:
  /// As many as there are registers for, since one addition waits for another.
  static constexpr int count = vector_bytes == 64 ? 8 : 4;
  V sums_[count] = {};
};
struct NoSum {
  template <class V>
  void add(int, V) {}
};

/// What is folded: elements as they lie, or the products of two of them, each rounded.
template <class T>
struct Elements {
  const T* x;
  T at(std::int64_t i) const { return x[i]; }
  template <class V>
  V vector(std::int64_t i) const {
    V vector;
    std::memcpy(&vector, x + i, sizeof vector);
    return vector;
  }
  void copy(T* to, std::int64_t n) const {
    std::memcpy(to, x, static_cast<std::size_t>(n) * sizeof(T));
  }
  Elements from(std::int64_t i) const { return {x + i}; }
};
template <class T>
struct Products {
  Elements<T> x, y;
  T at(std::int64_t i) const { return x.at(i) * y.at(i); }
  template <class V>
  V vector(std::int64_t i) const {
    return x.template vector<V>(i) * y.template vector<V>(i);
  }
  void copy(T* to, std::int64_t n) const {
    for (std::int64_t i = 0; i < n; ++i) to[i] = at(i);
  }
  Products from(std::int64_t i) const { return {x.from(i), y.from(i)}; }
};

/// Products of complex numbers as multiply() rounds them, but for those that are not finite, which
/// it finds by other ways: `is_exact` goes these.
template <class R, Conjugate conjugate, bool is_exact>
struct ComplexProducts {
  using T = Complex<R>;
  const T *x, *y;
  T at(std::int64_t i) const {
    if constexpr (conjugate == Conjugate::first) return c_mul(c_conj(x[i]), y[i]);
    if constexpr (conjugate == Conjugate::second) return c_mul(x[i], c_conj(y[i]));
    return c_mul(x[i], y[i]);
  }
  template <class V>
  V vector(std::int64_t i) const {
    V a, b;
    if constexpr (is_exact) {
      T products[ComplexVectors<R>::width];
      for (int k = 0; k < ComplexVectors<R>::width; ++k) products[k] = at(i + k);
      std::memcpy(&a, products, sizeof a);
      return a;
    }
    std::memcpy(&a, (conjugate == Conjugate::second ? y : x) + i, sizeof a);
    std::memcpy(&b, (conjugate == Conjugate::second ? x : y) + i, sizeof b);
    return ComplexVectors<R>::template product<conjugate != Conjugate::none>(a, b);
  }
  void copy(T* to, std::int64_t n) const {
    for (std::int64_t i = 0; i < n; ++i) to[i] = at(i);
  }
  ComplexProducts from(std::int64_t i) const { return {x + i, y + i}; }
};

/// The lanes over `parts` times `rows` rows of them. Where the step is associative, each of several
/// parts of the rows has accumulators of its own, since one step would wait for another. A part is
/// `rows` neighbours, or every `parts`th row, where the order does not matter. Every vector is
/// added to `sum`.
template <class Step, class V, int parts, bool in_turns, class T, class Source, class Sum>
void fold_rows(T* lane, const Source& source, std::int64_t rows, Sum& sum) {
  constexpr int count = static_cast<int>(lane_count * sizeof(T) / sizeof(V));
  V v[parts][count];
  const auto next = [&](int part, std::int64_t row, int k) {
    constexpr auto width = static_cast<std::int64_t>(sizeof(V) / sizeof(T));
    const std::int64_t at = in_turns ? row * parts + part : part * rows + row;
    const V vector = source.template vector<V>(at * lane_count + k * width);
    sum.add(part * count + k, vector);
    return vector;
  };
#pragma GCC unroll 8
  for (int part = 0; part < parts; ++part)
#pragma GCC unroll 32
    for (int k = 0; k < count; ++k) v[part][k] = next(part, 0, k);
  for (std::int64_t row = 1; row < rows; ++row)
#pragma GCC unroll 8
    for (int part = 0; part < parts; ++part)
#pragma GCC unroll 32
      for (int k = 0; k < count; ++k) v[part][k] = Step::apply(v[part][k], next(part, row, k));
#pragma GCC unroll 8
  for (int part = 1; part < parts; ++part)
#pragma GCC unroll 32
    for (int k = 0; k < count; ++k) v[0][k] = Step::apply(v[0][k], v[part][k]);
  std::memcpy(lane, v[0], lane_count * sizeof(T));
}

/// Parts of the rows, as many as accumulators of all fit the registers.
template <class T>
constexpr int parts_of(bool is_associative) {
  constexpr int count = static_cast<int>(lane_count * sizeof(T) / sizeof(typename Lanes<T>::V));
  return !is_associative || count >= 8 ? 1 : 8 / count;
}

/// fold_lanes() of all lanes, as vectors that the compiler sees.
template <class Step, int half, class T>
void fold_all(T* lane) {
#pragma GCC ivdep
  for (int i = 0; i < half; ++i) lane[i] = static_cast<T>(Step::apply(lane[i], lane[i + half]));
  if constexpr (half > 1) fold_all<Step, half / 2>(lane);
}

/// Fewer than a row. As vectors, too: what reads the lanes next would wait for single stores.
template <class Step, class T, class Source>
void fold_rest(T* lane, const Source& source, std::int64_t n) {
  if (n == 0) return;
  if constexpr (std::is_floating_point_v<T>) {  // GCC 12 fails on some integers
    alignas(64) T rest[lane_count] = {};
    source.copy(rest, n);
#pragma GCC ivdep
    for (std::int64_t k = 0; k < lane_count; ++k)
      lane[k] = k < n ? static_cast<T>(Step::apply(lane[k], rest[k])) : lane[k];
  } else {
    for (std::int64_t k = 0; k < n; ++k)
      lane[k] = static_cast<T>(Step::apply(lane[k], source.at(k)));
  }
}

template <template <class, class> class Combine, class T, int parts, bool in_turns = false,
          class Source>
T fold_chunk(const Source& source, std::int64_t n) {
  using U = typename Unsigned<T>::type;
  using Scalar = Combine<T, U>;
  alignas(64) T lane[lane_count];
  std::int64_t i = n < lane_count ? n : lane_count;
  if (const std::int64_t rows = n / (lane_count * parts); rows > 1) {
    using V = typename VectorStep<Combine, T>::V;
    using Step = typename VectorStep<Combine, T>::Step;
    bool is_done = false;
    if constexpr (Ordered<Step>::is_known) {
      SumOfAll<T> sum;
      fold_rows<Ordered<Step>, V, parts, in_turns>(lane, source, rows, sum);
      is_done = !sum.is_nan();
    }
    NoSum none;
    if (!is_done) fold_rows<Step, V, parts, in_turns>(lane, source, rows, none);
    i = rows * lane_count * parts;
  } else {
    source.copy(lane, i);
  }
  for (; i + lane_count <= n; i += lane_count)  // rows that are no part's
#pragma GCC ivdep
    for (std::int64_t k = 0; k < lane_count; ++k)
      lane[k] = static_cast<T>(Scalar::apply(lane[k], source.at(i + k)));
  fold_rest<Scalar>(lane, source.from(i), n - i);
  if (n >= lane_count)
    fold_all<Scalar, lane_count / 2>(lane);
  else
    fold_lanes(n, [&](std::int64_t a, std::int64_t b) {
      lane[a] = static_cast<T>(Scalar::apply(lane[a], lane[b]));
    });
  return lane[0];
}

/// Several chunks at once, if the order is of no matter: of integers, and of numbers whose extreme
/// is neither zero, which has two signs, nor NaN, which has many. False if it is.
template <template <class, class> class Combine, class T, int parts, class Source>
bool fold_at_once(T& result, const Source& source, std::int64_t n) {
  using V = typename Lanes<T>::V;
  using Step = Ordered<Combine<V, typename Lanes<T>::UV>>;
  if constexpr (std::is_integral_v<T>) {
    result = fold_chunk<Combine, T, parts, true>(source, n);
    return true;
  } else if constexpr (Step::is_known) {
    alignas(64) T lane[lane_count];
    SumOfAll<T> sum;
    const std::int64_t rows = n / (lane_count * parts), done = rows * lane_count * parts;
    fold_rows<Step, V, parts, true>(lane, source, rows, sum);
    if (sum.is_nan()) return false;
    fold_all<Ordered<Combine<T, T>>, lane_count / 2>(lane);
    result = lane[0];
    if (done < n) {
      const T rest = fold_chunk<Combine, T, parts>(source.from(done), n - done);
      result = Combine<T, T>::apply(result, rest);
    }
    return result == result && result != 0;
  } else {
    return false;
  }
}

/// What fold(begin, size) makes of pieces, combined like the carries of a binary counter.
template <template <class, class> class Combine, class T, class Fold>
T fold_pieces(std::int64_t n, std::int64_t length, Fold fold) {
  T waiting[56];
  int depth = 0;
  const auto merge = [&] {
    --depth;
    waiting[depth - 1] = static_cast<T>(
        Combine<T, typename Unsigned<T>::type>::apply(waiting[depth - 1], waiting[depth]));
  };
  std::int64_t count = 0;
  for (std::int64_t begin = 0; begin < n; begin += length) {
    waiting[depth++] = fold(begin, n - begin < length ? n - begin : length);
    for (std::int64_t bits = count++; bits & 1; bits >>= 1) merge();
  }
  while (depth > 1) merge();
  return waiting[0];
}

/// Chunks. Nothing is prefetched: processors read ahead of one ascending stream better by
/// themselves.
template <template <class, class> class Combine, class T, int parts, class Source>
T fold_chunks(const Source& source, std::int64_t n) {
  // a power of two, for the order of combination; read twice, it comes from the cache
  constexpr std::int64_t several = 16 * chunk_length;
  return fold_pieces<Combine, T>(n, several, [&](std::int64_t begin, std::int64_t size) {
    const Source piece = source.from(begin);
    T result;
    if (fold_at_once<Combine, T, parts>(result, piece, size)) return result;
    return fold_pieces<Combine, T>(size, chunk_length, [&](std::int64_t at, std::int64_t length) {
      return fold_chunk<Combine, T, parts>(piece.from(at), length);
    });
  });
}

template <template <class, class> class Combine, class T, int parts, class Source>
void fold_source(void* out, const Source& source, std::int64_t n) {
  const T value = n <= chunk_length ? fold_chunk<Combine, T, parts>(source, n)
                                    : fold_chunks<Combine, T, parts>(source, n);
  std::memcpy(out, &value, sizeof value);
}

template <template <class, class> class Combine, class T, int parts>
void fold(void* out, const void* in, std::int64_t n) {
  fold_source<Combine, T, parts>(out, Elements<T>{static_cast<const T*>(in)}, n);
}

}  // namespace
}  // namespace isthmus::inline ISTHMUS_ABI::host::ISTHMUS_ISA
