// objects.h: what all objects of the null driver have in common.
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>

#include "isthmus/runtime/call.h"

namespace isthmus::null {

inline constexpr int recording = 0, executing = 1, discrete = 2, device_count = 3;

/// Throws launch while a test has the device lost.
void require_device(int device);
void set_lost(int device, bool is_lost);

/// Base of what live_objects() counts.
class Alive {
 public:
  Alive() { ++count(); }
  Alive(const Alive&) = delete;
  ~Alive() { --count(); }
  static std::atomic<std::int64_t>& count();
};

/// Native objects by handle, as a driver's handles name them.
template <class T>
class Handles {
 public:
  std::uintptr_t add(std::shared_ptr<T> object) {
    std::lock_guard lock(lock_);
    const auto handle = reinterpret_cast<std::uintptr_t>(object.get());
    objects_[handle] = std::move(object);
    return handle;
  }
  /// Throws exchange if there is no such handle.
  std::shared_ptr<T> find(std::uintptr_t handle, const char* what) {
    std::lock_guard lock(lock_);
    const auto found = objects_.find(handle);
    check(found != objects_.end(), Errc::exchange, "null: {} is not a {} of this driver", handle,
          what);
    return found->second;
  }
  void drop(std::uintptr_t handle) {
    std::shared_ptr<T> last;  // dropped without the lock
    std::lock_guard lock(lock_);
    if (const auto found = objects_.find(handle); found != objects_.end()) {
      last = std::move(found->second);
      objects_.erase(found);
    }
  }

 private:
  std::mutex lock_;
  std::map<std::uintptr_t, std::shared_ptr<T>> objects_;
};

}  // namespace isthmus::null
