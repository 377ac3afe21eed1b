// casts.cpp: conversions between all types as they are held. NumPy's, with every case defined.
#include <limits>
#include <type_traits>

#include "isthmus/host/rows.h"

namespace isthmus::inline ISTHMUS_ABI::host::ISTHMUS_ISA {
namespace {

template <class T>
inline constexpr bool is_complex = false;
template <class R>
inline constexpr bool is_complex<Complex<R>> = true;

/// What cvttsd2si does on x86: truncation; the lowest number if that does not fit.
template <class Int, class Real>
Int truncated(Real x) {
  constexpr Real limit = -static_cast<Real>(std::numeric_limits<Int>::min());
  return x >= -limit && x < limit ? static_cast<Int>(x) : std::numeric_limits<Int>::min();
}

template <class To, class Real>
To integer_of(Real x) {
  if constexpr (sizeof(To) < 4 || std::is_same_v<To, std::int32_t>) {
    return static_cast<To>(truncated<std::int32_t>(x));
  } else if constexpr (std::is_same_v<To, std::uint64_t>) {
    constexpr Real half = static_cast<Real>(std::uint64_t{1} << 63);
    const auto low = static_cast<std::uint64_t>(truncated<std::int64_t>(x));
    const auto high =
        static_cast<std::uint64_t>(truncated<std::int64_t>(x - half)) ^ (std::uint64_t{1} << 63);
    return x >= half && x < 2 * half ? high : low;
  } else {
    return static_cast<To>(truncated<std::int64_t>(x));
  }
}

template <class To, class From, bool to_bool>
To converted(From x) {
  if constexpr (to_bool) {
    if constexpr (is_complex<From>)
      return (x.re != 0) | (x.im != 0);
    else
      return x != 0;
  } else if constexpr (is_complex<From>) {
    if constexpr (is_complex<To>)
      return To{static_cast<decltype(To::re)>(x.re), static_cast<decltype(To::re)>(x.im)};
    else
      return converted<To, decltype(x.re), false>(x.re);
  } else if constexpr (is_complex<To>) {
    return To{static_cast<decltype(To::re)>(x), 0};
  } else if constexpr (std::is_floating_point_v<From> && std::is_integral_v<To>) {
    return integer_of<To>(x);
  } else {
    return static_cast<To>(x);
  }
}

template <class To, class From, bool to_bool>
void cast(void* out_memory, const void* x_memory, const void*, const void*, std::int64_t n) {
  auto* out = static_cast<To*>(out_memory);
  const auto* x = static_cast<const From*>(x_memory);
#pragma GCC ivdep
  for (std::int64_t i = 0; i < n; ++i) out[i] = converted<To, From, to_bool>(x[i]);
}

template <TypeId from>
void fill_from(Row* row) {
#define DTYPE(name, storage, compute, ...) \
  row[static_cast<int>(TypeId::name)] =    \
      cast<compute, compute_t<from>, TypeId::name == TypeId::bool_>;
#include "isthmus/core/dtypes.def"
}

}  // namespace

void fill_casts(RowTable& table) {
#define DTYPE(name, ...) fill_from<TypeId::name>(table.casts[static_cast<int>(TypeId::name)]);
#include "isthmus/core/dtypes.def"
}

}  // namespace isthmus::inline ISTHMUS_ABI::host::ISTHMUS_ISA
