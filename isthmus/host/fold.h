// fold.h: the one order in which values are combined, whatever the layout and the threads.
#pragma once

#include <cstdint>

#include "isthmus/base/export.h"

namespace isthmus::inline ISTHMUS_ABI::host {

/// The reduced elements, in C order of the reduced axes, are cut into chunks of `chunk_length`.
/// In a chunk, element i goes to lane i % lane_count; the lanes take their elements in order, then
/// lane i takes lane i + half, where half is half of the lanes rounded up, until one is left.
/// Chunks are combined as neighbours (0, 1), (2, 3), ..., level by level, an odd one passing on.
inline constexpr std::int64_t chunk_length = 1024;
inline constexpr std::int64_t lane_count = 32;

/// Calls combine(i, j) for "lane i takes lane j"; the result is lane 0.
template <class Combine>
inline void fold_lanes(std::int64_t lanes, Combine combine) {
  while (lanes > 1) {
    const std::int64_t half = (lanes + 1) / 2;
    for (std::int64_t i = 0; i + half < lanes; ++i) combine(i, i + half);
    lanes = half;
  }
}

}  // namespace isthmus::inline ISTHMUS_ABI::host
