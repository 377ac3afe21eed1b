// integers.cpp: random integers and bytes.
#include <cstring>

#include "isthmus/array/functions.h"
#include "isthmus/array/types.h"
#include "isthmus/random/drawing.h"

namespace isthmus::inline ISTHMUS_ABI::random {

using detail::check;
using detail::format;

namespace {

constexpr const char* who = "integers";
using Wide = __int128;

bool is_whole(DType dtype) {
  return dtype.family == Family::integer || dtype.family == Family::natural ||
         dtype.family == Family::boolean;
}

/// A bound that is a number; 2^64 is the one past 64 bits that can bound something.
Wide integer_of(const Value& value) {
  if (value.is_past_64_bits && value.scalar.number.re == 0x1p64) return Wide{1} << 64;
  check(!value.is_past_64_bits, Errc::value, "{}: a bound past 64 bits", who);
  const Family family = value.scalar.dtype.family;
  if (family == Family::natural) return value.scalar.natural;
  if (is_whole(value.scalar.dtype)) return value.scalar.integer;
  check(family == Family::real, Errc::type, "{}: a bound of the dtype {}", who, value.scalar.dtype);
  const double number = value.scalar.number.re;
  check(number == static_cast<double>(static_cast<std::int64_t>(number)), Errc::type,
        "{}: the bound {} is not an integer", who, number);
  return static_cast<std::int64_t>(number);
}

struct Range {
  Wide lowest, highest;
};

Range range_of(DType dtype) {
  const int bits = dtype.family == Family::boolean ? 1 : dtype.bits;
  if (dtype.family == Family::integer)
    return {-(Wide{1} << (bits - 1)), (Wide{1} << (bits - 1)) - 1};
  return {0, (Wide{1} << bits) - 1};
}

/// For texts.
std::string shown(Wide number) {
  if (number == Wide{1} << 64) return "18446744073709551616";
  return number < 0 ? format("{}", static_cast<std::int64_t>(number))
                    : format("{}", static_cast<std::uint64_t>(number));
}

/// A bound as 64 bits of two's complement.
Array digits_of(const Array& bound) {
  check(is_whole(bound.dtype()), Errc::type, "{}: a bound of the dtype {}", who, bound.dtype());
  const bool is_signed = bound.dtype().family == Family::integer;
  return astype(is_signed ? astype(bound, TypeId::int64, false) : bound, TypeId::uint64, false);
}

/// Waits to see that there is an integer for each element, and that all fit.
void check_bounds(const Value& low, const Value& high, DType dtype, bool endpoint) {
  const Range range = range_of(dtype);
  const auto refuse = [&](const Array& is_wrong, std::string_view text) {
    check(!any(is_wrong).item<bool>(), Errc::value, "{}: {}", who, text);
  };
  const auto bound = [](Wide number) {
    return number > INT64_MAX ? Value(static_cast<std::uint64_t>(number))
                              : Value(static_cast<std::int64_t>(number));
  };
  const Wide beyond = endpoint ? 0 : 1;
  if (low.array)
    refuse(less(*low.array, bound(range.lowest)), "low is below what the dtype holds");
  else
    check(integer_of(low) >= range.lowest, Errc::value, "{}: low {} is below what {} holds", who,
          shown(integer_of(low)), dtype);
  if (high.array && range.highest + beyond <= (Wide{1} << 64) - 1)
    refuse(greater(*high.array, bound(range.highest + beyond)),
           "high is past what the dtype holds");
  if (!high.array)
    check(integer_of(high) <= range.highest + beyond, Errc::value,
          "{}: high {} is past what {} holds", who, shown(integer_of(high)), dtype);
  if (!low.array && !high.array) return;
  const std::string_view none = endpoint ? "low is above high" : "low is not below high";
  const auto value = [&](const Value& v) { return v.array ? v : bound(integer_of(v)); };
  const Value from = value(low), to = value(high);
  const Op op = endpoint ? Op::greater : Op::greater_equal;
  refuse(apply(op, {from, to}), none);
}

}  // namespace

Array Generator::integers(const Value& low, const Value& high, const Shape& size, DType dtype,
                          Flag endpoint, const std::optional<Device>& device) {
  check(is_whole(dtype), Errc::type, "{}: the dtype {} is not an integer dtype", who, dtype);
  const InContextOfFirst meanwhile({&low, &high});
  Target target = real_target(who, {&low, &high}, size, TypeId::float32, device);
  target.dtype = TypeId::uint64;
  check_bounds(low, high, dtype, endpoint);
  const bool has_numbers = !low.array && !high.array;
  const Wide extra = endpoint ? 1 : 0;
  if (has_numbers)
    check(integer_of(low) < integer_of(high) + extra, Errc::value,
          "{}: there is no integer from {} to {} {}", who, shown(integer_of(low)),
          endpoint ? "up to and including" : "below", shown(integer_of(high)));
  Array bits = held().draw(target, Op::random_bits);
  if (has_numbers) {
    const auto count =
        static_cast<std::uint64_t>(integer_of(high) + extra - integer_of(low));  // 0: 2^64
    const auto from = static_cast<std::uint64_t>(integer_of(low));
    Array made = count ? calculate(who, Op::random_below, TypeId::uint64, {std::move(bits), count})
                       : std::move(bits);
    if (from) made = add(std::move(made), Value(Scalar::of(from)));
    return astype(std::move(made), dtype, false);
  }
  const auto value = [](const Value& bound) {
    return Value(Scalar::of(static_cast<std::uint64_t>(integer_of(bound))));
  };
  Array count = !low.array    ? subtract(digits_of(*high.array), value(low))
                : !high.array ? subtract(value(high), digits_of(*low.array))
                              : subtract(digits_of(*high.array), digits_of(*low.array));
  if (endpoint) count = add(std::move(count), Value(Scalar::of(std::uint64_t{1})));
  Array made =
      calculate(who, Op::random_below, TypeId::uint64, {std::move(bits), std::move(count)});
  made = low.array ? add(digits_of(*low.array), std::move(made)) : add(value(low), std::move(made));
  return astype(std::move(made), dtype, false);
}

std::vector<std::byte> Generator::bytes(AnyInteger length) {
  check(length >= 0, Errc::value, "bytes: {} bytes", length);
  const std::int64_t count = length / 8 + (length % 8 != 0 ? 1 : 0);
  const Target target{"bytes", Shape{count}, TypeId::uint64, Device("cpu")};
  // evaluated first: whether there is memory for so many is said in words
  const std::vector<std::uint64_t> words =
      held().draw(target, Op::random_bits).eval().to_vector<std::uint64_t>();
  std::vector<std::byte> made(static_cast<std::size_t>(length));
  if (length) std::memcpy(made.data(), words.data(), made.size());
  return made;
}

}  // namespace isthmus::inline ISTHMUS_ABI::random
