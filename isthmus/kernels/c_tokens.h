// c_tokens.h: C text in tokens, and its numbers.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "isthmus/core/dtype.h"

namespace isthmus::inline ISTHMUS_ABI::detail {

struct CToken {
  enum class Kind : std::uint8_t { name, number, sign, end };
  Kind kind = Kind::end;
  std::string_view text;
};

/// All of a text, then one of kind `end`. As C divides it: a token is as long as it can be.
/// Comments are left out; those that do not end, have backslashes (or ??) or are the last line
/// without its end, and what C does not know, are signs that nobody expects.
ISTHMUS_EXPORT std::vector<CToken> c_tokens(std::string_view text);

/// The text with a blank for each comment and for each text in quotes.
ISTHMUS_EXPORT std::string only_code(std::string_view text);

/// The text as it can stand within a line: with an end of line before a directive that it begins
/// with, and behind a directive or a comment that it ends with.
ISTHMUS_EXPORT std::string on_own_lines(std::string_view text);

/// Throws ValueError for texts that compilers cannot be given: with a NUL, at which they would end
/// without a word, or with so many brackets within each other that compilers crash.
ISTHMUS_EXPORT void check_compilable(std::string_view who,
                                     std::initializer_list<std::string_view> texts);

/// The macros that a text defines or undefines, each once, in any of its branches. Nothing if it
/// may do more to them than can be seen: it includes a file, has a directive that is none of
/// OpenCL C, keeps macros by a pragma, or spells `#` or a backslash in other ways.
ISTHMUS_EXPORT std::optional<std::vector<std::string>> macros_of(std::string_view text);

/// The value of a token of kind `number`, of the type that OpenCL C gives it: int32, uint32, int64,
/// uint64, float32 or float64. Nothing if it is no such number, is octal, in hexadecimal with a
/// fraction, or out of range.
ISTHMUS_EXPORT std::optional<Scalar> c_number(std::string_view token);

/// Whether a variable can have the name: C and OpenCL C mean nothing by it, macros of theirs do
/// not, and neither do the types and functions that we print.
ISTHMUS_EXPORT bool is_free_in_c(std::string_view name);

/// Whether the name means something in OpenCL C whatever the text is: no parameter can have it.
ISTHMUS_EXPORT bool is_word_of_c(std::string_view name);

}  // namespace isthmus::inline ISTHMUS_ABI::detail
