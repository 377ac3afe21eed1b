// test_host_orders.cpp: sorts and partitions on the host, of rows of many lengths and patterns.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <vector>

#include "isthmus/array/functions.h"
#include "isthmus/array/index/index.h"
#include "isthmus/array/sort/sort.h"

namespace isthmus {
namespace {

enum Pattern { any, few_values, all_equal, nearly_rising, up_and_down, with_extremes, patterns };

template <class T>
std::vector<T> row_of(std::int64_t n, int pattern) {
  std::vector<T> row(static_cast<std::size_t>(n));
  std::uint64_t state = 12345;
  for (std::int64_t i = 0; i < n; ++i) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    const auto bits = static_cast<std::int64_t>(state >> 16);
    const auto number = [&]() -> std::int64_t {
      switch (pattern) {
        case few_values: return bits % 4;
        case all_equal: return 7;
        case nearly_rising: return bits % 50 ? i : -i;
        case up_and_down: return std::min(i, n - i);
        default: return bits;
      }
    }();
    T& x = row[static_cast<std::size_t>(i)];
    if constexpr (std::is_floating_point_v<T>)
      x = static_cast<T>(number) * (pattern == any ? T(-1e-3) : T(1));
    else
      x = static_cast<T>(number);
    if (pattern == with_extremes && bits % 3 == 0)
      x = bits % 2 ? std::numeric_limits<T>::max() : std::numeric_limits<T>::lowest();
  }
  return row;
}

template <class T>
void expect_parted(const std::vector<T>& got, const std::vector<T>& sorted, std::int64_t place) {
  const auto at = static_cast<std::size_t>(place);
  ASSERT_EQ(got[at], sorted[at]);
  for (std::size_t i = 0; i < got.size(); ++i)
    ASSERT_TRUE(i < at ? got[i] <= got[at] : got[i] >= got[at]) << i;
  auto all = got;
  std::ranges::sort(all);
  ASSERT_EQ(all, sorted);
}

template <class T>
class OrderOnTheHost : public testing::Test {};
#ifdef __SANITIZE_THREAD__  // loops take twenty times as long, and threads share all types alike
using Types = testing::Types<float, std::int64_t>;
#else
using Types = testing::Types<float, double, std::int16_t, std::int32_t, std::int64_t, std::uint8_t,
                             std::uint32_t, std::uint64_t>;
#endif
TYPED_TEST_SUITE(OrderOnTheHost, Types);

TYPED_TEST(OrderOnTheHost, is_that_of_the_standard_library) {
  using T = TypeParam;
  for (int pattern = 0; pattern < patterns; ++pattern) {
    // about the lengths of vectors, networks and blocks, and enough for cells of several threads
    for (const std::int64_t n :
         {1,   2,   3,   4,   7,   8,   9,   15,   17,   31,   33,   48,
          63,  64,  65,  95,  96,  97,  127, 128,  129,  191,  193,  255,
          256, 257, 300, 511, 513, 700, 999, 2047, 2049, 4097, 5000, 140'000}) {
      if (n > 5000 && pattern != any && pattern != with_extremes) continue;
      SCOPED_TRACE(testing::Message() << "pattern " << pattern << ", " << n << " elements");
      const std::vector<T> row = row_of<T>(n, pattern);
      const Array x(row);
      std::vector<T> sorted = row;
      std::ranges::sort(sorted);
      ASSERT_EQ(sort(x).template to_vector<T>(), sorted);
      ASSERT_EQ(x[argsort(x)].template to_vector<T>(), sorted);
      for (const std::int64_t place : {n / 3, n - 1}) {
        if (n > 5000) break;  // test_sort.cpp parts many elements
        expect_parted(partition(x, {place}).template to_vector<T>(), sorted, place);
        expect_parted(x[argpartition(x, {place})].template to_vector<T>(), sorted, place);
      }
      std::ranges::reverse(sorted);
      ASSERT_EQ(sort(x, -1, {.descending = true}).template to_vector<T>(), sorted);
    }
  }
}

TEST(OrderOfFloatsOnTheHost, puts_nan_last_and_keeps_zeros) {
  for (const std::int64_t n : {5, 40, 300, 5000, 140'000}) {
    SCOPED_TRACE(n);
    std::vector<double> row = row_of<double>(n, any);
    for (std::size_t i = 0; i < row.size(); i += 3)
      row[i] = i % 2 ? -0.0 : i % 5 ? 0.0 : std::numeric_limits<double>::quiet_NaN();
    std::vector<double> sorted = row;  // zeros of both signs in their order
    std::ranges::stable_sort(sorted,
                             [](double a, double b) { return a < b || (a == a && b != b); });
    const auto got = sort(Array(row)).to_vector<double>();
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (sorted[i] != sorted[i]) {
        ASSERT_NE(got[i], got[i]) << i;
      } else {
        ASSERT_EQ(got[i], sorted[i]) << i;
        ASSERT_EQ(std::signbit(got[i]), std::signbit(sorted[i])) << i;
      }
    }
  }
}

}  // namespace
}  // namespace isthmus
