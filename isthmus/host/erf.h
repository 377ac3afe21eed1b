// erf.h: erf of float, where vectors can choose from some numbers by lane.
#pragma once

#if defined(__AVX512F__)
#include "isthmus/host/erf_by_eight.h"
#elif defined(__AVX2__) && defined(__FMA__)
#include "isthmus/host/erf_by_four.h"
#endif

#if defined(__AVX2__) && defined(__FMA__)
namespace isthmus::inline ISTHMUS_ABI::host::ISTHMUS_ISA {
namespace {

void row_erf(void* out, const void* x, const void*, const void*, std::int64_t n) {
  constexpr std::int64_t lanes = vector_bytes / 4;
  auto* to = static_cast<float*>(out);
  const auto* from = static_cast<const float*>(x);
  const ErfTables tables;
  std::int64_t i = 0;
  for (; i + erf_turns * lanes <= n; i += erf_turns * lanes)
    erf_of<erf_turns>(tables, to + i, from + i);
  for (; i + lanes <= n; i += lanes) erf_of<1>(tables, to + i, from + i);
  if (i == n) return;
  float rest[lanes] = {};
  std::memcpy(rest, from + i, static_cast<std::size_t>(n - i) * 4);
  erf_of<1>(tables, rest, rest);
  std::memcpy(to + i, rest, static_cast<std::size_t>(n - i) * 4);
}

}  // namespace
}  // namespace isthmus::inline ISTHMUS_ABI::host::ISTHMUS_ISA
#endif
