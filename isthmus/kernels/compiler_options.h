// compiler_options.h: the compiler's options of users' kernels.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "isthmus/base/export.h"

namespace isthmus::inline ISTHMUS_ABI::detail {

/// As a compiler is given them, with a blank between them. Throws ValueError for one with a NUL.
std::string joined_options(std::string_view who, const std::vector<std::string>& options);

/// Options of functions that stand in kernels of ours.
struct FunctionOptions {
  std::vector<std::string> given;  ///< As a user wrote them.
  /// Those that define macros, as "#define N 4", where that means the same: names of ours in a
  /// kernel stay what they are then, and other work may stand beside the functions.
  std::string macros;
  std::string others;  ///< Those that a compiler is given.
  /// All that may define macros.
  std::string defining() const { return macros + others; }
  /// The same, with a preamble that does.
  std::string beside(std::string_view preamble) const;
};
/// Throws as joined_options().
ISTHMUS_EXPORT FunctionOptions function_options(std::string_view who,
                                                const std::vector<std::string>& options);

}  // namespace isthmus::inline ISTHMUS_ABI::detail
