// loops.h: maps, reductions and copies over their loops, on the threads of executor.h.
#pragma once

#include "isthmus/host/frame.h"

namespace isthmus::inline ISTHMUS_ABI::host {

/// Elements of cheap work that are worth a second thread.
inline constexpr std::int64_t grain_cost = 32768;
/// The least that one of several threads takes at a time.
inline constexpr std::int64_t piece_cost = grain_cost / 2;
/// The most, some 20 ms: interrupts are heard between pieces.
inline constexpr std::int64_t most_cost = std::int64_t{1} << 24;

/// Blocks that one thread takes at a time.
std::int64_t grain_of(std::int64_t blocks, std::int64_t cost_of_block);

/// Operands with room for their strides.
struct Operands {
  SmallVector<Operand, 8> list;
  SmallVector<std::int64_t, 32> strides;
  int axes;

  explicit Operands(std::size_t axes_) : axes(static_cast<int>(axes_)) {}
  /// Takes `axes` strides in elements of `bytes` each.
  void add(void* base, std::int64_t bytes, std::span<const std::int64_t> element_strides);
  /// An index input: the position along `axis`.
  void add_index(int axis);
  /// A number input: `first`, and so much more along each axis.
  void add_number(std::int64_t first, std::span<const std::int64_t> number_strides);
  /// The inputs of a tape but for its scalars.
  void add_inputs(const Tape& tape, std::span<const Argument> arguments,
                  std::span<const std::int64_t> shape);
  /// Sets the operands' pointers to their strides, once all have been added.
  std::span<Operand> get();
};

/// A kernel of each shape, each in a file of its own.
#define SHAPE(name, ...) \
  void run_##name(const RowTable& rows, const Program& program, const Launch& launch);
#include "isthmus/core/shapes.def"

/// Writes the outputs of `tape` over `shape`. `arguments` are as the tape's inputs; an input of
/// kind result lies at its address, dense and as held.
void run_tape(const RowTable& rows, const Tape& tape, std::span<const std::int64_t> shape,
              std::span<const Argument> arguments, std::span<const Argument> outputs);

/// Copies opaque elements of `bytes` bytes.
void run_copy(const RowTable& rows, std::int64_t bytes, const Launch& launch);

}  // namespace isthmus::inline ISTHMUS_ABI::host
