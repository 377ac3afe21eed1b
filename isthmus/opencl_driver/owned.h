// owned.h: a handle of OpenCL until it has another owner.
#pragma once

#include <utility>

#include "isthmus/runtime/call.h"

namespace isthmus::driver {

/// Gives a handle back with its clRelease function, unless somebody takes it before.
template <class T>
class Owned {
 public:
  using Release = cl_int(T);
  explicit Owned(Release* release, T handle = nullptr) : release_(release), handle_(handle) {}
  Owned(Owned&& other) noexcept : release_(other.release_), handle_(other.take()) {}
  Owned& operator=(Owned&& other) noexcept {
    reset(other.take());
    return *this;
  }
  ~Owned() { reset(); }

  T get() const { return handle_; }
  explicit operator bool() const { return handle_ != nullptr; }
  T take() { return std::exchange(handle_, nullptr); }
  void reset(T handle = nullptr) {
    const T old = std::exchange(handle_, handle);
    if (old) call_to_release([&] { release_(old); });
  }

 private:
  Release* release_;
  T handle_;
};

}  // namespace isthmus::driver
