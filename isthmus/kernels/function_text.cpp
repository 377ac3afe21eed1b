// function_text.cpp: users' parameters and expressions as functions of a kernel.
#include "isthmus/kernels/function_text.h"

#include <algorithm>
#include <cctype>

#include "isthmus/array/apply.h"
#include "isthmus/array/index/positions.h"
#include "isthmus/array/place.h"
#include "isthmus/base/hash.h"
#include "isthmus/codegen/emit/library.h"
#include "isthmus/codegen/emit/prelude.h"
#include "isthmus/codegen/emit/signature.h"
#include "isthmus/graph/node.h"
#include "isthmus/kernels/c_tokens.h"
#include "isthmus/runtime/kernels/user_lines.h"

namespace isthmus::inline ISTHMUS_ABI::detail {

namespace {

std::string_view trimmed(std::string_view text) {
  const auto is_blank = [](char c) { return std::isspace(static_cast<unsigned char>(c)); };
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

std::vector<std::string_view> words_of(std::string_view text) {
  std::vector<std::string_view> words;
  for (text = trimmed(text); !text.empty(); text = trimmed(text)) {
    const auto end = std::min(text.find_first_of(" \t\n\r"), text.size());
    words.push_back(text.substr(0, end));
    text.remove_prefix(end);
  }
  return words;
}

KernelParameter parse_one(std::string_view who, std::string_view text,
                          std::span<const UserStruct> structs) {
  auto words = words_of(text);
  KernelParameter parameter;
  if (words.size() == 3 && words[0] == "raw") {
    parameter.is_raw = true;
    words.erase(words.begin());
  }
  check(
      words.size() == 2 && is_identifier(words[1]), Errc::value,
      "{}: '{}' is not a parameter; write a type and a name, as in \"float32 x, T y, raw T table\"",
      who, trimmed(text));
  parameter.name = words[1];
  check(!is_word_of_c(parameter.name), Errc::value,
        "{}: '{}': '{}' is a word of OpenCL C; take another name", who, trimmed(text),
        parameter.name);
  check(parameter.name != "i" && parameter.name != "n", Errc::value,
        "{}: '{}': i and n are the index and the number of elements; take another name", who,
        trimmed(text));
  const std::string_view type = words[0];
  if (type.size() == 1 && std::isupper(static_cast<unsigned char>(type[0]))) {
    parameter.placeholder = type[0];
    return parameter;
  }
  for (int id = 0; id < builtin_type_count; ++id)
    if (info(static_cast<TypeId>(id)).name == type) parameter.type = static_cast<TypeId>(id);
  for (const UserStruct& one : structs)
    if (one.name == type) parameter.type = one.dtype;
  check(parameter.type.has_value(), Errc::value,
        "{}: '{}': '{}' is not a dtype or a name in structs; write a dtype such as float32 or "
        "int64, or one capital letter for any",
        who, trimmed(text), type);
  return parameter;
}

/// Arrays whose elements the text itself indexes.
std::string parameter_text(const std::string& name, const UserFunction::Parameter& parameter,
                           std::span<const UserStruct> structs) {
  if (!parameter.is_raw) return format("const {} {}", c_name(parameter.type, structs), name);
  const std::string_view type = parameter.type == DType(TypeId::float16) ? "half"
                                : parameter.type == DType(TypeId::bool_)
                                    ? emitting::c_type(TypeId::bool_)  // bytes lie in memory
                                    : c_name(parameter.type, structs);
  return format("__global const {}* {}", type, name);
}

/// Whether an expression of values of one type means the same, to the bit, of vectors of them: it
/// has operators of arithmetic, numbers, functions that do not round by themselves, and sqrt. Or it
/// is the larger or the smaller of two.
bool is_of_vectors(const FunctionText& text) {
  bool is_known = true, has_value = false, has_number = false, has_call = false;
  std::string shape;  // with x for each value
  emitting::each_token(text.expression, [&](std::string_view token) {
    if (token == " ") return;
    const auto is_it = [&](const auto& parameter) { return parameter.first == token; };
    const bool is_value = std::ranges::any_of(text.parameters, is_it);
    const bool is_call =
        token == "sqrt" || token == "fabs" || token == "fmin" || token == "fmax" || token == ",";
    const bool is_whole = std::ranges::all_of(token, [](char c) { return c >= '0' && c <= '9'; });
    has_value |= is_value;
    has_number |= is_whole;
    has_call |= is_call;
    is_known &= is_value || is_whole || is_call ||
                std::string_view("+-*/()").find(token) != std::string_view::npos;
    shape += is_value ? "x" : token;
  });
  if (shape == "x>x?x:x" || shape == "x<x?x:x") return true;
  return is_known && has_value && !(has_number && has_call);
}

/// Its definition on vectors, if it has one. Macros may be for numbers alone.
std::string vector_text_of(const FunctionText& text, std::string_view name,
                           const std::optional<std::vector<std::string>>& macros) {
  if (!macros || text.options.others.find("-D") != std::string::npos) return {};
  for (const std::string& macro : *macros)
    if (names(text.expression, macro)) return {};
  if (text.result != DType(TypeId::float32) && text.result != DType(TypeId::float64)) return {};
  std::string list;
  for (const auto& [parameter, is] : text.parameters) {
    if (is.is_raw || is.type != text.result) return {};
    list += format("{}const VECTOR {}", list.empty() ? "" : ", ", parameter);
  }
  if (!is_of_vectors(text)) return {};
  return format("VECTOR {}({}) { return {}; }", name, list, text.expression);
}

}  // namespace

bool names(std::string_view text, std::string_view word) {
  bool is_named = false;
  emitting::each_token(text, [&](std::string_view token) { is_named |= token == word; });
  return is_named;
}

std::vector<KernelParameter> parse_parameters(std::string_view who, std::string_view text,
                                              std::span<const UserStruct> structs) {
  std::vector<KernelParameter> parameters;
  while (!trimmed(text).empty()) {
    const auto end = std::min(text.find(','), text.size());
    parameters.push_back(parse_one(who, text.substr(0, end), structs));
    const std::string& name = parameters.back().name;
    const auto is_it = [&](const KernelParameter& other) { return other.name == name; };
    check(std::ranges::count_if(parameters, is_it) == 1, Errc::value,
          "{}: two parameters are named '{}'", who, name);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  for (const KernelParameter& one : parameters)
    for (const KernelParameter& typed : parameters)
      check(typed.type || one.name != std::string(1, typed.placeholder), Errc::value,
            "{}: '{}' is a type and a name; take another letter or another name", who, one.name);
  return parameters;
}

DType type_of(const KernelParameter& parameter, const Placeholders& types) {
  return parameter.type ? *parameter.type : types.at(parameter.placeholder);
}

std::string_view c_name(DType type, std::span<const UserStruct> structs) {
  if (type == DType(TypeId::bool_)) return "bool";
  if (type.is_builtin()) return emitting::c_type(emitting::held_type(type.id));
  return find(structs, type)->name;
}

std::string type_text(const KernelParameter& parameter, std::span<const UserStruct> structs) {
  if (!parameter.type) return std::string(1, parameter.placeholder);
  return parameter.type->is_builtin() ? to_string(*parameter.type)
                                      : find(structs, *parameter.type)->name;
}

Numbering numbering_of(std::string_view text) { return {names(text, "i"), names(text, "n")}; }

void check_assigned(std::string_view who, std::span<const KernelParameter> out,
                    std::string_view text, std::string_view preamble) {
  const std::string read = only_code(text), macros = only_code(preamble);
  for (const KernelParameter& one : out)
    check(names(read, one.name) || names(macros, one.name), Errc::value,
          "{}: output '{}' is never assigned", who, one.name);
}

namespace {

/// Whether statements surely assign what has this name, an element of it with `is_raw`. Not where
/// they may declare a variable of this name, or have directives.
bool is_assigned(std::span<const CToken> tokens, std::string_view name, bool is_raw) {
  constexpr std::string_view signs[] = {
      "=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "++", "--", "<<=", ">>="};
  constexpr std::string_view before[] = {";", "{", "}", ")", ":", "else", "do", "++", "--"};
  constexpr std::string_view declarations_go_on[] = {"=", ",", ";", "["};
  const auto is_one_of = [](const CToken& token, std::span<const std::string_view> those) {
    return std::ranges::find(those, token.text) != those.end();
  };
  bool found = false;
  for (std::size_t k = 0; k + 1 < tokens.size(); ++k) {
    if (tokens[k].text == "#") return false;
    if (tokens[k].kind != CToken::Kind::name || tokens[k].text != name) continue;
    const CToken first{CToken::Kind::sign, ";"};
    const CToken& last = k > 0 ? tokens[k - 1] : first;
    std::size_t behind = k + 1;
    if (!is_one_of(last, before)) {
      const bool may_be_next = last.text == "*" || last.text == ",";
      const bool may_declare = last.kind == CToken::Kind::name ||
                               (may_be_next && is_one_of(tokens[behind], declarations_go_on));
      if (may_declare) return false;
      continue;
    }
    if (is_raw && tokens[behind].text == "[")
      for (int depth = 0; behind < tokens.size() - 1;) {
        depth += tokens[behind].text == "[" ? 1 : tokens[behind].text == "]" ? -1 : 0;
        ++behind;
        if (depth == 0) break;
      }
    found |= is_one_of(tokens[behind], signs) || last.text == "++" || last.text == "--";
  }
  return found;
}

}  // namespace

void check_statements(std::string_view who, std::string_view what,
                      std::span<const KernelParameter> in, std::string_view text) {
  const std::string code = only_code(text);
  check(!names(code, "return"), Errc::value,
        "{}: {}: 'return' is not allowed in statements for one element; assign the output, and put "
        "the rest into an else",
        who, what);
  const std::vector<CToken> tokens = c_tokens(code);
  for (const KernelParameter& one : in)
    check(!is_assigned(tokens, one.name, one.is_raw), Errc::value,
          "{}: {}: the input '{}' is assigned, but inputs are read-only; {}", who, what, one.name,
          one.is_raw ? "write a RawKernel, or assign the output"
                     : "assign a local variable, or the output");
}

bool is_assigned_first(std::string_view text, std::string_view name) {
  const std::vector<CToken> tokens = c_tokens(text);
  const auto is_it = [&](std::size_t k, std::string_view what) { return tokens[k].text == what; };
  int depth = 0;
  for (std::size_t k = 0; k + 1 < tokens.size(); ++k) {
    depth += is_it(k, "{") || is_it(k, "(") ? 1 : is_it(k, "}") || is_it(k, ")") ? -1 : 0;
    if (is_it(k, "return") || is_it(k, "goto") || is_it(k, "#")) return false;
    if (tokens[k].kind != CToken::Kind::name || !is_it(k, name)) continue;
    const bool is_statement = k == 0 || is_it(k - 1, ";") || is_it(k - 1, "}");
    if (depth != 0 || !is_statement || !is_it(k + 1, "=")) return false;
    for (k += 2; k < tokens.size() && !is_it(k, ";"); ++k)
      if (is_it(k, name)) return false;
    return true;
  }
  return false;
}

std::string zeroed(const KernelParameter& variable, const Placeholders& types) {
  const DType type = type_of(variable, types);
  if (!type.is_builtin()) return {};
  const std::string_view zero = type.id == TypeId::complex64    ? "cfloat_new(0, 0)"
                                : type.id == TypeId::complex128 ? "cdouble_new(0, 0)"
                                                                : "0";
  return format("  {} = {};\n", variable.name, zero);
}

UserFunctionRef make_function(const FunctionText& text) {
  auto made = make_ref<UserFunction>();
  made->shown = text.shown;
  const std::string& macros_given = text.options.macros;
  made->preamble = as_users("options", macros_given) +
                   as_users("preamble", emitting::without_complex_header(text.preamble));
  made->options = text.options.others;
  made->result = text.result;
  made->structs = text.structs;
  made->steps = text.steps;
  std::string list, types;
  for (const auto& [name, parameter] : text.parameters) {
    list += (list.empty() ? "" : ", ") + parameter_text(name, parameter, text.structs);
    made->parameters.push_back(parameter);
  }
  if (text.placeholders)
    for (const auto& [letter, type] : *text.placeholders)
      if (names(text.body + '\n' + text.options.defining(), std::string_view(&letter, 1)))
        types += format("  typedef {} {};\n", c_name(type, text.structs), letter);
  const std::string rest = format("({}) {\n{}{}}", list, types, text.body);
  const std::string_view result = c_name(text.result, text.structs);
  std::string definitions;
  for (const UserStruct& one : text.structs) definitions += one.text;
  made->name = "user_" + to_hex(sha256(format("{}{}{}{}{}{}", result, rest, definitions,
                                              text.options.macros + text.preamble, text.identity,
                                              made->options)))
                             .substr(0, 16);
  made->text = format("{} {}{}", result, made->name, rest);
  if (!text.identity.empty()) {
    // a function, so that the preamble's macros are known in it, and in no kernel
    made->identity = made->name + "_identity()";
    made->text += format("\nstatic {} {}_identity(void) {\n  {} made_ = {};\n  return made_;\n}",
                         result, made->name, result, text.identity);
  }
  auto macros = macros_of(made->text);
  made->is_alone = !macros;
  if (macros) made->macros = std::move(*macros);
  // where a preamble is not understood, its functions go together all the same
  auto of_preamble = macros_of(made->preamble);
  made->vector_text = vector_text_of(text, made->name, of_preamble);
  if (!of_preamble) of_preamble = macros_of(macros_given);
  if (of_preamble) made->preamble_macros = std::move(*of_preamble);
  return {std::move(made)};
}

Array call_function(std::string_view who, const UserFunctionRef& function,
                    std::span<const Value> operands, const Shape& shape, const Device& device) {
  auto node = std::make_unique<Node>(work::Call(function));
  node->operands.reserve(operands.size());
  node->operand_count = static_cast<std::uint8_t>(operands.size());
  for (std::size_t i = 0; i < operands.size(); ++i) {
    Operand& operand = node->operands[i];
    if (!operands[i].array) {
      operand.kind = Operand::Kind::scalar;
      operand.scalar = operands[i].scalar;
    } else if (function->parameters[i].is_raw) {
      show_base(operand, *operands[i].array);
    } else {
      show(operand, who, operands[i], shape);
    }
  }
  node->context = context_for(who, device, *node);
  PendingFacts facts;
  Ref<Storage> made = make_pending(
      function->result, device, row_major({shape.begin(), shape.end()}), std::move(node), &facts);
  return settle(std::move(made), facts);
}

}  // namespace isthmus::inline ISTHMUS_ABI::detail
