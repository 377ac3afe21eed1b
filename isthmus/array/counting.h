// counting.h: elements counted and added up by an index.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>

#include "isthmus/array/array.h"

namespace isthmus::inline ISTHMUS_ABI {

/// x[indices] += values along the first axis, where an index that is there several times adds all
/// its values. Negative indices count from the end; values broadcast to the shape of the indices
/// followed by that of the other axes. Integers are exact; floats are added up in an order that the
/// indices alone decide, halves in float32, so that the bits are the same on every run and every
/// device. Waits for the indices. Throws index for one that is outside, type for indices that are
/// no integers or a sum of a greater family than x (a real for integers), value for read-only
/// memory, an array without axes and shapes that do not broadcast, device_mismatch. Source: NumPy
/// 2, add.at.
ISTHMUS_EXPORT void add_at(const Array& x, const Array& indices, const Value& values);

/// How often each number from 0 to the greatest of x, or to `minlength` - 1 if that is greater, is
/// in x: int64; or the sums of its `weights`, which have x's shape, in the default real dtype,
/// added up as add_at() does. x has one axis. New memory. Waits for x, since its greatest number
/// decides the length. Throws type for what are no integers, and for complex weights, value for
/// negative numbers, other axes or shapes, or a negative minlength. Source: NumPy 2, bincount.
ISTHMUS_EXPORT Array bincount(const Array& x, const std::optional<Array>& weights = {},
                              std::int64_t minlength = 0);

/// What histogram() gives.
struct Histogram {
  Array counts;  ///< How many elements, or which sum of weights, are in each bin.
  Array edges;   ///< Where bins begin, and where the last one ends.
};
/// How else histogram() counts.
struct HistogramOptions {
  std::optional<Array> weights;  ///< What each element counts, in x's shape; counts in their dtype.
  bool density = false;          ///< The integral over all bins is 1.
};
/// How many elements are in each of so many bins of one width from `range.first` to `range.second`,
/// or from the smallest element to the largest: int64, with the edges between them. A bin has its
/// lower edge, and the last one both; what is in none is not counted, nor is NaN. Edges are in the
/// dtype of floats, else the default real one. New memory. Waits for the smallest and the largest
/// element. Throws value for no bins, a range that is not finite or that falls, and weights of
/// another shape, type for complex x and struct dtypes. Source: NumPy 2, histogram.
ISTHMUS_EXPORT Histogram histogram(const Array& x, std::int64_t bins = 10,
                                   std::optional<std::pair<double, double>> range = {},
                                   const HistogramOptions& options = {});
/// The same with bins between these edges, which do not fall. Waits for them. Throws value for
/// edges that fall or have not one axis.
ISTHMUS_EXPORT Histogram histogram(const Array& x, const Array& edges,
                                   const HistogramOptions& options = {});

}  // namespace isthmus::inline ISTHMUS_ABI
