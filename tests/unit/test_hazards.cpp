// test_hazards.cpp: memories that are one memory, and the reaper.
#include <atomic>
#include <optional>

#include "support.h"

namespace isthmus {
namespace {

std::atomic<int> releases{0};

Ref<BackendMemory> imported(std::uintptr_t begin, std::size_t bytes, Device device = {},
                            MemoryKind kind = MemoryKind::host) {
  auto memory = make_ref<BackendMemory>(device, kind, begin, bytes);
  memory->release = [](BackendMemory&) noexcept {
    ++releases;
    return false;
  };
  std::lock_guard lock(graph_lock());
  track(*memory);
  return memory;
}

Events waits_for(BackendMemory& memory, bool for_writing) {
  Events waits;
  std::lock_guard lock(graph_lock());
  for_writing ? add_waits_for_writing(memory, waits) : add_waits_for_reading(memory, waits);
  return waits;
}

void note(BackendMemory& memory, const Ref<Event>& event, bool is_write,
          const BackendQueue* queue = nullptr) {
  Events trash;
  if (queue) event->timeline = queue->timeline;
  std::lock_guard lock(graph_lock());
  is_write ? note_write(memory, event, trash) : note_read(memory, event, trash);
}

class Hazard : public Graph {};

TEST_F(Hazard, of_one_address_imported_twice_is_one) {
  const auto a = imported(0x10000, 100), b = imported(0x10000, 100);
  EXPECT_EQ(&a->activity(), &b->activity());
  const auto event = make_ref<ManualEvent>();
  note(*b, event, true);
  EXPECT_EQ(waits_for(*a, false).size(), 1u);
  event->end();
  EXPECT_EQ(waits_for(*a, false).size(), 0u);
}

/// Its end is a driver call, which may wait for what another thread holds.
class EndsUnlocked final : public ManualEvent {
 public:
  ~EndsUnlocked() override {
    is_free = graph_lock().try_lock();
    if (is_free) graph_lock().unlock();
  }
  static inline std::optional<bool> is_free;
};

TEST_F(Hazard, ends_its_last_events_without_the_lock) {
  for (bool is_write : {true, false}) {
    EndsUnlocked::is_free.reset();
    auto memory = imported(0x10000, 100);
    auto event = make_ref<EndsUnlocked>();
    event->end();
    note(*memory, event, is_write);
    event = nullptr;
    memory = nullptr;
    EXPECT_EQ(EndsUnlocked::is_free, true);
  }
}

TEST_F(Hazard, of_neighbours_that_only_touch_are_two) {
  const auto a = imported(0x10000, 100), b = imported(0x10000 + 100, 100);
  EXPECT_NE(&a->activity(), &b->activity());
}

TEST_F(Hazard, of_two_memories_are_both_kept_when_a_third_joins_them) {
  const auto a = imported(0x10000, 100), b = imported(0x10080, 100);
  EXPECT_NE(&a->activity(), &b->activity());
  const auto first = make_ref<ManualEvent>(), second = make_ref<ManualEvent>(),
             read = make_ref<ManualEvent>();
  note(*a, first, true);
  note(*b, second, true);
  note(*b, read, false);
  const auto c = imported(0x10040, 100);
  EXPECT_EQ(&a->activity(), &c->activity());
  EXPECT_EQ(&b->activity(), &c->activity());
  EXPECT_EQ(waits_for(*c, false).size(), 2u) << "a reader waits for both writes";
  EXPECT_EQ(waits_for(*a, true).size(), 3u);
  first->end(), second->end(), read->end();
}

TEST_F(Hazard, keeps_its_interval_while_any_member_lives_whoever_dies_first) {
  auto a = imported(0x10000, 100);
  auto b = imported(0x10000, 100);
  a = nullptr;
  const auto c = imported(0x10020, 8);
  EXPECT_EQ(&c->activity(), &b->activity());
  b = nullptr;
  const auto d = imported(0x10020, 8);
  EXPECT_EQ(&c->activity(), &d->activity());
}

TEST_F(Hazard, of_memory_that_is_alone_goes_over_to_the_region_of_those_that_join_it) {
  auto alone = imported(0x10000, 100);
  EXPECT_TRUE(alone->is_tracked);
  EXPECT_EQ(alone->region.load(), nullptr);
  const auto write = make_ref<ManualEvent>(), read = make_ref<ManualEvent>();
  note(*alone, write, true);
  note(*alone, read, false);
  alone->activity().is_foreign = true;
  alone->activity().exports = 2;
  auto inner = imported(0x10020, 8);
  EXPECT_NE(alone->region.load(), nullptr);
  EXPECT_EQ(&alone->activity(), &inner->activity());
  EXPECT_TRUE(inner->activity().is_foreign);
  EXPECT_EQ(inner->activity().exports, 2);
  EXPECT_EQ(waits_for(*inner, false).size(), 1u);
  EXPECT_EQ(waits_for(*inner, true).size(), 2u);
  write->end(), read->end();
  inner->activity().exports = 0;
  alone = nullptr;
  EXPECT_TRUE(inner->activity().is_foreign);
  inner = nullptr;
  const auto again = imported(0x10000, 100);
  EXPECT_EQ(again->region.load(), nullptr) << "the interval went with its last member";
  EXPECT_FALSE(again->activity().is_foreign);
}

TEST_F(Hazard, of_overlapping_memories_keeps_none_of_their_owners) {
  auto first = imported(0x10000, 100), second = imported(0x10040, 100);
  const auto third = imported(0x10000, 200);
  const auto event = make_ref<ManualEvent>();
  note(*first, event, true);
  event->end();
  const int before = releases;
  first = nullptr;
  EXPECT_EQ(releases, before + 1) << "an owner goes with its memory, though others overlap it";
  second = nullptr;
  EXPECT_EQ(releases, before + 2);
  const auto again = imported(0x10090, 8);
  EXPECT_EQ(&again->activity(), &third->activity());
}

TEST_F(Hazard, tells_what_lies_within_memory_that_is_known) {
  const auto known = imported(0x10000, 100);
  const auto make = [](std::uintptr_t begin, std::size_t bytes) {
    return make_ref<BackendMemory>(Device(), MemoryKind::host, begin, bytes);
  };
  const auto inner = make(0x10010, 8), same = make(0x10000, 100), outer = make(0x10000, 101),
             beside = make(0x20000, 8);
  const std::lock_guard lock(graph_lock());
  EXPECT_TRUE(track(*inner));
  EXPECT_TRUE(track(*same));
  EXPECT_FALSE(track(*outer));
  EXPECT_FALSE(track(*beside));
}

TEST_F(Hazard, of_a_buffer_handle_is_its_own_however_near_the_next_handle_is) {
  const auto context = make_ref<BackendContext>(recorder, 1, "a context");
  const auto a = imported(0x5000, 1 << 20, recorder, MemoryKind::buffer);
  const auto b = imported(0x5040, 1 << 20, recorder, MemoryKind::buffer);
  const auto again = imported(0x5040, 1 << 20, recorder, MemoryKind::buffer);
  const auto host = imported(0x5000, 100);
  EXPECT_NE(&a->activity(), &b->activity());
  EXPECT_EQ(&again->activity(), &b->activity());
  EXPECT_NE(&a->activity(), &host->activity());
}

TEST_F(Hazard, of_memory_whose_last_reference_is_gone_still_holds_back_a_new_import) {
  const auto event = make_ref<ManualEvent>();
  const int before = releases;
  {
    const auto dying = imported(0x10000, 100);
    note(*dying, event, false);
  }
  EXPECT_EQ(releases, before) << "work on it is pending";
  const auto again = imported(0x10000, 100);
  EXPECT_EQ(waits_for(*again, true).size(), 1u);
  EXPECT_EQ(waits_for(*again, false).size(), 0u);
  event->end();
  EXPECT_TRUE(eventually([&] { return releases == before + 1; }));
  EXPECT_EQ(again->region.load()->members, std::vector<BackendMemory*>{again.get()});
}

TEST_F(Hazard, of_a_read_survives_a_write_by_another_thread_that_did_not_see_it) {
  const auto memory = imported(0x10000, 100);
  const auto read = make_ref<ManualEvent>(), write = make_ref<ManualEvent>();
  note(*memory, read, false);
  note(*memory, write, true);  // its waits were collected before the read was noted
  write->end();
  EXPECT_EQ(waits_for(*memory, true).size(), 1u);
  read->end();
}

TEST_F(Hazard, of_an_in_order_queue_is_its_last_read_and_of_another_queue_each) {
  const auto context = make_ref<BackendContext>(recorder, 1, "a context");
  const auto in_order = make_ref<BackendQueue>(context, 1, true),
             other = make_ref<BackendQueue>(context, 2, true),
             loose = make_ref<BackendQueue>(context, 3, false);
  const auto memory = imported(0x10000, 100);
  std::vector<Ref<ManualEvent>> events;
  for (const BackendQueue* queue :
       {in_order.get(), in_order.get(), other.get(), loose.get(), loose.get()}) {
    events.push_back(make_ref<ManualEvent>());
    note(*memory, events.back(), false, queue);
  }
  EXPECT_EQ(waits_for(*memory, true).size(), 4u);
  for (auto& event : events) event->end();
}

TEST_F(Hazard, of_a_dead_queue_is_not_lost_to_a_new_one_at_its_address) {
  const auto context = make_ref<BackendContext>(recorder, 1, "a context");
  const auto memory = imported(0x10000, 100);
  alignas(BackendQueue) unsigned char place[sizeof(BackendQueue)];
  const auto first = make_ref<ManualEvent>(), second = make_ref<ManualEvent>();
  auto* queue = new (place) BackendQueue(context, 1, true);
  note(*memory, first, false, queue);
  queue->~BackendQueue();
  queue = new (place) BackendQueue(context, 2, true);
  note(*memory, second, false, queue);
  queue->~BackendQueue();
  EXPECT_EQ(waits_for(*memory, true).size(), 2u);
  first->end(), second->end();
}

TEST_F(Hazard, of_a_failed_write_is_for_ever_and_of_a_failed_read_is_over) {
  const auto memory = imported(0x10000, 100);
  const auto read = make_ref<ManualEvent>(), write = make_ref<ManualEvent>();
  note(*memory, read, false);
  read->end(true);
  EXPECT_EQ(waits_for(*memory, true).size(), 0u);
  note(*memory, write, true);
  write->end(true);
  EXPECT_EQ(waits_for(*memory, false).size(), 1u);
  EXPECT_EQ(waits_for(*memory, true).size(), 1u);
}

TEST_F(Hazard, holds_memory_in_the_reaper_until_all_work_on_it_has_ended) {
  const auto read = make_ref<ManualEvent>(), write = make_ref<ManualEvent>();
  const int before = releases;
  {
    const auto memory = imported(0x10000, 100);
    note(*memory, write, true);
    note(*memory, read, false);
  }
  EXPECT_EQ(reaper_backlog(), 1);
  write->end();
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  EXPECT_EQ(releases, before);
  read->end(true);  // however it ends
  EXPECT_TRUE(eventually([&] { return releases == before + 1; }));
}

TEST_F(Hazard, registry_stands_sixteen_threads_that_import_the_same_memory) {
  const int before = releases;
  std::vector<std::thread> threads;
  for (int t = 0; t < 16; ++t)
    threads.emplace_back([t] {
      for (int i = 0; i < 200; ++i) {
        const auto a = imported(0x10000 + static_cast<std::uintptr_t>(8 * (i % 7)), 64);
        const auto event = make_ref<ManualEvent>();
        note(*a, event, t % 2 == 0);
        const auto b = imported(0x10000, 200);
        event->end();
      }
    });
  for (auto& thread : threads) thread.join();
  EXPECT_TRUE(eventually([&] { return releases == before + 16 * 200 * 2; }));
  EXPECT_TRUE(eventually([] { return reaper_backlog() == 0; }));
}

}  // namespace
}  // namespace isthmus
