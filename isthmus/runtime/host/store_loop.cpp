// store_loop.cpp: values to positions that are calculated.
#include "isthmus/runtime/executor.h"
#include "isthmus/runtime/host/loops.h"

namespace isthmus::host {

void run_store(const RowTable& rows, const Program& program, const Launch& launch) {
  for (const std::int64_t extent : launch.shape)
    if (extent == 0) return;
  const Tape& tape = program.map;
  Operands all(launch.shape.size());
  all.add_inputs(tape, launch.inputs, launch.shape, nullptr);
  const std::span<Operand> operands = all.get();
  const Walk walk = Walk::over_all(launch.shape, 256, operands);
  SmallVector<Reach, 8> reach;
  for (const Operand& operand : operands) reach.push_back({walk.is_dense(operand), operand.base});
  const Plan plan = make_plan(rows, tape, reach);
  const TypeId type = tape.type_of(tape.outputs[0]);
  const Row store = rows.stores[log2_bytes(info(type).bits / 8)];
  const std::int64_t inner = walk.inner_count(), block = block_length(plan, inner);
  const std::int64_t blocks_per_row = divided_up(inner, block);
  const std::int64_t frame_bytes = (Frame::bytes(plan, block) + 63) / 64 * 64;
  const auto work = [&](std::int64_t first, std::int64_t last) {
    char* scratch = thread_scratch(frame_bytes + (is_half(type) ? 2 * block : 0));
    Frame frame(rows, plan, tape, launch.inputs, block, scratch);
    SmallVector<std::int64_t, 8> offsets(operands.size());
    for (std::int64_t index = first; index < last; ++index) {
      const std::int64_t row = index / blocks_per_row;
      const std::int64_t begin = (index - row * blocks_per_row) * block;
      const std::int64_t n = std::min(block, inner - begin);
      for (std::size_t k = 0; k < operands.size(); ++k)
        offsets[k] = walk.outer_offset(operands[k], row);
      frame.read(walk, operands, offsets, begin, n);
      frame.run(n);
      const char* values = frame.at(plan.results[0]);
      if (is_half(type)) {
        char* const narrow = scratch + frame_bytes;
        rows.narrow[half_index(type)](narrow, values, nullptr, nullptr, n);
        values = narrow;
      }
      store(launch.outputs[0].address, frame.at(plan.results[1]), values, nullptr, n);
    }
  };
  const std::int64_t blocks = walk.outer_count() * blocks_per_row;
  if (program.store == Store::in_order)
    work(0, blocks);  // of equal positions the last one stays: one thread, in the loop's order
  else
    parallel_for(blocks, grain_of(blocks, (plan.cost + 4) * std::min(block, inner)), work);
}

}  // namespace isthmus::host
