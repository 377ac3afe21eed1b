// counting.h: functions that count elements and add them by index.
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
/// x[indices] += values, where an element that is indexed several times gets all its values.
/// Indices are as for x[...]: one array, along the first axis; several, one for each axis; or a
/// list of entries. Values broadcast to the shape of x[indices]. Integers are exact. CPUs add
/// floats one after another, as NumPy does, and GPUs add them in pairs: the bits are the same on
/// every run. Half precision, and values of a wider dtype than x, are added in pairs and rounded
/// once. On the host it waits for the indices; on a device, the wait for x throws the error of an
/// index out of range, as for put(). Throws as index() for the indices, TypeError for a sum of a
/// higher family than x (a real for integers), ValueError for read-only memory, an array without
/// axes and shapes that do not broadcast, DeviceMismatchError. Source: NumPy 2, add.at.
ISTHMUS_EXPORT void add_at(const Array& x, std::span<const IndexEntry> indices,
                           const Value& values);
ISTHMUS_EXPORT void add_at(const Array& x, const Array& indices, const Value& values);
inline void add_at(const Array& x, std::initializer_list<Array> indices, const Value& values) {
  const std::vector<IndexEntry> entries(indices.begin(), indices.end());
  add_at(x, std::span<const IndexEntry>(entries), values);
}
/// @}

/// Counts how often each number from 0 to the maximum of x, or to `minlength` - 1 if that is
/// greater, occurs in x: int64; or sums its `weights`, which have x's shape, in the default real
/// dtype, as add_at() does. x has one axis. New memory. Waits for x, because its maximum determines
/// the length. Throws TypeError for dtypes other than integers and for complex weights, ValueError
/// for negative numbers, other axes or shapes, or a negative minlength. Source: NumPy 2, bincount.
ISTHMUS_EXPORT Array bincount(const Array& x, const std::optional<Array>& weights = {},
                              AnyInteger minlength = 0);

/// The result of histogram().
struct Histogram {
  Array counts;  ///< The number of elements, or the sum of their weights, in each bin.
  Array edges;   ///< The lower edges of the bins, and the upper edge of the last.
};
/// Options of histogram().
struct HistogramOptions {
  /// The weight of each element, in x's shape; counts have their dtype.
  std::optional<Array> weights = {};
  bool density = false;  ///< Normalizes the integral over all bins to 1.
};
/// @{
/// Counts the elements in each of `bins` bins of equal width from `range.first` to `range.second`,
/// or from the smallest element to the largest: int64, together with the edges. A bin includes its
/// lower edge, and the last bin both edges. Elements outside all bins and NaN are not counted.
/// Edges have the dtype of x if that is float, else the default real dtype. New memory. Waits for
/// the smallest and the largest element. Throws ValueError for no bins, a range that is not finite,
/// that decreases, or whose edges would be equal or infinite in their dtype, and weights of another
/// shape, TypeError for complex x and struct dtypes. Source: NumPy 2, histogram.
ISTHMUS_EXPORT Histogram histogram(const Array& x, AnyInteger bins = 10,
                                   std::optional<std::pair<double, double>> range = {},
                                   const HistogramOptions& options = {});
template <class N>  // preferred to a string, to which 0 converts, too
  requires std::is_arithmetic_v<N>
Histogram histogram(const Array& x, N bins, std::optional<std::pair<double, double>> range = {},
                    const HistogramOptions& options = {}) {
  return histogram(x, AnyInteger(bins), range, options);
}
/// @}
/// The same with the number of bins given by a rule: "auto", "doane", "fd", "rice", "scott", "sqrt"
/// or "sturges". Waits for x. Throws ValueError for another rule, TypeError for weights, which no
/// rule supports. Source: NumPy 2, histogram_bin_edges, which has "stone" too.
ISTHMUS_EXPORT Histogram histogram(const Array& x, std::string_view rule,
                                   std::optional<std::pair<double, double>> range = {},
                                   const HistogramOptions& options = {});
/// The same with bins between these edges, which must not decrease. Waits for the edges. Throws
/// ValueError for edges that decrease or do not have exactly one axis.
ISTHMUS_EXPORT Histogram histogram(const Array& x, const Array& edges,
                                   const HistogramOptions& options = {});

}  // namespace isthmus::inline ISTHMUS_ABI
