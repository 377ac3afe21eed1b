// reaper.cpp: memory that nobody holds any more goes back when the work on it has ended.
#include <pthread.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

#include "isthmus/base/log.h"
#include "isthmus/hazards/hazards.h"

namespace isthmus::inline ISTHMUS_ABI {

// The reaper: one thread, started when it is first needed, that waits for the work on memories
// nobody holds any more. Detached and never joined: at exit what it still holds goes with the
// process, since a driver must not be called from there.
namespace {

struct Reaper {
  std::mutex lock;
  std::condition_variable wake, released;
  BackendMemory *first = nullptr, **end = &first;  ///< Linked by next_dropped.
  std::atomic<std::int64_t> backlog{0}, bytes{0};
  std::int64_t count = 0;  ///< Of memories released so far.
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
std::atomic<std::uint64_t> released{0};

/// Bytes of memories that were put aside before the work on them had ended. From so many on the
/// reaper takes them, for which whoever wants more memory waits.
std::atomic<std::int64_t> bytes_on_lines{0};
constexpr std::int64_t most_on_lines = std::int64_t{256} << 20;

[[gnu::hot]] void give_back(BackendMemory* memory) noexcept {
  Hazards left;
  if (memory->is_tracked.load(std::memory_order_acquire)) {
    std::lock_guard lock(graph_lock());
    left = untrack(*memory);
  }
  if (!memory->is_pooled) released.fetch_add(1, std::memory_order_release);
  if (memory->release && memory->release(*memory)) return;
  live.fetch_sub(1, std::memory_order_relaxed);
  delete memory;
}

/// An owner may be an array, whose memory has an owner, and so on: so many of them are given back
/// within each other, and the others one after another, since the stack has an end.
constexpr int deepest_release = 50;
thread_local int release_depth = 0;
thread_local BackendMemory* put_aside = nullptr;  ///< Linked by next_dropped.

void release(BackendMemory* memory) noexcept {
  if (memory->is_pooled) return give_back(memory);  // what owns that is no array
  if (release_depth == deepest_release) {
    memory->next_dropped = std::exchange(put_aside, memory);
    return;
  }
  ++release_depth;
  give_back(memory);
  while (release_depth == deepest_release && put_aside)
    give_back(std::exchange(put_aside, put_aside->next_dropped));
  --release_depth;
}

/// Work on the memory that has not ended; null if there is none.
[[gnu::hot]] Ref<Event> pending_work(BackendMemory& memory) {
  const std::lock_guard lock(graph_lock());
  const Hazards& hazards = memory.activity().hazards;
  for (const Ref<Event>& write : hazards.writes)
    if (!write->is_done()) return write;
  for (const Ref<Event>& read : hazards.reads)
    if (!read->is_done()) return read;
  return nullptr;
}

/// Blocks until nobody works on the memory, and gives it back. Allocates nothing, since memory may
/// be scarce just when it is given back.
void reap(BackendMemory* memory) noexcept {
  while (const Ref<Event> event = pending_work(*memory)) event->settle();
  release(memory);
}

void reap_all() {
  Reaper& r = reaper();
  std::unique_lock lock(r.lock);
  for (;;) {
    r.wake.wait(lock, [&] { return r.first; });
    BackendMemory* memory = std::exchange(r.first, r.first->next_dropped);
    if (!r.first) r.end = &r.first;
    lock.unlock();
    const auto bytes = static_cast<std::int64_t>(memory->bytes);
    reap(memory);
    r.backlog.fetch_sub(1);
    r.bytes.fetch_sub(bytes);
    lock.lock();
    ++r.count;
    r.released.notify_all();
  }
}

/// Whether the pool may have the memory back although the work on it has not ended: all of it is on
/// one timeline, so that new work there comes behind it by itself. Then its last event is a reader,
/// whose failure does not concern who writes there next.
bool enter_line(BackendMemory& memory) noexcept {
  if (!memory.is_pooled || memory.is_tracked || memory.is_shared()) return false;
  if (bytes_on_lines.load(std::memory_order_relaxed) >= most_on_lines) return false;
  Hazards& hazards = memory.activity().hazards;
  const Ref<Event>& last = hazards.reads.empty() ? hazards.writes.back() : hazards.reads.back();
  const std::uint64_t timeline = last->timeline;
  const auto is_on_it = [&](const Ref<Event>& event) { return event->timeline == timeline; };
  if (timeline == 0 || !std::ranges::all_of(hazards.writes, is_on_it) ||
      !std::ranges::all_of(hazards.reads, is_on_it))
    return false;
  if (hazards.reads.empty()) hazards.reads.push_back(std::move(hazards.writes.back()));
  hazards.writes.clear();
  memory.timeline = timeline;
  bytes_on_lines.fetch_add(static_cast<std::int64_t>(memory.bytes), std::memory_order_relaxed);
  return true;
}

/// Needs the reaper's lock. Whether there is a thread.
bool start_reaper(Reaper& r) noexcept {
  if (r.is_running) return true;
  try {
    std::thread(reap_all).detach();
    r.is_running = true;
  } catch (const std::exception& error) {  // the caller does its work
    detail::log(Channel::runtime, Level::warning, "no thread to release memory: {}", error.what());
  }
  return r.is_running;
}

}  // namespace

std::atomic<std::int64_t> SharedEvents::count_{0};
SharedEvents::~SharedEvents() { count_.fetch_sub(1, std::memory_order_release); }

[[gnu::hot]] BackendMemory::BackendMemory(Device device, MemoryKind kind, std::uintptr_t handle,
                                          std::size_t bytes)
    : handle(handle), bytes(bytes), device(device), kind(kind) {
  live.fetch_add(1, std::memory_order_relaxed);
}

/// Of memory that nobody holds any more, but on which work may go on.
static void release_behind_work(BackendMemory& memory) noexcept {
  if (memory.is_quiet.load(std::memory_order_acquire) || !pending_work(memory) ||
      enter_line(memory))
    return release(&memory);
  Reaper& r = reaper();
  {
    const std::lock_guard lock(r.lock);
    if (start_reaper(r)) {
      r.backlog.fetch_add(1);
      r.bytes.fetch_add(static_cast<std::int64_t>(memory.bytes));
      memory.next_dropped = nullptr;
      *r.end = &memory;
      r.end = &memory.next_dropped;
      r.wake.notify_one();
      return;
    }
  }
  reap(&memory);
}

[[gnu::hot]] void BackendMemory::drop() noexcept {
  // the last reference to what no queue and no registry knows: nobody else can name it
  if (is_quiet.load(std::memory_order_acquire) && references() == 1) return isthmus::release(this);
  if (drop_one()) release_behind_work(*this);
}

[[gnu::hot]] void leave_timeline(BackendMemory& memory) noexcept {
  if (!memory.timeline) return;
  memory.timeline = 0;
  bytes_on_lines.fetch_sub(static_cast<std::int64_t>(memory.bytes), std::memory_order_relaxed);
}

std::int64_t reaper_backlog() { return reaper().backlog.load(); }
std::int64_t reaper_bytes() { return reaper().bytes.load(); }

bool wait_for_reaper(std::int64_t bytes) {
  Reaper& r = reaper();
  std::unique_lock lock(r.lock);
  while (r.bytes.load() > bytes) {
    const std::int64_t before = r.count;
    if (!r.is_running) return false;  // what a parent process left is never released here
    if (!r.released.wait_for(lock, std::chrono::seconds(1), [&] { return r.count != before; }))
      return false;
  }
  return true;
}
std::uint64_t releases() noexcept { return released.load(std::memory_order_acquire); }
std::int64_t live_memories() { return live.load(std::memory_order_relaxed); }

}  // namespace isthmus::inline ISTHMUS_ABI
