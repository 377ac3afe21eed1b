// memory.cpp: sycl::malloc and what SYCL knows of pointers.
#include "isthmus/backend/sycl/memory.h"

#include <sys/mman.h>

#include <algorithm>

#include "isthmus/base/error.h"
#include "isthmus/opencl_driver/allocate.h"

namespace isthmus::sycl_usm {

static bool release(BackendMemory& memory) noexcept {
  const auto& context = static_cast<const SyclContext&>(*memory.context);
  call_to_release([&] {
    try {
      sycl::free(reinterpret_cast<void*>(memory.handle), context.object);
    } catch (const sycl::exception&) {
      return;  // the driver is going down, and the memory with it
    }
  });
  return false;
}

Ref<BackendMemory> allocate(const Ref<BackendContext>& ref, std::size_t bytes, MemoryKind kind) {
  const auto& context = static_cast<const SyclContext&>(*ref);
  const DeviceInfo& info = context.on.info;
  bytes = std::max<std::size_t>(bytes, 1);
  check(std::ranges::find(info.kinds, kind) != info.kinds.end(), Errc::value, "{} has no {} memory",
        ref->device, to_string(kind));
  check(bytes <= info.largest_allocation, Errc::out_of_memory,
        "{}: {} bytes; one allocation may have {}", ref->device, bytes, info.largest_allocation);
  const sycl::usm::alloc type = kind == MemoryKind::device   ? sycl::usm::alloc::device
                                : kind == MemoryKind::shared ? sycl::usm::alloc::shared
                                                             : sycl::usm::alloc::host;
  void* block = sycl_call("sycl::aligned_alloc", [&] {
    return sycl::aligned_alloc(64, bytes, context.on.device, context.object, type);
  });
  check(block, Errc::out_of_memory, "sycl::aligned_alloc: no {} bytes of {} memory on {}", bytes,
        to_string(kind), ref->device);
  auto memory = driver::take(ref, kind, block, bytes, release,
                             [&](void* unused) { sycl::free(unused, context.object); });
  if (context.on.is_cpu || kind != MemoryKind::device) memory->host = block;
  if (context.on.is_cpu) driver::use_huge_pages(block, bytes);
  return memory;
}

PointerInfo query(SyclContext& context, std::uintptr_t address) {
  if (context.below) return driver::query(*context.below, address);
  PointerInfo found;
  const auto* pointer = reinterpret_cast<const void*>(address);
  const auto type = sycl_call("sycl::get_pointer_type",
                              [&] { return sycl::get_pointer_type(pointer, context.object); });
  if (type == sycl::usm::alloc::unknown) return found;
  found.kind = type == sycl::usm::alloc::host     ? MemoryKind::host
               : type == sycl::usm::alloc::device ? MemoryKind::device
                                                  : MemoryKind::shared;
  found.base = address;
  found.device = index_of(sycl_call("sycl::get_pointer_device", [&] {
    return sycl::get_pointer_device(pointer, context.object);
  }));
  return found;
}

bool can_adopt(const SyclContext& context, const BackendMemory& memory) {
  if (memory.context) return memory.context->space == context.space;
  return memory.host && context.on.info.has_system_memory;
}

}  // namespace isthmus::sycl_usm
