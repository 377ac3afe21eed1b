// rows_integer.cpp: rows of bools and integers.
#include "isthmus/host/row.h"

namespace isthmus::inline ISTHMUS_ABI::host::ISTHMUS_ISA {
namespace {

#define FUNCTION inline
#define T std::int8_t
#define U std::uint8_t
#include "isthmus/core/integer_functions.inc"
#undef T
#define T std::uint8_t
#include "isthmus/core/integer_functions.inc"
#undef T
#undef U
#define T std::int16_t
#define U std::uint16_t
#include "isthmus/core/integer_functions.inc"
#undef T
#define T std::uint16_t
#include "isthmus/core/integer_functions.inc"
#undef T
#undef U
#define T std::int32_t
#define U std::uint32_t
#include "isthmus/core/integer_functions.inc"
#undef T
#define T std::uint32_t
#include "isthmus/core/integer_functions.inc"
#undef T
#undef U
#define T std::int64_t
#define U std::uint64_t
#include "isthmus/core/integer_functions.inc"
#undef T
#define T std::uint64_t
#include "isthmus/core/integer_functions.inc"
#undef T
#undef U

namespace boolean {
#define OP(name, arity, rule, promotes, boolean_, ...) \
  ISTHMUS_OPERATION(name, arity, rule, boolean_)
#include "isthmus/core/ops.def"
}  // namespace boolean

namespace integer {
#define OP(name, arity, rule, promotes, boolean_, integer_, ...) \
  ISTHMUS_OPERATION(name, arity, rule, integer_)
#include "isthmus/core/ops.def"
}  // namespace integer

template <TypeId id>
void fill_integer(RowTable& table) {
  using T = storage_t<id>;
#define OP(name, ...)                                           \
  table.ops[static_cast<int>(Op::name)][static_cast<int>(id)] = \
      row_of<integer::Op_##name<T, std::make_unsigned_t<T>, T>, T, T>();
#include "isthmus/core/ops.def"
}

}  // namespace

void fill_integer_rows(RowTable& table) {
#define OP(name, ...)                                                                    \
  table.ops[static_cast<int>(Op::name)][static_cast<int>(TypeId::bool_)] =               \
      row_of<boolean::Op_##name<std::uint8_t, std::uint8_t, std::uint8_t>, std::uint8_t, \
             std::uint8_t>();
#include "isthmus/core/ops.def"
  fill_integer<TypeId::int8>(table);
  fill_integer<TypeId::int16>(table);
  fill_integer<TypeId::int32>(table);
  fill_integer<TypeId::int64>(table);
  fill_integer<TypeId::uint8>(table);
  fill_integer<TypeId::uint16>(table);
  fill_integer<TypeId::uint32>(table);
  fill_integer<TypeId::uint64>(table);
}

}  // namespace isthmus::inline ISTHMUS_ABI::host::ISTHMUS_ISA
