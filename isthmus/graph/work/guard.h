// guard.h: positions that are right if a check holds which other work makes.
#pragma once

#include "isthmus/core/finding.h"
#include "isthmus/graph/work/answers.h"

namespace isthmus::inline ISTHMUS_ABI::work {

/// Its first operand is the positions, which it gives as they are; its second the number that the
/// check finds. Where one that stops writes has failed, it gives negative positions instead.
struct Guard : OnElements {
  explicit Guard(Ref<Finding> check_) : check(std::move(check_)) {}

  std::string_view name() const { return "guard"; }
  std::string_view kind() const { return "check of indices"; }
  bool reads_anywhere(int operand) const { return operand == 1; }

  Ref<Finding> check;
};

}  // namespace isthmus::inline ISTHMUS_ABI::work
