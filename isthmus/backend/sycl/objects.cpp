// objects.cpp: one wrapper to a SYCL object, and barriers on users' queues.
#include "isthmus/backend/sycl/objects.h"

#include <dlfcn.h>

#include <cstring>
#include <map>

#include "isthmus/base/error.h"
#include "isthmus/runtime/memory/readable.h"

namespace isthmus::sycl_usm {

using detail::format;

namespace {

constexpr auto opencl = sycl::backend::opencl;

template <class T>
std::uintptr_t number_of(T* handle) {
  return reinterpret_cast<std::uintptr_t>(handle);
}

/// The cl_context below; null where there is none. SYCL gives a reference of its own.
Ref<driver::ClContext> context_below(int index, const SyclDevice& on, const sycl::context& context,
                                     const std::string& name) {
  if (!on.below) return nullptr;
  const cl_context handle =
      sycl_call("sycl::get_native", [&] { return sycl::get_native<opencl>(context); });
  const driver::Owned reference(on.below->platform.api.clReleaseContext, handle);
  return make_ref<driver::ClContext>(Device("sycl", index), handle, *on.below, name);
}

Ref<driver::ClQueue> queue_below(SyclContext& context, const sycl::queue& queue) {
  if (!context.below) return nullptr;
  const cl_command_queue handle =
      sycl_call("sycl::get_native", [&] { return sycl::get_native<opencl>(queue); });
  const driver::Owned reference(context.below->api().clReleaseCommandQueue, handle);
  return make_ref<driver::ClQueue>(context.below, handle);
}

sycl::queue make_queue(const SyclContext& context) {
  return sycl_call("sycl::queue", [&] {
    return sycl::queue(context.object, context.on.device, sycl::property::queue::in_order{});
  });
}

/// What identifies a context among those that share memory: the cl_context, or SYCL's own object.
std::uintptr_t space_of(const SyclDevice& on, const sycl::context& context) {
  if (!on.below) return std::hash<sycl::context>()(context);
  const cl_context handle =
      sycl_call("sycl::get_native", [&] { return sycl::get_native<opencl>(context); });
  call_to_release([&] { on.below->platform.api.clReleaseContext(handle); });
  return number_of(handle);
}

/// What a device starts with. Leaked: nothing of a driver is torn down at exit.
struct Default {
  Ref<SyclContext> context;
  Ref<SyclQueue> queue;
};

Default& default_at(int index) {
  const SyclDevice& on = device_at(index);
  static auto& all = *new std::vector<Once<Default>>(devices().size());
  return all[static_cast<std::size_t>(index)].get([&] {
    const sycl::context native = sycl_call("sycl::platform::khr_get_default_context", [&] {
      return on.device.get_platform().khr_get_default_context();
    });
    auto context = make_ref<SyclContext>(
        index, native, format("the default context of {}", Device("sycl", index)));
    auto queue = make_ref<SyclQueue>(context);
    return std::make_unique<Default>(std::move(context), std::move(queue));
  });
}

/// Users' contexts, without holding them; a key is found again while its wrapper lives.
struct Wrappers {
  std::mutex lock;
  std::map<std::pair<std::uintptr_t, int>, SyclContext*> contexts;
};

Wrappers& wrappers() {
  static Wrappers& w = *new Wrappers;
  return w;
}

class UserContext final : public SyclContext {
 public:
  using SyclContext::SyclContext;
  ~UserContext() override {
    if (is_orphaned()) return;  // the lock may be held by a thread that is not here
    std::lock_guard guard(wrappers().lock);
    const auto known = wrappers().contexts.find({space, device.index()});
    if (known != wrappers().contexts.end() && known->second == this)
      wrappers().contexts.erase(known);
  }
};

}  // namespace

SyclContext::SyclContext(int index, const sycl::context& context, std::string name)
    : BackendContext(Device("sycl", index), space_of(device_at(index), context), std::move(name)),
      object(context),
      on(device_at(index)),
      below(context_below(index, on, context, this->name)) {}

const sycl::queue& SyclContext::service() {
  return service_.get([&] { return std::make_unique<sycl::queue>(make_queue(*this)); });
}

SyclQueue::SyclQueue(Ref<SyclContext> own)
    : BackendQueue(own, own->native, true),
      object(make_queue(*own)),
      below(queue_below(*own, object)),
      of_sycl(below),
      is_foreign(false),
      has_users(false) {
  is_private = true;
  if (below) timeline = below->timeline;
}

SyclQueue::SyclQueue(Ref<SyclContext> of, const sycl::queue& queue)
    : BackendQueue(of, std::hash<sycl::queue>()(queue), queue.is_in_order()),
      object(queue),
      below(of->below ? queue_below(*of, of->service()) : nullptr),
      of_sycl(queue_below(*of, queue)),
      is_foreign(true),
      has_users(true) {
  if (below) timeline = below->timeline;
}

bool SyclEvent::is_done() noexcept {
  if (has_failed()) return true;
  try {
    return object.get_info<sycl::info::event::command_execution_status>() ==
           sycl::info::event_command_status::complete;
  } catch (const std::exception&) {
    has_failed_.store(true);
    return true;
  }
}

void SyclEvent::wait() {
  try {
    sycl_call("sycl::event::wait_and_throw", [&] { object.wait_and_throw(); });
  } catch (const Error&) {
    has_failed_.store(true);
    throw;
  }
}

/// SYCL's objects are a std::shared_ptr: what it counts with is of a class of libsycl's own.
void check_object(const char* what, std::uintptr_t address) {
  struct Parts {
    const void *object, *counts;
  };
  const auto* parts = reinterpret_cast<const Parts*>(address);
  const auto is_sycls = [](const void* table) {
    Dl_info found{};
    return dladdr(table, &found) && found.dli_fname && std::strstr(found.dli_fname, "/libsycl.so");
  };
  const bool is_object = is_readable(parts, sizeof *parts) &&
                         is_readable(parts->object, sizeof(void*)) &&
                         is_readable(parts->counts, sizeof(void*)) &&
                         is_sycls(*static_cast<const void* const*>(parts->counts));
  check(is_object, Errc::exchange, "{} is not the address of {}",
        reinterpret_cast<const void*>(address), what);
}

SyclContext& native(BackendContext& context) {
  auto* own = dynamic_cast<SyclContext*>(&context);
  check(own, Errc::exchange, "sycl: {} is of another backend", context.name);
  return *own;
}

SyclQueue& native(BackendQueue& queue) {
  check(queue.context->device.backend() == "sycl", Errc::exchange,
        "sycl: a queue of {} cannot run this", queue.context->device);
  return static_cast<SyclQueue&>(queue);
}

Ref<SyclContext> default_context(int index) { return default_at(index).context; }
Ref<SyclQueue> default_queue(int index) { return default_at(index).queue; }

Ref<SyclContext> context_of(const sycl::context& context, int index) {
  const Unblocked unblocked;  // while the lock is held, nobody may wait for Python's
  for (const sycl::device& device : context.get_devices())
    if (index < 0) index = index_of(device);
  check(index >= 0, Errc::exchange,
        "sycl: the context has no root device with USM (sub-devices are not supported)");
  const SyclDevice& on = device_at(index);
  const std::uintptr_t space = space_of(on, context);
  if (auto own = default_context(index); own->space == space) return own;
  std::lock_guard guard(wrappers().lock);
  SyclContext*& known = wrappers().contexts[{space, index}];
  if (known && known->try_hold()) return Ref<SyclContext>::take(known);
  known = new UserContext(index, context,
                          format("a user's context {} of {}", reinterpret_cast<const void*>(space),
                                 Device("sycl", index)));
  return Ref<SyclContext>::take(known);
}

Ref<Event> wrap(const SyclQueue& queue, sycl::event event) {
  const SyclContext& context = queue.sycl_context();
  // What SYCL still holds back, behind a host task, has no handle, and asking for it crashes. It
  // says "submitted" like much that has one; whoever needs it then waits on the host.
  const bool has_handle = sycl_call("sycl::event::get_info", [&] {
    return event.get_info<sycl::info::event::command_execution_status>() ==
           sycl::info::event_command_status::running;
  });
  if (context.below && has_handle) {
    auto handles = sycl_call("sycl::get_native", [&] { return sycl::get_native<opencl>(event); });
    const driver::Api& api = context.below->api();
    if (handles.size() == 1)
      return make_ref<driver::ClEvent>(api, context.space,
                                       driver::Owned(api.clReleaseEvent, handles[0]));
    for (const cl_event handle : handles) call_to_release([&] { api.clReleaseEvent(handle); });
  }
  return make_ref<SyclEvent>(std::move(event));
}

std::vector<sycl::event> wait_list(const SyclContext& context, std::span<const Ref<Event>> waits) {
  std::vector<sycl::event> list;
  for (const Ref<Event>& event : waits) {
    if (!event) continue;
    if (auto* own = dynamic_cast<SyclEvent*>(event.get()); own) {
      list.push_back(own->object);
      continue;
    }
    const std::uintptr_t handle = event->is_done() ? 0 : event->native_in(context.space);
    if (handle)
      list.push_back(sycl_call("sycl::make_event", [&] {
        return sycl::make_event<opencl>({reinterpret_cast<cl_event>(handle)}, context.object);
      }));
    else
      event->wait();
  }
  return list;
}

Ref<Event> barrier(SyclQueue& queue, std::span<const Ref<Event>> waits) {
  if (queue.below && !queue.has_users) return driver::barrier(*queue.below, waits);
  const std::vector<sycl::event> list = wait_list(queue.sycl_context(), waits);
  sycl::event event = sycl_call("sycl::queue::ext_oneapi_submit_barrier", [&] {
    if (!list.empty()) queue.object.ext_oneapi_submit_barrier(list);
    return queue.object.ext_oneapi_submit_barrier();
  });
  if (queue.of_sycl) driver::flush(*queue.of_sycl);
  return wrap(queue, std::move(event));
}

}  // namespace isthmus::sycl_usm
