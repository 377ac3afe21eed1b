// signature.h: the parameters of a program's kernels, for those who print and those who fill them.
#pragma once

#include "isthmus/codegen/emit.h"

namespace isthmus::emitting {

inline constexpr int no_word = -1;

/// An operand in memory.
struct Operand {
  Pointer source;
  std::uint16_t value = 0;  ///< Of its tape; of an output: the value that is written.
  TypeId type = TypeId::float32;
  bool is_moved = false;  ///< No step reads it or made it: bits are copied as they are.
  int axes = 0;
  int fast_axis = -1;  ///< The one that `access` is about.
  Access access = Access::unit;
  int word = 0;  ///< Where its offset is; strides follow, but for a fast axis without one.

  int stride_word(int axis) const {
    if (axis != fast_axis) return word + 1 + axis - (has_stride() || axis < fast_axis ? 0 : 1);
    return has_stride() ? word + 1 + axis : no_word;
  }
  bool has_stride() const { return fast_axis < 0 || access == Access::strided; }
  int words() const { return 1 + axes - (has_stride() ? 0 : 1); }
};

/// A scalar, held as the type it is calculated in: a word, or two for a complex number.
struct ScalarWord {
  Pointer source;
  std::uint16_t value = 0;
  TypeId type = TypeId::float32;
  bool is_moved = false;  ///< As of an operand: held as it is stored.
  int word = 0;
};

/// Divides positions below 2^31 by an extent as `(position * (word & (2^32 - 1))) >> (word >> 32)`:
/// a division itself takes a processor long, and is not to be had in vectors.
std::int64_t divider_of(std::int64_t extent);

/// Words: the extents of the loop, their dividers if its positions are small, the number of kept
/// and of reduced elements, then these.
struct Signature {
  Signature(const Program& program, const Traits& traits);

  SmallVector<Operand, 8> operands;
  SmallVector<Operand, 2> numbers;  ///< Places in layouts of no memory: see Input::Kind::number.
  SmallVector<ScalarWord, 4> scalars;
  int divider_word = 0;  ///< Of axis 0; no word if positions are not small.
  int kept_word = 0, reduced_word = 0;
  /// Of a sort: the length of a run, and the half of the scratch it is in; or, by digits, which
  /// digit, how long blocks are, and where parts of the scratch begin. Of a store: how many
  /// positions there are; or, on CPUs, where those in the scratch begin. Of a map that draws in
  /// blocks: see plan_drawing().
  int own_word = 0;
  int words = 0;

  bool is_in_memory = false;  ///< The words, which then are no parameter.
  /// The operands that one side of the program reads or writes, in order.
  template <class F>
  void each(Pointer::Of of, F f) const {
    for (std::size_t i = 0; i < operands.size(); ++i)
      if (operands[i].source.of == of) f(operands[i]);
  }
};

constexpr bool is_half(TypeId type) { return type == TypeId::float16 || type == TypeId::bfloat16; }
/// The type that a value is calculated in.
constexpr TypeId held_type(TypeId type) { return is_half(type) ? TypeId::float32 : type; }

/// Elements of a work-item that draws random numbers, which share blocks of bits.
inline constexpr int drawn_at_once = 4;
/// Whether work-items of a map have so many elements each.
bool draws_in_blocks(const Program& program);

/// Whether no step has to do with a value, so that its bits are only moved.
bool is_moved(const Tape& tape, std::uint16_t value);

}  // namespace isthmus::emitting
