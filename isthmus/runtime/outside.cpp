// outside.cpp: barriers on queues of others.
#include "isthmus/runtime/outside.h"

#include "isthmus/runtime/registry.h"

namespace isthmus {

void wait_for_outside(const Memory& memory, Events& waits) {
  const Ref<Queue>& queue = memory.outside;
  if (!queue) return;
  if (Ref<Event> event = backend(queue->context->device).barrier(*queue, {}))
    waits.push_back(std::move(event));
}

void tell_outside(const Memory& memory, const Ref<Event>& event) {
  const Ref<Queue>& queue = memory.outside;
  if (queue && event) backend(queue->context->device).barrier(*queue, std::span(&event, 1));
}

}  // namespace isthmus
