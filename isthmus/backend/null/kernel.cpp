// kernel.cpp: programs to bytes and back, and their launch through the host executor.
#include "isthmus/backend/null/kernel.h"

#include <cstring>

#include "isthmus/backend/null/blocks.h"
#include "isthmus/host/host_executor.h"

namespace isthmus::null {

using detail::format;

namespace {

constexpr std::string_view magic = "null program 2\n";

struct Writer {
  std::string text;

  template <class T>
  void item(const T& value) {
    text.append(reinterpret_cast<const char*>(&value), sizeof value);
  }
  template <class List, class F>
  void list(const List& items, F each) {
    item(static_cast<std::uint32_t>(items.size()));
    for (const auto& one : items) each(one);
  }
};

struct Reader {
  std::string_view text;
  bool is_good = true;

  template <class T>
  void item(T& value) {
    if (text.size() < sizeof value) {
      is_good = false;
      return;
    }
    std::memcpy(&value, text.data(), sizeof value);
    text.remove_prefix(sizeof value);
  }
  template <class List, class F>
  void list(List& items, F each) {
    std::uint32_t count = 0;
    item(count);
    for (std::uint32_t i = 0; i < count && is_good; ++i) {
      typename List::value_type one{};
      each(one);
      items.push_back(one);
    }
  }
};

/// Both directions: `Archive` writes what it is given, or fills it.
template <class Archive, class SomeTape>
void transfer(Archive& archive, SomeTape& tape) {
  archive.list(tape.inputs, [&](auto& input) {
    archive.item(input.kind), archive.item(input.type), archive.item(input.axis);
  });
  archive.list(tape.steps, [&](auto& step) {
    archive.item(step.op), archive.item(step.type), archive.item(step.result);
    for (auto& operand : step.operands) archive.item(operand);
  });
  archive.list(tape.outputs, [&](auto& output) { archive.item(output); });
}

bool is_fp64(TypeId type) { return type == TypeId::float64 || type == TypeId::complex128; }

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
  Ref<NullKernel> kernel;
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
    const auto out =
        locate_all(outputs, kernel->program.gives_all_axes() ? shape.size() : kept_axes);
    host::run(kernel->program, {shape, kept, in, epilogue, out});
  }
};

}  // namespace

std::string NullKernel::binary() const {
  Writer writer{std::string(magic)};
  writer.item(program.reduction), writer.item(program.accumulator),
      writer.item(program.record_bytes);
  writer.item(program.store), writer.item(program.shape), writer.item(program.sorting);
  transfer(writer, program.map);
  transfer(writer, program.epilogue);
  return std::move(writer.text);
}

std::optional<Program> read_program(std::string_view binary) {
  if (!binary.starts_with(magic)) return std::nullopt;
  Reader reader{binary.substr(magic.size())};
  Program program;
  reader.item(program.reduction), reader.item(program.accumulator),
      reader.item(program.record_bytes);
  reader.item(program.store), reader.item(program.shape), reader.item(program.sorting);
  transfer(reader, program.map);
  transfer(reader, program.epilogue);
  if (!reader.is_good || !reader.text.empty()) return std::nullopt;
  return program;
}

bool needs_fp64(const Program& program) {
  for (const Tape* tape : {&program.map, &program.epilogue})
    for (const Step& step : tape->steps)
      if (is_fp64(step.type) || is_fp64(step.result)) return true;
  return program.has_kept_axes() && is_fp64(program.accumulator);
}

std::function<void()> make_run(Ref<NullKernel> kernel, const Launch& launch, int device) {
  auto call = std::make_shared<Call>();
  const Program& program = kernel->program;
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
    add_inputs(
        call->epilogue_inputs, launch.epilogue_inputs,
        std::span(program.epilogue.inputs.begin(), program.epilogue.inputs.end()).subspan(1));
  for (std::size_t i = 0; i < launch.outputs.size(); ++i)
    add(call->outputs, launch.outputs[i], bytes_of(last.type_of(last.outputs[i])));
  call->kernel = std::move(kernel);
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
