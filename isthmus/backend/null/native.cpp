// native.cpp: one wrapper to a driver's object.
#include "isthmus/backend/null/native.h"

namespace isthmus::null {

using detail::format;

namespace {

/// What each device starts with. Leaked: nothing of a driver is torn down at exit.
struct Defaults {
  Ref<BackendContext> contexts[device_count];
  Ref<BackendQueue> queues[device_count];
};

/// Contexts by driver's handle, without holding them.
struct Wrappers {
  std::mutex lock;
  std::map<std::uintptr_t, NullContext*> contexts;
};

Wrappers& wrappers() {
  static Wrappers& w = *new Wrappers;
  return w;
}

std::uintptr_t handle_of(const void* object) { return reinterpret_cast<std::uintptr_t>(object); }

Defaults& defaults() {
  static Defaults& all = [&]() -> Defaults& {
    auto& made = *new Defaults;
    for (int device = 0; device < device_count; ++device) {
      auto context = std::make_shared<NativeContext>(device);
      contexts().add(context);
      made.contexts[device] = make_ref<NullContext>(
          context, format("the default context of {}", Device("null", device)));
      auto queue = std::make_shared<NativeQueue>(context, true);
      queues().add(queue);
      made.queues[device] = make_ref<NullQueue>(made.contexts[device], queue);
      made.queues[device]->is_private = true;
    }
    return made;
  }();
  return all;
}

void check_device(int device) {
  check(device >= 0 && device < device_count, Errc::device_not_found,
        "null: there is no device {}; there are {}", device, device_count);
}

}  // namespace

Handles<NativeContext>& contexts() {
  static auto& all = *new Handles<NativeContext>;
  return all;
}

Handles<NativeQueue>& queues() {
  static auto& all = *new Handles<NativeQueue>;
  return all;
}

NullContext::NullContext(std::shared_ptr<NativeContext> driver, const std::string& name)
    : BackendContext(Device("null", driver->device), handle_of(driver.get()), name),
      driver(std::move(driver)) {}

NullContext::~NullContext() {
  if (is_orphaned()) return;  // the lock may be held by a thread that is not here
  std::lock_guard guard(wrappers().lock);
  const auto known = wrappers().contexts.find(native);
  if (known != wrappers().contexts.end() && known->second == this) wrappers().contexts.erase(known);
}

NullQueue::NullQueue(Ref<BackendContext> context, std::shared_ptr<NativeQueue> driver)
    : BackendQueue(std::move(context), handle_of(driver.get()), driver->is_in_order),
      driver(std::move(driver)) {}

Ref<BackendContext> default_context(int device) {
  check_device(device);
  return defaults().contexts[device];
}

Ref<BackendQueue> default_queue(int device) {
  check_device(device);
  return defaults().queues[device];
}

Ref<BackendContext> context_of(const std::shared_ptr<NativeContext>& driver) {
  for (const Ref<BackendContext>& context : defaults().contexts)
    if (context->native == handle_of(driver.get())) return context;
  std::lock_guard guard(wrappers().lock);
  NullContext*& known = wrappers().contexts[handle_of(driver.get())];
  if (known && known->try_hold()) return Ref<BackendContext>::take(known);
  known = new NullContext(driver, format("a user's context of {}", Device("null", driver->device)));
  return Ref<BackendContext>::take(known);
}

std::uintptr_t make_queue(int device, std::uintptr_t context, bool is_in_order) {
  const auto driver = context ? contexts().find(context, "context")
                              : static_cast<NullContext&>(*default_context(device)).driver;
  return queues().add(std::make_shared<NativeQueue>(driver, is_in_order));
}

NativeQueue& native(BackendQueue& queue) {
  auto* own = dynamic_cast<NullQueue*>(&queue);
  check(own, Errc::exchange, "null: a queue of {} cannot run this", queue.context->device);
  return *own->driver;
}

}  // namespace isthmus::null
