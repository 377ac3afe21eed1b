// number.h: C++ numbers as elements and as operands.
#pragma once

#include <complex>
#include <concepts>
#include <type_traits>
#include <utility>

#include "isthmus/base/error.h"
#include "isthmus/core/dtype.h"

namespace isthmus::inline ISTHMUS_ABI {

/// @{
/// Whether T is one of the complex types.
template <class T>
inline constexpr bool is_complex_number = false;
template <class R>
inline constexpr bool is_complex_number<std::complex<R>> = true;
template <class R>
inline constexpr bool is_complex_number<Complex<R>> = true;
/// @}

/// A number that can be an operand next to an array: bool, integers, reals and complex numbers.
template <class T>
concept Number = std::is_arithmetic_v<T> || is_complex_number<T>;

/// Whether T is a character type. Characters count as integers next to arrays, but cannot be
/// elements of arrays.
template <class T>
inline constexpr bool is_character =
    std::is_same_v<T, char> || std::is_same_v<T, wchar_t> || std::is_same_v<T, char8_t> ||
    std::is_same_v<T, char16_t> || std::is_same_v<T, char32_t>;

/// A type of array elements: all numbers but characters and long double.
template <class T>
concept Element = Number<T> && !is_character<T> && !std::is_same_v<T, long double> &&
                  !std::is_same_v<T, std::complex<long double>>;

/// The dtype of a C++ type; char and wchar_t have none.
template <class T>
constexpr DType dtype_of_type() {
  if constexpr (std::is_same_v<T, bool>)
    return TypeId::bool_;
  else if constexpr (std::is_same_v<T, std::complex<float>> || std::is_same_v<T, Complex<float>>)
    return TypeId::complex64;
  else if constexpr (std::is_same_v<T, std::complex<double>> || std::is_same_v<T, Complex<double>>)
    return TypeId::complex128;
  else if constexpr (std::is_floating_point_v<T> && sizeof(T) <= 8)
    return sizeof(T) == 4 ? TypeId::float32 : TypeId::float64;
  else {
    static_assert(std::is_integral_v<T> && !std::is_same_v<T, char> && !std::is_same_v<T, wchar_t>,
                  "no dtype has elements of this type");
    constexpr TypeId integers[] = {TypeId::int8, TypeId::int16, TypeId::int32, TypeId::int64};
    constexpr TypeId naturals[] = {TypeId::uint8, TypeId::uint16, TypeId::uint32, TypeId::uint64};
    constexpr int log = sizeof(T) == 1 ? 0 : sizeof(T) == 2 ? 1 : sizeof(T) == 4 ? 2 : 3;
    return std::is_signed_v<T> ? integers[log] : naturals[log];
  }
}

namespace detail {
template <class R>
Complex<double> parts_of(const std::complex<R>& x) {
  return {static_cast<double>(x.real()), static_cast<double>(x.imag())};
}
template <class R>
Complex<double> parts_of(const Complex<R>& x) {
  return {static_cast<double>(x.re), static_cast<double>(x.im)};
}
/// Whether C++ numbers of the family `wanted` can hold those of the family `found`.
constexpr bool holds(Family wanted, Family found) {
  if (found == Family::record || wanted == Family::boolean) return found == wanted;
  if (wanted == Family::complex) return true;
  if (wanted == Family::real) return found != Family::complex;
  return found != Family::complex && found != Family::real;
}
}  // namespace detail

/// A number of any C++ type as a Scalar with the dtype of that type. The dtype of int, as of
/// int64_t, is int64, because plain integers correspond to Python's; that of characters is int64 or
/// uint64.
template <Number T>
Scalar to_scalar(T x) {
  if constexpr (std::is_same_v<T, bool>)
    return Scalar::of(x);
  else if constexpr (std::is_same_v<T, float>)
    return Scalar::of(Complex<double>{static_cast<double>(x), 0}, TypeId::float32);
  else if constexpr (std::is_integral_v<T> && !is_character<T> && sizeof(T) < 8 &&
                     !std::is_same_v<T, int>) {
    Scalar s = Scalar::of(static_cast<std::int64_t>(x));
    s.dtype = dtype_of_type<T>();
    return s;
  } else if constexpr (std::is_same_v<T, std::complex<float>> || std::is_same_v<T, Complex<float>>)
    return Scalar::of(detail::parts_of(x), TypeId::complex64);
  else if constexpr (std::is_floating_point_v<T>)
    return Scalar::of(static_cast<double>(x));
  else if constexpr (std::is_integral_v<T> && std::is_signed_v<T>)
    return Scalar::of(static_cast<std::int64_t>(x));
  else if constexpr (std::is_integral_v<T>)
    return Scalar::of(static_cast<std::uint64_t>(x));
  else
    return Scalar::of(detail::parts_of(x));
}

/// The number as a T, rounded if T is a narrower real type. Throws TypeError if T is of a lesser
/// family (an integer for a real, a real for a complex, bool for a number), OverflowError if an
/// integer is out of range. The error message begins with `who`.
template <Number T>
T number_as(std::string_view who, const Scalar& s) {
  constexpr DType wanted = dtype_of_type<T>();
  const Family family = s.dtype.family;
  const bool is_natural = family == Family::natural;
  const bool is_integral = is_natural || family == Family::integer || family == Family::boolean;
  detail::check(detail::holds(wanted.family, family), Errc::type,
                "{}: asked for {}, which does not hold a {}; use astype", who, wanted, s.dtype);
  if constexpr (std::is_integral_v<T>) {
    if constexpr (!std::is_same_v<T, bool>) {
      if (is_natural)
        detail::check(std::in_range<T>(s.natural), Errc::overflow, "{}: {} does not fit {}", who,
                      s.natural, wanted);
      else
        detail::check(std::in_range<T>(s.integer), Errc::overflow, "{}: {} does not fit {}", who,
                      s.integer, wanted);
    }
    return static_cast<T>(s.integer);
  } else {
    const double re = is_natural    ? static_cast<double>(s.natural)
                      : is_integral ? static_cast<double>(s.integer)
                                    : s.number.re;
    if constexpr (std::is_floating_point_v<T>) {
      return static_cast<T>(re);
    } else {
      using R = std::conditional_t<wanted.bits == 64, float, double>;
      return T{static_cast<R>(re), static_cast<R>(is_integral ? 0 : s.number.im)};
    }
  }
}

}  // namespace isthmus::inline ISTHMUS_ABI
