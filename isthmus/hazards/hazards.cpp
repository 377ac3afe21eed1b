// hazards.cpp: the registry of address intervals, and what is noted of the work on memory.
#include "isthmus/hazards/hazards.h"

#include <pthread.h>

#include <algorithm>
#include <map>
#include <memory>

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
    /// Its one memory, whose own activity is that of the addresses; null once there was another.
    BackendMemory* only;
    std::unique_ptr<Region> region;  ///< Of several memories; null before.
  };
  using Intervals = std::map<Key, Interval>;
  Intervals intervals;
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
  void add(BackendMemory& memory) { add(memory.activity(), 1); }
  void add(const Registry::Interval& interval) {
    if (interval.only) return add(*interval.only);
    add(*interval.region, interval.region->members.size());
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
  void add(const Activity& activity, std::size_t members) {
    members_ += members;
    writes_ += activity.hazards.writes.size();
    reads_ += activity.hazards.reads.size();
    borrowers_ += activity.borrowers.size();
    borrowers_events_ += activity.borrowers_events.size();
    checks_ += activity.checks.size();
  }
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
void enter(BackendMemory& memory, Region& region) noexcept {
  merge(memory.activity(), region);
  memory.region.store(&region, std::memory_order_release);
  memory.member = region.members.size();
  region.members.push_back(&memory);
}

/// The same with all that are in an interval.
void enter_all(const Registry::Interval& interval, Region& region) noexcept {
  if (interval.only) return enter(*interval.only, region);
  for (BackendMemory* member : interval.region->members) enter(*member, region);
}

/// Memory in an interval where others are: the first of those that it overlaps takes in the rest.
/// Whether the first one has all of it.
bool join(BackendMemory& memory, std::uintptr_t begin, std::uintptr_t end,
          Registry::Intervals::iterator first) {
  auto& intervals = registry().intervals;
  const std::uintptr_t space = first->first.space;
  const auto overlaps = [&](auto at) {
    return at != intervals.end() && at->first.space == space && at->first.begin < end;
  };
  Registry::Interval& interval = first->second;
  const bool is_known = first->first.begin <= begin && end <= interval.end;
  auto made = interval.only ? std::make_unique<Region>() : nullptr;
  Region& region = made ? *made : *interval.region;
  Room room;
  room.add(memory);
  if (interval.only) room.add(*interval.only);
  for (auto at = std::next(first); overlaps(at); ++at) room.add(at->second);
  room.make_in(region);
  if (made) {
    enter_all(interval, region);
    interval.only = nullptr;
    interval.region = std::move(made);
  }
  enter(memory, region);
  if (is_known) return true;
  end = std::max(end, interval.end);
  for (auto at = std::next(first); overlaps(at); at = intervals.erase(at)) {
    end = std::max(end, at->second.end);
    enter_all(at->second, region);
  }
  auto node = intervals.extract(first);
  node.key().begin = std::min(begin, node.key().begin);
  node.mapped().end = end;
  intervals.insert(std::move(node));
  return false;
}

}  // namespace

Mutex detail::graph_mutex;

[[gnu::hot]] bool track(BackendMemory& memory) {
  if (memory.is_tracked || memory.bytes == 0) return false;
  auto& intervals = registry().intervals;
  const std::uintptr_t space = space_of(memory);
  const std::uintptr_t begin = begin_of(memory), end = begin + memory.bytes;
  memory.is_quiet.store(false, std::memory_order_release);
  const auto next = intervals.upper_bound({space, begin});
  const auto before = next == intervals.begin() ? next : std::prev(next);
  bool is_known = false;
  if (before != next && before->first.space == space && before->second.end > begin)
    is_known = join(memory, begin, end, before);
  else if (next != intervals.end() && next->first.space == space && next->first.begin < end)
    is_known = join(memory, begin, end, next);
  else
    intervals.emplace_hint(next, Registry::Key{space, begin},
                           Registry::Interval{end, &memory, nullptr});
  memory.is_tracked.store(true, std::memory_order_release);
  return is_known;
}

[[gnu::hot]] Hazards untrack(BackendMemory& memory) noexcept {
  memory.is_tracked.store(false, std::memory_order_relaxed);
  auto& intervals = registry().intervals;
  const auto interval = [&] {
    return std::prev(intervals.upper_bound({space_of(memory), begin_of(memory)}));
  };
  Region* region = memory.region.load(std::memory_order_relaxed);
  if (!region) {
    intervals.erase(interval());
    return {};
  }
  memory.region.store(nullptr, std::memory_order_relaxed);
  // once its address is known to others, it stays so, under whichever name they got it
  memory.activity().is_foreign = region->is_foreign;
  region->members[memory.member] = region->members.back();
  region->members[memory.member]->member = memory.member;
  region->members.pop_back();
  if (!region->members.empty()) return {};
  Hazards left = std::move(region->hazards);
  memory.activity().checks = std::move(region->checks);  // dropped with the memory
  intervals.erase(interval());
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

/// Whether nobody else puts work on it, as far as is known, and nothing about it is to be found
/// out.
static bool has_our_work_alone(BackendMemory& memory) {
  const auto has_queue = [](const BackendMemory* m) {
    return m->foreign_queue || m->owners_events;
  };
  const Region* const region = memory.region.load(std::memory_order_relaxed);
  if (has_queue(&memory) || (region && std::ranges::any_of(region->members, has_queue)))
    return false;
  const Activity& known = memory.activity();
  return known.checks.empty() && known.borrowers.empty() && known.borrowers_events.empty();
}

bool is_at_rest(BackendMemory& memory) {
  if (memory.is_quiet.load(std::memory_order_acquire)) return true;
  const Hazards& hazards = memory.activity().hazards;
  return hazards.writes.empty() && hazards.reads.empty() && has_our_work_alone(memory);
}

bool is_free(BackendMemory& memory) {
  if (memory.is_quiet.load(std::memory_order_acquire)) return true;
  const auto is_well = [](const Ref<Event>& write) {
    return write->is_done() && !write->has_failed();
  };
  const auto is_done = [](const Ref<Event>& read) { return read->is_done(); };
  const Hazards& hazards = memory.activity().hazards;
  return has_our_work_alone(memory) && std::ranges::all_of(hazards.writes, is_well) &&
         std::ranges::all_of(hazards.reads, is_done);
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

Ref<Event> last_write(BackendMemory& memory) {
  const Events& writes = memory.activity().hazards.writes;
  return writes.size() == 1 && !writes[0]->is_end ? writes[0] : nullptr;
}

std::string_view to_string(MemoryKind kind) {
  constexpr std::string_view names[] = {"host",    "device", "shared", "buffer",
                                        "managed", "pinned", "unknown"};
  const auto number = static_cast<std::size_t>(kind);
  check(number < std::size(names), Errc::value, "to_string: {} is not a MemoryKind", number);
  return names[number];
}

}  // namespace isthmus::inline ISTHMUS_ABI
