// rows_real.cpp: rows of float32 and float64; those of float16 and bfloat16 are float32's.
#include <algorithm>

#include "isthmus/host/erf.h"
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

template <TypeId id>
void fill_real(RowTable& table) {
  using T = storage_t<id>;
#define OP(name, ...) \
  table.ops[static_cast<int>(Op::name)][static_cast<int>(id)] = row_of<Op_##name<T, T, T>, T, T>();
#include "isthmus/core/ops.def"
  table.ops[static_cast<int>(Op::gammaln)][static_cast<int>(id)] = row_gammaln<T>;
}

}  // namespace

void fill_real_rows(RowTable& table) {
  fill_real<TypeId::float32>(table);
  fill_real<TypeId::float64>(table);
#if defined(__AVX2__) && defined(__FMA__)
  table.ops[static_cast<int>(Op::erf)][static_cast<int>(TypeId::float32)] = row_erf;
#endif
}

}  // namespace isthmus::inline ISTHMUS_ABI::host::ISTHMUS_ISA
