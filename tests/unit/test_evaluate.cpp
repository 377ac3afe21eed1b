// test_evaluate.cpp: pending values, writes, errors and threads, on every device.
#include "isthmus/runtime/evaluate/evaluate.h"

#include <atomic>
#include <numeric>
#include <random>

#include "isthmus/threads/interrupts.h"
#include "support.h"

namespace isthmus {
namespace {

class Evaluate : public EachDevice {
 protected:
  std::int64_t kernels(const Ref<Storage>& storage) {
    const auto before = statistics().kernels;
    evaluate(storage);
    return statistics().kernels - before;
  }
  Ref<Storage> counted(std::int64_t count) {
    std::vector<float> v(static_cast<std::size_t>(count));
    std::iota(v.begin(), v.end(), 0.0f);
    return floats(device, v);
  }
  /// As the array does it: a graph that is full is evaluated.
  static Ref<Storage> settled(Ref<Storage> storage) {
    bool is_full;
    {
      std::lock_guard lock(graph_lock());
      const Node* node = storage->node();
      is_full = node && (node->depth > max_depth || node->weight > max_weight);
    }
    if (is_full) evaluate(storage);
    return storage;
  }
};

TEST_P(Evaluate, runs_a_times_2_plus_b_as_one_kernel) {
  const auto a = filled(device, 100, 3), b = filled(device, 100, 4);
  const auto r = add(times(a, number(2)), whole(b));
  EXPECT_EQ(kernels(r), 1);
  EXPECT_EQ(kernels(r), 0);
  EXPECT_EQ(values(r), std::vector<float>(100, 10));
}

TEST_P(Evaluate, writes_held_intermediates_from_the_same_kernel) {
  const auto a = filled(device, 10, 3);
  const auto held = times(a, number(2));
  const auto r = add(held, number(1));
  EXPECT_EQ(kernels(r), 1);
  EXPECT_TRUE(held->is_ready());
  EXPECT_EQ(values(held), std::vector<float>(10, 6));
  EXPECT_EQ(values(r), std::vector<float>(10, 7));
}

TEST_P(Evaluate, fuses_a_sum_with_its_producers_and_epilogue) {
  const auto a = floats(device, {2, 3}, {1, 2, 3, 4, 5, 6});
  const auto r = add(sum_last(times(a, number(2))), number(1));
  EXPECT_EQ(kernels(r), 1);
  EXPECT_EQ(values(r), (std::vector<float>{13, 31}));
}

TEST_P(Evaluate, gives_zero_for_the_sum_of_nothing_and_nothing_for_no_elements) {
  const auto empty = floats(device, {2, 0}, {});
  EXPECT_EQ(values(sum_last(times(empty, number(2)))), (std::vector<float>{0, 0}));
  const auto none = floats(device, {0, 3}, {});
  EXPECT_EQ(values(add(sum_last(none), number(1))), std::vector<float>{});
  EXPECT_EQ(values(add(none, number(1))), std::vector<float>{});
}

TEST_P(Evaluate, never_runs_what_was_dropped) {
  const auto a = filled(device, 10, 1);
  const auto before = statistics().kernels;
  for (int i = 0; i < 100; ++i) add(times(a, number(2)), number(1)) = nullptr;
  EXPECT_EQ(statistics().kernels, before);
}

TEST_P(Evaluate, reads_pending_values_through_views_of_any_direction) {
  const auto a = counted(6);
  const auto doubled = times(a, number(2));
  const auto reversed =
      map(Op::add, device, {6}, {view(doubled, {Dims{6}, Dims{-1}, 5}), number(1)});
  EXPECT_EQ(values(reversed), (std::vector<float>{11, 9, 7, 5, 3, 1}));
  const auto outer =
      map(Op::add, device, {2, 3},
          {view(a, {Dims{2, 3}, Dims{0, 1}, 0}), view(a, {Dims{2, 3}, Dims{3, 0}, 0})});
  EXPECT_EQ(values(outer), (std::vector<float>{0, 1, 2, 3, 4, 5}));
}

TEST_P(Evaluate, evaluates_pending_readers_before_a_write) {
  const auto a = counted(4);
  const auto before = add(a, number(10));
  const auto deep = times(add(a, number(1)), number(2));
  write(a, a->layout, number(-1));
  const auto after = add(a, number(10));
  EXPECT_TRUE(before->is_ready());
  EXPECT_EQ(values(before), (std::vector<float>{10, 11, 12, 13}));
  EXPECT_EQ(values(deep), (std::vector<float>{2, 4, 6, 8}));
  EXPECT_EQ(values(after), std::vector<float>(4, 9));
}

TEST_P(Evaluate, knows_readers_of_a_value_that_was_pending_when_they_came) {
  const auto a = counted(4);
  const auto base = times(a, number(2));
  const auto reader = add(base, number(1));
  evaluate(base);
  write(base, base->layout, number(100));
  EXPECT_EQ(values(reader), (std::vector<float>{1, 3, 5, 7}));
  EXPECT_EQ(values(base), std::vector<float>(4, 100));
}

TEST_P(Evaluate, leaves_readers_of_other_elements_pending) {
  const auto a = counted(8);
  const auto back = map(Op::add, device, {4}, {view(a, {Dims{4}, Dims{1}, 4}), number(0)});
  write(a, {Dims{4}, Dims{1}, 0}, number(9));
  EXPECT_FALSE(back->is_ready());
  EXPECT_EQ(values(back), (std::vector<float>{4, 5, 6, 7}));
}

TEST_P(Evaluate, fuses_a_pending_value_into_the_write_of_it) {
  const auto a = counted(4), b = filled(device, 4, 5);
  auto sum = add(times(b, number(2)), whole(a));
  const auto before = statistics().kernels;
  write(a, a->layout, whole(std::exchange(sum, nullptr)));
  EXPECT_EQ(statistics().kernels - before, 1);
  EXPECT_EQ(values(a), (std::vector<float>{10, 11, 12, 13}));
}

TEST_P(Evaluate, writes_overlapping_views_as_numpy_does) {
  const auto a = counted(6);
  write(a, {Dims{5}, Dims{1}, 1}, view(a, {Dims{5}, Dims{1}, 0}));  // a[1:] = a[:-1]
  EXPECT_EQ(values(a), (std::vector<float>{0, 0, 1, 2, 3, 4}));
  write(a, {Dims{5}, Dims{1}, 0}, view(a, {Dims{5}, Dims{1}, 1}));  // a[:-1] = a[1:]
  EXPECT_EQ(values(a), (std::vector<float>{0, 1, 2, 3, 4, 4}));
  write(a, a->layout, view(a, {Dims{6}, Dims{-1}, 5}));  // a[:] = a[::-1]
  EXPECT_EQ(values(a), (std::vector<float>{4, 4, 3, 2, 1, 0}));
  auto turned = map(Op::add, device, {6}, {view(a, {Dims{6}, Dims{-1}, 5}), whole(a)});
  write(a, a->layout, whole(std::exchange(turned, nullptr)));  // a += a[::-1], pending
  EXPECT_EQ(values(a), (std::vector<float>{4, 5, 5, 5, 5, 4}));
  write(a, {Dims{3}, Dims{2}, 1}, view(a, {Dims{3}, Dims{0}, 0}));  // a[1::2] = a[0]
  EXPECT_EQ(values(a), (std::vector<float>{4, 4, 5, 4, 5, 4}));
}

TEST_P(Evaluate, does_random_writes_between_views_as_a_model_does) {
  std::mt19937 random(7);
  const auto a = counted(40);
  std::vector<float> model(40);
  std::iota(model.begin(), model.end(), 0.0f);
  std::vector<std::pair<Ref<Storage>, std::vector<float>>> pending;
  for (int round = 0; round < 300; ++round) {
    const auto pick = [&](std::int64_t count) {
      const std::int64_t step = 1 + random() % 3, reach = (count - 1) * step + 1;
      const auto start = static_cast<std::int64_t>(random() % static_cast<unsigned>(41 - reach));
      return random() % 2 ? Layout{Dims{count}, Dims{step}, start}
                          : Layout{Dims{count}, Dims{-step}, start + reach - 1};
    };
    const std::int64_t count = 1 + random() % 12;
    const Layout from = pick(count), to = pick(count);
    std::vector<float> read(static_cast<std::size_t>(count));
    for (std::int64_t i = 0; i < count; ++i)
      read[static_cast<std::size_t>(i)] =
          model[static_cast<std::size_t>(from.offset + i * from.strides[0])] + 1;
    auto value = map(Op::add, device, {count}, {view(a, from), number(1)});
    if (random() % 3 == 0) {
      pending.emplace_back(value, read);
      continue;
    }
    if (random() % 2) pending.emplace_back(value, read);
    write(a, to, whole(std::exchange(value, nullptr)));
    for (std::int64_t i = 0; i < count; ++i)
      model[static_cast<std::size_t>(to.offset + i * to.strides[0])] =
          read[static_cast<std::size_t>(i)];
  }
  ASSERT_EQ(values(a), model);
  for (auto& [storage, expected] : pending) ASSERT_EQ(values(storage), expected);
}

TEST_P(Evaluate, evaluates_readers_of_memory_that_is_about_to_be_shared) {
  const auto a = counted(4);
  const auto reader = add(a, number(1));
  evaluate_readers(*a->memory());
  EXPECT_TRUE(reader->is_ready());
}

TEST_P(Evaluate, stands_chains_of_a_hundred_thousand_operations) {
  Ref<Storage> r = filled(device, 3, 0);
  const int length = device == cpu ? 100000 : 20000;
  for (int i = 0; i < length; ++i) r = settled(add(r, number(1)));
  EXPECT_EQ(values(r), std::vector<float>(3, static_cast<float>(length)));
  for (int i = 0; i < length; ++i) r = settled(add(r, number(1)));
  r = nullptr;
}

TEST_P(Evaluate, forces_one_storage_from_sixteen_threads_once) {
  for (int round = 0; round < 20; ++round) {
    const auto a = filled(device, 1000, 2);
    const auto r = add(times(a, whole(a)), number(1));
    const auto before = statistics().kernels;
    std::vector<std::thread> threads;
    std::atomic<int> ready{0}, right{0};
    for (int t = 0; t < 16; ++t)
      threads.emplace_back([&] {
        ++ready;
        while (ready < 16) std::this_thread::yield();
        evaluate(r);
        right += values(r) == std::vector<float>(1000, 5);
      });
    for (auto& thread : threads) thread.join();
    EXPECT_EQ(right, 16);
    EXPECT_EQ(statistics().kernels - before, 1);
  }
}

TEST_P(Evaluate, lets_threads_build_read_and_write_around_one_memory) {
  // two write, each to elements of its own; four read what nobody writes
  const auto a = filled(device, 96, 1);
  const Layout quiet{Dims{32}, Dims{1}, 64};
  std::vector<std::thread> threads;
  std::atomic<int> wrong{0};
  for (int t = 0; t < 6; ++t)
    threads.emplace_back([&, t] {
      for (int i = 1; i <= 60; ++i) {
        if (t < 2) {
          write(a, {Dims{32}, Dims{1}, 32 * t}, number(i));
          continue;
        }
        const auto shared = map(Op::multiply, device, {32}, {view(a, quiet), number(1)});
        const auto left = add(shared, number(t)), right = add(shared, number(t));
        if (values(add(left, whole(right))) != std::vector<float>(32, 2.0f + 2.0f * t)) ++wrong;
      }
    });
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
  std::vector<float> expected(96, 60);
  std::fill(expected.begin() + 64, expected.end(), 1.0f);
  EXPECT_EQ(values(a), expected);
}

TEST_P(Evaluate, passes_a_value_defined_before_a_write_to_another_thread_unchanged) {
  for (int round = 0; round < 100; ++round) {
    const auto a = filled(device, 2000, 1);
    // `inner` is read twice inside the kernel, so that it has no single consumer
    auto inner = times(a, number(2));
    const auto r = add(inner, whole(inner));
    inner = nullptr;
    std::thread other([&] { evaluate(r); });
    write(a, a->layout, number(100));
    other.join();
    ASSERT_EQ(values(r), std::vector<float>(2000, 4)) << round;
    ASSERT_EQ(values(a), std::vector<float>(2000, 100)) << round;
  }
}

TEST_P(Evaluate, gives_back_what_has_not_begun_when_it_is_interrupted) {
  const auto a = counted(4);
  const auto first = times(a, number(2));
  const auto r = map(Op::add, device, {4}, {view(first, {Dims{4}, Dims{-1}, 3}), number(1)});
  set_interrupts({[] { fail(Errc::interrupted, "stop"); }, [] { return true; }});
  EXPECT_THROW(evaluate(r), Error);
  set_interrupts({});
  EXPECT_EQ(r->state(), Storage::State::pending);
  EXPECT_EQ(values(r), (std::vector<float>{7, 5, 3, 1}));
}

TEST_P(Evaluate, refuses_to_write_read_only_memory) {
  const auto a = counted(4);
  a->memory()->is_read_only = true;
  EXPECT_THROW(write(a, a->layout, number(1)), Error);
  EXPECT_EQ(values(a), (std::vector<float>{0, 1, 2, 3}));
}

INSTANTIATE_TEST_SUITE_P(Devices, Evaluate, testing::Values(-1, 1, 2), device_name);

class Failure : public EachDevice {};

TEST_P(Failure, of_a_launch_stays_with_its_array_and_leaves_its_siblings_alive) {
  const auto a = filled(device, 10, 1);
  const auto bad = add(a, number(1)), above = times(bad, number(2)), sibling = add(a, number(3));
  evaluate(add(a, number(7)));  // the kernel is compiled
  control().set_fail_at(1, true, static_cast<int>(Errc::launch));
  EXPECT_THROW(evaluate(bad), Error);
  control().set_fail_at(0, false, 0);
  std::string first;
  for (int i = 0; i < 3; ++i) try {
      evaluate(bad);
      FAIL();
    } catch (const Error& error) {
      if (first.empty()) first = error.what();
      EXPECT_EQ(error.what(), first);
      EXPECT_EQ(error.code(), Errc::launch);
    }
  EXPECT_THROW(evaluate(above), Error);
  EXPECT_EQ(values(sibling), std::vector<float>(10, 4));
  EXPECT_EQ(values(a), std::vector<float>(10, 1));
}

TEST_P(Failure, on_the_queue_comes_at_every_wait_of_the_array_and_of_what_depends_on_it) {
  const auto a = filled(device, 10, 1);
  const auto bad = add(a, number(1));
  control().set_command_fail_at(1, false, static_cast<int>(Errc::launch));
  evaluate(bad);
  const auto above = times(bad, number(2)), sibling = add(a, number(3));
  evaluate(above);
  EXPECT_THROW(wait(above), Error);
  EXPECT_THROW(wait(bad), Error);
  EXPECT_THROW(wait(bad), Error);
  EXPECT_EQ(values(sibling), std::vector<float>(10, 4));
  EXPECT_NO_THROW(wait(a, true)) << "a was only read by what failed";
  write(a, a->layout, number(5));
  EXPECT_EQ(values(a), std::vector<float>(10, 5));
}

TEST_P(Failure, of_a_pending_reader_does_not_stop_a_write) {
  const auto a = filled(device, 10, 1);
  evaluate(add(a, number(7)));
  const auto reader = add(a, number(1));
  const auto view_of = map(Op::multiply, device, {10}, {whole(reader), number(2)});
  write(filled(device, 10, 0), a->layout, number(9));  // the kernel of the write is compiled
  current_backend_queue(device);
  control().set_fail_at(2, false, static_cast<int>(Errc::launch));  // describe, then allocate's
  write(a, a->layout, number(5));
  control().set_fail_at(0, false, 0);
  EXPECT_EQ(values(a), std::vector<float>(10, 5));
}

TEST_P(Failure, of_every_call_leaves_nothing_behind_and_the_library_usable) {
  const auto program = [&] {
    const auto a = floats(device, {4, 3}, std::vector<float>(12, 2));
    const auto held = times(a, number(3));
    const auto sum = sum_last(add(held, whole(a)));
    const auto turned =
        map(Op::add, device, {3, 4}, {view(held, {Dims{3, 4}, Dims{1, 3}, 0}), number(1)});
    write(a, {Dims{2, 3}, Dims{3, 1}, 3}, view(a, {Dims{2, 3}, Dims{3, 1}, 0}));
    write(a, a->layout, whole(add(a, number(1))));
    const auto r = values(turned);
    return values(sum)[0] + r[0] + values(a)[0];
  };
  const float expected = program();
  for (const Errc code : {Errc::launch, Errc::out_of_memory})
    for (const bool is_sticky : {false, true})
      for (int in_command = 0; in_command < 2; ++in_command) {
        int failures = 0;
        bool has_passed = false;
        for (int nth = 1; nth < 200 && !has_passed; ++nth) {
          eventually([] { return reaper_backlog() == 0; });
          const Census before = census();
          cache::clear(false);
          const auto set = in_command ? control().set_command_fail_at : control().set_fail_at;
          const auto calls = in_command ? control().commands_so_far() : control().calls_so_far();
          set(nth, is_sticky, static_cast<int>(code));
          try {
            const float result = program();
            // memory that ran short once is asked for again, and then all is well
            EXPECT_EQ(result, expected);
          } catch (const Error& error) {
            ++failures;
            EXPECT_EQ(error.code(), code) << error.what();
          }
          set(0, false, 0);
          has_passed =
              (in_command ? control().commands_so_far() : control().calls_so_far()) < calls + nth;
          ASSERT_TRUE(eventually([&] { return reaper_backlog() == 0 && census() == before; }))
              << "after the failure of number " << nth;
        }
        EXPECT_TRUE(has_passed);
        EXPECT_GT(failures, 3);
        ASSERT_EQ(program(), expected);
      }
}

INSTANTIATE_TEST_SUITE_P(Devices, Failure, testing::Values(1, 2), device_name);

using InlineWork = Graph;

TEST_F(InlineWork, waits_for_work_of_queues_and_is_counted) {
  const auto a = filled(shared_null, 100, 1);
  for (int i = 0; i < 50; ++i) {
    set_inline_policy(i % 2 ? Inline::always : Inline::never);
    const auto before = statistics();
    write(a, a->layout, whole(add(a, number(1))));
    const auto after = statistics();
    EXPECT_EQ(after.inlined - before.inlined, i % 2);
    EXPECT_EQ(after.launched - before.launched, 1 - i % 2);
  }
  EXPECT_EQ(values(a), std::vector<float>(100, 51));
}

TEST_F(InlineWork, never_happens_on_memory_that_the_host_cannot_reach) {
  set_inline_policy(Inline::always);
  const auto before = statistics().inlined;
  EXPECT_EQ(values(add(filled(discrete_null, 4, 1), number(1))), std::vector<float>(4, 2));
  EXPECT_EQ(statistics().inlined, before);
}

}  // namespace
}  // namespace isthmus
