// folds.cpp: the combine steps of reductions.def, on dense values.
#include <cstring>

#include "isthmus/host/complex.h"
#include "isthmus/host/fold.h"
#include "isthmus/host/vector.h"

namespace isthmus::host::ISTHMUS_ISA {
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

/// False if there is surely no NaN among `rows` rows of lanes: their sum would be one. (So it is of
/// infinities of both signs.)
template <class T>
bool may_have_nan(const T* x, std::int64_t rows) {
  using V = typename Lanes<T>::V;
  constexpr int width = static_cast<int>(sizeof(V) / sizeof(T));
  V sums[4] = {};
  for (std::int64_t i = 0; i < rows * lane_count; i += 4 * width)
#pragma GCC unroll 4
    for (int k = 0; k < 4; ++k) {
      V next;
      std::memcpy(&next, x + i + k * width, sizeof next);
      sums[k] += next;
    }
  const V sum = sums[0] + sums[1] + sums[2] + sums[3];
  T all = 0;
  for (int k = 0; k < width; ++k) all += sum[k];
  return all != all;
}

/// The lanes over `parts` times `rows` rows of them. Where the step is associative, each of several
/// parts of the rows has accumulators of its own, since one step would wait for another.
template <class Step, class V, int parts, class T>
void fold_rows(T* lane, const T* x, std::int64_t rows) {
  constexpr int count = static_cast<int>(lane_count * sizeof(T) / sizeof(V));
  V v[parts][count];
  const auto next = [&](int part, std::int64_t row, int k) {
    V vector;
    const T* from = x + (part * rows + row) * lane_count;
    std::memcpy(&vector, reinterpret_cast<const char*>(from) + k * sizeof(V), sizeof vector);
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

template <template <class, class> class Combine, class T, int parts>
void fold(void* out, const void* in, std::int64_t n) {
  using U = typename Unsigned<T>::type;
  using Scalar = Combine<T, U>;
  const auto* x = static_cast<const T*>(in);
  alignas(64) T lane[lane_count];
  std::int64_t i = n < lane_count ? n : lane_count;
  if (const std::int64_t rows = n / (lane_count * parts); rows > 1) {
    using V = typename Lanes<T>::V;
    using Step = Combine<V, typename Lanes<T>::UV>;
    bool is_done = false;
    if constexpr (Ordered<Step>::is_known) {
      // four vectors at a time
      static_assert(lane_count * parts * sizeof(T) % (4 * sizeof(V)) == 0);
      is_done = !may_have_nan(x, rows * parts);
      if (is_done) fold_rows<Ordered<Step>, V, parts>(lane, x, rows);
    }
    if (!is_done) fold_rows<Step, V, parts>(lane, x, rows);
    i = rows * lane_count * parts;
  } else {
    std::memcpy(lane, x, static_cast<std::size_t>(i) * sizeof(T));
  }
  for (std::int64_t k = i; k < n; ++k)
    lane[k % lane_count] = static_cast<T>(Scalar::apply(lane[k % lane_count], x[k]));
  if (n >= lane_count)
    fold_all<Scalar, lane_count / 2>(lane);
  else
    fold_lanes(n, [&](std::int64_t a, std::int64_t b) {
      lane[a] = static_cast<T>(Scalar::apply(lane[a], lane[b]));
    });
  std::memcpy(out, lane, sizeof(T));
}

template <template <class, class> class Combine, class T>
void combine(void* out_memory, const void* x_memory, const void* y_memory, const void*,
             std::int64_t n) {
  auto* out = static_cast<T*>(out_memory);
  const auto* x = static_cast<const T*>(x_memory);
  const auto* y = static_cast<const T*>(y_memory);
#pragma GCC ivdep
  for (std::int64_t i = 0; i < n; ++i)
    out[i] = static_cast<T>(Combine<T, typename Unsigned<T>::type>::apply(x[i], y[i]));
}

template <template <class, class> class Combine, class T>
void scan(void* out_memory, const void* x_memory, const void* before, const void*, std::int64_t n) {
  auto* out = static_cast<T*>(out_memory);
  const auto* x = static_cast<const T*>(x_memory);
  if (n == 0) return;
  using Scalar = Combine<T, typename Unsigned<T>::type>;
  T total = before ? static_cast<T>(Scalar::apply(*static_cast<const T*>(before), x[0])) : x[0];
  out[0] = total;
  for (std::int64_t i = 1; i < n; ++i) out[i] = total = static_cast<T>(Scalar::apply(total, x[i]));
}

template <template <class, class> class Combine, class T>
void fill(RowTable& table, int reduction, TypeId type) {
  // whatever is one of the elements, or true of all of them, is the same from parts of them
  constexpr bool is_associative = Combine<T, T>::rule != AccumulateRule::widen;
  using Result = decltype(Combine<T, typename Unsigned<T>::type>::apply(T{}, T{}));
  if constexpr (!std::is_same_v<Result, None>) {
    table.folds[reduction][static_cast<int>(type)] =
        fold<Combine, T, parts_of<T>(is_associative || std::is_integral_v<T>)>;
    table.combines[reduction][static_cast<int>(type)] = combine<Combine, T>;
    table.scans[reduction][static_cast<int>(type)] = scan<Combine, T>;
  }
}

}  // namespace

void fill_folds(RowTable& table) {
  int reduction = 0;
#define REDUCTION(name, ...)                                                            \
  fill<boolean::Combine_##name, std::uint8_t>(table, reduction, TypeId::bool_);         \
  fill<integer::Combine_##name, std::int8_t>(table, reduction, TypeId::int8);           \
  fill<integer::Combine_##name, std::int16_t>(table, reduction, TypeId::int16);         \
  fill<integer::Combine_##name, std::int32_t>(table, reduction, TypeId::int32);         \
  fill<integer::Combine_##name, std::int64_t>(table, reduction, TypeId::int64);         \
  fill<integer::Combine_##name, std::uint8_t>(table, reduction, TypeId::uint8);         \
  fill<integer::Combine_##name, std::uint16_t>(table, reduction, TypeId::uint16);       \
  fill<integer::Combine_##name, std::uint32_t>(table, reduction, TypeId::uint32);       \
  fill<integer::Combine_##name, std::uint64_t>(table, reduction, TypeId::uint64);       \
  fill<real::Combine_##name, float>(table, reduction, TypeId::float32);                 \
  fill<real::Combine_##name, double>(table, reduction, TypeId::float64);                \
  fill<complex::Combine_##name, Complex<float>>(table, reduction, TypeId::complex64);   \
  fill<complex::Combine_##name, Complex<double>>(table, reduction, TypeId::complex128); \
  ++reduction;
#include "isthmus/core/reductions.def"
}

}  // namespace isthmus::host::ISTHMUS_ISA
