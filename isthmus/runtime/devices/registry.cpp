// registry.cpp: loads the modules of the folder backends/ near libisthmus.so.
#include "isthmus/runtime/devices/registry.h"

#include <dlfcn.h>
#include <pthread.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <map>
#include <mutex>

#include "isthmus/base/environment.h"
#include "isthmus/base/error.h"
#include "isthmus/base/generation.h"
#include "isthmus/base/log.h"
#include "isthmus/base/mutex.h"
#include "isthmus/base/per_thread.h"
#include "isthmus/base/words.h"
#include "isthmus/runtime/libraries/vendor.h"
#include "isthmus/runtime/libraries/vendor_libraries.h"
#include "isthmus/runtime/submit/thread_scopes.h"

namespace isthmus::inline ISTHMUS_ABI {

using detail::format;

Kernel::~Kernel() = default;
Backend::~Backend() = default;

const std::vector<Parameter>& Kernel::parameters(std::string_view entry) {
  fail(Errc::value, "the program has no kernel '{}'", entry);
}
KernelNeeds Kernel::needs(std::string_view entry) {
  fail(Errc::value, "the program has no kernel '{}'", entry);
}
const Traits& Backend::traits(int) {
  static constexpr Traits none{.dialect = Dialect::tape};
  return none;
}
Compiled Backend::compile(BackendContext& context, int, const KernelText&) {
  fail(Errc::unsupported, "{}: programs are interpreted, not compiled", context.device);
}
Ref<Kernel> Backend::load(BackendContext&, int, const KernelText&, std::string_view) {
  return nullptr;
}
Ref<Event> Backend::enqueue(BackendQueue& queue, Kernel&, std::span<const KernelCall>,
                            std::span<const Ref<Event>>) {
  fail(Errc::unsupported, "{}: runs programs, not kernels", queue.context->device);
}
Ref<Event> Backend::launch(BackendQueue& queue, Kernel*, const Program&, const Launch&,
                           std::span<const Ref<Event>>) {
  fail(Errc::unsupported, "{}: runs kernels, not programs", queue.context->device);
}

std::uintptr_t Backend::export_context(BackendContext& context) {
  fail(Errc::exchange, "{} has no handle to export", context.name);
}
std::uintptr_t Backend::queue_handle(BackendQueue& queue) {
  fail(Errc::exchange, "queues of {} have no handle to export", queue.context->device);
}
std::uintptr_t Backend::export_queue(BackendQueue& queue) { return queue_handle(queue); }
PointerInfo Backend::query_buffer(BackendContext& context, std::uintptr_t) {
  fail(Errc::exchange, "{} has no buffer handles", context.name);
}
Ref<BackendContext> Backend::context_of_buffer(std::uintptr_t handle) {
  fail(Errc::exchange, "{} has no buffer handles, such as {}", name(),
       reinterpret_cast<const void*>(handle));
}
Ref<BackendQueue> Backend::make_queue(const Ref<BackendContext>& context) {
  fail(Errc::exchange, "{} does not accept further queues", context->name);
}
void Backend::hold_buffer(std::uintptr_t handle) {
  fail(Errc::exchange, "{} has no buffer handles, such as {}", name(),
       reinterpret_cast<const void*>(handle));
}
void Backend::drop_buffer(std::uintptr_t) noexcept {}
void Backend::check_queue(std::uintptr_t) {}
void Backend::check_buffer(std::uintptr_t) {}
Ref<BackendContext> Backend::context_in(std::uintptr_t) { return nullptr; }
void Backend::drop_context(std::uintptr_t) noexcept {}
void Backend::drop_queue(std::uintptr_t) noexcept {}

int Backend::find_device(std::string_view selector) {
  int index = 0;
  const char* end = selector.data() + selector.size();
  const auto [at, error] = std::from_chars(selector.data(), end, index);
  const bool is_index = error == std::errc() && at == end;
  check(is_index && index >= 0 && index < device_count(), Errc::device_not_found,
        "there is no such device");
  return index;
}

namespace {

namespace fs = std::filesystem;

/// "cpu, opencl".
std::string comma_separated(const std::vector<std::string>& words) {
  std::string list;
  for (const std::string& word : words) list += format("{}{}", list.empty() ? "" : ", ", word);
  return list;
}

/// A module and what came of it. It is opened without the registry's lock, by whoever asks first:
/// what a driver does meanwhile may take long, and a fork must not meet the lock held.
struct Loaded {
  enum Step : int { closed, opening, opened };
  std::string name;
  std::atomic<Step> step{closed};
  std::uint32_t generation = 0;  ///< Of the process that opens it. Under the registry's lock.
  Backend* backend = nullptr;
  std::string reason;
};

/// Leaked: backends are never destroyed, since their drivers may be gone first.
struct State {
  Mutex lock;
  std::vector<Loaded*> loaded;
  Device default_device;
  bool has_default = false;
};

State& state() {
  static State& s = *new State;
  return s;
}

/// A child must not inherit the list in the middle of a change.
[[maybe_unused]] const int registry_at_fork = pthread_atfork(
    [] { state().lock.lock(); }, [] { state().lock.unlock(); }, [] { state().lock.unlock(); });

/// Beside the library in a wheel and in a build tree; in an installation in the folder of its own.
fs::path modules_folder() {
  Dl_info here;
  if (!dladdr(reinterpret_cast<const void*>(&modules_folder), &here) || !here.dli_fname) return {};
  const fs::path folder = fs::absolute(here.dli_fname).parent_path();
  std::error_code ignored;  // what cannot be seen is not there
  const fs::path installed = folder / "isthmus" / "backends";
  return fs::exists(installed, ignored) ? installed : folder / "backends";
}

/// Whether it may be the name of a backend, and is no path.
bool is_name(std::string_view name) {
  const auto fits = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
  };
  return !name.empty() && std::ranges::all_of(name, fits);
}

/// The file of a module; those for tests lie in a folder that no list looks into, and nobody else
/// who does not ask for them.
fs::path file_of(std::string_view name) {
  const fs::path folder = modules_folder(), file = std::string(name) + ".so";
  if (variable("ISTHMUS_TEST_BACKENDS") != "1") return folder / file;
  std::error_code ignored;  // what cannot be seen is not there
  const fs::path unlisted = folder / "unlisted" / file;
  return fs::exists(unlisted, ignored) ? unlisted : folder / file;
}

void open(Loaded& entry) {
  if (!is_backend_wanted(entry.name)) {
    entry.reason = "left out by ISTHMUS_BACKENDS";
    return;
  }
  if (!is_name(entry.name)) {
    entry.reason = "it is not a valid backend name";
    return;
  }
  const fs::path file = file_of(entry.name);
  if (!fs::exists(file)) {
    entry.reason = format("there is no {}", file.string());
    return;
  }
  if (entry.name != Device().backend()) set_up_vendor_runtimes();
  std::string reason;
  void* module = open_library(file, reason);
  if (!module) {
    entry.reason = format("{}; {}", reason, detail::format(words().find_libraries, entry.name));
    return;
  }
  const auto* symbol = static_cast<const BackendModule*>(dlsym(module, "isthmus_backend"));
  if (!symbol || symbol->interface != backend_interface) {
    entry.reason = format("{} has interface {}; this library needs {}", file.string(),
                          symbol ? symbol->interface : 0, backend_interface);
    return;
  }
  try {
    entry.backend = symbol->make();
  } catch (const Error& error) {
    entry.reason = error.what();
  }
}

/// Needs the lock.
Loaded& entry_of(std::string_view name) {
  auto& loaded = state().loaded;
  for (Loaded* entry : loaded)
    if (entry->name == name) return *entry;
  auto entry = std::make_unique<Loaded>();
  entry->name = name;
  loaded.push_back(entry.get());
  return *entry.release();
}

/// Whether this thread is the one to open it; what a thread of the parent process was opening when
/// it forked is opened again.
bool is_ours_to_open(Loaded& entry) {
  const std::lock_guard lock(state().lock);
  if (entry.step == Loaded::opened) return false;
  if (entry.step == Loaded::opening && entry.generation == generation()) return false;
  entry.generation = generation();
  entry.step = Loaded::opening;
  return true;
}

Loaded& find(std::string_view name) {
  Loaded& entry = [&]() -> Loaded& {
    const std::lock_guard lock(state().lock);
    return entry_of(name);
  }();
  while (entry.step.load(std::memory_order_acquire) != Loaded::opened) {
    if (!is_ours_to_open(entry)) {
      entry.step.wait(Loaded::opening);
      continue;
    }
    const auto leave = [&](Loaded::Step step) {
      entry.step = step;
      entry.step.notify_all();
    };
    try {
      open(entry);
    } catch (...) {  // no memory for a reason: the next who asks tries again
      leave(Loaded::closed);
      throw;
    }
    leave(Loaded::opened);
    if (entry.backend)
      detail::log(Channel::runtime, Level::info, "backend '{}': loaded", name);
    else
      detail::log(Channel::runtime, Level::info, "backend '{}': absent: {}", name, entry.reason);
  }
  return entry;
}

}  // namespace

static bool is_loaded(std::string_view name) {
  const std::lock_guard lock(state().lock);
  return std::ranges::any_of(state().loaded, [&](const Loaded* entry) {
    return entry->name == name && entry->step == Loaded::opened && entry->backend;
  });
}

Backend& backend(std::string_view name) {
  // The host's own is loaded with the first of the others: in a forked child it alone works, and to
  // load it there can fail where a thread of the parent was loading something.
  static const std::string_view host = Device().backend();
  if (name != host && !is_loaded(name)) find(host);
  Loaded& entry = find(name);
  check(entry.backend, Errc::backend_unavailable, "backend '{}': {}", name, entry.reason);
  return *entry.backend;
}

/// Every operation asks, some of them several times: the last few are found by the name's address.
Backend& backend(const Device& device) {
  struct Known {
    std::atomic<const char*> name;
    std::atomic<Backend*> backend;
  };
  static constinit Known known[8] = {};
  const char* const name = device.backend().data();
  for (Known& slot : known) {
    const char* slot_name = slot.name.load(std::memory_order_acquire);
    if (slot_name == name)
      if (Backend* found = slot.backend.load(std::memory_order_acquire)) return *found;
    if (!slot_name) break;
  }
  Backend& found = backend(device.backend());
  for (Known& slot : known) {
    const char* free = nullptr;
    if (!slot.name.compare_exchange_strong(free, name) && free != name) continue;
    slot.backend.store(&found, std::memory_order_release);
    break;
  }
  return found;
}

std::vector<std::string> backend_names() {
  std::vector<std::string> names;
  std::error_code ignored;  // no folder, no modules
  for (const auto& file : fs::directory_iterator(modules_folder(), ignored))
    if (file.path().extension() == ".so") names.push_back(file.path().stem());
  std::ranges::sort(names, {}, [](const std::string& n) { return std::pair(n != "cpu", n); });
  return names;
}

bool has_backend(std::string_view name) {
  std::error_code ignored;  // what cannot be seen is not there
  return is_name(name) && fs::exists(file_of(name), ignored);
}

bool is_backend_wanted(std::string_view name) {
  const std::string wanted = variable("ISTHMUS_BACKENDS");
  if (wanted.empty()) return true;
  const std::vector<std::string> known = backend_names();
  bool is_named = name == "cpu";
  for (std::string_view list = wanted; !list.empty();) {
    const auto comma = list.find(',');
    std::string_view word = list.substr(0, comma);
    while (word.starts_with(' ')) word.remove_prefix(1);
    while (word.ends_with(' ')) word.remove_suffix(1);
    is_named = is_named || word == name;
    if (!has_backend(word))
      warn_of_setting(format(
          "ISTHMUS_BACKENDS: '{}' in '{}' is not a backend of this package; the backends are {}",
          word, wanted, comma_separated(known)));
    list.remove_prefix(comma == list.npos ? list.size() : comma + 1);
  }
  return is_named;
}

const DeviceInfo& Device::info() const {
  Backend& b = isthmus::backend(*this);
  check(index_ >= 0 && index_ < b.device_count(), Errc::device_not_found,
        "info: device '{}': backend '{}' has {} devices", *this, b.name(), b.device_count());
  return b.describe(index_);
}

std::vector<Device> devices() { return find_devices().devices; }

Devices find_devices() {
  Devices found;
  for (const std::string& name : backend_names()) {
    try {
      Backend& b = backend(name);
      const int count = b.device_count();
      for (int i = 0; i < count; ++i) found.devices.emplace_back(name, i);
      if (!count) found.absences.push_back({name, "it has no devices"});
      detail::log(Channel::runtime, Level::info, "backend '{}': {} devices", name, count);
    } catch (const Error& error) {
      detail::log(Channel::runtime, Level::info, "backend '{}': absent: {}", name, error.what());
      found.absences.push_back({name, error.what()});
    }
  }
  return found;
}

/// "opencl:0 (its name), opencl:1 (its name)".
static std::string devices_of(Backend& b) {
  std::vector<std::string> all;
  for (int i = 0; i < b.device_count(); ++i)
    all.push_back(format("{} ({})", Device(b.name(), i), b.describe(i).name));
  return comma_separated(all);
}

Device parse_device(std::string_view text) {
  const auto colon = text.find(':');
  const std::string_view name = text.substr(0, colon);
  // else there is no need to look at the folder
  const bool is_there = is_loaded(name) || has_backend(name);
  const bool is_kind = name == "gpu" || name == "accelerator";
  const bool is_dtype =
      std::ranges::any_of(type_table, [&](const TypeInfo& type) { return type.name == name; });
  check(is_there, Errc::device_not_found,
        "device '{}': there is no backend '{}'; the backends are {}{}", text, name,
        comma_separated(backend_names()),
        is_kind    ? format("; 'opencl:{}' and 'sycl:{}' are the first ones", name, name)
        : is_dtype ? format("; '{}' is a dtype, which has its own parameter", name)
                   : "");
  const std::string_view selector = colon == text.npos ? "0" : text.substr(colon + 1);
  Backend& found = backend(name);
  try {
    return Device(name, found.find_device(selector));
  } catch (const Error& error) {
    if (error.code() != Errc::device_not_found) throw;
    fail(Errc::device_not_found, "device '{}': {}; the devices are {}", text, error.text(),
         devices_of(found));
  }
}

/// An error of the variable's value says where it comes from.
static Device first_default_device() {
  const std::string wanted = variable("ISTHMUS_DEVICE");
  if (wanted.empty()) return Device();
  try {
    return parse_device(wanted);
  } catch (const Error& error) {
    fail(error.code(), "ISTHMUS_DEVICE: {}", error.what());
  }
}

static constinit thread_local detail::PerThread<ThreadScopes<Device>> scoped_devices;

OnDevice::OnDevice(const Device& device) : has_ended_(scoped_devices->begin(device)) {}
OnDevice::~OnDevice() { has_ended_->store(true, std::memory_order_release); }

static std::atomic<DeviceHook> device_hook{nullptr};
void set_device_hook(DeviceHook hook) { device_hook.store(hook); }

Device default_device() {
  if (ThreadScopes<Device>* const scopes = scoped_devices.get())
    if (const Device* device = scopes->innermost()) return *device;
  if (const DeviceHook hook = device_hook.load(std::memory_order_acquire))
    if (const auto device = hook()) return *device;
  State& s = state();
  {
    std::lock_guard lock(s.lock);
    if (s.has_default) return s.default_device;
  }
  const Device device = first_default_device();
  std::lock_guard lock(s.lock);
  s.has_default = true;
  return s.default_device = device;
}

void set_default_device(Device device) {
  State& s = state();
  std::lock_guard lock(s.lock);
  s.default_device = device;
  s.has_default = true;
}

}  // namespace isthmus::inline ISTHMUS_ABI
