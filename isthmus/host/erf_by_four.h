// erf_by_four.h: erf of float by vectors of AVX2, which choose from four numbers by lane.
//
// 0.77 units in the last place off at most (each seventh float was looked at), by one polynomial
// for each of four pieces of [0, 4], of the kind of erf_by_eight.h. In the first one erf(a) = a +
// a (c1 + c2 a^2 + ...). A choice from four takes half as long as one from eight on AMD's Zen 3,
// where erf is then 1.2 times as fast, and as long on Intel's, where it takes 1.25 times as long.
#pragma once

#include <immintrin.h>

#include <cstdint>
#include <cstring>

#include "isthmus/host/vector.h"

namespace isthmus::inline ISTHMUS_ABI::host::ISTHMUS_ISA {
namespace {

using Floats __attribute__((vector_size(32))) = float;
using FloatBits __attribute__((vector_size(32))) = std::uint32_t;

/// The four numbers of `from` by the low two bits of each lane; x y + z, rounded once; and the
/// lesser one, or y if that is NaN.
inline Floats chosen(FloatBits lane, Floats from) {
  return (Floats)_mm256_permutevar_ps((__m256)from, (__m256i)lane);
}
inline Floats multiply_add(Floats x, Floats y, Floats z) {
  return (Floats)_mm256_fmadd_ps((__m256)x, (__m256)y, (__m256)z);
}
inline Floats lesser(Floats x, Floats y) { return (Floats)_mm256_min_ps((__m256)x, (__m256)y); }

// clang-format off
inline constexpr int erf_terms = 8;
inline constexpr float erf_begins[3] = {0.8f, 1.6f, 2.6f}, erf_end = 4.0f;
// The pieces in the order 0, 3, 2, 1: a lane counts down by one for each beginning.
alignas(16) inline constexpr float erf_centres[4] = {
    0.0f, 3.30666089f, 2.10473657f, 1.20454884f};
alignas(16) inline constexpr float erf_values[4] = {
    0.0f, 0.999997079f, 0.997084856f, 0.911523461f};
alignas(16) inline constexpr float erf_ones[4] = {0.0f, 1.0f, 1.0f, 1.0f};
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
  Floats table = (Floats)_mm256_broadcast_ps((const __m128*)from);
  asm("" : "+x"(table));
  return table;
}

/// What erf_by_eight.h keeps in registers, of which there are too few here.
struct ErfTables {};

/// erf of `vectors` vectors in turns, since each step waits for the one before.
template <int vectors>
inline void erf_of(const ErfTables&, float* out, const float* in) {
  constexpr int lanes = 8;
  FloatBits lane[vectors], near[vectors];
  Floats a[vectors], t[vectors], power[vectors], sum[vectors];
  const Floats centres = loaded(erf_centres), ones = loaded(erf_ones);
  const Floats last = loaded(erf_coefficients[erf_terms - 1]);
  for (int i = 0; i < vectors; ++i) {
    Floats x;
    std::memcpy(&x, in + i * lanes, sizeof x);
    a[i] = lesser(Floats{} + erf_end, (Floats)((FloatBits)x & 0x7fffffffu));
    lane[i] =
        (FloatBits)((a[i] >= erf_begins[0]) + (a[i] >= erf_begins[1]) + (a[i] >= erf_begins[2]));
    t[i] = a[i] - chosen(lane[i], centres);
    near[i] = (FloatBits)(a[i] < erf_begins[0]) & (FloatBits)a[i];
    power[i] = t[i] * (Floats)(near[i] | (FloatBits)chosen(lane[i], ones));
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
    const Floats value = (Floats)(near[i] | (FloatBits)chosen(lane[i], values));
    const FloatBits made = (FloatBits)multiply_add(sum[i], t[i], value) | (x & 0x80000000u);
    std::memcpy(out + i * lanes, &made, sizeof made);
  }
}

/// So many vectors in turns are fastest.
inline constexpr int erf_turns = 3;

}  // namespace
}  // namespace isthmus::inline ISTHMUS_ABI::host::ISTHMUS_ISA
