// answers.h: what each kind of work answers those who plan kernels.
#pragma once

#include <optional>
#include <string_view>

#include "isthmus/base/small_vector.h"
#include "isthmus/core/internal.h"
#include "isthmus/core/ops.h"
#include "isthmus/core/user_function.h"
#include "isthmus/graph/stop.h"

namespace isthmus::inline ISTHMUS_ABI::work {

/// Where a producer would stand in the kernel of its consumers.
struct Seat {
  bool has_along = false;  ///< The kernel works along axes already.
  bool is_early = false;   ///< Its consumers stand before that work.
};

/// Marks the axes of an operand that work goes along.
using Axes = SmallVector<bool, 4>;

/// The answers of work on single elements. What answers otherwise hides them. Beside these each
/// kind of work has `name()`, what its result is called, and `kind()`, what people call it.
struct OnElements {
  /// Why it cannot join the kernel of its consumers.
  std::optional<Stop> refusal(const Seat&) const { return std::nullopt; }
  /// Whether it reads that operand, more than once, at other places than those of its loop; all of
  /// it must be in memory then.
  bool reads_anywhere(int) const { return false; }
  /// Whether a kernel whose last node it is may write other values, too.
  bool allows_other_outputs() const { return true; }
  /// The axes that it works along, of which a kernel has one such work; null: single elements.
  const Axes* along() const { return nullptr; }
  /// Whether one kernel may do several such works, on the same elements and along the same axes.
  bool allows_others_beside() const { return false; }
  /// A user's function that it calls; null: none.
  const UserFunction* user() const { return nullptr; }
};

}  // namespace isthmus::inline ISTHMUS_ABI::work
