// host_reference.h: what the rows of ops.def mean, said again without them.
#pragma once

#include "tests/unit/host_programs.h"

namespace isthmus {

inline Wide python_remainder(Wide x, Wide y) {
  const Wide r = std::fmod(x, y);
  return r != 0 && (r < 0) != (y < 0) ? r + y : std::copysign(r, r == 0 ? y : r);
}

constexpr Wide wide_pi = 3.14159265358979323846264338327950288L;

/// sin(pi x), of what is left without whole turns.
inline Wide sine_of_half_turns(Wide x) {
  return std::sin(wide_pi * (x - 2 * std::nearbyint(x / 2)));
}

/// Those of isthmus::special.
inline Wide special_reference(Op op, Wide x, Wide y, Wide z) {
  const Wide degree = std::trunc(y);
  switch (op) {
    case Op::erf: return std::erf(x);
    case Op::erfc: return std::erfc(x);
    case Op::gamma: return std::tgamma(x);
    case Op::gammaln: return std::lgamma(x);
    case Op::gammasgn:
      if (x > 0) return 1;
      if (x == 0) return std::copysign(Wide(1), x);
      if (std::floor(x) == x) return std::numeric_limits<Wide>::quiet_NaN();
      return std::isnan(x) ? x : std::fmod(std::floor(x), 2) == 0 ? 1 : -1;
    case Op::cbrt: return std::cbrt(x);
    case Op::exp2: return std::exp2(x);
    case Op::exp10: return std::pow(Wide(10), x);
    case Op::log1mexp: return std::log(-std::expm1(-std::fabs(x)));
    case Op::rsqrt: return 1 / std::sqrt(x);
    case Op::logb: return std::logb(x);
    case Op::ilogb: return x == 0 ? -0x1p31L : std::isfinite(x) ? std::logb(x) : 0x1p31L - 1;
    case Op::pown: return std::pow(x, degree);
    case Op::rootn: {
      const Wide root = std::pow(std::fabs(x), 1 / degree);
      if (degree == 0) return std::numeric_limits<Wide>::quiet_NaN();
      if (std::fmod(degree, 2) != 0) return std::copysign(root, x);
      return x < 0 ? std::numeric_limits<Wide>::quiet_NaN() : root;
    }
    case Op::ldexp: return x * std::exp2(degree);
    case Op::sinpi: return sine_of_half_turns(x);
    case Op::cospi: return sine_of_half_turns(std::fabs(x) + 0.5L);
    case Op::tanpi: return sine_of_half_turns(x) / sine_of_half_turns(std::fabs(x) + 0.5L);
    case Op::asinpi: return std::asin(x) / wide_pi;
    case Op::acospi: return std::acos(x) / wide_pi;
    case Op::atanpi: return std::atan(x) / wide_pi;
    case Op::atan2pi: return std::atan2(x, y) / wide_pi;
    case Op::fract: return x - std::floor(x);
    case Op::fmod: return std::fmod(x, y);
    case Op::fdim: return std::fdim(x, y);
    case Op::fmax: return std::fmax(x, y);
    case Op::fmin: return std::fmin(x, y);
    case Op::maxmag:
      return std::fabs(x) == std::fabs(y) ? std::fmax(x, y) : std::fabs(x) > std::fabs(y) ? x : y;
    case Op::minmag:
      return std::fabs(x) == std::fabs(y) ? std::fmin(x, y) : std::fabs(x) < std::fabs(y) ? x : y;
    case Op::fma: return x * y + z;
    default: return std::numeric_limits<Wide>::quiet_NaN();
  }
}

inline Wide real_reference(Op op, Wide x, Wide y, Wide z) {
  int exponent = 0;
  if (info(op).space == "special") return special_reference(op, x, y, z);
  switch (op) {
    case Op::add: return x + y;
    case Op::subtract: return x - y;
    case Op::multiply: return x * y;
    case Op::divide: return x / y;
    case Op::floor_divide: return std::floor(x / y);
    case Op::remainder: return python_remainder(x, y);
    case Op::pow: return std::pow(x, y);
    case Op::negative: return -x;
    case Op::positive:
    case Op::conj:
    case Op::real: return x;
    case Op::imag: return 0;
    case Op::abs: return std::fabs(x);
    case Op::sign: return x > 0 ? 1 : x < 0 ? -1 : x == 0 ? 0 : x;
    case Op::reciprocal: return 1 / x;
    case Op::square: return x * x;
    case Op::sqrt: return std::sqrt(x);
    case Op::hypot: return std::hypot(x, y);
    case Op::copysign: return std::copysign(x, y);
    case Op::ceil: return std::ceil(x);
    case Op::floor: return std::floor(x);
    case Op::trunc: return std::trunc(x);
    case Op::round: return std::nearbyint(x);
    case Op::maximum: return std::isnan(x) || std::isnan(y) ? x + y : std::fmax(x, y);
    case Op::minimum: return std::isnan(x) || std::isnan(y) ? x + y : std::fmin(x, y);
    case Op::clip: return std::fmin(std::fmax(x, y), z);
    case Op::exp: return std::exp(x);
    case Op::expm1: return std::expm1(x);
    case Op::log: return std::log(x);
    case Op::log1p: return std::log1p(x);
    case Op::log2: return std::log2(x);
    case Op::log10: return std::log10(x);
    case Op::frexp_mantissa: return std::isfinite(x) ? std::frexp(x, &exponent) : x;
    case Op::frexp_exponent: return std::isfinite(x) ? (std::frexp(x, &exponent), exponent) : 0;
    case Op::logaddexp: return std::fmax(x, y) + std::log1p(std::exp(-std::fabs(x - y)));
    case Op::sin: return std::sin(x);
    case Op::cos: return std::cos(x);
    case Op::tan: return std::tan(x);
    case Op::asin: return std::asin(x);
    case Op::acos: return std::acos(x);
    case Op::atan: return std::atan(x);
    case Op::atan2: return std::atan2(x, y);
    case Op::sinh: return std::sinh(x);
    case Op::cosh: return std::cosh(x);
    case Op::tanh: return std::tanh(x);
    case Op::asinh: return std::asinh(x);
    case Op::acosh: return std::acosh(x);
    case Op::atanh: return std::atanh(x);
    case Op::equal: return x == y;
    case Op::not_equal: return x != y;
    case Op::less: return x < y;
    case Op::less_equal: return x <= y;
    case Op::greater: return x > y;
    case Op::greater_equal: return x >= y;
    case Op::isfinite: return std::isfinite(x);
    case Op::isinf: return std::isinf(x);
    case Op::isnan: return std::isnan(x);
    case Op::signbit: return std::signbit(x);
    case Op::logical_and: return x != 0 && y != 0;
    case Op::logical_or: return x != 0 || y != 0;
    case Op::logical_xor: return (x != 0) != (y != 0);
    case Op::logical_not: return x == 0;
    case Op::where: return x != 0 ? y : z;
    default: return std::numeric_limits<Wide>::quiet_NaN();
  }
}

inline __int128 integer_reference(Op op, __int128 x, __int128 y, __int128 z, int bits) {
  const auto floor_of = [](__int128 a, __int128 b) {
    return a / b - (a % b != 0 && (a % b < 0) != (b < 0));
  };
  switch (op) {
    case Op::add: return x + y;
    case Op::subtract: return x - y;
    case Op::multiply:
    case Op::square:
      return static_cast<__int128>(static_cast<unsigned __int128>(x) *
                                   static_cast<unsigned __int128>(op == Op::square ? x : y));
    case Op::floor_divide: return y == 0 ? 0 : floor_of(x, y);
    case Op::remainder: return y == 0 ? 0 : x - floor_of(x, y) * y;
    case Op::fmod: return y == 0 ? 0 : x % y;
    case Op::fdim: return x > y ? x - y : 0;
    case Op::fmax: return x > y ? x : y;
    case Op::fmin: return x < y ? x : y;
    case Op::fma:
      return static_cast<__int128>(static_cast<unsigned __int128>(x) *
                                       static_cast<unsigned __int128>(y) +
                                   static_cast<unsigned __int128>(z));
    case Op::pow: {
      if (y < 0) return x == 1 ? 1 : x == -1 ? (y & 1 ? -1 : 1) : 0;
      std::uint64_t result = 1, base = static_cast<std::uint64_t>(x);
      for (auto k = static_cast<std::uint64_t>(y); k; k >>= 1, base *= base)
        if (k & 1) result *= base;
      return static_cast<__int128>(result);
    }
    case Op::negative: return -x;
    case Op::abs: return x < 0 ? -x : x;
    case Op::sign: return (x > 0) - (x < 0);
    case Op::positive:
    case Op::conj:
    case Op::real:
    case Op::ceil:
    case Op::floor:
    case Op::trunc:
    case Op::round: return x;
    case Op::imag: return 0;
    case Op::maximum: return x > y ? x : y;
    case Op::minimum: return x < y ? x : y;
    case Op::clip: return std::min(std::max(x, y), z);
    case Op::bitwise_and: return x & y;
    case Op::bitwise_or: return x | y;
    case Op::bitwise_xor: return x ^ y;
    case Op::bitwise_invert: return ~x;
    case Op::bitwise_left_shift:
      return y < 0 || y >= bits ? 0 : static_cast<__int128>(static_cast<unsigned __int128>(x) << y);
    case Op::bitwise_right_shift: return y < 0 || y >= bits ? (x < 0 ? -1 : 0) : x >> y;
    default:
      return static_cast<__int128>(
          real_reference(op, static_cast<Wide>(x), static_cast<Wide>(y), static_cast<Wide>(z)));
  }
}

inline WideComplex complex_reference(Op op, WideComplex x, WideComplex y) {
  switch (op) {
    case Op::add: return x + y;
    case Op::subtract: return x - y;
    case Op::multiply: return x * y;
    case Op::divide: return x / y;
    case Op::pow: return std::pow(x, y);
    case Op::negative: return -x;
    case Op::positive: return x;
    case Op::conj: return std::conj(x);
    case Op::real: return x.real();
    case Op::imag: return x.imag();
    case Op::abs: return std::abs(x);
    case Op::sign: return x == WideComplex(0) ? x : x / std::abs(x);
    case Op::reciprocal: return WideComplex(1) / x;
    case Op::square: return x * x;
    case Op::sqrt: return std::sqrt(x);
    case Op::round: return {std::nearbyint(x.real()), std::nearbyint(x.imag())};
    case Op::exp: return std::exp(x);
    case Op::expm1: return std::exp(x) - WideComplex(1);
    case Op::log: return std::log(x);
    case Op::log1p: return std::log(WideComplex(1) + x);
    case Op::log2: return std::log(x) / std::log(Wide(2));
    case Op::log10: return std::log10(x);
    case Op::sin: return std::sin(x);
    case Op::cos: return std::cos(x);
    case Op::tan: return std::tan(x);
    case Op::asin: return std::asin(x);
    case Op::acos: return std::acos(x);
    case Op::atan: return std::atan(x);
    case Op::sinh: return std::sinh(x);
    case Op::cosh: return std::cosh(x);
    case Op::tanh: return std::tanh(x);
    case Op::asinh: return std::asinh(x);
    case Op::acosh: return std::acosh(x);
    case Op::atanh: return std::atanh(x);
    case Op::equal: return x == y;
    case Op::not_equal: return x != y;
    case Op::isnan: return std::isnan(x.real()) || std::isnan(x.imag());
    case Op::isinf: return std::isinf(x.real()) || std::isinf(x.imag());
    case Op::isfinite: return std::isfinite(x.real()) && std::isfinite(x.imag());
    case Op::logical_and: return x != WideComplex(0) && y != WideComplex(0);
    case Op::logical_or: return x != WideComplex(0) || y != WideComplex(0);
    case Op::logical_xor: return (x != WideComplex(0)) != (y != WideComplex(0));
    case Op::logical_not: return x == WideComplex(0);
    default: return std::numeric_limits<Wide>::quiet_NaN();
  }
}

}  // namespace isthmus
