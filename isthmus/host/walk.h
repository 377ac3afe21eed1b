// walk.h: where the elements of a block of the loop lie, for every operand.
#pragma once

#include <algorithm>

#include "isthmus/codegen/program.h"
#include "isthmus/host/rows.h"

namespace isthmus::inline ISTHMUS_ABI::host {

/// One operand of the loop. An index input is one too, whose addresses are the positions
/// themselves: base 0, stride 1 along its axis. So is a number, with a base and strides of its own.
struct Operand {
  char* base = nullptr;
  std::int64_t bytes = 0;           ///< Of an element; 0 for an index.
  std::int64_t* strides = nullptr;  ///< In bytes, one per axis of the walk, which packs them.
};

/// A loop over outer axes and, within each of their positions, over a flat range of inner ones.
/// Axes of length 1 are dropped, and neighbours merged, as far as every operand allows.
class Walk {
 public:
  /// The `inner` trailing axes form the flat range and are not merged with the outer ones.
  Walk(std::span<const std::int64_t> shape, int inner, std::span<Operand> operands);
  /// All axes, with the smallest flat range of at least `least` elements that trailing axes make.
  static Walk over_all(std::span<const std::int64_t> shape, std::int64_t least,
                       std::span<Operand> operands);

  std::int64_t outer_count() const { return outer_count_; }
  std::int64_t inner_count() const { return inner_count_; }

  /// Byte offset of position `outer` of the outer axes.
  std::int64_t outer_offset(const Operand& operand, std::int64_t outer) const {
    std::int64_t offset = 0;
    for (int axis = split_ - 1; axis > 0; --axis) {
      offset += outer % shape_[axis] * operand.strides[axis];
      outer /= shape_[axis];
    }
    return split_ ? offset + outer * operand.strides[0] : offset;
  }
  /// Whether the inner range is dense in memory.
  bool is_dense(const Operand& operand) const;
  /// Byte stride along the last inner axis.
  std::int64_t last_stride(const Operand& operand) const {
    const int last = static_cast<int>(shape_.size()) - 1;
    return last >= split_ ? operand.strides[last] : 0;
  }

  /// Elements [begin, begin + n) of the inner range, at outer byte offset `offset`, to dense `out`.
  void gather(const RowTable& rows, const Operand& operand, std::int64_t offset, std::int64_t begin,
              std::int64_t n, char* out) const;
  void scatter(const RowTable& rows, const Operand& operand, std::int64_t offset,
               std::int64_t begin, std::int64_t n, const char* in) const;

  /// Length of the last axis, if it is an inner one; else 1.
  std::int64_t last_length() const {
    const int last = static_cast<int>(shape_.size()) - 1;
    return last >= split_ ? shape_[last] : 1;
  }
  /// Without its last axis, which must be an inner one: the inner range has an element for each
  /// turn of that.
  Walk without_last() const {
    Walk walk = *this;
    walk.inner_count_ /= shape_.back();
    walk.shape_.pop_back();
    return walk;
  }

  /// Merged axes.
  const Dims& shape() const { return shape_; }

 private:
  void split_before(int axis);
  /// gather() of an operand that repeats each element along the last axis, a few times.
  void gather_repeated(const RowTable& rows, const Operand& operand, std::int64_t offset,
                       std::int64_t begin, std::int64_t n, char* out) const;
  /// Calls f(byte offset, element in the range, rows, columns) for each part of one last axis, and
  /// for several whole ones where they follow each other along the axis before.
  template <class F>
  void each_grid(const Operand& operand, std::int64_t begin, std::int64_t n, F f) const;
  /// Byte stride along the inner axis before the last one.
  std::int64_t row_stride(const Operand& operand) const {
    const int axis = static_cast<int>(shape_.size()) - 2;
    return axis >= split_ ? operand.strides[axis] : 0;
  }

  Dims shape_;
  int split_ = 0;  ///< Axes before it are outer.
  std::int64_t outer_count_ = 1, inner_count_ = 1;
};

/// Calls elements of a dense row from memory.
inline void read_ahead(const Operand& operand, std::int64_t offset, std::int64_t begin,
                       std::int64_t n) {
  const char* at = operand.base + offset + begin * operand.bytes;
  for (std::int64_t line = 0; line < n * operand.bytes; line += 64) __builtin_prefetch(at + line);
}

/// Base 2 logarithm of a number of bytes of a built-in type.
constexpr int log2_bytes(std::int64_t bytes) {
  return bytes == 1 ? 0 : bytes == 2 ? 1 : bytes == 4 ? 2 : bytes == 8 ? 3 : 4;
}

}  // namespace isthmus::inline ISTHMUS_ABI::host
