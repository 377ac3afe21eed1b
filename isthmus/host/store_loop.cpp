// store_loop.cpp: values to positions that are calculated.
#include "isthmus/host/blocks.h"

namespace isthmus::inline ISTHMUS_ABI::host {

void run_store(const RowTable& rows, const Program& program, const Launch& launch) {
  for (const std::int64_t extent : launch.shape)
    if (extent == 0) return;
  const Tape& tape = program.map;
  Operands all(launch.shape.size());
  all.add_inputs(tape, launch.inputs, launch.shape, nullptr);
  const std::span<Operand> operands = all.get();
  const Walk walk = Walk::over_all(launch.shape, 4096, operands);
  const TypeId type = tape.type_of(tape.outputs[0]);
  const int log2 = log2_bytes(info(type).bits / 8);
  const Plan plan = make_plan(rows, tape, walk, operands, true);
  const bool has_runs = plan.runs && plan.runs->store_slope;
  const auto write = [&](const Block& block) {
    const char* values = block.frame.at(plan.results[0]);
    if (is_half(type)) {
      rows.narrow[half_index(type)](block.spare, values, nullptr, nullptr, block.size);
      values = block.spare;
    }
    void* const to = launch.outputs[0].address;
    if (has_runs) return rows.store_runs[log2](to, values, block.frame.run_positions());
    rows.stores[log2](to, block.frame.at(plan.results[1]), values, nullptr, block.size);
  };
  // of equal positions the last one stays: one thread, in the loop's order
  const Order order = program.store == Store::in_order ? Order::in_order : Order::any;
  each_block(rows, plan, tape, launch.inputs, walk, operands, is_half(type) ? 2 : 0,
             has_runs ? 1 : 4, order, write);
}

}  // namespace isthmus::inline ISTHMUS_ABI::host
