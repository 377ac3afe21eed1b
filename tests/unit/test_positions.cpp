// test_positions.cpp: reads and writes by position, on every device without a driver.
#include "isthmus/array/index/positions.h"

#include <gtest/gtest.h>

#include <complex>

#include "isthmus/array/arrange/manipulate.h"
#include "isthmus/array/create/create.h"
#include "isthmus/array/functions.h"
#include "isthmus/array/index/index.h"
#include "isthmus/runtime/observe/statistics.h"
#include "tests/unit/errors.h"
#include "tests/unit/support.h"

namespace isthmus {
namespace {

using detail::load;
using detail::search;
using detail::store;
using Ints = std::vector<int>;

class PositionsOn : public EachDevice {
 protected:
  Array row(std::initializer_list<int> numbers, DType dtype = TypeId::int64) const {
    const std::vector<int> elements(numbers);
    return astype(Array(elements).to_device(device), dtype, false);
  }
  static Ints of(const Array& x) { return x.to_vector<int>(); }
};
INSTANTIATE_TEST_SUITE_P(Devices, PositionsOn, ::testing::Values(-1, 1, 2), device_name);

TEST_P(PositionsOn, load_reads_every_dtype) {
  for (const TypeId dtype :
       {TypeId::bool_, TypeId::int8, TypeId::uint16, TypeId::int32, TypeId::uint64, TypeId::float16,
        TypeId::bfloat16, TypeId::float32, TypeId::complex64}) {
    const Array x = row({0, 1, 1, 0, 1}, dtype).eval();
    const Array got = load("test", x, row({4, 0, 3, 2, 2, 1}));
    EXPECT_EQ(got.dtype(), DType(dtype));
    EXPECT_EQ(of(astype(real(got), TypeId::int32)), (Ints{1, 0, 0, 1, 1, 1})) << int(dtype);
  }
}

TEST_P(PositionsOn, load_counts_from_the_lowest_element) {
  const Array x = arange(12, TypeId::int32, device).eval();
  const Array backwards = x[slice({}, {}, -2)];  // 11, 9, ..., 1
  const detail::Positions positions(backwards.layout());
  EXPECT_EQ(positions.first, 10);
  EXPECT_EQ(positions.lowest, 1);
  EXPECT_EQ(positions.count, 11);
  EXPECT_EQ(of(load("test", backwards, positions.first - 2 * row({0, 1, 5}))), (Ints{11, 9, 1}));
}

TEST_P(PositionsOn, load_fuses_with_its_positions_and_its_reader) {
  const Array x = arange(1000, TypeId::int32, device).eval();
  const Array at = row({5, 900, 17}).eval();
  const std::int64_t before = statistics().kernels;
  Array y = load("test", x, at + 1) * 2 + 1;
  EXPECT_EQ(of(y), (Ints{13, 1803, 37}));
  EXPECT_EQ(statistics().kernels, before + 1);
  EXPECT_EQ(sum(load("test", x, at * 1)).item<int>(), 922);
}

TEST_P(PositionsOn, load_of_a_pending_base_and_of_a_load) {
  const Array x = arange(10, TypeId::int64, device) * 3;
  Array twice = load("test", x, load("test", arange(10, TypeId::int64, device), row({1, 2, 9})));
  EXPECT_EQ(of(twice), (Ints{3, 6, 27}));
  const Array base = arange(10, TypeId::int64, device) + 5;
  EXPECT_EQ(of(load("test", base, base - 5) + base),
            (Ints{10, 12, 14, 16, 18, 20, 22, 24, 26, 28}));
}

TEST_P(PositionsOn, load_of_many) {
  const std::int64_t n = 300'000;
  const Array x = (arange(n, TypeId::int32, device) * 7).eval();
  const Array at = n - 1 - arange(n, TypeId::int64, device);
  EXPECT_TRUE(all(load("test", x, at) == flip(x)).item<bool>());
  const Array square = reshape(x, {500, 600});
  const Array i = detail::Positions(square.layout()).first +
                  index_along({600, 500}, 1, device) * 600 + index_along({600, 500}, 0, device);
  EXPECT_TRUE(all(load("test", square, i) == transpose(square)).item<bool>());
}

TEST_P(PositionsOn, store_writes_the_last_of_equal_positions) {
  const Array x = zeros({6}, TypeId::int32, device).eval();
  store("test", x, row({1, 4, 1, -1, 5, 1}), row({10, 20, 30, 40, 50, 60}), false);
  EXPECT_EQ(of(x), (Ints{0, 60, 0, 0, 20, 50}));
  store("test", x, row({0, 2, -5}), 7, true);
  EXPECT_EQ(of(x), (Ints{7, 60, 7, 0, 20, 50}));
  store("test", x[slice({}, {}, -2)], row({4, 0}), row({1, 2}) * 2, true);  // 5, 3, 1
  EXPECT_EQ(of(x), (Ints{7, 4, 7, 0, 20, 2}));
}

TEST_P(PositionsOn, store_of_many_equal_positions) {
  const std::int64_t n = 100'000;
  const Array x = zeros({10}, TypeId::int64, device).eval();
  const Array i = arange(n, TypeId::int64, device);
  store("test", x, i % 10, i, false);
  EXPECT_EQ(of(x)[3], n - 7);
  EXPECT_EQ(of(x)[9], n - 1);
  const Array square = index_along({300, 10}, 0, device);
  store("test", x, index_along({300, 10}, 1, device), square, false);
  EXPECT_EQ(of(x), Ints(10, 299));
}

TEST_P(PositionsOn, store_of_values_that_take_long) {
  const std::int64_t n = 20'000;
  const Array x = zeros({100, 2}, TypeId::float32, device).eval();
  const Array i = arange(n, TypeId::int64, device);
  const Array values = pow(astype(i, TypeId::float32), 0.5f);
  store("test", x, where(i % 100 == 7, -1, i % 100 * 2), values, false);
  const std::vector<float> wanted = values[slice(n - 100)].to_vector<float>(),
                           found = x.to_vector<float>();
  for (std::size_t k = 0; k < 100; ++k) {
    EXPECT_EQ(found[2 * k], k == 7 ? 0 : wanted[k]);
    EXPECT_EQ(found[2 * k + 1], 0);
  }
  store("test", x, pow(i, 2) % 200, pow(i, 2) % 200, false);  // a value and its position are one
  EXPECT_EQ(x[{0}].to_vector<float>(), (std::vector<float>{0, 1}));
}

TEST_P(PositionsOn, integers_are_added_to_what_is_there) {
  for (const TypeId dtype : {TypeId::int8, TypeId::uint16, TypeId::int32, TypeId::uint64}) {
    const Array x = row({1, 2, 3, 4, 5, 6}, dtype).eval();
    detail::add_to("test", x, row({1, 4, 1, -1, 5, 1}), row({10, 20, 30, 40, 50, 60}, dtype));
    EXPECT_EQ(of(astype(x, TypeId::int32)), (Ints{1, 102, 3, 4, 25, 56}));
    detail::add_to("test", x[slice({}, {}, -2)], row({4, 0, 0, 0}), 1);  // 5, 3, 1
    EXPECT_EQ(of(astype(x, TypeId::int32)), (Ints{1, 105, 3, 4, 25, 57}));
    detail::add_to("test", x, zeros({0}, TypeId::int64, device), 1);
  }
  const Array x = zeros({8}, TypeId::uint8, device).eval();
  const Array i = arange(4096, TypeId::int64, device);
  detail::add_to("test", x, i % 8, 1);          // 512 each
  detail::add_to("test", x, x * 0 + 3, x + 1);  // what it writes is read first
  EXPECT_EQ(of(astype(x, TypeId::int32)), (Ints{0, 0, 0, 8, 0, 0, 0, 0}));
}

TEST_P(PositionsOn, store_writes_every_dtype) {
  for (const TypeId dtype :
       {TypeId::bool_, TypeId::int8, TypeId::uint16, TypeId::int32, TypeId::uint64, TypeId::float16,
        TypeId::bfloat16, TypeId::float32, TypeId::complex64}) {
    for (const bool is_unique : {false, true}) {
      const Array x = zeros({4}, dtype, device).eval();
      store("test", x, row({3, 1}), row({1, 1}, TypeId::bool_), is_unique);
      EXPECT_EQ(of(astype(real(x), TypeId::int32)), (Ints{0, 1, 0, 1})) << int(dtype);
    }
  }
}

TEST_P(PositionsOn, store_reads_all_before_it_writes) {
  const Array x = arange(6, TypeId::int64, device).eval();
  store("test", x, 5 - x, x + 10, true);  // positions and values are what it writes
  EXPECT_EQ(of(x), (Ints{15, 14, 13, 12, 11, 10}));
  const Array before = x * 2;
  store("test", x, row({0}), row({1}), true);
  EXPECT_EQ(of(before), (Ints{30, 28, 26, 24, 22, 20}));
  const Array y = zeros({6}, TypeId::int64, device) + 1;  // pending
  store("test", y, row({5}), load("test", x, row({0})), true);
  EXPECT_EQ(of(y), (Ints{1, 1, 1, 1, 1, 1}));
}

TEST_P(PositionsOn, store_keeps_its_values_which_are_held) {
  const Array x = zeros({4}, TypeId::int64, device).eval();
  const Array values = row({1, 2}) + 1;
  const Array at = row({0, 1}) + 2;
  store("test", x, at, values, true);
  EXPECT_EQ(of(x), (Ints{0, 0, 2, 3}));
  EXPECT_EQ(of(values), (Ints{2, 3}));
  EXPECT_EQ(of(at), (Ints{2, 3}));
}

TEST_P(PositionsOn, store_of_a_reduction) {
  const Array x = zeros({4}, TypeId::int64, device).eval();
  const Array m = reshape(arange(6, TypeId::int64, device), {2, 3}).eval();
  store("test", x, row({3, 0}), sum(m, 1), true);
  EXPECT_EQ(of(x), (Ints{12, 0, 0, 3}));
}

TEST_P(PositionsOn, search_finds_both_sides) {
  const Array x = row({1, 3, 3, 5}, TypeId::float32).eval();
  const Array y = row({0, 1, 3, 4, 5, 6}, TypeId::float32);
  EXPECT_EQ(of(search("test", x, y, false)), (Ints{0, 0, 1, 3, 3, 4}));
  EXPECT_EQ(of(search("test", x, y, true)), (Ints{0, 1, 3, 3, 4, 4}));
  EXPECT_EQ(of(search("test", x[slice(1, 3)], y, true)), (Ints{0, 0, 2, 2, 2, 2}));
  const Array empty = zeros({0}, TypeId::float32, device);
  EXPECT_EQ(of(search("test", empty, y, true)), Ints(6, 0));
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const Array with_nan = Array(std::vector<float>{1, 2, nan, nan}).to_device(device);
  const Array wanted = Array(std::vector<float>{nan, 2, 3}).to_device(device);
  EXPECT_EQ(of(search("test", with_nan, wanted, false)), (Ints{2, 1, 2}));
  EXPECT_EQ(of(search("test", with_nan, wanted, true)), (Ints{4, 2, 2}));
}

TEST_P(PositionsOn, indices_are_checked) {
  const auto checked = [&](const Array& x, std::int64_t extent) {
    wait(x.eval().storage());
    detail::LateIndexList late;
    const Array inside = detail::checked_indices("test", x, extent, 4, x.shape(), late);
    return of(guarded(inside, late, false));
  };
  EXPECT_EQ(checked(row({0, -1, 2, -3}), 3), (Ints{0, 2, 2, 0}));
  EXPECT_EQ(checked(row({0, 2}, TypeId::uint8), 3), (Ints{0, 2}));
  EXPECT_EQ(checked(row({0, -128}, TypeId::int8), 300), (Ints{0, 172}));
  EXPECT_EQ(checked(zeros({0}, TypeId::int8, device), 0), Ints{});
  EXPECT_EQ(code_of([&] { checked(row({0}, TypeId::float32), 3); }), Errc::type);
  EXPECT_EQ(code_of([&] { checked(row({0}, TypeId::bool_), 3); }), Errc::type);
  EXPECT_EQ(code_of([&] { checked(row({0, 3, -9}), 3); }), Errc::index);
  if (device == discrete_null) return;  // where the host cannot look; see test_late_indices.cpp
  EXPECT_EQ(error_of(Errc::index, [&] { checked(row({0, 3, -9}), 3); }),
            "test: 3 is out of bounds for axis 4 of length 3, at (1,) of the indices");
  EXPECT_EQ(error_of(Errc::index, [&] { checked(row({0, -4}, TypeId::int8), 3); }),
            "test: -4 is out of bounds for axis 4 of length 3, at (1,) of the indices");
  EXPECT_EQ(error_of(Errc::index, [&] { checked(row({0}), 0); }),
            "test: 0 is out of bounds for axis 4 of length 0, at (0,) of the indices");
  const Array large = full({2}, UINT64_MAX, TypeId::uint64, device);
  EXPECT_EQ(
      error_of(Errc::index, [&] { checked(large, 3); }),
      "test: 18446744073709551615 is out of bounds for axis 4 of length 3, at (0,) of the indices");
}

}  // namespace
}  // namespace isthmus
