// blocks.h: a map over all positions of its loop, block by block.
#pragma once

#include "isthmus/host/loops.h"
#include "isthmus/threads/executor.h"

namespace isthmus::inline ISTHMUS_ABI::host {

/// A block of the loop whose values have been calculated.
struct Block {
  Frame& frame;
  std::span<const std::int64_t> offsets;  ///< Of the operands, in bytes, for its outer position.
  std::int64_t begin, size;               ///< In the inner range.
  char* spare;                            ///< Memory of the thread.
};

/// Whether several threads may share the blocks.
enum class Order : std::uint8_t { any, in_order };

/// Calls f(block) for each block of a plan of this walk. `spare`: bytes for each element of a
/// block.
template <class F>
void each_block(const RowTable& rows, const Plan& plan, const Tape& tape,
                std::span<const Argument> arguments, const Walk& walk,
                std::span<const Operand> operands, std::int64_t spare,
                std::int64_t work_per_element, Order order, F f) {
  const std::int64_t inner = walk.inner_count(), length = block_length(plan, inner);
  const std::int64_t blocks_per_row = divided_up(inner, length);
  const std::int64_t frame_bytes = to_lines(Frame::bytes(plan, length));
  const auto work = [&](std::int64_t first, std::int64_t last) {
    char* const scratch = thread_scratch(frame_bytes + spare * length);
    Frame frame(rows, plan, tape, arguments, length, scratch);
    SmallVector<std::int64_t, 8> offsets(operands.size());
    std::int64_t outer = -1;
    for (std::int64_t index = first; index < last; ++index) {
      const std::int64_t row = index / blocks_per_row;
      if (row != outer) {
        outer = row;
        for (std::size_t k = 0; k < operands.size(); ++k)
          offsets[k] = walk.outer_offset(operands[k], outer);
      }
      const std::int64_t begin = (index - row * blocks_per_row) * length;
      const std::int64_t size = std::min(length, inner - begin);
      frame.aim(operands, offsets, begin);
      frame.read(walk, operands, offsets, begin, size);
      frame.run(size);
      f(Block{frame, offsets, begin, size, scratch + frame_bytes});
    }
  };
  const std::int64_t blocks = walk.outer_count() * blocks_per_row;
  if (order == Order::in_order) return work(0, blocks);
  parallel_for(blocks, grain_of(blocks, (plan.cost + work_per_element) * std::min(length, inner)),
               work);
}

}  // namespace isthmus::inline ISTHMUS_ABI::host
