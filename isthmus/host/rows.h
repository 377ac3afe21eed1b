// rows.h: the compiled loops of one instruction set, as a table of functions.
#pragma once

#include <cstddef>
#include <cstdint>

#include "isthmus/core/ops.h"

namespace isthmus::inline ISTHMUS_ABI::host {

inline constexpr int op_count = static_cast<int>(Op::astype);
inline constexpr int random_count =
    static_cast<int>(all_ops.size()) - static_cast<int>(Op::user) - 1;
inline constexpr int state_count = static_cast<int>(all_reductions.size()) - reduction_count;

/// A row: `n` elements of an operation, from unaligned dense operands. `out` may be an operand.
/// The bits of an element never depend on where it stands or on `n`.
using Row = void (*)(void* out, const void* x, const void* y, const void* z, std::int64_t n);

/// Elements that lie `stride` bytes apart to dense ones, or back; `bytes` of 1, 2, 4, 8 or 16.
using Move = void (*)(void* out, const void* in, std::int64_t stride_bytes, std::int64_t n);

/// Rows of elements, with bytes between neighbours and between rows.
struct Grid {
  std::int64_t row_stride, stride, rows, columns;
};
/// Elements of a grid to dense ones, row by row, or back; `bytes` as of Move.
using MoveGrid = void (*)(void* out, const void* in, const Grid& grid);
/// Elements of a grid to another one, whose strides are given first; `bytes` as of Move.
using CopyGrid = void (*)(void* out, std::int64_t row_stride, std::int64_t stride, const void* in,
                          const Grid& grid);

/// Each of `n` dense elements `times` times: to n * times dense ones.
using Repeat = void (*)(void* out, const void* in, std::int64_t times, std::int64_t n);

/// Positions of elements [begin, begin + n) of runs of `length` elements each: those of the run
/// that holds `begin` go from at[0] on, and grow by `slope`.
struct RunPositions {
  const std::int64_t* at;
  std::int64_t length, slope, begin, n;
};
/// out[i] = from[position i], and to[position i] = values[i] but where the position is negative.
using LoadRuns = void (*)(void* out, const void* from, RunPositions runs);
using StoreRuns = void (*)(void* to, const void* values, RunPositions runs);

/// Combines `n` >= 1 dense values, whole chunks but for the last one, in the one order of fold.h
/// into `*out`.
using Fold = void (*)(void* out, const void* in, std::int64_t n);

/// Which factor of a product of complex numbers is conjugated before.
enum class Conjugate : std::uint8_t { none, first, second };
inline constexpr int conjugate_count = 3;

/// The same of the products of the elements of both.
using FoldProducts = void (*)(void* out, const void* x, const void* y, std::int64_t n);

/// The same of a chunk of each of `n` columns. `rows` has the addresses of `count` <= chunk_length
/// rows of them, lane by lane. False, and nothing done, if the columns are too few.
using FoldColumns = bool (*)(void* out, const char* const* rows, std::int64_t count,
                             std::int64_t n);

/// A reduction with a state, of one type of elements. States lie densely.
struct StateTable {
  std::int64_t bytes;  ///< Of a state.
  /// Combines `n` >= 1 dense elements of one chunk, the first of which is at position `first`, in
  /// the order of fold.h; of any number of chunks, if `lanes` is 1. The result will be combined
  /// with the state `known`, if that is not null, of elements before them: where none of these
  /// changes it, `known` itself may be given.
  void (*fold)(void* state, const void* elements, std::int64_t n, std::int64_t first,
               const void* known);
  Row combine;
  /// The results of `n` states, which may lie in the same place.
  void (*finish)(void* results, const void* states, std::int64_t n);

  /// Lanes of a chunk, where `n` chunks are combined side by side; 1 where the order is of no
  /// matter. A lane is memory for `n` states, which it may hold in a form of its own.
  std::int64_t lanes;
  /// Elements at position `at`, one of each chunk, begin a lane, or go into it. Where there is one
  /// lane, those in it may be of later positions, if they are not `in_order`.
  void (*begin)(void* lane, const void* elements, std::int64_t n, std::int64_t at);
  void (*take)(void* lane, const void* elements, std::int64_t n, std::int64_t at, bool in_order);
  /// A lane goes into another one; and becomes states, of a chunk whose first position is `first`.
  void (*join)(void* lane, const void* other, std::int64_t n);
  void (*close)(void* states, const void* lane, std::int64_t n, std::int64_t first);
};

/// Cells of keys in their order: one has the keys from its `low` on to that of the next one.
struct KeyCells {
  static constexpr int most = 8;
  int count;
  std::uint64_t lows[most];  ///< That of the first cell is 0.
};

/// What there is among elements that become keys.
enum KeyFlags : int {
  no_flags = 0,
  has_forgotten = 1,   ///< One that differs from what its key gives.
  has_zero_or_nan = 2  ///< One that shares its key with those.
};

/// Orders that keys are in.
enum KeyOrders : int {
  no_order = 0,
  is_rising = 1,  ///< Each is at least the one before it.
  is_falling = 2  ///< Each is less than the one before it.
};

/// Keys between two, which are at most equal, and how many of some elements are there.
struct KeyRange {
  std::uint64_t low, high;
  bool is_descending;                               ///< How elements become keys.
  std::int64_t before = 0, at_low = 0, inside = 0;  ///< Of equal ends all are at the low one.
  std::int64_t at_high = 0;
};

/// Parts of elements by distinct keys in ascending order: those before the first key, at it,
/// between it and the second one, and so on.
struct KeyParts {
  static constexpr int most = Sorting::most_places, most_parts = 2 * most + 1;
  int keys = 0;
  std::uint64_t at[most];
  bool is_descending, gives_indices;
  int count() const { return 2 * keys + 1; }
};

/// Elements of a type as keys in their order; see keys.h.
struct KeyTable {
  /// Gives KeyFlags.
  int (*to_keys)(void* keys, const void* elements, std::int64_t n, bool is_descending);
  void (*from_keys)(void* elements, const void* keys, std::int64_t n, bool is_descending);
  /// The KeyOrders of elements.
  int (*orders)(const void* elements, std::int64_t n, bool is_descending);
  /// The indices of at most `most_ranked` elements in order, in int64.
  void (*rank)(void* indices, const void* elements, std::int64_t n, bool is_descending);
  static constexpr std::int64_t most_ranked = 200;
  /// Counts elements in `range`; puts the keys of those inside to `keys`, behind those that it has
  /// already, where there is room for all that are looked at.
  void (*select)(void* keys, KeyRange& range, const void* elements, std::int64_t n);
  /// Adds how many elements each part has.
  void (*count_parts)(std::int64_t* counts, const KeyParts& parts, const void* elements,
                      std::int64_t n);
  /// Puts elements, or their indices from `first` on in int64, into their parts: each to
  /// to[next[part]++]. What is behind that may be overwritten, up to to[ends[part]].
  void (*deal_parts)(void* to, std::int64_t* next, const std::int64_t* ends, const KeyParts& parts,
                     const void* elements, std::int64_t n, std::int64_t first);
  /// What follows is null where the instruction set has no way of its own. Unsigned keys in
  /// ascending order, on this thread, in place or in `spare`, which has room for as many.
  void (*sort)(void* keys, void* spare, std::int64_t n, bool ends_in_spare);
  /// A row of at most `most_in_row` elements in order. Gives KeyFlags.
  int (*sort_row)(void* out, const void* elements, std::int64_t n, bool is_descending);
  std::int64_t most_in_row;
  /// Adds how many elements each cell has. Gives KeyFlags.
  int (*count)(std::int64_t* counts, const KeyCells& cells, const void* elements, std::int64_t n,
               bool is_descending);
  /// Puts the keys of elements into their cells: each to keys[next[cell]++]. What is behind that
  /// may be overwritten, up to keys[ends[cell]].
  void (*deal)(void* keys, std::int64_t* next, const std::int64_t* ends, const KeyCells& cells,
               const void* elements, std::int64_t n, bool is_descending);
};

/// What a register-threaded row does with its accumulator; see chain.cpp. `r` swaps operands.
enum class Link : std::uint8_t { load, add, sub, rsub, mul, div, rdiv, max, rmax, min, rmin };
inline constexpr int link_count = 11;
/// `bypass` stores, past the caches.
enum class UnaryLink : std::uint8_t { negate, square, absolute, root, store, bypass, stop };
inline constexpr int unary_link_count = 7;
inline constexpr int pair_link_count = 5;  ///< load to mul: links that come in pairs

/// One link of a chain, made ready for a block: a function and where its operands lie.
struct ChainLink {
  void (*function)();
  const char* p;
  const char* q;
  std::int64_t count;  ///< Of a repeated pair: how often.
};

/// What a chain reads ahead, where its links keep the processor too busy to see the next group's
/// memory coming.
struct ChainStreams {
  const char* const* addresses = nullptr;
  int count = 0;
};

/// Chains of one element type. The last index of a binary link says which operands are scalars:
/// bit 0 the first, bit 1 the second.
struct ChainTable {
  void (*binary[link_count][2])();                      ///< acc = acc op p
  void (*unary[unary_link_count])();                    ///< acc = op acc
  void (*pair[pair_link_count][pair_link_count][4])();  ///< acc = (acc op p) op q
  /// The same pair several times: reads of memory bound a chain, so its operands stay in registers.
  void (*repeat[pair_link_count][pair_link_count][4])();
  void (*operand[pair_link_count][link_count][4])();  ///< acc = acc op (p op q)
  void (*calls[op_count])();                          ///< acc = op acc, by a function; or null.
  /// Runs the links on `groups` groups of group_bytes each.
  void (*run)(const ChainLink* links, std::int64_t groups, ChainStreams streams);
  /// Behind a run that bypassed the caches: then other threads see what it wrote.
  void (*settle)();
};

struct RowTable {
  Row ops[op_count][builtin_type_count];  ///< Null where refused; of float16 and bfloat16 always.
  Row random[random_count][builtin_type_count];  ///< Of random.def.
  /// The same of elements whose numbers follow each other, under one key and stream: x, y and z are
  /// one element each, those of the first. Null where that is no faster.
  Row random_runs[random_count][builtin_type_count];
  Row casts[builtin_type_count][builtin_type_count];  ///< [from][to], of types as calculated.
  /// Of float16 and bfloat16: memory to float, float to memory, and float to float rounded.
  Row widen[2], narrow[2], round[2];
  Row round_double[2];  ///< double to float, rounded once to float16 or bfloat16
  Row next_after[2];    ///< nextafter of float16 and bfloat16, held as floats
  Fold folds[reduction_count][builtin_type_count];
  /// Sums; of floats and complex numbers, of which alone a factor is conjugated.
  FoldProducts product_folds[conjugate_count][builtin_type_count];
  Fold truths;  ///< How many bools are true, as int64.
  FoldColumns column_folds[reduction_count][builtin_type_count];  ///< Of complex types only sums.
  Row combines[reduction_count][builtin_type_count];   ///< out = x combined with y, elementwise
  StateTable states[state_count][builtin_type_count];  ///< Of those with a state.
  /// out[i] = all of x up to i, behind the one element y, which may be null.
  Row scans[reduction_count][builtin_type_count];
  Move gathers[5], scatters[5];                ///< By log2 of the element's bytes.
  MoveGrid gather_grids[5], scatter_grids[5];  ///< By the same.
  CopyGrid copy_grids[5];                      ///< By the same.
  Repeat repeats[5];                           ///< By the same.
  Row loads[5];                         ///< By the same: out[i] = x[y[i]], with positions in int64.
  Row stores[5];                        ///< out[x[i]] = y[i] in order, but where x[i] is negative.
  LoadRuns load_runs[5];                ///< Of loads whose positions follow each other.
  StoreRuns store_runs[5];              ///< Of stores likewise.
  Row searches[2][builtin_type_count];  ///< Left and right: of y[i] in the z[0] elements of x.
  KeyTable keys[builtin_type_count];    ///< Without bool and complex types.
  ChainTable chains[2];                 ///< float32, float64
  std::int64_t group_bytes;             ///< What one pass of a chain works on.
};

/// The row of an operation of ops.def or random.def that is calculated in `type`.
inline Row row_of(const RowTable& rows, Op op, TypeId type) {
  const int column = static_cast<int>(type);
  return is_random(op) ? rows.random[static_cast<int>(op) - static_cast<int>(Op::user) - 1][column]
                       : rows.ops[static_cast<int>(op)][column];
}

/// The row of an operation of random.def that needs to know the number of the first element alone;
/// null if there is none.
inline Row numbered_row_of(const RowTable& rows, Op op, TypeId type) {
  return rows
      .random_runs[static_cast<int>(op) - static_cast<int>(Op::user) - 1][static_cast<int>(type)];
}

/// The table of a reduction with a state.
inline const StateTable& state_of(const RowTable& rows, Reduction reduction, TypeId type) {
  return rows.states[static_cast<int>(reduction) - reduction_count][static_cast<int>(type)];
}

/// 0 for float16, 1 for bfloat16.
constexpr int half_index(TypeId type) { return type == TypeId::bfloat16; }
constexpr bool is_half(TypeId type) { return type == TypeId::float16 || type == TypeId::bfloat16; }
/// The type that a value is held in between steps.
constexpr TypeId held_type(TypeId type) { return is_half(type) ? TypeId::float32 : type; }

}  // namespace isthmus::inline ISTHMUS_ABI::host

// Each instruction set has its own namespace; these files are compiled once for each.
#ifdef ISTHMUS_ISA
namespace isthmus::inline ISTHMUS_ABI::host::ISTHMUS_ISA {
void fill_integer_rows(RowTable& table);
void fill_real_rows(RowTable& table);
void fill_math_rows(RowTable& table);
void fill_complex_rows(RowTable& table);
void fill_casts(RowTable& table);
void fill_half_rows(RowTable& table);
void fill_folds(RowTable& table);
void fill_states(RowTable& table);
void fill_moves(RowTable& table);
void fill_grids(RowTable& table);
void fill_searches(RowTable& table);
void fill_sorts(RowTable& table);
void fill_selections(RowTable& table);
void fill_orders(RowTable& table);
void fill_ranks(RowTable& table);
void fill_random_rows(RowTable& table);
void fill_chains(RowTable& table);
void fill(RowTable& table);
}  // namespace isthmus::inline ISTHMUS_ABI::host::ISTHMUS_ISA
#endif
