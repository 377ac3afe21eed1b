// allocate.cpp: USM, SVM and buffers, and which of them the host sees.
#include "isthmus/opencl_driver/allocate.h"

#include <sys/mman.h>

#include <algorithm>

#include "isthmus/base/error.h"

namespace isthmus::driver {

constexpr std::size_t huge_page = std::size_t{2} << 20;

void use_huge_pages(void* block, std::size_t bytes) {
  // pages of 4 KiB make the first touch of a large block several times as slow
  const auto begin = (reinterpret_cast<std::uintptr_t>(block) + huge_page - 1) / huge_page;
  const auto end = (reinterpret_cast<std::uintptr_t>(block) + bytes) / huge_page;
  if (begin < end)
    madvise(reinterpret_cast<void*>(begin * huge_page), (end - begin) * huge_page, MADV_HUGEPAGE);
}

namespace {

ClContext& context_of(const BackendMemory& memory) {
  return static_cast<ClContext&>(*memory.context);
}

bool release_usm(BackendMemory& memory) noexcept {
  const ClContext& context = context_of(memory);
  call_to_release([&] {
    context.on.platform.usm.free(context.handle, reinterpret_cast<void*>(memory.handle));
  });
  return false;
}

bool release_svm(BackendMemory& memory) noexcept {
  ClContext& context = context_of(memory);
  call_to_release([&] {
    if (memory.takes_turns) {
      context.api().clEnqueueSVMUnmap(context.service(), memory.host, 0, nullptr, nullptr);
      context.api().clFinish(context.service());
    }
    context.api().clSVMFree(context.handle, reinterpret_cast<void*>(memory.handle));
  });
  return false;
}

bool release_buffer(BackendMemory& memory) noexcept {
  const ClContext& context = context_of(memory);
  call_to_release([&] {
    context.api().clReleaseMemObject(reinterpret_cast<cl_mem>(memory.handle));
    if (memory.owner) context.api().clSVMFree(context.handle, memory.owner);
  });
  return false;
}

Ref<BackendMemory> allocate_usm(const Ref<BackendContext>& ref, std::size_t bytes,
                                MemoryKind kind) {
  ClContext& context = static_cast<ClContext&>(*ref);
  const Usm& usm = context.on.platform.usm;
  const cl_device_id device = context.on.id;
  constexpr cl_uint alignment = 64;
  const cl_mem_properties_intel* const plain = nullptr;
  void* block =
      kind == MemoryKind::host
          ? make("clHostMemAllocINTEL", usm.allocate_host, context.handle, plain, bytes, alignment)
      : kind == MemoryKind::device ? make("clDeviceMemAllocINTEL", usm.allocate_device,
                                          context.handle, device, plain, bytes, alignment)
                                   : make("clSharedMemAllocINTEL", usm.allocate_shared,
                                          context.handle, device, plain, bytes, alignment);
  auto memory = take(ref, kind, block, bytes, release_usm,
                     [&](void* unused) { usm.free(context.handle, unused); });
  if (context.on.is_cpu || kind != MemoryKind::device) memory->host = block;
  if (context.on.is_cpu) use_huge_pages(block, bytes);
  return memory;
}

/// Fine-grained where the device can: OpenCL 3.0, 5.6.1, lets the host see that without maps.
void* allocate_svm_block(const ClContext& context, std::size_t bytes) {
  const cl_svm_mem_flags fine =
      context.on.info.has_shared_buffers ? CL_MEM_SVM_FINE_GRAIN_BUFFER : 0;
  void* block = call("clSVMAlloc", [&] {
    return context.api().clSVMAlloc(context.handle, CL_MEM_READ_WRITE | fine, bytes, 64);
  });
  check(block, Errc::out_of_memory, "clSVMAlloc: no {} bytes on {}", bytes, context.device);
  return block;
}

Ref<BackendMemory> allocate_svm(const Ref<BackendContext>& ref, std::size_t bytes) {
  ClContext& context = static_cast<ClContext&>(*ref);
  void* block = allocate_svm_block(context, bytes);
  auto memory = take(ref, MemoryKind::shared, block, bytes, release_svm,
                     [&](void* unused) { context.api().clSVMFree(context.handle, unused); });
  if (!context.on.info.has_shared_buffers) {
    invoke("clEnqueueSVMMap", context.api().clEnqueueSVMMap, context.service(), cl_bool{CL_TRUE},
           cl_map_flags{CL_MAP_READ | CL_MAP_WRITE}, block, bytes, cl_uint{0}, nullptr, nullptr);
    memory->takes_turns = true;
  }
  memory->host = block;
  return memory;
}

Ref<BackendMemory> allocate_buffer(const Ref<BackendContext>& ref, std::size_t bytes) {
  const ClContext& context = static_cast<ClContext&>(*ref);
  const auto free = [&](void* unused) { context.api().clSVMFree(context.handle, unused); };
  std::unique_ptr<void, decltype(free)> block(nullptr, free);
  cl_mem_flags flags = CL_MEM_READ_WRITE;
  if (context.on.info.has_shared_buffers) {
    block.reset(allocate_svm_block(context, bytes));
    use_huge_pages(block.get(), bytes);
    flags |= CL_MEM_USE_HOST_PTR;
  }
  const cl_mem buffer = make("clCreateBuffer", context.api().clCreateBuffer, context.handle, flags,
                             bytes, block.get());
  auto memory = take(ref, MemoryKind::buffer, buffer, bytes, release_buffer,
                     [&](cl_mem unused) { context.api().clReleaseMemObject(unused); });
  memory->host = memory->owner = block.release();
  return memory;
}

}  // namespace

Ref<BackendMemory> allocate(const Ref<BackendContext>& ref, std::size_t bytes, MemoryKind kind) {
  const ClDevice& on = static_cast<ClContext&>(*ref).on;
  bytes = std::max<std::size_t>(bytes, 1);
  check(std::ranges::find(on.info.kinds, kind) != on.info.kinds.end(), Errc::value,
        "{} has no {} memory", ref->device, to_string(kind));
  check(bytes <= on.info.largest_allocation, Errc::out_of_memory,
        "{}: {} bytes; one allocation may have {}", ref->device, bytes, on.info.largest_allocation);
  if (kind == MemoryKind::buffer) return allocate_buffer(ref, bytes);
  return on.has_usm ? allocate_usm(ref, bytes, kind) : allocate_svm(ref, bytes);
}

PointerInfo query(ClContext& context, std::uintptr_t address) {
  PointerInfo found;
  if (!context.on.has_usm || !address) return found;
  const Unblocked unblocked;  // once for all three calls
  const auto get = [&]<class T>(cl_mem_info_intel what, T& answer) {
    invoke("clGetMemAllocInfoINTEL", context.on.platform.usm.query, context.handle,
           reinterpret_cast<const void*>(address), what, sizeof answer, static_cast<void*>(&answer),
           nullptr);
  };
  cl_unified_shared_memory_type_intel type = CL_MEM_TYPE_UNKNOWN_INTEL;
  get(CL_MEM_ALLOC_TYPE_INTEL, type);
  if (type == CL_MEM_TYPE_UNKNOWN_INTEL) return found;
  found.kind = type == CL_MEM_TYPE_HOST_INTEL     ? MemoryKind::host
               : type == CL_MEM_TYPE_DEVICE_INTEL ? MemoryKind::device
                                                  : MemoryKind::shared;
  get(CL_MEM_ALLOC_BASE_PTR_INTEL, found.base);
  get(CL_MEM_ALLOC_SIZE_INTEL, found.bytes);
  found.device = context.device.index();
  return found;
}

/// Its own driver is asked, which need not be that of the context where it is looked for.
template <class T>
static T ask_buffer(cl_mem buffer, cl_mem_info what) {
  T answer{};
  const cl_int status = call("clGetMemObjectInfo", [&] {
    return api_of(buffer).clGetMemObjectInfo(buffer, what, sizeof answer, &answer, nullptr);
  });
  check(status != CL_INVALID_MEM_OBJECT, Errc::exchange, "{} is not a cl_mem",
        static_cast<const void*>(buffer));
  if (status != CL_SUCCESS) fail_with("clGetMemObjectInfo", status);
  return answer;
}

std::uintptr_t context_of_buffer(std::uintptr_t handle) {
  return reinterpret_cast<std::uintptr_t>(
      ask_buffer<cl_context>(reinterpret_cast<cl_mem>(handle), CL_MEM_CONTEXT));
}

bool is_hidden_from_host(cl_mem buffer) {
  const auto flags = ask_buffer<cl_mem_flags>(buffer, CL_MEM_FLAGS);
  return (flags & (CL_MEM_HOST_NO_ACCESS | CL_MEM_HOST_WRITE_ONLY)) != 0;
}

PointerInfo query_buffer(ClContext& context, std::uintptr_t handle) {
  const auto buffer = reinterpret_cast<cl_mem>(handle);
  const Unblocked unblocked;  // once for all calls
  const auto get = [&]<class T>(T, cl_mem_info what) { return ask_buffer<T>(buffer, what); };
  check(get(cl_mem_object_type{}, CL_MEM_TYPE) == CL_MEM_OBJECT_BUFFER, Errc::exchange,
        "the cl_mem is not a buffer; images and pipes do not store elements contiguously");
  const auto of = get(cl_context{}, CL_MEM_CONTEXT);
  check(of == context.handle, Errc::exchange, "the buffer is not of {}", context.name);
  PointerInfo found;
  found.kind = MemoryKind::buffer;
  found.base = handle;
  found.bytes = get(std::size_t{}, CL_MEM_SIZE);
  found.device = context.device.index();
  return found;
}

bool can_adopt(const ClContext& context, const BackendMemory& memory) {
  if (memory.context) return memory.context->space == context.space;
  return memory.host && context.on.info.has_system_memory;
}

void Handover::take(BackendMemory& memory, std::vector<cl_event>& waits) {
  if (!memory.takes_turns) return;
  for (const BackendMemory* taken : taken_)
    if (taken->handle == memory.handle) return;
  // room first: what was unmapped and not noted would stay out of the host's sight
  taken_.reserve(taken_.size() + 1);
  unmapped_.reserve(unmapped_.size() + 1);
  waits.reserve(1);
  cl_event over = nullptr;
  invoke("clEnqueueSVMUnmap", queue_.api().clEnqueueSVMUnmap, queue_.handle, memory.host,
         static_cast<cl_uint>(waits.size()), waits.empty() ? nullptr : waits.data(), &over);
  taken_.push_back(&memory);
  unmapped_.emplace_back(queue_.api().clReleaseEvent, over);
  waits.assign(1, over);
}

cl_int Handover::map(const BackendMemory& memory, cl_bool is_blocking, const cl_event* behind,
                     cl_event* over) noexcept {
  return queue_.api().clEnqueueSVMMap(queue_.handle, is_blocking, CL_MAP_READ | CL_MAP_WRITE,
                                      memory.host, memory.bytes, 1, behind, over);
}

cl_event Handover::give_back(cl_event done) {
  if (taken_.empty()) return nullptr;
  cl_event over = nullptr;
  const BackendMemory& memory = *taken_.back();
  const cl_int status =
      call("clEnqueueSVMMap", [&] { return map(memory, CL_FALSE, &done, &over); });
  if (status != CL_SUCCESS) fail_with("clEnqueueSVMMap", status);
  taken_.pop_back();
  return over;
}

Handover::~Handover() {
  // the command failed: the host shall see what was there
  for (const BackendMemory* memory : taken_)
    call_to_release([&] {
      const cl_event behind = unmapped_.back().get();
      map(*memory, CL_TRUE, &behind, nullptr);
    });
}

}  // namespace isthmus::driver
