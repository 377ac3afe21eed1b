// native.cpp: handles of drivers to arrays and back.
#include "isthmus/exchange/native.h"

#include "isthmus/runtime/registry.h"

namespace isthmus {

Ref<BackendQueue> adopt_queue(std::string_view name, const void* native) {
  const auto address = reinterpret_cast<std::uintptr_t>(native);
  Backend& b = backend(name);
  b.check_queue(address);
  return b.adopt_queue(address);
}

static bool drop_owner(Memory& memory) noexcept {
  delete static_cast<std::shared_ptr<void>*>(memory.owner);
  return false;
}

Array from_native(const NativeMemory& memory) {
  check(memory.queue.get() != nullptr, Errc::exchange, "from_native: queue: it is null");
  Foreign foreign;
  foreign.who = "from_native";
  foreign.context = memory.queue->context;
  foreign.queue = memory.queue;
  foreign.is_buffer = memory.is_buffer;
  foreign.is_svm = memory.is_svm;
  foreign.address = memory.handle;
  foreign.dtype = memory.dtype;
  foreign.layout = memory.layout;
  foreign.is_read_only = memory.is_read_only;
  auto owner = memory.owner ? std::make_unique<std::shared_ptr<void>>(memory.owner) : nullptr;
  foreign.owner = owner.get();
  if (memory.is_buffer)
    backend(foreign.context->device).check_buffer(reinterpret_cast<std::uintptr_t>(memory.handle));
  if (owner) foreign.release = drop_owner;
  Array array = adopt(foreign);
  owner.release();  // the memory has it
  return array;
}

Lease::Lease(const Array& array, Ref<BackendQueue> queue) : array_(array.eval()) {
  check(queue.get() != nullptr, Errc::exchange, "Lease: queue: it is null");
  Memory& memory = *array.storage()->memory();
  check_context(*queue, memory);
  guest_.queue = std::move(queue);
  begin_export(array_, guest_);
}

Lease::~Lease() {
  if (guest_.queue) end_export(*array_.storage()->memory(), guest_);
}

}  // namespace isthmus
