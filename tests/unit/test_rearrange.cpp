// test_rearrange.cpp: rearranging and comparing, in C++; tests/device compares them with NumPy.
#include "isthmus/array/arrange/rearrange.h"

#include <gtest/gtest.h>

#include <limits>

#include "isthmus/array/arrange/manipulate.h"
#include "isthmus/array/comparing.h"
#include "isthmus/array/create/create.h"
#include "isthmus/array/functions.h"
#include "isthmus/array/index/index.h"
#include "isthmus/runtime/observe/statistics.h"
#include "tests/unit/errors.h"
#include "tests/unit/support.h"

namespace isthmus {
namespace {

class Rearrange : public EachDevice {
 protected:
  Array x() const { return reshape(arange(6, TypeId::int32, device), {2, 3}); }
  static std::vector<int> of(const Array& x) { return x.to_vector<int>(); }
};
INSTANTIATE_TEST_SUITE_P(Devices, Rearrange, ::testing::Values(-1, 1, 2), device_name);

using Ints = std::vector<int>;

TEST_P(Rearrange, moves_elements) {
  EXPECT_EQ(of(roll(x(), 1)), (Ints{5, 0, 1, 2, 3, 4}));
  EXPECT_EQ(of(roll(x(), 1, 0)), (Ints{3, 4, 5, 0, 1, 2}));
  EXPECT_EQ(of(roll(x(), {1, -1}, {0, 1})), (Ints{4, 5, 3, 1, 2, 0}));
  EXPECT_EQ(of(repeat(x(), 2, 1)), (Ints{0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5}));
  EXPECT_EQ(of(repeat(x(), Axes{1, 0, 2}, 1)), (Ints{0, 2, 2, 3, 5, 5}));
  EXPECT_EQ(of(repeat(x(), {1, 0, 2}, 1)), (Ints{0, 2, 2, 3, 5, 5}));
  EXPECT_EQ(of(repeat(x(), x()[1] - 3, 1)), (Ints{1, 2, 2, 4, 5, 5}));
  EXPECT_EQ(of(repeat(x(), {2}, 0)), (Ints{0, 1, 2, 0, 1, 2, 3, 4, 5, 3, 4, 5}));
  EXPECT_EQ(of(x().repeat(2, 0)), (Ints{0, 1, 2, 0, 1, 2, 3, 4, 5, 3, 4, 5}));
  EXPECT_EQ(of(x().repeat(x()[1] - 3, 1)), (Ints{1, 2, 2, 4, 5, 5}));
  EXPECT_EQ(of(x().diagonal(1)), (Ints{1, 5}));
  EXPECT_EQ(x().trace(-1).item<int>(), 3);
  EXPECT_EQ(of(tile(x(), {2, 1})), (Ints{0, 1, 2, 3, 4, 5, 0, 1, 2, 3, 4, 5}));
  EXPECT_EQ(of(tril(x())), (Ints{0, 0, 0, 3, 4, 0}));
  EXPECT_EQ(of(triu(x(), 1)), (Ints{0, 1, 2, 0, 0, 5}));
  EXPECT_EQ(of(diff(x())), (Ints{1, 1, 1, 1}));
  EXPECT_EQ(of(diff(x() * x(), 2)), (Ints{2, 2}));
  EXPECT_EQ(of(diff(x(), 1, 0, x()[{slice(0, 1)}])), (Ints{0, 0, 0, 3, 3, 3}));
  EXPECT_EQ(of(diff(x(), 1, 0, {}, 1)), (Ints{3, 3, 3, -2, -3, -4}));
  EXPECT_EQ(of(diff(x(), 1, 1, x()[{0, 1}])), (Ints{-1, 1, 1, 2, 1, 1}));
  EXPECT_EQ(of(hstack({x(), x()[{ellipsis, slice(0, 1)}]})), (Ints{0, 1, 2, 0, 3, 4, 5, 3}));
  EXPECT_EQ(of(vstack({x()[0], x()[0]})), (Ints{0, 1, 2, 0, 1, 2}));
}

TEST_P(Rearrange, shows_parts_and_grids) {
  const Array all = x();
  const std::vector<Array> parts = split(all, 3, 1);
  ASSERT_EQ(parts.size(), 3u);
  parts[1][ellipsis] = 9;
  EXPECT_EQ(of(all), (Ints{0, 9, 2, 3, 9, 5}));
  EXPECT_EQ(split(all, Axes{-1, 7}, 1)[1].shape(), (Dims{2, 1}));
  const std::vector<Array> grid = meshgrid({arange(2, device), arange(3, device)});
  EXPECT_EQ(grid[0].shape(), (Dims{3, 2}));
  EXPECT_EQ(of(grid[1].astype<int>()), (Ints{0, 0, 1, 1, 2, 2}));
}

TEST_P(Rearrange, says_what_does_not_fit) {
  constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
  EXPECT_THROW(repeat(x(), -1), ValueError);
  EXPECT_THROW(repeat(x(), most), ValueError);
  EXPECT_THROW(repeat(x(), Axes{1, 2}, 1), ValueError);
  EXPECT_THROW(repeat(x(), Axes{1, -2}, 0), ValueError);
  EXPECT_THROW(repeat(x(), Axes{most, most}, 0), ValueError);
  EXPECT_THROW(repeat(x(), astype(x()[0], TypeId::float32), 1), TypeError);
  EXPECT_THROW(tile(x(), {most}), ValueError);
  EXPECT_THROW(split(x(), 2, 1), ValueError);
  EXPECT_THROW(split(x(), 1, 2), IndexError);
  EXPECT_THROW(roll(x(), {1, 2}, {0}), ValueError);
  EXPECT_THROW(tril(x()[0]), ValueError);
  EXPECT_THROW(diff(x(), -1), ValueError);
  EXPECT_THROW(meshgrid({x()}), ValueError);
  EXPECT_THROW(hstack(std::span<const Array>()), ValueError);
  EXPECT_EQ(of(tril(x(), -most - 1)), Ints(6, 0));
  EXPECT_EQ(of(triu(x(), -most - 1)), of(x()));
}

TEST_P(Rearrange, compares_in_one_kernel) {
  const Array y = x(), near = x().astype<float>() + 1e-9;
  y.eval(), near.eval();
  const std::int64_t before = statistics().kernels;
  EXPECT_TRUE(allclose(near, y).item<bool>());
  EXPECT_EQ(statistics().kernels, before + 1);
  EXPECT_FALSE(array_equal(near, y).item<bool>());
  EXPECT_FALSE(array_equal(y, y[0]).item<bool>());
  EXPECT_TRUE((isclose(2.0, y)[{0, 2}].item<bool>()));
  EXPECT_EQ(count_nonzero(y).item<int>(), 5);
  EXPECT_EQ(of(count_nonzero(y, 1).astype<int>()), (Ints{2, 3}));
  EXPECT_THROW(isclose(1, 2), TypeError);
  EXPECT_FALSE((allclose(y, near, {.relative = 0, .absolute = 0}).item<bool>()));
}

}  // namespace
}  // namespace isthmus
