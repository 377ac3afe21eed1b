// user_lines.cpp: users' lines in the text of a kernel, and the one that a compiler speaks of.
#include "isthmus/runtime/kernels/user_lines.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <optional>

#include "isthmus/base/format.h"

namespace isthmus::inline ISTHMUS_ABI {

using detail::format;

namespace {

/// Comments around a user's text, "//isthmus: 1 operation" and "//isthmus: end". The number is that
/// of the line behind. python/isthmus/cl/_user_lines.py writes the same ones.
constexpr std::string_view mark = "//isthmus: ", end_mark = "//isthmus: end";

std::string_view take_line(std::string_view& text) {
  const std::string_view line = text.substr(0, text.find('\n'));
  text.remove_prefix(std::min(line.size() + 1, text.size()));
  return line;
}

std::string_view trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(" \t\r");
  if (first == text.npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r") + 1 - first);
}

/// Takes a number from the front; nothing if there is none.
std::optional<std::size_t> take_number(std::string_view& text) {
  std::size_t number = 0;
  const auto [end, wrong] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (wrong != std::errc()) return {};
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return number;
}

struct Said {
  std::size_t line;
  std::string_view message;
};

/// What a line of a log says of which line. Compilers write "source:3:10: error: ..." or
/// "error: source:3:10: ...", of macros also "error: source:3:10 <Spelling=source:1:20>: ...".
std::optional<Said> said_in(std::string_view log_line) {
  constexpr std::string_view word = "error:";
  if (log_line.find(word) == log_line.npos) return {};
  for (auto colon = log_line.find(':'); colon != log_line.npos; colon = log_line.find(':')) {
    log_line.remove_prefix(colon + 1);
    std::string_view rest = log_line;
    const auto number = take_number(rest);
    if (!number || !rest.starts_with(':')) continue;
    rest.remove_prefix(1);
    if (!take_number(rest)) continue;
    if (rest.starts_with(" <")) rest.remove_prefix(std::min(rest.find('>') + 1, rest.size()));
    if (!rest.starts_with(':')) continue;
    std::string_view message = trimmed(rest.substr(1));
    if (message.starts_with(word)) message = trimmed(message.substr(word.size()));
    if (!message.empty()) return Said{*number, message};
  }
  return {};
}

struct UserLine {
  std::size_t number;  ///< In the user's text.
  std::string_view what, line;
};

/// The user's line of this number in all of the text, else the last one before it, else the first.
std::optional<UserLine> user_line(std::string_view text, std::size_t number) {
  const bool is_all = text.find(mark) == text.npos;
  std::optional<UserLine> found;
  std::string_view what;
  std::size_t next = 1;  ///< The user's number of the next line.
  for (std::size_t k = 1; !text.empty(); ++k, ++next) {
    const std::string_view line = take_line(text);
    if (line.starts_with(mark)) {
      what = line.substr(mark.size());
      const auto first = take_number(what);
      what = first ? trimmed(what) : std::string_view();
      next = first.value_or(0) - 1;
      // what stands before a text, "return (float)(", is about the text
      if (first && number + 1 == k) number = k + 1;
      continue;
    }
    if ((what.empty() && !is_all) || trimmed(line).empty()) continue;
    if (k > number && found) break;
    found = {next, what, trimmed(line)};
    if (k >= number) break;
  }
  return found;
}

/// A linker names no line, but what it did not find.
std::string_view missing_name(std::string_view line) {
  struct {
    std::string_view before, behind;
  } constexpr said[] = {{"Unresolved extern function '", "'"},  // NVIDIA's
                        {"Symbols not found: [ ", " ]"},        // Intel's
                        {"Cannot find symbol ", " in "}};       // PoCL's
  for (const auto& [before, behind] : said) {
    const std::size_t begin = line.find(before);
    if (begin == line.npos) continue;
    const std::string_view rest = line.substr(begin + before.size());
    return rest.substr(0, rest.find(behind));
  }
  return {};
}

bool has_name(std::string_view line, std::string_view name) {
  const auto is_of_name = [&](std::size_t i) {
    return i < line.size() && (std::isalnum(static_cast<unsigned char>(line[i])) || line[i] == '_');
  };
  for (std::size_t at = line.find(name); at != line.npos; at = line.find(name, at + 1))
    if ((at == 0 || !is_of_name(at - 1)) && !is_of_name(at + name.size())) return true;
  return false;
}

/// The first of the user's lines that has this name.
std::optional<UserLine> user_line_with(std::string_view text, std::string_view name) {
  std::string_view rest = text;
  for (std::size_t k = 1; !rest.empty(); ++k) {
    const std::string_view line = take_line(rest);
    if (!has_name(line, name)) continue;
    const auto user = user_line(text, k);
    if (user && user->line == trimmed(line)) return user;
  }
  return {};
}

/// What would do in the place of what a compiler has refused.
std::string_view advice_on(std::string_view message) {
  const auto has = [&](std::string_view word) { return message.find(word) != message.npos; };
  const bool is_complex =
      has("complex64") || has("complex128") || has("cfloat_t") || has("cdouble_t");
  if (is_complex && (has("operand") || has("unary expression")))
    return "\nOpenCL C has no operators for complex numbers; use cfloat_mul(x, y), cfloat_add(x, "
           "y) and similar functions for complex64, cdouble_mul(x, y) for complex128";
  if (is_complex && (has("initializing") || has("assigning") || has("returning")))
    return "\nOpenCL C does not convert a real number to a complex one; cfloat_new(x, 0) makes a "
           "complex64, cdouble_new(x, 0) a complex128";
  return {};
}

}  // namespace

std::string as_users(std::string_view what, std::string_view text) {
  if (text.empty()) return {};
  return format("\n{}1 {}\n{}\n{}\n", mark, what, text, end_mark);
}

std::string first_error(std::string_view log, std::string_view text) {
  const auto at = [](std::string_view message, const UserLine& user) {
    return format(": {}, in line {}{}{}: {}{}", message, user.number,
                  user.what.empty() ? "" : " of ", user.what, user.line, advice_on(message));
  };
  for (std::string_view rest = log; !rest.empty();) {
    const auto said = said_in(take_line(rest));
    if (const auto user = said ? user_line(text, said->line) : std::nullopt)
      return at(said->message, *user);
  }
  while (!log.empty()) {
    const std::string_view line = take_line(log), name = missing_name(line);
    if (const auto user = name.empty() ? std::nullopt : user_line_with(text, name))
      return at(trimmed(line), *user);
  }
  return {};
}

}  // namespace isthmus::inline ISTHMUS_ABI
