// folds.cpp: the combine steps of reductions.def, on dense values.
#include <cstring>

#include "isthmus/runtime/host/fold.h"
#include "isthmus/runtime/host/row.h"

#if defined(__AVX512F__)
#define ISTHMUS_VECTOR_BYTES 64
#elif defined(__AVX2__)
#define ISTHMUS_VECTOR_BYTES 32
#else
#define ISTHMUS_VECTOR_BYTES 16
#endif

namespace isthmus::host::ISTHMUS_ISA {
namespace {

#define FUNCTION inline
#define T Complex<float>
#define R float
#include "isthmus/core/complex_functions.inc"
#undef T
#undef R
#define T Complex<double>
#define R double
#include "isthmus/core/complex_functions.inc"
#undef T
#undef R

#define ISTHMUS_REDUCTION(name, expression)                                \
  template <class T, class U>                                              \
  struct Combine_##name {                                                  \
    static auto apply(T x, T y) { return (void)x, (void)y, (expression); } \
  };
namespace boolean {
#define REDUCTION(name, rule, boolean_, ...) ISTHMUS_REDUCTION(name, boolean_)
#include "isthmus/core/reductions.def"
}  // namespace boolean
namespace integer {
#define REDUCTION(name, rule, boolean_, integer_, ...) ISTHMUS_REDUCTION(name, integer_)
#include "isthmus/core/reductions.def"
}  // namespace integer
namespace real {
#define REDUCTION(name, rule, boolean_, integer_, real_, ...) ISTHMUS_REDUCTION(name, real_)
#include "isthmus/core/reductions.def"
}  // namespace real
namespace complex {
#define REDUCTION(name, rule, boolean_, integer_, real_, complex_, ...) \
  ISTHMUS_REDUCTION(name, complex_)
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
  static constexpr std::size_t bytes = all < ISTHMUS_VECTOR_BYTES ? all : ISTHMUS_VECTOR_BYTES;
  typedef T V __attribute__((vector_size(bytes)));
  typedef typename Unsigned<T>::type UV __attribute__((vector_size(bytes)));
};
template <class R>
struct Lanes<Complex<R>> {
  using V = Complex<R>;
  using UV = V;
};

template <template <class, class> class Combine, class T>
void fold(void* out, const void* in, std::int64_t n) {
  using V = typename Lanes<T>::V;
  using U = typename Unsigned<T>::type;
  using Scalar = Combine<T, U>;
  constexpr int count = static_cast<int>(lane_count * sizeof(T) / sizeof(V));
  const auto* x = static_cast<const T*>(in);
  alignas(64) T lane[lane_count];
  std::int64_t i = n < lane_count ? n : lane_count;
  std::memcpy(lane, x, static_cast<std::size_t>(i) * sizeof(T));
  if (n >= 2 * lane_count) {
    V v[count];
    std::memcpy(v, lane, sizeof lane);
    for (; i + lane_count <= n; i += lane_count) {
#pragma GCC unroll 32
      for (int k = 0; k < count; ++k) {
        V next;
        std::memcpy(&next, reinterpret_cast<const char*>(x + i) + k * sizeof(V), sizeof next);
        v[k] = Combine<V, typename Lanes<T>::UV>::apply(v[k], next);
      }
    }
    std::memcpy(lane, v, sizeof lane);
  }
  for (std::int64_t k = i; k < n; ++k)
    lane[k % lane_count] = static_cast<T>(Scalar::apply(lane[k % lane_count], x[k]));
  fold_lanes(n < lane_count ? n : lane_count, [&](std::int64_t a, std::int64_t b) {
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
void fill(RowTable& table, int reduction, TypeId type) {
  using Result = decltype(Combine<T, typename Unsigned<T>::type>::apply(T{}, T{}));
  if constexpr (!std::is_same_v<Result, None>) {
    table.folds[reduction][static_cast<int>(type)] = fold<Combine, T>;
    table.combines[reduction][static_cast<int>(type)] = combine<Combine, T>;
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
