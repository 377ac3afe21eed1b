// element_sizes.h: a type for each size of elements that are moved and not calculated with.
#pragma once

#include <cstdint>

#include "isthmus/base/export.h"

namespace isthmus::inline ISTHMUS_ABI::host::ISTHMUS_ISA {
namespace {

struct Sixteen {
  std::uint64_t low, high;
};

/// Calls f<T>(log2 of the bytes of T) for each.
template <class F>
void for_each_size(F f) {
  f.template operator()<std::uint8_t>(0);
  f.template operator()<std::uint16_t>(1);
  f.template operator()<std::uint32_t>(2);
  f.template operator()<std::uint64_t>(3);
  f.template operator()<Sixteen>(4);
}

}  // namespace
}  // namespace isthmus::inline ISTHMUS_ABI::host::ISTHMUS_ISA
