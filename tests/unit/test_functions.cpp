// test_functions.cpp: how functions are found and called, beside the standard library's and
// others'.
#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <iomanip>
#include <sstream>
#include <string>
#include <vector>

#include "isthmus/isthmus.h"
#include "tests/unit/errors.h"

// What a program may have of its own, with every one of isthmus's names in sight.
namespace user {

using namespace isthmus;  // NOLINT: what some programs do

template <class... Args>
std::string format(std::string_view text, const Args&...) {
  return "the user's " + std::string(text);
}
template <class T>
std::string append(std::string& out, const T&) {
  return out + "the user's";
}
template <class T>
std::string print(const T&) {
  return "the user's";
}

std::string texts(const Array& x) {
  std::string out;
  return format("{}", x) + append(out, x.device()) + append(out, x.dtype()) + print(x);
}

/// Functions of numbers and of arrays, as every program finds them.
std::vector<double> of_numbers() {
  return {sin(1.0), sin(1), log(2.0), abs(-2.5), pow(2.0, 3), sqrt(4), floor(2.5), hypot(3.0, 4.0)};
}
Array of_arrays(const Array& x) { return sin(x) + log(x) + abs(x) + pow(x, 2) + pow(2, x); }

}  // namespace user

namespace {

namespace xp = isthmus;
using xp::Array;
using xp::Dims;
using xp::error_of;
using xp::TypeId;

template <class T>
T generic_norm(const T& x, const T& y) {
  using std::abs, std::pow, std::sqrt;
  return sqrt(pow(abs(x), 2) + pow(abs(y), 2));
}

TEST(Functions, AreFoundByTheirArgument) {
  const Array x = xp::full({2}, 4.0);
  EXPECT_EQ(sqrt(x).to_vector<double>(), (std::vector<double>{2, 2}));
}

TEST(Functions, AreFoundAfterUsingThoseOfTheStandardLibrary) {
  using std::cos, std::max, std::min, std::pow, std::sin;
  const Array x = xp::full({2}, 4.0);
  EXPECT_DOUBLE_EQ(sin(x)[0].item<double>(), std::sin(4.0));
  EXPECT_EQ(pow(x, 0.5)[0].item<double>(), 2);
  EXPECT_EQ(pow(2, x)[0].item<double>(), 16);
  EXPECT_EQ(pow(x, x)[0].item<double>(), 256);
  EXPECT_EQ(max(x).item<double>(), 4);
  EXPECT_EQ(min(x, 0).item<double>(), 4);
  EXPECT_EQ(generic_norm(xp::full({1}, 3.0), x[{0}]).item<double>(), 5);
  EXPECT_EQ(generic_norm(3.0, 4.0), 5);
}

TEST(Functions, OfNumbersAreThoseOfTheStandardLibrary) {
  static_assert(std::is_same_v<decltype(xp::sin(1.0)), double>);
  static_assert(std::is_same_v<decltype(xp::sin(1.f)), float>);
  static_assert(std::is_same_v<decltype(xp::sin(1)), double>);
  EXPECT_EQ(xp::sin(1.0), std::sin(1.0));
  EXPECT_EQ(xp::log(std::complex(0.0, 1.0)), std::log(std::complex(0.0, 1.0)));
  EXPECT_TRUE(xp::isnan(NAN));
  const std::vector<double> wanted{std::sin(1.0), std::sin(1.0), std::log(2.0), 2.5, 8, 2, 2, 5};
  EXPECT_EQ(user::of_numbers(), wanted);
}

TEST(Functions, MeetNoNamesOfTheUser) {
  const Array x = xp::full({}, 2.0);
  EXPECT_EQ(user::texts(x), "the user's {}the user'sthe user'sthe user's");
  EXPECT_DOUBLE_EQ(user::of_arrays(x).item<double>(), std::sin(2.) + std::log(2.) + 2 + 4 + 4);
}

TEST(Functions, TakeArraysAndNumbersInAnyMix) {
  const Array x({1., 5.}), y({3., 3.});
  EXPECT_EQ(xp::maximum(x, y).to_vector<double>(), (std::vector<double>{3, 5}));
  EXPECT_EQ(xp::maximum(x, 2).to_vector<double>(), (std::vector<double>{2, 5}));
  EXPECT_EQ(xp::maximum(2, x).to_vector<double>(), (std::vector<double>{2, 5}));
  EXPECT_EQ(xp::where(x > 2, x, 0).to_vector<double>(), (std::vector<double>{0, 5}));
  EXPECT_THROW(xp::where(xp::arange(2), x, 0), xp::TypeError);  // no condition
  EXPECT_EQ(xp::where(x > 2, 1.f, 2).dtype(), xp::TypeId::float32);
  EXPECT_EQ(xp::where(x > 2, 1.f, 2.).dtype(), xp::TypeId::float64);
  EXPECT_EQ(xp::where(x > 2, 1, 2).dtype(), xp::TypeId::int64);
  EXPECT_EQ(xp::clip(x, 2, y).to_vector<double>(), (std::vector<double>{2, 3}));
  EXPECT_EQ(xp::clip(x, std::nullopt, 2).to_vector<double>(), (std::vector<double>{1, 2}));
  EXPECT_EQ(xp::clip(x, 2, std::nullopt).to_vector<double>(), (std::vector<double>{2, 5}));
  const Array bytes({1, 5}, TypeId::int8);  // bounds past the dtype are its ends
  EXPECT_EQ(xp::clip(bytes, 2, 1000).to_vector<int>(), (std::vector<int>{2, 5}));
  EXPECT_EQ(xp::round(x / 8, 2).to_vector<double>(), (std::vector<double>{0.12, 0.62}));
}

TEST(Reductions, TakeOneAxisSomeOrAll) {
  const Array x = xp::arange(24).reshape({2, 3, 4});
  EXPECT_EQ(sum(x).item<int>(), 276);
  EXPECT_EQ(sum(x, 1).shape(), (Dims{2, 4}));
  EXPECT_EQ(sum(x, -1).shape(), (Dims{2, 3}));
  EXPECT_EQ(sum(x, {0, -1}).shape(), Dims{3});
  EXPECT_EQ(sum(x, {0, -1}, true).shape(), (Dims{1, 3, 1}));
  EXPECT_EQ(sum(x, xp::all_axes, true).shape(), (Dims{1, 1, 1}));
  const std::vector<std::size_t> axes{0, 1};
  EXPECT_EQ(sum(x, axes).shape(), Dims{4});
  EXPECT_EQ(mean(x, 0).to_vector<double>()[0], 6);
  EXPECT_EQ(max(x, {1, 2}).to_vector<int>(), (std::vector<int>{11, 23}));
  error_of(xp::Errc::index, [&] { sum(x, 3); });
  error_of(xp::Errc::value, [&] { sum(x, {0, 0}); });
}

TEST(Reductions, OverNoAxesChangeNothingButTheDtype) {
  const Array x({true, true});
  const Array same = sum(x, xp::Axes());
  EXPECT_EQ(same.shape(), Dims{2});
  EXPECT_EQ(same.dtype(), TypeId::int64);
  EXPECT_EQ(sum(x, std::vector<int>{}).shape(), Dims{2});
  EXPECT_EQ(mean(xp::ones({3}), xp::Axes()).shape(), Dims{3});
  EXPECT_EQ(flip(xp::arange(3), xp::Axes()).to_vector<int>(), (std::vector<int>{0, 1, 2}));
}

TEST(Reductions, AddUpInTheDtypeThatIsAskedFor) {
  const Array x = xp::full<float>({3}, 1e8f);
  EXPECT_EQ(xp::sum<double>(x).dtype(), TypeId::float64);
  EXPECT_EQ(sum(x, 0, false, TypeId::float64).dtype(), TypeId::float64);
  EXPECT_EQ(xp::prod<int>(xp::full({2}, 3), 0, true).shape(), Dims{1});
  EXPECT_EQ(xp::mean<float>(xp::arange(4)).dtype(), TypeId::float32);
  EXPECT_EQ(x.sum(0, false, TypeId::float64).dtype(), TypeId::float64);
  EXPECT_EQ(error_of(xp::Errc::type, [&] { xp::mean<int>(x); }),
            "mean: dtype: int32 cannot hold fractions; a float or complex dtype can");
}

TEST(Operators, OfLogicGoElementByElement) {
  const Array x({0, 1, 2}), y({0, 0, 3});
  EXPECT_EQ((x && y).to_vector<bool>(), (std::vector<bool>{false, false, true}));
  EXPECT_EQ((x || y).to_vector<bool>(), (std::vector<bool>{false, true, true}));
  EXPECT_EQ((!x).to_vector<bool>(), (std::vector<bool>{true, false, false}));
  EXPECT_EQ((x > 0 && true).to_vector<bool>(), (std::vector<bool>{false, true, true}));
  EXPECT_EQ((false || x).to_vector<bool>(), (std::vector<bool>{false, true, true}));
}

TEST(Operators, ShiftBitsAndNotStreams) {
  const Array x({1, 2, -8});
  EXPECT_EQ((x << 2).to_vector<int>(), (std::vector<int>{4, 8, -32}));
  EXPECT_EQ((x >> 1).to_vector<int>(), (std::vector<int>{0, 1, -4}));
  EXPECT_EQ((1 << Array({0, 3})).to_vector<int>(), (std::vector<int>{1, 8}));
  Array y = x.copy();
  y <<= 1;
  y[xp::slice(2)] >>= 1;
  EXPECT_EQ(y.to_vector<int>(), (std::vector<int>{2, 4, -8}));
  std::ostringstream out;
  out << x << 2;
  EXPECT_EQ(out.str(), "[ 1  2 -8]2");
  EXPECT_EQ((+x).to_vector<int>(), x.to_vector<int>());
}

TEST(Copies, AreRowMajorAsMembersAndInTheOrderOfXAsFunctions) {
  const Array x = xp::reshape(xp::arange(6), {2, 3}).T();
  Array y = x.copy();
  EXPECT_EQ(y.layout().strides, (xp::Dims{2, 1}));
  EXPECT_EQ(xp::copy(x).layout().strides, (xp::Dims{1, 3}));
  xp::assign(y.ravel()[1], 7);  // of a view
  EXPECT_EQ((y[{0, 1}].item<int>()), 7);
  EXPECT_EQ((x[{0, 1}].item<int>()), 3);
  EXPECT_EQ(xp::broadcast_to(x[0], {3, 2}).copy().layout().strides, (xp::Dims{2, 1}));
}

TEST(Temporaries, GiveValuesThatStay) {
  const Array x = xp::ones({2, 3});
  const Dims& shape = (x + 1).shape();
  const Array& ready = (x + 1).eval();
  const Array& changed = x[0] += 1;
  const xp::Layout& layout = x.T().layout();
  std::int64_t total = 0;
  for (const std::int64_t extent : (x * 2).shape()) total += extent;
  EXPECT_EQ(shape, (Dims{2, 3}));
  EXPECT_EQ(ready.sum().item<double>(), 12);
  EXPECT_EQ(changed.to_vector<double>(), std::vector<double>(3, 2));
  EXPECT_EQ(layout.shape, (Dims{3, 2}));
  EXPECT_EQ(total, 5);
  const Array y = xp::zeros({2, 3});
  y[0] = y[1] = 7;  // from the right, as numbers do
  EXPECT_EQ(y.sum().item<double>(), 42);
}

/// How many kernels run meanwhile.
std::int64_t kernels_of(auto made) {
  const auto before = xp::statistics().kernels;
  made();
  return xp::statistics().kernels - before;
}

TEST(Temporaries, OfFunctionsTakeNoKernelOfTheirOwn) {
  const Array x = xp::ones({10, 10}).eval(), y = xp::ones({10, 10}).eval();
  const auto one = [&](const char* text, auto made) { EXPECT_EQ(kernels_of(made), 1) << text; };
#define ONE(expression) one(#expression, [&] { (expression).eval(); })
  ONE(sum(x * 2 + y));
  ONE(sum(maximum(x * 2, y)));
  ONE(sum(maximum(x, y * 2)));
  ONE(sum(maximum(x * 2, y * 3)));
  ONE(sum(maximum(x * 2, 1)));
  ONE(sum(maximum(1, x * 2)));
  ONE(sum(where(x > 0, x * 2, y + 1)));
  ONE(sum(clip(x * 2, y - 1, y + 1)));
  ONE(sum(clip(x * 2, std::nullopt, y + 1)));
  ONE(sum(clip(x * 2, 0, std::nullopt)));
  ONE(sum(round(x * 2, -1)));
  ONE(sum(astype<float>(x * 2)));
  ONE(xp::sum<float>(x * 2));
  ONE(mean(x * 2));
  ONE(xp::mean<float>(x * 2, 0));
  ONE(sum(-(x * 2)));
  ONE(sum(1 - x * 2));
}

TEST(Temporaries, OfMembersTakeNoKernelOfTheirOwn) {
  const Array x = xp::ones({10, 10}).eval(), y = xp::ones({10, 10}).eval();
  const auto one = [&](const char* text, auto made) { EXPECT_EQ(kernels_of(made), 1) << text; };
  ONE((x * 2).sum());
  ONE((x * 2).sum(0, true));
  ONE((x * 2).prod());
  ONE((x * 2).mean(0));
  ONE((x * 2).max());
  ONE((x * 2).min(1));
  ONE((x > 2).any());
  ONE((x > 2).all(0));
  ONE((x * 2).astype<float>().sum());
  ONE((x * 2).astype(TypeId::float32).sum());
  ONE((x * 2).round().sum());
  ONE((x * 2).conj().sum());
  ONE((x * 2).clip(0, y + 1).sum());
  ONE((x * 2).clip({}, y + 1).sum());
#undef ONE
}

TEST(Temporaries, AreEmptyAfterwardsAndWhatHasANameIsNot) {
  Array x({1., 5.}), y({3., 3.}), z = x;
  EXPECT_EQ(xp::maximum(std::move(x), y).to_vector<double>(), (std::vector<double>{3, 5}));
  EXPECT_FALSE(x.has_value());
  EXPECT_TRUE(y.has_value());
  x = z;
  EXPECT_EQ(xp::maximum(2, std::move(x)).to_vector<double>(), (std::vector<double>{2, 5}));
  EXPECT_FALSE(x.has_value());
  x = z;
  EXPECT_EQ(std::move(x).sum().item<double>(), 6);
  EXPECT_FALSE(x.has_value());
  EXPECT_EQ(xp::where(z > 2, std::move(y), 0).to_vector<double>(), (std::vector<double>{0, 3}));
  EXPECT_FALSE(y.has_value());
  EXPECT_EQ(z.sum().item<double>(), 6);
  EXPECT_EQ((z + z).to_vector<double>(), (std::vector<double>{2, 10}));
}

TEST(Temporaries, MayBeOperandsOfWhatIsComputedOtherwise) {
  // one that does not look at the elements, and ones that look twice
  EXPECT_EQ((xp::arange(3) < 1e300).to_vector<bool>(), std::vector<bool>(3, true));
  const Array naturals = xp::arange(3).astype(TypeId::uint64);
  EXPECT_EQ((naturals + 0 > xp::arange(3) - 1).to_vector<bool>(), std::vector<bool>(3, true));
  EXPECT_EQ((xp::arange(3) - 1 < naturals + 0).to_vector<bool>(), std::vector<bool>(3, true));
  EXPECT_EQ(pow(xp::ones({3}) * 3, 2).to_vector<double>(), std::vector<double>(3, 9));
}

TEST(Temporaries, OfViewsKeepTheirElements) {
  const Array x = xp::arange(6).reshape({2, 3});
  EXPECT_EQ(xp::maximum(x.T(), x.T() * 2).to_vector<int>(), (std::vector<int>{0, 6, 2, 8, 4, 10}));
  EXPECT_EQ(xp::maximum(x[1], x).to_vector<int>(), (std::vector<int>{3, 4, 5, 3, 4, 5}));
  EXPECT_EQ(x[1].sum().item<int>(), 12);
  EXPECT_EQ(x.T().astype<float>().to_vector<float>(), (std::vector<float>{0, 3, 1, 4, 2, 5}));
  EXPECT_EQ(x[0].round(-1).to_vector<int>(), (std::vector<int>{0, 0, 0}));
}

TEST(Stream, WritesNumbersAsItWasToldTo) {
  const auto text = [](const Array& x, auto... manipulators) {
    std::ostringstream out;
    (out << ... << manipulators) << x;
    EXPECT_EQ(out.width(), 0);
    return out.str();
  };
  const Array x({1.0 / 3, 20.0});
  EXPECT_EQ(text(x), "[ 0.33333333 20.        ]");
  EXPECT_EQ(text(x, std::setprecision(3)), "[0.333    20]");
  EXPECT_EQ(text(x, std::fixed, std::setprecision(2)), "[ 0.33 20.00]");
  EXPECT_EQ(text(x, std::scientific, std::setprecision(1)), "[3.3e-01 2.0e+01]");
  EXPECT_EQ(text(x, std::showpos, std::setprecision(2)), "[+0.33   +20]");
  EXPECT_EQ(text(Array({1, 255}), std::hex), "[ 1 ff]");
  EXPECT_EQ(text(Array({-1}, TypeId::int8), std::hex, std::showbase), "[0xff]");
  EXPECT_EQ(text(Array({1, 2}), std::setw(4)), "[   1    2]");
  EXPECT_EQ(text(Array({1, 2}), std::left, std::setw(3), std::setfill('_')), "[1__ 2__]");
  EXPECT_EQ(text(Array({true, false}), std::boolalpha), "[ true false]");
  EXPECT_EQ(text(Array({true, false})), "[ True False]");
  EXPECT_EQ(text(Array(std::complex(1., -2.)), std::fixed, std::setprecision(1)), "1.0-2.0j");
  EXPECT_EQ(text(Array({{1.5, 2.5}, {3., 4.}}), std::fixed, std::setprecision(1)),
            "[[1.5 2.5]\n [3.0 4.0]]");
  EXPECT_EQ(text(xp::zeros({0}), std::fixed), "[]");
  EXPECT_EQ(text(xp::arange(2000), std::setw(5)), "[    0     1     2 ...  1997  1998  1999]");
}

TEST(Functions, OfSpecialAreInANamespaceOfTheirOwn) {
  const Array x({0.0, 1.0});
  EXPECT_NEAR(xp::special::erf(x)[1].item<double>(), 0.84270079294971487, 1e-15);
  EXPECT_EQ(xp::special::gammaln(x + 2)[0].item<double>(), 0);
  EXPECT_EQ(xp::special::fma(x, 2.0, x)[1].item<double>(), 3);
  EXPECT_EQ(xp::special::fmod(7.5, x)[1].item<double>(), 0.5);
  const Array exponents = xp::special::ilogb(x * 12);
  EXPECT_EQ(exponents.dtype(), xp::int32);
  EXPECT_EQ(exponents[0].item<std::int32_t>(), std::numeric_limits<std::int32_t>::min());
  EXPECT_EQ(exponents[1].item<std::int32_t>(), 3);
  const Array scaled = xp::special::ldexp(xp::ones<float>({2}), Array({3, 4}));
  EXPECT_EQ(scaled.dtype(), xp::float32);
  EXPECT_EQ(scaled[1].item<float>(), 16);
  EXPECT_EQ(xp::special::pown(xp::ones<std::int8_t>({1}), 2).dtype(), xp::float16);
  const Array minus_one = xp::full({1}, -1.0, TypeId::float32);
  EXPECT_EQ(xp::special::pown(minus_one, (1 << 24) + 1)[0].item<float>(), -1);
  EXPECT_EQ(xp::special::pown(minus_one, -(1 << 24) - 1)[0].item<float>(), -1);
  EXPECT_EQ(xp::special::pown(minus_one, (1 << 24) + 2)[0].item<float>(), 1);
  EXPECT_THROW(xp::special::pown(x, xp::Value::past_64_bits(0x1p65)), xp::OverflowError);
  EXPECT_EQ(xp::special::gammaln(x - 1e308)[1].item<double>(), HUGE_VAL);
  EXPECT_THROW(xp::special::erf(xp::ones({1}, TypeId::complex64)), xp::TypeError);
  EXPECT_THROW(xp::special::ldexp(x, xp::ones({2}, TypeId::complex64)), xp::TypeError);
}

TEST(Functions, OfSeveralOperationsAreNamedInErrors) {
  const Array x = xp::ones({2, 3}), row = xp::ones({2});
  const auto begins = [](xp::Errc code, const char* who, auto f) {
    EXPECT_EQ(xp::error_of(code, f).find(who), 0u) << xp::error_of(code, f);
  };
  begins(xp::Errc::value, "isclose: ", [&] { isclose(x, row); });
  begins(xp::Errc::value, "allclose: ", [&] { allclose(x, row); });
  begins(xp::Errc::value, "divmod: ", [&] { divmod(x, row); });
  begins(xp::Errc::type, "divmod: ", [&] { divmod(x > 0, x > 0); });
  begins(xp::Errc::value, "min_max: ", [&] { min_max(xp::ones({0})); });
  begins(xp::Errc::value, "hstack: ", [&] { xp::hstack({x, row}); });
  begins(xp::Errc::value, "vstack: ", [&] { xp::vstack({x, row}); });
  begins(xp::Errc::value, "diff: prepend: ", [&] { diff(x, 1, -1, row); });
}

}  // namespace
