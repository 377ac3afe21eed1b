// operations.cpp: what operations.h declares, by the lists that it is made from.
#include "isthmus/array/operations.h"

#include "isthmus/array/apply.h"
#include "isthmus/array/infer/literal.h"

namespace isthmus::inline ISTHMUS_ABI {

/// Bounds of clip past the range of an integer dtype are its ends.
static Array apply_to_three(Op op, Array x, const Value& y, const Value& z) {
  if (op != Op::clip) return apply(op, {Value::of_released(x), y.lent(), z.lent()});
  const DType dtype = x.dtype();
  return apply(op, {Value::of_released(x), within_range(y, dtype), within_range(z, dtype)});
}

// An array that is given by value is released by apply() and reduce().
#define ISTHMUS_FUNCTION_1(name) \
  Array name(Array x) { return apply(Op::name, {Value::of_released(x)}); }
#define ISTHMUS_FUNCTION_2(name)                                            \
  Array name(Array x, Array y) {                                            \
    return apply(Op::name, {Value::of_released(x), Value::of_released(y)}); \
  }                                                                         \
  Array name(Array x, const Value& y) {                                     \
    return apply(Op::name, {Value::of_released(x), y.lent()});              \
  }                                                                         \
  Array name(const Value& x, Array y) { return apply(Op::name, {x.lent(), Value::of_released(y)}); }
#define ISTHMUS_FUNCTION_3(name)                         \
  Array name(Array x, const Value& y, const Value& z) {  \
    return apply_to_three(Op::name, std::move(x), y, z); \
  }
#define OPS_WITHOUT_SPECIAL
#define OP(name, arity, ...) ISTHMUS_FUNCTION_##arity(name)
#include "isthmus/core/ops.def"
#undef OPS_WITHOUT_SPECIAL

namespace special {
#include "isthmus/core/special.def"
#undef OP
}  // namespace special
#undef ISTHMUS_FUNCTION_1
#undef ISTHMUS_FUNCTION_2
#undef ISTHMUS_FUNCTION_3

// Not by the functions: moving both arrays once more is a good part of what a small operator costs.
#define ISTHMUS_OPERATOR_1(symbol, row) \
  Array operator symbol(Array x) { return apply(Op::row, {Value::of_released(x)}); }
#define ISTHMUS_OPERATOR_2(symbol, row)                                    \
  Array operator symbol(Array x, Array y) {                                \
    return apply(Op::row, {Value::of_released(x), Value::of_released(y)}); \
  }
#define OPERATOR(symbol, arity, row) ISTHMUS_OPERATOR_##arity(symbol, row)
#define IN_PLACE(symbol, row)                                    \
  const Array& operator symbol(const Array& x, const Value& y) { \
    return apply_in_place(Op::row, x, y);                        \
  }                                                              \
  Array operator symbol(Array&& x, const Value& y) {             \
    apply_in_place(Op::row, x, y);                               \
    return std::move(x);                                         \
  }
#include "isthmus/array/operators.def"
#undef ISTHMUS_OPERATOR_1
#undef ISTHMUS_OPERATOR_2

#define ISTHMUS_REDUCTION_same(name)                                    \
  Array name(Array x, const AxisSet& axes, Flag keepdims) {             \
    return reduce(Reduction::name, std::move(x), axes.get(), keepdims); \
  }
#define ISTHMUS_REDUCTION_boolean(name) ISTHMUS_REDUCTION_same(name)
#define ISTHMUS_REDUCTION_widen(name)                                                   \
  Array name(Array x, const AxisSet& axes, Flag keepdims, std::optional<DType> dtype) { \
    return reduce(Reduction::name, std::move(x), axes.get(), keepdims, dtype);          \
  }
#define REDUCTION(name, rule, ...) ISTHMUS_REDUCTION_##rule(name)
#include "isthmus/core/reductions.def"
#undef ISTHMUS_REDUCTION_same
#undef ISTHMUS_REDUCTION_boolean
#undef ISTHMUS_REDUCTION_widen

}  // namespace isthmus::inline ISTHMUS_ABI
