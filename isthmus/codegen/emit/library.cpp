// library.cpp: the .inc files as functions that can be printed one by one, for one type.
#include "isthmus/codegen/emit/library.h"

#include <map>
#include <vector>

namespace isthmus::text {
extern const std::string_view exponent_functions, opaque_functions, half_functions,
    double_functions, cast_functions, integer_functions, philox_functions, random_functions,
    real_functions, special_functions, complex_functions, complex_pow_functions,
    named_complex_functions;
}

namespace isthmus::emitting {

namespace {

struct Function {
  std::string text;
  bool is_typed;
};

std::string without_comments(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t comment = std::min(text.find("//", i), text.size());
    out += text.substr(i, comment - i);
    i = std::min(text.find('\n', comment), text.size());
    while (comment < text.size() && !out.empty() && out.back() == ' ') out.pop_back();
    if (comment < text.size() && (out.empty() || out.back() == '\n')) ++i;  // it had its own line
  }
  return out;
}

struct Library {
  std::vector<Function> functions;
  std::map<std::string, std::vector<int>, std::less<>> by_name;

  Library() {
    // callees before callers
    for (const std::string_view file :
         {text::exponent_functions, text::opaque_functions, text::half_functions,
          text::double_functions, text::cast_functions, text::integer_functions,
          text::philox_functions, text::random_functions, text::real_functions,
          text::special_functions, text::complex_functions, text::complex_pow_functions,
          text::named_complex_functions})
      add(without_comments(file));
  }

  /// Each function begins a line with the word FUNCTION.
  void add(const std::string& file) {
    constexpr std::string_view word = "FUNCTION ";
    std::size_t begin = file.find(word);
    while (begin != file.npos) {
      const std::size_t next = file.find("\nFUNCTION ", begin);
      std::string text = file.substr(begin, next == file.npos ? next : next - begin);
      while (text.back() == '\n') text.pop_back();
      bool is_typed = false;
      each_token(text, [&](std::string_view w) { is_typed |= w == "T" || w == "U" || w == "R"; });
      const std::size_t parenthesis = text.find('(');
      const std::size_t name = text.rfind(' ', parenthesis) + 1;
      by_name[text.substr(name, parenthesis - name)].push_back(static_cast<int>(functions.size()));
      functions.push_back({std::move(text), is_typed});
      begin = next == file.npos ? next : next + 1;
    }
  }
};

const Library& library() {
  static const Library& library = *new Library;
  return library;
}

bool is_fraction(std::string_view number) {
  if (number.starts_with("0x")) return false;
  return number.find_first_of(".e") != number.npos && number.back() != 'f';
}

}  // namespace

std::size_t end_of_token(std::string_view text, std::size_t begin) {
  const auto is_part = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  };
  if (!is_part(text[begin])) return begin + 1;
  const bool is_number = text[begin] >= '0' && text[begin] <= '9';
  const bool is_hexadecimal = text.substr(begin, 2) == "0x";
  std::size_t end = begin + 1;
  while (end < text.size()) {
    const char before = text[end - 1];
    const bool is_sign = is_number && !is_hexadecimal && before == 'e' && text[end] == '-';
    if (!is_part(text[end]) && !(is_number && text[end] == '.') && !is_sign) break;
    ++end;
  }
  return end;
}

std::span<const int> functions_named(std::string_view name) {
  const auto found = library().by_name.find(name);
  if (found == library().by_name.end()) return {};
  return found->second;
}

int function_count() { return static_cast<int>(library().functions.size()); }

std::string_view text_of(int function) {
  return library().functions[static_cast<std::size_t>(function)].text;
}

bool is_typed(int function) {
  return library().functions[static_cast<std::size_t>(function)].is_typed;
}

std::string instantiate(std::string_view text, const Types& types) {
  std::string out;
  each_token(text, [&](std::string_view token) {
    if (token.starts_with("NAME_")) {
      out += types.name;
      token.remove_prefix(4);
    }
    if (token == "as_T" || token == "as_U") out += "as_";
    out += token == "T" || token == "as_T"   ? types.element
           : token == "U" || token == "as_U" ? types.natural
           : token == "R"                    ? types.real
                                             : token;
    const bool is_number = token[0] >= '0' && token[0] <= '9';
    if (is_number && types.real == "float" && is_fraction(token)) out += 'f';
  });
  return out;
}

std::string with_function_word(std::string_view text, std::string_view word) {
  std::string out;
  each_token(text, [&](std::string_view token) { out += token == "FUNCTION" ? word : token; });
  return out;
}

}  // namespace isthmus::emitting
