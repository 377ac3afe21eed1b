// format.h: text with `{}` places, over std::to_chars. (g++ 12 has no <format>.)
#pragma once

#include <charconv>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <ranges>
#include <string>
#include <string_view>
#include <utility>

#include "isthmus/base/export.h"

namespace isthmus::inline ISTHMUS_ABI::detail {  // where users' own names of this kind do not meet
                                                 // these

inline void append(std::string& out, std::string_view text) { out += text; }
inline void append(std::string& out, const std::string& text) { out += text; }
inline void append(std::string& out, const char* text) { out += text ? text : "(null)"; }
inline void append(std::string& out, char c) { out += c; }
inline void append(std::string& out, bool b) { out += b ? "true" : "false"; }

template <class N>
  requires((std::integral<N> || std::floating_point<N>) && !std::same_as<N, bool> &&
           !std::same_as<N, char>)
void append(std::string& out, N number) {
  char text[64];
  out.append(text, std::to_chars(text, text + sizeof text, number).ptr);
}

inline void append(std::string& out, const void* address) {
  char text[32] = "0x";
  const auto number = reinterpret_cast<std::uintptr_t>(address);
  out.append(text, std::to_chars(text + 2, text + sizeof text, number, 16).ptr);
}

/// A class that stands for an integer, as AnyInteger.
template <class N>
  requires(std::is_class_v<N> && std::convertible_to<const N&, std::int64_t>)
void append(std::string& out, const N& number) {
  append(out, static_cast<std::int64_t>(number));
}

/// A type with a to_string() in its namespace: a Device, a DType.
template <class T>
  requires requires(const T& value) {
    { to_string(value) } -> std::convertible_to<std::string_view>;
  }
void append(std::string& out, const T& value) {
  out += to_string(value);
}

/// Ranges are written as Python tuples: "(3, 4)", "(5,)".
template <std::ranges::input_range R>
  requires(!std::convertible_to<R, std::string_view>)
void append(std::string& out, const R& range) {
  out += '(';
  std::size_t count = 0;
  for (const auto& item : range) {
    if (count++) out += ", ";
    append(out, item);
  }
  out += count == 1 ? ",)" : ")";
}

/// The text with each `{}` replaced by the next argument.
template <class... Args>
std::string format(std::string_view text, Args&&... args) {
  std::string out;
  [[maybe_unused]] const auto next = [&](const auto& arg) {
    const auto place = text.find("{}");
    out += text.substr(0, place);
    text.remove_prefix(place == text.npos ? text.size() : place + 2);
    append(out, arg);
  };
  (next(args), ...);
  return out += text;
}

/// The same for a literal. It matches better than std::format, which C++ libraries from 2023 on
/// find by any argument of namespace std.
template <std::size_t N, class... Args>
std::string format(const char (&text)[N], Args&&... args) {
  return format(std::string_view(text, N - 1), std::forward<Args>(args)...);
}

}  // namespace isthmus::inline ISTHMUS_ABI::detail
