// launch.cpp: kernels and copies on a queue.
#include "isthmus/base/error.h"
#include "isthmus/opencl_driver/commands.h"
#include "isthmus/opencl_driver/kernel.h"

namespace isthmus::driver {

namespace {

cl_event enqueue_one(ClQueue& queue, ClKernel& kernel, const KernelCall& call,
                     const std::vector<cl_event>& waits, std::vector<Owned<cl_mem>>& parts) {
  ClKernel::Entry& entry = kernel.find(call.entry);
  if (!entry.bound.can_become(call.arguments)) kernel.renew(entry);
  entry.bound.set(queue.cl(), entry.kernel.get(), call.arguments, parts);
  cl_event event = nullptr;
  // PoCL compiles for a shape of groups that is new
  invoke_compiler("clEnqueueNDRangeKernel", queue.api().clEnqueueNDRangeKernel, queue.handle,
                  entry.kernel.get(), static_cast<cl_uint>(call.dimensions), nullptr, call.global,
                  call.local, static_cast<cl_uint>(waits.size()),
                  waits.empty() ? nullptr : waits.data(), &event);
  return event;
}

Ref<Event> enqueue_all(ClQueue& queue, ClKernel& kernel, std::span<const KernelCall> calls,
                       std::span<const Ref<Event>> given) {
  std::vector<cl_event> waits = wait_list(queue, given);
  const bool is_alone = waits.empty() && (queue.is_private.load() || is_idle(queue));
  Handover handover(queue);
  for (const KernelCall& call : calls)
    for (const CallArgument& argument : call.arguments)
      if (argument.memory) handover.take(*argument.memory, waits);
  Commands commands(queue);
  std::vector<Owned<cl_mem>> parts;
  {
    const std::lock_guard lock(kernel.lock);
    for (const KernelCall& call : calls) {
      if (commands.last) waits.assign(1, commands.last.get());
      commands.add(enqueue_one(queue, kernel, call, waits, parts));
    }
  }
  commands.add_all(handover);
  return commands.end(is_alone);
}

/// Where one side of a copy lies.
struct Side {
  BackendMemory& memory;
  std::size_t byte;
  bool is_buffer() const { return memory.kind == MemoryKind::buffer; }
  cl_mem buffer() const { return reinterpret_cast<cl_mem>(memory.handle); }
  /// For plain host memory, USM and SVM.
  char* pointer() const { return reinterpret_cast<char*>(memory.handle) + byte; }
};

cl_event read_buffer(ClQueue& queue, const Side& from, const Side& to, std::size_t bytes,
                     const std::vector<cl_event>& waits) {
  constexpr const char* name = "clEnqueueReadBuffer";
  cl_event done = nullptr;
  const cl_int status = call(name, [&] {
    return queue.api().clEnqueueReadBuffer(queue.handle, from.buffer(), CL_FALSE, from.byte, bytes,
                                           to.pointer(), static_cast<cl_uint>(waits.size()),
                                           waits.empty() ? nullptr : waits.data(), &done);
  });
  check(status != CL_INVALID_OPERATION || !is_hidden_from_host(from.buffer()), Errc::launch,
        "{}: {}: the buffer was made with HOST_NO_ACCESS or HOST_WRITE_ONLY, so the host may not "
        "read it; first copy it on its device, into other memory",
        name, error_text(status));
  if (status != CL_SUCCESS) fail_with(name, status);
  return done;
}

}  // namespace

Ref<Event> enqueue(ClQueue& queue, ClKernel& kernel, std::span<const KernelCall> calls,
                   std::span<const Ref<Event>> waits) {
  if (calls.empty()) return nullptr;
  if (!is_profiled() || queue.takes_times) return enqueue_all(queue, kernel, calls, waits);
  // beside the queue, but behind what is in it, and before what will be
  std::vector<Ref<Event>> all(waits.begin(), waits.end());
  all.push_back(barrier(queue, {}));
  Ref<Event> event = enqueue_all(queue.timed(), kernel, calls, all);
  try {
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
    done = read_buffer(queue, from, to, bytes, waits);
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
