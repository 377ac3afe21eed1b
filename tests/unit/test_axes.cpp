// test_axes.cpp: axes moved, cut and broadcast: views of the same memory.
#include <gtest/gtest.h>

#include "isthmus/array/arrange/manipulate.h"
#include "isthmus/array/array.h"
#include "isthmus/array/index/index.h"
#include "tests/unit/errors.h"

namespace isthmus {
namespace {

Array counted(const Shape& shape) {
  return reshape(arange(checked_count("test", shape)).eval(), shape).eval();
}

TEST(Moveaxis, IsAView) {
  const Array x = counted({2, 3, 4});
  const Array moved = moveaxis(x, 0, -1);
  EXPECT_EQ(moved.shape(), (Dims{3, 4, 2}));
  EXPECT_EQ(moved.storage(), x.storage());
  EXPECT_EQ(item<int>((moved[{2, 3, 1}])), item<int>((x[{1, 2, 3}])));
  EXPECT_EQ(moveaxis(x, {0, 1}, {-1, 0}).shape(), (Dims{3, 4, 2}));
  EXPECT_EQ(moveaxis(x, {2, 0}, {0, 1}).shape(), (Dims{4, 2, 3}));
  EXPECT_EQ(moveaxis(x, Axes{}, Axes{}).shape(), x.shape());
  EXPECT_EQ(error_of(Errc::value, [&] { moveaxis(x, {0, 1}, {0}); }),
            "moveaxis: 2 axes to 1 places");
  EXPECT_EQ(error_of(Errc::value, [&] { moveaxis(x, {0, -3}, {0, 1}); }),
            "moveaxis: axis -3 is repeated");
  error_of(Errc::index, [&] { moveaxis(x, 3, 0); });
  error_of(Errc::index, [&] { moveaxis(x, 0, INT64_MIN); });
}

TEST(MatrixTranspose, SwapsTheLastTwo) {
  EXPECT_EQ(matrix_transpose(counted({2, 3, 4})).shape(), (Dims{2, 4, 3}));
  error_of(Errc::value, [] { matrix_transpose(counted({3})); });
}

TEST(Unstack, GivesViewsThatWrite) {
  const Array x = counted({2, 3});
  const std::vector<Array> columns = unstack(x, -1);
  ASSERT_EQ(columns.size(), 3u);
  assign(columns[1], 7);
  EXPECT_EQ(item<int>((x[{1, 1}])), 7);
  EXPECT_TRUE(unstack(counted({0, 3})).empty());
  EXPECT_EQ(unstack(counted({0, 3}), 1).size(), 3u);
  error_of(Errc::value, [] { unstack(counted({})); });
  error_of(Errc::index, [&] { unstack(x, 2); });
}

TEST(BroadcastArrays, AreReadOnlyViews) {
  const Array x = counted({3, 1}), y = counted({4});
  const std::vector<Array> both = broadcast_arrays({x, y});
  ASSERT_EQ(both.size(), 2u);
  for (const Array& one : both) {
    EXPECT_EQ(one.shape(), (Dims{3, 4}));
    EXPECT_TRUE(one.is_read_only());
  }
  EXPECT_EQ(both[0].storage(), x.storage());
  const Array whole = counted({3, 4});
  const std::vector<Array> mixed = broadcast_arrays({whole, y});
  EXPECT_FALSE(mixed[0].is_read_only());  // it had the shape
  EXPECT_TRUE(mixed[1].is_read_only());
  assign(mixed[0], 7);
  EXPECT_EQ(item<int>((whole[{1, 1}])), 7);
  EXPECT_TRUE(broadcast_to(whole, {3, 4}).is_read_only());
  EXPECT_EQ(item<int>((both[1][{2, 3}])), 3);
  EXPECT_EQ(broadcast_shapes({{3, 1}, {1, 4}, {}}), (Dims{3, 4}));
  EXPECT_EQ(broadcast_shapes({}), Dims{});
  error_of(Errc::value, [&] { broadcast_arrays({x, y, counted({5})}); });
  error_of(Errc::value, [] { broadcast_shapes({{2}, {3}}); });
}

}  // namespace
}  // namespace isthmus
