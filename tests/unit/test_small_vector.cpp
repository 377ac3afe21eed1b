// test_small_vector.cpp: tests of base/small_vector.h.
#include "isthmus/base/small_vector.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <vector>

namespace isthmus {
namespace {

using Small = SmallVector<std::int64_t, 4>;

std::vector<std::int64_t> copy_of(const Small& v) { return {v.begin(), v.end()}; }

TEST(SmallVector, grows_past_its_inner_room_and_keeps_every_item) {
  Small v;
  for (std::int64_t i = 0; i < 1000; ++i) {
    v.push_back(i);
    ASSERT_EQ(v.back(), i);
    ASSERT_EQ(v.size(), static_cast<std::size_t>(i + 1));
  }
  for (std::int64_t i = 0; i < 1000; ++i) EXPECT_EQ(v[static_cast<std::size_t>(i)], i);
}

TEST(SmallVector, pushes_an_item_of_its_own_while_it_grows) {
  Small v{1, 2, 3, 4};
  v.push_back(v[0]);
  EXPECT_EQ(copy_of(v), (std::vector<std::int64_t>{1, 2, 3, 4, 1}));
}

TEST(SmallVector, copies_and_moves_between_inner_and_outer_room) {
  for (std::size_t from : {0u, 1u, 4u, 5u, 40u})
    for (std::size_t to : {0u, 1u, 4u, 5u, 40u}) {
      Small source(from, 7), target(to, 9);
      target = source;
      EXPECT_EQ(target, source);
      Small other(to, 9);
      other = std::move(source);
      EXPECT_EQ(other, target);
      EXPECT_TRUE(source.empty());  // NOLINT: a moved-from vector is empty and usable
      source.push_back(3);
      EXPECT_EQ(copy_of(source), (std::vector<std::int64_t>{3}));
      Small made(std::move(other));
      EXPECT_EQ(made, target);
    }
}

TEST(SmallVector, survives_assignment_to_itself) {
  for (std::size_t size : {2u, 20u}) {
    Small v(size, 5);
    Small& same = v;
    v = same;
    EXPECT_EQ(v, Small(size, 5));
    v = std::move(same);
    EXPECT_EQ(v, Small(size, 5));
  }
}

TEST(SmallVector, of_one_size_differs_from_one_that_only_begins_alike) {
  EXPECT_FALSE((Small{1, 2} == Small{1, 2, 3}));
  EXPECT_FALSE((Small{1, 2, 3} == Small{1, 2}));
  EXPECT_TRUE(Small{} == Small{});
}

TEST(SmallVector, does_what_std_vector_does_in_a_thousand_random_steps) {
  std::mt19937 random(1);
  Small v;
  std::vector<std::int64_t> model;
  for (int i = 0; i < 20000; ++i) {
    const auto at = model.empty() ? 0 : random() % model.size();
    const auto value = static_cast<std::int64_t>(random());
    switch (random() % 7) {
      case 0:
      case 1: v.push_back(value), model.push_back(value); break;
      case 2:
        v.insert(at, value), model.insert(model.begin() + static_cast<long>(at), value);
        break;
      case 3:
        if (!model.empty()) v.erase(at), model.erase(model.begin() + static_cast<long>(at));
        break;
      case 4:
        if (!model.empty()) v.pop_back(), model.pop_back();
        break;
      case 5: v.resize(at, value), model.resize(at, value); break;
      case 6:
        if (random() % 50 == 0) v.clear(), model.clear();
        break;
    }
    ASSERT_EQ(copy_of(v), model);
  }
}

TEST(SmallVector, resizes_to_more_with_the_value_given) {
  Small v{1};
  v.resize(6, 8);
  EXPECT_EQ(copy_of(v), (std::vector<std::int64_t>{1, 8, 8, 8, 8, 8}));
  v.resize(2);
  EXPECT_EQ(copy_of(v), (std::vector<std::int64_t>{1, 8}));
}

}  // namespace
}  // namespace isthmus
