// memory.h: one allocation, whoever owns it, and what is known of the work on it.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "isthmus/base/small_vector.h"
#include "isthmus/core/dtype.h"
#include "isthmus/core/late_check.h"
#include "isthmus/core/layout.h"
#include "isthmus/core/queue.h"

namespace isthmus::inline ISTHMUS_ABI {

struct Node;
class BackendMemory;

using Events = SmallVector<Ref<Event>, 4>;
using LateChecks = std::vector<Ref<LateCheck>>;

/// Events of the work on a memory, in a list that somebody else keeps and reads too, as a
/// pyopencl.array.Array does. Called with no lock held: it may want Python's.
class ISTHMUS_EXPORT SharedEvents : public Counted<SharedEvents> {
 public:
  SharedEvents() { count_.fetch_add(1, std::memory_order_release); }
  virtual ~SharedEvents();
  /// Appends those that were entered since the last call. Throws exchange for what is no event.
  virtual void take_new(Events& events) = 0;
  /// Enters an event of ours, or waits for it where that fails; null: the work has ended.
  virtual void add(const Ref<Event>& event) noexcept = 0;
  /// Whether there are any at all: most programs have none.
  static bool exist() noexcept { return count_.load(std::memory_order_acquire) > 0; }

 private:
  static std::atomic<std::int64_t> count_;
};

/// One operand of a pending node, linked to the memory that it will read. Guarded by graph_lock.
struct Reader {
  Reader* next = nullptr;
  Reader** to_this = nullptr;  ///< What points here; null while unlinked.
  Node* node = nullptr;
  BackendMemory* memory = nullptr;  ///< What the operand reads; its activity has the list.
  const Layout* seen = nullptr;     ///< What of it: the operand's or its storage's.
  std::int64_t bytes = 0;           ///< Of one element.
};

/// Work that touched a memory last: what a new writer and a new reader must wait for.
struct Hazards {
  /// Of one memory the last; of memories that turned out to be one, the last of each.
  Events writes;
  Events reads;  ///< Since that write; of a timeline only the last.
};

/// What goes on at some addresses: whoever can reach them, reads them, or has work on them.
struct Activity {
  bool is_foreign = false;   ///< Imported, or its address was given away.
  std::int32_t exports = 0;  ///< Capsules, buffers and objects that show it now.
  Reader* readers = nullptr;
  Hazards hazards;
  /// What its contents rely on. Asked when the writes have ended; dropped without graph_lock.
  LateChecks checks;
  /// Queues of those who were shown it, once for each export that names one: they put work on it
  /// that no event tells us of, until their export ends.
  std::vector<Ref<BackendQueue>> borrowers;
  /// What they were given to know of our work, and to tell us of theirs. Likewise.
  std::vector<Ref<SharedEvents>> borrowers_events;
};

/// Addresses that several memories name: their activity, while any of them lives. Owned by the
/// registry of intervals, so that it keeps no memory and no owner alive.
struct Region : Activity {
  std::vector<BackendMemory*> members;
};

/// One allocation, owned or adopted. Its owner frees it, by the allocator it came from, once our
/// last work on it has ended. All of it but the constants is guarded by graph_lock.
class ISTHMUS_EXPORT BackendMemory : public Counted<BackendMemory> {
 public:
  /// Gives the allocation back. Called once, on any thread, with no lock held, after the work on
  /// it has ended, unless `timeline` says that it has not. Returns whether it kept the object
  /// itself (a pool, which has revived it).
  using Release = bool (*)(BackendMemory&) noexcept;

  BackendMemory(Device device, MemoryKind kind, std::uintptr_t handle, std::size_t bytes);
  ~BackendMemory() = default;

  void drop() noexcept;  ///< Hides Counted::drop: the last one releases, or waits in the reaper.
  using Counted::revive;

  /// What goes on at its addresses: its own, or what it shares with others that overlap it.
  /// Needs graph_lock where others may know the memory.
  Activity& activity() {
    Region* shared = region.load(std::memory_order_acquire);
    return shared ? *shared : own_;
  }
  bool is_host_accessible() const { return host != nullptr; }
  /// Whether somebody else may reach it now. Reading shared memory is never put off.
  bool is_shared() {
    const Activity& a = activity();
    return a.exports > 0 || a.is_foreign;
  }

  const std::uintptr_t handle;  ///< Address, or a cl_mem.
  const std::size_t bytes;
  const Device device;
  const MemoryKind kind;
  bool is_read_only = false;
  /// Reading it on a device takes it from the host meanwhile: readers are noted as writers.
  bool takes_turns = false;
  /// Not tracked, and no event was ever noted: what may be asked without the lock.
  std::atomic<bool> is_quiet{true};
  /// Whether a bool in it may be another byte than 0 and 1, since not only kernels of ours, on
  /// bools, have written it. False in new memory of a pool.
  std::atomic<bool> has_any_bytes{true};
  void* host = nullptr;         ///< Where the host sees it; null where it cannot.
  Ref<BackendContext> context;  ///< Null for plain host memory.
  /// Where its owner puts work on it that no event tells us of; null where that is not known.
  /// Constant once others know the memory.
  Ref<BackendQueue> foreign_queue;
  /// Where its owner enters work on it, and looks for ours; null, and constant, as above.
  Ref<SharedEvents> owners_events;
  std::atomic<bool> is_tracked{false};   ///< In the registry of intervals, see track().
  std::atomic<Region*> region{nullptr};  ///< Shared with others there; null while it is alone.
  std::size_t member = 0;                ///< Its place in there.
  bool is_pooled = false;                ///< `release` only puts it aside.
  /// Put aside before the work on it has ended: the Event::timeline of all of it; else 0.
  std::uint64_t timeline = 0;
  Release release = nullptr;
  void* owner = nullptr;                  ///< For `release`.
  void* first_object = nullptr;           ///< The Python binding's: its first Array of this memory.
  BackendMemory* next_dropped = nullptr;  ///< In the reaper's list.

 private:
  Activity own_;
};

/// Memory with a layout: what protocols and backends exchange.
struct View {
  Ref<BackendMemory> memory;
  DType dtype;
  Layout layout;  ///< Offset in elements from memory->handle plus byte_offset.
  bool is_read_only = false;
};

}  // namespace isthmus::inline ISTHMUS_ABI
