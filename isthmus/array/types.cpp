// types.cpp: limits and kinds of dtypes.
#include "isthmus/array/types.h"

#include "isthmus/array/apply.h"
#include "isthmus/array/create/create.h"
#include "isthmus/array/infer/dtypes.h"
#include "isthmus/core/internal.h"
#include "isthmus/core/record_field.h"

namespace isthmus::inline ISTHMUS_ABI {

using detail::format;

namespace {

template <class T>
FInfo limits_of(DType dtype) {
  using L = std::numeric_limits<T>;
  return {dtype.bits, L::epsilon(), L::max(), L::lowest(), L::min(), dtype};
}

bool is_integral(DType dtype) {
  return dtype.family == Family::integer || dtype.family == Family::natural;
}

bool is_floating(DType dtype) {
  return dtype.family == Family::real || dtype.family == Family::complex;
}

struct Kind {
  std::string_view name;
  bool (*has)(DType);
};
constexpr Kind kinds[] = {
    {"bool", [](DType t) { return t.family == Family::boolean; }},
    {"signed integer", [](DType t) { return t.family == Family::integer; }},
    {"unsigned integer", [](DType t) { return t.family == Family::natural; }},
    {"integral", is_integral},
    {"real floating", [](DType t) { return t.family == Family::real; }},
    {"complex floating", [](DType t) { return t.family == Family::complex; }},
    {"numeric", [](DType t) { return is_integral(t) || is_floating(t); }},
};

}  // namespace

FInfo finfo(DType dtype) {
  check(dtype.is_builtin() && is_floating(dtype), Errc::type, "finfo: {} is not a floating dtype",
        dtype);
  const DType part = real_part(dtype);
  switch (part.id) {
    case TypeId::float16: return {16, 0x1p-10, 65504.0, -65504.0, 0x1p-14, part};
    case TypeId::bfloat16: return {16, 0x1p-7, 0x1.fep127, -0x1.fep127, 0x1p-126, part};
    case TypeId::float32: return limits_of<float>(part);
    default: return limits_of<double>(part);
  }
}

IInfo iinfo(DType dtype) {
  check(dtype.is_builtin() && is_integral(dtype), Errc::type, "iinfo: {} is not an integer dtype",
        dtype);
  const int bits = dtype.bits;
  const std::uint64_t all = ~std::uint64_t{0} >> (64 - bits);
  if (dtype.family == Family::natural) return {bits, all, 0, dtype};
  const std::uint64_t max = all >> 1;
  return {bits, max, -static_cast<std::int64_t>(max) - 1, dtype};
}

bool can_cast(DType from, DType to) {
  if (from == to) return true;
  if (from.record || to.record) return detail::is_same_struct(from, to);
  try {
    return promote(from, to) == to;
  } catch (const Error& error) {
    if (error.code() != Errc::promotion) throw;
    return false;
  }
}

bool isdtype(DType dtype, std::string_view kind) {
  for (const Kind& known : kinds)
    if (known.name == kind) return dtype.is_builtin() && known.has(dtype);
  std::string names;
  for (const Kind& known : kinds) names += format("{}'{}'", names.empty() ? "" : ", ", known.name);
  fail(Errc::value, "isdtype: kind: '{}' is none of {}", kind, names);
}

DType result_type(std::initializer_list<TypeSource> sources) {
  std::vector<Value> numbers;
  std::vector<DType> dtypes;
  for (const TypeSource& source : sources) {
    if (!source.own && !source.value.array) {
      numbers.push_back(source.value);
      continue;
    }
    dtypes.push_back(source.own ? *source.own : source.value.array->dtype());
  }
  check(!dtypes.empty(), Errc::value, "result_type: needs an array or a dtype among its arguments");
  const DType common = promote_all(dtypes);
  if (numbers.empty()) return common;
  const Array like = full({}, 0, common, Device());
  numbers.insert(numbers.begin(), Value(like));
  return result_type("result_type", numbers);
}

}  // namespace isthmus::inline ISTHMUS_ABI
