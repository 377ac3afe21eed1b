// complex.h: complex_functions.inc and complex_pow_functions.inc in both precisions, for rows and
// folds.
#pragma once

#include "isthmus/host/row.h"

namespace isthmus::inline ISTHMUS_ABI::host::ISTHMUS_ISA {
namespace {

// Inlined into a loop they would be calculated for every element.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wattributes"
[[gnu::noinline]] Complex<float> c_recover_product(float, float, float, float);
[[gnu::noinline]] Complex<double> c_recover_product(double, double, double, double);
inline float c_product(float x, float y) { return x * y; }
inline double c_product(double x, double y) { return x * y; }
#define FUNCTION inline
#define T Complex<float>
#define R float
#include "isthmus/core/complex_functions.inc"
#include "isthmus/core/complex_pow_functions.inc"
#undef T
#undef R
#define T Complex<double>
#define R double
#include "isthmus/core/complex_functions.inc"
#include "isthmus/core/complex_pow_functions.inc"
#undef T
#undef R
#undef FUNCTION
#pragma GCC diagnostic pop

}  // namespace
}  // namespace isthmus::inline ISTHMUS_ABI::host::ISTHMUS_ISA
