// context.h: what `with` sets, in Python's context variables, so that threads and tasks keep apart.
#pragma once

#include <nanobind/nanobind.h>

#include <optional>

#include "isthmus/core/device.h"

namespace isthmus::python {

/// The device of the innermost `with device:`; nothing outside of one. Needs the GIL.
std::optional<Device> context_device();

/// Makes the variables, and the functions and methods that set them.
void bind_context(nanobind::module_& m);

}  // namespace isthmus::python
