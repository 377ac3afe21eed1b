// copy_loop.cpp: elements moved as they are.
#include <cstring>

#include "isthmus/host/loops.h"
#include "isthmus/threads/executor.h"

namespace isthmus::inline ISTHMUS_ABI::host {
namespace {

/// A type of as many bits, whose map without steps copies them as they are; record if none.
TypeId type_of_bytes(std::int64_t bytes) {
  switch (bytes) {
    case 1: return TypeId::uint8;
    case 2: return TypeId::uint16;
    case 4: return TypeId::uint32;
    case 8: return TypeId::uint64;
    case 16: return TypeId::complex128;
    default: return TypeId::record;
  }
}

}  // namespace

void run_copy(const RowTable& rows, std::int64_t bytes, const Launch& launch) {
  for (const std::int64_t extent : launch.shape)
    if (extent == 0) return;
  if (const TypeId type = type_of_bytes(bytes); type != TypeId::record) {
    Tape tape;
    tape.inputs.push_back({Input::Kind::memory, type, 0});
    tape.outputs.push_back(0);
    return run_tape(rows, tape, launch.shape, launch.inputs, launch.outputs);
  }
  Operands operands(launch.shape.size());
  operands.add(launch.inputs[0].address, bytes, launch.inputs[0].strides);
  operands.add(launch.outputs[0].address, bytes, launch.outputs[0].strides);
  const std::span<Operand> list = operands.get();
  const Walk walk = Walk::over_all(launch.shape, 1, list);
  const std::int64_t in_stride = walk.last_stride(list[0]), out_stride = walk.last_stride(list[1]);
  const auto work = [&](std::int64_t first, std::int64_t last) {
    for (std::int64_t outer = first; outer < last; ++outer) {
      const char* from = list[0].base + walk.outer_offset(list[0], outer);
      char* to = list[1].base + walk.outer_offset(list[1], outer);
      if (in_stride == bytes && out_stride == bytes) {
        std::memmove(to, from, static_cast<std::size_t>(walk.inner_count() * bytes));
        continue;
      }
      for (std::int64_t i = 0; i < walk.inner_count(); ++i)
        std::memmove(to + i * out_stride, from + i * in_stride, static_cast<std::size_t>(bytes));
    }
  };
  const std::int64_t cost = std::max<std::int64_t>(1, walk.inner_count() * bytes / 4);
  parallel_for(walk.outer_count(), grain_of(walk.outer_count(), cost), work);
}

}  // namespace isthmus::inline ISTHMUS_ABI::host
