// user_words.cpp: what users' texts name of complex numbers.
#include <array>

#include "isthmus/base/format.h"
#include "isthmus/codegen/emit/language.h"
#include "isthmus/codegen/emit/library.h"
#include "isthmus/codegen/emit/prelude.h"

namespace isthmus::emitting {

using detail::format;

namespace {

struct Named {
  std::string_view prefix, type;
  TypeId id;
};
constexpr std::array<Named, 2> named{
    {{"cfloat", "complex64", TypeId::complex64}, {"cdouble", "complex128", TypeId::complex128}}};

/// What begins with "cfloat_", without it.
std::string_view behind(std::string_view prefix, std::string_view word) {
  if (!word.starts_with(prefix) || word.size() < prefix.size() + 2 || word[prefix.size()] != '_')
    return {};
  return word.substr(prefix.size() + 1);
}

/// Whether a line includes the header, under one of its names.
bool includes_header(std::string_view line) {
  std::string words;
  for (const char c : line)
    if (c != ' ' && c != '\t' && c != '\r') words += c;
  return words == "#include<pyopencl-complex.h>" || words == "#include<isthmus-complex.h>";
}

/// All lines, with the first include replaced by `header(line number)` and the others empty.
template <class F>
std::string with_include(std::string_view text, F header) {
  std::string out;
  bool is_there = false;
  for (int number = 1; !text.empty(); ++number) {
    const auto end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    if (!includes_header(line)) {
      out += line;
    } else if (!is_there) {
      out += header(number);
      is_there = true;
    }
    if (end < text.size()) out += '\n';
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out;
}

}  // namespace

void Prelude::need_named(std::string_view name, TypeId type, bool is_generic) {
  for (const int function : functions_named(format("NAME_{}", name)))
    if (library_.insert({function, type, is_generic}).second)
      need_calls(text_of(function), type, is_generic);
}

void Prelude::need_words(std::string_view text, std::span<const TypeId> types) {
  is_for_users_ = true;
  each_token(text, [&](std::string_view word) {
    for (const Named& one : named) {
      const std::string_view rest = behind(one.prefix, word);
      if (rest.empty()) continue;
      need_type(one.type);
      if (rest == "cast") casts_.insert(one.prefix);
      need_named(rest == "cast" ? "new" : rest, one.id, false);
    }
    const std::string_view rest = behind("complex", word);
    if (rest.empty()) return;
    for (const TypeId type : types)
      if (info(type).family == Family::complex) need_named(rest, type, true);
  });
}

void Prelude::need_all_words(TypeId type) {
  need_type(c_type(type));
  for (int function = 0; function < function_count(); ++function)
    if (text_of(function).find(" NAME_") != std::string_view::npos &&
        library_.insert({function, type, false}).second)
      need_calls(text_of(function), type);
}

std::string with_complex_header(std::string_view text) {
  return with_include(text, [&](int number) {
    Prelude prelude;
    prelude.need_words(text);
    if (text.find("##") != text.npos)  // macros may make names that are not to be seen here
      for (const Named& one : named)
        if (text.find(one.prefix) != text.npos) prelude.need_all_words(one.id);
    // a user learns of warnings of his own text alone
    return "#pragma clang diagnostic push\n#pragma clang diagnostic ignored \"-Weverything\"\n" +
           prelude.print(language(Dialect::opencl_c).function) +
           format("#pragma clang diagnostic pop\n#line {}", number + 1);
  });
}

std::string without_complex_header(std::string_view text) {
  return with_include(text, [](int) { return std::string(); });
}

}  // namespace isthmus::emitting
