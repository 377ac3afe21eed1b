// refuse.h: the error for a dtype that a row of ops.def or reductions.def does not accept.
#pragma once

#include <string>

#include "isthmus/base/error.h"
#include "isthmus/core/ops.h"

namespace isthmus::inline ISTHMUS_ABI {

namespace detail {
constexpr bool takes(const OpInfo& row, Family family) { return row.accepts(family); }
/// What a reduction casts before it combines, too: bools to integers, and all to bools.
constexpr bool takes(const ReductionInfo& row, Family family) {
  const bool is_cast = family == Family::boolean ? row.rule == AccumulateRule::widen
                                                 : row.rule == AccumulateRule::boolean;
  return is_cast || row.accepts(family);
}
}  // namespace detail

/// "; it accepts bool, integers, floats": of a row of either list.
std::string accepted_by(const auto& row) {
  std::string text;
  for (const auto& [family, name] : {std::pair(Family::boolean, "bool"),
                                     {Family::integer, "integers"},
                                     {Family::real, "floats"},
                                     {Family::complex, "complex"}})
    if (detail::takes(row, family))
      text += detail::format("{}{}", text.empty() ? "; it accepts " : ", ", name);
  return text;
}

namespace detail {
/// Throws ValueError for a number that is no row of ops.def.
inline void check_row(Op op) {
  check(op < Op::astype, Errc::value, "apply: {} is not an operation of op_table",
        static_cast<int>(op));
}
/// The same of reductions.def.
inline void check_row(Reduction reduction) {
  check(static_cast<std::size_t>(reduction) < all_reductions.size(), Errc::value,
        "reduce: {} is not a reduction of reduction_table", static_cast<int>(reduction));
}
}  // namespace detail

[[noreturn]] void refuse_dtype(const auto& row, DType dtype) {
  fail(Errc::type, "{}: does not accept {}{}", row.name, dtype, accepted_by(row));
}

}  // namespace isthmus::inline ISTHMUS_ABI
