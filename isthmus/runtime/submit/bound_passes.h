// bound_passes.h: a launch's kernels with their arguments, and the memory that only it uses.
#pragma once

#include "isthmus/runtime/backend.h"
#include "isthmus/runtime/kernels/launch_plans.h"

namespace isthmus::inline ISTHMUS_ABI {

/// What Backend::enqueue is given of a launch. Scratch comes from the pool, and so do words that
/// are no parameter; both stay while this lives, and have to be in the launch's Submission.
class BoundPasses {
 public:
  using Memories = SmallVector<BackendMemory*, 8>;
  /// Arguments of the launch have their memory. Appends the launch's own to `reads` and `writes`.
  BoundPasses(Ref<LaunchPlan> plan, const Launch& launch, const Ref<BackendQueue>& queue,
              Memories& reads, Memories& writes);
  BoundPasses(const BoundPasses&) = delete;
  std::span<const KernelCall> calls() const { return {calls_.begin(), calls_.end()}; }

 private:
  BackendMemory* memory_of(Pointer pointer, const Launch& launch) const;
  BackendMemory& keep(Ref<BackendMemory> memory, Memories& list);
  void place_words(const Pass& pass, Memories& reads);

  const Ref<LaunchPlan> plan_;
  const Ref<BackendQueue>& queue_;
  BackendMemory *scratch_ = nullptr, *words_ = nullptr;
  const Pass* placed_ = nullptr;  ///< Whose words are in `words_`.
  SmallVector<CallArgument, 8> arguments_;
  SmallVector<KernelCall, 2> calls_;
  SmallVector<Ref<BackendMemory>, 2> owned_;
};

}  // namespace isthmus::inline ISTHMUS_ABI
