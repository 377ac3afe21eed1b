// chunks.cpp: chunks of reduced elements, and which work-items fold them.
#include "isthmus/codegen/emit/chunks.h"

#include <cstdlib>

#include "isthmus/codegen/form.h"

namespace isthmus::emitting {

namespace {

/// Results that are worth a work-item each, and reduced elements that are worth a group of them.
constexpr std::int64_t wide_kept = 16, few_reduced = 64;

/// Elements that are worth starting a work-item for, where there are so many items beside it.
constexpr std::int64_t item_elements = 16 * reduction_chunk, enough_items = 128;

/// Whether neighbouring results lie closer in memory than neighbouring reduced elements.
bool prefers_outer(const Program& program, const Launch& launch, std::int64_t kept,
                   std::int64_t reduced) {
  if (reduced < few_reduced) return true;
  if (kept < wide_kept || launch.shape[launch.kept - 1] < wide_kept) return false;
  std::int64_t along_kept = 0, along_reduced = 0;
  for (std::size_t i = 0; i < program.map.inputs.size(); ++i) {
    if (program.map.inputs[i].kind != Input::Kind::memory) continue;
    along_kept += std::abs(launch.inputs[i].strides[launch.kept - 1]);
    along_reduced += std::abs(launch.inputs[i].strides.back());
  }
  return along_kept < along_reduced;
}

}  // namespace

Form chunked_form(const Program& program, const Launch& launch) {
  const std::span<const std::int64_t> shape(launch.shape);
  const std::int64_t kept = product_of(shape.first(launch.kept));
  const std::int64_t reduced = product_of(shape.subspan(launch.kept));
  Form form;
  form.loop = prefers_outer(program, launch, kept, reduced) ? Loop::outer : Loop::inner;
  form.is_chunked = reduced > reduction_chunk;
  const bool is_taken_apart = launch.kept > 1 || static_cast<int>(shape.size()) - launch.kept > 1;
  form.is_small = is_taken_apart && std::max(kept, reduced) < INT32_MAX;
  return form;
}

std::int64_t chunks(const Planner& planner) {
  return planner.form.is_chunked ? divided_up(planner.reduced, reduction_chunk) : 1;
}

/// Of what a chunk is folded to.
static std::size_t bytes_of_value(const Planner& planner) {
  const ReductionInfo& row = info(planner.program.reduction);
  const TypeId type = held_type(planner.program.accumulator);
  if (is_struct(type))
    return static_cast<std::size_t>(planner.program.structs[struct_place(type)].dtype.bytes());
  if (!planner.program.beside.empty())  // no field is longer than 16 bytes, nor are gaps
    return (1 + planner.program.beside.size()) * 16;
  return !planner.program.combine && row.has_state() ? row.most_state_bytes() : info(type).bits / 8;
}

void plan_chunks(Planner& planner) {
  using Of = Pointer::Of;
  Pass& pass =
      planner.form.is_chunked
          ? planner.add_pass("isthmus_fold", {Of::input, Of::scratch})
          : planner.add_pass("isthmus_reduce", {Of::input, Of::epilogue_input, Of::output});
  if (planner.form.loop == Loop::outer) {
    Planner::set(
        pass, 0, planner.kept,
        Planner::group_side(planner.kept, std::min<std::int64_t>(planner.group_items(), 256)));
    Planner::set(pass, 1, chunks(planner), 1);
  } else if (!planner.traits.has_teams()) {
    const std::int64_t units = planner.kept * chunks(planner);
    const std::int64_t length = std::clamp<std::int64_t>(planner.reduced, 1, reduction_chunk);
    const std::int64_t each =
        std::clamp<std::int64_t>(units / enough_items, 1, item_elements / length);
    Planner::set(pass, 0, divided_up(units, each), 1);
  } else {
    Planner::set(pass, 0, reduction_lanes, reduction_lanes);
    Planner::set(pass, 1, planner.kept * chunks(planner), team_count);
  }
  if (planner.form.is_chunked)
    planner.result.scratch_bytes =
        static_cast<std::size_t>(chunks(planner) * planner.kept) * bytes_of_value(planner);
}

}  // namespace isthmus::emitting
