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

/// A letter; or an axis that "..." stands for, counted from the last one.
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

/// A cheap order for operands of these terms: each step takes the two whose product is smallest
/// beside them.
EinsumPath cheap_path(const EinsumTerms& terms);

inline bool has(const Labels& labels, Label label) {
  return std::find(labels.begin(), labels.end(), label) != labels.end();
}

}  // namespace isthmus::inline ISTHMUS_ABI
