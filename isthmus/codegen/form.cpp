// form.cpp: what of a launch is compiled into a kernel.
#include "isthmus/codegen/form.h"

#include <bit>

#include "isthmus/codegen/emit/shape.h"

namespace isthmus::inline ISTHMUS_ABI {

namespace {

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

}  // namespace

Form form_of(const Program& program, const Launch& launch) {
  Form form = emitting::shape_of(program).form(program, launch);
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
