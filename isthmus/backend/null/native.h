// native.h: the driver's contexts and queues by handle, and as the runtime holds them.
#pragma once

#include "isthmus/backend/null/control.h"
#include "isthmus/backend/null/queue.h"

namespace isthmus::null {

Handles<NativeContext>& contexts();
Handles<NativeQueue>& queues();
/// See Control.
std::uintptr_t make_queue(int device, std::uintptr_t context, bool is_in_order);
const Control& control();

class NullContext final : public BackendContext {
 public:
  NullContext(std::shared_ptr<NativeContext> driver, const std::string& name);
  ~NullContext() override;
  const std::shared_ptr<NativeContext> driver;
};

class NullQueue final : public BackendQueue {
 public:
  NullQueue(Ref<BackendContext> context, std::shared_ptr<NativeQueue> driver);
  const std::shared_ptr<NativeQueue> driver;
};

/// The one BackendContext of a driver's context, while anybody holds it.
Ref<BackendContext> context_of(const std::shared_ptr<NativeContext>& driver);
/// The default ones are there for ever. Throws device_not_found.
Ref<BackendContext> default_context(int device);
Ref<BackendQueue> default_queue(int device);
/// Throws exchange if the queue is of another backend.
NativeQueue& native(BackendQueue& queue);

}  // namespace isthmus::null
