// user_lines.h: users' lines in the text of a kernel, and the one that a compiler speaks of.
#pragma once

#include <string>
#include <string_view>

#include "isthmus/base/export.h"

namespace isthmus::inline ISTHMUS_ABI {

/// A user's text on lines of its own, between comments that say what it is: "operation". Nothing
/// for an empty text. In a kernel's text without such comments all lines are the user's.
ISTHMUS_EXPORT std::string as_users(std::string_view what, std::string_view text);

/// What a compiler says first, and the user's line: ": use of undeclared identifier 'y', in line 3
/// of operation: z = y;". That line is the one which the compiler names; of a line that is ours the
/// one before it, behind which something is missing. What would do stands on a second line, where
/// that is known. Nothing where the log is of a form that is not known.
ISTHMUS_EXPORT std::string first_error(std::string_view log, std::string_view text);

}  // namespace isthmus::inline ISTHMUS_ABI
