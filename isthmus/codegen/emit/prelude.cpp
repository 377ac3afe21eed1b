// prelude.cpp: the helper functions that a kernel's text calls, each printed once.
#include "isthmus/codegen/emit/prelude.h"

#include <algorithm>
#include <bit>
#include <cctype>

#include "isthmus/base/format.h"
#include "isthmus/codegen/emit/library.h"
#include "isthmus/codegen/emit/signature.h"
#include "isthmus/core/record_field.h"

namespace isthmus::emitting {

using detail::format;

namespace {

struct TypeNames {
  std::string_view held, moved;
};

constexpr TypeNames type_names[builtin_type_count] = {
    {"uchar", "uchar"},  {"char", "char"},        {"short", "short"},        {"int", "int"},
    {"long", "long"},    {"uchar", "uchar"},      {"ushort", "ushort"},      {"uint", "uint"},
    {"ulong", "ulong"},  {"float", "ushort"},     {"float", "ushort"},       {"float", "uint"},
    {"double", "ulong"}, {"complex64", "bits64"}, {"complex128", "bits128"},
};

/// Of users, by their places in a program.
constexpr std::string_view struct_names[most_structs] = {
    "isthmus_struct0",  "isthmus_struct1",  "isthmus_struct2",  "isthmus_struct3",
    "isthmus_struct4",  "isthmus_struct5",  "isthmus_struct6",  "isthmus_struct7",
    "isthmus_struct8",  "isthmus_struct9",  "isthmus_struct10", "isthmus_struct11",
    "isthmus_struct12", "isthmus_struct13", "isthmus_struct14", "isthmus_struct15"};

/// Structs that are printed where they are named, by the type of their parts.
constexpr std::pair<std::string_view, std::string_view> structs[] = {
    {"complex64", "float"}, {"complex128", "double"}, {"bits64", "uint"}, {"bits128", "ulong"}};

/// Of a float: as wide as it.
constexpr TypeId unsigned_of(TypeId type) {
  if (type == TypeId::float32) return TypeId::uint32;
  if (type == TypeId::float64) return TypeId::uint64;
  if (info(type).family != Family::integer) return type;
  return static_cast<TypeId>(static_cast<int>(type) + 4);
}
static_assert(unsigned_of(TypeId::int8) == TypeId::uint8 &&
              unsigned_of(TypeId::int64) == TypeId::uint64);

TypeId real_of(TypeId type) { return real_part(DType(type)).id; }

std::string_view expression_of(const auto& row, Family family) {
  switch (family) {
    case Family::boolean: return row.boolean;
    case Family::integer:
    case Family::natural: return row.integer;
    case Family::real: return row.real;
    default: return row.complex;
  }
}

/// Users' texts name the parts as pyopencl-complex.h does.
std::string print_for_users(std::string_view name, std::string_view part) {
  if (name.starts_with("bits"))
    return format("typedef struct {\n  {} re, im;\n} {};\n\n", part, name);
  std::string out = "typedef union {\n";
  for (const std::string_view parts : {"re, im", "real, imag", "x, y"})
    out += format("  struct {\n    {} {};\n  };\n", part, parts);
  return out + format("} {};\ntypedef {} c{}_t;\n\n", name, name, part);
}

/// The types of the numbers that a value is made of.
void add_numbers(DType type, std::vector<TypeId>& types) {
  if (type.is_builtin()) return types.push_back(type.id);
  for (const RecordType::Field& field : type.record->fields)
    if (const auto its = detail::dtype_of_field(field)) add_numbers(*its, types);
}

/// Lines that keep macros of these names, and take them back as they were; all compilers of OpenCL
/// C come from clang, which knows them.
std::string each_macro(std::string_view what, std::span<const std::string> names) {
  std::string out;
  for (const std::string& name : names) out += format("#pragma {}_macro(\"{}\")\n", what, name);
  return out;
}

/// "sin_float32", "sin_float32x16"
std::string name_of(std::string_view what, TypeId type, int width) {
  return width == 1 ? format("{}_{}", what, info(type).name)
                    : format("{}_{}x{}", what, info(type).name, width);
}

}  // namespace

std::string_view c_type(TypeId type) {
  return is_struct(type) ? struct_names[struct_place(type)]
                         : type_names[static_cast<int>(type)].held;
}

std::string vector_type(TypeId type, int width) {
  return width == 1 ? std::string(c_type(type)) : format("{}{}", c_type(type), width);
}

bool is_vectorizable(std::string_view expression) {
  return !expression.empty() && expression.find("real_") == expression.npos;
}

std::string_view memory_type(TypeId type, bool is_moved) {
  if (is_struct(type)) return c_type(type);
  const TypeNames& names = type_names[static_cast<int>(type)];
  return is_moved || is_half(type) ? names.moved : names.held;
}

void Prelude::need_calls(std::string_view text, TypeId type, bool is_generic) {
  each_token(text, [&](std::string_view word) {
    for (const int function : functions_named(word)) {
      const bool is_named = is_generic && word.starts_with("NAME_");
      const Place place{function, is_typed(function) ? type : TypeId::float32, is_named};
      if (library_.insert(place).second) need_calls(text_of(function), type, is_generic);
    }
  });
  for (const TypeId known : {type, real_of(type)}) need_type(c_type(known));
}

std::string Prelude::need(std::string_view function, TypeId type) {
  need_calls(function, held_type(type));
  return std::string(function);
}

std::string Prelude::need_expression(std::string name, std::string_view result,
                                     std::string parameters, std::string_view expression,
                                     TypeId type, int width) {
  const auto is_same = [&](const auto& known) { return known.first == name; };
  if (std::ranges::any_of(own_, is_same)) return name;
  need_calls(expression, type);
  const std::string element = vector_type(type, width);
  const Types types{element, c_type(unsigned_of(type)), c_type(real_of(type))};
  own_.emplace_back(name, format("FUNCTION {} {}({}) { return {}; }\n", result, name, parameters,
                                 instantiate(expression, types)));
  return name;
}

std::string Prelude::need_op(Op op, TypeId type, int width) {
  if (op == Op::nextafter && is_half(type))
    return need(type == TypeId::float16 ? "nextafter_float16" : "nextafter_bfloat16", type);
  const TypeId held = held_type(type);
  const OpInfo& row = info(op);
  const std::string c = vector_type(held, width);
  const std::string result = row.rule == ResultRule::boolean     ? "uchar"
                             : row.rule == ResultRule::real_part ? vector_type(real_of(held), width)
                             : row.rule == ResultRule::int32     ? vector_type(TypeId::int32, width)
                                                                 : c;
  const auto type_of_operand = [&](int operand) {
    const TypeId own = operand_type(op, operand, held);
    return own == held ? c : vector_type(own, own == TypeId::bool_ ? 1 : width);
  };
  std::string parameters = format("{} x", type_of_operand(0));
  if (row.arity > 1) parameters += format(", {} y", type_of_operand(1));
  if (row.arity > 2) parameters += format(", {} z", type_of_operand(2));
  // Intel's compiler (2026.2) on AVX-512 makes the inverse of a chosen value, such as ~min(x, y),
  // wrong in the last elements of a loop, or crashes, where it knows that it is one.
  const Family family = info(held).family;
  const bool is_inverse = op == Op::bitwise_invert && family != Family::boolean;
  const std::string_view expression =
      is_inverse ? "(T)(x ^ (T)all_ones())" : expression_of(row, family);
  return need_expression(name_of(row.name, held, width), result, parameters, expression, held,
                         width);
}

std::string Prelude::need_drawn(Op op, TypeId type) {
  const OpInfo& row = info(op);
  std::string expression(expression_of(row, info(type).family));
  constexpr std::string_view word = "random_word(", of_halves = "word_of_halves(";
  for (std::size_t at = 0; (at = expression.find(word, at)) != std::string::npos;
       at += of_halves.size())
    expression.replace(at, word.size(), of_halves);
  return need_expression(name_of(format("{}_of_halves", row.name), type, 1),
                         std::string(c_type(type)), "ulong x, ulong y, ulong z", expression, type);
}

std::string Prelude::need_combine(Reduction reduction, TypeId type, int width) {
  const TypeId held = held_type(type);
  const ReductionInfo& row = info(reduction);
  const std::string c = vector_type(held, width);
  return need_expression(name_of(format("combine_{}", row.name), held, width), c,
                         format("{} x, {} y", c, c), expression_of(row, info(held).family), held,
                         width);
}

StateNames Prelude::need_state(Reduction reduction, TypeId type) {
  const ReductionInfo& row = info(reduction);
  const std::string_view c = c_type(type);
  const auto named = [&](std::string_view what) {
    return name_of(format("{}{}", what, row.name), type, 1);
  };
  StateNames names{named("state_"), named("make_"), named("lift_"), named("combine_"),
                   named("finish_")};
  const auto calling_make = [&](std::string_view expression) {
    std::string out;
    each_token(expression,
               [&](std::string_view token) { out += token == "state" ? names.make : token; });
    return out;
  };
  const Types types{c, c_type(unsigned_of(type)), c_type(real_of(type))};
  for (std::size_t at = 0, end; (end = row.state.find(';', at)) != row.state.npos; at = end + 2) {
    const std::string field = instantiate(row.state.substr(at, end - at), types);
    const std::size_t space = field.rfind(' ');
    names.fields.emplace_back(field.substr(0, space), field.substr(space + 1));
  }
  define_state(names);
  need_expression(names.lift, names.type, format("{} x, long i", c), calling_make(row.lift), type);
  need_expression(names.combine, names.type, format("{} x, {} y", names.type, names.type),
                  calling_make(expression_of(row, info(type).family)), type);
  need_expression(names.finish, row.rule == AccumulateRule::index ? "long" : c,
                  format("{} x", names.type), row.finish, type);
  return names;
}

StateNames Prelude::need_state_vectors(Reduction reduction, TypeId type, int width) {
  constexpr TypeId by_length[] = {TypeId::int8, TypeId::int16, TypeId::int32, TypeId::int64};
  constexpr std::string_view choice = " ? x : y";
  const ReductionInfo& row = info(reduction);
  const auto named = [&](std::string_view what) {
    return name_of(format("{}{}", what, row.name), type, width);
  };
  const std::string_view combine = expression_of(row, info(type).family);
  const TypeId place_type = by_length[std::bit_width(info(type).bits / 8u) - 1];
  const std::string value = vector_type(type, width), place = vector_type(place_type, width);
  StateNames names{named("state_"), named("make_"), {}, named("keeps_")};
  names.fields = {{value, "value"}, {place, "index"}};
  define_state(names);
  need_expression(names.combine, place, format("{} x, {} y", names.type, names.type),
                  combine.substr(0, combine.rfind(choice)), type, width);
  return names;
}

namespace {

/// Expressions, with commas between them.
class Listed {
 public:
  void add(std::string_view each) { (text_ += text_.empty() ? "" : ", ") += each; }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

}  // namespace

StateNames Prelude::need_states(std::span<const HeldReduction> reductions) {
  StateNames names{"state_of_all", "make_all", {}, "combine_all"};
  StateNames elements{"elements_of_all", "make_elements"};
  Listed lifted, combined;
  std::string lifts, combines;  // statements that make the states of single rows
  for (std::size_t k = 0; k < reductions.size(); ++k) {
    const auto& [reduction, type] = reductions[k];
    const std::string field = format("value{}", k);
    need_type(c_type(type));
    elements.fields.emplace_back(c_type(type), field);
    if (!info(reduction).has_state()) {
      names.fields.emplace_back(c_type(type), field);
      names.results.push_back(format("total.{}", field));
      lifted.add("x." + field);
      combined.add(format("{}(x.{}, y.{})", need_combine(reduction, type), field, field));
      continue;
    }
    const StateNames own = need_state(reduction, type);
    lifts += format("  const {} s{} = {}(x.{}, i);\n", own.type, k, own.lift, field);
    Listed of_x, of_y, of_total;
    for (const auto& [field_type, name] : own.fields) {
      const std::string joined = format("{}_{}", field, name);
      names.fields.emplace_back(field_type, joined);
      lifted.add(format("s{}.{}", k, name));
      combined.add(format("s{}.{}", k, name));
      of_x.add("x." + joined), of_y.add("y." + joined), of_total.add("total." + joined);
    }
    combines += format("  const {} s{} = {}({}({}), {}({}));\n", own.type, k, own.combine, own.make,
                       of_x.text(), own.make, of_y.text());
    names.results.push_back(format("{}({}({}))", own.finish, own.make, of_total.text()));
  }
  define_state(names);
  const auto define = [&](const std::string& name, std::string_view of, std::string_view made_by,
                          std::string_view values) {
    own_.emplace_back(name, format("FUNCTION {} {}({}) {\n{}  return {}({});\n}\n", names.type,
                                   name, of, made_by, names.make, values));
  };
  define(names.combine, format("{} x, {} y", names.type, names.type), combines, combined.text());
  names.elements = names.type, names.make_elements = names.make;
  if (lifts.empty()) return names;
  define_state(elements);
  names.elements = elements.type, names.make_elements = elements.make;
  names.lift = "lift_all";
  define(names.lift, format("{} x, long i", elements.type), lifts, lifted.text());
  return names;
}

/// The struct, and what makes one of its fields; once, where several reductions are the same.
void Prelude::define_state(const StateNames& names) {
  if (std::ranges::find(own_, names.type, [](const auto& own) { return own.first; }) != own_.end())
    return;
  std::string members, parameters, values;  // "float value; ", "float value" and "value"
  for (const auto& [type, name] : names.fields) {
    members += format("  {} {};\n", type, name);
    parameters += format("{}{} {}", parameters.empty() ? "" : ", ", type, name);
    values += format("{}{}", values.empty() ? "" : ", ", name);
  }
  own_.emplace_back(names.type, format("typedef struct {\n{}} {};\n", members, names.type));
  own_.emplace_back(names.make,
                    format("FUNCTION {} {}({}) {\n  const {} made = {{}};\n  return made;\n}\n",
                           names.type, names.make, parameters, names.type, values));
}

std::string Prelude::need_user(const UserFunctionRef& function, int width) {
  const std::pair vectors{function, width};
  if (width > 1 && std::ranges::find(user_vectors_, vectors) == user_vectors_.end())
    user_vectors_.push_back(vectors);
  if (std::ranges::find(users_, function) != users_.end()) return function->name;
  users_.push_back(function);
  is_for_users_ = true;
  std::vector<TypeId> types;
  add_numbers(function->result, types);
  for (const UserFunction::Parameter& one : function->parameters) add_numbers(one.type, types);
  for (const TypeId type : types) need_type(c_type(held_type(type)));
  for (const std::string* text :
       {&function->text, &function->preamble, &function->identity, &function->options})
    need_words(*text, types);
  for (const UserStruct& one : function->structs) {
    need_words(one.text, types);
    if (std::ranges::find(structs_, one) == structs_.end()) structs_.push_back(one);
  }
  return function->name;
}

void Prelude::name_structs(std::span<const UserStruct> structs) {
  for (std::size_t k = 0; k < structs.size(); ++k)
    named_structs_ += format("typedef {} {};\n", structs[k].name, c_type(struct_type(k)));
}

/// NumPy's casts, with every case defined as the host executor does.
std::string Prelude::need_cast(TypeId from, TypeId to) {
  const TypeId source = held_type(from), target = held_type(to);
  const bool is_complex = info(source).family == Family::complex;
  const bool is_real = info(source).family == Family::real || is_complex;
  const bool is_to_integer =
      info(target).family == Family::integer || info(target).family == Family::natural;
  const TypeId parts = real_of(source);
  const std::string x = is_complex ? "x.re" : "x";
  const std::string_view c = c_type(target);
  std::string expression;
  TypeId called_for = parts;  ///< What functions in the expression are called on.
  if (target == TypeId::bool_) {
    expression = is_complex ? "(x.re != 0) | (x.im != 0)" : "x != 0";
  } else if (info(target).family == Family::complex) {
    const std::string_view part = c_type(real_of(target));
    called_for = target;
    expression = format("c_make(({}){}, ({}){})", part, x, part, is_complex ? "x.im" : "0");
  } else if (is_half(to) && !is_half(from) && parts == TypeId::float64) {
    return need_expression(format("{}_of_{}", info(to).name, info(source).name), c,
                           format("{} x", c_type(source)),
                           format("round_double_{}({})", info(to).name, x), source);
  } else if (is_real && is_to_integer) {
    const std::string_view by = target == TypeId::uint64 ? "real_to_ulong"
                                : info(target).bits < 32 || target == TypeId::int32
                                    ? "real_to_int"
                                    : "real_to_long";
    expression = format("({}){}({})", c, by, x);
  } else {
    expression = format("({}){}", c, x);
  }
  need_type(c);
  return need_expression(format("{}_of_{}", info(target).name, info(source).name), c,
                         format("{} x", c_type(source)), expression, called_for);
}

std::string Prelude::print(std::string_view function) const {
  std::string out;
  for (const auto& [name, part] : structs)
    if (types_.contains(name))
      out += is_for_users_ ? print_for_users(name, part)
                           : format("typedef struct {\n  {} re, im;\n} {};\n\n", part, name);
  for (const Place& place : library_) {
    const std::string_view name = place.is_generic                   ? "complex"
                                  : place.type == TypeId::complex128 ? "cdouble"
                                                                     : "cfloat";
    const Types types{c_type(place.type), c_type(unsigned_of(place.type)),
                      c_type(real_of(place.type)), name};
    out += instantiate(text_of(place.function), types) += "\n\n";
  }
  for (const std::string_view name : casts_)
    out += format("#define {}_cast(a) {}_new((a).real, (a).imag)\n", name, name);
  for (const auto& [name, text] : own_) out += text;
  out = with_function_word(out, function);
  for (const UserStruct& one : structs_) out += one.text;
  out += named_structs_;
  if (users_.empty()) return out;
  // a preamble, which all of them share, and what calls it
  const UserFunction& first = *users_[0].ref;
  out += each_macro("push", first.preamble_macros);
  if (!first.preamble.empty()) out += first.preamble + '\n';
  for (const UserFunctionRef& user : users_) {
    out += each_macro("push", user->macros);
    out += format("{} {}\n", function, user->text);
    out += each_macro("pop", user->macros);
  }
  for (const auto& [user, width] : user_vectors_) {
    out += format("{} ", function);
    each_token(user->vector_text,
               [&, width = width, type = user->result.id](std::string_view token) {
                 out += token == "VECTOR" ? vector_type(type, width) : std::string(token);
               });
    out += '\n';
  }
  return out += each_macro("pop", first.preamble_macros);
}

}  // namespace isthmus::emitting
