// test_memory_pool.cpp: reuse of blocks, and the way out when memory runs short.
#include "support.h"

namespace isthmus {
namespace {

class MemoryPool : public EachDevice {};

TEST_P(MemoryPool, gives_a_dropped_block_to_the_next_who_asks_for_its_size) {
  trim_pool(device);
  const auto before = pool_statistics(device);
  std::uintptr_t handle;
  {
    const auto block = allocate(device, 1000);
    handle = block->handle;
    EXPECT_GE(block->bytes, 1000u);
  }
  const auto again = allocate(device, 1000);
  EXPECT_EQ(again->handle, handle);
  const auto after = pool_statistics(device);
  EXPECT_EQ(after.hits - before.hits, 1);
  EXPECT_EQ(after.misses - before.misses, 1);
}

TEST_P(MemoryPool, never_gives_one_block_to_two) {
  std::vector<std::pair<std::uintptr_t, std::uintptr_t>> ranges;
  std::vector<Ref<BackendMemory>> held;
  for (std::size_t bytes = 0; bytes < 3000; bytes += 37) {
    held.push_back(allocate(device, bytes));
    ASSERT_GE(held.back()->bytes, bytes);
    if (bytes % 2) held[held.size() / 2] = nullptr;
  }
  for (const auto& block : held)
    if (block) ranges.emplace_back(block->handle, block->handle + block->bytes);
  std::ranges::sort(ranges);
  for (std::size_t i = 1; i < ranges.size(); ++i) EXPECT_LE(ranges[i - 1].second, ranges[i].first);
}

TEST_P(MemoryPool, is_64_byte_aligned) {
  for (std::size_t bytes : {1u, 65u, 4097u, 3u << 20})
    EXPECT_EQ(allocate(device, bytes)->handle % 64, 0u);
}

TEST_P(MemoryPool, counts_what_is_held_and_what_is_idle) {
  trim_pool(device);
  const auto before = pool_statistics(device);
  auto block = allocate(device, 100000);
  const auto held = static_cast<std::int64_t>(block->bytes);
  EXPECT_EQ(pool_statistics(device).bytes_in_use - before.bytes_in_use, held);
  EXPECT_EQ(pool_statistics(device).blocks_in_use - before.blocks_in_use, 1);
  EXPECT_GE(pool_statistics(device).peak_bytes, held);
  block = nullptr;
  EXPECT_EQ(pool_statistics(device).bytes_idle, held);
  EXPECT_EQ(pool_statistics(device).blocks_idle, 1);
  EXPECT_EQ(trim_pool(device), held);
  EXPECT_EQ(pool_statistics(device).bytes_idle, 0);
  EXPECT_EQ(pool_statistics(device).blocks_idle, 0);
}

TEST_P(MemoryPool, keeps_no_more_than_its_cap) {
  trim_pool(device);
  set_pool_cap(device, 10000);
  allocate(device, 100000) = nullptr;
  EXPECT_EQ(pool_statistics(device).bytes_idle, 0);
  allocate(device, 5000) = nullptr;
  EXPECT_GT(pool_statistics(device).bytes_idle, 0);
  set_pool_cap(device, 0);
  EXPECT_THROW(set_pool_cap(device, -1), Error);
}

TEST_P(MemoryPool, refuses_sizes_that_cannot_be) {
  try {
    allocate(device, SIZE_MAX / 2);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Errc::out_of_memory);
  }
}

TEST_P(MemoryPool, never_reuses_a_block_whose_address_was_told) {
  std::uintptr_t handle;
  {
    const auto block = allocate(device, 1000);
    block->activity().is_foreign = true;
    handle = block->handle;
  }
  trim_pool(device);
  EXPECT_EQ(pool_statistics(device).bytes_idle, 0) << handle;
}

INSTANTIATE_TEST_SUITE_P(Devices, MemoryPool, testing::Values(-1, 1, 2), device_name);

/// Blocks that are dropped before the work on them has ended.
class Line : public Graph {
 protected:
  void SetUp() override {
    Graph::SetUp();
    trim_pool(discrete_null);
    event->timeline = queue->timeline;
  }
  std::uintptr_t drop_behind(const std::vector<Ref<ManualEvent>>& events) const {
    const auto block = allocate(discrete_null, 1000);
    Events trash;
    const std::lock_guard lock(graph_lock());
    for (const auto& event : events) note_write(*block, event, trash);
    return block->handle;
  }
  static std::size_t waits_for(BackendMemory& memory, std::uint64_t timeline) {
    Events waits;
    const std::lock_guard lock(graph_lock());
    add_waits_for_writing(memory, waits, timeline);
    return waits.size();
  }
  const Ref<BackendQueue> queue = current_backend_queue(discrete_null);
  const Ref<ManualEvent> event = make_ref<ManualEvent>();
};

TEST_F(Line, gives_a_block_to_work_behind_its_own_and_to_nobody_else_before) {
  const std::uintptr_t handle = drop_behind({event});
  EXPECT_EQ(reaper_backlog(), 0);
  const auto other = make_ref<BackendQueue>(queue->context, 7, true);
  const auto elsewhere = allocate(*other, 1000, true), maybe_here = allocate(*queue, 1000),
             anywhere = allocate(discrete_null, 1000);
  for (const auto& block : {elsewhere, maybe_here, anywhere}) EXPECT_NE(block->handle, handle);
  const auto again = allocate(*queue, 1000, true);
  EXPECT_EQ(again->handle, handle);
  EXPECT_EQ(waits_for(*again, queue->timeline), 0u);
  EXPECT_EQ(waits_for(*again, 0), 1u);
  event->end();
}

TEST_F(Line, keeps_a_failure_from_who_writes_there_next) {
  drop_behind({event});
  const auto again = allocate(*queue, 1000, true);
  event->end(true);
  EXPECT_EQ(waits_for(*again, 0), 0u);
}

TEST_F(Line, gives_a_block_to_all_when_its_work_has_ended) {
  const std::uintptr_t handle = drop_behind({event});
  event->end();
  EXPECT_EQ(allocate(discrete_null, 1000)->handle, handle);
}

TEST_F(Line, is_not_given_back_to_the_driver_before_its_work_has_ended) {
  drop_behind({event});
  EXPECT_GT(trim_pool(discrete_null), 0);
  EXPECT_EQ(pool_statistics(discrete_null).bytes_idle, 0);
  EXPECT_EQ(reaper_backlog(), 1);
  event->end();
}

TEST_F(Line, of_two_is_none_and_the_reaper_waits) {
  const auto other = make_ref<ManualEvent>();
  for (const std::uint64_t timeline : {std::uint64_t{0}, queue->timeline + 1}) {
    other->timeline = timeline;
    drop_behind({event, other});
    EXPECT_EQ(pool_statistics(discrete_null).bytes_idle, 0);
  }
  EXPECT_EQ(reaper_backlog(), 2);
  event->end(), other->end();
}

class NullPool : public Graph {};

TEST_F(NullPool, gives_idle_blocks_back_and_asks_again_before_it_fails) {
  trim_pool(discrete_null);
  allocate(discrete_null, 100000) = nullptr;
  ASSERT_GT(pool_statistics(discrete_null).bytes_idle, 0);
  // calls: describe, allocate
  control().set_fail_at(2, false, static_cast<int>(Errc::out_of_memory));
  const auto block = allocate(discrete_null, 300000);
  EXPECT_TRUE(block);
  EXPECT_EQ(pool_statistics(discrete_null).bytes_idle, 0);
}

TEST_F(NullPool, says_who_holds_how_much_when_there_is_no_more) {
  const auto held = allocate(discrete_null, 5000);
  control().set_fail_at(2, true, static_cast<int>(Errc::out_of_memory));
  try {
    allocate(discrete_null, 300000);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Errc::out_of_memory);
    EXPECT_NE(std::string(error.what()).find("arrays on null:2 hold"), std::string::npos)
        << error.what();
  }
}

TEST_F(NullPool, reuses_nothing_while_work_on_it_is_pending) {
  control().set_delay(20000);
  trim_pool(discrete_null);
  for (int round = 0; round < 20; ++round) {
    const auto a = filled(discrete_null, 500, 1);
    auto r = add(a, number(static_cast<double>(round)));
    evaluate(r);
    const std::uintptr_t handle = r->memory()->handle;
    Events waits;
    {
      std::lock_guard lock(graph_lock());
      add_waits_for_reading(*r->memory(), waits);
    }
    r = nullptr;
    const auto next = allocate(discrete_null, 2000);
    const bool is_over = waits.empty() || waits[0]->is_done();
    EXPECT_TRUE(next->handle != handle || is_over);
  }
  control().set_delay(300);
}

}  // namespace
}  // namespace isthmus
