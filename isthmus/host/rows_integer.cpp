// rows_integer.cpp: rows of bools and integers.
#include "isthmus/host/divisor.h"
#include "isthmus/host/row.h"

namespace isthmus::inline ISTHMUS_ABI::host::ISTHMUS_ISA {
namespace {

#define FUNCTION inline
#define T std::int8_t
#define U std::uint8_t
#include "isthmus/core/integer_functions.inc"
#undef T
#define T std::uint8_t
#include "isthmus/core/integer_functions.inc"
#undef T
#undef U
#define T std::int16_t
#define U std::uint16_t
#include "isthmus/core/integer_functions.inc"
#undef T
#define T std::uint16_t
#include "isthmus/core/integer_functions.inc"
#undef T
#undef U
#define T std::int32_t
#define U std::uint32_t
#include "isthmus/core/integer_functions.inc"
#undef T
#define T std::uint32_t
#include "isthmus/core/integer_functions.inc"
#undef T
#undef U
#define T std::int64_t
#define U std::uint64_t
#include "isthmus/core/integer_functions.inc"
#undef T
#define T std::uint64_t
#include "isthmus/core/integer_functions.inc"
#undef T
#undef U

namespace boolean {
#define OP(name, arity, rule, promotes, boolean_, ...) \
  ISTHMUS_OPERATION(name, arity, rule, boolean_)
#include "isthmus/core/ops.def"
}  // namespace boolean

namespace integer {
#define OP(name, arity, rule, promotes, boolean_, integer_, ...) \
  ISTHMUS_OPERATION(name, arity, rule, integer_)
#include "isthmus/core/ops.def"
}  // namespace integer

/// What is asked for of a division: its quotient, rounded down, what is left of that, or what is
/// left where it is rounded towards zero.
enum class Division : std::uint8_t { quotient, remainder, fmod };

/// Quotients, or what is left of them, by way of floats that hold them exactly: processors have
/// vectors of those divisions, and none of integers'. A quotient below an integer stays below it,
/// since it is further away than floats of that size are from each other.
template <class T, Division asked>
void row_of_divisions(void* out_memory, const void* x_memory, const void* y_memory, const void*,
                      std::int64_t n) {
  using Float = std::conditional_t<sizeof(T) < 4, float, double>;
  using Wide = std::conditional_t<sizeof(T) < 4, std::int32_t, std::int64_t>;
  auto* out = static_cast<T*>(out_memory);
  const auto* x = static_cast<const T*>(x_memory);
  const auto* y = static_cast<const T*>(y_memory);
#pragma GCC ivdep
  for (std::int64_t i = 0; i < n; ++i) {
    const bool is_zero = y[i] == 0;
    const Wide a = x[i], b = is_zero ? 1 : y[i];
    Wide quotient = static_cast<Wide>(static_cast<Float>(a) / static_cast<Float>(b));
    if constexpr (std::is_signed_v<T> && asked != Division::fmod) {
      const Wide rest = a - quotient * b;
      quotient -= static_cast<Wide>(rest != 0) & static_cast<Wide>((rest < 0) != (b < 0));
    }
    const Wide result = asked == Division::quotient ? quotient : a - quotient * b;
    out[i] = static_cast<T>(is_zero ? 0 : result);
  }
}

/// The same by one divisor. `size` and `flip` make of it a quotient of numbers that are not
/// negative: floor(a / b) is floor(-a / -b), and of a < 0 it is ~(~a / b).
template <class T, bool is_remainder>
void divide_by_one(T* out, const T* x, T divisor, std::int64_t n) {
  using Word = std::conditional_t<sizeof(T) <= 2, std::uint16_t,
                                  std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>>;
  const bool is_negative = divisor < 0;
  const auto b = static_cast<Word>(divisor);
  const auto sign = static_cast<Word>(is_negative ? -1 : 0);
  const Divisor<Word> by(static_cast<Word>((b ^ sign) - sign));
#pragma GCC ivdep
  for (std::int64_t i = 0; i < n; ++i) {
    const auto a = static_cast<Word>(x[i]);
    const auto size = static_cast<Word>((a ^ sign) - sign);
    const bool is_below = std::is_signed_v<T> && (is_negative ? x[i] > 0 : x[i] < 0);
    const auto flip = static_cast<Word>(is_below ? -1 : 0);
    const auto quotient = static_cast<Word>(by.quotient(static_cast<Word>(size ^ flip)) ^ flip);
    out[i] = static_cast<T>(is_remainder ? static_cast<Word>(a - quotient * b) : quotient);
  }
}

/// Whether doubles hold all of these, and quotients of two of them are as exact as those of halves.
template <class T>
bool are_doubles(const T* x, const T* y, std::int64_t n) {
  const auto size = [](T value) {  // of a negative one less 1
    const auto sign = std::is_signed_v<T> ? static_cast<std::int64_t>(value) >> 63 : 0;
    return static_cast<std::uint64_t>(value) ^ static_cast<std::uint64_t>(sign);
  };
  std::uint64_t bits = 0;
  for (std::int64_t i = 0; i < n; ++i) bits |= size(x[i]) | size(y[i]);
  return bits < std::uint64_t{1} << 53;
}

template <class T, Division asked>
void row_of_quotients(void* out_memory, const void* x_memory, const void* y_memory,
                      const void* z_memory, std::int64_t n) {
  constexpr std::int64_t fewest = 16;  // that are worth making a factor of the divisor
  constexpr bool is_remainder = asked == Division::remainder;
  auto* out = static_cast<T*>(out_memory);
  const auto* x = static_cast<const T*>(x_memory);
  const auto* y = static_cast<const T*>(y_memory);
  if (n >= fewest && y[0] != 0 && y[0] == y[n / 2] && y[0] == y[n - 1]) {
    T difference = 0;
    for (std::int64_t i = 1; i < n; ++i) difference = static_cast<T>(difference | (y[0] ^ y[i]));
    if (difference == 0) return divide_by_one<T, is_remainder>(out, x, y[0], n);
  }
  if (sizeof(T) < 8 || are_doubles(x, y, n)) {
    row_of_divisions<T, asked>(out_memory, x_memory, y_memory, z_memory, n);
  } else {
    for (std::int64_t i = 0; i < n; ++i)
      out[i] = is_remainder ? int_remainder(x[i], y[i]) : int_divide(x[i], y[i]);
  }
}

template <TypeId id>
void fill_integer(RowTable& table) {
  using T = storage_t<id>;
#define OP(name, ...)                                           \
  table.ops[static_cast<int>(Op::name)][static_cast<int>(id)] = \
      row_of<integer::Op_##name<T, std::make_unsigned_t<T>, T>, T, T>();
#include "isthmus/core/ops.def"
  Row* const quotient = &table.ops[static_cast<int>(Op::floor_divide)][static_cast<int>(id)];
  Row* const remainder = &table.ops[static_cast<int>(Op::remainder)][static_cast<int>(id)];
  *quotient = row_of_quotients<T, Division::quotient>;
  *remainder = row_of_quotients<T, Division::remainder>;
  if constexpr (sizeof(T) < 8)
    table.ops[static_cast<int>(Op::fmod)][static_cast<int>(id)] =
        row_of_divisions<T, Division::fmod>;
}

}  // namespace

void fill_integer_rows(RowTable& table) {
#define OP(name, ...)                                                                    \
  table.ops[static_cast<int>(Op::name)][static_cast<int>(TypeId::bool_)] =               \
      row_of<boolean::Op_##name<std::uint8_t, std::uint8_t, std::uint8_t>, std::uint8_t, \
             std::uint8_t>();
#include "isthmus/core/ops.def"
  fill_integer<TypeId::int8>(table);
  fill_integer<TypeId::int16>(table);
  fill_integer<TypeId::int32>(table);
  fill_integer<TypeId::int64>(table);
  fill_integer<TypeId::uint8>(table);
  fill_integer<TypeId::uint16>(table);
  fill_integer<TypeId::uint32>(table);
  fill_integer<TypeId::uint64>(table);
}

}  // namespace isthmus::inline ISTHMUS_ABI::host::ISTHMUS_ISA
