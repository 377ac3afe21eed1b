// einsum.h: sums of products, described by names of axes.
#pragma once

#include <initializer_list>
#include <span>
#include <string_view>
#include <vector>

#include "isthmus/array/array.h"

namespace isthmus::inline ISTHMUS_ABI {

/// The order in which operands are multiplied: each step removes the operands at its positions from
/// the list and appends their product, as in a path of opt_einsum or numpy.einsum_path.
using EinsumPath = std::vector<std::vector<std::int64_t>>;

/// @{
/// A sum of products, described by names of axes: einsum("ij,jk->ik", {x, y}) is the product of two
/// matrices. Each axis of an operand has a letter, and "..." stands for axes that broadcast. Axes
/// that do not appear after "->" are summed over. Without "->" the result has the axes whose letter
/// appears only once, in alphabetical order, after those of "...". A letter that appears twice in
/// one operand selects its diagonal. Axes of the same letter have the same length, or length 1.
///
/// Operands are multiplied in pairs, by matmul() where axes are summed over: first those whose
/// product saves most memory, or in the order of `path`; missing steps go from left to right. New
/// memory. Waits and throws as matmul(); throws ValueError for subscripts that do not fit the
/// operands. Source: NumPy 2, einsum.
ISTHMUS_EXPORT Array einsum(std::string_view subscripts, std::span<const Array> operands,
                            const EinsumPath* path = nullptr);
inline Array einsum(std::string_view subscripts, std::initializer_list<Array> operands) {
  return einsum(subscripts, std::span(operands.begin(), operands.size()));
}
template <std::derived_from<Array>... A>
Array einsum(std::string_view subscripts, const A&... operands) {
  return einsum(subscripts, {Array(operands)...});
}
inline Array einsum(std::string_view subscripts, std::initializer_list<Array> operands,
                    const EinsumPath& path) {
  return einsum(subscripts, std::span(operands.begin(), operands.size()), &path);
}
/// @}

/// In a list of numbers, the equivalent of "..." in subscripts.
inline constexpr std::int64_t other_axes = -1;

/// @{
/// The same with numbers instead of letters: einsum({x, y}, {{0, 1}, {1, 2}}, {0, 2}) is the
/// product of two matrices. One list for each operand and one for the result. Without the latter,
/// the result has the axes whose number appears only once, in the order of their numbers. Throws as
/// the function of subscripts.
ISTHMUS_EXPORT Array einsum(std::span<const Array> operands, std::span<const Axes> axes,
                            const Axes* result = nullptr, const EinsumPath* path = nullptr);
inline Array einsum(std::initializer_list<Array> operands, std::initializer_list<Axes> axes) {
  return einsum(std::span(operands.begin(), operands.size()), std::span(axes.begin(), axes.size()));
}
inline Array einsum(std::initializer_list<Array> operands, std::initializer_list<Axes> axes,
                    const Axes& result) {
  return einsum(std::span(operands.begin(), operands.size()), std::span(axes.begin(), axes.size()),
                &result);
}
/// @}

}  // namespace isthmus::inline ISTHMUS_ABI
