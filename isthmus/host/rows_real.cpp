// rows_real.cpp: rows of float32 and float64; those of float16 and bfloat16 are float32's.
#include <algorithm>

#include "isthmus/host/erf.h"
#include "isthmus/host/erf_double.h"
#include "isthmus/host/exponents.h"
#include "isthmus/host/row.h"

namespace isthmus::inline ISTHMUS_ABI::host::ISTHMUS_ISA {
namespace {

#define FUNCTION inline
#define T float
#include "isthmus/core/real_functions.inc"
#undef T
#define T double
#include "isthmus/core/real_functions.inc"
#undef T
#undef FUNCTION
// Loops become vectors only if nothing is called in them.
#define FUNCTION [[gnu::always_inline]] inline
#define T float
#include "isthmus/core/special_functions.inc"
#undef T
#define T double
#include "isthmus/core/special_functions.inc"
#undef T

#define OP(name, arity, rule, promotes, boolean, integer, real_, ...) \
  ISTHMUS_OPERATION(name, arity, rule, real_)
#include "isthmus/core/ops.def"

/// real_gammaln(), in vectors for numbers that are not negative; the others are mended one by one.
template <class T>
void row_gammaln(void* out_memory, const void* x_memory, const void*, const void*, std::int64_t n) {
  constexpr std::int64_t block = 512;
  auto* out = static_cast<T*>(out_memory);
  const auto* x = static_cast<const T*>(x_memory);
  T above[block];
  for (std::int64_t begin = 0; begin < n; begin += block) {
    const std::int64_t count = std::min(block, n - begin);
    for (std::int64_t i = 0; i < count; ++i) above[i] = real_gammaln_above(std::fabs(x[begin + i]));
    int has_negative = 0;
    for (std::int64_t i = 0; i < count; ++i) has_negative |= x[begin + i] < 0;
    if (has_negative)
      for (std::int64_t i = 0; i < count; ++i)
        if (x[begin + i] < 0) above[i] = real_gammaln_below(x[begin + i], above[i]);
    std::copy_n(above, count, out + begin);
  }
}

/// A function of one operand that takes the place of what ops.def calls.
template <class Out, auto function, class T>
void row_by(void* out_memory, const void* x_memory, const void*, const void*, std::int64_t n) {
  auto* out = static_cast<Out*>(out_memory);
  const auto* x = static_cast<const T*>(x_memory);
#pragma GCC ivdep
  for (std::int64_t i = 0; i < n; ++i) out[i] = static_cast<Out>(function(x[i]));
}

template <TypeId id>
void fill_real(RowTable& table) {
  using T = storage_t<id>;
#define OP(name, ...) \
  table.ops[static_cast<int>(Op::name)][static_cast<int>(id)] = row_of<Op_##name<T, T, T>, T, T>();
#include "isthmus/core/ops.def"
  const auto row = [&](Op op) -> Row& {
    return table.ops[static_cast<int>(op)][static_cast<int>(id)];
  };
  row(Op::gammaln) = row_gammaln<T>;
  row(Op::signbit) = row_by<std::uint8_t, sign_bit<T>, T>;
  row(Op::frexp_mantissa) = row_by<T, real_part_of_two<T, PartOfTwo::mantissa>, T>;
  row(Op::frexp_exponent) = row_by<T, real_part_of_two<T, PartOfTwo::exponent>, T>;
  row(Op::ilogb) = row_by<std::int32_t, real_part_of_two<T, PartOfTwo::ilogb>, T>;
}

}  // namespace

void fill_real_rows(RowTable& table) {
  fill_real<TypeId::float32>(table);
  fill_real<TypeId::float64>(table);
#if defined(__AVX2__) && defined(__FMA__)
  table.ops[static_cast<int>(Op::erf)][static_cast<int>(TypeId::float32)] = row_erf;
#endif
#if defined(__AVX512F__)
  table.ops[static_cast<int>(Op::erf)][static_cast<int>(TypeId::float64)] = row_erf_of_double;
#endif
}

}  // namespace isthmus::inline ISTHMUS_ABI::host::ISTHMUS_ISA
