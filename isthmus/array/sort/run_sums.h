// run_sums.h: numbers counted, and values added up that have one position.
#pragma once

#include <optional>
#include <string_view>

#include "isthmus/array/array.h"

namespace isthmus::inline ISTHMUS_ABI::detail {

/// Sums of the values with equal positions.
struct RunSums {
  Array positions;  ///< Each one once, else -1; int64.
  Array sums;       ///< Where the position is not negative, in the dtype of the values.
};

/// Both have one axis and some elements. Values with one position, in the order of the input, are
/// added up in pairs of neighbours, pairs of pairs and so on. The order depends on their places in
/// this run alone. For what adds_by_position() does not do.
RunSums sum_runs(std::string_view who, const Array& positions, const Array& values);

/// How often each number below `length` is in x, whose numbers all are: int64.
Array counted(std::string_view who, const Array& x, std::int64_t length);

/// The same of many small numbers on the host without their largest being known: up to that one, at
/// least `length` counts. Nothing where there is another way: of few, large or negative numbers.
std::optional<Array> counted_at_once(const Array& x, std::int64_t length);

}  // namespace isthmus::inline ISTHMUS_ABI::detail
