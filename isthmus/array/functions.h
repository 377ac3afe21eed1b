// functions.h: one C++ callable per row of ops.def and reductions.def, and the operators.
#pragma once

#include <concepts>

#include "isthmus/array/array.h"

namespace isthmus {

/// Calls a row with arrays and numbers in any mix, at least one of them an array.
template <int arity>
struct Function {
  Op op;
  template <std::convertible_to<Value>... Operands>
    requires(sizeof...(Operands) == arity)
  Array operator()(const Operands&... operands) const {
    const Value values[] = {Value(operands)...};
    return apply(op, values);
  }
};

#define OP(name, arity, ...) inline constexpr Function<arity> name{Op::name};
#include "isthmus/core/ops.def"

/// Calls a reduction over some axes, or all.
struct Reducer {
  Reduction reduction;
  Array operator()(const Array& x) const { return reduce(reduction, x, {}, false); }
  Array operator()(const Array& x, std::initializer_list<std::int64_t> axes,
                   bool keepdims = false) const {
    return reduce(reduction, x, std::span(axes.begin(), axes.size()), keepdims);
  }
};

#define REDUCTION(name, ...) inline constexpr Reducer name{Reduction::name};
#include "isthmus/core/reductions.def"

/// Operators: an array with an array, or with a number on either side. New and pending arrays.
#define ISTHMUS_OPERATOR(symbol, row)                                                             \
  inline Array operator symbol(const Array& x, const Array& y) { return apply(Op::row, {x, y}); } \
  inline Array operator symbol(const Array& x, Number auto y) { return apply(Op::row, {x, y}); }  \
  inline Array operator symbol(Number auto x, const Array& y) { return apply(Op::row, {x, y}); }
ISTHMUS_OPERATOR(+, add)
ISTHMUS_OPERATOR(-, subtract)
ISTHMUS_OPERATOR(*, multiply)
ISTHMUS_OPERATOR(/, divide)
ISTHMUS_OPERATOR(%, remainder)
ISTHMUS_OPERATOR(<, less)
ISTHMUS_OPERATOR(<=, less_equal)
ISTHMUS_OPERATOR(>, greater)
ISTHMUS_OPERATOR(>=, greater_equal)
ISTHMUS_OPERATOR(==, equal)
ISTHMUS_OPERATOR(!=, not_equal)
ISTHMUS_OPERATOR(&, bitwise_and)
ISTHMUS_OPERATOR(|, bitwise_or)
ISTHMUS_OPERATOR(^, bitwise_xor)
#undef ISTHMUS_OPERATOR
inline Array operator-(const Array& x) { return apply(Op::negative, {x}); }
inline Array operator~(const Array& x) { return apply(Op::bitwise_invert, {x}); }

/// Operators that write to the array on their left, which may be a view: see apply_in_place().
#define ISTHMUS_OPERATOR(symbol, row)                                   \
  inline const Array& operator symbol(const Array& x, const Value& y) { \
    return apply_in_place(Op::row, x, y);                               \
  }
ISTHMUS_OPERATOR(+=, add)
ISTHMUS_OPERATOR(-=, subtract)
ISTHMUS_OPERATOR(*=, multiply)
ISTHMUS_OPERATOR(/=, divide)
ISTHMUS_OPERATOR(%=, remainder)
ISTHMUS_OPERATOR(&=, bitwise_and)
ISTHMUS_OPERATOR(|=, bitwise_or)
ISTHMUS_OPERATOR(^=, bitwise_xor)
#undef ISTHMUS_OPERATOR

}  // namespace isthmus
