// settings.h: how programs are run, as the environment or the user says.
#pragma once

#include <cstdint>

#include "isthmus/base/export.h"

namespace isthmus::inline ISTHMUS_ABI {

/// Where small programs on host memory run.
enum class Inline : std::uint8_t { never, always, automatic };
/// That of ISTHMUS_INLINE, or what was set.
ISTHMUS_EXPORT Inline inline_policy();
/// For all threads.
ISTHMUS_EXPORT void set_inline_policy(Inline policy);

/// Whether operations run when they are called: ISTHMUS_EAGER=1.
ISTHMUS_EXPORT bool is_eager();
/// For all threads.
ISTHMUS_EXPORT void set_eager(bool eager);

}  // namespace isthmus::inline ISTHMUS_ABI
