// arithmetic.cpp: texts that are plain arithmetic, as steps.
#include "isthmus/kernels/arithmetic.h"

#include <algorithm>
#include <array>
#include <utility>

#include "isthmus/kernels/c_steps.h"
#include "isthmus/kernels/c_tokens.h"

namespace isthmus::inline ISTHMUS_ABI::detail {

namespace {

/// Deeper ones are left to compilers.
constexpr int deepest = 200;

struct Variable {
  std::string_view name;
  TypeId type;
  bool is_const = false;
  std::optional<CValue> value;  ///< Nothing before it is assigned.
};

struct BinarySign {
  std::string_view sign;
  int level;  ///< The higher, the closer it binds.
  Op op;
  enum class Kind : std::uint8_t { arithmetic, comparison, logic, bits } kind;
};
using Kind = BinarySign::Kind;
constexpr std::array<BinarySign, 16> binary_signs{{
    {"||", 1, Op::logical_or, Kind::logic},
    {"&&", 2, Op::logical_and, Kind::logic},
    {"|", 3, Op::bitwise_or, Kind::bits},
    {"^", 4, Op::bitwise_xor, Kind::bits},
    {"&", 5, Op::bitwise_and, Kind::bits},
    {"==", 6, Op::equal, Kind::comparison},
    {"!=", 6, Op::not_equal, Kind::comparison},
    {"<", 7, Op::less, Kind::comparison},
    {"<=", 7, Op::less_equal, Kind::comparison},
    {">", 7, Op::greater, Kind::comparison},
    {">=", 7, Op::greater_equal, Kind::comparison},
    {"+", 8, Op::add, Kind::arithmetic},
    {"-", 8, Op::subtract, Kind::arithmetic},
    {"*", 9, Op::multiply, Kind::arithmetic},
    {"/", 9, Op::divide, Kind::arithmetic},
    {"%", 9, Op::fmod, Kind::arithmetic},
}};

const BinarySign* find_sign(std::string_view sign) {
  const auto is_it = [&](const BinarySign& row) { return row.sign == sign; };
  const auto found = std::ranges::find_if(binary_signs, is_it);
  return found == binary_signs.end() ? nullptr : &*found;
}

constexpr std::array<std::pair<std::string_view, TypeId>, 11> type_words{{
    {"bool", TypeId::bool_},
    {"char", TypeId::int8},
    {"uchar", TypeId::uint8},
    {"short", TypeId::int16},
    {"ushort", TypeId::uint16},
    {"int", TypeId::int32},
    {"uint", TypeId::uint32},
    {"long", TypeId::int64},
    {"ulong", TypeId::uint64},
    {"float", TypeId::float32},
    {"double", TypeId::float64},
}};

/// Functions of OpenCL C whose rows say by other means what they do.
constexpr std::array<std::pair<std::string_view, Op>, 8> said_otherwise{{
    {"fmax", Op::fmax},
    {"fmin", Op::fmin},
    {"fmod", Op::fmod},
    {"isfinite", Op::isfinite},
    {"isinf", Op::isinf},
    {"isnan", Op::isnan},
    {"max", Op::maximum},
    {"min", Op::minimum},
}};

/// The row whose expression of floats is a call of that function of C and OpenCL C, or means it.
std::optional<Op> find_function(std::string_view name, std::size_t operands) {
  constexpr std::array<std::string_view, 3> lists{"(x)", "(x, y)", "(x, y, z)"};
  if (operands < 1 || operands > lists.size() || name.starts_with("real_")) return std::nullopt;
  for (const auto& [known, op] : said_otherwise)
    if (known == name && info(op).arity == operands) return op;
  for (std::size_t k = 0; k < all_ops.size(); ++k) {
    const std::string_view text = all_ops[k].real;
    if (text.starts_with(name) && text.substr(name.size()) == lists[operands - 1])
      return static_cast<Op>(k);
  }
  return std::nullopt;
}

/// Reads statements from the first to the last. What cannot be read ends the tokens, so that all
/// loops end, too.
class Reader {
 public:
  explicit Reader(const ArithmeticText& text)
      : text_(text), tokens_(c_tokens(text.operation)), steps_(text.parameters.size()) {
    for (std::size_t k = 0; k < text.parameters.size(); ++k) {
      const auto& [name, parameter] = text.parameters[k];
      is_read_ = is_read_ && !parameter.is_raw;
      const auto value = static_cast<std::uint16_t>(k);
      add(name, parameter.type, true, CValue{parameter.type.id, value, {}});
    }
    for (const auto& [name, type] : text.outputs) add(name, type, false, std::nullopt);
  }

  std::optional<UserSteps> read(std::size_t output) {
    while (is_read() && token().kind != CToken::Kind::end) statement();
    const Variable* const made = find(text_.outputs[output].first);
    if (!is_read() || !made || !made->value) return std::nullopt;
    return steps_.finish(*made->value);
  }

 private:
  bool is_read() const { return is_read_ && steps_.is_right(); }
  void give_up() { is_read_ = false; }
  const CToken& token() const { return is_read() ? tokens_[at_] : tokens_.back(); }
  bool is_next(std::string_view text) const {
    return token().kind != CToken::Kind::end && token().text == text;
  }
  bool take(std::string_view text) {
    const bool is_it = is_next(text);
    at_ += is_it;
    return is_it;
  }
  void expect(std::string_view text) {
    if (!take(text)) give_up();
  }

  Variable* find(std::string_view name) {
    const auto is_it = [&](const Variable& known) { return known.name == name; };
    const auto found = std::ranges::find_if(variables_, is_it);
    return found == variables_.end() ? nullptr : &*found;
  }

  /// A variable of a dtype that users' texts have as a number.
  void add(std::string_view name, DType type, bool is_const, std::optional<CValue> value) {
    const bool is_number = type.family == Family::boolean || type.family == Family::integer ||
                           type.family == Family::natural || type == DType(TypeId::float32) ||
                           type == DType(TypeId::float64);
    if (!is_number) return give_up();
    declare(name, type.id, is_const, std::move(value));
  }

  void declare(std::string_view name, TypeId type, bool is_const, std::optional<CValue> value) {
    const bool is_letter = name.size() == 1 && text_.types.contains(name[0]);
    if (find(name) || is_letter || !is_free_in_c(name) || is_function(name)) return give_up();
    if (type == TypeId::float64) steps_.note_fp64();
    variables_.push_back({name, type, is_const, std::move(value)});
  }

  static bool is_function(std::string_view name) {
    return find_function(name, 1) || find_function(name, 2) || find_function(name, 3);
  }

  /// Whether a type begins here, and how many tokens it has.
  std::optional<TypeId> type_at(std::size_t at, std::size_t& length) const {
    if (!is_read() || tokens_[at].kind != CToken::Kind::name) return std::nullopt;
    const std::string_view word = tokens_[at].text;
    length = 1;
    if (word.size() == 1) {
      const auto letter = text_.types.find(word[0]);
      if (letter == text_.types.end()) return std::nullopt;
      // a letter for a dtype that is no number is not the type of any variable that was read
      return letter->second.id;
    }
    const auto find_type = [](std::string_view name) {
      const auto is_it = [&](const auto& row) { return row.first == name; };
      return std::ranges::find_if(type_words, is_it);
    };
    const auto known = find_type(word);
    if (known != type_words.end()) return known->second;
    if (word != "unsigned") return std::nullopt;
    const std::string_view next = tokens_[at + 1].text;
    if (next != "char" && next != "short" && next != "int" && next != "long") return TypeId::uint32;
    length = 2;
    return find_type(next)[1].second;  // the unsigned one stands behind it
  }

  void statement() {
    if (++depth_ > deepest) give_up();
    if (take("{"))
      block();
    else if (take("if"))
      choice();
    else
      simple_statement();
    --depth_;
  }

  /// Behind the brace. What it declares ends with it.
  void block() {
    const std::size_t outside = variables_.size();
    while (is_read() && !is_next("}")) {
      if (token().kind == CToken::Kind::end) return give_up();
      statement();
    }
    expect("}");
    variables_.resize(outside);
  }

  /// Behind the word. Both ways are calculated, and each variable chooses.
  void choice() {
    expect("(");
    const CValue condition = steps_.truth(expression());
    expect(")");
    const std::vector<Variable> before = variables_;
    branch();
    const std::vector<Variable> chosen = std::exchange(variables_, before);
    if (take("else")) branch();
    for (std::size_t k = 0; is_read() && k < variables_.size(); ++k) {
      std::optional<CValue>& value = variables_[k].value;
      // what one way leaves as it was made has a value in that way alone
      if (value && chosen[k].value)
        value = steps_.chosen(condition, *chosen[k].value, *value);
      else
        value.reset();
    }
  }

  /// A declaration is none.
  void branch() {
    std::size_t length = 0;
    if (is_next("const") || type_at(at_, length)) return give_up();
    statement();
  }

  void simple_statement() {
    std::size_t length = 0;
    const bool is_const = take("const");
    if (const auto type = type_at(at_, length)) {
      at_ += length;
      do declaration(*type, is_const);
      while (take(","));
    } else if (is_const) {
      give_up();
    } else if (token().kind == CToken::Kind::name) {
      assignment();
    }
    if (token().kind != CToken::Kind::end) expect(";");
  }

  void declaration(TypeId type, bool is_const) {
    const CToken name = token();
    if (name.kind != CToken::Kind::name) return give_up();
    ++at_;
    std::optional<CValue> value;
    if (take("=")) value = converted(expression(), type);
    if (!value && is_const) return give_up();
    declare(name.text, type, is_const, std::move(value));
  }

  void assignment() {
    Variable* const variable = find(token().text);
    if (!variable || variable->is_const) return give_up();
    ++at_;
    const std::string_view sign = token().text;
    const BinarySign* operation = nullptr;
    if (sign != "=") {
      operation = sign.size() == 2 && sign[1] == '=' ? find_sign(sign.substr(0, 1)) : nullptr;
      const bool is_known = operation && operation->kind != Kind::comparison && variable->value;
      if (!is_known) return give_up();
    }
    ++at_;
    CValue value = expression();
    if (operation) value = binary(*operation, *variable->value, value);
    variable->value = converted(value, variable->type);
  }

  /// As an assignment converts.
  CValue converted(const CValue& value, TypeId type) {
    if (type == TypeId::float64) steps_.note_fp64();
    return type == TypeId::bool_ ? steps_.boolean(value) : steps_.cast(value, type);
  }

  CValue expression() {
    if (++depth_ > deepest) give_up();
    CValue value = operators(1);
    if (take("?")) {
      const CValue yes = expression();
      expect(":");
      value = steps_.choice(value, yes, expression());
    }
    --depth_;
    return value;
  }

  /// Operators of at least that level.
  CValue operators(int level) {
    CValue value = unary();
    for (;;) {
      const BinarySign* const sign = find_sign(token().text);
      if (!sign || sign->level < level || token().kind != CToken::Kind::sign) return value;
      ++at_;
      value = binary(*sign, value, operators(sign->level + 1));
    }
  }

  CValue binary(const BinarySign& sign, const CValue& x, const CValue& y) {
    switch (sign.kind) {
      case Kind::arithmetic: return steps_.arithmetic(sign.op, x, y);
      case Kind::comparison: return steps_.comparison(sign.op, x, y);
      case Kind::logic: return steps_.logic(sign.op, x, y);
      case Kind::bits: return steps_.bits(sign.op, x, y);
    }
    return steps_.refuse();
  }

  CValue unary() {
    if (++depth_ > deepest) give_up();
    CValue value = steps_.nothing();
    if (take("-"))
      value = steps_.negative(unary());
    else if (take("+"))
      value = steps_.promoted(unary());
    else if (take("!"))
      value = steps_.inverse(unary());
    else if (take("~"))
      value = steps_.inverted_bits(unary());
    else
      value = primary();
    --depth_;
    return value;
  }

  CValue primary() {
    const CToken first = token();
    if (first.kind == CToken::Kind::number) {
      ++at_;
      const std::optional<Scalar> number = c_number(first.text);
      return number ? steps_.number(*number) : steps_.refuse();
    }
    if (first.kind == CToken::Kind::name) {
      ++at_;
      if (take("(")) return call(first.text);
      const Variable* const variable = find(first.text);
      return variable && variable->value ? *variable->value : steps_.refuse();
    }
    if (!take("(")) return steps_.refuse();
    std::size_t length = 0;
    if (const auto type = type_at(at_, length)) {
      at_ += length;
      expect(")");
      return converted(unary(), *type);
    }
    const CValue value = expression();
    expect(")");
    return value;
  }

  /// Behind the parenthesis. OpenCL C has a function for each type, and none for mixed ones.
  CValue call(std::string_view name) {
    SmallVector<CValue, 3> operands;
    do operands.push_back(expression());
    while (operands.size() < 3 && take(","));
    expect(")");
    const std::optional<Op> op = find_function(name, operands.size());
    return op && !find(name) ? steps_.function(*op, operands) : steps_.refuse();
  }

  const ArithmeticText& text_;
  const std::vector<CToken> tokens_;
  std::size_t at_ = 0;
  int depth_ = 0;
  bool is_read_ = true;
  std::vector<Variable> variables_;
  CSteps steps_;
};

}  // namespace

std::optional<UserSteps> read_arithmetic(const ArithmeticText& text, std::size_t output) {
  return Reader(text).read(output);
}

}  // namespace isthmus::inline ISTHMUS_ABI::detail
