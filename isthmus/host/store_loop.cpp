// store_loop.cpp: values to positions that are calculated.
#include "isthmus/host/blocks.h"

namespace isthmus::inline ISTHMUS_ABI::host {

void run_store(const RowTable& rows, const Program& program, const Launch& launch) {
  for (const std::int64_t extent : launch.shape)
    if (extent == 0) return;
  const Tape& tape = program.map;
  Operands all(launch.shape.size());
  all.add_inputs(tape, launch.inputs, launch.shape);
  const std::span<Operand> operands = all.get();
  const Walk walk = Walk::over_all(launch.shape, 256, operands);
  const TypeId type = tape.type_of(tape.outputs[0]);
  const Row store = rows.stores[log2_bytes(info(type).bits / 8)];
  const auto write = [&](const Plan& plan, const Block& block) {
    const char* values = block.frame.at(plan.results[0]);
    if (is_half(type)) {
      rows.narrow[half_index(type)](block.spare, values, nullptr, nullptr, block.size);
      values = block.spare;
    }
    store(launch.outputs[0].address, block.frame.at(plan.results[1]), values, nullptr, block.size);
  };
  // of equal positions the last one stays: one thread, in the loop's order
  const Order order = program.store == Store::in_order ? Order::in_order : Order::any;
  each_block(rows, tape, launch.inputs, walk, operands, is_half(type) ? 2 : 0, 4, order, write);
}

}  // namespace isthmus::inline ISTHMUS_ABI::host
