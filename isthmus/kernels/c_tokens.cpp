// c_tokens.cpp: C text in tokens, and its numbers.
#include "isthmus/kernels/c_tokens.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <string>

#include "isthmus/base/error.h"
#include "isthmus/base/format.h"

namespace isthmus::inline ISTHMUS_ABI::detail {

namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_lower(char c) { return c >= 'a' && c <= 'z'; }
bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }
constexpr std::string_view blanks = " \t\f\v";  // within a line
bool is_blank(char c) { return blanks.find(c) != blanks.npos; }
bool is_of_word(char c) { return is_lower(c) || is_upper(c) || is_digit(c) || c == '_'; }

/// Signs of several characters, longer ones first.
constexpr std::array<std::string_view, 29> signs{
    "<<=", ">>=", "...", "%:%", "++", "--", "->", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||",
    "+=",  "-=",  "*=",  "/=",  "%=", "&=", "|=", "^=", "//", "/*", "<:", "<%", ":>", "%:"};

std::size_t word_length(std::string_view text) {
  std::size_t end = 0;
  while (end < text.size() && is_of_word(text[end])) ++end;
  return end;
}

/// What C takes for a number before it looks at it.
std::size_t number_length(std::string_view text) {
  std::size_t end = 0;
  const auto is_exponent = [](char c) { return c == 'e' || c == 'E' || c == 'p' || c == 'P'; };
  for (; end < text.size(); ++end) {
    const bool is_sign = text[end] == '+' || text[end] == '-';
    if (is_sign ? end == 0 || !is_exponent(text[end - 1])
                : !is_of_word(text[end]) && text[end] != '.')
      break;
  }
  return end;
}

std::size_t sign_length(std::string_view text) {
  const auto is_it = [&](std::string_view sign) { return text.starts_with(sign); };
  const auto found = std::ranges::find_if(signs, is_it);
  return found == signs.end() ? 1 : found->size();
}

/// Without its end a comment goes on to that of the text, as one of a line does behind a backslash.
std::size_t comment_length(std::string_view text) {
  if (text.starts_with("/*")) return std::min(text.find("*/", 2), text.size() - 2) + 2;
  if (!text.starts_with("//")) return 0;
  std::size_t end = 0;
  do end = std::min(text.find('\n', end + 1), text.size());
  while (end < text.size() && text[end - 1] == '\\');
  return end;
}

/// Of one that surely ends where it seems to: without a backslash, which ??/ is, too.
std::size_t plain_comment_length(std::string_view text) {
  const std::string_view comment = text.substr(0, comment_length(text));
  const bool has_end = comment.starts_with("//") ? comment.size() < text.size()
                                                 : comment.size() > 3 && comment.ends_with("*/");
  const bool may_go_on = comment.find('\\') != comment.npos || comment.find("??") != comment.npos;
  return has_end && !may_go_on ? comment.size() : 0;
}

/// A text in quotes, from the first one on; it ends with its line.
std::size_t quoted_length(std::string_view text) {
  std::size_t end = 1;
  for (; end < text.size() && text[end] != text[0] && text[end] != '\n'; ++end)
    if (text[end] == '\\') ++end;
  const bool is_of_line = end < text.size() && text[end] == '\n';
  return is_of_line ? end : std::min(end + 1, text.size());
}

/// The text with "\n" at the end of each line, and none behind a backslash that joins two.
std::string joined_lines(std::string_view text) {
  std::string lines;
  for (std::size_t k = 0; k < text.size(); ++k) {
    const bool is_pair = text[k] == '\r' && k + 1 < text.size() && text[k + 1] == '\n';
    if (!is_pair) lines += text[k] == '\r' ? '\n' : text[k];
  }
  std::string out;
  for (const char c : lines) {
    // compilers pass over blanks behind the backslash
    const std::size_t last = c == '\n' ? out.find_last_not_of(blanks) : out.npos;
    if (last != out.npos && out[last] == '\\')
      out.resize(last);
    else
      out += c;
  }
  return out;
}

/// Takes blanks, then a word, from the front.
std::string_view take_word(std::string_view& line) {
  line.remove_prefix(std::min(line.find_first_not_of(blanks), line.size()));
  const std::string_view word = line.substr(0, word_length(line));
  line.remove_prefix(word.size());
  return word;
}

/// Directives that leave macros as they are.
constexpr std::array<std::string_view, 11> harmless{
    "", "if", "ifdef", "ifndef", "elif", "else", "endif", "error", "warning", "line", "ident"};

/// The type of the first in C's order that holds the number.
std::optional<TypeId> type_of_whole(std::uint64_t value, bool is_hexadecimal, bool is_unsigned,
                                    bool is_long) {
  const auto fits = [&](auto limit) { return value <= static_cast<std::uint64_t>(limit); };
  const bool may_be_unsigned = is_unsigned || is_hexadecimal;
  if (!is_long && !is_unsigned && fits(std::numeric_limits<std::int32_t>::max()))
    return TypeId::int32;
  if (!is_long && may_be_unsigned && fits(std::numeric_limits<std::uint32_t>::max()))
    return TypeId::uint32;
  if (!is_unsigned && fits(std::numeric_limits<std::int64_t>::max())) return TypeId::int64;
  if (may_be_unsigned) return TypeId::uint64;
  return std::nullopt;
}

std::optional<Scalar> whole_number(std::string_view token) {
  const bool is_hexadecimal = token.starts_with("0x") || token.starts_with("0X");
  bool is_unsigned = false, is_long = false;
  for (; !token.empty(); token.remove_suffix(1)) {
    const char last = token.back();
    const bool is_u = last == 'u' || last == 'U', is_l = last == 'l' || last == 'L';
    if (!is_u && !is_l) break;
    if (is_u ? is_unsigned : is_long) return std::nullopt;
    (is_u ? is_unsigned : is_long) = true;
  }
  if (is_hexadecimal) token.remove_prefix(2);
  if (token.empty() || (!is_hexadecimal && token.size() > 1 && token[0] == '0'))
    return std::nullopt;
  std::uint64_t value = 0;
  const char* const end = token.data() + token.size();
  const auto [at, error] = std::from_chars(token.data(), end, value, is_hexadecimal ? 16 : 10);
  if (error != std::errc() || at != end) return std::nullopt;
  const auto type = type_of_whole(value, is_hexadecimal, is_unsigned, is_long);
  if (!type) return std::nullopt;
  Scalar made = Scalar::of(value);
  if (DType(*type).family == Family::integer) made = Scalar::of(static_cast<std::int64_t>(value));
  made.dtype = *type;
  return made;
}

template <class Real>
std::optional<Scalar> fraction(std::string_view token, TypeId type) {
  Real value = 0;
  const char* const end = token.data() + token.size();
  const auto [at, error] = std::from_chars(token.data(), end, value);
  if (error != std::errc() || at != end) return std::nullopt;
  return Scalar::of(Complex<double>{static_cast<double>(value), 0}, type);
}

/// What means something in OpenCL C, or in the dialects of C that compilers of it come from.
constexpr std::array reserved{
    "asm",      "auto",    "bool",      "break",     "case",       "channel",   "char",
    "complex",  "const",   "constant",  "continue",  "default",    "do",        "double",
    "else",     "enum",    "extern",    "false",     "float",      "for",       "generic",
    "global",   "goto",    "half",      "if",        "image",      "imaginary", "inline",
    "int",      "kernel",  "linux",     "local",     "long",       "pipe",      "pixel",
    "printf",   "private", "quad",      "read_only", "read_write", "register",  "restrict",
    "return",   "short",   "signed",    "sizeof",    "static",     "struct",    "switch",
    "true",     "typedef", "typeof",    "uchar",     "uint",       "ulong",     "uniform",
    "union",    "unix",    "unsigned",  "ushort",    "vec_step",   "vector",    "void",
    "volatile", "while",   "write_only"};

/// Of these, those that all compilers take as names of parameters.
constexpr std::array free_as_parameters{"channel", "complex", "image",  "imaginary",
                                        "linux",   "pixel",   "printf", "quad",
                                        "uniform", "unix",    "vector"};

}  // namespace

std::string only_code(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const bool is_quoted = text[0] == '"' || text[0] == '\'';
    const std::size_t left_out = is_quoted ? quoted_length(text) : comment_length(text);
    out += left_out > 0 ? ' ' : text[0];
    text.remove_prefix(std::max(left_out, std::size_t{1}));
  }
  return out;
}

std::string on_own_lines(std::string_view text) {
  const auto begins_a_directive = [](std::string_view line) {
    const std::size_t mark = line.find_first_not_of(" \t");
    return mark != line.npos && line[mark] == '#';
  };
  const std::string_view last = text.substr(text.rfind('\n') + 1);  // all of it without one
  std::string out;
  if (begins_a_directive(text)) out += '\n';
  out += text;
  if (begins_a_directive(last) || last.find("//") != last.npos) out += '\n';
  return out;
}

void check_compilable(std::string_view who, std::initializer_list<std::string_view> texts) {
  constexpr int deepest = 1000;  // Intel's compiler (2026.2) crashes at some 2,500
  for (const std::string_view text : texts) {
    check(text.find('\0') == text.npos, Errc::value,
          "{}: the code has a NUL character, at which a compiler would stop reading", who);
    int depth = 0, most = 0;
    for (const char c : only_code(text)) {
      depth += c == '(' || c == '[' || c == '{' ? 1 : c == ')' || c == ']' || c == '}' ? -1 : 0;
      most = std::max(most, depth);
    }
    check(most <= deepest, Errc::value, "{}: the code nests {} brackets; at most {} are allowed",
          who, most, deepest);
  }
}

std::optional<std::vector<std::string>> macros_of(std::string_view text) {
  for (const std::string_view other : {"??", "%:", "_Pragma"})
    if (text.find(other) != text.npos) return std::nullopt;
  std::vector<std::string> names;
  const std::string code = only_code(joined_lines(text));
  for (std::string_view rest = code; !rest.empty();) {
    std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(line.size() + 1, rest.size()));
    if (!take_word(line).empty() || !line.starts_with('#')) continue;
    line.remove_prefix(1);
    const std::string_view directive = take_word(line);
    if (directive == "pragma" ? line.find("macro") == line.npos
                              : std::ranges::find(harmless, directive) != harmless.end())
      continue;
    const std::string_view name = take_word(line);
    const bool is_whole = line.empty() || line[0] == '(' || is_blank(line[0]);
    if ((directive != "define" && directive != "undef") || name.empty() || !is_whole)
      return std::nullopt;
    if (std::ranges::find(names, name) == names.end()) names.emplace_back(name);
  }
  return names;
}

std::vector<CToken> c_tokens(std::string_view text) {
  using Kind = CToken::Kind;
  std::vector<CToken> tokens;
  while (!text.empty()) {
    const char first = text[0];
    if (std::string_view(" \t\n\r\f\v").find(first) != std::string_view::npos) {
      text.remove_prefix(1);
      continue;
    }
    if (const std::size_t comment = plain_comment_length(text)) {
      text.remove_prefix(comment);
      continue;
    }
    const bool is_number =
        is_digit(first) || (first == '.' && text.size() > 1 && is_digit(text[1]));
    const Kind kind = is_number ? Kind::number : is_of_word(first) ? Kind::name : Kind::sign;
    const std::size_t length = is_number            ? number_length(text)
                               : kind == Kind::name ? word_length(text)
                                                    : sign_length(text);
    tokens.push_back({kind, text.substr(0, length)});
    text.remove_prefix(length);
  }
  tokens.emplace_back();
  return tokens;
}

std::optional<Scalar> c_number(std::string_view token) {
  const bool is_hexadecimal = token.starts_with("0x") || token.starts_with("0X");
  if (is_hexadecimal || token.find_first_of(".eE") == std::string_view::npos)
    return whole_number(token);
  const bool is_float = token.ends_with('f') || token.ends_with('F');
  if (is_float) token.remove_suffix(1);
  return is_float ? fraction<float>(token, TypeId::float32)
                  : fraction<double>(token, TypeId::float64);
}

bool is_word_of_c(std::string_view name) {
  if (name == "complex64" || name == "complex128") return true;  // types of our own text
  if (name.starts_with("__")) name.remove_prefix(2);             // __kernel is kernel
  const auto has = [&](const auto& names) { return std::ranges::find(names, name) != names.end(); };
  return has(reserved) && !has(free_as_parameters);
}

bool is_free_in_c(std::string_view name) {
  std::string_view stem = name;
  while (!stem.empty() && is_digit(stem.back())) stem.remove_suffix(1);
  // macros are written in capitals; what begins with an underscore is the compiler's
  const bool is_plain = std::ranges::any_of(name, is_lower) || stem.size() == 1;
  if (!is_plain || name[0] == '_' || name.ends_with("_t")) return false;
  for (const std::string_view prefix : {"cfloat", "cdouble", "complex", "as_", "convert_", "user_"})
    if (name.starts_with(prefix)) return false;
  const auto is_it = [&](std::string_view word) { return word == name || word == stem; };
  return std::ranges::none_of(reserved, is_it);
}

}  // namespace isthmus::inline ISTHMUS_ABI::detail
