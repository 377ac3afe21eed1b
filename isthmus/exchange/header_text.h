// header_text.h: texts of Python that stand for plain values: what headers of files are made of.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "isthmus/base/export.h"

namespace isthmus::inline ISTHMUS_ABI {

/// A value of Python: a text, a whole number, True or False, None, or several of them.
struct HeaderValue {
  enum class Kind { text, number, truth, none, tuple, list, dict };
  Kind kind = Kind::none;
  std::string text = {};
  std::int64_t number = 0;              ///< Of a truth 0 or 1.
  std::vector<HeaderValue> items = {};  ///< Of a dict: a key, its value, a key, its value.

  bool is(Kind wanted) const { return kind == wanted; }
};

/// Reads one value. Throws ValueError for anything else; `who` begins the text.
HeaderValue header_value(std::string_view who, std::string_view text);

/// A text as Python writes it, in quotes.
std::string quoted_text(std::string_view text);

}  // namespace isthmus::inline ISTHMUS_ABI
