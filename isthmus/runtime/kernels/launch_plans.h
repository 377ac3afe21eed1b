// launch_plans.h: the enqueues of a program's last launch, for the next one of the same numbers.
#pragma once

#include "isthmus/base/mutex.h"
#include "isthmus/codegen/emit.h"

namespace isthmus::inline ISTHMUS_ABI {

/// What kernels of a program are called with by launches of the same numbers, wherever their
/// operands lie. Constant, and so for any thread.
class ISTHMUS_EXPORT LaunchPlan : public Counted<LaunchPlan> {
 public:
  LaunchPlan(const Program& program, const Launch& launch, const Traits& traits);
  bool is_of(const Launch& launch) const;

  const Passes passes;

 private:
  struct Numbers {
    std::int64_t offset;
    Dims strides;
    Scalar scalar;
  };
  const Dims shape_;
  const int kept_;
  std::vector<Numbers> arguments_;  ///< Inputs, the epilogue's inputs, outputs.
};

/// Programs repeat themselves: the same expression on arrays of the same shapes. Of a small launch,
/// an eighth of the time would go into planning it. Any thread.
class ISTHMUS_EXPORT LaunchPlans {
 public:
  Ref<LaunchPlan> find(const Program& program, const Launch& launch, const Traits& traits);

 private:
  Mutex lock_;
  Ref<LaunchPlan> last_;
};

}  // namespace isthmus::inline ISTHMUS_ABI
