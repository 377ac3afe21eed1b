// header_text.cpp: a reader of Python's literals, and nothing that runs.
#include "isthmus/exchange/header_text.h"

#include <charconv>

#include "isthmus/base/error.h"

namespace isthmus::inline ISTHMUS_ABI {

using detail::check;
using detail::fail;

namespace {

constexpr int deepest = 32;  // lists within lists

void append_utf8(std::string& out, std::uint32_t code) {
  const auto put = [&](std::uint32_t byte) { out += static_cast<char>(byte); };
  if (code < 0x80) return put(code);
  if (code < 0x800) {
    put(0xc0 | code >> 6);
  } else if (code < 0x10000) {
    put(0xe0 | code >> 12), put(0x80 | (code >> 6 & 0x3f));
  } else {
    put(0xf0 | code >> 18), put(0x80 | (code >> 12 & 0x3f)), put(0x80 | (code >> 6 & 0x3f));
  }
  put(0x80 | (code & 0x3f));
}

class TextReader {
 public:
  TextReader(std::string_view who, std::string_view text) : who_(who), text_(text) {}

  HeaderValue all() {
    HeaderValue value = one(0);
    skip_space();
    if (at_ != text_.size()) refuse("text after the value");
    return value;
  }

 private:
  using Kind = HeaderValue::Kind;

  [[noreturn]] void refuse(std::string_view what) const {
    fail(Errc::value, "{}: the header: {}, at byte {} of the dictionary's text", who_, what, at_);
  }
  char next() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  void skip_space() {
    while (at_ < text_.size() && std::string_view(" \t\r\n\f").find(text_[at_]) != text_.npos)
      ++at_;
  }
  bool take(std::string_view word) {
    if (text_.substr(at_, word.size()) != word) return false;
    at_ += word.size();
    return true;
  }

  HeaderValue one(int depth) {
    if (depth > deepest) refuse("values nested too deeply");
    skip_space();
    const char c = next();
    if (c == '\'' || c == '"') return {.kind = Kind::text, .text = quoted()};
    if (c == '(') return several(Kind::tuple, ')', depth);
    if (c == '[') return several(Kind::list, ']', depth);
    if (c == '{') return several(Kind::dict, '}', depth);
    if (take("True")) return {.kind = Kind::truth, .number = 1};
    if (take("False")) return {.kind = Kind::truth, .number = 0};
    if (take("None")) return {};
    if ((c >= '0' && c <= '9') || c == '-') return number();
    refuse("not a value that a header may have");
  }

  HeaderValue number() {
    HeaderValue value{.kind = Kind::number};
    const char* const begin = text_.data() + at_;
    const auto [end, error] = std::from_chars(begin, text_.data() + text_.size(), value.number);
    if (error == std::errc::result_out_of_range) refuse("a number past 2^63-1");
    if (error != std::errc()) refuse("no number");
    at_ += static_cast<std::size_t>(end - begin);
    if (next() == 'L') ++at_;  // as Python 2 wrote shapes
    return value;
  }

  HeaderValue several(Kind kind, char end, int depth) {
    HeaderValue value{.kind = kind};
    bool has_comma = true;
    for (++at_;;) {
      skip_space();
      if (next() == end) break;
      if (!has_comma) refuse("a comma is missing");
      value.items.push_back(one(depth + 1));
      skip_space();
      if (kind == Kind::dict) {
        if (!take(":")) refuse("a colon is missing");
        value.items.push_back(one(depth + 1));
        skip_space();
      }
      has_comma = take(",");
    }
    ++at_;
    if (kind == Kind::tuple && value.items.size() == 1 && !has_comma) {
      HeaderValue inner = std::move(value.items[0]);  // mere brackets
      return inner;
    }
    return value;
  }

  std::string quoted() {
    const char quote = text_[at_++];
    std::string out;
    for (;;) {
      if (at_ >= text_.size()) refuse("an unterminated text");
      const char c = text_[at_++];
      if (c == quote) return out;
      if (c == '\n') refuse("an unterminated text");
      if (c == '\\')
        escaped(out);
      else
        out += c;
    }
  }

  void escaped(std::string& out) {
    constexpr std::string_view letters = "\\'\"ntr", meant = "\\'\"\n\t\r";
    const char c = next();
    ++at_;
    if (const auto i = letters.find(c); i != letters.npos) {
      out += meant[i];
      return;
    }
    const std::size_t digits = c == 'x' ? 2 : c == 'u' ? 4 : c == 'U' ? 8 : 0;
    if (!digits || at_ + digits > text_.size()) refuse("an unknown escape");
    std::uint32_t code = 0;
    const char* const begin = text_.data() + at_;
    const auto [end, error] = std::from_chars(begin, begin + digits, code, 16);
    const bool is_code = error == std::errc() && end == begin + digits && code < 0x110000 &&
                         !(code >= 0xd800 && code < 0xe000);
    if (!is_code) refuse("an escape that is not a character");
    at_ += digits;
    append_utf8(out, code);
  }

  std::string_view who_, text_;
  std::size_t at_ = 0;
};

}  // namespace

HeaderValue header_value(std::string_view who, std::string_view text) {
  return TextReader(who, text).all();
}

std::string quoted_text(std::string_view text) {
  constexpr std::string_view hex = "0123456789abcdef";
  std::string out = "'";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '\\' || c == '\'') {
      (out += '\\') += c;
    } else if (byte < 32 || byte == 127) {
      ((out += "\\x") += hex[byte >> 4]) += hex[byte & 15];
    } else {
      out += c;
    }
  }
  return out += '\'';
}

}  // namespace isthmus::inline ISTHMUS_ABI
