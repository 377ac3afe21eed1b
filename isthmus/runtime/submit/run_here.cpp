// run_here.cpp: whether the host may work on memory now, and the work.
#include "isthmus/runtime/submit/run_here.h"

#include <algorithm>
#include <mutex>
#include <vector>

#include "isthmus/hazards/hazards.h"
#include "isthmus/host/host_executor.h"
#include "isthmus/runtime/observe/counting.h"
#include "isthmus/runtime/observe/records.h"
#include "isthmus/runtime/settings.h"

namespace isthmus::inline ISTHMUS_ABI {

namespace {

/// Elements in a loop up to which it is run by the host, unless the user says so. On CPUs, whose
/// drivers' kernels are not faster than the host's loops, the second one bounds how long a call
/// that need not wait takes.
constexpr std::int64_t inline_limit = 16384, limit_at_rest = 2097152;

bool is_reached_by(const BackendQueue& queue, const BackendMemory& memory) {
  const Ref<BackendContext>& context = memory.context;
  return memory.host && memory.device == queue.context->device &&
         (!context || context == queue.context || context->space == queue.context->space);
}

/// Sets the address of its first element.
void place(Argument& argument, TypeId type) {
  argument.address =
      static_cast<char*>(argument.memory->host) + argument.offset * (info(type).bits / 8);
  argument.offset = 0;
}

/// Copies of what several outputs would write before all of it is read.
class Copies {
 public:
  void add(Argument& input, std::size_t bytes) {
    const auto* const from = static_cast<const char*>(input.address);
    input.address = kept_.emplace_back(from, from + bytes).data();
  }

 private:
  std::vector<std::vector<char>> kept_;
};

}  // namespace

bool is_inline(std::int64_t elements) {
  const Inline wanted = inline_policy();
  return wanted == Inline::always || (wanted == Inline::automatic && elements <= inline_limit);
}

bool is_inline_always() { return inline_policy() == Inline::always; }

bool is_inline_at_rest(std::int64_t elements) {
  return inline_policy() == Inline::automatic && elements <= limit_at_rest;
}

bool host_works_for(const Device& device) {
  if (device.is_host()) return true;
  const Inline wanted = inline_policy();
  return wanted == Inline::always ||
         (wanted == Inline::automatic && device.info().has_unified_memory);
}

void note_host_work(std::string_view operation, const Dims& loop, const Device& device,
                    std::int64_t begin) {
  using Where = KernelRecord::Where;
  const bool is_inlined = !device.is_host();
  if (begin) {
    KernelRecord record;
    record.operations.push_back(operation);
    record.shape = loop;
    record.device = device;
    record.where = is_inlined ? Where::inlined : Where::host;
    record.host = {begin, now_in_nanoseconds()};
    note_alone(std::move(record));
  }
  const std::lock_guard lock(graph_lock());
  count_kernel(1, is_inlined);
}

bool run_here(const Program& program, BackendQueue& queue, std::int64_t count,
              std::span<Argument> inputs, std::span<Argument> outputs) {
  const std::int64_t begin = profiled_now();
  const Device& device = queue.context->device;
  const auto is_fit = [&](const Argument& argument) {
    return !argument.memory || is_reached_by(queue, *argument.memory);
  };
  if (!std::ranges::all_of(inputs, is_fit) || !std::ranges::all_of(outputs, is_fit)) return false;
  // another thread is submitting work to the queue that is not noted yet
  const std::unique_lock order(queue.order, std::try_to_lock);
  if (!order.owns_lock()) return false;
  {
    const std::lock_guard lock(graph_lock());
    for (const Argument& input : inputs)
      if (input.memory && !is_free(*input.memory)) return false;
    for (const Argument& output : outputs) {
      BackendMemory& memory = *output.memory;
      if (memory.is_read_only || memory.activity().readers || !is_free(memory)) return false;
    }
    count_kernel(static_cast<std::int64_t>(program.map.steps.size()), !device.is_host());
  }
  for (std::size_t k = 0; k < inputs.size(); ++k)
    if (inputs[k].memory) place(inputs[k], program.map.inputs[k].type);
  Copies copies;
  for (std::size_t k = 0; k < outputs.size(); ++k) {
    const TypeId type = program.map.type_of(program.map.outputs[k]);
    place(outputs[k], type);
    outputs[k].memory->has_any_bytes = true;
    if (outputs.size() == 1) continue;
    for (Argument& input : inputs)
      if (input.address == outputs[k].address)
        copies.add(input, static_cast<std::size_t>(count * (info(type).bits / 8)));
  }
  host::run(program, {Dims{count}, 1, inputs, {}, outputs});
  if (begin)
    note_alone({0,
                names_of(program),
                Dims{count},
                device,
                device.is_host() ? KernelRecord::Where::host : KernelRecord::Where::inlined,
                {begin, now_in_nanoseconds()},
                nullptr});
  return true;
}

}  // namespace isthmus::inline ISTHMUS_ABI
