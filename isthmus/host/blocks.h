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

/// A loop that is divided into blocks. What it refers to must live as long.
class Blocks {
 public:
  /// `spare`: bytes for each element of a block.
  Blocks(const RowTable& rows, const Plan& plan, const Tape& tape,
         std::span<const Argument> arguments, const Walk& walk, std::span<const Operand> operands,
         std::int64_t spare)
      : rows_(rows),
        plan_(plan),
        tape_(tape),
        arguments_(arguments),
        walk_(walk),
        operands_(operands),
        spare_(spare),
        inner_(walk.inner_count()),
        length_(block_length(plan, inner_)),
        per_row_(divided_up(inner_, length_)) {}

  std::int64_t count() const { return walk_.outer_count() * per_row_; }
  /// Of most of them.
  std::int64_t elements_of_one() const { return std::min(length_, inner_); }

  /// Calls f(block) for each block of a range, in order, on this thread.
  template <class F>
  void run(std::int64_t first, std::int64_t last, F& f) const {
    const std::int64_t frame_bytes = to_lines(Frame::bytes(plan_, length_));
    char* const scratch = thread_scratch(frame_bytes + spare_ * length_);
    Frame frame(rows_, plan_, tape_, arguments_, length_, scratch);
    SmallVector<std::int64_t, 8> offsets(operands_.size());
    std::int64_t outer = -1;
    for (std::int64_t index = first; index < last; ++index) {
      const std::int64_t row = index / per_row_;
      if (row != outer) {
        outer = row;
        for (std::size_t k = 0; k < operands_.size(); ++k)
          offsets[k] = walk_.outer_offset(operands_[k], outer);
      }
      const std::int64_t begin = (index - row * per_row_) * length_;
      const std::int64_t size = std::min(length_, inner_ - begin);
      frame.aim(operands_, offsets, begin);
      frame.read(walk_, operands_, offsets, begin, size);
      frame.run(size);
      f(Block{frame, offsets, begin, size, scratch + frame_bytes});
    }
  }

 private:
  const RowTable& rows_;
  const Plan& plan_;
  const Tape& tape_;
  std::span<const Argument> arguments_;
  const Walk& walk_;
  std::span<const Operand> operands_;
  std::int64_t spare_;
  std::int64_t inner_, length_, per_row_;
};

/// Calls f(block) for each block of a plan of this walk. `spare`: bytes for each element of a
/// block.
template <class F>
void each_block(const RowTable& rows, const Plan& plan, const Tape& tape,
                std::span<const Argument> arguments, const Walk& walk,
                std::span<const Operand> operands, std::int64_t spare,
                std::int64_t work_per_element, Order order, F f) {
  const Blocks blocks(rows, plan, tape, arguments, walk, operands, spare);
  const auto work = [&](std::int64_t first, std::int64_t last) { blocks.run(first, last, f); };
  if (order == Order::in_order) return work(0, blocks.count());
  const std::int64_t cost = (plan.cost + work_per_element) * blocks.elements_of_one();
  parallel_for(blocks.count(), grain_of(blocks.count(), cost), work);
}

}  // namespace isthmus::inline ISTHMUS_ABI::host
