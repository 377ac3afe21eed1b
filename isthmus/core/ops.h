// ops.h: the rows of ops.def, special.def, random.def and reductions.def as data.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "isthmus/core/dtype.h"
#include "isthmus/core/op_info.h"

namespace isthmus::inline ISTHMUS_ABI {

/// Whether its first operand is read at any position, so that all of it must be in memory.
constexpr bool reads_by_position(Op op) { return op > Op::astype && op < Op::store; }

namespace detail {
constexpr std::string_view expression(std::string_view text) {
  return text == "NONE" ? std::string_view() : text;
}
}  // namespace detail

/// The rows of ops.def and special.def, then `astype`, those that read by position, and the rows of
/// random.def.
inline constexpr std::array all_ops{
#define OP(name, arity, rule, promotes, boolean, integer, real, complex, numpy, lo, hi, ulp, \
           complex_ulp, text)                                                                \
  OpInfo{#name,                                                                              \
         arity,                                                                              \
         ResultRule::rule,                                                                   \
         Promotes::promotes,                                                                 \
         detail::expression(#boolean),                                                       \
         detail::expression(#integer),                                                       \
         detail::expression(#real),                                                          \
         detail::expression(#complex),                                                       \
         numpy,                                                                              \
         lo,                                                                                 \
         hi,                                                                                 \
         ulp,                                                                                \
         complex_ulp,                                                                        \
         text,                                                                               \
         OPS_SPACE},
#define OPS_WITHOUT_SPECIAL
#define OPS_SPACE ""
#include "isthmus/core/ops.def"
#undef OPS_WITHOUT_SPECIAL
#undef OPS_SPACE
#define OPS_SPACE "special"
#include "isthmus/core/special.def"
#undef OPS_SPACE
#undef OP
    OpInfo{"astype", 1, ResultRule::same, Promotes::none, "x", "x", "x", "x", "np.astype(x, dtype)",
           0, 0, 0, 0, "The number as another dtype.", ""},
    OpInfo{"load", 2, ResultRule::same, Promotes::none, "", "", "", "", "x[y]", 0, 0, 0, 0,
           "The element at a position.", ""},
    OpInfo{"search_left", 3, ResultRule::same, Promotes::none, "", "", "", "",
           "np.searchsorted(x[:z], y)", 0, 0, 0, 0, "How many sorted elements are less.", ""},
    OpInfo{"search_right", 3, ResultRule::same, Promotes::none, "", "", "", "",
           "np.searchsorted(x[:z], y, 'right')", 0, 0, 0, 0,
           "How many sorted elements are not greater.", ""},
    OpInfo{"store", 2, ResultRule::same, Promotes::none, "", "", "", "", "np.put(target, y, x)", 0,
           0, 0, 0, "Writes an element at a position.", ""},
    OpInfo{"user", 0, ResultRule::same, Promotes::none, "", "", "", "", "", 0, 0, 0, 0,
           "A function that a user wrote.", ""},
#define RANDOM(name, arity, words, natural, real, text) \
  OpInfo{#name,                                         \
         arity,                                         \
         ResultRule::same,                              \
         Promotes::none,                                \
         "",                                            \
         detail::expression(#natural),                  \
         detail::expression(#real),                     \
         "",                                            \
         "",                                            \
         0,                                             \
         0,                                             \
         0,                                             \
         0,                                             \
         text,                                          \
         "",                                            \
         words},
#include "isthmus/core/random.def"
};
/// The row of an operation.
constexpr const OpInfo& info(Op op) { return all_ops[static_cast<std::size_t>(op)]; }

/// Whether it is a row of random.def.
constexpr bool is_random(Op op) { return op > Op::user; }

/// The dtype that a map reads an operand in, where it calculates in `type`.
constexpr TypeId operand_type(Op op, int operand, TypeId type) {
  if (op == Op::where && operand == 0) return TypeId::bool_;
  return operand < info(op).words ? TypeId::uint64 : type;
}

/// The rows of reductions.def: first those whose values are elements, then those with a state.
inline constexpr std::array all_reductions{
#define REDUCTION(name, rule, boolean, integer, real, complex, identity, numpy, text) \
  ReductionInfo{#name,                                                                \
                AccumulateRule::rule,                                                 \
                detail::expression(#boolean),                                         \
                detail::expression(#integer),                                         \
                detail::expression(#real),                                            \
                detail::expression(#complex),                                         \
                detail::expression(#identity),                                        \
                numpy,                                                                \
                text,                                                                 \
                "",                                                                   \
                "",                                                                   \
                ""},
#define STATE(name, rule, fields, lift, whole, real, finish, numpy, text)                       \
  ReductionInfo{                                                                                \
      #name,  AccumulateRule::rule, #whole, #whole, #real, "", "", numpy, text, #fields, #lift, \
      #finish},
#include "isthmus/core/reductions.def"
};
/// How many of them have elements as values.
inline constexpr int reduction_count = [] {
  int count = 0;
  for (const ReductionInfo& row : all_reductions) count += row.has_state() ? 0 : 1;
  return count;
}();

/// How a sort orders. It is stable, and NaN comes last.
struct Sorting {
  bool is_descending = false;  ///< The largest element first.
  bool gives_indices = false;  ///< Where each element was, in int64, instead of the elements.
  /// Only the places that numbers name, behind the elements, have to be as in order, with none
  /// greater before and none less behind. Backends may sort all the same.
  bool is_partial = false;
  /// So many places are worth selecting; of more, all elements are put in order.
  static constexpr int most_places = 16;
  /// Whether both order alike.
  friend bool operator==(const Sorting&, const Sorting&) = default;
};

/// What it is called: "argsort".
constexpr std::string_view name_of(const Sorting& sorting) {
  if (sorting.is_partial) return sorting.gives_indices ? "argpartition" : "partition";
  return sorting.gives_indices ? "argsort" : "sort";
}
/// As a number, different for each.
constexpr int number_of(const Sorting& sorting) {
  return 4 * sorting.is_partial + 2 * sorting.is_descending + sorting.gives_indices;
}

/// What the scan of a reduction is called: "cumulative_sum".
constexpr std::string_view scan_name(Reduction reduction) {
  constexpr std::string_view names[] = {
#define REDUCTION(name, ...) "cumulative_" #name,
#include "isthmus/core/reductions.def"
  };
  return names[static_cast<std::size_t>(reduction)];
}

/// The row of a reduction.
constexpr const ReductionInfo& info(Reduction reduction) {
  return all_reductions[static_cast<std::size_t>(reduction)];
}

}  // namespace isthmus::inline ISTHMUS_ABI
