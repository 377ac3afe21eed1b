// reduce_loop.cpp: reductions, in the order of fold.h, along the axis that memory favours.
#include <memory>

#include "isthmus/host/along_axes.h"
#include "isthmus/host/fold.h"
#include "isthmus/host/reduce.h"
#include "isthmus/threads/executor.h"

namespace isthmus::inline ISTHMUS_ABI::host {
namespace {

/// So many chunks to a group that there is work for all threads.
std::int64_t group_size(std::int64_t chunks, std::int64_t units, std::int64_t cost_of_chunk) {
  const std::int64_t wanted = 8 * thread_count();
  std::int64_t group = 1;
  while (group < chunks && group * cost_of_chunk < most_cost &&
         (units * (chunks / group) > wanted * 2 || group * cost_of_chunk < grain_cost))
    group *= 2;
  return group;
}

/// Group partials to one value per kept element, in the first row.
void combine_groups(const Job& job) {
  const std::int64_t row_bytes = job.kept * job.bytes;
  for (std::int64_t step = 1; step < job.groups(); step *= 2)
    for (std::int64_t i = 0; i + step < job.groups(); i += 2 * step)
      job.combine(job.partial + i * row_bytes, job.partial + i * row_bytes,
                  job.partial + (i + step) * row_bytes, nullptr, job.kept);
}

/// Whether walking along the kept axes touches memory more closely than along the reduced ones.
bool prefers_outer(const Launch& launch, std::span<const Operand> operands, std::int64_t kept,
                   std::int64_t reduced) {
  if (kept < 16) return false;
  if (reduced < 64) return true;
  const auto last_axis = [&](int begin, int end) {
    for (int axis = end - 1; axis >= begin; --axis)
      if (launch.shape[axis] != 1) return axis;
    return begin;
  };
  const int kept_axis = last_axis(0, launch.kept);
  const int reduced_axis = last_axis(launch.kept, static_cast<int>(launch.shape.size()));
  std::int64_t along_kept = 0, along_reduced = 0;
  for (const Operand& operand : operands) {
    along_kept += std::abs(operand.strides[kept_axis]);
    along_reduced += std::abs(operand.strides[reduced_axis]);
  }
  return along_kept < along_reduced && launch.shape[kept_axis] >= 16;
}

/// Reduced axes before kept ones.
Operands reordered(const Launch& launch, std::span<const Operand> operands, Dims& shape) {
  const int axes = static_cast<int>(launch.shape.size());
  Operands result(launch.shape.size());
  for (const Operand& operand : operands) {
    result.list.push_back({operand.base, operand.bytes, nullptr});
    for (int i = 0; i < axes; ++i)
      result.strides.push_back(operand.strides[(i + launch.kept) % axes]);
  }
  for (int i = 0; i < axes; ++i) shape.push_back(launch.shape[(i + launch.kept) % axes]);
  return result;
}

void fill_identity(const RowTable& rows, const Program& program, TypeId type, char* out,
                   std::int64_t n) {
  const std::uint8_t identity = info(program.reduction).identity == "1";
  alignas(16) char element[16] = {};
  rows.casts[static_cast<int>(TypeId::uint8)][static_cast<int>(type)](element, &identity, nullptr,
                                                                      nullptr, 1);
  const std::int64_t bytes = info(type).bits / 8;
  rows.gathers[log2_bytes(bytes)](out, element, 0, n);
}

Job job_of(const RowTable& rows, const Program& program, std::span<const Argument> inputs) {
  const TypeId type = held_type(program.map.type_of(program.map.outputs[0]));
  const std::int64_t bytes = info(type).bits / 8;
  Job job{rows, program.map, inputs, nullptr, nullptr, nullptr, bytes, 1, 1, 1, 1, nullptr};
  if (info(program.reduction).has_state()) {
    job.state = &state_of(rows, program.reduction, type);
    job.combine = job.state->combine;
    job.bytes = job.state->bytes;
    return job;
  }
  const int reduction = static_cast<int>(program.reduction);
  job.fold_elements = rows.folds[reduction][static_cast<int>(type)];
  job.combine = rows.combines[reduction][static_cast<int>(type)];
  return job;
}

void reduce(Job& job, const Launch& launch, std::span<Operand> operands) {
  const bool is_outer = prefers_outer(launch, operands, job.kept, job.reduced);
  const int axes = static_cast<int>(launch.shape.size());
  if (is_outer) {
    Dims shape;
    Operands turned = reordered(launch, operands, shape);
    const std::span<Operand> list = turned.get();
    reduce_outer(job, Walk(shape, launch.kept, list), list);
  } else {
    reduce_inner(job, Walk(launch.shape, axes - launch.kept, operands), operands);
  }
  combine_groups(job);
}

}  // namespace

void run_reduce(const RowTable& rows, const Program& program, const Launch& launch) {
  std::int64_t kept = 1, reduced = 1;
  for (int axis = 0; axis < static_cast<int>(launch.shape.size()); ++axis)
    (axis < launch.kept ? kept : reduced) *= launch.shape[axis];
  if (kept == 0) return;
  Job job = job_of(rows, program, launch.inputs);
  job.kept = kept, job.reduced = reduced;
  job.chunks = divided_up(reduced, chunk_length);
  Operands operands(launch.shape.size());
  operands.add_inputs(program.map, launch.inputs, launch.shape, nullptr);
  const std::span<Operand> list = operands.get();
  const std::int64_t columns =
      prefers_outer(launch, list, kept, reduced) ? divided_up(kept, job.width()) : kept;
  const std::int64_t width = kept / std::max<std::int64_t>(columns, 1);
  job.group = group_size(job.chunks, columns, chunk_length * width);
  const Bytes partial = allocate(std::max<std::int64_t>(job.groups(), 1) * kept * job.bytes);
  job.partial = partial.get();
  if (reduced == 0)
    fill_identity(rows, program, held_type(program.accumulator), job.partial, kept);
  else
    reduce(job, launch, list);
  if (job.state) job.state->finish(job.partial, job.partial, kept);
  if (is_half(program.accumulator))
    rows.round[half_index(program.accumulator)](job.partial, job.partial, nullptr, nullptr, kept);
  // The epilogue's arguments, with a place for the result.
  std::unique_ptr<Argument[]> arguments(new Argument[launch.epilogue_inputs.size() + 1]);
  std::copy(launch.epilogue_inputs.begin(), launch.epilogue_inputs.end(), arguments.get() + 1);
  run_tape(rows, program.epilogue, {launch.shape.begin(), static_cast<std::size_t>(launch.kept)},
           {arguments.get(), launch.epilogue_inputs.size() + 1}, launch.outputs, job.partial);
}

}  // namespace isthmus::inline ISTHMUS_ABI::host
