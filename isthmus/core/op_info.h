// op_info.h: the properties of each operation and reduction.
#pragma once

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
  int32,      ///< int32
};

/// The dtype in which a row calculates integers and bools.
enum class Promotes : std::uint8_t {
  none,     ///< as they are
  fitting,  ///< the smallest float that holds them, as in NumPy (sin of int8: float16)
  float64,  ///< float64, whatever their width (quotients, as in NumPy)
  leading,  ///< as fitting, but all operands get the dtype that the first one alone would get
};

namespace detail {
/// Whether a row has an expression for a family.
template <class Row>
constexpr bool accepts(const Row& row, Family family) {
  switch (family) {
    case Family::boolean: return !row.boolean.empty();
    case Family::integer:
    case Family::natural: return !row.integer.empty();
    case Family::real: return !row.real.empty();
    case Family::complex: return !row.complex.empty();
    case Family::record: return false;
  }
  return false;
}
}  // namespace detail

/// The expressions of one row, as C text in x, y, z; empty where the family is not accepted.
struct OpInfo {
  std::string_view name;     ///< Everywhere.
  std::uint8_t arity;        ///< The number of operands.
  ResultRule rule;           ///< The dtype of the result.
  Promotes promotes;         ///< The dtype in which integers and bools are calculated.
  std::string_view boolean;  ///< Of bools.
  std::string_view integer;  ///< Of integers.
  std::string_view real;     ///< Of floats.
  std::string_view complex;  ///< Of complex numbers.
  std::string_view numpy;    ///< Its meaning as a Python expression in np, math, x, y and z.
  double lo;                 ///< The smallest input for which `ulp` is guaranteed.
  double hi;                 ///< The largest one.
  int ulp;                   ///< Largest error in float32 and float64 on [lo, hi].
  int complex_ulp;           ///< Largest error in units of the larger part, for finite operands.
  std::string_view summary;  ///< A one-line description.
  std::string_view space;    ///< Its namespace in isthmus; empty: isthmus itself.
  std::uint8_t words = 0;    ///< How many leading operands are uint64, whatever the others are.

  /// Whether integers and bools are calculated as floats.
  constexpr bool promotes_integers() const { return promotes != Promotes::none; }
  /// Whether it has an expression for a family.
  constexpr bool accepts(Family family) const { return detail::accepts(*this, family); }
};

/// The element-wise operations, by the number of their Op.
ISTHMUS_EXPORT extern const std::span<const OpInfo> op_table;

/// The dtype in which a reduction accumulates, and of its result.
enum class AccumulateRule : std::uint8_t {
  widen,    ///< integers to int64 or uint64, bool to int64, reals as they are (Array API sum)
  same,     ///< the operand's dtype (max, min)
  boolean,  ///< bool (any, all)
  index,    ///< int64, whatever the operand's dtype (argmax)
};

/// A row of reductions.def. Expressions are C text in x (so far) and y (next), in the accumulator's
/// type, or of two states; empty where the family is not supported.
struct ReductionInfo {
  std::string_view name;     ///< Everywhere.
  AccumulateRule rule;       ///< The accumulator's type, and the result's.
  std::string_view boolean;  ///< Of bools.
  std::string_view integer;  ///< Of integers.
  std::string_view real;     ///< Of floats.
  std::string_view complex;  ///< Of complex numbers.
  /// C text of the neutral value, per family; empty if there is none (max of no elements is an
  /// error).
  std::string_view identity;
  std::string_view numpy;    ///< Its meaning as a Python expression in np and x.
  std::string_view summary;  ///< A one-line description.
  std::string_view state;    ///< The fields of a state, as C text; empty if values are elements.
  std::string_view lift;     ///< Of a state: its fields for the element x at the position i.
  std::string_view finish;   ///< The result from the state x.

  /// Whether NaN is ignored. These are functions of NumPy; the others are also methods of arrays,
  /// and part of the standard.
  constexpr bool leaves_out_nan() const { return name.starts_with("nan"); }
  /// Whether the combined values are states, not elements.
  constexpr bool has_state() const { return !state.empty(); }
  /// The maximum size of a state: no field and no gap between fields is longer than a word.
  constexpr std::size_t most_state_bytes() const {
    std::size_t bytes = 0;
    for (const char letter : state) bytes += letter == ';' ? 8 : 0;
    return bytes;
  }
  /// Whether it has an expression for a family.
  constexpr bool accepts(Family family) const { return detail::accepts(*this, family); }
};

/// The reductions, by the number of their Reduction.
ISTHMUS_EXPORT extern const std::span<const ReductionInfo> reduction_table;

}  // namespace isthmus::inline ISTHMUS_ABI
