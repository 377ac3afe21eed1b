// create.cpp: creation as expressions of an index, so that it fuses.
#include "isthmus/array/create/create.h"

#include <algorithm>
#include <cmath>

#include "isthmus/array/apply.h"
#include "isthmus/array/index/seen.h"
#include "isthmus/array/infer/literal.h"
#include "isthmus/array/place.h"
#include "isthmus/runtime/memory/memory_pool.h"

namespace isthmus::inline ISTHMUS_ABI {

namespace {

double as_double(const Scalar& s) {
  if (s.dtype.family == Family::natural) return static_cast<double>(s.natural);
  const bool is_integral = s.dtype.family == Family::integer || s.dtype.family == Family::boolean;
  return is_integral ? static_cast<double>(s.integer) : s.number.re;
}

bool is_integral(const Scalar& s) {
  return s.dtype.family == Family::integer || s.dtype.family == Family::boolean ||
         s.dtype.family == Family::natural;
}

/// A host that is not there is refused here, not when its elements are wanted; other devices are
/// asked for anyway.
void check_exists(const Device& device) {
  if (device.is_host() && device.index() != 0) (void)device.info();
}

Array leaf(Operand operand, TypeId from, DType dtype, const Shape& shape, const Device& device) {
  auto node = std::make_unique<Node>(work::Map(Op::astype, from));
  node->operand_count = 1;
  node->operands[0] = std::move(operand);
  check_exists(device);
  node->context = context_for("full", device, *node);
  return detail::settle(make_pending(dtype, device, row_major(shape), std::move(node)), {});
}

/// A scalar rounded to `dtype`, as one operand among others.
Value strong(Scalar s, DType dtype) {
  alignas(16) std::byte bytes[16];
  store(s, dtype, bytes);
  return Value(load(dtype, bytes), false);
}

/// A number given as an operand; waits for that of an array.
Scalar number_from(std::string_view who, const Value& value) {
  check(!value.is_past_64_bits, Errc::overflow, "{}: an integer past 64 bits; write a float", who);
  if (!value.array) return value.scalar;
  check(value.array->size() == 1, Errc::value,
        "{}: an array of {} elements where a number is needed", who, value.array->size());
  return item(*value.array);
}

DType default_complex(const Device& device) {
  return has_dtype(device, TypeId::complex128) ? TypeId::complex128 : TypeId::complex64;
}

/// What a number makes by itself: its own dtype, but for a weak one the device's default where it
/// is a double, as literals are.
DType natural_type(const Value& value, const Scalar& s, const Device& device) {
  if (value.array || !value.is_weak) return s.dtype;
  switch (s.dtype.id) {
    case TypeId::float64: return default_real(device);
    case TypeId::complex128: return default_complex(device);
    default: return s.dtype;
  }
}

/// Whether the reals among numbers are floats, and there are any.
bool is_single(std::initializer_list<const Value*> values) {
  bool has_any = false;
  for (const Value* value : values) {
    const DType dtype = value->array ? value->array->dtype() : value->scalar.dtype;
    if (dtype.family != Family::real && dtype.family != Family::complex) continue;
    if (value->array || !value->is_weak || real_part(dtype) != DType(TypeId::float32)) return false;
    has_any = true;
  }
  return has_any;
}

std::int64_t arange_count(const Scalar& start, const Scalar& stop, const Scalar& step) {
  if (is_integral(start) && is_integral(stop) && is_integral(step)) {
    check(step.integer != 0, Errc::value, "arange: the step is 0");
    const auto distance = static_cast<__int128>(stop.integer) - start.integer;
    const __int128 each = step.integer;
    const __int128 count = (distance + each - (each > 0 ? 1 : -1)) / each;
    if (distance == 0 || (distance > 0) != (each > 0)) return 0;
    check(count <= INT64_MAX, Errc::value, "arange: more than 2^63-1 elements");
    return static_cast<std::int64_t>(count);
  }
  const double each = as_double(step);
  check(each != 0, Errc::value, "arange: the step is 0");
  const double distance = as_double(stop) - as_double(start);
  const double steps = distance / each;
  if (steps == 0 && distance != 0) return std::signbit(steps) ? 0 : 1;  // less than doubles can say
  const double count = std::ceil(steps);
  check(!(count >= 9.2e18) && count == count, Errc::value,
        "arange: {} elements from {} to {} by {}", count, as_double(start), as_double(stop), each);
  return count > 0 ? static_cast<std::int64_t>(count) : 0;
}

}  // namespace

Array empty(const Shape& shape, std::optional<DType> wanted, const Device& device) {
  check_exists(device);
  const DType dtype = wanted.value_or(default_real(device));
  const std::int64_t bytes = checked_bytes("empty", shape, dtype.bytes());
  check(has_dtype(device, dtype), Errc::type, "empty: {} has no {}; use float32", device, dtype);
  Ref<BackendMemory> memory = allocate(device, static_cast<std::size_t>(bytes));
  memory->has_any_bytes = true;
  return Array(make_ref<Storage>(dtype, row_major(shape), std::move(memory)));
}

Array full(const Shape& shape, const Value& value, std::optional<DType> wanted,
           const Device& device, std::string_view who) {
  // a dtype that is given says itself whether it holds an integer of any size
  const bool is_judged = value.is_past_64_bits && wanted;
  const Scalar number = is_judged ? value.scalar : number_from(who, value);
  const DType dtype = wanted.value_or(natural_type(value, number, device));
  if (dtype.is_builtin()) check_fits(who, value.array ? Value(number) : value, dtype);
  const std::int64_t bytes = checked_bytes(who, shape, dtype.bytes());
  check(has_dtype(device, dtype), Errc::type, "{}: {} has no {}; use float32", who, device, dtype);
  if (!dtype.is_builtin()) {
    check(is_integral(number) && number.integer == 0, Errc::type,
          "{}: a number cannot become a {}; use zeros", who, dtype);
    const Array all_zero = full(Shape{bytes}, 0, TypeId::uint8, device, who);
    return from_view({to_view(all_zero).memory, dtype, row_major(shape)});
  }
  Operand operand;
  operand.kind = Operand::Kind::scalar;
  operand.scalar = number;
  return leaf(std::move(operand), dtype.id, dtype, shape, device);
}

Array zeros(const Shape& shape, std::optional<DType> dtype, const Device& device) {
  return full(shape, 0, dtype.value_or(default_real(device)), device, "zeros");
}
Array ones(const Shape& shape, std::optional<DType> dtype, const Device& device) {
  return full(shape, 1, dtype.value_or(default_real(device)), device, "ones");
}

Array empty_like(const Array& like, std::optional<DType> dtype) {
  const InContextOf meanwhile(like);
  return empty(like.shape(), dtype.value_or(like.dtype()), like.device());
}
Array full_like(const Array& like, const Value& value, std::optional<DType> dtype,
                std::string_view who) {
  const InContextOf meanwhile(like);
  return full(like.shape(), value, dtype.value_or(like.dtype()), like.device(), who);
}
Array zeros_like(const Array& like, std::optional<DType> dtype) {
  return full_like(like, 0, dtype, "zeros_like");
}
Array ones_like(const Array& like, std::optional<DType> dtype) {
  return full_like(like, 1, dtype, "ones_like");
}

Array index_along(const Shape& shape, AnyInteger axis, const Device& device) {
  checked_count("index_along", shape);
  const int along = checked_axis("index_along", axis, static_cast<int>(shape.size()));
  Operand operand;
  operand.kind = Operand::Kind::index;
  operand.axis = static_cast<std::uint8_t>(along);
  return leaf(std::move(operand), TypeId::int64, TypeId::int64, shape, device);
}

Array arange(const Value& begin_at, const Value& end_at, const Value& each,
             std::optional<DType> wanted, const Device& device) {
  const auto number = [](const Value& value) {
    const Scalar s = number_from("arange", value);
    check(s.dtype.family != Family::complex, Errc::type, "arange: complex numbers have no order");
    check(s.dtype.family != Family::natural || s.natural <= INT64_MAX, Errc::overflow,
          "arange: {} is past 2^63-1", s.natural);
    return s;
  };
  const Scalar start = number(begin_at), stop = number(end_at), step = number(each);
  const bool is_whole = is_integral(start) && is_integral(stop) && is_integral(step);
  const DType real =
      is_single({&begin_at, &end_at, &each}) ? DType(TypeId::float32) : default_real(device);
  const DType dtype = wanted.value_or(is_whole ? DType(TypeId::int64) : real);
  const std::int64_t count = arange_count(start, stop, step);
  checked_bytes("arange", Shape{count}, dtype.bytes());
  check(has_dtype(device, dtype), Errc::type, "arange: {} has no {}; use float32", device, dtype);
  const Array index = index_along(Shape{count}, 0, device);
  if (dtype.family == Family::integer || dtype.family == Family::natural) {
    // NumPy truncates the first two numbers and goes on with their difference
    alignas(16) std::byte first[16], second[16];
    store(start, TypeId::int64, first);
    const Scalar next =
        is_integral(start) && is_integral(step)
            ? Scalar::of(static_cast<std::int64_t>(static_cast<std::uint64_t>(start.integer) +
                                                   static_cast<std::uint64_t>(step.integer)))
            : Scalar::of(as_double(start) + as_double(step));
    store(next, TypeId::int64, second);
    const std::int64_t begin = load(TypeId::int64, first).integer;
    const auto delta =
        static_cast<std::int64_t>(static_cast<std::uint64_t>(load(TypeId::int64, second).integer) -
                                  static_cast<std::uint64_t>(begin));
    if (count > 0) {
      const auto last = static_cast<__int128>(begin) + static_cast<__int128>(count - 1) * delta;
      const auto check_end = [&](std::int64_t end) { check_fits("arange", Value(end), dtype); };
      check_end(begin);
      if (last > begin) check_end(static_cast<std::int64_t>(std::min<__int128>(last, INT64_MAX)));
      if (last < begin) check_end(static_cast<std::int64_t>(std::max<__int128>(last, INT64_MIN)));
    }
    Array made = delta == 1 ? index : apply(Op::multiply, {index, delta});
    if (begin != 0) made = apply(Op::add, {made, begin});
    return astype(std::move(made), dtype, false);
  }
  check(dtype.family == Family::real || dtype.family == Family::complex, Errc::type,
        "arange: does not support {}", dtype);
  if (count == 1) return full(Shape{1}, as_double(start), dtype, device, "arange");  // no step
  // first + i * (second - first) in the dtype, as NumPy: each of the two rounded to it first, and
  // the second one as it is
  const Value first = strong(Scalar::of(as_double(start)), dtype);
  const Value second = strong(Scalar::of(as_double(start) + as_double(step)), dtype);
  const Value delta = strong(Scalar::of(second.scalar.number.re - first.scalar.number.re), dtype);
  if (!std::isfinite(delta.scalar.number.re)) {  // past its range, where inf - inf would be NaN
    const DType wide = default_real(device);
    const Value from = strong(Scalar::of(as_double(start)), wide);
    const Value each_step = strong(Scalar::of(as_double(step)), wide);
    const Array place = apply(Op::multiply, {astype(index, wide), each_step});
    return astype(apply(Op::add, {place, from}), dtype, false);
  }
  const Array made = apply(Op::add, {apply(Op::multiply, {astype(index, dtype), delta}), first});
  const double sum = first.scalar.number.re + delta.scalar.number.re;
  if (strong(Scalar::of(sum), dtype).scalar.number.re == second.scalar.number.re) return made;
  return apply(Op::where, {apply(Op::equal, {index, 1}), second, made});
}

Array linspace(const Value& begin_at, const Value& end_at, AnyInteger how_many,
               std::optional<DType> wanted, Flag endpoint, const Device& device) {
  const Scalar start = number_from("linspace", begin_at), stop = number_from("linspace", end_at);
  const auto is_complex_number = [](const Scalar& s) { return s.dtype.family == Family::complex; };
  const bool has_imaginary = is_complex_number(start) || is_complex_number(stop);
  const std::int64_t count = how_many;
  const bool is_float = is_single({&begin_at, &end_at});
  const DType dtype = wanted.value_or(
      has_imaginary ? (is_float ? DType(TypeId::complex64) : default_complex(device))
                    : (is_float ? DType(TypeId::float32) : default_real(device)));
  check(count >= 0, Errc::value, "linspace: {} elements; 0 or more are needed", count);
  checked_bytes("linspace", Shape{count}, dtype.bytes());
  for (const Scalar* s : {&start, &stop})
    if (is_complex_number(*s)) check_cast("linspace", s->dtype, dtype);
  check(has_dtype(device, dtype), Errc::type, "linspace: {} has no {}; use float32", device, dtype);
  const bool is_complex =
      dtype.family == Family::complex || (dtype.family == Family::boolean && has_imaginary);
  const DType wide = is_complex ? default_complex(device) : default_real(device);
  const auto number = [](const Scalar& s) {
    return s.dtype.family == Family::complex ? s.number : Complex<double>{as_double(s), 0};
  };
  const Complex<double> from = number(start), to = number(stop);
  const auto steps = static_cast<double>(endpoint ? count - 1 : count);
  const Complex<double> step =
      steps > 0 ? Complex<double>{(to.re - from.re) / steps, (to.im - from.im) / steps}
                : Complex<double>{to.re - from.re, to.im - from.im};
  const auto value = [&](Complex<double> z) {
    return strong(is_complex ? Scalar::of(z) : Scalar::of(z.re), wide);
  };
  const Array index = index_along(Shape{count}, 0, device);
  Array result =
      apply(Op::add, {apply(Op::multiply, {astype(index, wide), value(step)}), value(from)});
  if (endpoint && count > 1)
    result = apply(Op::where, {apply(Op::equal, {index, count - 1}), value(to), result});
  // integers are rounded down, as NumPy does
  if (dtype.family == Family::integer || dtype.family == Family::natural)
    result = apply(Op::floor, {result});
  return astype(result, dtype, false);
}

Array eye(AnyInteger rows, OptionalInteger wide, AnyInteger k, std::optional<DType> dtype,
          const Device& device) {
  const std::int64_t columns = wide.value_or(rows.value);
  const Shape shape{rows, columns};
  const DType given = dtype.value_or(default_real(device));
  checked_bytes("eye", shape, given.bytes());
  // |k| beyond the shape has no diagonal; clamped, so that row + k cannot overflow
  const std::int64_t clamped = std::clamp(k.value, -rows.value, columns);
  constexpr std::int64_t many = 128;
  if (device.is_host() && std::min(rows.value, columns) >= many) {
    // all rows are parts of a long one with a single 1: a copy takes less time than to compare
    const Array index = index_along(Shape{rows + columns - 1}, 0, device);
    const Array line = astype(apply(Op::equal, {index, rows - 1 + clamped}), given, false);
    return copy(seen_as(line, {{rows, columns}, {-1, 1}, rows - 1}));
  }
  const Array row = index_along(shape, 0, device), column = index_along(shape, 1, device);
  return astype(apply(Op::equal, {apply(Op::add, {row, clamped}), column}), given, false);
}

Array from_view(View view) {
  const bool is_read_only = view.is_read_only || view.memory->is_read_only;
  if (view.dtype.id == TypeId::bool_) view.memory->has_any_bytes = true;
  Layout layout = view.layout;
  auto storage = make_ref<Storage>(view.dtype, view.layout, std::move(view.memory));
  return Array(std::move(storage), std::move(layout), is_read_only);
}

View to_view(const Array& x) {
  x.eval();
  return {x.storage()->memory(), x.dtype(), x.layout(), x.is_read_only()};
}

}  // namespace isthmus::inline ISTHMUS_ABI
