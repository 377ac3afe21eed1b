// folds.cpp: the combine steps of reductions.def, on dense values.
#include <algorithm>

#include "isthmus/host/fold_columns.h"
#include "isthmus/host/fold_values.h"

namespace isthmus::inline ISTHMUS_ABI::host::ISTHMUS_ISA {
namespace {

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

/// The sum of products, with the bits of products that are stored and then summed.
template <class T>
void fold_products(void* out, const void* x, const void* y, std::int64_t n) {
  const Products<T> products{{static_cast<const T*>(x)}, {static_cast<const T*>(y)}};
  fold_source<real::Combine_sum, T, parts_of<T>(false)>(out, products, n);
}

template <class R, Conjugate conjugate>
void fold_complex_products(void* out, const void* x, const void* y, std::int64_t n) {
  using T = Complex<R>;
  const auto* a = static_cast<const T*>(x);
  const auto* b = static_cast<const T*>(y);
  fold_source<complex::Combine_sum, T, 1>(out, ComplexProducts<R, conjugate, false>{a, b}, n);
  T sum;
  std::memcpy(&sum, out, sizeof sum);
  if (!c_is_finite(sum))  // as it is if one of the products is not
    fold_source<complex::Combine_sum, T, 1>(out, ComplexProducts<R, conjugate, true>{a, b}, n);
}

template <Conjugate conjugate>
void fill_complex_products(RowTable& table) {
  FoldProducts* const folds = table.product_folds[static_cast<int>(conjugate)];
  folds[static_cast<int>(TypeId::complex64)] = fold_complex_products<float, conjugate>;
  folds[static_cast<int>(TypeId::complex128)] = fold_complex_products<double, conjugate>;
}

/// How many of `n` bytes, each 0 or 1, are 1. A lane counts to 255 before it is added up.
void count_truths(void* out, const void* in, std::int64_t n) {
  typedef std::uint8_t V __attribute__((vector_size(vector_bytes)));
  constexpr std::int64_t most = 255;
  const auto* x = static_cast<const std::uint8_t*>(in);
  std::int64_t total = 0;
  while (n >= vector_bytes) {
    const std::int64_t vectors = std::min(n / vector_bytes, most);
    V sums = {};
    for (std::int64_t k = 0; k < vectors; ++k) {
      V next;
      std::memcpy(&next, x + k * vector_bytes, sizeof next);
      sums += next;
    }
    for (int lane = 0; lane < vector_bytes; ++lane) total += sums[lane];
    x += vectors * vector_bytes;
    n -= vectors * vector_bytes;
  }
  for (std::int64_t k = 0; k < n; ++k) total += x[k];
  std::memcpy(out, &total, sizeof total);
}

/// Real and imaginary parts are columns of their own.
template <class T>
bool add_complex_columns(void* out, const char* const* rows, std::int64_t count, std::int64_t n) {
  return fold_columns<real::Combine_sum, T>(out, rows, count, 2 * n);
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
    if constexpr (std::is_arithmetic_v<T>)
      table.column_folds[reduction][static_cast<int>(type)] = fold_columns<Combine, T>;
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
  FoldProducts* const folds = table.product_folds[static_cast<int>(Conjugate::none)];
  folds[static_cast<int>(TypeId::float32)] = fold_products<float>;
  folds[static_cast<int>(TypeId::float64)] = fold_products<double>;
  FoldColumns* const columns = table.column_folds[static_cast<int>(Reduction::sum)];
  columns[static_cast<int>(TypeId::complex64)] = add_complex_columns<float>;
  columns[static_cast<int>(TypeId::complex128)] = add_complex_columns<double>;
  table.truths = count_truths;
  fill_complex_products<Conjugate::none>(table);
  fill_complex_products<Conjugate::first>(table);
  fill_complex_products<Conjugate::second>(table);
}

}  // namespace isthmus::inline ISTHMUS_ABI::host::ISTHMUS_ISA
