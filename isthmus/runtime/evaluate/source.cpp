// source.cpp: plans and lowers as an evaluation does, and prints instead of launching.
#include "isthmus/runtime/evaluate/source.h"

#include <algorithm>
#include <bit>
#include <mutex>

#include "isthmus/codegen/emit.h"
#include "isthmus/codegen/form.h"
#include "isthmus/codegen/lower.h"
#include "isthmus/runtime/devices/registry.h"
#include "isthmus/runtime/evaluate/running.h"
#include "isthmus/runtime/submit/queues.h"

namespace isthmus::inline ISTHMUS_ABI {

using detail::format;

namespace {

constexpr Traits opencl;

/// What pending kernels are made of, with the locks given back.
std::vector<Lowered> lowered(std::span<const Ref<Storage>> storages) {
  std::vector<Lowered> kernels;
  std::vector<Ref<Storage>> held;
  std::unique_lock lock(graph_lock());
  for (;;) {
    std::vector<Storage*> roots;
    for (const Ref<Storage>& storage : storages) wait_while_running(storage, lock);
    for (const Ref<Storage>& storage : storages)
      if (storage->state() == Storage::State::pending &&
          std::ranges::find(roots, storage.get()) == roots.end())
        roots.push_back(storage.get());
    if (roots.empty()) return kernels;
    const Plan plan = make_plan(roots, held);
    if (plan.running.empty()) {
      kernels.reserve(plan.groups.size());
      for (const Group& group : plan.groups) lower(group, kernels.emplace_back());
      return kernels;
    }
    const auto busy = Ref<Storage>::share(plan.running[0]);
    wait_while_running(busy, lock);
  }
}

SmallVector<Argument, 8> arguments_of(const Sources& sources, std::size_t axes) {
  SmallVector<Argument, 8> arguments;
  for (const Source& source : sources) place(arguments.emplace_back(), source, axes);
  return arguments;
}

std::int64_t alignment_of_records(const Lowered& kernel) {
  const Ref<Storage>& read = kernel.inputs[0].storage;
  const std::uintptr_t address = read->is_ready() ? read->memory()->handle : 0;
  return address ? std::int64_t{1} << std::countr_zero(address) : 16;
}

std::string text_of(Lowered& kernel) {
  const Device device = kernel.outputs[0].storage->device;
  const Traits& traits = backend(device).traits(device.index());
  const Dims shape = kernel.shape;
  const Names names = names_of(kernel.program);
  // where no text is compiled, what an OpenCL device would be given
  const Traits& printed = traits.dialect == Dialect::tape ? opencl : traits;
  if (kernel.program.calls_users() && printed.dialect != Dialect::opencl_c) expand_calls(kernel);
  auto inputs = arguments_of(kernel.inputs, kernel.shape.size());
  auto epilogue_inputs =
      arguments_of(kernel.epilogue_inputs, static_cast<std::size_t>(kernel.kept));
  auto outputs = arguments_of(kernel.outputs, kernel.shape.size());
  const auto shorten = [&] {
    simplify(kernel.program, kernel.shape, kernel.kept, {inputs.begin(), inputs.end()},
             {epilogue_inputs.begin(), epilogue_inputs.end()}, {outputs.begin(), outputs.end()});
  };
  shorten();
  if (kernel.program.record_bytes) {
    split_records(kernel.program, kernel.shape, kernel.kept, inputs[0], outputs[0],
                  alignment_of_records(kernel));
    shorten();
  }
  kernel.program.form = form_of(kernel.program, {kernel.shape,
                                                 kernel.kept,
                                                 {inputs.begin(), inputs.end()},
                                                 {epilogue_inputs.begin(), epilogue_inputs.end()},
                                                 {outputs.begin(), outputs.end()}});
  return format("// {} of shape {} on {}\n{}", list_of(names), shape, device,
                emit(kernel.program, printed));
}

}  // namespace

std::string source_of(std::span<const Ref<Storage>> storages) {
  std::string all;
  for (Lowered& kernel : lowered(storages)) {
    if (kernel.is_concat) continue;
    if (!all.empty()) all += '\n';
    all += text_of(kernel);
  }
  for (const Ref<Storage>& storage : storages) storage->raise_if_failed();
  return all;
}

}  // namespace isthmus::inline ISTHMUS_ABI
