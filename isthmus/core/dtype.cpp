// dtype.cpp: promotion, interned structs, and the bits of half precision.
#include "isthmus/core/dtype.h"

#include <bit>
#include <cmath>
#include <cstring>

#include "isthmus/base/error.h"
#include "isthmus/base/interned.h"
#include "isthmus/core/internal.h"
#include "isthmus/core/record_field.h"

namespace isthmus::inline ISTHMUS_ABI {

using detail::format;

namespace {

bool is_integral(DType t) { return t.family == Family::integer || t.family == Family::natural; }

DType integer_of(int bits) {
  return bits == 8    ? TypeId::int8
         : bits == 16 ? TypeId::int16
         : bits == 32 ? TypeId::int32
                      : TypeId::int64;
}

DType complex_of(DType real) { return real.bits == 64 ? TypeId::complex128 : TypeId::complex64; }

/// The smallest real that holds an integer, as in NumPy; 64-bit ones are rounded.
DType real_holding(DType integral) {
  return integral.bits == 8    ? TypeId::float16
         : integral.bits == 16 ? TypeId::float32
                               : TypeId::float64;
}

DType promote_reals(DType a, DType b) {
  if (a.bits != b.bits) return a.bits > b.bits ? a : b;
  return a == b ? a : DType(TypeId::float32);  // float16 with bfloat16
}

DType promote_integers(DType a, DType b) {
  if (a.family == b.family) return a.bits >= b.bits ? a : b;
  const DType integer = a.family == Family::integer ? a : b;
  const DType natural = a.family == Family::integer ? b : a;
  if (integer.bits > natural.bits) return integer;
  return natural.bits == 64 ? DType(TypeId::float64) : integer_of(2 * natural.bits);
}

}  // namespace

std::int64_t alignment_of(DType dtype) {
  if (dtype.record) return dtype.record->alignment;
  return std::max(1, dtype.bits / (dtype.family == Family::complex ? 16 : 8));
}

DType real_part(DType dtype) {
  if (dtype.family != Family::complex) return dtype;
  return dtype.bits == 128 ? TypeId::float64 : TypeId::float32;
}

DType floating_for(DType dtype) {
  if (dtype.family == Family::boolean) return TypeId::float16;
  return is_integral(dtype) ? real_holding(dtype) : dtype;
}

DType promote(DType a, DType b) {
  if (a == b) return a;
  if (detail::is_same_struct(a, b)) return alignment_of(b) < alignment_of(a) ? b : a;
  check(a.is_builtin() && b.is_builtin(), Errc::promotion,
        "promote: {} and {} have no common dtype; records can be moved, but not calculated with", a,
        b);
  if (a.family == Family::boolean) return b;
  if (b.family == Family::boolean) return a;
  if (is_integral(a) && is_integral(b)) return promote_integers(a, b);
  // bfloat16 reaches further than any integer of 8 bits, so that it need not widen
  const auto as_real = [](DType t, DType other) -> DType {
    if (!is_integral(t)) return real_part(t);
    return t.bits == 8 && other.id == TypeId::bfloat16 ? other : real_holding(t);
  };
  const DType real = promote_reals(as_real(a, b), as_real(b, a));
  const bool is_complex = a.family == Family::complex || b.family == Family::complex;
  return is_complex ? complex_of(real) : real;
}

std::string to_string(DType dtype) {
  if (!dtype.record) return std::string(info(dtype.id).name);
  if (!dtype.record->name.empty()) return dtype.record->name;
  if (dtype.record->fields.empty()) return format("struct of {} bytes", dtype.record->bytes);
  std::string fields;
  for (const RecordType::Field& field : dtype.record->fields)
    fields += format("{}{}: {}", fields.empty() ? "" : ", ", field.name, field.format);
  return format("struct ({})", fields);
}

std::optional<DType> detail::dtype_of_field(const RecordType::Field& field) {
  if (field.nested) return DType(field.nested);
  for (std::size_t i = 0; i < type_table.size(); ++i)
    if (type_table[i].typestr == field.format) return DType(static_cast<TypeId>(i));
  return {};
}

bool detail::is_same_struct(DType a, DType b) {
  if (a == b || !a.record || !b.record) return a == b && a.record;
  const auto is_same = [](const RecordType::Field& x, const RecordType::Field& y) {
    return x.name == y.name && x.title == y.title && x.format == y.format &&
           x.byte_offset == y.byte_offset && x.shape == y.shape &&
           (x.nested == y.nested ||
            (x.nested && y.nested && is_same_struct(DType(x.nested), DType(y.nested))));
  };
  return a.record->name == b.record->name && a.record->bytes == b.record->bytes &&
         std::ranges::equal(a.record->fields, b.record->fields, is_same);
}

const RecordType* intern(RecordType type) {
  static auto& types = *new Interned<RecordType>;  // leaked: dtypes outlive static teardown
  return &types.find(std::move(type));
}

Scalar Scalar::of(bool value) {
  Scalar s;
  s.dtype = TypeId::bool_, s.integer = value;
  return s;
}
Scalar Scalar::of(std::int64_t value) {
  Scalar s;
  s.dtype = TypeId::int64, s.integer = value;
  return s;
}
Scalar Scalar::of(std::uint64_t value) {
  Scalar s;
  s.dtype = TypeId::uint64, s.natural = value;
  return s;
}
Scalar Scalar::of(double value) { return of(Complex<double>{value, 0}, TypeId::float64); }
Scalar Scalar::of(Complex<double> value) { return of(value, TypeId::complex128); }
Scalar Scalar::of(Complex<double> value, DType dtype) {
  Scalar s;
  s.dtype = dtype, s.number = value;
  return s;
}

namespace {

template <class T>
void put(void* memory, T value) {
  std::memcpy(memory, &value, sizeof value);
}

template <class T>
T get(const void* memory) {
  T value;
  std::memcpy(&value, memory, sizeof value);
  return value;
}

/// A real as an integer without undefined behaviour: the ends of the range for what lies outside.
std::int64_t truncate(double x) {
  if (!(x > -9223372036854775808.0)) return INT64_MIN;
  return x >= 9223372036854775808.0 ? INT64_MIN : static_cast<std::int64_t>(x);
}
std::uint64_t truncate_natural(double x) {
  if (x >= 9223372036854775808.0 && x < 18446744073709551616.0)
    return static_cast<std::uint64_t>(x);
  return static_cast<std::uint64_t>(truncate(x));
}

Complex<double> as_number(const Scalar& s) {
  switch (s.dtype.family) {
    case Family::boolean:
    case Family::integer: return {static_cast<double>(s.integer), 0};
    case Family::natural: return {static_cast<double>(s.natural), 0};
    default: return s.number;
  }
}

std::uint64_t as_bits(const Scalar& s) {
  switch (s.dtype.family) {
    case Family::boolean:
    case Family::integer:
    case Family::natural: return s.natural;
    default:
      return s.number.re < 0 ? static_cast<std::uint64_t>(truncate(s.number.re))
                             : truncate_natural(s.number.re);
  }
}

}  // namespace

void store(const Scalar& value, DType dtype, void* memory) {
  const Complex<double> number = as_number(value);
  switch (dtype.id) {
    case TypeId::bool_: return put<std::uint8_t>(memory, number.re != 0 || number.im != 0);
    case TypeId::int8:
    case TypeId::uint8: return put(memory, static_cast<std::uint8_t>(as_bits(value)));
    case TypeId::int16:
    case TypeId::uint16: return put(memory, static_cast<std::uint16_t>(as_bits(value)));
    case TypeId::int32:
    case TypeId::uint32: return put(memory, static_cast<std::uint32_t>(as_bits(value)));
    case TypeId::int64:
    case TypeId::uint64: return put(memory, as_bits(value));
    case TypeId::float16: return put(memory, double_to_half(number.re));
    case TypeId::bfloat16: return put(memory, float_to_bfloat(static_cast<float>(number.re)));
    case TypeId::float32: return put(memory, static_cast<float>(number.re));
    case TypeId::float64: return put(memory, number.re);
    case TypeId::complex64:
      return put(memory,
                 Complex<float>{static_cast<float>(number.re), static_cast<float>(number.im)});
    case TypeId::complex128: return put(memory, number);
    case TypeId::record: break;
  }
  fail(Errc::type, "store: a number cannot become a {}", dtype);
}

[[gnu::hot]] Scalar load(DType dtype, const void* memory) {
  const auto integer = [&](std::int64_t v) {
    Scalar s = Scalar::of(v);
    s.dtype = dtype;
    return s;
  };
  const auto real = [&](double v) { return Scalar::of(Complex<double>{v, 0}, dtype); };
  switch (dtype.id) {
    case TypeId::bool_: return Scalar::of(get<std::uint8_t>(memory) != 0);
    case TypeId::int8: return integer(get<std::int8_t>(memory));
    case TypeId::int16: return integer(get<std::int16_t>(memory));
    case TypeId::int32: return integer(get<std::int32_t>(memory));
    case TypeId::int64: return integer(get<std::int64_t>(memory));
    case TypeId::uint8: return integer(get<std::uint8_t>(memory));
    case TypeId::uint16: return integer(get<std::uint16_t>(memory));
    case TypeId::uint32: return integer(get<std::uint32_t>(memory));
    case TypeId::uint64: return integer(get<std::int64_t>(memory));
    case TypeId::float16: return real(half_to_float(get<std::uint16_t>(memory)));
    case TypeId::bfloat16: return real(bfloat_to_float(get<std::uint16_t>(memory)));
    case TypeId::float32: return real(get<float>(memory));
    case TypeId::float64: return real(get<double>(memory));
    case TypeId::complex64: {
      const auto z = get<Complex<float>>(memory);
      return Scalar::of(Complex<double>{z.re, z.im}, dtype);
    }
    case TypeId::complex128: return Scalar::of(get<Complex<double>>(memory), dtype);
    case TypeId::record: break;
  }
  fail(Errc::type, "load: a {} is not a number", dtype);
}

float half_to_float(std::uint16_t half) noexcept {
  const std::uint32_t sign = static_cast<std::uint32_t>(half & 0x8000) << 16;
  const std::uint32_t exponent = half >> 10 & 31, mantissa = half & 0x3ff;
  if (exponent == 31)  // infinity, or NaN made quiet as the hardware does
    return std::bit_cast<float>(sign | 0x7f800000 | mantissa << 13 | (mantissa ? 0x400000 : 0));
  if (exponent == 0) {
    const float magnitude = static_cast<float>(mantissa) * 0x1p-24f;
    return sign ? -magnitude : magnitude;
  }
  return std::bit_cast<float>(sign | (exponent + 112) << 23 | mantissa << 13);
}

std::uint16_t double_to_half(double value) noexcept {
  const auto sign = static_cast<std::uint16_t>(std::signbit(value) ? 0x8000 : 0);
  const double x = std::fabs(value);
  if (x != x) {
    const auto payload = std::bit_cast<std::uint64_t>(value) >> 42 & 0x3ff;
    return static_cast<std::uint16_t>(sign | 0x7e00 | payload);
  }
  if (x >= 65520) return sign | 0x7c00;  // half of the last step rounds up to infinity
  if (x < 0x1p-14)                       // subnormal: steps of 2^-24
    return static_cast<std::uint16_t>(sign |
                                      static_cast<std::uint16_t>(std::nearbyint(x * 0x1p24)));
  int exponent;
  const double fraction = std::frexp(x, &exponent);                                   // in [0.5, 1)
  const auto mantissa = static_cast<std::uint32_t>(std::nearbyint(fraction * 2048));  // to 2048
  // `mantissa` holds the implicit one, so that rounding up to 2048 carries into the exponent
  return static_cast<std::uint16_t>(sign |
                                    ((static_cast<std::uint32_t>(exponent + 13) << 10) + mantissa));
}

std::uint16_t float_to_half(float value) noexcept { return double_to_half(value); }

float bfloat_to_float(std::uint16_t bfloat) noexcept {
  return std::bit_cast<float>(static_cast<std::uint32_t>(bfloat) << 16);
}

std::uint16_t float_to_bfloat(float value) noexcept {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  if (value != value) return static_cast<std::uint16_t>(bits >> 16 | 0x40);
  return static_cast<std::uint16_t>((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

}  // namespace isthmus::inline ISTHMUS_ABI
