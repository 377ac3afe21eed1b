// test_statistics.cpp: statistics, positions, parts and neighbours in C++; tests/device compares
// them with NumPy.
#include "isthmus/array/reduce/statistics.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "isthmus/array/arrange/diagonal.h"
#include "isthmus/array/arrange/manipulate.h"
#include "isthmus/array/arrange/neighbours.h"
#include "isthmus/array/comparing.h"
#include "isthmus/array/create/create.h"
#include "isthmus/array/functions.h"
#include "isthmus/array/index/index.h"
#include "isthmus/array/parts.h"
#include "isthmus/array/reduce/extremes.h"
#include "isthmus/array/reduce/nan_statistics.h"
#include "isthmus/array/sort/scan.h"
#include "isthmus/runtime/observe/statistics.h"
#include "tests/unit/errors.h"
#include "tests/unit/support.h"

namespace isthmus {
namespace {

using Ints = std::vector<int>;
using Floats = std::vector<float>;

constexpr float not_a_number = std::numeric_limits<float>::quiet_NaN();

class Statistics : public EachDevice {
 protected:
  /// [[0, 1, 2], [3, 4, 5]]
  Array x() const { return reshape(arange(6, TypeId::int32, device), {2, 3}); }
  /// [1, NaN, 3]
  Array holed() const { return Array({1.f, not_a_number, 3.f}, TypeId::float32, device); }
  static Ints of(const Array& x) { return x.to_vector<int>(); }
  static Floats floats(const Array& x) { return astype<float>(x).to_vector<float>(); }
};
INSTANTIATE_TEST_SUITE_P(Devices, Statistics, ::testing::Values(-1, 1, 2), device_name);

TEST_P(Statistics, finds_positions) {
  EXPECT_EQ(argmax(x()).item<int>(), 5);
  EXPECT_EQ(of(argmin(x(), 1)), (Ints{0, 0}));
  EXPECT_EQ(argmax(x(), 0, true).shape(), (Dims{1, 3}));
  EXPECT_EQ(argmax(x(), std::nullopt, true).shape(), (Dims{1, 1}));
  EXPECT_EQ(argmax(holed()).item<int>(), 1);
  EXPECT_EQ(nanargmax(holed()).item<int>(), 2);
  EXPECT_EQ(nanargmin(holed()).item<int>(), 0);
  EXPECT_EQ(of(x().T().argmax(0)), (Ints{2, 2}));
  const std::int64_t outer[] = {0, 2};
  const Array three = x().reshape({1, 2, 3});
  EXPECT_EQ(of(reduce(Reduction::argmax, three, std::span(outer), false)), (Ints{2, 2}));
  EXPECT_EQ(reduce(Reduction::argmin, three, {}, false).item<int>(), 0);
  const std::vector<Array> index = unravel_index(argmax(x()), {2, 3});
  EXPECT_EQ(index[0].item<int>(), 1);
  EXPECT_EQ(index[1].item<int>(), 2);
  EXPECT_EQ(unravel_index(argmax(x()), {2, 3}, "F")[0].item<int>(), 1);
  EXPECT_EQ(unravel_index(argmax(x()) - 1, {2, 3}, "F")[1].item<int>(), 2);
}

TEST_P(Statistics, measures_spread) {
  EXPECT_FLOAT_EQ(var(x()).item<float>(), 35.f / 12);
  EXPECT_FLOAT_EQ(isthmus::std(x(), 1, false, 1)[{0}].item<float>(), 1);
  EXPECT_EQ(x().var(0, true).shape(), (Dims{1, 3}));
  EXPECT_EQ(x().std(all_axes, false, 0, TypeId::float32).dtype(), DType(TypeId::float32));
  EXPECT_TRUE(std::isinf(var(x(), all_axes, false, 6).item<float>()));
  EXPECT_FLOAT_EQ(logsumexp(zeros<float>({4}, device)).item<float>(), std::log(4.f));
  EXPECT_FLOAT_EQ(average(x(), 0, Array({1.f, 3.f}, TypeId::float32, device))[{0}].item<float>(),
                  2.25f);
  const auto [low, high] = min_max(x(), 1);
  EXPECT_EQ(of(low), (Ints{0, 3}));
  EXPECT_EQ(of(high), (Ints{2, 5}));
}

TEST_P(Statistics, leaves_out_nan) {
  EXPECT_EQ(nansum(holed()).item<float>(), 4);
  EXPECT_EQ(nanprod(holed()).item<float>(), 3);
  EXPECT_EQ(floats(nancumsum(holed())), (Floats{1, 1, 4}));
  EXPECT_EQ(floats(nancumprod(holed(), 0)), (Floats{1, 1, 3}));
  EXPECT_EQ(of(nancumsum(x())), (Ints{0, 1, 3, 6, 10, 15})) << "without an axis, of all elements";
  EXPECT_EQ(nanmax(holed(), 0, true).shape(), (Dims{1}));
  EXPECT_EQ(nanmax(holed()).item<float>(), 3);
  EXPECT_EQ(nanmin(holed()).item<float>(), 1);
  EXPECT_EQ(nanmean(holed()).item<float>(), 2);
  EXPECT_EQ(nanvar(holed()).item<float>(), 1);
  EXPECT_EQ(nanstd(holed(), all_axes, false, 1).item<float>(), std::sqrt(2.f));
  EXPECT_TRUE(std::isnan(nanmax(holed()[{slice(1, 2)}]).item<float>()));
}

TEST_P(Statistics, has_the_dtype_that_is_asked_for) {
  EXPECT_EQ(var(x(), all_axes, false, 0, TypeId::complex64).dtype(), TypeId::complex64);
  EXPECT_EQ(nanvar(holed(), all_axes, false, 0, TypeId::complex64).dtype(), TypeId::complex64);
  EXPECT_EQ(nanvar(holed(), all_axes, false, 0, TypeId::complex64).item<std::complex<float>>(),
            std::complex<float>(1));
  EXPECT_EQ(of(sum<bool>(x(), 0)), (Ints{1, 1, 1})) << "of bools that are not counted: any";
  EXPECT_EQ(of(prod<bool>(x(), 1)), (Ints{0, 1}));
  EXPECT_FALSE(nansum<bool>(holed()[{slice(1, 2)}]).item<bool>());
  EXPECT_EQ(of(cumulative_sum<bool>(x(), 1)), (Ints{0, 1, 1, 1, 1, 1}));
  EXPECT_TRUE(trace<bool>(x()).item<bool>());
}

TEST_P(Statistics, gives_two_results) {
  const auto [quotient, rest] = divmod(x() - 3, 2);
  EXPECT_EQ(of(quotient), (Ints{-2, -1, -1, 0, 0, 1}));
  EXPECT_EQ(of(rest), (Ints{1, 0, 1, 0, 1, 0}));
  const Array y({-1.5f, 12.f, -0.f}, TypeId::float32, device);
  const auto [fraction, whole] = modf(y);
  EXPECT_EQ(floats(fraction), (Floats{-0.5f, 0.f, -0.f}));
  EXPECT_EQ(floats(whole), (Floats{-1.f, 12.f, -0.f}));
  EXPECT_TRUE(std::signbit(floats(fraction)[2]));
  const auto [mantissa, exponent] = frexp(y);
  EXPECT_EQ(floats(mantissa), (Floats{-0.75f, 0.75f, -0.f}));
  EXPECT_EQ(of(exponent), (Ints{1, 4, 0}));
}

TEST_P(Statistics, looks_at_neighbours) {
  EXPECT_EQ(floats(gradient(x(), {0.5})[0]), (Floats(6, 6.f)));
  EXPECT_EQ(floats(gradient(x(), {}, 1, 2)[0]), (Floats(6, 1.f)));
  EXPECT_EQ(of(pad(x(), {{0, 1}, {1, 0}}, "constant", 7)),
            (Ints{7, 0, 1, 2, 7, 3, 4, 5, 7, 7, 7, 7}));
  const Array mine = full({}, 9, TypeId::int64);
  EXPECT_EQ(of(pad(x()[0], {{1, 2}}, "constant", {.constant_values = {{7, mine}}})),
            (Ints{7, 0, 1, 2, 9, 9}));
  EXPECT_EQ(of(pad(x(), {{0, 1}, {1, 0}}, "constant", {.constant_values = {{1, 2}, {3, 4}}})),
            (Ints{3, 0, 1, 2, 3, 3, 4, 5, 3, 2, 2, 2}));
  EXPECT_THROW(pad(x()[0], {{1, 1}}, "constant", {.constant_values = {{1, 2}, {3, 4}}}),
               ValueError);
  EXPECT_EQ(of(pad(x()[0], 2, "reflect")), (Ints{2, 1, 0, 1, 2, 1, 0}));
  EXPECT_EQ(of(pad(x()[0], {{5, 4}}, "symmetric")), (Ints{1, 2, 2, 1, 0, 0, 1, 2, 2, 1, 0, 0}));
  EXPECT_EQ(of(pad(x(), {{0, 1}, {4, 0}}, "wrap")),
            (Ints{2, 0, 1, 2, 0, 1, 2, 5, 3, 4, 5, 3, 4, 5, 2, 0, 1, 2, 0, 1, 2}));
  const Array windows = sliding_window_view(x(), 2, 1);
  EXPECT_EQ(windows.shape(), (Dims{2, 2, 2}));
  EXPECT_TRUE(windows.is_read_only());
  EXPECT_EQ(of(windows), (Ints{0, 1, 1, 2, 3, 4, 4, 5}));
  const Array all = x();
  diagonal(all, 1)[ellipsis] = 9;
  EXPECT_EQ(of(all), (Ints{0, 9, 2, 3, 4, 9}));
  EXPECT_EQ(trace(x()).item<int>(), 4);
}

TEST_P(Statistics, pads_with_what_is_calculated) {
  EXPECT_EQ(of(pad(x(), {{0, 1}, {1, 0}}, "maximum")), (Ints{2, 0, 1, 2, 5, 3, 4, 5, 5, 3, 4, 5}));
  EXPECT_EQ(of(pad(x(), {{1, 0}, {0, 1}}, "minimum", {.stat_length = {{1, 1}, {2, 2}}})),
            (Ints{0, 1, 2, 1, 0, 1, 2, 1, 3, 4, 5, 4}));
  EXPECT_EQ(of(pad(x()[1], 1, "mean", {.stat_length = {{2, 9}}})), (Ints{4, 3, 4, 5, 4}));
  EXPECT_EQ(of(pad(x()[1], {{1, 1}}, "median", {.stat_length = {{1, 2}}})), (Ints{3, 3, 4, 5, 4}));
  EXPECT_EQ(of(pad(x()[1], 2, "linear_ramp")), (Ints{0, 1, 3, 4, 5, 2, 0}));
  const Array mine = full({}, 9, TypeId::int64);
  EXPECT_EQ(of(pad(x()[1], 2, "linear_ramp", {.end_values = {{mine, -3}}})),
            (Ints{9, 6, 3, 4, 5, 1, -3}));
  EXPECT_EQ(of(pad(x()[1], {{3, 1}}, "reflect", {.reflect_type = "odd"})),
            (Ints{0, 1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(of(pad(x()[1], {{1, 5}}, "symmetric", {.reflect_type = "odd"})),
            (Ints{3, 3, 4, 5, 5, 6, 7, 7, 8}));
  EXPECT_EQ(of(pad(x()[0], 1, "reflect", {.reflect_type = "even"})), (Ints{1, 0, 1, 2, 1}));
  const Array around = pad(x(), {{1, 0}, {2, 3}}, "empty");
  EXPECT_EQ(around.shape(), (Dims{3, 8}));
  EXPECT_EQ(of(around[{slice(1), slice(2, 5)}]), (Ints{0, 1, 2, 3, 4, 5}));
  EXPECT_EQ(pad(x()[{slice(0, 0)}], 1, "empty").shape(), (Dims{2, 5}));

  EXPECT_THROW(pad(x(), 1, "edge", 7), ValueError);
  EXPECT_THROW(pad(x(), 1, "edge", {.end_values = {{1, 1}}}), ValueError);
  EXPECT_THROW(pad(x(), 1, "mean", {.stat_length = {{0, 1}}}), ValueError);
  EXPECT_THROW(pad(x(), 1, "mean", {.stat_length = {{1, 1}, {1, 1}, {1, 1}}}), ValueError);
  EXPECT_THROW(pad(x(), 1, "mean", {.reflect_type = "odd"}), ValueError);
  EXPECT_THROW(pad(x(), 1, "reflect", {.reflect_type = "funny"}), ValueError);
  EXPECT_THROW(pad(x().astype<std::int8_t>(), 1, "linear_ramp", {.end_values = {{0, 128}}}),
               OverflowError);
}

TEST_P(Statistics, says_what_does_not_fit) {
  constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
  EXPECT_THROW(argmax(x()[{slice(0, 0)}]), ValueError);
  EXPECT_THROW(argmin(x(), 2), IndexError);
  EXPECT_THROW(nanargmax(holed()[{slice(1, 2)}]), ValueError);
  EXPECT_THROW(unravel_index(holed(), {3}), TypeError);
  EXPECT_THROW(unravel_index(x(), {3}, "K"), ValueError);
  EXPECT_THROW(var(x(), 0, false, 0, TypeId::int32), TypeError);
  EXPECT_EQ(error_of(Errc::index, [&] { count_nonzero(x(), 2); }),
            "count_nonzero: axis 2 is out of bounds for an array of 2 axes");
  EXPECT_EQ(error_of(Errc::index, [&] { expand_dims(x(), 5); }),
            "expand_dims: axis 5 is out of bounds for the result, which has 3 axes");
  EXPECT_EQ(error_of(Errc::type, [&] { clip(astype(x(), TypeId::complex64), std::nullopt, 1); }),
            "clip: does not accept complex64; it accepts integers, floats");
  EXPECT_THROW(isthmus::std(x(), {0, -2}), ValueError);
  EXPECT_THROW(logsumexp(zeros({2}, TypeId::complex64, device)), TypeError);
  EXPECT_THROW(average(x(), 0, x()[0]), ValueError);
  EXPECT_THROW(average(x(), all_axes, x()[0]), TypeError);
  EXPECT_THROW(divmod(1, 2), TypeError);
  EXPECT_THROW(modf(zeros({2}, TypeId::complex64, device)), TypeError);
  EXPECT_THROW(gradient(x(), {}, 0, 2), ValueError);
  EXPECT_THROW(gradient(x(), {1, 2, 3}), TypeError);
  EXPECT_THROW(pad(x(), -1), ValueError);
  EXPECT_THROW(pad(x(), most), ValueError);
  EXPECT_THROW(pad(x(), most / 4, "reflect"), ValueError);
  EXPECT_THROW(pad(x(), 1, "mirror"), ValueError);
  EXPECT_THROW(sliding_window_view(x(), {3, 3}), ValueError);
  EXPECT_THROW(diagonal(x(), 0, 1, -1), ValueError);
  EXPECT_EQ(diagonal(x(), most).size(), 0);
  EXPECT_EQ(diagonal(x(), -most - 1).size(), 0);
}

TEST_P(Statistics, needs_few_kernels) {
  const Array y = x().astype<float>();
  y.eval();
  const auto kernels_of = [](const Array& pending) {
    const std::int64_t before = statistics().kernels;
    pending.eval();
    return statistics().kernels - before;
  };
  EXPECT_EQ(kernels_of(argmax(y, 1)), 1);
  EXPECT_EQ(kernels_of(argmin(y * 2 + y, 0) + 1), 1);
  EXPECT_EQ(kernels_of(isthmus::std(y, all_axes, true)), 2);
  EXPECT_EQ(kernels_of(logsumexp(y, 0, true)), 2);
  EXPECT_EQ(kernels_of(nanmean(y, 0, true)), 2);
  const auto [quotient, rest] = divmod(y, 3);
  EXPECT_EQ(kernels_of(quotient + rest), 1);
}

}  // namespace
}  // namespace isthmus
