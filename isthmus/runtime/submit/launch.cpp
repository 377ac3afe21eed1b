// launch.cpp: arguments, waits and hazards of one kernel.
#include "isthmus/runtime/submit/launch.h"

#include <algorithm>
#include <bit>

#include "isthmus/codegen/form.h"
#include "isthmus/hazards/hazards.h"
#include "isthmus/host/host_executor.h"
#include "isthmus/runtime/devices/registry.h"
#include "isthmus/runtime/kernels/compiling.h"
#include "isthmus/runtime/kernels/kernel_cache.h"
#include "isthmus/runtime/memory/memory_pool.h"
#include "isthmus/runtime/observe/counting.h"
#include "isthmus/runtime/observe/records.h"
#include "isthmus/runtime/submit/bound_passes.h"
#include "isthmus/runtime/submit/launch_check.h"
#include "isthmus/runtime/submit/queues.h"
#include "isthmus/runtime/submit/run_here.h"
#include "isthmus/runtime/submit/submission.h"
#include "isthmus/threads/interrupts.h"

namespace isthmus::inline ISTHMUS_ABI {

using detail::format;

namespace {

class Run {
 public:
  Run(Lowered& kernel, const View* target) : kernel(kernel), target(target) {}

  Memories go() {
    if (!target && kernel.program.shape == KernelShape::store) forget_store();
    const std::size_t in = kernel.inputs.size(), epilogue = kernel.epilogue_inputs.size();
    arguments.resize(in + epilogue + kernel.outputs.size());
    divide(in, epilogue);
    add_inputs(kernel.inputs, 0, kernel.shape.size());
    add_inputs(kernel.epilogue_inputs, in, static_cast<std::size_t>(kernel.kept));
    for (const Relied& relied : kernel.checks) reads.push_back(relied.storage->memory().get());
    if (!device.is_host()) choose_queue();
    const auto kept = static_cast<std::size_t>(kernel.kept);
    const std::span<std::int64_t> extents(kernel.shape.begin(), kernel.shape.end());
    const std::int64_t results_count = product_of(extents.first(kept));
    const std::int64_t elements = product_at_most(results_count, product_of(extents.subspan(kept)));
    has_steps = kernel.program.calls_users() && knows_calls(kernel.program, traits.has_fp64);
    is_launched = !may_be_inline(elements);
    add_outputs(in + epilogue);
    if (results_count == 0 || (kernel.program.gives_all_axes() && elements == 0))
      return std::move(results);
    steps = static_cast<std::int64_t>(kernel.program.map.steps.size() +
                                      kernel.program.epilogue.steps.size());
    operations = product_at_most(elements, 1 + steps);
    const Dims shape = kernel.shape;
    const std::int64_t begin = is_profiled() ? now_in_nanoseconds() : 0;
    simplify(kernel.program, kernel.shape, kernel.kept, inputs, epilogue_inputs, outputs);
    const bool here = !is_launched && is_host(writes);
    if (has_steps && (here || traits.dialect != Dialect::opencl_c)) expand();
    Ref<Event> event;
    if (here)
      run_inline();
    else
      event = run_on_queue();
    if (begin) {
      using Where = KernelRecord::Where;
      const Where where = !here                  ? Where::launched
                          : backend.interprets() ? Where::host
                                                 : Where::inlined;
      note_kernel(
          {0, names_of(kernel), shape, device, where, {begin, now_in_nanoseconds()}, event});
    }
    if (!event) {  // else it was counted under the lock that notes it
      std::lock_guard lock(graph_lock());
      count_kernel(steps, here && !backend.interprets());
    }
    return std::move(results);
  }

 private:
  /// Says which arguments are which.
  void divide(std::size_t in, std::size_t epilogue) {
    inputs = std::span(arguments).subspan(0, in);
    epilogue_inputs = std::span(arguments).subspan(in, epilogue);
    outputs = std::span(arguments).subspan(in + epilogue);
  }

  /// Another thread evaluates what waits to be written: it gets the values in memory of their own,
  /// and the writer, who finds them ready, starts again.
  void forget_store() {
    kernel.program.shape = KernelShape::map;
    kernel.program.map.outputs.pop_back();
  }

  bool is_host(const SmallVector<BackendMemory*, 8>& memories) const {
    for (const BackendMemory* memory : memories)
      if (!memory->is_host_accessible()) return false;
    return true;
  }

  void add_inputs(const Sources& sources, std::size_t at, std::size_t axes) {
    for (std::size_t i = 0; i < sources.size(); ++i) {
      place(arguments[at + i], sources[i], axes);
      if (sources[i].storage) reads.push_back(sources[i].storage->memory().get());
    }
  }

  /// What is read says where to work; what reads nothing was to be made in a context.
  bool reads_of_context() const {
    return std::ranges::any_of(reads,
                               [](const BackendMemory* memory) { return bool(memory->context); });
  }

  void choose_queue() {
    queue = queue_reaching(
        reads_of_context() ? current_backend_queue(device) : queue_in(kernel.context, device),
        {reads.data(), reads.size()});
    BackendMemory* const written = target ? target->memory.get() : nullptr;
    if (written) queue = queue_reaching(std::move(queue), {&written, 1});
  }

  /// Memory of an input that nobody but this kernel holds, that it reads at the places it writes,
  /// and that is ours alone; null if there is none. It saves the traffic of a second block.
  Ref<BackendMemory> dying_input(const Source& output) const {
    if (kernel.program.has_kept_axes() || kernel.outputs.size() > 1 || kernel.is_part())
      return nullptr;
    for (const Source& input : kernel.inputs) {
      // held by the node's operand and by this source, and the memory by the storage
      if (!input.storage || input.is_base || input.storage->references() != 2) continue;
      const Ref<BackendMemory>& memory = input.storage->memory();
      const bool is_ours = memory->references() == 1 && memory->device == device &&
                           !memory->is_tracked && !memory->is_shared() && !memory->is_read_only;
      // a large block is not kept for what is left of a small view of it
      const bool fits = static_cast<std::int64_t>(memory->bytes) <=
                        2 * output.layout.count() * output.storage->dtype.bytes() + 64;
      if (is_ours && fits && input.storage->dtype.bytes() == output.storage->dtype.bytes() &&
          input.layout == output.layout)
        return memory;
    }
    return nullptr;
  }

  Ref<BackendMemory> new_memory(std::size_t bytes) const {
    return queue ? allocate(*queue, bytes, is_launched) : allocate(device, bytes);
  }

  void add_outputs(std::size_t at) {
    for (std::size_t i = 0; i < kernel.outputs.size(); ++i) {
      const Source& source = kernel.outputs[i];
      Argument& argument = arguments[at + i];
      const bool is_last = i + 1 == kernel.outputs.size(), is_target = target && is_last;
      const Layout& layout = is_target ? target->layout : source.layout;
      Ref<BackendMemory> memory = is_target ? target->memory : dying_input(source);
      reuses_input = reuses_input || (memory && !is_target);
      if (!memory)
        memory = new_memory(static_cast<std::size_t>(
            is_last && kernel.is_part() ? kernel.whole_bytes
                                        : layout.count() * source.storage->dtype.bytes()));
      results.push_back(std::move(memory));
      writes.push_back(results.back().get());
      argument.offset = layout.offset;
      argument.strides = layout.strides;
      if (kernel.program.shape != KernelShape::store) continue;
      argument.strides = Dims(kernel.shape.size(), 0);
      argument.scalar.dtype = TypeId::int64;
      argument.scalar.integer = layout.count();
    }
  }

  /// Addresses of element (0, ..., 0), as the host sees them.
  void resolve_host() {
    std::size_t read = 0;
    const auto place = [&](Argument& argument, void* base, std::int64_t bytes) {
      argument.address = static_cast<char*>(base) + argument.offset * bytes;
      argument.offset = 0;
    };
    const auto place_all = [&](std::span<Argument> part, const Sources& sources) {
      for (std::size_t i = 0; i < sources.size(); ++i)
        if (sources[i].storage)
          place(part[i], reads[read++]->host, sources[i].storage->dtype.bytes());
    };
    place_all(inputs, kernel.inputs);
    place_all(epilogue_inputs, kernel.epilogue_inputs);
    for (std::size_t i = 0; i < outputs.size(); ++i)
      place(outputs[i], writes[i]->host, kernel.outputs[i].storage->dtype.bytes());
  }

  void resolve_device() {
    std::size_t read = 0;
    const auto place = [&](Argument& argument, BackendMemory& memory) {
      argument.address = reinterpret_cast<void*>(memory.handle);
      argument.memory = &memory;
    };
    const auto place_all = [&](std::span<Argument> part, const Sources& sources) {
      for (std::size_t i = 0; i < sources.size(); ++i)
        if (sources[i].storage) place(part[i], *reads[read++]);
    };
    place_all(inputs, kernel.inputs);
    place_all(epilogue_inputs, kernel.epilogue_inputs);
    for (std::size_t i = 0; i < outputs.size(); ++i) place(outputs[i], *writes[i]);
  }

  /// Makes users' functions steps, whose numbers are further inputs.
  void expand() {
    const std::size_t in = inputs.size(), epilogue = epilogue_inputs.size();
    expand_calls(kernel);
    const std::size_t more = kernel.inputs.size() - in;
    const std::size_t behind = kernel.epilogue_inputs.size() - epilogue;
    if (more + behind == 0) return;
    SmallVector<Argument, 8> grown;
    grown.reserve(arguments.size() + more + behind);
    const auto add = [&](std::span<Argument> known, std::span<const Source> added) {
      for (Argument& argument : known) grown.push_back(std::move(argument));
      for (const Source& number : added) grown.emplace_back().scalar = number.scalar;
    };
    add(inputs, std::span<const Source>(kernel.inputs).subspan(in));
    add(epilogue_inputs, std::span<const Source>(kernel.epilogue_inputs).subspan(epilogue));
    add(outputs, {});
    arguments = std::move(grown);
    divide(in + more, epilogue + behind);
  }

  Launch make_launch() const {
    return {kernel.shape, kernel.kept, inputs, epilogue_inputs, outputs};
  }

  void run_inline() {
    Submission(nullptr, reads, writes, overwritten()).wait();
    ask_checks();
    resolve_host();
    // what is there already would be left half written; a part is written again
    const Interruptible meanwhile((!target || kernel.is_part()) && !reuses_input);
    host::run(kernel.program, make_launch());
  }

  /// Where it writes, if that is one memory; else all.
  Addresses written() const {
    if (writes.size() != 1) return {};
    const BackendMemory& memory = *writes[0];
    return target ? addresses_of(*target) : Addresses{memory.handle, memory.handle + memory.bytes};
  }

  static Addresses addresses_of(const View& view) {
    const Extent extent = extent_of(view.layout);
    const auto address = [&](std::int64_t element) {
      return view.memory->handle + static_cast<std::uintptr_t>(element * view.dtype.bytes());
    };
    return {address(extent.begin), address(extent.end)};
  }

  /// Where nothing stays of what was there.
  std::optional<Addresses> overwritten() const {
    if (!target || kernel.program.shape == KernelShape::store || kernel.is_part()) return {};
    const Extent extent = extent_of(target->layout);
    const bool has_gaps = extent.end - extent.begin != target->layout.count();
    if (has_gaps || may_overlap_itself(target->layout)) return {};
    return addresses_of(*target);
  }

  /// Of checks whose work has ended.
  void ask_checks() {
    for (const Relied& relied : kernel.checks) {
      if (!relied.check->memory())
        relied.check->look_at(relied.storage->memory(), relied.storage->layout.offset);
      if (relied.check->has_failed()) relied.check->raise();
    }
  }

  /// What is known already is not put off until somebody waits.
  void place_checks() {
    relying.is_store = kernel.program.shape == KernelShape::store;
    relying.written = written();
    if (relying.is_store) add_stops({reads.begin(), reads.end()}, relying.checks);
    for (const Relied& relied : kernel.checks) {
      const Ref<BackendMemory>& memory = relied.storage->memory();
      findings.push_back(
          place_finding(*relied.check, memory, relied.storage->layout.offset, queue));
      reads.push_back(findings.back().get());
      if (!writes_have_ended(*findings.back()))
        relying.checks.push_back(relied.check);
      else if (relied.check->has_failed())
        relied.check->raise();
    }
  }

  Ref<Event> run_on_queue() try {
    resolve_device();
    place_checks();
    if (backend.interprets()) return run_program(nullptr);
    set_form();
    const Ref<ProgramKernel> compiled =
        find_kernel(backend, *queue->context, device.index(), kernel.program);
    if (traits.dialect == Dialect::tape) return run_program(compiled->code.get());
    const Launch launch = make_launch();
    const BoundPasses passes(compiled->plans.find(kernel.program, launch, traits), launch, queue,
                             reads, writes);
    return submit([&](const Events& waits) {
      return backend.enqueue(*queue, *compiled->code, passes.calls(), waits);
    });
  } catch (const Error&) {
    linger_at_the_end();
    throw;
  }

  Ref<Event> run_program(Kernel* compiled) {
    return submit([&](const Events& waits) {
      return backend.launch(*queue, compiled, kernel.program, make_launch(), waits);
    });
  }

  template <class Enqueue>
  Ref<Event> submit(Enqueue enqueue) {
    return Submission(queue, reads, writes, overwritten())
        .run(
            enqueue, describe(kernel), operations, [&] { count_kernel(steps, false); },
            std::move(relying));
  }

  /// Makes the program what a compiler is given.
  void set_form() {
    if (kernel.program.record_bytes) {
      const std::uintptr_t addresses = reads[0]->handle | writes[0]->handle;
      const std::int64_t alignment =
          addresses ? std::int64_t{1} << std::countr_zero(addresses) : std::int64_t{16};
      split_records(kernel.program, kernel.shape, kernel.kept, inputs[0], outputs[0], alignment);
      simplify(kernel.program, kernel.shape, kernel.kept, inputs, epilogue_inputs, outputs);
    }
    kernel.program.form = form_of(kernel.program, make_launch());
  }

  /// If what is written turns out to be in the host's reach.
  bool may_be_inline(std::int64_t elements) const {
    if (backend.interprets()) return true;
    if (kernel.program.calls_users() && !has_steps) return false;
    if (!is_host(reads)) return false;
    // whether it is at rest depends on time, which the bits must not
    const bool has_one_result = is_exact(kernel.program);
    if (is_inline(elements)) {
      // where C leaves the value of a user's code open, compilers may take another one
      const bool is_launched_else = has_one_result && !has_steps;
      return is_inline_always() || (is_launched_else ? is_at_rest() : !reads_shown_buffers());
    }
    return traits.is_cpu && is_inline_at_rest(elements) && has_one_result && is_at_rest();
  }

  /// Whether others can put work on what is read, behind which a call must not wait. Who holds a
  /// buffer reaches it by queues alone.
  bool reads_shown_buffers() const {
    const std::lock_guard lock(graph_lock());
    return std::ranges::any_of(reads, [](BackendMemory* memory) {
      const Activity& activity = memory->activity();
      return memory->kind == MemoryKind::buffer &&
             (activity.is_foreign || activity.exports || !activity.borrowers.empty());
    });
  }

  /// Whether the host has to wait for nothing.
  bool is_at_rest() const {
    const std::lock_guard lock(graph_lock());
    return std::ranges::all_of(reads, [](BackendMemory* memory) { return is_free(*memory); }) &&
           (!target || is_free(*target->memory));
  }

  Lowered& kernel;
  const View* target;
  Device device = kernel.outputs[0].storage->device;
  Backend& backend = isthmus::backend(device);
  const Traits& traits = backend.traits(device.index());
  /// Null for the host, which needs none.
  Ref<BackendQueue> queue;
  bool is_launched = false;   ///< Surely; else it is run here where memory allows.
  bool has_steps = false;     ///< In which users' functions, that it calls, are known.
  bool reuses_input = false;  ///< A result is written over an input that dies.
  SmallVector<BackendMemory*, 8> reads, writes;
  Relying relying;
  SmallVector<Ref<BackendMemory>, 1> findings;  ///< Of the checks.
  std::int64_t steps = 0;                       ///< For each element.
  std::int64_t operations = 0;                  ///< About so many, over all elements.
  Memories results;
  SmallVector<Argument, 8> arguments;
  std::span<Argument> inputs, epilogue_inputs, outputs;
};

}  // namespace

std::function<std::string()> describe(const Lowered& kernel) {
  const Storage& last = *kernel.outputs.back().storage;
  // alive: the storage is running, by us
  return [names = names_of(kernel), shape = last.layout.shape, trace = last.node()->trace] {
    return format("{} of shape {}{}{}", list_of(names), shape, trace.empty() ? "" : ", called at ",
                  trace);
  };
}

Memories launch(Lowered& kernel, const View* target) { return Run(kernel, target).go(); }

}  // namespace isthmus::inline ISTHMUS_ABI
