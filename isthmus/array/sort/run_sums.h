// run_sums.h: numbers counted, and values added up that have one position.
#pragma once

#include <string_view>

#include "isthmus/array/array.h"

namespace isthmus::inline ISTHMUS_ABI::detail {

/// Sums of the values with equal positions.
struct RunSums {
  Array positions;           ///< Each one once, else -1; int64.
  Array sums;                ///< Where the position is not negative, in the dtype of the values.
  bool is_in_place = false;  ///< Each position below the extent has its place; 0 of no values.
};

/// Both have one axis and some elements; positions are below `extent`. Values with one position, in
/// the order of the input, are added up in pairs of neighbours, pairs of pairs and so on. The order
/// depends on their places in this run alone, so that the bits are the same on every device.
RunSums sum_runs(std::string_view who, const Array& positions, const Array& values,
                 std::int64_t extent);

/// How often each number below `length` is in x, whose numbers all are: int64.
Array counted(std::string_view who, const Array& x, std::int64_t length);

}  // namespace isthmus::inline ISTHMUS_ABI::detail
