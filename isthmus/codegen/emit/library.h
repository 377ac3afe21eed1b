// library.h: the .inc files as functions that can be printed one by one, for one type.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace isthmus::emitting {

/// What T, U and R stand for in the text, and NAME before an underscore.
struct Types {
  std::string_view element, natural, real, name = {};
};

/// Numbers of the functions of that name, in the order of the text; mostly one or none.
std::span<const int> functions_named(std::string_view name);
int function_count();
/// From "FUNCTION" to the closing brace, with the comment before it.
std::string_view text_of(int function);
/// Whether its text depends on a type.
bool is_typed(int function);

/// The text with T, U and R replaced, as_T and as_U become as_float and so on, and with fractions
/// of a float's text written as floats.
std::string instantiate(std::string_view text, const Types& types);
/// The text with the word FUNCTION replaced by what begins a function in a language.
std::string with_function_word(std::string_view text, std::string_view word);

/// The end of the identifier or number at `begin`, or of the one character that is neither.
std::size_t end_of_token(std::string_view text, std::size_t begin);

/// Calls f(token) for each of them.
template <class F>
void each_token(std::string_view text, F f) {
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t end = end_of_token(text, i);
    f(text.substr(i, end - i));
    i = end;
  }
}

}  // namespace isthmus::emitting
