// halves.cpp: float16 and bfloat16, which are held as floats between steps.
#include <bit>
#include <cmath>
#include <cstring>

#include "isthmus/host/rows.h"

#if defined(__F16C__)
#include <immintrin.h>
#endif

namespace isthmus::inline ISTHMUS_ABI::host::ISTHMUS_ISA {
namespace {

#if defined(__F16C__)

constexpr int nearest = _MM_FROUND_TO_NEAREST_INT;

template <class In, class Out, class F>
void by_eights(void* out, const void* x, std::int64_t n, F function) {
  auto* to = static_cast<Out*>(out);
  const auto* from = static_cast<const In*>(x);
  std::int64_t i = 0;
  for (; i + 8 <= n; i += 8) function(to + i, from + i);
  if (i == n) return;
  In rest[8] = {};
  Out result[8];
  std::memcpy(rest, from + i, static_cast<std::size_t>(n - i) * sizeof(In));
  function(result, rest);
  std::memcpy(to + i, result, static_cast<std::size_t>(n - i) * sizeof(Out));
}

void widen_half(void* out, const void* x, const void*, const void*, std::int64_t n) {
  by_eights<std::uint16_t, float>(out, x, n, [](float* to, const std::uint16_t* from) {
    _mm256_storeu_ps(to, _mm256_cvtph_ps(_mm_loadu_si128(reinterpret_cast<const __m128i*>(from))));
  });
}

void narrow_half(void* out, const void* x, const void*, const void*, std::int64_t n) {
  by_eights<float, std::uint16_t>(out, x, n, [](std::uint16_t* to, const float* from) {
    _mm_storeu_si128(reinterpret_cast<__m128i*>(to),
                     _mm256_cvtps_ph(_mm256_loadu_ps(from), nearest));
  });
}

void round_half(void* out, const void* x, const void*, const void*, std::int64_t n) {
  by_eights<float, float>(out, x, n, [](float* to, const float* from) {
    _mm256_storeu_ps(to, _mm256_cvtph_ps(_mm256_cvtps_ph(_mm256_loadu_ps(from), nearest)));
  });
}

#else

void widen_half(void* out, const void* x, const void*, const void*, std::int64_t n) {
  for (std::int64_t i = 0; i < n; ++i)
    static_cast<float*>(out)[i] = half_to_float(static_cast<const std::uint16_t*>(x)[i]);
}

void narrow_half(void* out, const void* x, const void*, const void*, std::int64_t n) {
  for (std::int64_t i = 0; i < n; ++i)
    static_cast<std::uint16_t*>(out)[i] = float_to_half(static_cast<const float*>(x)[i]);
}

void round_half(void* out, const void* x, const void*, const void*, std::int64_t n) {
  for (std::int64_t i = 0; i < n; ++i)
    static_cast<float*>(out)[i] = half_to_float(float_to_half(static_cast<const float*>(x)[i]));
}

#endif

/// To nearest even; a NaN stays one, quiet.
std::uint32_t rounded_bfloat(std::uint32_t bits) {
  const std::uint32_t nearest_even = bits + 0x7fff + ((bits >> 16) & 1);
  return (bits & 0x7fffffff) > 0x7f800000 ? bits | 0x400000 : nearest_even;
}

void widen_bfloat(void* out, const void* x, const void*, const void*, std::int64_t n) {
  for (std::int64_t i = 0; i < n; ++i)
    static_cast<std::uint32_t*>(out)[i] =
        static_cast<std::uint32_t>(static_cast<const std::uint16_t*>(x)[i]) << 16;
}

void narrow_bfloat(void* out, const void* x, const void*, const void*, std::int64_t n) {
  for (std::int64_t i = 0; i < n; ++i)
    static_cast<std::uint16_t*>(out)[i] =
        static_cast<std::uint16_t>(rounded_bfloat(static_cast<const std::uint32_t*>(x)[i]) >> 16);
}

void round_bfloat(void* out, const void* x, const void*, const void*, std::int64_t n) {
#pragma GCC ivdep
  for (std::int64_t i = 0; i < n; ++i)
    static_cast<std::uint32_t*>(out)[i] =
        rounded_bfloat(static_cast<const std::uint32_t*>(x)[i]) & 0xffff0000;
}

/// By way of a float that is rounded to odd: towards zero, with the last bit set if anything was
/// lost. So what a half rounds is rounded only once.
void round_double_to_half(void* out, const void* x, const void*, const void*, std::int64_t n) {
  auto* const to = static_cast<float*>(out);
#pragma GCC ivdep
  for (std::int64_t i = 0; i < n; ++i) {
    const double exact = static_cast<const double*>(x)[i];
    const auto nearest = static_cast<float>(exact);
    const double back = nearest;
    const std::uint32_t is_above = std::fabs(back) > std::fabs(exact), is_inexact = back != exact;
    to[i] = std::bit_cast<float>((std::bit_cast<std::uint32_t>(nearest) - is_above) | is_inexact);
  }
  round_half(out, out, nullptr, nullptr, n);
}

/// By way of float, as ml_dtypes does.
void round_double_to_bfloat(void* out, const void* x, const void*, const void*, std::int64_t n) {
  for (std::int64_t i = 0; i < n; ++i)
    static_cast<std::uint32_t*>(out)[i] =
        rounded_bfloat(
            std::bit_cast<std::uint32_t>(static_cast<float>(static_cast<const double*>(x)[i]))) &
        0xffff0000;
}

/// The neighbour on the grid of the narrow type: one step of its bits.
template <std::uint16_t (*narrow)(float) noexcept, float (*widen)(std::uint16_t) noexcept>
void next_after(void* out, const void* x_memory, const void* y_memory, const void*,
                std::int64_t n) {
  for (std::int64_t i = 0; i < n; ++i) {
    const float x = static_cast<const float*>(x_memory)[i];
    const float y = static_cast<const float*>(y_memory)[i];
    std::uint16_t bits = narrow(x);
    float result = y;
    if (x != x || y != y) {
      result = x + y;
    } else if (x == 0 && y != 0) {
      result = widen(static_cast<std::uint16_t>(std::signbit(y) ? 0x8001 : 1));
    } else if (x != y) {
      bits = static_cast<std::uint16_t>((x < y) == (x > 0) ? bits + 1 : bits - 1);
      result = widen(bits);
    }
    static_cast<float*>(out)[i] = result;
  }
}

}  // namespace

void fill_half_rows(RowTable& table) {
  table.widen[0] = widen_half;
  table.widen[1] = widen_bfloat;
  table.narrow[0] = narrow_half;
  table.narrow[1] = narrow_bfloat;
  table.round[0] = round_half;
  table.round[1] = round_bfloat;
  table.round_double[0] = round_double_to_half;
  table.round_double[1] = round_double_to_bfloat;
  table.next_after[0] = next_after<float_to_half, half_to_float>;
  table.next_after[1] = next_after<float_to_bfloat, bfloat_to_float>;
}

}  // namespace isthmus::inline ISTHMUS_ABI::host::ISTHMUS_ISA
