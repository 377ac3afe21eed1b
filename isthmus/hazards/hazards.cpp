// hazards.cpp: the registry of address intervals, and the reaper.
#include "isthmus/hazards/hazards.h"

#include <pthread.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <map>
#include <memory>
#include <thread>

#include "isthmus/base/log.h"

namespace isthmus::inline ISTHMUS_ABI {

namespace {

/// Leaked, so that memories that die with the process can still leave it.
struct Registry {
  /// Disjoint intervals by (space, begin); space 0 is the host's and USM's addresses.
  struct Key {
    std::uintptr_t space, begin;
    friend auto operator<=>(const Key&, const Key&) = default;
  };
  struct Interval {
    std::uintptr_t end;
    std::unique_ptr<Region> region;
  };
  std::map<Key, Interval> intervals;
};

Registry& registry() {
  static Registry& r = *new Registry;
  return r;
}

/// A child must not inherit a graph in the middle of a change.
[[maybe_unused]] const int hazards_at_fork = pthread_atfork(
    [] { graph_lock().lock(); }, [] { graph_lock().unlock(); }, [] { graph_lock().unlock(); });

/// USM and host pointers share the process's addresses; those of a discrete device do not. Each
/// buffer is a space of its own, since its handle says nothing of where its bytes lie.
std::uintptr_t space_of(const BackendMemory& m) {
  if (m.kind == MemoryKind::buffer && !m.host) return m.handle;
  const bool own = m.kind == MemoryKind::device && !m.host && m.context;
  return own ? m.context->space : 0;
}

std::uintptr_t begin_of(const BackendMemory& m) {
  if (m.kind != MemoryKind::buffer) return m.handle;
  return reinterpret_cast<std::uintptr_t>(m.host);  // or 0
}

/// Room for what will be moved to a region, made first, so that moving it cannot fail.
class Room {
 public:
  void add(const Activity& activity, std::size_t members) {
    members_ += members;
    writes_ += activity.hazards.writes.size();
    reads_ += activity.hazards.reads.size();
    borrowers_ += activity.borrowers.size();
    borrowers_events_ += activity.borrowers_events.size();
    checks_ += activity.checks.size();
  }
  void make_in(Region& region) const {
    make(region.members, members_);
    make(region.hazards.writes, writes_);
    make(region.hazards.reads, reads_);
    make(region.borrowers, borrowers_);
    make(region.borrowers_events, borrowers_events_);
    make(region.checks, checks_);
  }

 private:
  static void make(auto& list, std::size_t more) {
    if (list.capacity() < list.size() + more) list.reserve(2 * (list.size() + more));
  }
  std::size_t members_ = 0, writes_ = 0, reads_ = 0, borrowers_ = 0, borrowers_events_ = 0,
              checks_ = 0;
};

void merge(Activity& from, Activity& to) noexcept {
  while (Reader* r = from.readers) {
    unlink(*r);
    push(to.readers, *r);
  }
  to.exports += std::exchange(from.exports, 0);
  to.is_foreign = std::exchange(from.is_foreign, false) || to.is_foreign;
  const auto move_all = [](auto& source, auto& target) {
    for (auto& item : source) target.push_back(std::move(item));
    source.clear();
  };
  move_all(from.hazards.writes, to.hazards.writes);
  move_all(from.hazards.reads, to.hazards.reads);
  move_all(from.borrowers, to.borrowers);
  move_all(from.borrowers_events, to.borrowers_events);
  move_all(from.checks, to.checks);
}

/// There is room.
[[gnu::hot]] void enter(BackendMemory& memory, Region& region) noexcept {
  merge(memory.activity(), region);
  memory.region.store(&region, std::memory_order_release);
  memory.member = region.members.size();
  region.members.push_back(&memory);
}

}  // namespace

Mutex detail::graph_mutex;

[[gnu::hot]] bool track(BackendMemory& memory) {
  if (memory.region || memory.bytes == 0) return false;
  auto& intervals = registry().intervals;
  const std::uintptr_t space = space_of(memory);
  std::uintptr_t begin = begin_of(memory), end = begin + memory.bytes;
  memory.is_quiet.store(false, std::memory_order_release);
  auto first = intervals.upper_bound({space, begin});
  if (first != intervals.begin()) {
    const auto before = std::prev(first);
    if (before->first.space == space && before->second.end > begin) first = before;
  }
  const auto overlaps = [&](auto at) {
    return at != intervals.end() && at->first.space == space && at->first.begin < end;
  };
  Room room;
  room.add(memory.activity(), 1);
  if (!overlaps(first)) {
    auto region = std::make_unique<Region>();
    room.make_in(*region);
    Registry::Interval interval{end, std::move(region)};
    const auto made = intervals.emplace(Registry::Key{space, begin}, std::move(interval)).first;
    enter(memory, *made->second.region);
    return false;
  }
  // the first one takes in the others
  Region& region = *first->second.region;
  const bool is_known = first->first.begin <= begin && end <= first->second.end;
  for (auto at = std::next(first); overlaps(at); ++at)
    room.add(*at->second.region, at->second.region->members.size());
  room.make_in(region);
  enter(memory, region);
  if (is_known) return true;
  end = std::max(end, first->second.end);
  for (auto at = std::next(first); overlaps(at); at = intervals.erase(at)) {
    end = std::max(end, at->second.end);
    for (BackendMemory* member : at->second.region->members) enter(*member, region);
  }
  auto node = intervals.extract(first);
  node.key().begin = std::min(begin, node.key().begin);
  node.mapped().end = end;
  intervals.insert(std::move(node));
  return false;
}

/// Needs graph_lock: leaves the interval, which goes with its last member. What the interval knew
/// then is the caller's, to be dropped without the lock: the end of an event is a driver call.
[[nodiscard]] static Hazards untrack(BackendMemory& memory) noexcept {
  Region* region = memory.region.exchange(nullptr);
  // once its address is known to others, it stays so, under whichever name they got it
  memory.activity().is_foreign = region->is_foreign;
  region->members[memory.member] = region->members.back();
  region->members[memory.member]->member = memory.member;
  region->members.pop_back();
  if (!region->members.empty()) return {};
  Hazards left = std::move(region->hazards);
  memory.activity().checks = std::move(region->checks);  // dropped with the memory
  auto& intervals = registry().intervals;
  intervals.erase(std::prev(intervals.upper_bound({space_of(memory), begin_of(memory)})));
  return left;
}

[[gnu::hot]] void link(Reader& reader, Node* node, BackendMemory& memory, const Layout& seen,
                       std::int64_t bytes) {
  reader.node = node;
  reader.memory = &memory;
  reader.seen = &seen;
  reader.bytes = bytes;
  push(memory.activity().readers, reader);
}

bool is_at_rest(BackendMemory& memory) {
  if (memory.is_quiet.load(std::memory_order_acquire)) return true;
  const auto has_queue = [](const BackendMemory* m) {
    return m->foreign_queue || m->owners_events;
  };
  const Region* const region = memory.region.load(std::memory_order_relaxed);
  if (has_queue(&memory) || (region && std::ranges::any_of(region->members, has_queue)))
    return false;
  const Activity& known = memory.activity();
  return known.hazards.writes.empty() && known.hazards.reads.empty() && known.checks.empty() &&
         known.borrowers.empty() && known.borrowers_events.empty();
}

void add_waits_for_reading(BackendMemory& memory, Events& waits) {
  for (const auto& write : memory.activity().hazards.writes)
    if (!write->is_done() || write->has_failed()) waits.push_back(write);
}

void add_waits_for_writing(BackendMemory& memory, Events& waits, std::uint64_t timeline) {
  add_waits_for_reading(memory, waits);
  // what a failed reader should have made is lost, but not what it read
  for (const auto& read : memory.activity().hazards.reads)
    if (!(timeline && read->timeline == timeline) && !read->is_done()) waits.push_back(read);
}

/// Moves what is over, or for which work on `timeline` stands, to `trash`, which has room. Needs
/// graph_lock. Of writes that is only the end of others' work: ours may fail.
static void forget(Events& list, std::uint64_t timeline, Events& trash, bool are_writes) {
  list.erase_if([&](Ref<Event>& known) {
    const bool is_behind =
        timeline && known->timeline == timeline && (!are_writes || known->is_end);
    if (!is_behind && !known->is_done()) return false;
    trash.push_back(std::move(known));
    return true;
  });
}

/// So that nothing can fail while lists are changed. Needs graph_lock.
static void make_room(Hazards& hazards, Events& trash) {
  const auto grow = [](auto& list, std::size_t more) {
    if (list.capacity() < list.size() + more) list.reserve(2 * (list.size() + more));
  };
  grow(trash, hazards.writes.size() + hazards.reads.size());
  grow(hazards.writes, 1);
  grow(hazards.reads, 1);
}

void note_read(BackendMemory& memory, const Ref<Event>& event, Events& trash) {
  if (!event) return;
  if (memory.takes_turns) return note_write(memory, event, trash);
  Hazards& hazards = memory.activity().hazards;
  make_room(hazards, trash);
  memory.is_quiet.store(false, std::memory_order_release);
  forget(hazards.reads, event->timeline, trash, false);
  hazards.reads.push_back(event);
}

void note_write(BackendMemory& memory, const Ref<Event>& event, Events& trash) {
  Hazards& hazards = memory.activity().hazards;
  make_room(hazards, trash);
  // what another thread has put between the waits and the write must still be known of
  const std::uint64_t timeline = event ? event->timeline : 0;
  forget(hazards.writes, timeline, trash, true);
  forget(hazards.reads, timeline, trash, false);
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
  if (memory->region) {
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
  if (!memory.is_pooled || memory.region || memory.is_shared()) return false;
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
    detail::log(Channel::runtime, Level::warning, "no thread to give memory back: {}",
                error.what());
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

std::string_view to_string(MemoryKind kind) {
  constexpr std::string_view names[] = {"host",    "device", "shared", "buffer",
                                        "managed", "pinned", "unknown"};
  const auto number = static_cast<std::size_t>(kind);
  check(number < std::size(names), Errc::value, "to_string: {} is no MemoryKind", number);
  return names[number];
}

}  // namespace isthmus::inline ISTHMUS_ABI
