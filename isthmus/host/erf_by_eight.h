// erf_by_eight.h: erf of float by vectors of AVX-512, which choose from eight numbers by lane.
//
// 0.83 units in the last place off at most (all floats on a grid of 37 were looked at), by one
// polynomial for each eighth of [0, 4): no exponential, no quotient, no branch. In each eighth but
// the first erf(a) = value + t (c1 + c2 t + ...) with t = a - centre. The centres are numbers at
// which both erf and its derivative are within 1/60 unit of a float, so that these two are rounded
// by nearly nothing; the other coefficients were fitted with mpmath, by least squares that are
// weighted anew, each after those before it were rounded. In the first erf(a) = a + a (c1 + ...).
#pragma once

#include <immintrin.h>

#include <cstdint>
#include <cstring>

#include "isthmus/host/vector.h"

namespace isthmus::inline ISTHMUS_ABI::host::ISTHMUS_ISA {
namespace {

using Floats __attribute__((vector_size(64))) = float;
using FloatBits __attribute__((vector_size(64))) = std::uint32_t;

/// The eight numbers of `from` by the low three bits of each lane; x y + z, rounded once; and the
/// lesser one, or y if that is NaN.
inline Floats eight(const float* from) {
  return (Floats)_mm512_maskz_broadcast_f32x8(0xffff, _mm256_load_ps(from));
}
inline Floats chosen(FloatBits lane, Floats from) {
  return (Floats)_mm512_maskz_permutexvar_ps(0xffff, (__m512i)lane, (__m512)from);
}
inline Floats multiply_add(Floats x, Floats y, Floats z) {
  return (Floats)_mm512_fmadd_ps((__m512)x, (__m512)y, (__m512)z);
}
inline Floats lesser(Floats x, Floats y) {
  return (Floats)_mm512_maskz_min_ps(0xffff, (__m512)x, (__m512)y);
}

inline constexpr int erf_terms = 7;
// clang-format off
alignas(32) inline constexpr float erf_centres[8] = {
    0.0f, 0.534202456f, 1.06435895f, 1.59777439f, 2.12483692f, 2.6706779f, 3.20162868f, 3.74286628f};
alignas(32) inline constexpr float erf_values[8] = {
    0.0f, 0.550036788f, 0.867735267f, 0.976153553f, 0.997343957f, 0.999841213f, 0.99999404f, 0.999999881f};
alignas(32) inline constexpr float erf_coefficients[erf_terms][8] = {
    {0.128379166f, 0.848241389f, 0.363463014f, 0.0878520831f, 0.0123493765f, 0.000901240681f, 3.98796656e-05f, 9.29828445e-07f},
    {2.48684444e-07f, -0.453132063f, -0.386855453f, -0.140367866f, -0.0262403302f, -0.00240692403f, -0.000127685737f, -3.48088201e-06f},
    {-0.37613678f, -0.121371225f, 0.15334712f, 0.120233528f, 0.0330547281f, 0.0039849868f, 0.000259235094f, 8.37660991e-06f},
    {0.000157260452f, 0.183412299f, 0.0473734066f, -0.0492584631f, -0.0263782721f, -0.0045189606f, -0.000371904927f, -1.44505275e-05f},
    {0.111787468f, -0.00276371068f, -0.0661423951f, -0.00459598331f, 0.0124920253f, 0.003632857f, 0.000398840581f, 1.90805386e-05f},
    {0.00304968981f, -0.0471849367f, 0.0101014972f, 0.0154505465f, -0.00163700234f, -0.00203008926f, -0.000339298596f, -2.16456647e-05f},
    {-0.0295859724f, 0.00757131912f, 0.012183588f, -0.00579549372f, -0.00183501153f, 0.000665009546f, 0.000209195496f, 1.8814957e-05f},
};
// clang-format on

/// The tables of erf in registers.
struct ErfTables {
  Floats centres = eight(erf_centres), values = eight(erf_values), coefficients[erf_terms];
  ErfTables() {
    for (int k = 0; k < erf_terms; ++k) coefficients[k] = eight(erf_coefficients[k]);
  }
};

/// erf of `vectors` vectors in turns, since each step waits for the one before.
template <int vectors>
inline void erf_of(const ErfTables& tables, float* out, const float* in) {
  constexpr int lanes = 16;
  FloatBits sign[vectors], lane[vectors];
  Floats a[vectors], t[vectors], sum[vectors];
  for (int i = 0; i < vectors; ++i) {
    Floats x;
    std::memcpy(&x, in + i * lanes, sizeof x);
    sign[i] = (FloatBits)x & 0x80000000u;
    a[i] = lesser(Floats{} + 3.99f, (Floats)((FloatBits)x ^ sign[i]));
    // 15/8 a, rounded to a whole number, in the low bits
    lane[i] = (FloatBits)multiply_add(a[i], Floats{} + 1.875f, Floats{} + 12582912.0f);
    t[i] = a[i] - chosen(lane[i], tables.centres);
    sum[i] = chosen(lane[i], tables.coefficients[erf_terms - 1]);
  }
#pragma GCC unroll 8
  for (int k = erf_terms - 2; k >= 0; --k)
#pragma GCC unroll 8
    for (int i = 0; i < vectors; ++i)
      sum[i] = multiply_add(sum[i], t[i], chosen(lane[i], tables.coefficients[k]));
  for (int i = 0; i < vectors; ++i) {
    const Floats value = (lane[i] & 7) == 0 ? a[i] : chosen(lane[i], tables.values);
    const FloatBits made = (FloatBits)multiply_add(sum[i], t[i], value) | sign[i];
    std::memcpy(out + i * lanes, &made, sizeof made);
  }
}

/// So many vectors in turns are fastest.
inline constexpr int erf_turns = 4;

}  // namespace
}  // namespace isthmus::inline ISTHMUS_ABI::host::ISTHMUS_ISA
