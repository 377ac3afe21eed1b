// test_array.cpp: what a C++ program does with an array: numbers, indices, writes, text.
#include "isthmus/array/array.h"

#include <gtest/gtest.h>

#include <complex>
#include <limits>
#include <optional>
#include <sstream>
#include <string>

#include "isthmus/array/arrange/manipulate.h"
#include "isthmus/array/arrange/rearrange.h"
#include "isthmus/array/create/create.h"
#include "isthmus/array/functions.h"
#include "isthmus/array/index/index.h"
#include "isthmus/array/products/einsum.h"
#include "isthmus/array/products/products.h"
#include "isthmus/array/reduce/extremes.h"
#include "isthmus/array/sort/scan.h"
#include "isthmus/array/sort/sort.h"
#include "isthmus/array/text/format.h"
#include "tests/unit/errors.h"

namespace isthmus {
namespace {

TEST(Item, IsTheNumberAskedFor) {
  EXPECT_EQ(item<float>(full({}, 1.5)), 1.5f);
  EXPECT_EQ(item<int>(full({1, 1}, -3)), -3);
  EXPECT_EQ(item<double>(full({}, 3)), 3.0);
  EXPECT_EQ(item<std::uint64_t>(full({}, UINT64_MAX)), UINT64_MAX);
  EXPECT_EQ(item<double>(full({}, UINT64_MAX)), 0x1p64);
  EXPECT_TRUE(item<bool>(all(ones({3}) == 1)));
  EXPECT_EQ(item<int>(full({}, true)), 1);
  EXPECT_EQ(item<std::complex<float>>(full({}, std::complex(1.0, 2.0))), std::complex(1.f, 2.f));
  EXPECT_EQ(item<std::complex<double>>(full({}, 2)), std::complex(2.0, 0.0));
}

TEST(Item, RefusesWhatDoesNotFit) {
  EXPECT_EQ(error_of(Errc::type, [] { item<int>(full({}, 2.0)); }),
            "item: asked for int32, which does not hold a float64; use astype");
  EXPECT_EQ(error_of(Errc::overflow, [] { item<std::int8_t>(full({}, 200)); }),
            "item: 200 does not fit int8");
  EXPECT_EQ(error_of(Errc::overflow, [] { item<unsigned>(full({}, -1)); }),
            "item: -1 does not fit uint32");
  error_of(Errc::overflow, [] { item<std::int64_t>(full({}, UINT64_MAX)); });
  error_of(Errc::type, [] { item<bool>(full({}, 1)); });
  error_of(Errc::type, [] { item<double>(full({}, std::complex(1.0, 0.0))); });
  error_of(Errc::value, [] { item<double>(ones({2})); });
}

TEST(ArrayOperators, TakeEveryNumberOfCpp) {
  const Array x = full({1}, 2.0, TypeId::float32);
  EXPECT_EQ((x + 1).dtype(), TypeId::float32);
  EXPECT_EQ((1u - x).dtype(), TypeId::float32);
  EXPECT_EQ((x * 2.5L).dtype(), TypeId::float32);
  EXPECT_EQ((x / 3ull).dtype(), TypeId::float32);
  EXPECT_EQ((x * std::complex(0.0, 1.0)).dtype(), TypeId::complex64);
  EXPECT_EQ(item<std::complex<double>>(std::complex(0.0, 1.0) * x), std::complex(0.0, 2.0));
  EXPECT_EQ(item<float>(isthmus::pow(x, 3)), 8.0f);
  EXPECT_TRUE(item<bool>(x != std::complex(2.0, 1.0)));
}

TEST(Index, ReadsAsPythonDoes) {
  const Array x = reshape(arange(12), {3, 4});
  EXPECT_EQ(to_string(x[1]), "[4 5 6 7]");
  EXPECT_EQ(to_string(x[-1]), "[ 8  9 10 11]");
  EXPECT_EQ(item<int>(x[{2, -1}]), 11);
  EXPECT_EQ(to_string(x[{slice(), 1}]), "[1 5 9]");
  EXPECT_EQ(to_string(x[{slice(1, 3), slice({}, {}, -2)}]), "[[ 7  5]\n [11  9]]");
  EXPECT_EQ(to_string(x[slice(1)]), "[[ 4  5  6  7]\n [ 8  9 10 11]]");
  EXPECT_EQ((x[{ellipsis, newaxis, 0}].shape()), (Dims{3, 1}));
  const std::vector<IndexItem> items{0, slice(0, 2)};
  EXPECT_EQ(to_string(index(x, items)), "[0 1]");
  error_of(Errc::index, [&] { x[3]; });
}

TEST(Index, OfASliceIsAnyIntegerOrNone) {
  const Array x = arange(6);
  const std::optional<int> none;
  const std::optional<std::int64_t> two = 2;
  EXPECT_EQ(x[slice(two, none)].shape(0), 4);
  EXPECT_EQ(x[slice(std::size_t{1}, std::uint8_t{4}, short{2})].shape(0), 2);
  EXPECT_EQ(x[slice({}, std::nullopt, -1)][{0}].item<int>(), 5);
  EXPECT_THROW(x[slice(0, std::numeric_limits<std::size_t>::max())], OverflowError);
  EXPECT_THROW(x[slice(0, std::string::npos)], OverflowError);
  EXPECT_EQ(x[slice(0, std::numeric_limits<std::int64_t>::max())].shape(0), 6);
}

TEST(ArrayAxis, IsAnyIntegerOrNone) {
  const Array x = arange(6).reshape({2, 3});
  const std::optional<int> none;
  EXPECT_EQ(argmax(x, std::size_t{1}).shape(), Dims{2});
  EXPECT_EQ(argmax(x, none).item<int>(), 5);
  EXPECT_EQ(cumulative_sum(x.ravel(), std::nullopt).shape(), Dims{6});
  EXPECT_EQ(topk(x, std::uint8_t{2}, short{0}).values.shape(), (Dims{2, 3}));
  EXPECT_EQ(repeat(x, std::size_t{2}, std::size_t{0}).shape(0), 4);
  EXPECT_EQ(split(x, std::size_t{3}, 1).size(), 3U);
  enum { rows, columns };
  EXPECT_EQ(argmax(x, columns).shape(), Dims{2});
  EXPECT_EQ(sort(x, rows).shape(), (Dims{2, 3}));
  const std::size_t beyond = std::numeric_limits<std::size_t>::max();
  EXPECT_THROW(argmax(x, beyond), OverflowError);
  EXPECT_THROW(sort(x, beyond), OverflowError);
  EXPECT_THROW(repeat(x, beyond), OverflowError);
  EXPECT_THROW(concat({x, x}, beyond), OverflowError);
}

TEST(ArraySurface, HasShortForms) {
  const Array x = arange(4).reshape({2, 2});
  EXPECT_EQ(to_string(einsum("ij,jk->ik", x, x)), to_string(matmul(x, x)));
  EXPECT_EQ(einsum("ij->", x[slice(1)]).item<int>(), 5);
  EXPECT_EQ(to_string(arange(1, 4, TypeId::float32)), "[1. 2. 3.]");
  EXPECT_EQ(eye(2, "cpu").dtype(), TypeId::float64);
  EXPECT_EQ(eye<float>(2, "cpu").dtype(), TypeId::float32);
}

TEST(Index, OfAViewWithoutANameIsWrittenTo) {
  const Array x = zeros({3, 2}, TypeId::int32);
  const Array before = x + 0;
  x[0] = 5;
  x[{slice(1), 1}] = x[{slice({}, 2), 0}];
  EXPECT_EQ(to_string(x), "[[5 5]\n [0 5]\n [0 0]]");
  EXPECT_EQ(item<int>(sum(before)), 0);
  Array y = x;
  y = x[0];  // a name is given to another array; nothing is written
  EXPECT_EQ(y.shape(), Dims{2});
  EXPECT_EQ(item<int>(sum(x)), 15);
}

TEST(InPlace, WritesToTheArrayAndItsViews) {
  const Array x = arange(4, TypeId::float32), view = x[slice({}, 2)];
  const Array reader = x * 10;  // pending or not, it shows what was there
  x += 1;
  view *= view;
  x[3] -= 0.5;
  x /= 2;
  EXPECT_EQ(to_string(x), "[0.5  2.   1.5  1.75]");
  EXPECT_EQ(to_string(view), "[0.5 2. ]");
  EXPECT_EQ(to_string(reader), "[ 0. 10. 20. 30.]");
}

TEST(InPlace, OverlappingOperandsGiveWhatNumPyGives) {
  const Array x = arange(6);
  x[slice(1)] += x[slice({}, -1)];
  EXPECT_EQ(to_string(x), "[0 1 3 5 7 9]");
  x += x[slice({}, {}, -1)];
  EXPECT_EQ(to_string(x), "[9 8 8 8 8 9]");
}

TEST(InPlace, HasTheOperatorsOfIntegers) {
  const Array x = full({2}, 12);
  x %= 7, x |= 2, x &= 6, x ^= 1;
  EXPECT_EQ(to_string(x), "[7 7]");
}

TEST(InPlace, RefusesAnotherKindOrShape) {
  const Array x = arange(3);
  EXPECT_EQ(
      error_of(Errc::type, [&] { x += 0.5; }),
      "add: the result is float64 and does not fit the array's dtype int64; x = add(x, ...) makes "
      "a new array");
  error_of(Errc::value, [&] { x += ones({2, 3}, TypeId::int64); });
  error_of(Errc::value, [&] { broadcast_to(x, {2, 3}) += 1; });
  EXPECT_EQ(to_string(x), "[0 1 2]");
}

std::string rounded(const Array& x, int decimals) { return to_string(round_to(x, decimals)); }

TEST(RoundTo, HalvesGoToTheEvenNeighbour) {
  const Array x = arange(-2.5, 4, 1);
  EXPECT_EQ(rounded(x, 0), "[-2. -2. -0.  0.  2.  2.  4.]");
  EXPECT_EQ(rounded(apply(Op::divide, {x, 10}), 1), "[-0.2 -0.2 -0.   0.   0.2  0.2  0.4]");
  EXPECT_EQ(rounded(apply(Op::multiply, {x, 100}), -2),
            "[-200. -200.   -0.    0.  200.  200.  400.]");
  EXPECT_EQ(item<double>(round_to(full({}, 2.675), 2)), 2.68) << "as NumPy: 2.675 * 100 is 267.5";
}

TEST(RoundTo, KeepsTheDtype) {
  EXPECT_EQ(round_to(full({2}, 1.26, TypeId::float32), 1).dtype(), TypeId::float32);
  EXPECT_EQ(item<float>(round_to(full({}, 1.26, TypeId::float32), 1)), 1.3f);
  EXPECT_EQ(item<float>(round_to(full({}, 1.26, TypeId::float32), INT64_MAX)), 1.26f);
  EXPECT_EQ(item<int>(round_to(full({}, 126, TypeId::int32), INT64_MIN)), 0);
  EXPECT_EQ(rounded(full({1}, std::complex(1.26, -2.55)), 1), "[1.3-2.6j]");
  EXPECT_EQ(round_to(full({2}, 1250), -2).dtype(), TypeId::int64);
}

TEST(RoundTo, IntegersHavePlacesBeforeThePointOnly) {
  const Array x = full({1}, 1250) * arange(-1, 3);
  EXPECT_EQ(rounded(x, 3), "[-1250     0  1250  2500]");
  EXPECT_EQ(rounded(x, 0), "[-1250     0  1250  2500]");
  EXPECT_EQ(rounded(x, -2), "[-1200     0  1200  2500]") << "halves to even";
  EXPECT_EQ(rounded(x, -4), "[0 0 0 0]");
  EXPECT_EQ(rounded(full({1}, 250, TypeId::uint8), -2), "[200]");
  EXPECT_EQ(rounded(full({1}, UINT64_MAX - 3), -1), "[18446744073709551610]") << "no double has it";
  EXPECT_EQ(rounded(full({1}, INT64_MIN + 50), -2), "[-9223372036854775800]");
  EXPECT_EQ(rounded(full({1}, UINT32_MAX, TypeId::uint32), -1), "[4]") << "2^32 + 4 wraps around";
}

TEST(RoundTo, WhatHasNoSuchPlacesStays) {
  for (const double x : {1e300, -1e300, 0x1p-1074, 1e308, 0.1})
    EXPECT_EQ(item<double>(round_to(full({}, x), 308)), x == 0x1p-1074 ? 0 : x) << x;
  EXPECT_EQ(item<double>(round_to(full({}, 1e300), 10)), 1e300);
  EXPECT_EQ(item<float>(round_to(full({}, 60000, TypeId::float16), 1)), 60000);
  EXPECT_EQ(rounded(full({1}, INFINITY), 2), "[inf]");
  EXPECT_EQ(rounded(full({1}, -INFINITY), -2), "[-inf]");
  EXPECT_EQ(rounded(full({1}, NAN), 2), "[nan]");
  EXPECT_EQ(rounded(full({1}, std::complex<double>(1.26, -INFINITY)), 1), "[1.3-infj]");
  EXPECT_EQ(rounded(full({1}, std::complex<double>(INFINITY, 126.0)), -1), "[inf+130.j]");
}

TEST(RoundTo, RefusesBools) {
  for (const int decimals : {-1, 0, 1})
    EXPECT_EQ(error_of(Errc::type, [&] { round_to(full({2}, true), decimals); }).find("round: "),
              0u)
        << decimals;
}

TEST(ArrayFormat, IsThatOfNumPy) {
  std::ostringstream out;
  out << full({2, 2}, 0.1) << ' ' << full({}, 1e-5) << ' ' << full({1}, std::complex(1.5, -2.0));
  EXPECT_EQ(out.str(), "[[0.1 0.1]\n [0.1 0.1]] 1e-05 [1.5-2.j]");
  EXPECT_EQ(to_string(arange(2000)), "[   0    1    2 ... 1997 1998 1999]");
  EXPECT_EQ(to_string(zeros({0, 3})), "[]");
  EXPECT_EQ(to_string(full({3}, true)), "[ True  True  True]");
}

TEST(ArrayFormat, OfWhatAnArrayIs) {
  const Array x = zeros({2, 3}, TypeId::float32);
  std::ostringstream out;
  out << x.dtype() << ' ' << x.shape() << ' ' << x.device();
  EXPECT_EQ(out.str(), "float32 (2, 3) cpu");
}

TEST(ArrayFormat, EvaluatesWhatIsPending) {
  const Array x = ones({2}) + 1;
  EXPECT_EQ(to_string(x), "[2. 2.]");
  EXPECT_FALSE(x.is_pending());
}

}  // namespace
}  // namespace isthmus
