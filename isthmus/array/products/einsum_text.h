// einsum_text.h: what the text of an einsum says.
#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "isthmus/array/array.h"
#include "isthmus/array/products/einsum.h"

namespace isthmus::inline ISTHMUS_ABI {

/// A letter, an axis that "..." stands for (counted from the last one), or a number.
using Label = int;
using Labels = std::vector<Label>;

/// The axes of the operands and of the result by their labels, and the length of each.
struct EinsumTerms {
  std::vector<Labels> operands;
  Labels result;
  std::map<Label, std::int64_t> lengths;
};

/// Throws value, with the text and what would do, if it does not describe the operands.
EinsumTerms read_einsum(std::string_view subscripts, std::span<const Array> operands);

/// The same of lists of numbers, one for each operand, and of the result if it is not null; what
/// errors call them is written to `shown`.
EinsumTerms read_einsum(std::span<const Axes> axes, const Axes* result,
                        std::span<const Array> operands, std::string& shown);

/// A cheap order for operands of these terms: each step takes the two whose product is smallest
/// beside them.
EinsumPath cheap_path(const EinsumTerms& terms);

inline bool has(const Labels& labels, Label label) {
  return std::find(labels.begin(), labels.end(), label) != labels.end();
}

}  // namespace isthmus::inline ISTHMUS_ABI
