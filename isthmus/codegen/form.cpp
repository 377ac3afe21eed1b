// form.cpp: what of a launch is compiled into a kernel.
#include "isthmus/codegen/form.h"

#include <bit>
#include <cstdlib>

namespace isthmus::inline ISTHMUS_ABI {

namespace {

/// Elements of a last axis from which work-items walk it alone.
constexpr std::int64_t long_axis = 16;
/// Results that are worth a work-item each, and reduced elements that are worth a group of them.
constexpr std::int64_t wide_kept = 16, few_reduced = 64;

Access access_of(const Argument& argument, int axis) {
  if (axis < 0) return Access::zero;
  const std::int64_t stride = argument.strides[axis];
  return stride == 1 ? Access::unit : stride == 0 ? Access::zero : Access::strided;
}

void add_inputs(Form& form, const Tape& tape, std::span<const Argument> arguments, int axis) {
  std::size_t next = 0;
  for (const Input& input : tape.inputs) {
    if (input.kind == Input::Kind::result) continue;
    if (input.kind == Input::Kind::memory || input.kind == Input::Kind::number)
      form.operands.push_back(access_of(arguments[next], axis));
    if (input.kind == Input::Kind::base) form.operands.push_back(Access::zero);
    ++next;
  }
}

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

/// One axis at most is sorted; nothing is taken apart but the kept ones.
Form sort_form(const Launch& launch) {
  Form form;
  form.loop = Loop::inner;
  form.is_small = launch.kept > 1 && product_of(launch.shape) < INT32_MAX;
  return form;
}

Form reduction_form(const Program& program, const Launch& launch) {
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

Form map_form(const Launch& launch) {
  Form form;
  const std::int64_t rank = static_cast<std::int64_t>(launch.shape.size());
  form.loop = rank > 1 && launch.shape.back() >= long_axis ? Loop::rows : Loop::flat;
  const bool is_taken_apart = form.loop == Loop::flat ? rank > 1 : rank > 3;
  form.is_small = is_taken_apart && product_of(launch.shape) < INT32_MAX;
  return form;
}

}  // namespace

Form form_of(const Program& program, const Launch& launch) {
  Form form = program.shape == WorkShape::sort ? sort_form(launch)
              : program.has_kept_axes()        ? reduction_form(program, launch)
                                               : map_form(launch);
  form.rank = static_cast<std::uint8_t>(launch.shape.size());
  form.kept = static_cast<std::uint8_t>(program.has_kept_axes() ? launch.kept : form.rank);
  const int fast = (form.loop == Loop::outer ? form.kept : form.rank) - 1;
  add_inputs(form, program.map, launch.inputs, fast);
  add_inputs(form, program.epilogue, launch.epilogue_inputs, form.kept - 1);
  for (const Argument& output : launch.outputs)
    form.operands.push_back(access_of(output, program.gives_all_axes() ? fast : form.kept - 1));
  return form;
}

void split_records(Program& program, Dims& shape, int& kept, Argument& input, Argument& output,
                   std::int64_t alignment) {
  constexpr TypeId types[] = {TypeId::uint8, TypeId::uint16, TypeId::uint32, TypeId::uint64};
  const int log2_bytes =
      std::min(3, std::countr_zero(static_cast<std::uint64_t>(program.record_bytes | alignment)));
  const std::int64_t words = program.record_bytes >> log2_bytes;
  program.map.inputs[0].type = types[log2_bytes];
  program.record_bytes = 0;
  for (Argument* argument : {&input, &output}) {
    argument->offset *= words;
    for (std::int64_t& stride : argument->strides) stride *= words;
    argument->strides.push_back(1);
  }
  shape.push_back(words);
  kept = static_cast<int>(shape.size());
}

}  // namespace isthmus::inline ISTHMUS_ABI
