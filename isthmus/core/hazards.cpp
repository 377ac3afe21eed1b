// hazards.cpp: the registry of address intervals, and the reaper.
#include "isthmus/core/hazards.h"

#include <pthread.h>

#include <algorithm>
#include <condition_variable>
#include <deque>
#include <map>
#include <thread>

namespace isthmus {

namespace {

/// Leaked, so that memories that die with the process can still leave it.
struct Registry {
  /// Disjoint intervals of roots by (space, begin); space 0 is the host's and USM's addresses.
  struct Key {
    std::uintptr_t space, begin;
    friend auto operator<=>(const Key&, const Key&) = default;
  };
  struct Interval {
    std::uintptr_t end;
    Memory* root;
    std::int32_t members;
  };
  std::map<Key, Interval> intervals;
};

Registry& registry() {
  static Registry& r = *new Registry;
  return r;
}

/// A child must not inherit a graph in the middle of a change.
[[maybe_unused]] const int at_fork = pthread_atfork(
    [] { graph_lock().lock(); }, [] { graph_lock().unlock(); }, [] { graph_lock().unlock(); });

/// USM and host pointers share the process's addresses; those of a discrete device do not. Each
/// buffer is a space of its own, since its handle says nothing of where its bytes lie.
std::uintptr_t space_of(const Memory& m) {
  if (m.kind == MemoryKind::buffer) return m.handle;
  const bool own = m.kind == MemoryKind::device && !m.host && m.context;
  return own ? m.context->space : 0;
}

std::uintptr_t begin_of(const Memory& m) { return m.kind == MemoryKind::buffer ? 0 : m.handle; }

/// Moves the readers and hazards of `from` to `to`, its new base.
void merge(Memory& from, Memory& to) {
  while (Reader* r = from.readers) {
    unlink(*r);
    push(to.readers, *r);
  }
  to.exports += from.exports;
  to.is_foreign = to.is_foreign || from.is_foreign;
  const auto move_all = [](auto& source, auto& target) {
    target.insert(target.end(), source.begin(), source.end());
    source.clear();
  };
  move_all(from.hazards.writes, to.hazards.writes);
  move_all(from.hazards.reads, to.hazards.reads);
  from.base = Ref<Memory>::share(&to);
}

}  // namespace

Mutex detail::graph_mutex;

void track(Memory& memory) {
  if (memory.is_tracked || memory.bytes == 0) return;
  auto& intervals = registry().intervals;
  const std::uintptr_t space = space_of(memory);
  std::uintptr_t begin = begin_of(memory), end = begin + memory.bytes;
  memory.is_tracked = true;
  memory.is_quiet.store(false, std::memory_order_release);
  auto at = intervals.upper_bound({space, begin});
  if (at != intervals.begin()) {
    const auto before = std::prev(at);
    if (before->first.space == space && before->second.end > begin) at = before;
  }
  Ref<Memory> root;
  SmallVector<Memory*, 4> others;
  std::int32_t members = 1;
  while (at != intervals.end() && at->first.space == space && at->first.begin < end) {
    // one whose last reference is gone, but not yet its work, is waited for, and is no root
    if (!root && at->second.root->try_hold())
      root = Ref<Memory>::take(at->second.root);
    else
      others.push_back(at->second.root);
    begin = std::min(begin, at->first.begin);
    end = std::max(end, at->second.end);
    members += at->second.members;
    at = intervals.erase(at);
  }
  Memory& top = root ? *root : memory;
  for (Memory* other : others) merge(*other, top);
  intervals.emplace(Registry::Key{space, begin}, Registry::Interval{end, &top, members});
  if (root) merge(memory, *root);
}

/// Needs graph_lock: leaves the interval, which goes with its last member.
static void untrack(Memory& memory) {
  if (!memory.is_tracked) return;
  auto& intervals = registry().intervals;
  auto at = std::prev(intervals.upper_bound({space_of(memory), begin_of(memory)}));
  if (--at->second.members == 0) intervals.erase(at);
  memory.is_tracked = false;
}

void link(Reader& reader, Node* node, Memory& memory, const Layout& seen, std::int64_t bytes) {
  Memory& root = memory.root();
  reader.node = node;
  reader.memory = &memory;
  reader.seen = &seen;
  reader.bytes = bytes;
  push(root.readers, reader);
}

void add_waits_for_reading(Memory& memory, Events& waits) {
  for (const auto& write : memory.root().hazards.writes)
    if (!write->is_done() || write->has_failed()) waits.push_back(write);
}

void add_waits_for_writing(Memory& memory, Events& waits) {
  add_waits_for_reading(memory, waits);
  // what a failed reader should have made is lost, but not what it read
  for (const auto& read : memory.root().hazards.reads)
    if (!read.second->is_done()) waits.push_back(read.second);
}

/// Needs graph_lock.
static void forget_ended(Hazards& hazards, Events& trash) {
  std::erase_if(hazards.reads, [&](auto& read) {
    if (!read.second->is_done()) return false;
    trash.push_back(std::move(read.second));
    return true;
  });
}

void note_read(Memory& memory, const Queue* queue, const Ref<Event>& event, Events& trash) {
  if (!event) return;
  if (memory.takes_turns) return note_write(memory, event, trash);
  memory.is_quiet.store(false, std::memory_order_release);
  Hazards& hazards = memory.root().hazards;
  const std::uint64_t id = queue && queue->is_in_order ? queue->id : 0;
  for (auto& read : hazards.reads)
    if (id && read.first == id) {
      trash.push_back(std::exchange(read.second, event));
      return;
    }
  forget_ended(hazards, trash);
  hazards.reads.emplace_back(id, event);
}

void note_write(Memory& memory, const Ref<Event>& event, Events& trash) {
  Hazards& hazards = memory.root().hazards;
  // what another thread has put between the waits and the write must still be known of
  std::erase_if(hazards.writes, [&](auto& write) {
    if (!write->is_done()) return false;
    trash.push_back(std::move(write));
    return true;
  });
  forget_ended(hazards, trash);
  if (!event) return;
  memory.is_quiet.store(false, std::memory_order_release);
  hazards.writes.push_back(event);
}

// The reaper: one thread, started when it is first needed, that waits for the work on memories
// nobody holds any more. Detached and never joined: at exit what it still holds goes with the
// process, since a driver must not be called from there.
namespace {

struct Reaper {
  std::mutex lock;
  std::condition_variable wake;
  std::deque<Memory*> queue;
  std::atomic<std::int64_t> backlog{0};
  bool is_running = false;
};

Reaper& reaper() {
  static Reaper& r = *new Reaper;
  return r;
}

/// A child has no reaper thread; it starts one of its own when it needs it.
[[maybe_unused]] const int reaper_at_fork =
    pthread_atfork([] { reaper().lock.lock(); }, [] { reaper().lock.unlock(); },
                   [] {
                     reaper().is_running = false;
                     reaper().lock.unlock();
                   });

std::atomic<std::int64_t> live{0};

void release(Memory* memory) noexcept {
  Ref<Memory> base;  // dropped last: it may keep the addresses alive
  if (memory->is_tracked) {
    std::lock_guard lock(graph_lock());
    untrack(*memory);
    base = std::move(memory->base);
  }
  if (memory->release && memory->release(*memory)) return;
  live.fetch_sub(1, std::memory_order_relaxed);
  delete memory;
}

void wait_quietly(const Events& waits) noexcept {
  for (const auto& event : waits) {
    // Its error was or will be told by the arrays that hold the result; here only the end counts.
    try {
      event->wait();
    } catch (const std::exception&) {
      continue;
    }
  }
}

void reap() {
  Reaper& r = reaper();
  std::unique_lock lock(r.lock);
  for (;;) {
    r.wake.wait(lock, [&] { return !r.queue.empty(); });
    Memory* memory = r.queue.front();
    r.queue.pop_front();
    lock.unlock();
    Events waits;
    {
      std::lock_guard guard(graph_lock());
      add_waits_for_writing(*memory, waits);
    }
    wait_quietly(waits);
    waits.clear();
    release(memory);
    r.backlog.fetch_sub(1);
    lock.lock();
  }
}

}  // namespace

Memory::Memory(Device device, MemoryKind kind, std::uintptr_t handle, std::size_t bytes)
    : handle(handle), bytes(bytes), device(device), kind(kind) {
  live.fetch_add(1, std::memory_order_relaxed);
}

void Memory::drop() noexcept {
  if (!drop_one()) return;
  const auto has_work = [this] {
    std::lock_guard lock(graph_lock());
    const Hazards& h = root().hazards;
    const auto is_busy = [](const Ref<Event>& event) { return !event->is_done(); };
    return std::ranges::any_of(h.writes, is_busy) ||
           std::ranges::any_of(h.reads, [&](auto& read) { return is_busy(read.second); });
  };
  // the owner's own, untracked memory needs no lock: nobody else can name it any more
  if (is_quiet.load(std::memory_order_acquire) || !has_work()) return isthmus::release(this);
  Reaper& r = reaper();
  std::lock_guard lock(r.lock);
  r.backlog.fetch_add(1);
  r.queue.push_back(this);
  if (!r.is_running) std::thread(reap).detach();
  r.is_running = true;
  r.wake.notify_one();
}

std::int64_t reaper_backlog() { return reaper().backlog.load(); }
std::int64_t live_memories() { return live.load(std::memory_order_relaxed); }

std::string_view to_string(MemoryKind kind) {
  constexpr std::string_view names[] = {"host",    "device", "shared", "buffer",
                                        "managed", "pinned", "unknown"};
  return names[static_cast<std::size_t>(kind)];
}

}  // namespace isthmus
