// store_loop.cpp: values to positions that are calculated.
#include "isthmus/host/along_axes.h"
#include "isthmus/host/blocks.h"

namespace isthmus::inline ISTHMUS_ABI::host {
namespace {

/// From this cost of an element on all values and positions are calculated first, by all threads,
/// where one thread has to write them.
constexpr std::int64_t worth_sharing = 10;

void store_calculated(const RowTable& rows, const Tape& tape, const Launch& launch) {
  const std::int64_t bytes = info(tape.type_of(tape.outputs[0])).bits / 8;
  const Dims strides = row_major({launch.shape.begin(), launch.shape.end()}).strides;
  const std::int64_t count = product_of(launch.shape);
  const Bytes values = allocate(count * bytes), positions = allocate(count * 8);
  Argument outputs[2];
  outputs[0].address = values.get(), outputs[1].address = positions.get();
  for (Argument& output : outputs) output.strides = strides;
  run_tape(rows, tape, launch.shape, launch.inputs, outputs);
  rows.stores[log2_bytes(bytes)](launch.outputs[0].address, positions.get(), values.get(), nullptr,
                                 count);
}

}  // namespace

void run_store(const RowTable& rows, const Program& program, const Launch& launch) {
  for (const std::int64_t extent : launch.shape)
    if (extent == 0) return;
  const Tape& tape = program.map;
  Operands all(launch.shape.size());
  all.add_inputs(tape, launch.inputs, launch.shape);
  const std::span<Operand> operands = all.get();
  const Walk walk = Walk::over_all(launch.shape, 4096, operands);
  const TypeId type = tape.type_of(tape.outputs[0]);
  const int log2 = log2_bytes(info(type).bits / 8);
  const Plan plan = make_plan(rows, tape, walk, operands, true);
  const bool has_runs = plan.runs && plan.runs->store_slope;
  // of equal positions the last one stays: one thread, in the loop's order
  const Order order = program.store == Store::in_order ? Order::in_order : Order::any;
  const bool is_alone = order == Order::in_order && thread_count() > 1;
  if (is_alone && !has_runs && plan.cost >= worth_sharing)
    return store_calculated(rows, tape, launch);
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
  each_block(rows, plan, tape, launch.inputs, walk, operands, is_half(type) ? 2 : 0,
             has_runs ? 1 : 4, order, write);
}

}  // namespace isthmus::inline ISTHMUS_ABI::host
