// test_create.cpp: creation as a C++ program writes it: brace lists, numbers, dtypes by default.
#include "isthmus/array/create/create.h"

#include <gtest/gtest.h>

#include <array>
#include <complex>
#include <limits>

#include "isthmus/array/arrange/manipulate.h"
#include "isthmus/array/functions.h"
#include "isthmus/array/text/format.h"

namespace isthmus {
namespace {

TEST(Create, TakesShapesInEveryForm) {
  const std::vector<int> vector{2, 3};
  const std::array<std::int64_t, 2> array{2, 3};
  const std::int64_t plain[] = {2, 3};
  const Dims wanted{2, 3};
  EXPECT_EQ(zeros({2, 3}).shape(), wanted);
  EXPECT_EQ(zeros(vector).shape(), wanted);
  EXPECT_EQ(zeros(array).shape(), wanted);
  EXPECT_EQ(zeros(plain).shape(), wanted);
  EXPECT_EQ(zeros(std::span(plain)).shape(), wanted);
  EXPECT_EQ(zeros(ones({2, 3}).shape()).shape(), wanted);
  EXPECT_EQ(zeros({3}).shape(), Dims{3});
  EXPECT_EQ(zeros({}).ndim(), 0);
  EXPECT_EQ(zeros({0}).size(), 0);
  EXPECT_THROW(zeros({2, -1}), Error);
}

TEST(Create, ChoosesTheDtypeThatNumPyWould) {
  EXPECT_EQ(zeros({2}).dtype(), TypeId::float64);
  EXPECT_EQ(empty({2}).dtype(), TypeId::float64);
  EXPECT_EQ(ones({2}, TypeId::int8).dtype(), TypeId::int8);
  EXPECT_EQ(full({2}, 7).dtype(), TypeId::int64);
  EXPECT_EQ(full({2}, 7u).dtype(), TypeId::uint32);
  EXPECT_EQ(full({2}, true).dtype(), TypeId::bool_);
  EXPECT_EQ(full({2}, 0.5f).dtype(), TypeId::float32);
  EXPECT_EQ(full({2}, std::complex(0.5f, 1.0f)).dtype(), TypeId::complex64);
  EXPECT_EQ(full({2}, sum(ones({3}))).dtype(), TypeId::float64);
  EXPECT_EQ(arange(4).dtype(), TypeId::int64);
  EXPECT_EQ(arange(4.0).dtype(), TypeId::float64);
  EXPECT_EQ(arange(4, TypeId::float32).dtype(), TypeId::float32);
  EXPECT_EQ(linspace(0, 1, 3).dtype(), TypeId::float64);
  EXPECT_EQ(linspace(0, std::complex(0.0, 1.0), 3).dtype(), TypeId::complex128);
}

TEST(Create, MakesFloatsWhereTheDeviceHasNoDoubles) {
  const Device device = parse_device("null:2");
  EXPECT_EQ(zeros({2}, {}, device).dtype(), TypeId::float32);
  EXPECT_EQ(full({2}, 0.5, {}, device).dtype(), TypeId::float32);
  EXPECT_EQ(linspace(0, 1, 3, {}, true, device).dtype(), TypeId::float32);
  EXPECT_EQ(to_string(arange(3, {}, device) + 1), "[1 2 3]");
  EXPECT_THROW(zeros({2}, TypeId::float64, device), Error);
}

TEST(Create, TakesADeviceBehindTheNumbersOfARange) {
  for (const Array& x : {arange(1, 4, "null:2"), arange(1, 4, 1, "null:2"),
                         arange(1, 4, Device("null", 2)), arange(1, 4, 1, Device("null", 2))}) {
    EXPECT_EQ(x.device(), Device("null", 2));
    EXPECT_EQ(x.dtype(), TypeId::int64);
    EXPECT_EQ(to_string(x), "[1 2 3]");
  }
  const Array floats = arange<float>(1, 4, "null:2");
  EXPECT_EQ(floats.dtype(), TypeId::float32);
  EXPECT_EQ(floats.device(), Device("null", 2));
  EXPECT_EQ(arange(1, 4, 2).size(), 2);  // a number there is the step
}

TEST(Create, MakesTheElementsThatNumPyWould) {
  EXPECT_EQ(to_string(zeros({2, 3})), "[[0. 0. 0.]\n [0. 0. 0.]]");
  EXPECT_EQ(to_string(ones({3}, TypeId::int32)), "[1 1 1]");
  EXPECT_EQ(to_string(full({2}, 2.5)), "[2.5 2.5]");
  EXPECT_EQ(to_string(arange(5)), "[0 1 2 3 4]");
  EXPECT_EQ(to_string(arange(1, 2, 0.25)), "[1.   1.25 1.5  1.75]");
  EXPECT_EQ(to_string(arange(5, 0, -2)), "[5 3 1]");
  EXPECT_EQ(to_string(linspace(0, 1, 3)), "[0.  0.5 1. ]");
  EXPECT_EQ(to_string(eye(2)), "[[1. 0.]\n [0. 1.]]");
  EXPECT_EQ(to_string(eye(2, 3, 1, TypeId::int8)), "[[0 1 0]\n [0 0 1]]");
}

TEST(Create, EyesHaveNoMoreElementsThanBytesAreCounted) {
  constexpr std::int64_t most = INT64_MAX;  // the sanitizer hears of sums that do not fit
  EXPECT_THROW(eye(1, most, most, TypeId::int8), Error);
  EXPECT_THROW(eye(most, 1, -most, TypeId::int8), Error);
}

TEST(Create, AxesAndPartsAreBraceListsToo) {
  const Array x = reshape(arange(6), {2, -1});
  EXPECT_EQ(permute_dims(x, {1, 0}).shape(), (Dims{3, 2}));
  EXPECT_EQ(expand_dims(x, {0}).shape(), (Dims{1, 2, 3}));
  EXPECT_EQ(squeeze(expand_dims(x, {-1}), {-1}).shape(), (Dims{2, 3}));
  EXPECT_EQ(broadcast_to(x, {4, 2, 3}).shape(), (Dims{4, 2, 3}));
  EXPECT_EQ(to_string(flip(x, {0})), "[[3 4 5]\n [0 1 2]]");
  EXPECT_EQ(to_string(flip(x)), "[[5 4 3]\n [2 1 0]]");
  EXPECT_EQ(concat({x, x}).shape(), (Dims{4, 3}));
  EXPECT_EQ(concat({x, x}, 1).shape(), (Dims{2, 6}));
  EXPECT_EQ(stack({x, x}).shape(), (Dims{2, 2, 3}));
  EXPECT_EQ(to_string(sum(x, {0})), "[3 5 7]");
  EXPECT_EQ(to_string(mean(x, {1}, true)), "[[1.]\n [4.]]");
  EXPECT_EQ(item<double>(mean(x)), 2.5);
}

TEST(Create, IndexAlongCountsAxesFromBothEnds) {
  EXPECT_EQ(index_along({2, 3}, -1, Device("cpu")).to_vector<int>(),
            (std::vector<int>{0, 1, 2, 0, 1, 2}));
  EXPECT_THROW(index_along({2, 3}, 2, Device("cpu")), IndexError);
  EXPECT_THROW(index_along({2, 3}, -3, Device("cpu")), IndexError);
}

TEST(Create, AStepPastTheEndLeavesTheFirstNumber) {
  const double infinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(to_string(arange(0, 5, infinity)), "[0.]");
  EXPECT_EQ(to_string(arange(0, 5e-324, 10.0)), "[0.]");
  EXPECT_EQ(arange(0, -1e-300, 1e300).size(), 0);
}

TEST(Create, ArangePastTheRangeIsInfinite) {
  EXPECT_EQ(to_string(arange(60000, 90000, 10000, TypeId::float16)), "[6.e+04    inf    inf]");
  EXPECT_EQ(to_string(arange(70000, 40000, -10000, TypeId::float16)), "[   inf 6.e+04 5.e+04]");
}

TEST(Create, FloatsHoldIntegersPast64Bits) {
  const Value large = Value::past_64_bits(0x1p70);
  EXPECT_EQ(full({}, large, TypeId::float32).item<float>(), 0x1p70f);
  EXPECT_THROW(full({}, large, TypeId::int64), OverflowError);
  EXPECT_THROW(full({}, large), OverflowError);
}

TEST(Create, ArangeRefusesIntegersThatDoNotFit) {
  EXPECT_THROW(arange<std::int8_t>(200, 203), OverflowError);
  EXPECT_THROW(arange<std::uint8_t>(0, 400, 100), OverflowError);
  EXPECT_EQ(arange<std::uint8_t>(0, 300, 100)[-1].item<int>(), 200);
  EXPECT_EQ(arange<std::int8_t>(200, 200).size(), 0);
}

TEST(Create, LinspaceKeepsImaginaryParts) {
  EXPECT_THROW(linspace(0, std::complex(0.0, 1.0), 3, TypeId::float64), Error);
  EXPECT_THROW(linspace(std::complex(0.0, 1.0), 2, 3, TypeId::int64), Error);
}

}  // namespace
}  // namespace isthmus
