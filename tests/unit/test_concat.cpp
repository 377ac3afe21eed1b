// test_concat.cpp: values made of parts: their kernels, their memory, and what comes in between.
#include "isthmus/graph/concat.h"

#include <thread>

#include "isthmus/array/arrange/manipulate.h"
#include "isthmus/array/functions.h"
#include "isthmus/array/index/index.h"
#include "isthmus/array/text/format.h"
#include "isthmus/codegen/lower.h"
#include "isthmus/threads/interrupts.h"
#include "support.h"

namespace isthmus {
namespace {

class Concat : public EachDevice {
 protected:
  std::int64_t kernels(const Array& x) {
    const auto before = statistics().kernels;
    x.eval();
    return statistics().kernels - before;
  }
  Array counted(std::int64_t count) const { return arange(count, TypeId::float32, device).eval(); }
};

INSTANTIATE_TEST_SUITE_P(, Concat, ::testing::Values(-1, 1, 2), device_name);

TEST_P(Concat, writes_each_part_by_one_kernel_into_one_memory) {
  const Array x = counted(3);
  const Array y = concat({x * 2, x, x + 10});
  EXPECT_TRUE(y.is_pending());
  EXPECT_EQ(kernels(y), 3);
  EXPECT_EQ(y.storage()->memory()->references(), 1);
  EXPECT_EQ(to_string(y), "[ 0.  2.  4.  0.  1.  2. 10. 11. 12.]");
  EXPECT_EQ(live_nodes(), 0);
}

TEST_P(Concat, is_a_group_without_a_kernel_behind_those_of_its_parts) {
  const Array x = counted(3), y = stack({x * 2 + 1, sqrt(x)}, 1);
  Storage* root = y.storage().get();
  std::vector<Ref<Storage>> held;
  const std::lock_guard lock(graph_lock());
  const Plan plan = make_plan(std::span(&root, 1), held);
  ASSERT_EQ(plan.groups.size(), 3u);
  const Lowered part = lower(plan.groups[0]), whole = lower(plan.groups[2]);
  EXPECT_EQ(part.concat, 2);
  EXPECT_EQ(part.whole_bytes, 6 * 4);
  EXPECT_EQ(part.outputs[0].layout.strides, Dims{2});
  EXPECT_TRUE(whole.is_concat);
  EXPECT_EQ(whole.inputs.size(), 2u);
  EXPECT_FALSE(whole.is_part());
}

/// Elements of a part that is no longer calculated at once, with others.
constexpr std::int64_t many = 140000;

TEST_P(Concat, goes_on_after_an_interrupt_with_the_parts_that_are_left) {
  const Array x = counted(many), y = concat({x + 1, x * 3, x}) + 1;
  const auto last_of_parts = [](const Array& joined) {
    return std::vector{joined[many - 1].item<float>(), joined[2 * many - 1].item<float>(),
                       joined[3 * many - 1].item<float>()};
  };
  static int polls;
  for (int at = 1; at <= 3; ++at) {
    polls = 0;
    const Array joined = concat({x + 1, x * 3, x});
    static int stop_at;
    stop_at = at;
    set_interrupts({[] {
                      if (++polls == stop_at) fail(Errc::interrupted, "stop");
                    },
                    [] { return true; }});
    EXPECT_THROW(joined.eval(), Error);
    set_interrupts({});
    EXPECT_TRUE(joined.is_pending());
    EXPECT_LE(kernels(joined), 3);
    EXPECT_EQ(last_of_parts(joined), (std::vector<float>{many, 3 * (many - 1), many - 1}));
  }
  EXPECT_EQ(last_of_parts(y), (std::vector<float>{many + 1, 3 * (many - 1) + 1, many}));
}

TEST_P(Concat, that_was_interrupted_is_not_changed_by_a_write) {
  const Array x = counted(many), joined = concat({x + 1, x});
  set_interrupts({[] { fail(Errc::interrupted, "stop"); }, [] { return true; }});
  EXPECT_THROW(joined.eval(), Error);
  set_interrupts({});
  assign(x, 7);
  EXPECT_EQ(joined[many - 1].item<float>(), many);
  EXPECT_EQ(joined[2 * many - 1].item<float>(), many - 1);
}

TEST_P(Concat, reads_its_parts_before_a_write_on_another_thread) {
  for (int round = 0; round < 200; ++round) {
    const Array x = counted(50);
    std::optional<Array> joined;
    std::thread writer([&] { assign(x, -1); });
    joined = concat({x + 1, x * 2});
    writer.join();
    const Array first = (*joined)[{slice(0, 50)}], second = (*joined)[{slice(50, 100)}];
    // all of a part is of one time
    const float one = first[49].item<float>(), other = second[49].item<float>();
    ASSERT_TRUE(one == 50 || one == 0) << one;
    ASSERT_TRUE(other == 98 || other == -2) << other;
  }
}

TEST_P(Concat, may_be_dropped_while_another_thread_writes_what_it_reads) {
  const Array x = counted(50);
  std::atomic<bool> is_done = false;
  std::thread writer([&] {
    do assign(x, 3);
    while (!is_done);
  });
  for (int round = 0; round < 500; ++round) concat({x + 1, x * 2, x});
  is_done = true;
  writer.join();
  EXPECT_EQ(to_string(concat({x[{slice(0, 1)}], x[{slice(0, 1)}] + 1})), "[3. 4.]");
}

TEST_P(Concat, of_many_arrays_is_calculated_when_it_is_made) {
  const Array x = counted(1);
  const std::vector<Array> few(max_parts / 4, x), many(max_parts + 1, x);
  EXPECT_EQ(concat(few).is_pending(), device != cpu);  // small ones are copied there
  EXPECT_TRUE(concat(std::vector<Array>(16, x)).is_pending());
  EXPECT_TRUE(concat(std::vector<Array>(17, counted(20000))).is_pending()) << "more than 1 MB";
  EXPECT_FALSE(concat(many).is_pending());
  EXPECT_EQ(stack(many).shape(), (Dims{static_cast<std::int64_t>(max_parts) + 1, 1}));
  EXPECT_EQ(live_nodes(), 0);
}

TEST_P(Concat, that_fails_leaves_no_node) {
  const Array x = counted(2);
  control().set_fail_at(1, true, static_cast<int>(Errc::launch));
  const Array joined = concat({x + 1, x * 2});
  const bool has_calls = device != cpu;
  if (has_calls) EXPECT_THROW(joined.eval(), Error);
  control().set_fail_at(0, false, 0);
  if (has_calls) {
    EXPECT_THROW(joined.eval(), Error) << "it stays";
    EXPECT_THROW((joined + 1).eval(), Error);
  }
  EXPECT_EQ(to_string(concat({x + 1, x * 2})), "[1. 2. 0. 2.]");
}

}  // namespace
}  // namespace isthmus
