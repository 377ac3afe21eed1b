// frame.h: one thread's scratch memory, and a plan at work on one block.
#pragma once

#include "isthmus/host/plan.h"
#include "isthmus/host/walk.h"

namespace isthmus::inline ISTHMUS_ABI::host {

/// At least `bytes` of memory that belongs to this thread until its next call, 64-byte aligned.
/// Throws out_of_memory.
char* thread_scratch(std::int64_t bytes);

/// Bytes rounded up to cache lines.
constexpr std::int64_t to_lines(std::int64_t bytes) { return (bytes + 63) / 64 * 64; }

/// Elements of a block, so that the slots stay in the first-level cache; a multiple of 128.
std::int64_t block_length(const Plan& plan, std::int64_t largest);

/// A plan with addresses. Lives on one thread, for several blocks.
class Frame {
 public:
  /// `scratch` holds bytes(); scalars are the launch's arguments in the order of the tape's inputs.
  Frame(const RowTable& rows, const Plan& plan, const Tape& tape,
        std::span<const Argument> arguments, std::int64_t block, char* scratch);

  static std::int64_t bytes(const Plan& plan, std::int64_t block) {
    const std::int64_t own = plan.slot_bytes * block + plan.scalar_bytes + plan.tail_bytes + 64;
    if (!plan.runs) return own;
    return to_lines(own) + bytes(plan.runs->positions, plan.runs->block(block));
  }

  char*& at(std::uint16_t value) { return at_[value]; }
  /// Runs all instructions on `n` elements; direct values have been pointed at them.
  void run(std::int64_t n);

  /// Brings the operands of elements [begin, begin + n) of the inner range into place.
  void read(const Walk& walk, std::span<const Operand> operands,
            std::span<const std::int64_t> offsets, std::int64_t begin, std::int64_t n);
  /// The positions of the block that was read last, where a store writes runs.
  RunPositions run_positions() const;
  /// Points direct outputs at their elements (before run), and scatters the others (after it).
  void aim(std::span<const Operand> operands, std::span<const std::int64_t> offsets,
           std::int64_t begin);
  void write(const Walk& walk, std::span<const Operand> operands,
             std::span<const std::int64_t> offsets, std::int64_t begin, std::int64_t n);

 private:
  const std::int64_t* positions_of(std::size_t run) const {
    return reinterpret_cast<const std::int64_t*>(
        positions_->at_[plan_.runs->positions.results[run]]);
  }
  void read_runs(std::span<const Operand> operands, std::span<const std::int64_t> offsets,
                 std::int64_t begin, std::int64_t n);
  void run_chain(const ChainPlan& chain, std::int64_t n);
  void run_ahead(const Instruction& instruction, std::int64_t n);

  const RowTable& rows_;
  const Plan& plan_;
  SmallVector<char*, 32> at_;
  char* tail_;
  std::unique_ptr<Frame> positions_;   ///< Of the plan's runs.
  std::int64_t begin_ = 0, size_ = 0;  ///< Of the block that was read last.
};

}  // namespace isthmus::inline ISTHMUS_ABI::host
