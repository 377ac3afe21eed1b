// explain.h: what asarray would do, and why.
#pragma once

#include <cstdint>
#include <optional>
#include <ostream>
#include <string>

#include "isthmus/array/array.h"

namespace isthmus::inline ISTHMUS_ABI {

/// What asarray would do, determined before any data is moved.
struct Explanation {
  /// What would happen to the memory.
  enum class Verdict : std::uint8_t {
    zero_copy,   ///< It would be shared.
    copy,        ///< It would be copied.
    impossible,  ///< Nothing: asarray would throw.
  };
  Verdict verdict = Verdict::impossible;  ///< See above.
  std::string reason;  ///< Why; for an array also why its memory is shared or private.
};
/// "zero-copy", "copy" or "impossible".
ISTHMUS_EXPORT std::string_view to_string(Explanation::Verdict verdict);
/// The verdict and the reason, separated by a colon.
ISTHMUS_EXPORT std::string to_string(const Explanation& explanation);
/// Writes to_string(explanation).
inline std::ostream& operator<<(std::ostream& out, const Explanation& explanation) {
  return out << to_string(explanation);
}

/// What asarray(x, {.device = device}) would do. Evaluates nothing; for a pending array, the result
/// is what would hold once it is calculated.
ISTHMUS_EXPORT Explanation explain(const Array& x, const std::optional<Device>& device = {});

}  // namespace isthmus::inline ISTHMUS_ABI
