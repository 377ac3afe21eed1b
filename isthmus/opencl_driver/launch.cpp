// launch.cpp: kernels and copies on a queue.
#include "isthmus/base/error.h"
#include "isthmus/opencl_driver/commands.h"
#include "isthmus/opencl_driver/kernel.h"

namespace isthmus::driver {

namespace {

/// A cl_mem for one launch; the driver keeps it until the commands that use it have ended.
Owned<cl_mem> make_temporary(ClContext& context, std::size_t bytes, const void* contents) {
  const cl_mem_flags flags = contents ? CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR
                                      : CL_MEM_READ_WRITE | CL_MEM_HOST_NO_ACCESS;
  const Api& api = context.api();
  return Owned(api.clReleaseMemObject, make("clCreateBuffer", api.clCreateBuffer, context.handle,
                                            flags, bytes, const_cast<void*>(contents)));
}

class Launching {
 public:
  Launching(ClQueue& queue, ClKernel& kernel, const isthmus::Launch& launch)
      : queue_(queue), kernel_(kernel), launch_(launch) {}

  Ref<Event> run(const Program& program, std::span<const Ref<Event>> given) {
    std::vector<cl_event> waits = wait_list(queue_, given);
    const bool is_alone = waits.empty() && (queue_.is_private.load() || is_idle(queue_));
    Handover handover(queue_);
    for (const auto& arguments : {launch_.inputs, launch_.epilogue_inputs, launch_.outputs})
      for (const Argument& argument : arguments)
        if (argument.memory) handover.take(*argument.memory, waits);
    Commands commands(queue_);
    {
      std::lock_guard lock(kernel_.lock);
      const Passes& plan = kernel_.bound.plan(program, launch_, traits_of(queue_.cl().on));
      if (plan.passes.empty()) return nullptr;
      if (plan.scratch_bytes) scratch_ = make_temporary(queue_.cl(), plan.scratch_bytes, nullptr);
      for (std::size_t i = 0; i < plan.passes.size(); ++i) {
        if (commands.last) waits.assign(1, commands.last.get());
        if (plan.repeats) kernel_.bound.forget();  // the pass before may have set the same kernel
        commands.add(enqueue(i, plan.passes[i], waits));
      }
    }
    commands.add_all(handover);
    return commands.end(is_alone);
  }

 private:
  /// Null for what lives no longer than the launch.
  const Argument* argument_of(Pointer pointer) const {
    using Of = Pointer::Of;
    switch (pointer.of) {
      case Of::input: return &launch_.inputs[pointer.index];
      case Of::epilogue_input: return &launch_.epilogue_inputs[pointer.index];
      case Of::output: return &launch_.outputs[pointer.index];
      case Of::scratch:
      case Of::words: return nullptr;
    }
    return nullptr;
  }

  /// Whether an argument is a buffer that was SVM before.
  bool is_spoilt(const ClKernel::Entry& entry, const Pass& pass) const {
    for (std::size_t i = 0; i < entry.was_svm.size() && i < pass.pointers.size(); ++i) {
      const Argument* argument = argument_of(pass.pointers[i]);
      if (entry.was_svm[i] && (!argument || argument->memory->kind == MemoryKind::buffer))
        return true;
    }
    return false;
  }

  void set_pointers(std::size_t number, ClKernel::Entry& entry, const Pass& pass, cl_mem words) {
    BoundArguments& bound = kernel_.bound;
    for (std::size_t i = 0; i < pass.pointers.size(); ++i) {
      const auto index = static_cast<cl_uint>(i);
      const Argument* argument = argument_of(pass.pointers[i]);
      if (!argument) {
        const bool is_scratch = pass.pointers[i].of == Pointer::Of::scratch;
        set_buffer(queue_.api(), entry.kernel.get(), index, is_scratch ? scratch_.get() : words);
      } else if (!bound.has_pointer(number, i, argument->address)) {
        bound.note_pointer(number, i, nullptr);
        set_memory(queue_.cl(), entry, index, argument->address, *argument->memory);
        bound.note_pointer(number, i, argument->address);
      }
    }
  }

  cl_event enqueue(std::size_t number, const Pass& pass, const std::vector<cl_event>& waits) {
    const Api& api = queue_.api();
    ClKernel::Entry& entry = kernel_.find(pass.entry);
    if (is_spoilt(entry, pass)) kernel_.renew(entry);
    const cl_kernel kernel = entry.kernel.get();
    const std::size_t bytes = pass.words.size() * sizeof(std::int64_t);
    const bool are_in_memory =
        !pass.pointers.empty() && pass.pointers.back().of == Pointer::Of::words;
    Owned<cl_mem> words(api.clReleaseMemObject);
    if (are_in_memory) words = make_temporary(queue_.cl(), bytes, pass.words.data());
    set_pointers(number, entry, pass, words.get());
    if (!are_in_memory && bytes && !kernel_.bound.has_words(number)) {
      set_value(api, kernel, static_cast<cl_uint>(pass.pointers.size()), pass.words.data(), bytes);
      kernel_.bound.note_words(number);
    }
    cl_event event = nullptr;
    // PoCL compiles for a shape of groups that is new
    invoke_compiler("clEnqueueNDRangeKernel", api.clEnqueueNDRangeKernel, queue_.handle, kernel,
                    static_cast<cl_uint>(pass.dimensions), nullptr, pass.global,
                    pass.local[0] ? pass.local : nullptr, static_cast<cl_uint>(waits.size()),
                    waits.empty() ? nullptr : waits.data(), &event);
    return event;
  }

  ClQueue& queue_;
  ClKernel& kernel_;
  const isthmus::Launch& launch_;
  Owned<cl_mem> scratch_{queue_.api().clReleaseMemObject};
};

/// Where one side of a copy lies.
struct Side {
  BackendMemory& memory;
  std::size_t byte;
  bool is_buffer() const { return memory.kind == MemoryKind::buffer; }
  cl_mem buffer() const { return reinterpret_cast<cl_mem>(memory.handle); }
  /// For plain host memory, USM and SVM.
  char* pointer() const { return reinterpret_cast<char*>(memory.handle) + byte; }
};

}  // namespace

Ref<Event> launch(ClQueue& queue, ClKernel& kernel, const Program& program,
                  const isthmus::Launch& launch, std::span<const Ref<Event>> waits) {
  if (!is_profiled() || queue.takes_times)
    return Launching(queue, kernel, launch).run(program, waits);
  // beside the queue, but behind what is in it, and before what will be
  std::vector<Ref<Event>> all(waits.begin(), waits.end());
  all.push_back(barrier(queue, {}));
  Ref<Event> event = Launching(queue.timed(), kernel, launch).run(program, all);
  if (event) try {
      barrier(queue, std::span(&event, 1));
    } catch (...) {
      event->settle();  // its memory goes back to its owners now
      throw;
    }
  return event;
}

Ref<Event> copy(ClQueue& queue, BackendMemory& from_memory, std::size_t from_byte,
                BackendMemory& to_memory, std::size_t to_byte, std::size_t bytes,
                std::span<const Ref<Event>> given) {
  if (bytes == 0) return nullptr;
  const Side from{from_memory, from_byte}, to{to_memory, to_byte};
  for (const Side& side : {from, to})
    check(side.byte <= side.memory.bytes && bytes <= side.memory.bytes - side.byte, Errc::launch,
          "copy: bytes {} to {} of memory of {}", side.byte, side.byte + bytes, side.memory.bytes);
  std::vector<cl_event> waits = wait_list(queue, given);
  const bool is_alone = waits.empty() && queue.is_private.load();
  Handover handover(queue);
  handover.take(from_memory, waits);
  handover.take(to_memory, waits);
  const Api& api = queue.api();
  const auto count = static_cast<cl_uint>(waits.size());
  const cl_event* list = waits.empty() ? nullptr : waits.data();
  cl_event done = nullptr;
  if (from.is_buffer() && to.is_buffer())
    invoke("clEnqueueCopyBuffer", api.clEnqueueCopyBuffer, queue.handle, from.buffer(), to.buffer(),
           from.byte, to.byte, bytes, count, list, &done);
  else if (from.is_buffer())
    invoke("clEnqueueReadBuffer", api.clEnqueueReadBuffer, queue.handle, from.buffer(),
           cl_bool{CL_FALSE}, from.byte, bytes, static_cast<void*>(to.pointer()), count, list,
           &done);
  else if (to.is_buffer())
    invoke("clEnqueueWriteBuffer", api.clEnqueueWriteBuffer, queue.handle, to.buffer(),
           cl_bool{CL_FALSE}, to.byte, bytes, static_cast<const void*>(from.pointer()), count, list,
           &done);
  else if (queue.cl().on.has_usm)
    invoke("clEnqueueMemcpyINTEL", queue.cl().on.platform.usm.copy, queue.handle, cl_bool{CL_FALSE},
           static_cast<void*>(to.pointer()), static_cast<const void*>(from.pointer()), bytes, count,
           list, &done);
  else
    invoke("clEnqueueSVMMemcpy", api.clEnqueueSVMMemcpy, queue.handle, cl_bool{CL_FALSE},
           static_cast<void*>(to.pointer()), static_cast<const void*>(from.pointer()), bytes, count,
           list, &done);
  Commands commands(queue);
  commands.last.reset(done);
  commands.add_all(handover);
  return commands.end(is_alone);
}

}  // namespace isthmus::driver
