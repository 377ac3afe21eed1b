// ints.h: ints of Python's users.
#pragma once

#include <cstdint>

#include <nanobind/nanobind.h>

namespace isthmus::python {

/// Of an object with __index__. Throws type for others, value past 64 bits.
std::int64_t int_of(const char* who, nanobind::handle object);

}  // namespace isthmus::python
