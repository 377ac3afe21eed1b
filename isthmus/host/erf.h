// erf.h: erf of float, where vectors can choose from four numbers by lane.
//
// 0.77 units in the last place off at most (each seventh float was looked at), by one polynomial
// for each of four pieces of [0, 4]: no exponential, no quotient, no branch. Below 0.8 erf(a) = a +
// a (c1 + c2 a^2 + ...), elsewhere value + t (c1 + c2 t + ...) with t = a - centre. The centres are
// numbers at which both erf and its derivative are within 1/100 unit of a float, so that these two
// are rounded by nearly nothing; the coefficients were fitted by least squares that are weighted
// anew, each after those before it were rounded. Four numbers and not eight, of which a polynomial
// would have one step less, since AMD's Zen 3 takes twice as long for a choice from eight.
#pragma once

#include "isthmus/host/vector.h"

#if defined(__AVX2__) && defined(__FMA__)
#include <immintrin.h>

#include <cstdint>
#include <cstring>

namespace isthmus::inline ISTHMUS_ABI::host::ISTHMUS_ISA {
namespace {

using Floats __attribute__((vector_size(vector_bytes))) = float;
using FloatBits __attribute__((vector_size(vector_bytes))) = std::uint32_t;

/// The four numbers of `from` by the low two bits of each lane; x y + z, rounded once; and the
/// lesser one, or y if that is NaN.
#if defined(__AVX512F__)
inline Floats four(const float* from) {
  return (Floats)_mm512_maskz_broadcast_f32x4(0xffff, _mm_load_ps(from));
}
inline Floats chosen(FloatBits lane, Floats from) {
  return (Floats)_mm512_maskz_permutevar_ps(0xffff, (__m512)from, (__m512i)lane);
}
inline Floats multiply_add(Floats x, Floats y, Floats z) {
  return (Floats)_mm512_fmadd_ps((__m512)x, (__m512)y, (__m512)z);
}
inline Floats lesser(Floats x, Floats y) {
  return (Floats)_mm512_maskz_min_ps(0xffff, (__m512)x, (__m512)y);
}
#else
inline Floats four(const float* from) { return (Floats)_mm256_broadcast_ps((const __m128*)from); }
inline Floats chosen(FloatBits lane, Floats from) {
  return (Floats)_mm256_permutevar_ps((__m256)from, (__m256i)lane);
}
inline Floats multiply_add(Floats x, Floats y, Floats z) {
  return (Floats)_mm256_fmadd_ps((__m256)x, (__m256)y, (__m256)z);
}
inline Floats lesser(Floats x, Floats y) { return (Floats)_mm256_min_ps((__m256)x, (__m256)y); }
#endif

// clang-format off
inline constexpr int erf_terms = 8;
inline constexpr float erf_begins[3] = {0.8f, 1.6f, 2.6f}, erf_end = 4.0f;
// Tables have the pieces in the order 0, 3, 2, 1: lanes count down by one for each beginning.
alignas(16) inline constexpr float erf_centres[4] = {
    0.0f, 3.30666089f, 2.10473657f, 1.20454884f};
alignas(16) inline constexpr float erf_values[4] = {
    0.0f, 0.999997079f, 0.997084856f, 0.911523461f};
alignas(16) inline constexpr float erf_coefficients[erf_terms][4] = {
    {0.128379166f, 2.00906907e-05f, 0.0134452153f, 0.264436096f},
    {-0.37612623f, -6.65382031e-05f, -0.0282985326f, -0.318526238f},
    {0.112833872f, 0.000141197626f, 0.0352242291f, 0.167641908f},
    {-0.026828032f, -0.000209794569f, -0.0276392959f, 0.00521192281f},
    {0.00505316211f, 0.000226067699f, 0.0127219548f, -0.0528151169f},
    {-0.000462496886f, -0.000200820417f, -0.001520016f, 0.0197617225f},
    {-0.000326555979f, 0.000160707423f, -0.00222314568f, 0.00588835031f},
    {0.000186498539f, -7.3255469e-05f, 0.00134217867f, -0.00561145367f},
};
// clang-format on

/// A table in a register: on Zen 3 a choice from memory takes twice as long.
inline Floats loaded(const float* from) {
  Floats table = four(from);
  asm("" : "+v"(table));
  return table;
}

/// erf of `vectors` vectors in turns, since each step waits for the one before.
template <int vectors>
inline void erf_of(float* out, const float* in) {
  constexpr int lanes = vector_bytes / 4;
  FloatBits lane[vectors];
  Floats a[vectors], power[vectors], sum[vectors];
  const Floats centres = loaded(erf_centres);
  const Floats last = loaded(erf_coefficients[erf_terms - 1]);
  for (int i = 0; i < vectors; ++i) {
    Floats x;
    std::memcpy(&x, in + i * lanes, sizeof x);
    a[i] = lesser(Floats{} + erf_end, (Floats)((FloatBits)x & 0x7fffffffu));
    const auto is_far = a[i] >= erf_begins[0];
    lane[i] = (FloatBits)(is_far + (a[i] >= erf_begins[1]) + (a[i] >= erf_begins[2]));
    power[i] = is_far ? a[i] - chosen(lane[i], centres) : a[i] * a[i];
    sum[i] = chosen(lane[i], last);
  }
#pragma GCC unroll 8
  for (int k = erf_terms - 2; k >= 0; --k) {
    const Floats table = loaded(erf_coefficients[k]);
#pragma GCC unroll 8
    for (int i = 0; i < vectors; ++i)
      sum[i] = multiply_add(sum[i], power[i], chosen(lane[i], table));
  }
  const Floats values = loaded(erf_values);
  for (int i = 0; i < vectors; ++i) {
    FloatBits x;
    std::memcpy(&x, in + i * lanes, sizeof x);
    const auto is_far = a[i] >= erf_begins[0];
    const Floats times = is_far ? power[i] : a[i];
    const Floats value = is_far ? chosen(lane[i], values) : a[i];
    const FloatBits made = (FloatBits)multiply_add(sum[i], times, value) | (x & 0x80000000u);
    std::memcpy(out + i * lanes, &made, sizeof made);
  }
}

void row_erf(void* out, const void* x, const void*, const void*, std::int64_t n) {
  constexpr std::int64_t lanes = vector_bytes / 4;
  auto* to = static_cast<float*>(out);
  const auto* from = static_cast<const float*>(x);
  std::int64_t i = 0;
  for (; i + 3 * lanes <= n; i += 3 * lanes) erf_of<3>(to + i, from + i);
  for (; i + lanes <= n; i += lanes) erf_of<1>(to + i, from + i);
  if (i == n) return;
  float rest[lanes] = {};
  std::memcpy(rest, from + i, static_cast<std::size_t>(n - i) * 4);
  erf_of<1>(rest, rest);
  std::memcpy(to + i, rest, static_cast<std::size_t>(n - i) * 4);
}

}  // namespace
}  // namespace isthmus::inline ISTHMUS_ABI::host::ISTHMUS_ISA
#endif
