// native.cpp: handles of drivers to arrays and back.
#include "isthmus/exchange/native.h"

#include <utility>

#include "isthmus/exchange/share.h"
#include "isthmus/runtime/devices/registry.h"
#include "isthmus/runtime/submit/queues.h"

namespace isthmus::inline ISTHMUS_ABI {

/// The backend of this name. A device's text is none: what is adopted says its device.
static Backend& backend_named(std::string_view who, std::string_view name) {
  const std::size_t colon = name.find(':');
  check(colon == name.npos, Errc::backend_unavailable,
        "{}: '{}' is a device; name the backend, '{}'; the handle determines the device", who, name,
        name.substr(0, colon));
  return backend(name);
}

Queue adopt_queue(std::string_view name, const void* native) {
  const auto address = reinterpret_cast<std::uintptr_t>(native);
  Backend& b = backend_named("adopt_queue", name);
  b.check_queue(address);
  return Queue(b.adopt_queue(address));
}

Context adopt_context(std::string_view name, const void* native) {
  Backend& b = backend_named("adopt_context", name);
  return Context(b.adopt_context(reinterpret_cast<std::uintptr_t>(native)));
}

Array from_native(const NativeMemory& memory) {
  check(memory.queue.has_value(), Errc::exchange, "from_native: queue: it is not set");
  check(memory.dtype.has_value(), Errc::exchange, "from_native: dtype: it is not set");
  Foreign foreign;
  foreign.who = "from_native";
  foreign.field = "handle";
  foreign.queue = memory.queue->backend_queue();
  foreign.context = foreign.queue->context;
  foreign.is_buffer = memory.is_buffer;
  foreign.is_svm = memory.is_svm;
  foreign.address = memory.handle;
  foreign.dtype = *memory.dtype;
  foreign.layout = memory.layout;
  foreign.is_read_only = memory.is_read_only;
  if (memory.is_buffer)
    backend(foreign.context->device).check_buffer(reinterpret_cast<std::uintptr_t>(memory.handle));
  return adopt(foreign, memory.owner);
}

Lease::Lease(const Array& array, const Queue& queue) : array_(array.eval()), queue_(queue) {
  check_context(*queue.backend_queue(), *array.storage()->memory());
  begin_export(array_, {queue.backend_queue()});
}

Lease::Lease(Lease&& other) noexcept
    : array_(std::move(other.array_)), queue_(std::exchange(other.queue_, std::nullopt)) {}

Lease::~Lease() {
  if (queue_) end_export(*array_.storage()->memory(), {queue_->backend_queue()});
}

void* Lease::handle() const& { return reinterpret_cast<void*>(array_.storage()->memory()->handle); }
bool Lease::is_buffer() const { return kind() == MemoryKind::buffer; }
MemoryKind Lease::kind() const { return array_.storage()->memory()->kind; }

}  // namespace isthmus::inline ISTHMUS_ABI
