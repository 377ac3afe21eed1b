// reduce.h: a reduction under way, and the two orders in which its elements may be visited.
#pragma once

#include <cstring>

#include "isthmus/host/fold.h"
#include "isthmus/host/loops.h"

namespace isthmus::inline ISTHMUS_ABI::host {

/// How elements are combined to a value.
struct Combination {
  const StateTable* state = nullptr;  ///< Null if the values that are combined are elements.
  Fold fold_elements = nullptr;       ///< Null if they are states.
  Row combine = nullptr;
  std::int64_t bytes = 0;                            ///< Of a value that is combined.
  char* partial = nullptr;                           ///< [group][kept]
  FoldProducts product_folds[conjugate_count] = {};  ///< Of a sum, where there are any.
  Fold fold_truths = nullptr;          ///< Of a sum of int64: of bools that are cast to it.
  FoldColumns fold_columns = nullptr;  ///< Of elements, where there is one.
  /// Of bools: what is combined begins with it where nothing that follows changes the result; -1 if
  /// there is no such element.
  int last = -1;

  /// Chunks of elements, the first of which is at position `first`, to one value; see Fold and
  /// StateTable::fold.
  void fold(char* value, const char* elements, std::int64_t n, std::int64_t first,
            const char* known) const {
    if (state) return state->fold(value, elements, n, first, known);
    fold_elements(value, elements, n);
  }
  /// Whether fold() takes several chunks.
  bool takes_chunks() const { return !state || state->lanes == 1; }
  bool is_settled(const char* value) const { return static_cast<unsigned char>(*value) == last; }
  std::int64_t lanes() const { return state ? state->lanes : lane_count; }
  /// See StateTable: elements at position `at` begin a lane, or go into it, and so on.
  void begin(char* lane, const char* elements, std::int64_t n, std::int64_t at) const {
    if (state) return state->begin(lane, elements, n, at);
    std::memcpy(lane, elements, static_cast<std::size_t>(n * bytes));
  }
  void take(char* lane, const char* elements, std::int64_t n, std::int64_t at,
            bool in_order) const {
    if (state) return state->take(lane, elements, n, at, in_order);
    combine(lane, lane, elements, nullptr, n);
  }
  void join(char* lane, const char* other, std::int64_t n) const {
    if (state) return state->join(lane, other, n);
    combine(lane, lane, other, nullptr, n);
  }
  void close(char* values, const char* lane, std::int64_t n, std::int64_t first) const {
    if (state) return state->close(values, lane, n, first);
    std::memcpy(values, lane, static_cast<std::size_t>(n * bytes));
  }
};

/// What the loops of a reduction share.
struct Job {
  const RowTable& rows;
  const Tape& tape;
  std::span<const Argument> arguments;
  SmallVector<Combination, 2> values;
  std::int64_t kept = 1, reduced = 1;  ///< Elements.
  std::int64_t chunks = 1;
  std::int64_t group = 1;  ///< Chunks to a group, a power of two; one value each is written.

  /// Bytes of an element that value k combines.
  std::int64_t element_bytes(std::size_t k) const {
    return info(held_type(tape.type_of(tape.outputs[k]))).bits / 8;
  }
  std::int64_t groups() const { return divided_up(chunks, group); }
  /// Kept elements that are combined side by side, in so many lanes: all lanes of a value take half
  /// of the first-level cache.
  std::int64_t width() const {
    std::int64_t bytes = 0;
    for (const Combination& value : values) bytes += value.lanes() > 1 ? value.bytes : 0;
    return std::min<std::int64_t>(bytes > 0 ? 1024 / bytes : 256, kept);
  }
  /// As many as any of the values has.
  std::int64_t lanes() const {
    std::int64_t most = 1;
    for (const Combination& value : values) most = std::max(most, value.lanes());
    return most;
  }
};

/// Fill Combination::partial, a chunk of a kept element at a time (inner: `walk` ends with the
/// reduced axes), or a reduced element of many kept ones (outer: it ends with the kept axes). The
/// bits are the same.
void reduce_inner(const Job& job, const Walk& walk, std::span<const Operand> operands);
void reduce_outer(const Job& job, const Walk& walk, std::span<const Operand> operands);
/// The same where `few` kept elements lie side by side: `walk` ends with the reduced axes and those
/// of these elements. No value has a state, or there is one value, which has.
void reduce_few(const Job& job, std::int64_t few, const Walk& walk,
                std::span<const Operand> operands);
void reduce_few_states(const Job& job, std::int64_t few, const Walk& walk,
                       std::span<const Operand> operands);

}  // namespace isthmus::inline ISTHMUS_ABI::host
