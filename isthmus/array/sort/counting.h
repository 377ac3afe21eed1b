// counting.h: elements counted and added up by an index.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "isthmus/array/index/index.h"

namespace isthmus::inline ISTHMUS_ABI {

/// @{
/// x[indices] += values, where an element that is meant several times gets all its values. Indices
/// are what x[...] takes: one array, along the first axis; several, one for each axis; or a list of
/// entries. Values broadcast to the shape of x[indices]. Integers are exact. CPUs add floats up one
/// after another, as NumPy does, and GPUs in pairs: the bits are the same on every run. Halves, and
/// values of a wider dtype than x, are added up in pairs and rounded once. On the host waits for
/// the indices; on a device one that is outside is an error of the wait for x, as put() has it.
/// Throws as index() for those, TypeError for a sum of a greater family than x (a real for
/// integers), ValueError for read-only memory, an array without axes and shapes that do not
/// broadcast, DeviceMismatchError. Source: NumPy 2, add.at.
ISTHMUS_EXPORT void add_at(const Array& x, std::span<const IndexEntry> indices,
                           const Value& values);
ISTHMUS_EXPORT void add_at(const Array& x, const Array& indices, const Value& values);
inline void add_at(const Array& x, std::initializer_list<Array> indices, const Value& values) {
  const std::vector<IndexEntry> entries(indices.begin(), indices.end());
  add_at(x, std::span<const IndexEntry>(entries), values);
}
/// @}

/// How often each number from 0 to the greatest of x, or to `minlength` - 1 if that is greater, is
/// in x: int64; or the sums of its `weights`, which have x's shape, in the default real dtype,
/// added up as add_at() does. x has one axis. New memory. Waits for x, since its greatest number
/// decides the length. Throws TypeError for what are no integers, and for complex weights,
/// ValueError for negative numbers, other axes or shapes, or a negative minlength. Source: NumPy 2,
/// bincount.
ISTHMUS_EXPORT Array bincount(const Array& x, const std::optional<Array>& weights = {},
                              AnyInteger minlength = 0);

/// What histogram() gives.
struct Histogram {
  Array counts;  ///< How many elements, or which sum of weights, are in each bin.
  Array edges;   ///< Where bins begin, and where the last one ends.
};
/// How else histogram() counts.
struct HistogramOptions {
  /// What each element counts, in x's shape; counts are in their dtype.
  std::optional<Array> weights = {};
  bool density = false;  ///< The integral over all bins is 1.
};
/// @{
/// How many elements are in each of so many bins of one width from `range.first` to `range.second`,
/// or from the smallest element to the largest: int64, with the edges between them. A bin has its
/// lower edge, and the last one both; what is in none is not counted, nor is NaN. Edges are in the
/// dtype of floats, else the default real one. New memory. Waits for the smallest and the largest
/// element. Throws ValueError for no bins, a range that is not finite, that falls, or whose edges
/// would be equal or infinite in their dtype, and weights of another shape, TypeError for complex x
/// and struct dtypes. Source: NumPy 2, histogram.
ISTHMUS_EXPORT Histogram histogram(const Array& x, AnyInteger bins = 10,
                                   std::optional<std::pair<double, double>> range = {},
                                   const HistogramOptions& options = {});
template <class N>  // preferred to a text, which 0 makes, too
  requires std::is_arithmetic_v<N>
Histogram histogram(const Array& x, N bins, std::optional<std::pair<double, double>> range = {},
                    const HistogramOptions& options = {}) {
  return histogram(x, AnyInteger(bins), range, options);
}
/// @}
/// The same with as many bins as a rule gives: "auto", "doane", "fd", "rice", "scott", "sqrt" or
/// "sturges". Waits for x. Throws ValueError for another one, TypeError for weights, of which no
/// rule knows. Source: NumPy 2, histogram_bin_edges, which has "stone" too.
ISTHMUS_EXPORT Histogram histogram(const Array& x, std::string_view rule,
                                   std::optional<std::pair<double, double>> range = {},
                                   const HistogramOptions& options = {});
/// The same with bins between these edges, which do not fall. Waits for them. Throws ValueError for
/// edges that fall or have not one axis.
ISTHMUS_EXPORT Histogram histogram(const Array& x, const Array& edges,
                                   const HistogramOptions& options = {});

}  // namespace isthmus::inline ISTHMUS_ABI
