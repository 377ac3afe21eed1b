// executor.h: threads for host work.
#pragma once

#include <concepts>
#include <cstdint>
#include <type_traits>

#include "isthmus/base/export.h"

namespace isthmus::inline ISTHMUS_ABI {

/// A borrowed callable of (begin, end); no allocation, must outlive the call.
class ChunkFunction {
 public:
  template <class F>
    requires(!std::same_as<std::remove_const_t<F>, ChunkFunction>)
  ChunkFunction(F& f)  // NOLINT: a borrowed callable is one
      : object_(const_cast<void*>(static_cast<const void*>(&f))),
        call_([](void* object, std::int64_t begin, std::int64_t end) {
          (*static_cast<F*>(object))(begin, end);
        }) {}
  void operator()(std::int64_t begin, std::int64_t end) const { call_(object_, begin, end); }

 private:
  void* object_;
  void (*call_)(void*, std::int64_t, std::int64_t);
};

/// Calls `f` on chunks of [0, count), each of at most `grain` items and starting at a multiple of
/// it, on several threads, the caller's among them; returns when all are done. A thread has
/// adjacent chunks, the same in every loop of as many, and then takes some of those that others
/// have not begun. One chunk runs on the caller alone. `f` must not throw. Inside an Interruptible
/// the caller listens for signals between its chunks: throws interrupted then, and chunks that had
/// not begun never do.
ISTHMUS_EXPORT void parallel_for(std::int64_t count, std::int64_t grain, ChunkFunction f);

/// Threads that parallel_for uses, the caller included. ISTHMUS_NUM_THREADS sets the first value.
ISTHMUS_EXPORT int thread_count();
/// Throws value if `count` is less than 1.
ISTHMUS_EXPORT void set_thread_count(int count);

}  // namespace isthmus::inline ISTHMUS_ABI
