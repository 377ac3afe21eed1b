// complex.h: the functions of complex_functions.inc in both precisions, for rows and folds.
#pragma once

#include "isthmus/runtime/host/row.h"

namespace isthmus::host::ISTHMUS_ISA {
namespace {

#define FUNCTION inline
#define T Complex<float>
#define R float
#include "isthmus/core/complex_functions.inc"
#undef T
#undef R
#define T Complex<double>
#define R double
#include "isthmus/core/complex_functions.inc"
#undef T
#undef R
#undef FUNCTION

}  // namespace
}  // namespace isthmus::host::ISTHMUS_ISA
