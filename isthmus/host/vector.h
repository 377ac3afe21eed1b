// vector.h: how wide the vectors of the instruction set are that a file is compiled for.
#pragma once

#include "isthmus/base/export.h"

namespace isthmus::inline ISTHMUS_ABI::host::ISTHMUS_ISA {

#if defined(__AVX512F__)
inline constexpr int vector_bytes = 64;
#elif defined(__AVX2__)
inline constexpr int vector_bytes = 32;
#else
inline constexpr int vector_bytes = 16;
#endif

}  // namespace isthmus::inline ISTHMUS_ABI::host::ISTHMUS_ISA
