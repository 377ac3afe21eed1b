// c_steps.h: C's operators as steps.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "isthmus/core/user_function.h"

namespace isthmus::inline ISTHMUS_ABI::detail {

/// A value of a C expression.
struct CValue {
  /// bool: a comparison, a `bool` or a byte that is 0 or 1. All become int where C calculates.
  TypeId type = TypeId::int32;
  std::uint16_t value = 0;
  std::optional<Scalar> number;  ///< Of a literal, which has no value yet.
};

/// Steps that grow by what C's operators calculate, with its conversions. What C refuses, leaves
/// open or rounds in its own way is refused: then is_right() is false from there on.
class CSteps {
 public:
  explicit CSteps(std::size_t parameters) : parameters_(parameters) {}

  bool is_right() const { return is_right_; }
  CValue refuse();
  CValue nothing() const { return {}; }
  /// That a type is named which compilers for a device without it take for float32.
  void note_fp64() { has_fp64_ = true; }

  CValue number(const Scalar& number);
  CValue cast(const CValue& x, TypeId type);
  CValue boolean(const CValue& x);   ///< As bool.
  CValue truth(const CValue& x);     ///< The same of a condition.
  CValue promoted(const CValue& x);  ///< As C calculates it: at least an int.
  CValue negative(const CValue& x);
  CValue inverse(const CValue& x);        ///< !x
  CValue inverted_bits(const CValue& x);  ///< ~x
  CValue arithmetic(Op op, const CValue& x, const CValue& y);
  CValue comparison(Op op, const CValue& x, const CValue& y);
  CValue logic(Op op, const CValue& x, const CValue& y);
  CValue bits(Op op, const CValue& x, const CValue& y);
  CValue choice(const CValue& condition, const CValue& x, const CValue& y);
  /// One of two values of a variable, which has their type.
  CValue chosen(const CValue& condition, const CValue& x, const CValue& y);
  /// Of floats; `maximum` and `minimum` of integers, too.
  CValue function(Op op, std::span<const CValue> operands);

  /// The steps, with a value as their result.
  std::optional<UserSteps> finish(const CValue& result);

 private:
  /// The value of a literal, too.
  std::uint16_t place(const CValue& x);
  CValue step(Op op, TypeId type, TypeId result, std::span<const CValue> operands);
  /// Towards zero, as C rounds it.
  CValue whole_quotient(TypeId type, const CValue& x, const CValue& y);
  CValue step(Op op, TypeId type, TypeId result, std::initializer_list<CValue> operands) {
    return step(op, type, result, std::span(operands.begin(), operands.size()));
  }
  /// What C converts both to.
  TypeId common_type(const CValue& x, const CValue& y) const;

  std::size_t parameters_;
  std::vector<Scalar> numbers_;
  std::vector<Step> steps_;  ///< With marked operands, see the source.
  bool is_right_ = true, has_fp64_ = false;
};

}  // namespace isthmus::inline ISTHMUS_ABI::detail
