// test_small_vector.cpp: tests of base/small_vector.h.
#include "isthmus/base/small_vector.h"
#include "isthmus/core/internal.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <random>
#include <string>
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

/// Items with destructors, most of which own memory: what is lost or freed twice, a sanitizer sees.
std::string long_text(std::int64_t i) {
  return std::string(i % 5 ? 40 : 2, 'a') + std::to_string(i);
}

template <class T, class Make>
void take_random_steps(Make make) {
  std::mt19937 random(1);
  SmallVector<T, 4> v;
  std::vector<T> model;
  for (int i = 0; i < 20000; ++i) {
    const auto at = model.empty() ? 0 : random() % model.size();
    const T value = make(static_cast<std::int64_t>(random()));
    switch (random() % 9) {
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
      case 7: EXPECT_EQ(v.emplace_back(value), model.emplace_back(value)); break;
      case 8: {
        const auto is_unwanted = [&](const T& item) { return item < value; };
        if (random() % 20 == 0) v.erase_if(is_unwanted), std::erase_if(model, is_unwanted);
        break;
      }
    }
    ASSERT_EQ(std::vector<T>(v.begin(), v.end()), model);
    if (i % 100 == 0) {
      SmallVector<T, 4> copy = v, moved = std::move(v);
      ASSERT_EQ(copy, moved);
      ASSERT_TRUE(v.empty());  // NOLINT: a moved-from vector is empty and usable
      v = std::move(copy);
      moved = v;
      ASSERT_EQ(std::vector<T>(moved.begin(), moved.end()), model);
    }
  }
}

TEST(SmallVector, does_what_std_vector_does_in_many_random_steps) {
  take_random_steps<std::int64_t>([](std::int64_t i) { return i; });
  take_random_steps<std::string>(long_text);
}

TEST(SmallVector, of_what_cannot_be_copied_moves) {
  SmallVector<std::unique_ptr<int>, 2> v;
  for (int i = 0; i < 9; ++i) v.push_back(std::make_unique<int>(i));
  v.erase_if([](const auto& item) { return *item % 2 == 0; });
  const SmallVector<std::unique_ptr<int>, 2> moved = std::move(v);
  ASSERT_EQ(moved.size(), 4u);
  for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(*moved[i], 2 * static_cast<int>(i) + 1);
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
