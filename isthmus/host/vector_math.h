// vector_math.h: the vector functions of glibc's libmvec, where there are any.
#pragma once

#include "isthmus/host/vector.h"

#if defined(__x86_64__) && defined(__GLIBC__)
#define ISTHMUS_HAS_VECTOR_MATH

#if defined(__AVX512F__)
#define ISTHMUS_MVEC(name, operands) _ZGVeN16##operands##_##name##f
#define ISTHMUS_MVEC_DOUBLE(name, operands) _ZGVeN8##operands##_##name
#elif defined(__AVX2__)
#define ISTHMUS_MVEC(name, operands) _ZGVdN8##operands##_##name##f
#define ISTHMUS_MVEC_DOUBLE(name, operands) _ZGVdN4##operands##_##name
#else
#define ISTHMUS_MVEC(name, operands) _ZGVbN4##operands##_##name##f
#define ISTHMUS_MVEC_DOUBLE(name, operands) _ZGVbN2##operands##_##name
#endif

using VectorFloat __attribute__((vector_size(isthmus::host::ISTHMUS_ISA::vector_bytes))) = float;
using VectorDouble __attribute__((vector_size(isthmus::host::ISTHMUS_ISA::vector_bytes))) = double;

// The cube root of the library is off by one too often, 27 among them: it is corrected, in exact
// products, which take fused operations.
#ifdef __FMA__
#define ISTHMUS_CUBE_ROOT(X) X(cbrt)
#else
#define ISTHMUS_CUBE_ROOT(X)
#endif

// clang-format off: it never settles on a layout of these lists
#define ISTHMUS_UNARY(X)                                                              \
  X(sin) X(cos) X(tan) X(asin) X(acos) X(atan) X(sinh) X(cosh) X(tanh) X(asinh)       \
  X(acosh) X(atanh) X(exp) X(exp2) X(expm1) X(log) X(log1p) X(log2) X(log10) ISTHMUS_CUBE_ROOT(X)
#define ISTHMUS_BINARY(X) X(atan2) X(pow) X(hypot)
// clang-format on

extern "C" {
#define X(name)                                   \
  VectorFloat ISTHMUS_MVEC(name, v)(VectorFloat); \
  VectorDouble ISTHMUS_MVEC_DOUBLE(name, v)(VectorDouble);
ISTHMUS_UNARY(X)
#undef X
#define X(name)                                                 \
  VectorFloat ISTHMUS_MVEC(name, vv)(VectorFloat, VectorFloat); \
  VectorDouble ISTHMUS_MVEC_DOUBLE(name, vv)(VectorDouble, VectorDouble);
ISTHMUS_BINARY(X)
#undef X
}

#endif
