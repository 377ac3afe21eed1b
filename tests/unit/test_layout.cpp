// test_layout.cpp: tests of core/layout.h.
#include "isthmus/core/internal.h"
#include "isthmus/core/layout.h"

#include <gtest/gtest.h>

#include <functional>
#include <random>
#include <set>

#include "isthmus/base/error.h"
#include "isthmus/core/overlap.h"
#include "tests/unit/errors.h"

namespace isthmus {
namespace {

constexpr std::int64_t largest = INT64_MAX;

Dims dims(std::initializer_list<std::int64_t> items) { return Dims(items); }

Dims broadcast_two(const Dims& a, const Dims& b) {
  const std::span<const std::int64_t> shapes[] = {{a.begin(), a.end()}, {b.begin(), b.end()}};
  return broadcast_shapes("test", shapes);
}

/// Element offsets in row-major order of the indices: what a layout means.
std::vector<std::int64_t> offsets(const Layout& layout) {
  std::vector<std::int64_t> found;
  const std::function<void(int, std::int64_t)> walk = [&](int axis, std::int64_t at) {
    if (axis == layout.ndim()) return found.push_back(at);
    for (std::int64_t i = 0; i < layout.shape[static_cast<std::size_t>(axis)]; ++i)
      walk(axis + 1, at + i * layout.strides[static_cast<std::size_t>(axis)]);
  };
  walk(0, layout.offset);
  return found;
}

TEST(Count, is_one_for_a_scalar_and_refuses_what_cannot_be) {
  EXPECT_EQ(checked_count("t", dims({})), 1);
  EXPECT_EQ(checked_count("t", dims({2, 3})), 6);
  EXPECT_EQ(checked_count("t", dims({largest})), largest);
  EXPECT_EQ(checked_count("t", dims({largest, 4, 0})), 0);
  EXPECT_EQ(checked_count("t", dims({0, largest, largest})), 0);
  EXPECT_EQ(code_of([] { checked_count("t", dims({3, -1})); }), Errc::value);
  EXPECT_EQ(code_of([] { checked_count("t", dims({0, -1})); }), Errc::value);
  EXPECT_EQ(code_of([] { checked_count("t", dims({largest, 2})); }), Errc::value);
  EXPECT_EQ(code_of([] { checked_count("t", Dims(65, 1)); }), Errc::value);
  EXPECT_EQ(checked_count("t", Dims(64, 1)), 1);
}

TEST(Layout, of_new_arrays_is_dense_in_either_order) {
  EXPECT_EQ(row_major(dims({2, 3, 4})).strides, dims({12, 4, 1}));
  EXPECT_EQ(column_major(dims({2, 3, 4})).strides, dims({1, 2, 6}));
  EXPECT_TRUE(is_row_major(row_major(dims({2, 0, 4}))));
  EXPECT_TRUE(is_row_major(row_major(dims({}))));
  EXPECT_TRUE(is_column_major(row_major(dims({}))));
  EXPECT_TRUE(is_column_major(row_major(dims({1, 5, 1}))));
  EXPECT_FALSE(is_row_major(column_major(dims({2, 2}))));
}

TEST(Layout, with_an_axis_of_length_one_is_contiguous_whatever_its_stride) {
  EXPECT_TRUE(is_row_major({dims({3, 1}), dims({1, 999}), 5}));
  EXPECT_FALSE(is_row_major({dims({3, 2}), dims({1, 1}), 0}));
  EXPECT_FALSE(is_row_major({dims({3}), dims({-1}), 2}));
}

TEST(Layout, of_a_new_result_follows_its_operands_as_order_K_does) {
  const Layout fortran = column_major(dims({2, 3, 4})), c = row_major(dims({2, 3, 4}));
  const Layout* one[] = {&fortran};
  EXPECT_EQ(dense_like(dims({2, 3, 4}), one).strides, fortran.strides);
  const Layout* two[] = {&fortran, &c};
  EXPECT_EQ(dense_like(dims({2, 3, 4}), two).strides, c.strides) << "where they differ, row-major";
  const Layout turned = permute(c, std::vector<int>{2, 0, 1});
  const Layout* three[] = {&turned};
  EXPECT_EQ(dense_like(dims({4, 2, 3}), three).strides, dims({1, 12, 4}));
  // an axis of length 1 has no say, and stands in no other axis' way
  const Layout thin{dims({5, 1, 3}), dims({1, 15, 5}), 0};
  const Layout* five[] = {&thin};
  EXPECT_EQ(dense_like(dims({5, 1, 3}), five).strides, dims({1, 15, 5}));
  const Layout reversed{dims({4}), dims({-1}), 3};
  const Layout* four[] = {&reversed};
  EXPECT_EQ(dense_like(dims({4}), four).strides, dims({1}));
}

TEST(Extent, reaches_the_lowest_and_highest_element) {
  const auto reach = [](const Layout& l) {
    return std::pair(extent_of(l).begin, extent_of(l).end);
  };
  EXPECT_EQ(reach({dims({3, 4}), dims({4, 1}), 2}), std::pair(std::int64_t{2}, std::int64_t{14}));
  EXPECT_EQ(reach({dims({3}), dims({-2}), 10}), std::pair(std::int64_t{6}, std::int64_t{11}));
  EXPECT_EQ(reach({dims({3, 0}), dims({9, 9}), 7}), std::pair(std::int64_t{7}, std::int64_t{7}));
  EXPECT_EQ(reach({dims({5}), dims({0}), 7}), std::pair(std::int64_t{7}, std::int64_t{8}));
  EXPECT_EQ(reach({dims({}), dims({}), 3}), std::pair(std::int64_t{3}, std::int64_t{4}));
}

TEST(Extent, refuses_strides_and_offsets_that_overflow) {
  EXPECT_EQ(code_of([] { extent_of({dims({3}), dims({largest}), 0}); }), Errc::value);
  EXPECT_EQ(code_of([] { extent_of({dims({2}), dims({largest}), 5}); }), Errc::value);
  EXPECT_EQ(code_of([] { extent_of({dims({3}), dims({INT64_MIN}), 0}); }), Errc::value);
  EXPECT_EQ(code_of([] { extent_of({dims({}), dims({}), largest}); }), Errc::value);
}

TEST(Extent, of_random_layouts_is_that_of_their_elements) {
  std::mt19937 random(2);
  for (int round = 0; round < 500; ++round) {
    Layout layout;
    for (auto n = random() % 4; n-- > 0;) {
      layout.shape.push_back(1 + random() % 4);
      layout.strides.push_back(static_cast<std::int64_t>(random() % 15) - 7);
    }
    layout.offset = random() % 100;
    const auto all = offsets(layout);
    const auto [low, high] = std::minmax_element(all.begin(), all.end());
    EXPECT_EQ(extent_of(layout).begin, *low);
    EXPECT_EQ(extent_of(layout).end, *high + 1);
    const bool overlaps = std::set(all.begin(), all.end()).size() != all.size();
    if (overlaps) {
      EXPECT_TRUE(may_overlap_itself(layout));
    }
  }
}

TEST(Overlap, is_not_suspected_in_ordinary_views) {
  EXPECT_FALSE(may_overlap_itself(row_major(dims({3, 4, 5}))));
  EXPECT_FALSE(may_overlap_itself({dims({3, 4}), dims({-8, 2}), 20}));
  EXPECT_FALSE(may_overlap_itself({dims({1, 3}), dims({0, 1}), 0}));
  EXPECT_FALSE(may_overlap_itself({dims({0, 3}), dims({0, 0}), 0}));
  EXPECT_TRUE(may_overlap_itself({dims({2, 3}), dims({0, 1}), 0}));
  EXPECT_TRUE(may_overlap_itself({dims({3, 3}), dims({1, 1}), 0}));
}

TEST(Broadcast, follows_the_array_api_and_names_the_axis_it_refuses) {
  EXPECT_EQ(broadcast_two(dims({8, 1, 6, 1}), dims({7, 1, 5})), dims({8, 7, 6, 5}));
  EXPECT_EQ(broadcast_two(dims({}), dims({3})), dims({3}));
  EXPECT_EQ(broadcast_two(dims({0}), dims({1})), dims({0}));
  EXPECT_EQ(broadcast_two(dims({1}), dims({0, 3})), dims({0, 3}));
  try {
    broadcast_two(dims({3, 4}), dims({5}));
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(),
                 "test: shapes (3, 4) and (5,) cannot be broadcast together: axis -1 has 4 and 5");
  }
  EXPECT_EQ(code_of([] { broadcast_two(dims({0}), dims({2})); }), Errc::value);
}

TEST(Broadcast, stretches_with_zero_strides_and_refuses_the_rest) {
  const Layout column{dims({3, 1}), dims({1, 1}), 4};
  EXPECT_EQ(broadcast("t", column, dims({2, 3, 5})), (Layout{dims({2, 3, 5}), dims({0, 1, 0}), 4}));
  EXPECT_EQ(broadcast("t", column, dims({3, 0})).shape, dims({3, 0}));
  EXPECT_EQ(code_of([&] { broadcast("t", column, dims({4, 1})); }), Errc::value);
  EXPECT_EQ(code_of([&] { broadcast("t", column, dims({3})); }), Errc::value);
  EXPECT_EQ(code_of([&] { broadcast("t", row_major(dims({2})), dims({1})); }), Errc::value);
}

TEST(Reshape, of_a_strided_view_moves_nothing_where_strides_allow) {
  Layout result;
  const Layout every_other{dims({4, 6}), dims({24, 2}), 3};
  ASSERT_TRUE(try_reshape(every_other, dims({2, 2, 3, 2}), result));
  EXPECT_EQ(offsets(result), offsets(every_other));
  EXPECT_FALSE(try_reshape(every_other, dims({24}), result));
  EXPECT_FALSE(try_reshape(column_major(dims({2, 3})), dims({6}), result));
  ASSERT_TRUE(try_reshape({dims({5}), dims({-1}), 4}, dims({1, 5, 1}), result));
  EXPECT_EQ(offsets(result), (std::vector<std::int64_t>{4, 3, 2, 1, 0}));
}

TEST(Reshape, of_nothing_and_of_scalars_works) {
  Layout result;
  ASSERT_TRUE(try_reshape({dims({2, 0}), dims({5, 7}), 1}, dims({0, 9}), result));
  EXPECT_EQ(result.shape, dims({0, 9}));
  ASSERT_TRUE(try_reshape({dims({}), dims({}), 6}, dims({1, 1}), result));
  EXPECT_EQ(result.offset, 6);
  ASSERT_TRUE(try_reshape({dims({1, 1}), dims({9, 9}), 6}, dims({}), result));
  EXPECT_EQ(result.ndim(), 0);
}

TEST(Reshape, of_random_layouts_keeps_every_element_in_its_place) {
  std::mt19937 random(3);
  const Dims shapes[] = {dims({24}),      dims({4, 6}),   dims({2, 3, 4}), dims({1, 24, 1}),
                         dims({6, 1, 4}), dims({3, 8}),   dims({2, 2, 6}), dims({2, 2, 2, 3}),
                         dims({12, 2}),   dims({4, 3, 2})};
  int views = 0;
  for (int round = 0; round < 3000; ++round) {
    Layout layout = row_major(shapes[random() % std::size(shapes)]);
    for (std::size_t i = 0; i < layout.shape.size(); ++i)
      if (random() % 4 == 0) layout.strides[i] *= random() % 3 ? 2 : 0;
    if (random() % 2) std::reverse(layout.strides.begin(), layout.strides.end());
    if (layout.ndim() && random() % 4 == 0)
      layout.offset = 200, layout.strides[0] = -layout.strides[0];
    Layout result;
    const Dims& shape = shapes[random() % std::size(shapes)];
    if (!try_reshape(layout, shape, result)) {
      EXPECT_FALSE(is_row_major(layout));
      continue;
    }
    ++views;
    ASSERT_EQ(result.shape, shape);
    ASSERT_EQ(offsets(result), offsets(layout));
  }
  EXPECT_GT(views, 300);
}

TEST(Axis, counts_from_either_end_and_no_further) {
  EXPECT_EQ(checked_axis("t", -1, 3), 2);
  EXPECT_EQ(checked_axis("t", 2, 3), 2);
  for (std::int64_t axis : {std::int64_t{3}, std::int64_t{-4}, largest, INT64_MIN})
    EXPECT_EQ(code_of([&] { checked_axis("t", axis, 3); }), Errc::index);
  EXPECT_EQ(code_of([&] { checked_axis("t", 0, 0); }), Errc::index);
}

TEST(Layout, bytes_are_shared_where_addresses_are_equal) {
  std::mt19937 random(11);
  const auto some = [&](std::int64_t low, std::int64_t high) {
    return std::uniform_int_distribution<std::int64_t>(low, high)(random);
  };
  const auto drawn = [&] {
    Layout layout;
    layout.offset = some(0, 40);
    for (std::int64_t axes = some(0, 3); axes > 0; --axes) {
      layout.shape.push_back(some(0, 9) ? some(1, 4) : 0);
      layout.strides.push_back(some(-9, 9));
    }
    return layout;
  };
  const auto bytes_of = [](const Layout& layout, std::int64_t bytes) {
    std::set<std::int64_t> found;
    for (const std::int64_t at : offsets(layout))
      for (std::int64_t k = 0; k < bytes; ++k) found.insert(at * bytes + k);
    return found;
  };
  int count = 0;
  for (int i = 0; i < 20'000; ++i) {
    const Layout a = drawn(), b = drawn();
    const std::int64_t of_a = 1 << some(0, 3), of_b = 1 << some(0, 3);
    const std::set<std::int64_t> all = bytes_of(b, of_b);
    bool is_any = false;
    for (const std::int64_t at : bytes_of(a, of_a)) is_any = is_any || all.contains(at);
    ASSERT_EQ(share_bytes({a, of_a}, {b, of_b}), is_any) << i;
    count += is_any;
  }
  EXPECT_GT(count, 2000);
  EXPECT_LT(count, 16'000);
}

}  // namespace
}  // namespace isthmus
