// settings.h: how programs are run, as the environment or the user says.
#pragma once

#include <cstdint>

#include "isthmus/base/export.h"

namespace isthmus {

/// Where small programs on host memory run: ISTHMUS_INLINE, or what the user set.
enum class Inline : std::uint8_t { never, always, automatic };
ISTHMUS_EXPORT Inline inline_policy();
ISTHMUS_EXPORT void set_inline_policy(Inline policy);

/// Whether operations run when they are called: ISTHMUS_EAGER=1.
ISTHMUS_EXPORT bool is_eager();
ISTHMUS_EXPORT void set_eager(bool eager);

}  // namespace isthmus
