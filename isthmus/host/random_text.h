// random_text.h: the functions that random.def calls, as C++ of one instruction set.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

#include "isthmus/host/row.h"

namespace isthmus::inline ISTHMUS_ABI::host::ISTHMUS_ISA {
namespace {

using uint = std::uint32_t;
using ulong = std::uint64_t;

[[maybe_unused]] inline float as_T(std::uint32_t bits) { return std::bit_cast<float>(bits); }
[[maybe_unused]] inline double as_T(std::uint64_t bits) { return std::bit_cast<double>(bits); }
[[maybe_unused]] inline std::uint32_t as_U(float x) { return std::bit_cast<std::uint32_t>(x); }
[[maybe_unused]] inline std::uint64_t as_U(double x) { return std::bit_cast<std::uint64_t>(x); }

#define FUNCTION inline
#include "isthmus/core/philox_functions.inc"
#define T float
#define U std::uint32_t
#include "isthmus/core/random_functions.inc"
#undef T
#undef U
#define T double
#define U std::uint64_t
#include "isthmus/core/random_functions.inc"
#undef T
#undef U
#undef FUNCTION

}  // namespace
}  // namespace isthmus::inline ISTHMUS_ABI::host::ISTHMUS_ISA
