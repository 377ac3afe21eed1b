// test_sort.cpp: scans, sorts, sets, quantiles and counts, in C++; tests/device compares them with
// NumPy.
#include "isthmus/array/sort/sort.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <complex>
#include <limits>

#include "isthmus/array/arrange/manipulate.h"
#include "isthmus/array/create/create.h"
#include "isthmus/array/functions.h"
#include "isthmus/array/index/index.h"
#include "isthmus/array/index/search.h"
#include "isthmus/array/sort/counting.h"
#include "isthmus/array/sort/quantiles.h"
#include "isthmus/array/sort/scan.h"
#include "isthmus/array/sort/sets.h"
#include "isthmus/threads/executor.h"
#include "tests/unit/errors.h"
#include "tests/unit/support.h"

namespace isthmus {
namespace {

using Longs = std::vector<std::int64_t>;
using Floats = std::vector<float>;

class Sort : public EachDevice {
 protected:
  Array ints(const Longs& numbers) const { return Array(numbers).to_device(device); }
  Array floats(const Floats& numbers) const { return Array(numbers).to_device(device); }
  static Longs of(const Array& x) { return x.to_vector<std::int64_t>(); }
  static Floats floats_of(const Array& x) { return x.to_vector<float>(); }
  const float not_a_number = std::numeric_limits<float>::quiet_NaN();
};
INSTANTIATE_TEST_SUITE_P(Devices, Sort, ::testing::Values(-1, 1, 2), device_name);

TEST_P(Sort, scans) {
  const Array x = reshape(ints({3, 1, 2, 0, -1, 5}), {2, 3});
  EXPECT_EQ(of(cumulative_sum(x, 1)), (Longs{3, 4, 6, 0, -1, 4}));
  EXPECT_EQ(of(cumulative_prod(x, 0)), (Longs{3, 1, 2, 0, -1, 10}));
  EXPECT_EQ(of(cumulative_max(x, 1)), (Longs{3, 3, 3, 0, 0, 5}));
  EXPECT_EQ(of(cumulative_min(x, -1)), (Longs{3, 1, 1, 0, -1, -1}));
  EXPECT_EQ(of(cumulative_sum(x[0], {}, {}, true)), (Longs{0, 3, 4, 6}));
  EXPECT_EQ(of(x.cumsum()), (Longs{3, 4, 6, 6, 5, 10}));
  EXPECT_EQ(of(x.cumprod(0)), (Longs{3, 1, 2, 0, -1, 10}));
  EXPECT_THROW(cumulative_sum(x), ValueError);
  EXPECT_THROW(cumulative_sum(x, 2), IndexError);
}

TEST_P(Sort, puts_in_order) {
  const Array x = reshape(ints({3, 1, 2, 0, -1, 5}), {2, 3});
  EXPECT_EQ(of(sort(x)), (Longs{1, 2, 3, -1, 0, 5}));
  EXPECT_EQ(of(sort(x, 0)), (Longs{0, -1, 2, 3, 1, 5}));
  EXPECT_EQ(of(argsort(x, -1, {.descending = true})), (Longs{0, 2, 1, 2, 0, 1}));
  EXPECT_EQ(of(x.argsort(0)), (Longs{1, 1, 0, 0, 0, 1}));
  const Array numbers = floats({not_a_number, 2, -0.f, 0, 1});
  EXPECT_EQ(of(argsort(numbers)), (Longs{2, 3, 4, 1, 0}));
  EXPECT_EQ(of(argsort(numbers, 0, {.descending = true})), (Longs{1, 4, 2, 3, 0}));
  const Array complex =
      Array(std::vector<std::complex<float>>{{1, 2}, {0, 5}, {1, not_a_number}, {1, -2}})
          .to_device(device);
  EXPECT_EQ(of(argsort(complex)), (Longs{1, 3, 0, 2}));
  EXPECT_EQ(of(lexsort({ints({1, 0, 1, 0}), ints({2, 2, 1, 1})})), (Longs{3, 2, 1, 0}));
  EXPECT_EQ(of(partition(x, 1)), of(sort(x)));
  EXPECT_EQ(of(argpartition(x, {0, -1}, 0)), of(argsort(x, 0)));
  EXPECT_EQ(of(x.argpartition({0, -1}, 0)), of(argsort(x, 0)));
  EXPECT_EQ(of(ints({1, 3, 3, 7}).searchsorted(ints({3, 8}))), (Longs{1, 4}));
  EXPECT_EQ(of(ints({1, 3, 3, 7}).searchsorted(3, Side::right)), (Longs{3}));
  const Array y = x.copy(), later = y + 1;
  y[{ellipsis, slice(0, 2)}].sort(0);
  EXPECT_EQ(of(y), (Longs{0, -1, 2, 3, 1, 5}));
  y.partition({0, 1, 2});
  EXPECT_EQ(of(y), (Longs{-1, 0, 2, 1, 3, 5}));
  EXPECT_EQ(of(later), of(x + 1));
  EXPECT_THROW(broadcast_to(y, {2, 2, 3}).sort(), ValueError);
  const auto [values, indices] = topk(x, 2);
  EXPECT_EQ(of(values), (Longs{3, 2, 5, 0}));
  EXPECT_EQ(of(indices), (Longs{0, 2, 2, 0}));
}

/// f of numbers that follow no pattern.
template <class F>
Floats numbers_of(std::size_t n, F f) {
  Floats numbers(n);
  std::uint32_t state = 1;
  for (float& x : numbers) x = f(state = state * 1664525 + 1013904223);
  return numbers;
}

TEST(SortOnTheHost, of_many_elements_is_that_of_one_thread) {
  const int before = thread_count();
  const Floats numbers = numbers_of(400'000, [](std::uint32_t any) {
    return static_cast<float>(any >> 8) * (any & 64 ? 1e-6f : -1.f);
  });
  Floats expected = numbers;
  std::ranges::sort(expected);
  for (const int threads : {1, 2, 3}) {
    set_thread_count(threads);
    EXPECT_EQ(sort(Array(numbers)).to_vector<float>(), expected) << threads;
    const Floats falling = sort(Array(numbers), 0, {.descending = true}).to_vector<float>();
    EXPECT_TRUE(std::ranges::equal(falling, Floats(expected.rbegin(), expected.rend()))) << threads;
  }
  set_thread_count(before);
}

TEST(PartitionOnTheHost, selects_the_same_by_any_number_of_threads) {
  const int before = thread_count();
  const Floats numbers =
      numbers_of(300'000, [](std::uint32_t any) { return static_cast<float>(any >> 12 & 0xffff); });
  Floats expected = numbers;
  std::ranges::sort(expected);
  const Array x(numbers);
  Floats first;
  for (const int threads : {1, 2, 3}) {
    set_thread_count(threads);
    const Floats found = partition(x, {150'000, 10}).to_vector<float>();
    for (const std::size_t place : {10u, 150'000u}) {
      const float at = expected[place];
      EXPECT_EQ(found[place], at) << threads;
      const auto next = found.begin() + static_cast<std::ptrdiff_t>(place);
      EXPECT_TRUE(std::all_of(found.begin(), next, [&](float y) { return y <= at; })) << threads;
      EXPECT_TRUE(std::all_of(next, found.end(), [&](float y) { return y >= at; })) << threads;
    }
    EXPECT_NE(found, expected) << "it sorts";
    if (first.empty()) first = found;
    EXPECT_EQ(found, first) << threads;
    const Array where = argpartition(x, {10, 150'000});
    EXPECT_EQ(x[where].to_vector<float>(), found) << threads;
    Floats sorted = found;
    std::ranges::sort(sorted);
    EXPECT_EQ(sorted, expected) << threads;
    EXPECT_EQ(median(x).item<float>(), (expected[149'999] + expected[150'000]) / 2) << threads;
  }
  set_thread_count(before);
}

TEST_P(Sort, puts_all_elements_in_order) {
  const Array x = reshape(ints({3, 1, 2, 0}), {2, 2});
  EXPECT_EQ(of(sort(x, std::nullopt)), (Longs{0, 1, 2, 3}));
  EXPECT_EQ(of(sort(x, std::nullopt, {.descending = true})), (Longs{3, 2, 1, 0}));
  EXPECT_EQ(of(argsort(x, std::nullopt)), (Longs{3, 1, 2, 0}));
  EXPECT_EQ(of(partition(x, 1, std::nullopt))[1], 1);
  EXPECT_EQ(of(argpartition(x, 0, std::nullopt))[0], 3);
  EXPECT_EQ(of(x.argsort(std::nullopt)), (Longs{3, 1, 2, 0}));
  EXPECT_EQ(of(ravel(x).argsort(0, {.descending = true})), (Longs{0, 2, 1, 3}));
  const Array y = copy(x);
  y.sort(0, {.descending = true});
  EXPECT_EQ(of(y), (Longs{3, 1, 2, 0}));
  y.sort();
  EXPECT_EQ(of(y), (Longs{1, 3, 0, 2}));
}

TEST_P(Sort, says_what_cannot_be_put_in_order) {
  const Array x = reshape(ints({3, 1, 2, 0}), {2, 2});
  EXPECT_THROW(sort(x, 2), IndexError);
  EXPECT_THROW(argsort(x[{0, 0}]), ValueError);
  EXPECT_THROW(partition(x, 2), IndexError);
  EXPECT_THROW(topk(x, 3), ValueError);
  EXPECT_THROW(lexsort(std::span<const Array>()), ValueError);
  EXPECT_THROW(lexsort({x, x[0]}), ValueError);
}

TEST_P(Sort, finds_distinct_elements) {
  const Array x = reshape(ints({5, 3, 5, 3, 3, 9}), {2, 3});
  const UniqueAll all = unique_all(x);
  EXPECT_EQ(of(all.values), (Longs{3, 5, 9}));
  EXPECT_EQ(of(all.indices), (Longs{1, 0, 5}));
  EXPECT_EQ(of(all.inverse_indices), (Longs{1, 0, 1, 0, 0, 2}));
  EXPECT_EQ(all.inverse_indices.shape(), x.shape());
  EXPECT_EQ(of(all.counts), (Longs{3, 2, 1}));
  EXPECT_EQ(of(unique_values(x)), of(all.values));
  EXPECT_EQ(of(unique_counts(x).counts), of(all.counts));
  EXPECT_EQ(of(unique_inverse(x).inverse_indices), of(all.inverse_indices));
  EXPECT_EQ(unique_values(floats({not_a_number, not_a_number, 0, -0.f})).size(), 3);
  EXPECT_EQ(unique_all(x[{slice(0, 0)}]).counts.size(), 0);
  EXPECT_EQ(of(astype(isin(x, ints({9, 3})), TypeId::int64)), (Longs{0, 1, 0, 1, 1, 1}));
  EXPECT_EQ(of(astype(isin(x, 5, true), TypeId::int64)), (Longs{0, 1, 0, 1, 1, 1}));
  EXPECT_TRUE(isin(9, x).item<bool>());
  EXPECT_THROW(isin(1, 2), TypeError);
}

TEST_P(Sort, finds_quantiles) {
  const Array x = reshape(floats({3, 1, 2, 0, not_a_number, 5}), {2, 3});
  EXPECT_EQ(median(x, 1)[0].item<float>(), 2);
  EXPECT_TRUE(std::isnan(median(x).item<float>()));
  EXPECT_EQ(floats_of(nanmedian(x, 1)), (Floats{2, 2.5}));
  EXPECT_EQ(nanmedian(x, 0, true).shape(), (Dims{1, 3}));
  EXPECT_EQ(quantile(x[0], 0.25).item<float>(), 1.5);
  EXPECT_EQ(floats_of(quantile(x[0], {0, 1}, all_axes, false, "lower")), (Floats{1, 3}));
  EXPECT_EQ(floats_of(percentile(x[0], {25, 75}, 0, true)), (Floats{1.5, 2.5}));
  EXPECT_EQ(percentile(x[0], 50, 0, false, "nearest").item<float>(), 2);
  const Array parts = reshape(floats({0, 0.5, 1, 0.25}), {2, 2});
  EXPECT_EQ(quantile(x, parts, 1).shape(), (Dims{2, 2, 2}));
  EXPECT_EQ(floats_of(quantile(x[0], parts)), (Floats{1, 2, 3, 1.5}));
  EXPECT_EQ(floats_of(nanquantile(x, 0.5, 1)), (Floats{2, 2.5}));
  EXPECT_EQ(floats_of(nanquantile(x, {0, 1}, 1)), (Floats{1, 0, 3, 5}));
  EXPECT_EQ(floats_of(nanpercentile(x, parts * 100)), (Floats{0, 2, 5, 1}));
  EXPECT_THROW(quantile(x, 1.5), ValueError);
  EXPECT_THROW(quantile(x, 0.5, 0, false, "most"), ValueError);
  EXPECT_THROW(quantile(x[{slice(0, 0)}], 0.5), ValueError);
}

TEST_P(Sort, counts_and_adds_up) {
  const Array x = ints({1, 3, 1, 0});
  EXPECT_EQ(of(bincount(x)), (Longs{1, 2, 0, 1}));
  EXPECT_EQ(of(bincount(x, {}, 6)), (Longs{1, 2, 0, 1, 0, 0}));
  EXPECT_EQ(floats_of(astype(bincount(x, floats({1, 2, 4, 8})), TypeId::float32)),
            (Floats{8, 5, 0, 2}));
  EXPECT_THROW(bincount(x - 1), ValueError);
  const Array many = arange(300'000, TypeId::int64, device);  // shared by threads
  EXPECT_EQ(of(bincount(many % 3)), (Longs{100'000, 100'000, 100'000}));
  EXPECT_EQ(of(sum(bincount(many))), Longs{300'000});
  EXPECT_THROW(bincount(many - 1), ValueError);
  const Array twos = zeros({3}, TypeId::int32, device);
  add_at(twos, many % 3, 2);
  EXPECT_EQ(of(astype(twos, TypeId::int64)), (Longs{200'000, 200'000, 200'000}));
  const auto [counts, edges] = histogram(floats({0, 1, 2, 4}), 2);
  EXPECT_EQ(of(counts), (Longs{2, 2}));
  EXPECT_EQ(floats_of(edges), (Floats{0, 2, 4}));
  EXPECT_EQ(of(histogram(x, ints({0, 1, 3})).counts), (Longs{1, 3}));
  EXPECT_EQ(of(histogram(x, 2, std::pair{0., 2.}, {.weights = x}).counts), (Longs{0, 2}));
  EXPECT_EQ(of(histogram(x, "sturges").counts), (Longs{1, 2, 1}));
  EXPECT_EQ(of(histogram(Array({1.7142857F}), 10).counts), (Longs{0, 0, 0, 0, 1, 0, 0, 0, 0, 0}));
  EXPECT_THROW(histogram(x, "most"), ValueError);
  EXPECT_THROW(histogram(x, "auto", {}, {.weights = x}), TypeError);
  EXPECT_THROW(histogram(x, 10, std::pair{-1.7e308, 1.7e308}), ValueError);
  EXPECT_THROW(histogram(x, 0), ValueError);
  const Array sums = ints({0, 0, 0});
  add_at(sums, ints({2, 0, -1, 2}), ints({1, 2, 3, 4}));
  EXPECT_EQ(of(sums), (Longs{2, 0, 8}));
  add_at(sums, ints({1, 1}), 5);
  EXPECT_EQ(of(sums), (Longs{2, 10, 8}));
  const Array table = reshape(ints({0, 0, 0, 0, 0, 0}), {2, 3});
  add_at(table, {ints({0, 1, 0}), ints({2, -3, 2})}, ints({1, 2, 3}));
  EXPECT_EQ(of(table), (Longs{0, 0, 4, 2, 0, 0}));
  const IndexEntry entries[] = {slice(), ints({1, 1})};
  add_at(table, entries, 1);
  add_at(table, std::span(entries, 1), 1);
  EXPECT_EQ(of(table), (Longs{1, 3, 5, 3, 3, 1}));
  const auto add_outside = [&](const Array& x, std::initializer_list<Array> indices) {
    add_at(x, indices, 1);
    of(x);  // where the host cannot look at indices, the error comes here
  };
  EXPECT_THROW(add_outside(table, {ints({0}), ints({3})}), IndexError);
  EXPECT_EQ(of(table), (Longs{1, 3, 5, 3, 3, 1}));
  EXPECT_THROW(add_at(table, {ints({0}), ints({1, 2, 0}), ints({0})}, 1), IndexError);
  EXPECT_THROW(add_outside(sums, {ints({3})}), IndexError);
  EXPECT_THROW(add_at(sums, ints({0}), 1.5), TypeError);
}

}  // namespace
}  // namespace isthmus
