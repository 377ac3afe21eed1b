// einsum.h: sums of products by the names of their axes.
#pragma once

#include <initializer_list>
#include <span>
#include <string_view>
#include <vector>

#include "isthmus/array/array.h"

namespace isthmus::inline ISTHMUS_ABI {

/// In which order operands are multiplied: each step takes those at its positions from the list and
/// puts their product at its end, as a path of opt_einsum or of numpy.einsum_path says it.
using EinsumPath = std::vector<std::vector<std::int64_t>>;

/// @{
/// The sum of products that names of axes describe: einsum("ij,jk->ik", {x, y}) is the product of
/// two matrices. One letter stands for each axis of an operand and "..." for axes that broadcast.
/// Axes that are not behind "->" are summed over; without "->" those stay that one operand has
/// once, in the order of the alphabet, behind those of "...". A letter twice in one operand is its
/// diagonal. Axes of one letter are equally long, or 1.
///
/// Two operands at a time are multiplied, by matmul() where axes are summed over: first those whose
/// product saves most memory, or as `path` says; steps that it lacks go from left to right. New
/// memory. Waits and throws as matmul(); throws ValueError for text that does not describe the
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

/// In a list of numbers: what "..." is in a text.
inline constexpr std::int64_t other_axes = -1;

/// @{
/// The same with numbers in the place of letters: einsum({x, y}, {{0, 1}, {1, 2}}, {0, 2}) is the
/// product of two matrices. One list for each operand and one for the result; without that the axes
/// stay that one operand has once, in the order of their numbers. Throws as the one for texts.
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
