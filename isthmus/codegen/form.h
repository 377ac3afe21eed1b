// form.h: what of a launch is compiled into a kernel.
#pragma once

#include "isthmus/codegen/program.h"

namespace isthmus::inline ISTHMUS_ABI {

/// In which order a reduction adds up: that of the host executor, whatever the device, so that its
/// bits are the same everywhere. The reduced elements, in C order of the reduced axes, are cut into
/// chunks; element i of a chunk goes to lane i % reduction_lanes; lanes take their elements in
/// order and are then folded in halves; chunks are combined as neighbours, level by level.
inline constexpr std::int64_t reduction_chunk = 1024;
inline constexpr std::int64_t reduction_lanes = 32;

/// The form of a launch that has been simplified; depends on shapes and strides only.
ISTHMUS_EXPORT Form form_of(const Program& program, const Launch& launch);

/// Makes a copy of opaque records one of numbers: the words of a record are one more axis, and
/// the program a map without steps. `alignment`: a power of two that divides all addresses.
ISTHMUS_EXPORT void split_records(Program& program, Dims& shape, int& kept, Argument& input,
                                  Argument& output, std::int64_t alignment);

}  // namespace isthmus::inline ISTHMUS_ABI
