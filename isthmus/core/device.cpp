// device.cpp: interned backend names, and the key functions of the handles.
#include "isthmus/core/device.h"

#include <atomic>
#include <deque>
#include <mutex>

namespace isthmus {

const char Device::host_name[] = "cpu";

static const char* intern(std::string_view name, const char* host_name) {
  if (name == host_name) return host_name;
  static std::mutex mutex;
  static auto& names = *new std::deque<std::string>;  // leaked: devices outlive static teardown
  std::lock_guard lock(mutex);
  for (const std::string& known : names)
    if (known == name) return known.c_str();
  return names.emplace_back(name).c_str();
}

Device::Device(std::string_view backend, int index)
    : backend_(intern(backend, host_name)), index_(index) {}

std::string to_string(const Device& device) {
  if (device.is_host()) return "cpu";
  return format("{}:{}", device.backend(), device.index());
}

Context::~Context() = default;
Event::~Event() = default;
std::uintptr_t Event::native_in(std::uintptr_t) noexcept { return 0; }

static std::atomic<std::uint64_t> queues{0};

Queue::Queue(Ref<Context> context, std::uintptr_t native, bool is_in_order)
    : context(std::move(context)), native(native), is_in_order(is_in_order), id(++queues) {}
Queue::~Queue() = default;

}  // namespace isthmus
