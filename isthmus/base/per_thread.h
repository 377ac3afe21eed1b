// per_thread.h: objects of a thread that may be asked for until the process ends.
#pragma once

#include <utility>

#include "isthmus/base/export.h"

namespace isthmus::inline ISTHMUS_ABI::detail {

/// Calls `end(object)` when this thread ends, the last one first; not at all if it is ending.
ISTHMUS_EXPORT void at_thread_end(void (*end)(void*), void* object);

/// An object of each thread, made when it is first asked for and destroyed when the thread ends: to
/// be declared `constinit thread_local`. Destructors of static objects and handlers of `atexit` run
/// on the main thread after that, where a thread_local object itself would be used after its end.
/// Who asks there gets a new one, which stays.
template <class T>
class PerThread {
 public:
  T& operator*() { return made_ ? *made_ : make(); }
  T* operator->() { return &**this; }
  /// Null until it has been asked for.
  T* get() const { return made_; }

 private:
  [[gnu::noinline]] T& make() {
    at_thread_end(
        [](void* self) { delete std::exchange(static_cast<PerThread*>(self)->made_, nullptr); },
        this);
    made_ = new T();
    return *made_;
  }

  T* made_ = nullptr;
};

}  // namespace isthmus::inline ISTHMUS_ABI::detail
