// nested.cpp: lists of lists of numbers as arrays.
#include "isthmus/array/create/nested.h"

#include <algorithm>

#include "isthmus/array/apply.h"
#include "isthmus/array/array.h"
#include "isthmus/array/create/create.h"
#include "isthmus/array/infer/literal.h"

namespace isthmus::inline ISTHMUS_ABI {

Nested::Nested(std::initializer_list<Nested> parts) {
  shape.push_back(static_cast<std::int64_t>(parts.size()));
  if (parts.size() == 0) return;
  const Dims& first = parts.begin()->shape;
  check(first.size() < max_dimensions, Errc::value, "Array: lists are {} deep; at most {}",
        first.size() + 1, max_dimensions);
  for (std::int64_t length : first) shape.push_back(length);
  for (const Nested& part : parts) {
    const bool is_alike = part.shape == first;
    const bool is_number = part.shape.empty() || first.empty();
    check(is_alike || !is_number, Errc::value,
          "Array: a list mixes numbers and lists; its items must be all numbers or all lists");
    check(is_alike, Errc::value,
          "Array: the items of a list have the shapes {} and {}; they must have the same shape",
          first, part.shape);
    for (const Scalar& number : part.numbers) numbers.push_back(number);
  }
}

namespace {

bool is_plain(DType dtype) {
  return dtype == DType(TypeId::float64) || dtype == DType(TypeId::complex128);
}

/// The dtype that all numbers have in common. Ints take that of the others.
DType common_dtype(const SmallVector<Scalar, 1>& numbers, const Device& device) {
  std::optional<DType> strong;
  for (const Scalar& s : numbers)
    if (!is_plain(s.dtype) && s.dtype != DType(TypeId::int64))
      strong = strong ? promote(*strong, s.dtype) : s.dtype;
  DType dtype = strong.value_or(TypeId::int64);
  bool has_plain = numbers.empty();
  if (strong && std::ranges::any_of(numbers, [](const Scalar& s) { return is_plain(s.dtype); }) &&
      (dtype.family == Family::real || dtype.family == Family::complex))
    dtype = promote(dtype, default_real(device));
  for (const Scalar& s : numbers) {
    if (strong) dtype = with_literal("Array", dtype, Value(s, true));
    has_plain = has_plain || is_plain(s.dtype);
  }
  if (strong) return dtype;
  DType plain = has_plain ? default_real(device) : dtype;
  for (const Scalar& s : numbers)
    if (s.dtype.family == Family::complex) plain = with_literal("Array", plain, Value(s, true));
  return plain;
}

}  // namespace

namespace detail {

Array array_of(const Nested& elements, std::optional<DType> wanted, const Device* given) {
  const Device device = given ? *given : default_device();
  const DType dtype = wanted.value_or(common_dtype(elements.numbers, device));
  check(dtype.is_builtin(), Errc::type, "Array: a number cannot become a {}", dtype);
  for (const Scalar& number : elements.numbers) check_fits("Array", Value(number, true), dtype);
  const Array here = empty(elements.shape, dtype, Device());
  auto* to = static_cast<std::byte*>(here.storage()->memory()->host);
  for (const Scalar& number : elements.numbers) {
    store(number, dtype, to);
    to += dtype.bytes();
  }
  return isthmus::to_device(here, device);
}

void refuse_empty() {
  fail(Errc::value,
       "Array: it is empty: default-constructed, moved from, or consumed by a calculation with the "
       "Value that held it; assign an array to it first");
}

void refuse_integer(std::uint64_t number) {
  fail(Errc::overflow, "{} is past 2^63-1, the largest number of a length or an axis", number);
}

}  // namespace detail

Array::Array(std::initializer_list<Nested> elements, std::optional<DType> dtype)
    : Array(detail::array_of(Nested(elements), dtype, nullptr)) {}
Array::Array(std::initializer_list<Nested> elements, std::optional<DType> dtype,
             const Device& device)
    : Array(detail::array_of(Nested(elements), dtype, &device)) {}

}  // namespace isthmus::inline ISTHMUS_ABI
