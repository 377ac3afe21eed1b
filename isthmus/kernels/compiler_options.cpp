// compiler_options.cpp: -DN=4 as a line of a text, and what only a compiler understands.
#include "isthmus/kernels/compiler_options.h"

#include <algorithm>
#include <cctype>
#include <iterator>
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

/// Options that define no macros, nor need those that others define: about the language, warnings
/// and debugging, and where files are.
bool is_of_compiler(std::string_view word) {
  return word.starts_with("-cl-") || word.starts_with("-W") || word.starts_with("-I") ||
         word == "-w" || word == "-g";
}

/// "-DN=(1 + 2)", whose blanks are its own: no other option begins behind one.
bool is_one_definition(std::string_view option) {
  if (!option.starts_with("-D") || option.size() < 3 || option[2] == ' ') return false;
  for (std::size_t at = option.find(" -"); at != option.npos; at = option.find(" -", at + 1))
    if (at + 2 < option.size() && std::isalpha(static_cast<unsigned char>(option[at + 2])))
      return false;
  return true;
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
  const auto define = [&](std::string_view definition) {
    const auto directive = directive_of(definition);
    if (directive) macros += *directive;
    return directive.has_value();
  };
  const auto pass_on = [&](std::string_view word) {
    others += format("{}{}", others.empty() ? "" : " ", word);
  };
  std::vector<std::string_view> words;
  for (const std::string& option : options) {
    if (is_one_definition(option))
      words.push_back(option);
    else
      std::ranges::copy(divided(option), std::back_inserter(words));
  }
  for (std::size_t k = 0; k < words.size(); ++k) {
    const bool has_next = k + 1 < words.size();
    if (words[k].starts_with("-D")) {
      if (!define(words[k] == "-D" && has_next ? words[++k] : words[k].substr(2))) return made;
    } else if (is_of_compiler(words[k])) {
      pass_on(words[k]);
      if (words[k] == "-I" && has_next) pass_on(words[++k]);
    } else {
      return made;  // one that includes a file, say, may need the macros
    }
  }
  made.macros = std::move(macros);
  made.others = std::move(others);
  return made;
}

}  // namespace isthmus::inline ISTHMUS_ABI::detail
