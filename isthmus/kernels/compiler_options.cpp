// compiler_options.cpp: -DN=4 as a line of a text, and what only a compiler understands.
#include "isthmus/kernels/compiler_options.h"

#include <algorithm>
#include <cctype>
#include <optional>

#include "isthmus/base/format.h"
#include "isthmus/kernels/c_tokens.h"

namespace isthmus::inline ISTHMUS_ABI::detail {

namespace {

std::vector<std::string_view> divided(std::string_view line) {
  std::vector<std::string_view> words;
  while (!line.empty()) {
    const auto end = std::min(line.find(' '), line.size());
    if (end) words.push_back(line.substr(0, end));
    line.remove_prefix(std::min(end + 1, line.size()));
  }
  return words;
}

/// "N=4", "N" or "F(x)=x" as a directive; nothing where it is another thing.
std::optional<std::string> directive_of(std::string_view definition) {
  const std::string_view macro = definition.substr(0, definition.find('='));
  const std::vector<CToken> tokens = c_tokens(macro);
  if (tokens[0].kind != CToken::Kind::name) return std::nullopt;
  const bool is_whole = tokens[0].text.size() == macro.size();
  if (!is_whole && (tokens[1].text != "(" || !macro.ends_with(')'))) return std::nullopt;
  const std::string_view value =
      macro.size() < definition.size() ? definition.substr(macro.size() + 1) : "1";
  return format("#define {} {}\n", macro, value);
}

/// Whether compilers divide the line at its blanks, and read the words as they are.
bool is_plain(std::string_view line) {
  return std::ranges::none_of(line, [](char c) {
    return c == '"' || c == '\'' || c == '\\' ||
           (c != ' ' && !std::isgraph(static_cast<unsigned char>(c)));
  });
}

}  // namespace

std::string joined_options(std::string_view who, const std::vector<std::string>& options) {
  std::string line;
  for (const std::string& option : options) check_compilable(who, {option});
  for (const std::string& option : options) line += (line.empty() ? "" : " ") + option;
  return line;
}

std::string FunctionOptions::beside(std::string_view preamble) const {
  return format("{}{}\n{}", macros, preamble, others);
}

FunctionOptions function_options(std::string_view who, const std::vector<std::string>& options) {
  FunctionOptions made{options, {}, joined_options(who, options)};
  if (!is_plain(made.others)) return made;
  std::string macros, others;
  const std::vector<std::string_view> words = divided(made.others);
  for (std::size_t k = 0; k < words.size(); ++k) {
    if (words[k].starts_with("-cl-")) {
      others += format("{}{}", others.empty() ? "" : " ", words[k]);
      continue;
    }
    // any other option, as one that includes a file, may need the macros
    if (!words[k].starts_with("-D")) return made;
    const bool is_behind = words[k] == "-D" && k + 1 < words.size();
    const auto directive = directive_of(is_behind ? words[++k] : words[k].substr(2));
    if (!directive) return made;
    macros += *directive;
  }
  made.macros = std::move(macros);
  made.others = std::move(others);
  return made;
}

}  // namespace isthmus::inline ISTHMUS_ABI::detail
