// types.h: limits of dtypes, and promotion. Array API 2025.12, data types.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <limits>
#include <numbers>
#include <string_view>
#include <vector>

#include "isthmus/array/array.h"
#include "isthmus/array/dtypes.h"

namespace isthmus::inline ISTHMUS_ABI {

/// @{
/// A constant of the standard.
inline constexpr double pi = std::numbers::pi;
inline constexpr double e = std::numbers::e;
inline constexpr double inf = std::numeric_limits<double>::infinity();
inline constexpr double nan = std::numeric_limits<double>::quiet_NaN();
/// @}

/// Limits of a floating dtype.
struct FInfo {
  int bits;                ///< Of one number.
  double eps;              ///< The distance from 1 to the next larger number.
  double max;              ///< The largest number.
  double min;              ///< The most negative number.
  double smallest_normal;  ///< The smallest positive number with full precision.
  DType dtype;             ///< Which they are of.
};
/// @{
/// Limits of a floating dtype, or of the parts of a complex dtype. Throws TypeError for other
/// dtypes.
ISTHMUS_EXPORT FInfo finfo(DType dtype);
inline FInfo finfo(const Array& x) { return finfo(x.dtype()); }
/// @}

/// Limits of an integer dtype.
struct IInfo {
  int bits;           ///< Of one number.
  std::uint64_t max;  ///< The largest number.
  std::int64_t min;   ///< The smallest number.
  DType dtype;        ///< Which they are of.
};
/// @{
/// Limits of an integer dtype. Throws TypeError for others, including bool.
ISTHMUS_EXPORT IInfo iinfo(DType dtype);
inline IInfo iinfo(const Array& x) { return iinfo(x.dtype()); }
/// @}

/// @{
/// Whether promotion converts one dtype to the other.
ISTHMUS_EXPORT bool can_cast(DType from, DType to);
inline bool can_cast(const Array& from, DType to) { return can_cast(from.dtype(), to); }
/// @}

/// Whether a dtype belongs to a kind of the standard: "bool", "signed integer", "unsigned integer",
/// "integral", "real floating", "complex floating" or "numeric". Throws ValueError for another
/// kind.
ISTHMUS_EXPORT bool isdtype(DType dtype, std::string_view kind);
/// Whether it is that dtype.
inline bool isdtype(DType dtype, DType kind) { return dtype == kind; }
/// Whether it belongs to one of the kinds.
inline bool isdtype(DType dtype, std::initializer_list<std::string_view> kinds) {
  for (const std::string_view kind : kinds)
    if (isdtype(dtype, kind)) return true;
  return false;
}

/// An argument of result_type().
struct TypeSource {
  /// @{
  /// An array, a dtype, or a number, which takes the dtype of the others.
  TypeSource(const Array& x) : value(x) {}                  // NOLINT: an array has a dtype
  TypeSource(Array&& x) : value(std::move(x)) {}            // NOLINT
  TypeSource(DType dtype) : value(Scalar()), own(dtype) {}  // NOLINT: a dtype is one
  TypeSource(TypeId dtype) : TypeSource(DType(dtype)) {}    // NOLINT
  template <Number T>
  TypeSource(T number) : value(number) {}  // NOLINT
  /// @}
  Value value;               ///< The array or the number.
  std::optional<DType> own;  ///< The dtype, if it is one.
};
/// The common dtype of arrays and dtypes; numbers take it as far as their kind allows. Throws
/// PromotionError if there is no common dtype, ValueError if there are only numbers.
ISTHMUS_EXPORT DType result_type(std::initializer_list<TypeSource> sources);

}  // namespace isthmus::inline ISTHMUS_ABI
