// bin_rules.h: how many bins a histogram has that nobody counted.
#pragma once

#include <cstdint>
#include <string_view>

#include "isthmus/array/array.h"

namespace isthmus::inline ISTHMUS_ABI::detail {

/// How many bins of one width from `first` to `last`, by one of the rules that histogram() knows.
/// Only elements in that range count. Waits. Throws value for another rule.
std::int64_t bins_by_rule(std::string_view rule, const Array& x, double first, double last);

}  // namespace isthmus::inline ISTHMUS_ABI::detail
