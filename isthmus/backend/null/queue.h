// queue.h: threads that run commands, in order or in any order that the events allow.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <vector>

#include "isthmus/backend/null/event.h"

namespace isthmus::null {

/// The driver's context.
struct NativeContext : Alive {
  explicit NativeContext(int device) : device(device) {}
  const int device;
};

/// What a queue has to do. `run` may throw Error: then the event fails.
struct Command {
  std::function<void()> run;
  std::vector<Ref<Event>> waits;      ///< If one fails, so does the command.
  std::vector<Ref<NullEvent>> after;  ///< These need only have ended.
  Ref<NullEvent> event;
};

/// The driver's queue. Its last handle may go at any time, on any thread: what is in it still runs,
/// and its threads, which are never joined, end when it is empty.
class NativeQueue : Alive {
 public:
  NativeQueue(std::shared_ptr<NativeContext> context, bool is_in_order);
  ~NativeQueue();

  /// Puts a command behind the others; its event.
  Ref<NullEvent> enqueue(std::function<void()> run, std::span<const Ref<Event>> waits);
  /// An event behind all that is in the queue and before all that will be.
  Ref<NullEvent> barrier(std::span<const Ref<Event>> waits);
  void finish() noexcept;  ///< Waits until it is empty.

  const std::shared_ptr<NativeContext> context;
  const bool is_in_order;

 private:
  struct State;
  Ref<NullEvent> put(std::function<void()> run, std::vector<Ref<Event>> waits, bool is_barrier);
  const std::shared_ptr<State> state_;
};

/// Delays of the discrete device, and commands that are to fail.
void set_seed(std::uint64_t seed);
void set_delay(std::int64_t microseconds);
Fault& command_fault();

}  // namespace isthmus::null
