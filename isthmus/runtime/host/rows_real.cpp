// rows_real.cpp: rows of float32 and float64; those of float16 and bfloat16 are float32's.
#include "isthmus/runtime/host/row.h"

namespace isthmus::host::ISTHMUS_ISA {
namespace {

#define FUNCTION inline
#define T float
#include "isthmus/core/real_functions.inc"
#undef T
#define T double
#include "isthmus/core/real_functions.inc"
#undef T

#define OP(name, arity, rule, promotes, boolean, integer, real_, ...) \
  ISTHMUS_OPERATION(name, arity, rule, real_)
#include "isthmus/core/ops.def"

template <TypeId id>
void fill_real(RowTable& table) {
  using T = storage_t<id>;
#define OP(name, ...) \
  table.ops[static_cast<int>(Op::name)][static_cast<int>(id)] = row_of<Op_##name<T, T, T>, T, T>();
#include "isthmus/core/ops.def"
}

}  // namespace

void fill_real_rows(RowTable& table) {
  fill_real<TypeId::float32>(table);
  fill_real<TypeId::float64>(table);
}

}  // namespace isthmus::host::ISTHMUS_ISA
