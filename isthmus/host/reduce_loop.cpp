// reduce_loop.cpp: reductions, in the order of fold.h, along the axis that memory favours.
#include <memory>
#include <utility>

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
void combine_groups(const Job& job, const Combination& value) {
  const std::int64_t row_bytes = job.kept * value.bytes;
  for (std::int64_t step = 1; step < job.groups(); step *= 2)
    for (std::int64_t i = 0; i + step < job.groups(); i += 2 * step)
      value.combine(value.partial + i * row_bytes, value.partial + i * row_bytes,
                    value.partial + (i + step) * row_bytes, nullptr, job.kept);
}

/// The last of these axes with more than one element; the first one if there is none.
int last_axis(const Launch& launch, int begin, int end) {
  for (int axis = end - 1; axis >= begin; --axis)
    if (launch.shape[axis] != 1) return axis;
  return begin;
}

/// Whether walking along the kept axes touches memory more closely than along the reduced ones.
bool is_closer_along_kept(const Launch& launch, std::span<const Operand> operands) {
  const int kept_axis = last_axis(launch, 0, launch.kept);
  const int reduced_axis = last_axis(launch, launch.kept, static_cast<int>(launch.shape.size()));
  std::int64_t along_kept = 0, along_reduced = 0;
  for (const Operand& operand : operands) {
    along_kept += std::abs(operand.strides[kept_axis]);
    along_reduced += std::abs(operand.strides[reduced_axis]);
  }
  return along_kept < along_reduced;
}

/// Whether a reduced element of many kept ones is combined at a time.
bool prefers_outer(const Job& job, const Launch& launch, std::span<const Operand> operands) {
  if (job.kept < 16) return false;
  if (job.reduced < (job.values[0].state ? 16 : 64)) return true;
  return launch.shape[last_axis(launch, 0, launch.kept)] >= 16 &&
         is_closer_along_kept(launch, operands);
}

/// Kept axes from `first` on behind the reduced ones.
Operands reordered(const Launch& launch, int first, std::span<const Operand> operands,
                   Dims& shape) {
  const int axes = static_cast<int>(launch.shape.size());
  SmallVector<int, 8> order;
  for (int i = 0; i < first; ++i) order.push_back(i);
  for (int i = launch.kept; i < axes; ++i) order.push_back(i);
  for (int i = first; i < launch.kept; ++i) order.push_back(i);
  Operands result(launch.shape.size());
  for (const Operand& operand : operands) {
    result.list.push_back({operand.base, operand.bytes, nullptr});
    for (const int axis : order) result.strides.push_back(operand.strides[axis]);
  }
  for (const int axis : order) shape.push_back(launch.shape[axis]);
  return result;
}

/// Kept elements that lie side by side.
struct Few {
  int first = 0;           ///< Axis.
  std::int64_t count = 0;  ///< Of elements; 0 if they are not to be taken together.
};

/// Bytes of kept elements that are worth taking together.
std::int64_t most_bytes_of(const Job& job) {
  const Combination& value = job.values[0];
  // states of many elements are combined side by side, and columns that are there in registers
  if (value.state) return 31 * job.element_bytes(0);
  return job.tape.steps.empty() && value.fold_columns ? 512 : 65536;
}

/// Of the last kept axes, as many as lie together and are few. None where the reduced elements are
/// nearer to each other.
Few few_of(const Job& job, const Launch& launch, std::span<const Operand> operands) {
  constexpr std::int64_t least_reduced = 16;
  std::int64_t bytes = 1;
  for (std::size_t k = 0; k < job.values.size(); ++k) {
    const bool is_alone = job.values.size() == 1;
    if (job.values[k].last >= 0 || (job.values[k].state && !is_alone)) return {};
    bytes = std::max(bytes, job.element_bytes(k));
  }
  if (job.reduced < least_reduced) return {};
  const std::int64_t most_bytes = most_bytes_of(job);
  Few few{launch.kept, 1};
  while (few.first > 0) {
    const std::int64_t length = launch.shape[few.first - 1];
    const auto is_apart = [&](const Operand& operand) {
      const std::int64_t* const strides = &operand.strides[few.first - 1];
      return length > 1 && few.count > 1 && strides[0] != strides[1] * launch.shape[few.first];
    };
    if (length > most_bytes / (few.count * bytes) || std::ranges::any_of(operands, is_apart)) break;
    few.count *= length;
    --few.first;
  }
  if (few.count < 2) return {};
  const std::int64_t units = job.kept / few.count * job.chunks;
  const bool is_worth_threads = job.kept * job.reduced > 2 * grain_cost;
  if (units < thread_count() && is_worth_threads) return {};
  return is_closer_along_kept(launch, operands) ? few : Few();
}

void fill_identity(const RowTable& rows, Reduction reduction, TypeId type, char* out,
                   std::int64_t n) {
  const std::uint8_t identity = info(reduction).identity == "1";
  alignas(16) char element[16] = {};
  rows.casts[static_cast<int>(TypeId::uint8)][static_cast<int>(type)](element, &identity, nullptr,
                                                                      nullptr, 1);
  const std::int64_t bytes = info(type).bits / 8;
  rows.gathers[log2_bytes(bytes)](out, element, 0, n);
}

/// The bool behind which others change nothing; see Combination::last.
int last_of(Reduction reduction, TypeId type) {
  if (type != TypeId::bool_) return -1;
  switch (reduction) {
    case Reduction::any:
    case Reduction::max:
    case Reduction::nanmax:
    case Reduction::argmax:
    case Reduction::nanargmax: return 1;
    case Reduction::all:
    case Reduction::min:
    case Reduction::nanmin:
    case Reduction::argmin:
    case Reduction::nanargmin: return 0;
    default: return -1;
  }
}

/// Of elements that are held as `type`.
Combination combination_of(const RowTable& rows, Reduction reduction, TypeId type) {
  Combination made;
  made.last = last_of(reduction, type);
  if (info(reduction).has_state()) {
    made.state = &state_of(rows, reduction, type);
    made.combine = made.state->combine;
    made.bytes = made.state->bytes;
    return made;
  }
  const int row = static_cast<int>(reduction), column = static_cast<int>(type);
  made.fold_elements = rows.folds[row][column];
  made.combine = rows.combines[row][column];
  made.bytes = info(type).bits / 8;
  for (int k = 0; reduction == Reduction::sum && k < conjugate_count; ++k)
    made.product_folds[k] = rows.product_folds[k][column];
  if (reduction == Reduction::sum && type == TypeId::int64) made.fold_truths = rows.truths;
  made.fold_columns = rows.column_folds[row][column];
  return made;
}

/// One of the reductions that a program makes at the same time.
Beside reduction_of(const Program& program, std::size_t k) {
  return k > 0 ? program.beside[k - 1] : Beside{program.reduction, program.accumulator};
}

void reduce(const Job& job, const Few& few, const Launch& launch, std::span<Operand> operands) {
  const int axes = static_cast<int>(launch.shape.size());
  Dims shape;
  if (few.count > 0) {
    Operands turned = reordered(launch, few.first, operands, shape);
    const std::span<Operand> list = turned.get();
    const Walk walk(shape, axes - few.first, list);
    (job.values[0].state ? reduce_few_states : reduce_few)(job, few.count, walk, list);
  } else if (prefers_outer(job, launch, operands)) {
    Operands turned = reordered(launch, 0, operands, shape);
    const std::span<Operand> list = turned.get();
    reduce_outer(job, Walk(shape, launch.kept, list), list);
  } else {
    reduce_inner(job, Walk(launch.shape, axes - launch.kept, operands), operands);
  }
  for (const Combination& value : job.values) combine_groups(job, value);
}

/// What all elements were combined to, to the results.
void finish(const RowTable& rows, const Job& job, const Combination& value, const Beside& made) {
  if (job.reduced == 0)
    fill_identity(rows, made.reduction, held_type(made.accumulator), value.partial, job.kept);
  if (value.state) value.state->finish(value.partial, value.partial, job.kept);
  if (is_half(made.accumulator))
    rows.round[half_index(made.accumulator)](value.partial, value.partial, nullptr, nullptr,
                                             job.kept);
}

}  // namespace

void run_reduce(const RowTable& rows, const Program& program, const Launch& launch) {
  std::int64_t kept = 1, reduced = 1;
  for (int axis = 0; axis < static_cast<int>(launch.shape.size()); ++axis)
    (axis < launch.kept ? kept : reduced) *= launch.shape[axis];
  if (kept == 0) return;
  const std::size_t results = program.map.outputs.size();
  Job job{rows, program.map, launch.inputs, {}, kept, reduced};
  for (std::size_t k = 0; k < results; ++k)
    job.values.push_back(combination_of(rows, reduction_of(program, k).reduction,
                                        held_type(program.map.type_of(program.map.outputs[k]))));
  job.chunks = divided_up(reduced, chunk_length);
  Operands operands(launch.shape.size());
  operands.add_inputs(program.map, launch.inputs, launch.shape);
  const std::span<Operand> list = operands.get();
  const Few few = few_of(job, launch, list);
  const std::int64_t columns = few.count > 0                      ? kept / few.count
                               : prefers_outer(job, launch, list) ? divided_up(kept, job.width())
                                                                  : kept;
  const std::int64_t width = kept / std::max<std::int64_t>(columns, 1);
  job.group = group_size(job.chunks, columns, chunk_length * width);
  const std::int64_t partials = std::max<std::int64_t>(job.groups(), 1) * kept;
  std::int64_t bytes = 0;
  for (const Combination& value : job.values) bytes += to_lines(partials * value.bytes);
  const Bytes partial = allocate(bytes);
  char* next = partial.get();
  for (Combination& value : job.values)
    value.partial = std::exchange(next, next + to_lines(partials * value.bytes));
  if (reduced > 0) reduce(job, few, launch, list);
  // The epilogue's arguments, behind the results.
  const std::size_t count = results + launch.epilogue_inputs.size();
  std::unique_ptr<Argument[]> arguments(new Argument[count]);
  for (std::size_t k = 0; k < results; ++k) {
    finish(rows, job, job.values[k], reduction_of(program, k));
    arguments[k].address = job.values[k].partial;
  }
  std::copy(launch.epilogue_inputs.begin(), launch.epilogue_inputs.end(),
            arguments.get() + results);
  run_tape(rows, program.epilogue, {launch.shape.begin(), static_cast<std::size_t>(launch.kept)},
           {arguments.get(), count}, launch.outputs);
}

}  // namespace isthmus::inline ISTHMUS_ABI::host
