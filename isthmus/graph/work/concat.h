// concat.h: the work of a value that is made of parts, which has no kernel.
#pragma once

#include "isthmus/graph/work/answers.h"

namespace isthmus::inline ISTHMUS_ABI::work {

/// Its operands are its parts, which are calculated into its memory.
struct Concat : OnElements {
  std::string_view name() const { return "concat"; }
  std::string_view kind() const { return "concat"; }
  std::optional<Stop> refusal(const Seat&) const { return Stop::concat; }
};

}  // namespace isthmus::inline ISTHMUS_ABI::work
