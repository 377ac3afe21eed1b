// devices.cpp: the list of devices, default contexts, and wrappers of users' contexts.
#include "isthmus/backend/opencl/devices.h"

#include <algorithm>
#include <map>

#include "isthmus/base/error.h"
#include "isthmus/opencl_driver/lend_context.h"
#include "isthmus/runtime/devices/registry.h"

namespace isthmus::opencl {

using detail::format;

namespace {

using driver::Api;
using driver::invoke;
using driver::Owned;
using driver::Platform;

/// CPUs come last, and what has no USM after what has.
int rank_of(const ClDevice& device) { return 2 * device.is_cpu + !device.has_usm; }

std::vector<cl_device_id> devices_of(const Platform& platform) {
  cl_uint count = 0;
  const Api& api = platform.api;
  const cl_int status = call("clGetDeviceIDs", [&] {
    return api.clGetDeviceIDs(platform.id, CL_DEVICE_TYPE_ALL, 0, nullptr, &count);
  });
  if (status == CL_DEVICE_NOT_FOUND || count == 0) return {};
  std::vector<cl_device_id> ids(count);
  invoke("clGetDeviceIDs", api.clGetDeviceIDs, platform.id, cl_device_type{CL_DEVICE_TYPE_ALL},
         count, ids.data(), nullptr);
  return ids;
}

/// What a device starts with. Leaked: nothing of a driver is torn down at exit.
struct Default {
  Ref<ClContext> context;
  Ref<ClQueue> queue;
};

Once<Default>& default_at(int index) {
  device_at(index);
  static auto& all = *new std::vector<Once<Default>>(devices().size());
  return all[static_cast<std::size_t>(index)];
}

/// The context that another API uses on this device; null if none does.
cl_context borrowed_context(const ClDevice& device) {
  for (const std::string& name : backend_names()) try {
      if (name == "opencl") continue;
      const auto* lender = static_cast<const driver::LendsContexts*>(
          backend(name).library(0, driver::lends_contexts));
      if (cl_context context = lender ? lender->find(device.id) : nullptr) return context;
    } catch (const Error& error) {
      if (error.code() != Errc::backend_unavailable) throw;
    }
  return nullptr;
}

Owned<cl_context> make_context(const ClDevice& device) {
  const cl_context_properties properties[] = {
      CL_CONTEXT_PLATFORM, reinterpret_cast<cl_context_properties>(device.platform.id), 0};
  const Api& api = device.platform.api;
  return Owned(api.clReleaseContext,
               driver::make("clCreateContext", api.clCreateContext, +properties, cl_uint{1},
                            &device.id, nullptr, nullptr));
}

std::unique_ptr<Default> make_default(int index) {
  const ClDevice& device = device_at(index);
  const cl_context borrowed = borrowed_context(device);
  Owned<cl_context> own(device.platform.api.clReleaseContext);
  if (!borrowed) own = make_context(device);
  const Device name("opencl", index);
  auto context = make_ref<ClContext>(name, borrowed ? borrowed : own.get(), device,
                                     format("the default context of {}", name));
  auto queue = make_ref<ClQueue>(context, driver::make_queue(*context).get());
  queue->is_private = true;
  return std::make_unique<Default>(std::move(context), std::move(queue));
}

Default& made_default(int index) {
  return default_at(index).get([&] { return make_default(index); });
}

/// Users' contexts by handle and device, without holding them.
struct Wrappers {
  std::mutex lock;
  std::map<std::pair<cl_context, cl_device_id>, ClContext*> contexts;
};

Wrappers& wrappers() {
  static Wrappers& w = *new Wrappers;
  return w;
}

class UserContext final : public ClContext {
 public:
  using ClContext::ClContext;
  ~UserContext() override {
    if (is_orphaned()) return;  // the lock may be held by a thread that is not here
    std::lock_guard guard(wrappers().lock);
    const auto known = wrappers().contexts.find({handle, on.id});
    if (known != wrappers().contexts.end() && known->second == this)
      wrappers().contexts.erase(known);
  }
};

int index_of(cl_device_id id) {
  const auto& all = devices();
  const auto found = std::ranges::find(all, id, &ClDevice::id);
  return found == all.end() ? -1 : static_cast<int>(found - all.begin());
}

}  // namespace

const std::vector<const ClDevice*>& devices() {
  static auto& all = *new Once<std::vector<const ClDevice*>>;
  return all.get([] {
    auto made = std::make_unique<std::vector<const ClDevice*>>();
    for (const Platform* platform : driver::platforms())
      for (const cl_device_id id : devices_of(*platform))
        made->push_back(new ClDevice(driver::describe(id)));
    std::ranges::stable_sort(*made, {}, [](const ClDevice* d) { return rank_of(*d); });
    return made;
  });
}

const ClDevice& device_at(int index) {
  const auto& all = devices();
  check(index >= 0 && static_cast<std::size_t>(index) < all.size(), Errc::device_not_found,
        "opencl: there is no device {}; there are {}", index, all.size());
  return *all[static_cast<std::size_t>(index)];
}

bool is_listed(cl_device_id id) { return index_of(id) >= 0; }

int find_device(std::string_view selector) {
  const auto colon = selector.find(':');
  const std::string_view kind = selector.substr(0, colon);
  int skip = 0;
  if (colon != selector.npos) {
    const char* const end = selector.data() + selector.size();
    const auto read = std::from_chars(selector.data() + colon + 1, end, skip);
    if (read.ec != std::errc() || read.ptr != end) skip = -1;
  }
  const auto& all = devices();
  for (std::size_t i = 0; i < all.size(); ++i)
    if (all[i]->kind == kind && skip-- == 0) return static_cast<int>(i);
  fail(Errc::device_not_found, "there is no such device");
}

Ref<ClContext> default_context(int index) { return made_default(index).context; }
Ref<ClQueue> default_queue(int index) { return made_default(index).queue; }

Ref<ClContext> context_of(cl_context handle, cl_device_id device) {
  check(handle != nullptr, Errc::exchange, "opencl: 0 is not a context");
  const Unblocked unblocked;  // while the lock is held, nobody may wait for Python's
  const Api& api = **reinterpret_cast<const Api* const*>(handle);
  std::size_t bytes = 0;
  const cl_int status = call("clGetContextInfo", [&] {
    return api.clGetContextInfo(handle, CL_CONTEXT_DEVICES, 0, nullptr, &bytes);
  });
  check(status != CL_INVALID_CONTEXT, Errc::exchange, "opencl: {} is not a cl_context",
        static_cast<const void*>(handle));
  if (status != CL_SUCCESS) driver::fail_with("clGetContextInfo", status);
  std::vector<cl_device_id> of_context(bytes / sizeof(cl_device_id));
  invoke("clGetContextInfo", api.clGetContextInfo, handle, cl_context_info{CL_CONTEXT_DEVICES},
         bytes, static_cast<void*>(of_context.data()), nullptr);
  int index = -1;
  for (const cl_device_id id : of_context)
    if (index < 0 && (!device || id == device)) index = index_of(id);
  check(index >= 0, Errc::exchange,
        "opencl: the context has no device that this library lists (sub-devices are not)");
  if (const Default* own = default_at(index).find(); own && own->context->handle == handle)
    return own->context;
  const ClDevice& on = device_at(index);
  std::lock_guard guard(wrappers().lock);
  ClContext*& known = wrappers().contexts[{handle, on.id}];
  if (known && known->try_hold()) return Ref<ClContext>::take(known);
  const Device name("opencl", index);
  known = new UserContext(name, handle, on, format("a user's context {} of {}", handle, name));
  return Ref<ClContext>::take(known);
}

}  // namespace isthmus::opencl
