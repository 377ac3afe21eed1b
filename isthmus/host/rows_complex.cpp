// rows_complex.cpp: rows of complex64 and complex128.
#include <cstring>

#include "isthmus/host/complex.h"
#include "isthmus/host/complex_vectors.h"

namespace isthmus::inline ISTHMUS_ABI::host::ISTHMUS_ISA {
namespace {

#define OP(name, arity, rule, promotes, boolean, integer, real_, complex_, ...) \
  ISTHMUS_OPERATION(name, arity, rule, complex_)
#include "isthmus/core/ops.def"

/// Products eight vectors at a time; one by one where some product of these is not finite, or
/// nearly so: then their sum is not finite either.
template <class T, class R, bool is_square>
void row_of_products(void* out_memory, const void* x_memory, const void* y_memory, const void*,
                     std::int64_t n) {
  using V = typename ComplexVectors<R>::V;
  constexpr std::int64_t width = ComplexVectors<R>::width, vectors = 8, block = vectors * width;
  auto* out = static_cast<T*>(out_memory);
  const auto* x = static_cast<const T*>(x_memory);
  const auto* y = static_cast<const T*>(is_square ? x_memory : y_memory);
  std::int64_t begin = 0;
  for (; begin + block <= n; begin += block) {
    V products[vectors], sum{};  // an output may be an operand, which is still asked for
#pragma GCC unroll 8
    for (std::int64_t i = 0; i < vectors; ++i) {
      V a, b;
      std::memcpy(&a, x + begin + i * width, sizeof a);
      std::memcpy(&b, y + begin + i * width, sizeof b);
      products[i] = ComplexVectors<R>::product(a, b);
      sum += products[i];
    }
    if (ComplexVectors<R>::are_finite(sum))
#pragma GCC unroll 8
      for (std::int64_t i = 0; i < vectors; ++i)
        std::memcpy(out + begin + i * width, &products[i], sizeof products[i]);
    else
      for (std::int64_t i = begin; i < begin + block; ++i) out[i] = c_mul(x[i], y[i]);
  }
  for (; begin < n; ++begin) out[begin] = c_mul(x[begin], y[begin]);
}

/// Absolute values, a block at a time. The squares of what is neither huge nor tiny are added as
/// they are; others go through c_abs, each by itself, so that an element's bits do not depend on
/// its neighbours.
template <class T, class R>
void row_of_sizes(void* out_memory, const void* x_memory, const void*, const void*,
                  std::int64_t n) {
  constexpr std::int64_t block = 64;
  constexpr R most = sizeof(R) == 4 ? (R)0x1p126 : (R)0x1p500;
  constexpr R least = sizeof(R) == 4 ? (R)0 : (R)0x1p-500;
  auto* out = static_cast<R*>(out_memory);
  const auto* x = static_cast<const T*>(x_memory);
  for (std::int64_t begin = 0; begin < n; begin += block) {
    const std::int64_t count = n - begin < block ? n - begin : block;
    R size[block];  // the output may be the operand's memory
    const auto is_usual = [&](std::int64_t i) {
      const R sum = fabs(x[begin + i].re) + fabs(x[begin + i].im);
      return (sum < most) & (sum >= least);
    };
    std::int64_t usual = 0;
    for (std::int64_t i = 0; i < count; ++i) {
      const double re = x[begin + i].re, im = x[begin + i].im;
      size[i] = static_cast<R>(sqrt(re * re + im * im));
      usual += is_usual(i);
    }
    if (usual != count)
      for (std::int64_t i = 0; i < count; ++i)
        if (!is_usual(i)) size[i] = c_abs(x[begin + i]);
    std::memcpy(out + begin, size, static_cast<std::size_t>(count) * sizeof(R));
  }
}

template <TypeId id, class R>
void fill_complex(RowTable& table) {
  using T = Complex<R>;
#define OP(name, ...) \
  table.ops[static_cast<int>(Op::name)][static_cast<int>(id)] = row_of<Op_##name<T, T, R>, T, R>();
#include "isthmus/core/ops.def"
  table.ops[static_cast<int>(Op::abs)][static_cast<int>(id)] = row_of_sizes<T, R>;
  table.ops[static_cast<int>(Op::multiply)][static_cast<int>(id)] = row_of_products<T, R, false>;
  table.ops[static_cast<int>(Op::square)][static_cast<int>(id)] = row_of_products<T, R, true>;
}

}  // namespace

void fill_complex_rows(RowTable& table) {
  fill_complex<TypeId::complex64, float>(table);
  fill_complex<TypeId::complex128, double>(table);
}

}  // namespace isthmus::inline ISTHMUS_ABI::host::ISTHMUS_ISA
