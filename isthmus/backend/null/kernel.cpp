// kernel.cpp: launches of programs through the host executor.
#include "isthmus/backend/null/kernel.h"

#include "isthmus/backend/null/blocks.h"
#include "isthmus/host/host_executor.h"

namespace isthmus::null {

using detail::format;

namespace {

/// What one operand of a launch is, without the launch.
struct Place {
  Argument argument;
  std::int64_t bytes = 0;  ///< Of one element; 0: nothing in memory.
};

/// An operand as the host executor wants it, found where it is now.
Argument locate(const Place& place, std::span<const std::int64_t> shape, int device) {
  Argument argument = place.argument;
  if (!place.bytes) return argument;
  const Layout layout{Dims(shape), argument.strides, argument.offset};
  const Extent extent = extent_of(layout);
  auto* base = static_cast<char*>(argument.address);
  if (device == discrete && extent.begin != extent.end) {
    const auto begin = reinterpret_cast<std::uintptr_t>(base) +
                       static_cast<std::uintptr_t>(extent.begin * place.bytes);
    char* found =
        translate(begin, static_cast<std::size_t>((extent.end - extent.begin) * place.bytes));
    base = found - extent.begin * place.bytes;
  }
  argument.address = base + argument.offset * place.bytes;
  argument.offset = 0;
  return argument;
}

/// A launch that owns what it points to.
struct Call {
  Program program;
  int device;
  Dims shape;
  int kept;
  std::vector<Place> inputs, epilogue_inputs, outputs;

  void run() const {
    const auto locate_all = [&](const std::vector<Place>& places, std::size_t axes) {
      std::vector<Argument> found;
      for (const Place& place : places)
        found.push_back(locate(place, std::span(shape).first(axes), device));
      return found;
    };
    const auto kept_axes = static_cast<std::size_t>(kept);
    const auto in = locate_all(inputs, shape.size());
    const auto epilogue = locate_all(epilogue_inputs, kept_axes);
    const auto out = locate_all(outputs, program.gives_all_axes() ? shape.size() : kept_axes);
    host::run(program, {shape, kept, in, epilogue, out});
  }
};

}  // namespace

std::function<void()> make_run(const Program& program, const Launch& launch, int device) {
  auto call = std::make_shared<Call>();
  const auto bytes_of = [&](TypeId type) {
    return program.record_bytes ? program.record_bytes : DType(type).bytes();
  };
  const auto add = [](std::vector<Place>& places, const Argument& argument, std::int64_t bytes) {
    places.push_back({argument, bytes});
  };
  const auto add_inputs = [&](std::vector<Place>& places, std::span<const Argument> arguments,
                              std::span<const Input> inputs) {
    for (std::size_t i = 0; i < arguments.size(); ++i) {
      const bool is_memory =
          inputs[i].kind == Input::Kind::memory || inputs[i].kind == Input::Kind::base;
      add(places, arguments[i], is_memory ? bytes_of(inputs[i].type) : 0);
    }
  };
  const Tape& last = program.last_tape();
  add_inputs(call->inputs, launch.inputs, {program.map.inputs.begin(), program.map.inputs.end()});
  if (program.has_kept_axes())
    add_inputs(call->epilogue_inputs, launch.epilogue_inputs,
               std::span(program.epilogue.inputs.begin(), program.epilogue.inputs.end())
                   .subspan(1 + program.beside.size()));
  for (std::size_t i = 0; i < launch.outputs.size(); ++i)
    add(call->outputs, launch.outputs[i], bytes_of(last.type_of(last.outputs[i])));
  call->program = program;
  call->device = device, call->shape = launch.shape, call->kept = launch.kept;
  return [call] { call->run(); };
}

std::string describe(const Program& program, const Launch& launch) {
  std::string text =
      format("{} {}", program.has_kept_axes() ? program.name() : "map", launch.shape);
  const auto add = [&](const Tape& tape) {
    for (const Step& step : tape.steps) {
      const std::string_view name = info(step.op).name;
      text += format(" {}:{}", name, DType(step.result));
    }
  };
  add(program.map);
  if (program.has_kept_axes()) text += format(" {}", program.name());
  add(program.epilogue);
  return text;
}

}  // namespace isthmus::null
