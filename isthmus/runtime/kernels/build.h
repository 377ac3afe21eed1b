// build.h: programs to kernels: text, compiler, and what a compiler says.
#pragma once

#include <string>

#include "isthmus/runtime/backend.h"

namespace isthmus::inline ISTHMUS_ABI {

/// The program as bytes: equal programs have equal keys.
ISTHMUS_EXPORT std::string key_of(const Program& program);

/// What a compiler is given of a program with its form: its text in the language of the device, or
/// key_of() where that takes programs as they are.
KernelText text_of(const Program& program, const Traits& traits);

/// Compiles it now. Throws compile, with the text, lines numbered, and the compiler's log; `name`
/// is what the kernel's files are called. Warnings go to the user where the text is read: it is
/// theirs, or kernels are dumped.
Ref<Kernel> build(Backend& backend, BackendContext& context, int device, const Program& program,
                  const KernelText& text, const std::string& name);

}  // namespace isthmus::inline ISTHMUS_ABI
