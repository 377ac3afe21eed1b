// rows_complex.cpp: rows of complex64 and complex128.
#include "isthmus/runtime/host/complex.h"

namespace isthmus::host::ISTHMUS_ISA {
namespace {

#define OP(name, arity, rule, promotes, boolean, integer, real_, complex_, ...) \
  ISTHMUS_OPERATION(name, arity, rule, complex_)
#include "isthmus/core/ops.def"

template <TypeId id, class R>
void fill_complex(RowTable& table) {
  using T = Complex<R>;
#define OP(name, ...) \
  table.ops[static_cast<int>(Op::name)][static_cast<int>(id)] = row_of<Op_##name<T, T, R>, T, R>();
#include "isthmus/core/ops.def"
}

}  // namespace

void fill_complex_rows(RowTable& table) {
  fill_complex<TypeId::complex64, float>(table);
  fill_complex<TypeId::complex128, double>(table);
}

}  // namespace isthmus::host::ISTHMUS_ISA
