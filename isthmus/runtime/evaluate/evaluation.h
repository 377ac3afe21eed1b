// evaluation.h: the kernels of one plan on their way to memory.
#pragma once

#include "isthmus/codegen/lower.h"
#include "isthmus/graph/partition.h"
#include "isthmus/runtime/evaluate/evaluate.h"
#include "isthmus/runtime/observe/records.h"
#include "isthmus/runtime/submit/launch.h"

namespace isthmus::inline ISTHMUS_ABI {

/// Kernels of one plan. What they hold is to be dropped without graph_lock.
class Evaluation {
 public:
  /// Lowers a plan and marks its outputs as running. Needs graph_lock. `target`, if any, is
  /// where the last output of the last kernel goes instead of to new memory.
  Evaluation(const Plan& plan, const View* target);

  /// Whether it reads memory that others may write to without being in order with us.
  bool reads_open() const { return reads_open_; }

  /// Without the lock. What fails stays failed; what does not need it goes on. What a
  /// kernel that failed calculates without what failed, such as a user's text, stays pending, and
  /// so does what reads that: ask again. Throws only `interrupted` and, if asked to retry,
  /// out_of_memory, after giving back what has not begun.
  void run(Shortage shortage);

 private:
  struct Running {
    Storage* storage;  // alive until the kernel's outputs finish
    std::size_t kernel;
  };

  std::size_t index_of(const Lowered& kernel) const {
    return static_cast<std::size_t>(&kernel - kernels_.begin());
  }
  bool mark_failing(std::size_t first, bool is_of_text);
  bool is_long() const;
  void run(Lowered& kernel, const View* target, Shortage shortage);
  Memories launch_part(Lowered& kernel);
  void give_back(std::size_t first);
  void give_back(const Lowered& kernel);
  void restart(std::size_t kernel);

  SmallVector<Lowered, 1> kernels_;
  SmallVector<Running, 8> running_;  ///< Kernel by kernel.
  std::size_t next_ = 0;
  bool reads_open_ = false;
  const View* target_;
  ProfiledEvaluation profiled_;
};

}  // namespace isthmus::inline ISTHMUS_ABI
