// reach.cpp: which devices, and whether the host, can use memory where it lies.
#include <mutex>

#include "isthmus/exchange/share.h"
#include "isthmus/runtime/devices/registry.h"

namespace isthmus::inline ISTHMUS_ABI {

static bool drop_memory(BackendMemory& memory) noexcept {
  Ref<BackendMemory>::take(static_cast<BackendMemory*>(memory.owner));
  return false;
}

/// The device's context that reaches the memory, its default one or that in which another backend
/// has it; null if there is none.
static Ref<BackendContext> context_reaching(const BackendMemory& memory, const Device& device) {
  Backend& b = backend(device);
  Ref<BackendContext> own = b.default_context(device.index());
  if (b.can_adopt(*own, memory)) return own;
  if (!memory.context || memory.device.backend() == device.backend()) return nullptr;
  Ref<BackendContext> same = b.context_in(memory.context->space);
  return same && same->device == device ? same : nullptr;
}

/// Whether memory is within reach of a context of a device, or of the host.
static bool is_reachable(BackendMemory& memory, const Device& device) {
  // coarse-grained SVM is mapped between launches, of which the host's operations know nothing
  if (device.is_host()) return memory.host && !memory.takes_turns;
  return bool(context_reaching(memory, device));
}

/// What evaluating a pending array would give it, as far as others can tell.
static Ref<BackendMemory> likely_memory(const Array& array) {
  Backend& b = backend(array.device());
  const int index = array.device().index();
  const DeviceInfo& info = b.describe(index);
  auto memory = make_ref<BackendMemory>(array.device(), info.kinds.at(0), 1, 0);
  if (!array.device().is_host()) memory->context = b.default_context(index);
  static char somewhere;
  if (info.has_unified_memory) memory->host = &somewhere;
  return memory;
}

bool can_share_on(const Array& array, const Device& device) {
  if (array.device() == device) return true;
  if (!has_dtype(device, array.dtype())) return false;
  const bool is_there = array.storage()->is_ready();
  return is_reachable(*(is_there ? array.storage()->memory() : likely_memory(array)), device);
}

std::optional<Array> share_on(const Array& array, const Device& device) {
  if (array.device() == device) return array;
  if (!has_dtype(device, array.dtype())) return {};
  array.eval();
  BackendMemory& from = *array.storage()->memory();
  if (!is_reachable(from, device)) return {};
  const bool is_host = device.is_host();
  const Ref<BackendContext> context = is_host ? nullptr : context_reaching(from, device);
  auto memory = make_ref<BackendMemory>(
      device, is_host ? MemoryKind::host : from.kind,
      is_host ? reinterpret_cast<std::uintptr_t>(from.host) : from.handle, from.bytes);
  memory->host = from.host;
  memory->context = from.context ? context : nullptr;
  memory->foreign_queue = from.foreign_queue;
  memory->owners_events = from.owners_events;
  memory->is_read_only = from.is_read_only;
  memory->takes_turns = from.takes_turns;
  memory->owner = Ref<BackendMemory>::share(&from).release();
  memory->release = drop_memory;
  {
    std::lock_guard lock(graph_lock());
    track(from);
    track(*memory);
  }
  const Storage& old = *array.storage();
  auto storage = make_ref<Storage>(old.dtype, old.layout, std::move(memory));
  return Array(std::move(storage), array.layout(), array.is_read_only());
}

[[gnu::hot]] bool is_host_reachable(const Array& array) {
  if (array.device() == Device()) return true;
  if (array.storage()->is_ready()) return array.storage()->memory()->is_host_accessible();
  return backend(array.device()).describe(array.device().index()).has_unified_memory;
}

void* host_address(const Array& array) {
  // a device may still be writing a copy to the host
  if (array.device() == Device()) wait(array.eval().storage());
  return detail::address_of(array);
}

void* detail::address_of(const Array& array) {
  if (array.eval().size() == 0) return nullptr;
  check(is_host_reachable(array), Errc::exchange,
        "host_address: the host cannot access memory of {}; use to_device", array.device());
  return static_cast<char*>(array.storage()->memory()->host) +
         array.layout().offset * array.dtype().bytes();
}

}  // namespace isthmus::inline ISTHMUS_ABI
