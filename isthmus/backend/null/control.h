// control.h: what a test may do to the null backend.
#pragma once

#include <cstddef>
#include <cstdint>

namespace isthmus::null {

/// The table that `library(device, "null.control")` returns. Handles are those that adopt_queue,
/// adopt_context and adopt_event take; who made one drops it.
struct Control {
  /// The `nth` driver call from now fails (1 is the next, 0 none), and all after it if sticky. The
  /// code is an isthmus::Errc: launch or out_of_memory. Counts calls of all drivers.
  void (*set_fail_at)(std::int64_t nth, bool is_sticky, int code);
  std::int64_t (*calls_so_far)();
  /// The same for commands while they run on a queue: their event fails.
  void (*set_command_fail_at)(std::int64_t nth, bool is_sticky, int code);
  std::int64_t (*commands_so_far)();
  /// Called before every driver call on the thread that makes it. Null: none.
  void (*set_hook)(void (*hook)(const char* name));

  /// Lines that null:0 recorded; copies at most `capacity` bytes and returns how many there are.
  std::size_t (*records)(char* text, std::size_t capacity);
  void (*clear_records)();

  /// Delays of null:2 from here on; at first ISTHMUS_NULL_SEED, or a fixed number.
  void (*set_seed)(std::uint64_t seed);
  /// The longest delay before or after a command of null:2; 300 at first.
  void (*set_delay)(std::int64_t microseconds);

  std::uintptr_t (*make_context)(int device);
  void (*drop_context)(std::uintptr_t context);
  /// On a context of make_context, or the device's default one if `context` is 0.
  std::uintptr_t (*make_queue)(int device, std::uintptr_t context, bool is_in_order);
  void (*drop_queue)(std::uintptr_t queue);
  void (*drop_event)(std::uintptr_t event);

  /// Allocations, kernels, events, queues and contexts that exist, without default ones.
  std::int64_t (*live_objects)();

  /// From here on a device refuses all work, and what it had not done fails; or it is back.
  void (*set_lost)(int device, bool is_lost);
};

}  // namespace isthmus::null
