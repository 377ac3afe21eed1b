// c_steps.cpp: C's operators as steps.
#include "isthmus/kernels/c_steps.h"

#include <algorithm>

#include "isthmus/core/ops.h"

namespace isthmus::inline ISTHMUS_ABI::detail {

namespace {

/// Longer texts are worth a compiler.
constexpr std::size_t most_steps = 256, most_numbers = 128;

/// While steps grow, values that are numbers and results have these bits.
constexpr std::uint16_t number_bit = 0x4000, result_bit = 0x8000;

bool is_real(const CValue& x) { return DType(x.type).family == Family::real; }

/// The type of an operand of C's operators: smaller ones become int.
TypeId promoted_type(TypeId type) {
  return DType(type).family != Family::real && info(type).bits < 32 ? TypeId::int32 : type;
}

/// What the conversion of a literal gives, if it is one rounding.
std::optional<Scalar> converted(const Scalar& number, TypeId type) {
  constexpr std::int64_t exact = std::int64_t{1} << 53;
  const bool is_whole = number.dtype.family != Family::real;
  if (is_whole && DType(type).family == Family::real) {
    const bool is_exact = number.dtype.family == Family::natural
                              ? number.natural <= std::uint64_t{exact}
                              : number.integer >= -exact && number.integer <= exact;
    if (!is_exact) return std::nullopt;
  }
  alignas(8) char memory[8];
  store(number, type, memory);
  return load(type, memory);
}

/// Whether they have the same bits.
bool has_same_bits(const Scalar& x, const Scalar& y) {
  if (x.dtype != y.dtype) return false;
  alignas(8) char first[8] = {}, second[8] = {};
  store(x, x.dtype.id, first);
  store(y, y.dtype.id, second);
  return std::ranges::equal(first, second);
}

}  // namespace

CValue CSteps::refuse() {
  is_right_ = false;
  return {};
}

CValue CSteps::number(const Scalar& number) {
  if (number.dtype.id == TypeId::float64) note_fp64();
  return {number.dtype.id, 0, number};
}

std::uint16_t CSteps::place(const CValue& x) {
  if (!x.number) return x.value;
  const auto is_it = [&](const Scalar& known) { return has_same_bits(known, *x.number); };
  auto known = std::ranges::find_if(numbers_, is_it);
  if (known == numbers_.end()) {
    if (numbers_.size() == most_numbers) return refuse().value;
    known = numbers_.insert(known, *x.number);
  }
  return static_cast<std::uint16_t>((known - numbers_.begin()) | number_bit);
}

CValue CSteps::step(Op op, TypeId type, TypeId result, std::span<const CValue> operands) {
  Step made{op, type, result, {}};
  for (std::size_t k = 0; k < operands.size(); ++k) made.operands[k] = place(operands[k]);
  auto known = std::ranges::find(steps_, made);
  if (known == steps_.end()) {
    if (steps_.size() == most_steps) return refuse();
    known = steps_.insert(known, made);
  }
  return {result, static_cast<std::uint16_t>((known - steps_.begin()) | result_bit), {}};
}

CValue CSteps::cast(const CValue& x, TypeId type) {
  if (x.type == type) return x;
  // out of range it is not defined
  if (is_real(x) && DType(type).family != Family::real) return refuse();
  if (x.number)
    if (const auto number = converted(*x.number, type)) return {type, 0, number};
  return step(Op::astype, x.type, type, {x});
}

CValue CSteps::boolean(const CValue& x) {
  return x.type == TypeId::bool_ ? x : step(Op::astype, x.type, TypeId::bool_, {x});
}

CValue CSteps::truth(const CValue& x) {
  // not every version of OpenCL C takes a float for a condition
  return is_real(x) ? refuse() : boolean(x);
}

CValue CSteps::promoted(const CValue& x) { return cast(x, promoted_type(x.type)); }

TypeId CSteps::common_type(const CValue& x, const CValue& y) const {
  if (is_real(x) || is_real(y)) {
    const bool has_double = x.type == TypeId::float64 || y.type == TypeId::float64;
    return has_double ? TypeId::float64 : TypeId::float32;
  }
  const TypeId a = promoted_type(x.type), b = promoted_type(y.type);
  if (info(a).bits != info(b).bits) return info(a).bits > info(b).bits ? a : b;
  return DType(a).family == Family::natural ? a : b;
}

CValue CSteps::negative(const CValue& x) {
  const CValue of = promoted(x);
  if (!of.number) return step(Op::negative, of.type, of.type, {of});
  Scalar number = *of.number;
  if (is_real(of))
    number.number.re = -number.number.re;
  else
    number.natural = 0 - number.natural;
  return {of.type, 0, converted(number, of.type)};
}

CValue CSteps::inverse(const CValue& x) {
  return step(Op::logical_not, TypeId::bool_, TypeId::bool_, {truth(x)});
}

CValue CSteps::inverted_bits(const CValue& x) {
  if (is_real(x)) return refuse();
  const CValue of = promoted(x);
  return step(Op::bitwise_invert, of.type, of.type, {of});
}

CValue CSteps::whole_quotient(TypeId type, const CValue& x, const CValue& y) {
  if (DType(type).family == Family::natural) return step(Op::floor_divide, type, type, {x, y});
  const CValue rest = step(Op::fmod, type, type, {x, y});
  const CValue multiple = step(Op::subtract, type, type, {x, rest});
  return step(Op::floor_divide, type, type, {multiple, y});
}

CValue CSteps::arithmetic(Op op, const CValue& x, const CValue& y) {
  const TypeId type = common_type(x, y);
  const bool is_whole = DType(type).family != Family::real;
  if (op == Op::fmod && !is_whole) return refuse();
  const CValue first = cast(x, type), second = cast(y, type);
  if (op == Op::divide && is_whole) return whole_quotient(type, first, second);
  return step(op, type, type, {first, second});
}

CValue CSteps::comparison(Op op, const CValue& x, const CValue& y) {
  const TypeId type = common_type(x, y);
  return step(op, type, TypeId::bool_, {cast(x, type), cast(y, type)});
}

CValue CSteps::logic(Op op, const CValue& x, const CValue& y) {
  return step(op, TypeId::bool_, TypeId::bool_, {truth(x), truth(y)});
}

CValue CSteps::bits(Op op, const CValue& x, const CValue& y) {
  if (is_real(x) || is_real(y)) return refuse();
  const bool are_bools = x.type == TypeId::bool_ && y.type == TypeId::bool_;
  const TypeId type = are_bools ? TypeId::bool_ : common_type(x, y);
  return step(op, type, type, {cast(x, type), cast(y, type)});
}

CValue CSteps::choice(const CValue& condition, const CValue& x, const CValue& y) {
  const bool are_bools = x.type == TypeId::bool_ && y.type == TypeId::bool_;
  const TypeId type = are_bools ? TypeId::bool_ : common_type(x, y);
  return step(Op::where, type, type, {truth(condition), cast(x, type), cast(y, type)});
}

CValue CSteps::chosen(const CValue& condition, const CValue& x, const CValue& y) {
  const bool are_numbers = x.number && y.number;
  if (are_numbers ? has_same_bits(*x.number, *y.number)
                  : !x.number && !y.number && x.value == y.value)
    return x;
  return step(Op::where, x.type, x.type, {condition, x, y});
}

CValue CSteps::function(Op op, std::span<const CValue> operands) {
  const TypeId type = operands[0].type;
  const bool is_either = op == Op::maximum || op == Op::minimum;
  for (const CValue& operand : operands)
    if (operand.type != type || type == TypeId::bool_ || !(is_real(operand) || is_either))
      return refuse();
  if (is_either && is_real(operands[0])) {
    // OpenCL C leaves NaN open, and where the zeros differ compilers for CPUs give the second one
    const Op comparison = op == Op::maximum ? Op::greater : Op::less;
    const CValue is_first = step(comparison, type, TypeId::bool_, operands);
    return step(Op::where, type, type, {is_first, operands[0], operands[1]});
  }
  const bool is_truth = info(op).rule == ResultRule::boolean;
  return step(op, type, is_truth ? TypeId::bool_ : type, operands);
}

std::optional<UserSteps> CSteps::finish(const CValue& result) {
  const std::uint16_t last = place(result);
  if (!is_right_) return std::nullopt;
  // what only variables that nobody reads are made of is left out
  constexpr std::uint16_t unused = 0xffff;
  std::vector<std::uint16_t> numbers(numbers_.size(), unused), steps(steps_.size(), unused);
  const auto number_of = [](std::uint16_t value) -> std::size_t {
    return value & ~(number_bit | result_bit);
  };
  const auto use = [&](std::uint16_t value) {
    if (value & result_bit)
      steps[number_of(value)] = 0;
    else if (value & number_bit)
      numbers[number_of(value)] = 0;
  };
  use(last);
  for (std::size_t k = steps_.size(); k-- > 0;)
    for (int operand = 0; steps[k] == 0 && operand < info(steps_[k].op).arity; ++operand)
      use(steps_[k].operands[operand]);
  UserSteps made{{}, {}, 0, has_fp64_};
  auto next = static_cast<std::uint16_t>(parameters_);
  for (std::size_t k = 0; k < numbers.size(); ++k) {
    if (numbers[k] == unused) continue;
    numbers[k] = next++;
    made.numbers.push_back(numbers_[k]);
  }
  const auto final = [&](std::uint16_t value) {
    if (value & result_bit) return steps[number_of(value)];
    return value & number_bit ? numbers[number_of(value)] : value;
  };
  for (std::size_t k = 0; k < steps.size(); ++k) {
    if (steps[k] == unused) continue;
    steps[k] = next++;
    Step step = steps_[k];
    for (int operand = 0; operand < info(step.op).arity; ++operand)
      step.operands[operand] = final(step.operands[operand]);
    made.steps.push_back(step);
  }
  made.result = final(last);
  return made;
}

}  // namespace isthmus::inline ISTHMUS_ABI::detail
