// launch.h: one lowered kernel to its device.
#pragma once

#include <functional>

#include "isthmus/codegen/lower.h"

namespace isthmus::inline ISTHMUS_ABI {

using Memories = SmallVector<Ref<BackendMemory>, 2>;

/// Allocates the outputs (the last one is `target` if there is one), enqueues the kernel behind
/// the work it depends on and notes it as the last on what it touches. Storages it reads are
/// ready. Returns the outputs' memories. Throws what the backend throws.
Memories launch(Lowered& kernel, const View* target);

/// What a kernel of running storages is, for its errors: "add, sin of shape (3,)", and where it was
/// called if that is traced.
std::function<std::string()> describe(const Lowered& kernel);

/// Evaluates a pending storage if it is one small operation of the host on values that are there;
/// whether it was. Its error, if any, stays with it.
bool run_alone(Storage& storage);

/// Writes a number, or one element of the same dtype, to a few elements of the host's memory that
/// nothing pending reads; whether it was so. Throws as store() does, and then has written nothing.
bool write_alone(const Storage& storage, const Layout& target, const Operand& value);

}  // namespace isthmus::inline ISTHMUS_ABI
