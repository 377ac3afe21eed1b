// allocate.h: memory of OpenCL contexts, ours and other people's.
#pragma once

#include <memory>

#include "isthmus/opencl_driver/objects.h"

namespace isthmus::driver {

/// USM (`device`, `shared`, `host`), SVM (`shared` where there is no USM), or a cl_mem (`buffer`).
/// Where the device has `shared_buffers`, the host sees SVM and buffers at all times; elsewhere SVM
/// between launches, and buffers never.
/// Throws out_of_memory, or value for a kind that the device has not.
Ref<BackendMemory> allocate(const Ref<BackendContext>& context, std::size_t bytes, MemoryKind kind);

/// Memory of ours around what a driver gave, which goes back by `free` if there is no room to note
/// it.
template <class T, class F>
Ref<BackendMemory> take(const Ref<BackendContext>& context, MemoryKind kind, T* given,
                        std::size_t bytes, BackendMemory::Release release, F free) {
  const auto give_back = [&](T* unused) { call_to_release([&] { free(unused); }); };
  std::unique_ptr<T, decltype(give_back)> owned(given, give_back);
  auto memory = make_ref<BackendMemory>(context->device, kind,
                                        reinterpret_cast<std::uintptr_t>(given), bytes);
  owned.release();
  memory->context = context;
  memory->release = release;
  return memory;
}

/// Asks for large pages under host memory.
void use_huge_pages(void* block, std::size_t bytes);

/// What the driver knows of an address; an unknown one is `unknown`.
PointerInfo query(ClContext& context, std::uintptr_t address);

/// The same of a cl_mem. Throws exchange for one of another context.
PointerInfo query_buffer(ClContext& context, std::uintptr_t handle);
/// The cl_context that a cl_mem is of.
std::uintptr_t context_of_buffer(std::uintptr_t handle);

/// Whether it was made with CL_MEM_HOST_NO_ACCESS or CL_MEM_HOST_WRITE_ONLY.
bool is_hidden_from_host(cl_mem buffer);

/// Whether kernels of the context can read the memory where it lies.
bool can_adopt(const ClContext& context, const BackendMemory& memory);

/// Lends coarse-grained SVM to the device, for a command or two on one queue.
class Handover {
 public:
  explicit Handover(ClQueue& queue) : queue_(queue) {}
  Handover(const Handover&) = delete;
  /// Gives them back, should nobody have asked for it before.
  ~Handover();
  /// Enqueues the unmapping of such memory behind `waits`, and makes them that; nothing for
  /// other memory.
  void take(BackendMemory& memory, std::vector<cl_event>& waits);
  /// Enqueues the mapping of one that was taken behind `done`, and returns the event that ends it,
  /// behind which the next one goes; null if none is left.
  cl_event give_back(cl_event done);

 private:
  cl_int map(const BackendMemory& memory, cl_bool is_blocking, const cl_event* behind,
             cl_event* over) noexcept;
  ClQueue& queue_;
  SmallVector<BackendMemory*, 4> taken_;
  std::vector<Owned<cl_event>> unmapped_;
};

}  // namespace isthmus::driver
