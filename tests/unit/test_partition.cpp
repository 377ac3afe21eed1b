// test_partition.cpp: how many kernels a graph becomes, and why.
#include "support.h"

#include "isthmus/codegen/lower.h"

namespace isthmus {
namespace {

Layout dense(const Dims& shape) { return row_major({shape.begin(), shape.end()}); }

class Partition : public Graph {
 protected:
  /// The kernels of one root that the caller gives away or keeps.
  Plan plan(const Ref<Storage>& root) {
    Storage* pointer = root.get();
    std::lock_guard lock(graph_lock());
    return make_plan(std::span(&pointer, 1), held);
  }
  void TearDown() override {
    held.clear();
    Graph::TearDown();
  }
  static std::int64_t stops(const Plan& plan, Stop stop) {
    return plan.stops[static_cast<int>(stop)];
  }

  std::vector<Ref<Storage>> held;  ///< By the plans.
  const Ref<Storage> a = floats(cpu, {3, 4}, std::vector<float>(12, 1));
  const Ref<Storage> b = floats(cpu, {3, 4}, std::vector<float>(12, 2));
};

TEST_F(Partition, makes_one_kernel_of_a_chain) {
  const auto r = add(times(add(times(a, number(2)), whole(b)), whole(a)), number(1));
  const Plan p = plan(r);
  ASSERT_EQ(p.groups.size(), 1u);
  EXPECT_EQ(p.groups[0].nodes.size(), 4u);
  EXPECT_EQ(p.groups[0].nodes.back()->storage, r.get());
  std::lock_guard lock(graph_lock());
  const Lowered kernel = lower(p.groups[0]);
  EXPECT_EQ(kernel.outputs.size(), 1u);
  EXPECT_EQ(kernel.program.map.steps.size(), 4u);
  // `a` is read twice but given once
  std::size_t memories = 0;
  for (const Input& input : kernel.program.map.inputs)
    memories += input.kind == Input::Kind::memory;
  EXPECT_EQ(memories, 2u);
}

TEST_F(Partition, writes_out_what_an_array_holds_from_the_same_kernel) {
  const auto held = times(a, number(2));
  const auto r = add(held, whole(b));
  const Plan p = plan(r);
  ASSERT_EQ(p.groups.size(), 1u);
  std::lock_guard lock(graph_lock());
  EXPECT_EQ(lower(p.groups[0]).outputs.size(), 2u);
}

TEST_F(Partition, calculates_a_shared_value_once_in_a_diamond) {
  auto top = times(a, number(2));
  const auto left = add(top, number(1));
  auto right = times(top, whole(top));
  top = nullptr;
  const auto r = add(left, whole(right));
  right = nullptr;
  const Plan p = plan(r);
  ASSERT_EQ(p.groups.size(), 1u);
  EXPECT_EQ(p.groups[0].nodes.size(), 4u);
}

TEST_F(Partition, stops_where_a_pending_value_is_read_through_a_view) {
  const auto r = map(Op::add, cpu, {2, 4},
                     {view(times(a, number(2)), {Dims{2, 4}, Dims{4, 1}, 4}), number(1)});
  EXPECT_EQ(plan(r).groups.size(), 2u);
  EXPECT_EQ(stops(plan(r), Stop::broadcast), 1);
  const auto turned = map(Op::add, cpu, {4, 3},
                          {view(times(a, number(2)), {Dims{4, 3}, Dims{1, 4}, 0}), number(1)});
  EXPECT_EQ(stops(plan(turned), Stop::view), 1);
}

TEST_F(Partition, calculates_what_is_reshaped_in_the_shape_of_its_consumer) {
  // twice across views: a map in {2, 6}, and a sum over rows of {4, 3}
  const auto inner = times(a, number(2));
  const auto middle = map(Op::add, cpu, {2, 6}, {view(inner, dense({2, 6})), number(1)});
  auto node = std::make_unique<Node>(
      work::Reduce(Reduction::sum, {}, TypeId::float32, work::Axes{false, true}));
  node->operand_count = 1;
  node->operands[0] = view(middle, dense({4, 3}));
  auto r = make_pending(TypeId::float32, cpu, dense({4}), std::move(node));
  EXPECT_EQ(plan(r).groups.size(), 2u);  // `middle`, which this test holds, is written
  EXPECT_EQ(stops(plan(r), Stop::held), 1);
  EXPECT_EQ(values(r), std::vector<float>(4, 9));
}

TEST_F(Partition, shows_operands_in_the_shape_of_the_loop) {
  std::vector<float> numbers;
  for (int i = 0; i < 12; ++i) numbers.push_back(static_cast<float>(i));
  const auto x = floats(cpu, {3, 4}, numbers);
  auto inner = add(times(x, number(2)), whole(x));
  const auto r = map(Op::add, cpu, {6, 1, 2}, {view(inner, dense({6, 1, 2})), number(1)});
  inner = nullptr;
  const Plan p = plan(r);
  ASSERT_EQ(p.groups.size(), 1u);
  EXPECT_EQ(stops(p, Stop::view), 0);
  {
    std::lock_guard lock(graph_lock());
    const Lowered kernel = lower(p.groups[0]);
    EXPECT_EQ(kernel.shape, (Dims{6, 1, 2}));
    for (const Source& source : kernel.inputs)
      if (source.storage) EXPECT_EQ(source.layout, dense({6, 1, 2}));
  }
  for (float& value : numbers) value = 3 * value + 1;
  EXPECT_EQ(values(r), numbers);
}

TEST_F(Partition, writes_what_is_held_in_the_shape_of_its_own_from_a_loop_of_another) {
  const auto held = times(a, number(2));
  const auto r = map(Op::add, cpu, {12}, {view(held, dense({12})), number(1)});
  EXPECT_EQ(plan(r).groups.size(), 1u);
  EXPECT_EQ(values(r), std::vector<float>(12, 3));
  EXPECT_TRUE(held->is_ready());
  EXPECT_EQ(values(held), std::vector<float>(12, 2));
}

TEST_F(Partition, calculates_what_follows_a_reduction_in_the_shape_of_its_result) {
  const auto column = floats(cpu, {3, 1}, {1, 2, 3});
  auto sum = sum_last(times(a, number(2)));
  auto r = map(Op::add, cpu, {3, 1}, {view(sum, dense({3, 1})), whole(column)});
  sum = nullptr;
  EXPECT_EQ(plan(r).groups.size(), 1u);
  EXPECT_EQ(values(r), (std::vector<float>{9, 10, 11}));
  // a row of three for each of two results has no strides in the shape of two
  auto pairs = sum_last(floats(cpu, {2, 3, 2}, std::vector<float>(12, 1)));
  const Layout row{Dims{3, 2}, Dims{0, 1}, 0};
  r = map(Op::add, cpu, {3, 2}, {view(pairs, dense({3, 2})), view(floats(cpu, {1, 2}), row)});
  pairs = nullptr;
  EXPECT_EQ(plan(r).groups.size(), 2u);
  EXPECT_EQ(stops(plan(r), Stop::view), 1);
  EXPECT_EQ(values(r), (std::vector<float>{3, 4, 3, 4, 3, 4}));
}

TEST_F(Partition, stops_where_an_operand_has_no_strides_in_the_shape_of_the_loop) {
  const Layout row{Dims{3, 4}, Dims{0, 1}, 0};
  auto inner = map(Op::add, cpu, {3, 4}, {whole(a), view(floats(cpu, {1, 2, 3, 4}), row)});
  const auto r = map(Op::add, cpu, {12}, {view(inner, dense({12})), number(1)});
  inner = nullptr;
  EXPECT_EQ(plan(r).groups.size(), 2u);
  EXPECT_EQ(stops(plan(r), Stop::view), 1);
  EXPECT_EQ(values(r), (std::vector<float>{3, 4, 5, 6, 3, 4, 5, 6, 3, 4, 5, 6}));
}

TEST_F(Partition, stops_at_a_second_reduction_and_fuses_producers_and_epilogue_of_the_first) {
  const auto sum = sum_last(times(a, number(2)));
  const auto r = add(sum, number(1));
  EXPECT_EQ(plan(r).groups.size(), 1u);
  const auto squares = floats(cpu, {2, 2, 2}, std::vector<float>(8, 1));
  const auto twice = sum_last(sum_last(squares));
  EXPECT_EQ(plan(twice).groups.size(), 2u);
  EXPECT_EQ(stops(plan(twice), Stop::reduction), 1);
}

TEST_F(Partition, stops_where_a_held_value_would_be_needed_before_a_reduction) {
  const auto held = times(a, number(2));
  const auto r = sum_last(held);
  const Plan p = plan(r);
  EXPECT_EQ(p.groups.size(), 2u);
  EXPECT_EQ(stops(p, Stop::held), 1);
}

TEST_F(Partition, stops_when_a_kernel_is_full) {
  Ref<Storage> r = a;
  for (int i = 0; i < 150; ++i) r = add(r, number(1));
  const Plan p = plan(r);
  EXPECT_GE(p.groups.size(), 2u);
  EXPECT_GE(stops(p, Stop::full), 1);
  for (const Group& group : p.groups)
    EXPECT_LE(group.nodes.size(), static_cast<std::size_t>(max_steps));
}

TEST_F(Partition, orders_kernels_so_that_none_reads_what_a_later_one_makes) {
  // a value read both in place and through a view, at several depths
  auto x = times(a, number(2));
  auto turned = map(Op::add, cpu, {4, 3}, {view(x, {Dims{4, 3}, Dims{1, 4}, 0}), number(1)});
  auto back = map(Op::add, cpu, {3, 4}, {view(turned, {Dims{3, 4}, Dims{1, 3}, 0}), whole(x)});
  const auto r = add(back, whole(times(x, number(3))));
  const Plan p = plan(r);
  std::lock_guard lock(graph_lock());
  std::vector<const Storage*> made;
  for (const Group& group : p.groups) {
    const Lowered kernel = lower(group);
    for (const Source& source : kernel.inputs) {
      const bool is_pending = source.storage && !source.storage->is_ready();
      EXPECT_TRUE(!is_pending || std::ranges::find(made, source.storage.get()) != made.end());
    }
    for (const Source& output : kernel.outputs) made.push_back(output.storage.get());
  }
}

/// Two results of one call.
struct Two {
  Ref<Storage> first, second;
  Two(Ref<Storage> a, Ref<Storage> b) : first(std::move(a)), second(std::move(b)) {
    Storage* const both[] = {first.get(), second.get()};
    link_results(both);
  }
};

TEST_F(Partition, writes_all_results_of_a_call_from_one_kernel) {
  const Two two(times(a, number(2)), add(add(a, number(1)), whole(b)));
  for (const auto& root : {two.first, two.second}) {
    const Plan p = plan(root);
    ASSERT_EQ(p.groups.size(), 1u);
    EXPECT_EQ(p.groups[0].nodes.size(), 3u);
    std::lock_guard lock(graph_lock());
    EXPECT_EQ(lower(p.groups[0]).outputs.size(), 2u);
  }
  EXPECT_EQ(values(two.first), std::vector<float>(12, 2));
  EXPECT_TRUE(two.second->is_ready());
  EXPECT_EQ(values(two.second), std::vector<float>(12, 4));
}

TEST_F(Partition, writes_another_result_beside_what_is_made_of_the_first) {
  Two two(times(a, number(2)), add(a, number(1)));
  const auto r = add(two.first, number(3));
  two.first = nullptr;  // only r needs it
  const Plan p = plan(r);
  ASSERT_EQ(p.groups.size(), 1u);
  EXPECT_EQ(p.groups[0].nodes.back()->storage, r.get());
  {
    std::lock_guard lock(graph_lock());
    EXPECT_EQ(lower(p.groups[0]).outputs.size(), 2u);
  }
  EXPECT_EQ(values(r), std::vector<float>(12, 5));
  EXPECT_TRUE(two.second->is_ready());
}

TEST_F(Partition, leaves_another_result_alone_that_would_take_a_kernel_more) {
  Two two(times(a, number(2)), add(add(a, number(1)), whole(b)));
  const auto sum = sum_last(two.first);
  two.first = nullptr;  // stands before the sum, where nothing is written
  EXPECT_EQ(plan(sum).groups.size(), 1u);
  EXPECT_EQ(values(sum), std::vector<float>(3, 8));
  EXPECT_EQ(two.second->state(), Storage::State::pending);
  EXPECT_EQ(values(two.second), std::vector<float>(12, 4));
}

TEST_F(Partition, does_not_calculate_results_that_nobody_holds) {
  Two two(times(a, number(2)), add(a, number(1)));
  two.second = nullptr;
  const Plan p = plan(two.first);
  ASSERT_EQ(p.groups.size(), 1u);
  EXPECT_EQ(p.groups[0].nodes.size(), 1u);
}

/// The largest over the last axis.
Ref<Storage> largest_last(Operand x) {
  auto node = std::make_unique<Node>(
      work::Reduce(Reduction::max, {}, TypeId::float32, work::Axes{false, true}));
  node->operand_count = 1;
  node->operands[0] = std::move(x);
  return make_pending(TypeId::float32, cpu, row_major({3}), std::move(node));
}

TEST_F(Partition, makes_reductions_of_the_same_elements_in_one_kernel) {
  const auto sum = sum_last(a);
  auto largest = largest_last(whole(a));
  const auto r = add(largest, number(1));
  largest = nullptr;  // alive, since r reads it
  const auto other = largest_last(whole(b));
  const auto turned = largest_last(view(a, {Dims{3, 4}, Dims{-4, 1}, 8}));
  {
    const Plan p = plan(sum);
    ASSERT_EQ(p.groups.size(), 1u);
    EXPECT_EQ(p.groups[0].nodes.size(), 2u);
    std::lock_guard lock(graph_lock());
    const Lowered kernel = lower(p.groups[0]);
    EXPECT_EQ(kernel.program.beside.size(), 1u);
    EXPECT_EQ(kernel.inputs.size(), 1u);
    EXPECT_EQ(kernel.outputs.size(), 2u);
  }
  held.clear();
  EXPECT_EQ(values(sum), std::vector<float>(3, 4));
  EXPECT_EQ(values(r), std::vector<float>(3, 2));
  EXPECT_EQ(other->state(), Storage::State::pending);
  EXPECT_EQ(turned->state(), Storage::State::pending);
}

TEST_F(Partition, makes_a_reduction_with_a_state_beside_others) {
  auto node = std::make_unique<Node>(
      work::Reduce(Reduction::argmax, {}, TypeId::float32, work::Axes{false, true}));
  node->operand_count = 1;
  node->operands[0] = whole(a);
  auto place = make_pending(TypeId::int64, cpu, row_major({3}), std::move(node));
  const auto largest = largest_last(whole(a));
  for (const auto& root : {place, largest}) {
    const Plan p = plan(root);
    ASSERT_EQ(p.groups.size(), 1u);
    EXPECT_EQ(p.groups[0].nodes.size(), 2u);
    std::lock_guard lock(graph_lock());
    EXPECT_EQ(lower(p.groups[0]).program.beside.size(), 1u);
  }
  held.clear();
  EXPECT_EQ(values(largest), std::vector<float>(3, 1));
  EXPECT_TRUE(place->is_ready());
}

TEST_F(Partition, makes_no_more_reductions_in_a_kernel_than_local_memory_may_hold) {
  std::vector<Ref<Storage>> sums;
  std::vector<Storage*> roots;
  for (int i = 0; i < max_together + 2; ++i) {
    sums.push_back(sum_last(a));
    roots.push_back(sums.back().get());
  }
  const Plan one = plan(sums[0]);
  ASSERT_EQ(one.groups.size(), 1u);
  EXPECT_EQ(one.groups[0].nodes.size(), static_cast<std::size_t>(max_together));
  std::lock_guard lock(graph_lock());
  const Plan all = make_plan(roots, held);
  ASSERT_EQ(all.groups.size(), 2u);
  EXPECT_EQ(all.groups[0].nodes.size() + all.groups[1].nodes.size(), roots.size());
}

TEST_F(Partition, makes_two_reductions_and_what_needs_both_in_one_kernel) {
  auto sum = sum_last(a), largest = largest_last(whole(a));
  const auto r = add(sum, whole(largest));
  sum = largest = nullptr;
  EXPECT_EQ(plan(r).groups.size(), 1u);
  EXPECT_EQ(values(r), std::vector<float>(3, 5));
}

TEST_F(Partition, writes_what_another_kernel_reads_where_its_sibling_stands) {
  // (a - low) / (high - low): `low` is read by two kernels, and made beside `high`
  auto low = sum_last(a), high = largest_last(whole(a));
  const Layout stretched{Dims{3, 4}, Dims{1, 0}, 0};
  auto range = map(Op::subtract, high, whole(low));
  auto shifted = map(Op::subtract, cpu, {3, 4}, {whole(a), view(low, stretched)});
  const auto r = map(Op::divide, cpu, {3, 4}, {whole(shifted), view(range, stretched)});
  low = high = range = shifted = nullptr;
  EXPECT_EQ(plan(r).groups.size(), 2u);
  EXPECT_EQ(values(r), std::vector<float>(12, 1));  // (1 - 4) / (1 - 4)
}

TEST_F(Partition, links_any_number_of_results_and_lets_each_of_them_go) {
  std::vector<Ref<Storage>> all;
  std::vector<Storage*> pointers;
  for (int i = 0; i < 4; ++i) {
    all.push_back(times(a, number(i)));
    pointers.push_back(all.back().get());
  }
  link_results(pointers);
  for (std::size_t left = 4; left > 0; --left) {
    const Plan p = plan(all[0]);
    ASSERT_EQ(p.groups.size(), 1u);
    EXPECT_EQ(p.groups[0].nodes.size(), left);
    held.clear();
    all.erase(all.begin() + static_cast<std::ptrdiff_t>(left / 2));
  }
}

TEST_F(Partition, gives_every_stop_a_name) {
  for (int i = 0; i < static_cast<int>(Stop::count_); ++i)
    EXPECT_FALSE(to_string(static_cast<Stop>(i)).empty());
}

}  // namespace
}  // namespace isthmus
