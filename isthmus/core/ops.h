// ops.h: the rows of ops.def and reductions.def as enums and as data.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include "isthmus/core/dtype.h"
#include "isthmus/core/op.h"

namespace isthmus::inline ISTHMUS_ABI {

/// How the dtype of a result follows from the promoted dtype of the operands.
enum class ResultRule : std::uint8_t {
  same,       ///< the operands' dtype
  boolean,    ///< bool
  real_part,  ///< the real dtype of a complex operand, else the operand's dtype
};

/// As what a row calculates integers and bools.
enum class Promotes : std::uint8_t {
  none,     ///< as they are
  fitting,  ///< the smallest float with room for them, as NumPy (sin of int8: float16)
  float64,  ///< float64, whatever their width (quotients, as NumPy)
  leading,  ///< as fitting; all operands have the dtype that the first one alone has there
};

/// Whether its first operand is read at any position, so that all of it must be in memory.
constexpr bool reads_by_position(Op op) { return op > Op::astype && op < Op::store; }

/// The expressions of one row, as C text in x, y, z; empty where the family is not accepted.
struct OpInfo {
  std::string_view name;     ///< Everywhere.
  std::uint8_t arity;        ///< How many operands it takes.
  ResultRule rule;           ///< The dtype of the result.
  Promotes promotes;         ///< The dtype in which integers and bools are calculated.
  std::string_view boolean;  ///< Of bools.
  std::string_view integer;  ///< Of integers.
  std::string_view real;     ///< Of floats.
  std::string_view complex;  ///< Of complex numbers.
  std::string_view numpy;    ///< Python text in np, math, x, y and z: what the row means.
  double lo;                 ///< The least input for which `ulp` is promised.
  double hi;                 ///< The greatest one.
  int ulp;                   ///< Largest error in float32 and float64 on [lo, hi].
  int complex_ulp;           ///< Largest error in units of the larger part, for finite operands.
  std::string_view summary;  ///< One line for people.
  std::string_view space;    ///< The namespace within isthmus where it is; empty: isthmus itself.
  std::uint8_t words = 0;    ///< So many first operands are uint64, whatever the others are.

  /// Whether integers and bools are calculated as floats.
  constexpr bool promotes_integers() const { return promotes != Promotes::none; }
  /// Whether it has an expression for a family.
  constexpr bool accepts(Family family) const {
    switch (family) {
      case Family::boolean: return !boolean.empty();
      case Family::integer:
      case Family::natural: return !integer.empty();
      case Family::real: return !real.empty();
      case Family::complex: return !complex.empty();
      case Family::record: return false;
    }
    return false;
  }
};

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
/// The rows of ops.def and special.def.
inline constexpr std::span<const OpInfo> op_table(all_ops.data(),
                                                  static_cast<std::size_t>(Op::astype));

/// The row of an operation.
constexpr const OpInfo& info(Op op) { return all_ops[static_cast<std::size_t>(op)]; }

/// Whether it is a row of random.def.
constexpr bool is_random(Op op) { return op > Op::user; }

/// The dtype that a map reads an operand in, where it calculates in `type`.
constexpr TypeId operand_type(Op op, int operand, TypeId type) {
  if (op == Op::where && operand == 0) return TypeId::bool_;
  return operand < info(op).words ? TypeId::uint64 : type;
}

/// In which dtype a reduction adds up, and what it returns.
enum class AccumulateRule : std::uint8_t {
  widen,    ///< integers to int64 or uint64, bool to int64, reals as they are (Array API sum)
  same,     ///< the operand's dtype (max, min)
  boolean,  ///< bool (any, all)
  index,    ///< int64, whatever the operand's dtype (argmax)
};

/// A row of reductions.def. Expressions are C text in x (so far) and y (next), in the
/// accumulator's type, or of two states; empty where the family is refused.
struct ReductionInfo {
  std::string_view name;     ///< Everywhere.
  AccumulateRule rule;       ///< The accumulator's type, and the result's.
  std::string_view boolean;  ///< Of bools.
  std::string_view integer;  ///< Of integers.
  std::string_view real;     ///< Of floats.
  std::string_view complex;  ///< Of complex numbers.
  /// C text of the value that changes nothing, per family; empty where there is none (max of
  /// nothing is an error).
  std::string_view identity;
  std::string_view numpy;    ///< Python text in np and x: what the row means.
  std::string_view summary;  ///< One line for people.
  std::string_view state;    ///< The fields of a state, as C text; empty where values are elements.
  std::string_view lift;     ///< Of a state: its fields for the element x at the position i.
  std::string_view finish;   ///< What is given of the state x.

  /// Whether values that are combined are states, not elements.
  constexpr bool has_state() const { return !state.empty(); }
  /// What a state takes at most: no field is longer than a word, nor are the gaps between them.
  constexpr std::size_t most_state_bytes() const {
    return 8 * static_cast<std::size_t>(std::ranges::count(state, ';'));
  }
  /// Whether it has an expression for a family.
  constexpr bool accepts(Family family) const {
    switch (family) {
      case Family::boolean: return !boolean.empty();
      case Family::integer:
      case Family::natural: return !integer.empty();
      case Family::real: return !real.empty();
      case Family::complex: return !complex.empty();
      case Family::record: return false;
    }
    return false;
  }
};

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
/// Those whose values are elements, which are public functions.
inline constexpr std::span<const ReductionInfo> reduction_table(
    all_reductions.data(),
    static_cast<std::size_t>(std::ranges::count(all_reductions, false, &ReductionInfo::has_state)));

/// How a sort orders. It is stable, and NaN comes last.
struct Sorting {
  bool is_descending = false;  ///< The largest element first.
  bool gives_indices = false;  ///< Where each element was, in int64, instead of the elements.
  /// Whether both order alike.
  friend bool operator==(const Sorting&, const Sorting&) = default;
};

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
