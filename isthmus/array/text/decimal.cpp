// decimal.cpp: digits by std::to_chars, which rounds exactly; where to put them by NumPy's rules.
#include "isthmus/array/text/decimal.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "isthmus/base/format.h"

namespace isthmus::inline ISTHMUS_ABI {

using detail::format;

namespace {

constexpr int digits_shown = 8;  // after the point

/// A number cut at its point: "-12", "5" and an exponent.
struct Parts {
  std::string whole, fraction;
  int exponent = 0;
};

template <class... How>
std::string characters(How... how) {
  char text[512];  // 309 digits of the largest double, and what is after the point
  return {text, std::to_chars(text, text + sizeof text, how...).ptr};
}

std::string shortest(DType dtype, double x) {
  constexpr auto scientific = std::chars_format::scientific;
  if (dtype.id == TypeId::float64) return characters(x, scientific);
  if (dtype.id == TypeId::float32) return characters(static_cast<float>(x), scientific);
  // Five digits tell all halves apart. A power of two has more room above it than below, so that
  // the nearest of few digits may be another number's where the next one is still its own.
  for (int digits = 0; digits < 5; ++digits)
    for (double near : {x, x * (1 + 0x1p-12)}) {
      std::string text = characters(near, scientific, digits);
      double back = 0;
      std::from_chars(text.data(), text.data() + text.size(), back);
      if (double_to_half(back) == double_to_half(x)) return text;
    }
  return characters(x, scientific, 5);
}

Parts cut(const std::string& text) {
  const auto e = std::min(text.find('e'), text.size()), point = std::min(text.find('.'), e);
  Parts parts{text.substr(0, point), point < e ? text.substr(point + 1, e - point - 1) : "", 0};
  if (e == text.size()) return parts;
  const auto* exponent = text.data() + e + (text[e + 1] == '+' ? 2 : 1);
  std::from_chars(exponent, text.data() + text.size(), parts.exponent);
  return parts;
}

void drop_zeros(std::string& fraction) {
  fraction.erase(fraction.find_last_not_of('0') + 1);  // npos + 1 is 0
}

/// With an exponent; rounded to `digits` after the point where there are more.
Parts scientific(DType dtype, double x, int digits) {
  Parts parts = cut(shortest(dtype, x));
  if (parts.fraction.size() > static_cast<std::size_t>(digits))
    parts = cut(characters(x, std::chars_format::scientific, digits));
  drop_zeros(parts.fraction);
  return parts;
}

/// Without one; rounded to `digits` after the point where there are more.
Parts plain(DType dtype, double x, int digits) {
  Parts parts = cut(shortest(dtype, x));
  const int exponent = parts.exponent;
  if (static_cast<int>(parts.fraction.size()) - exponent > digits) {
    parts = cut(characters(x, std::chars_format::fixed, digits));
  } else if (exponent >= 0) {
    const auto moved = static_cast<std::size_t>(exponent);
    if (parts.fraction.size() < moved) parts.fraction.resize(moved, '0');
    parts.whole += parts.fraction.substr(0, moved);
    parts.fraction.erase(0, moved);
  } else {
    const char first = parts.whole.back();
    parts.whole.back() = '0';
    parts.fraction =
        std::string(static_cast<std::size_t>(-exponent) - 1, '0') + first + parts.fraction;
  }
  drop_zeros(parts.fraction);
  return parts;
}

/// "+05", of so many digits at least.
std::string exponent_word(int exponent, std::size_t digits) {
  const std::string text = std::to_string(std::abs(exponent));
  const std::size_t zeros = digits > text.size() ? digits - text.size() : 0;
  return format("{}{}{}", exponent < 0 ? '-' : '+', std::string(zeros, '0'), text);
}

double rounded(double x, DType dtype) {
  std::byte bytes[8];
  store(Scalar::of(x), dtype, bytes);
  return load(dtype, bytes).number.re;
}

/// From here on numbers have an exponent: all decimal digits of the dtype are before the point.
double limit_of(DType dtype) {
  return dtype.id == TypeId::float16 ? 1e3 : dtype.id == TypeId::float32 ? 1e6 : 1e16;
}

bool need_exponent(DType dtype, std::span<const double> numbers) {
  double low = INFINITY, high = 0;
  for (double x : numbers) {
    if (!std::isfinite(x) || x == 0) continue;
    low = std::min(low, std::abs(x));
    high = std::max(high, std::abs(x));
  }
  if (high == 0) return false;
  return high >= std::min(1e8, limit_of(dtype)) || low < rounded(1e-4, dtype) ||
         rounded(high / low, dtype) > 1000;
}

std::string not_finite(double x, bool has_plus) {
  const char* sign = std::isinf(x) && x < 0 ? "-" : has_plus ? "+" : "";
  return format("{}{}", sign, std::isnan(x) ? "nan" : "inf");
}

/// One number by itself, without an idle point.
std::string alone(DType dtype, double x, bool has_plus) {
  if (!std::isfinite(x)) return not_finite(x, has_plus);
  const double size = std::abs(x);
  const bool is_plain = size == 0 || (size >= 1e-4 && size < limit_of(dtype));
  const Parts parts = is_plain ? plain(dtype, x, 400) : scientific(dtype, x, 400);
  std::string word = (has_plus && !std::signbit(x) ? "+" : "") + parts.whole;
  if (!parts.fraction.empty()) word += "." + parts.fraction;
  return is_plain ? word : word + "e" + exponent_word(parts.exponent, 2);
}

}  // namespace

RealWords::RealWords(DType dtype, std::span<const double> numbers, bool has_plus)
    : dtype_(dtype), has_plus_(has_plus), has_exponent_(need_exponent(dtype, numbers)) {
  bool is_all_finite = true, has_sign = has_plus;
  for (double x : numbers) {
    if (!std::isfinite(x)) {
      is_all_finite = false;
      has_sign |= std::isinf(x) && x < 0;
      continue;
    }
    const Parts parts =
        has_exponent_ ? scientific(dtype, x, digits_shown) : plain(dtype, x, digits_shown);
    left_ = std::max(left_, parts.whole.size() + (has_plus && !std::signbit(x)));
    right_ = std::max(right_, parts.fraction.size());
    exponent_ = std::max(exponent_, exponent_word(parts.exponent, 2).size() - 1);
  }
  if (is_all_finite) return;
  const std::size_t after = has_exponent_ ? right_ + exponent_ + 3 : right_ + 1;
  const std::size_t longest = has_sign ? 4 : 3;
  if (longest > after) left_ = std::max(left_, longest - after);
}

std::string RealWords::operator()(double x) const {
  const auto padded = [](std::size_t width, const std::string& text) {
    return std::string(width > text.size() ? width - text.size() : 0, ' ') + text;
  };
  const std::size_t after = has_exponent_ ? right_ + exponent_ + 3 : right_ + 1;
  if (!std::isfinite(x)) return padded(left_ + after, not_finite(x, has_plus_));
  const std::string sign = has_plus_ && !std::signbit(x) ? "+" : "";
  if (has_exponent_) {
    Parts parts = cut(shortest(dtype_, x));
    if (parts.fraction.size() != right_)  // further digits are those of the number, not zeros
      parts = cut(characters(x, std::chars_format::scientific, static_cast<int>(right_)));
    return padded(left_, sign + parts.whole) + "." + parts.fraction + "e" +
           exponent_word(parts.exponent, exponent_);
  }
  Parts parts = plain(dtype_, x, digits_shown);
  parts.fraction.resize(right_, ' ');
  return padded(left_, sign + parts.whole) + "." + parts.fraction;
}

std::string word_of_real(DType dtype, double x) {
  const std::string word = alone(dtype, x, false);
  return word.find_first_of(".enf") == word.npos ? word + ".0" : word;  // also of nan and inf
}

std::string word_of_complex(DType dtype, Complex<double> z) {
  const DType part = real_part(dtype);
  if (z.re == 0 && !std::signbit(z.re)) return format("{}j", alone(part, z.im, false));
  return format("({}{}j)", alone(part, z.re, false), alone(part, z.im, true));
}

std::string word_of_bfloat(double x) {
  return std::isfinite(x) ? characters(x, std::chars_format::general, 6) : not_finite(x, false);
}

}  // namespace isthmus::inline ISTHMUS_ABI
