// test_random.cpp: random numbers in C++; tests/device compares them with NumPy's calculations.
#include "isthmus/random/generator.h"

#include <gtest/gtest.h>

#include <limits>

#include <algorithm>
#include <set>

#include "isthmus/array/arrange/manipulate.h"
#include "isthmus/array/create/create.h"
#include "isthmus/array/functions.h"
#include "isthmus/array/index/index.h"
#include "isthmus/array/reduce/statistics.h"
#include "isthmus/array/sort/sort.h"
#include "tests/unit/errors.h"
#include "tests/unit/support.h"

namespace isthmus {
namespace {

using random::default_rng;
using random::Generator;
using Words = std::vector<std::uint32_t>;

class Random : public EachDevice {
 protected:
  Array words(const Words& values) const { return Array(values).to_device(device); }
};
INSTANTIATE_TEST_SUITE_P(Devices, Random, ::testing::Values(-1, 1, 2), device_name);

TEST_P(Random, philox_gives_the_known_answers) {
  EXPECT_EQ(random::philox4x32(words({0, 0, 0, 0}), words({0, 0})).to_vector<std::uint32_t>(),
            (Words{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  const Words ones(4, 0xffffffff);
  EXPECT_EQ(random::philox4x32(words(ones), words({~0u, ~0u})).to_vector<std::uint32_t>(),
            (Words{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
  EXPECT_EQ(random::philox4x32(words({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}),
                               words({0xa4093822, 0x299f31d0}))
                .to_vector<std::uint32_t>(),
            (Words{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

TEST_P(Random, every_device_draws_the_same) {
  Generator here = default_rng(7), there = default_rng(7);
  const auto same = [](const Array& a, const Array& b) {
    EXPECT_EQ(a.to_vector<float>(), b.to_vector<float>());
  };
  const DType f32 = TypeId::float32;
  same(here.random({3, 70}, f32, device), there.random({3, 70}, f32, "cpu"));
  same(here.uniform(-1, 2, {300}, f32, device), there.uniform(-1, 2, {300}, f32, "cpu"));
  same(here.normal(5, 2, {301}, f32, device), there.normal(5, 2, {301}, f32, "cpu"));
  same(here.standard_normal({2}, f32, device), there.standard_normal({2}, f32, "cpu"));
  same(here.exponential(3, {200}, f32, device), there.exponential(3, {200}, f32, "cpu"));
  same(here.standard_exponential(3, f32, device), there.standard_exponential(3, f32, "cpu"));
  same(here.gamma(0.7, 2, {100}, f32, device), there.gamma(0.7, 2, {100}, f32, "cpu"));
  same(here.standard_gamma(9, {100}, f32, device), there.standard_gamma(9, {100}, f32, "cpu"));
  const auto whole = [&](Generator& rng, const Device& where) {
    return rng.integers(-3, 12, {500}, TypeId::int16, true, where).to_vector<int>();
  };
  EXPECT_EQ(whole(here, device), whole(there, "cpu"));
  EXPECT_EQ(here.permutation(100, device).to_vector<int>(),
            there.permutation(100, "cpu").to_vector<int>());
  EXPECT_EQ(here.choice(5, {20}, true, {}, device).to_vector<int>(),
            there.choice(5, {20}, true, {}, "cpu").to_vector<int>());
  EXPECT_EQ(here.state(), there.state());
}

TEST_P(Random, orders_and_choices_are_of_what_there_is) {
  Generator rng = default_rng(1);
  const Array x = arange(30, TypeId::int32, device);
  rng.shuffle(x);
  const std::vector<int> order = x.to_vector<int>();
  EXPECT_EQ(std::set<int>(order.begin(), order.end()).size(), 30u);
  EXPECT_FALSE(std::is_sorted(order.begin(), order.end()));
  const std::vector<int> some = rng.choice(x, {30}, false).to_vector<int>();
  EXPECT_EQ(std::set<int>(some.begin(), some.end()).size(), 30u);
  EXPECT_EQ(rng.permutation(reshape(x, {6, 5}), 1).shape(), (Dims{6, 5}));
  const Array often({0.f, 1.f}, TypeId::float32, device);
  EXPECT_EQ(rng.choice(2, {3}, true, often).to_vector<int>(), (std::vector<int>{1, 1, 1}));
  const Array means = rng.poisson(Array({0.f, 1000.f}, TypeId::float32, device), {50, 2});
  EXPECT_EQ(min(means, 0).to_vector<int>()[0], 0);
  EXPECT_GT(min(means, 0).to_vector<int>()[1], 800);
}

TEST_P(Random, has_distributions_made_of_others) {
  random::Generator rng = random::default_rng(3);
  const auto between = [&](const Array& x, double low, double high) {
    const double found = mean(astype<float>(x)).item<float>();
    EXPECT_TRUE(low < found && found < high) << found;
  };
  const Shape size{2000};
  const DType real = TypeId::float32;
  between(rng.beta(2, 3, size, real, device), 0.38, 0.42);
  between(rng.chisquare(5, size, real, device), 4.7, 5.3);
  between(rng.standard_t(9, size, real, device), -0.1, 0.1);
  between(rng.f(6, 20, size, real, device), 1.0, 1.22);
  between(rng.triangular(-1, 1, 5, size, real, device), 1.5, 1.8);
  between(rng.laplace(1, 2, size, real, device), 0.7, 1.3);
  between(rng.rayleigh(2, size, real, device), 2.4, 2.6);
  between(less(rng.standard_cauchy(size, real, device), 1), 0.72, 0.78);
  between(rng.binomial(20, 0.3, size, device), 5.8, 6.2);
  between(rng.negative_binomial(5, 0.4, size, device), 7.1, 7.9);
  const Array alpha({1.f, 3.f}, TypeId::float32, device);
  between(rng.dirichlet(alpha, size)[{ellipsis, 0}], 0.23, 0.27);
  const Array tiny({.001f, .002f}, TypeId::float32, device);
  between(rng.dirichlet(tiny, size, {}, device)[{ellipsis, 0}], 0.29, 0.38);
  between(rng.beta(.003, .001, size, real, device), 0.71, 0.79);
  const Array rows = reshape(arange(12, TypeId::int32, device), {3, 4});
  EXPECT_EQ(sort(rng.permuted(rows, 1)).to_vector<int>(), rows.to_vector<int>());
  EXPECT_EQ(sort(ravel(rng.permuted(rows))).to_vector<int>(), rows.to_vector<int>());
}

TEST(Generators, have_states) {
  Generator rng = default_rng({3, 4});
  EXPECT_EQ(default_rng(3).state(), default_rng({3}).state());
  EXPECT_FALSE(default_rng(3).state() == rng.state());
  EXPECT_FALSE(default_rng().state() == default_rng().state());
  const random::State before = rng.state();
  const std::vector<std::byte> bytes = rng.bytes(21);
  EXPECT_EQ(rng.state().counter, 2u);
  rng.set_state(before);
  EXPECT_EQ(rng.bytes(21), bytes);
  Generator copy = rng;
  EXPECT_EQ(copy.bytes(9), rng.bytes(9));
  copy = Generator(before);
  EXPECT_EQ(copy.state(), before);
  EXPECT_EQ(rng.jumped(2).state().stream, 2u);
  const std::vector<Generator> children = rng.spawn(3);
  EXPECT_EQ(children.size(), 3u);
  EXPECT_FALSE(children[0].state() == children[1].state());
  EXPECT_EQ(rng.state().children, 3u);
}

TEST(Generators, that_were_moved_from_say_so) {
  Generator first = default_rng(1);
  Generator second = std::move(first);
  EXPECT_EQ(error_of(Errc::value, [&] { first.random({2}); }),
            "Generator: it is empty, moved from; assign a generator to it first");
  EXPECT_THROW(first.permutation(3), ValueError);
  EXPECT_THROW(first.integers(0, 3), ValueError);
  EXPECT_THROW(first.shuffle(ones({3})), ValueError);
  EXPECT_THROW(first.bytes(3), ValueError);
  EXPECT_THROW(first.spawn(1), ValueError);
  EXPECT_THROW(first.jumped(), ValueError);
  EXPECT_THROW(Generator{first}, ValueError);
  first = second;
  EXPECT_EQ(first.state(), second.state());
}

TEST(Generators, refuse_what_cannot_be) {
  Generator rng = default_rng(1);
  EXPECT_THROW(rng.random({3}, TypeId::int32), TypeError);
  EXPECT_THROW(rng.normal(0, -1), ValueError);
  EXPECT_THROW(rng.uniform(2, 1), ValueError);
  EXPECT_THROW(rng.integers(3, 3), ValueError);
  EXPECT_THROW(rng.integers(0, 300, {}, TypeId::uint8), ValueError);
  const Value end = Value::past_64_bits(0x1p64);
  EXPECT_NO_THROW(rng.integers(0, end, {}, TypeId::uint64));
  EXPECT_NE(error_of(Errc::value, [&] { rng.integers(0, end); }).find("18446744073709551616"),
            std::string::npos);
  EXPECT_THROW(rng.gamma(-1), ValueError);
  EXPECT_THROW(rng.f(0, 1), ValueError);
  EXPECT_THROW(rng.triangular(0, 2, 1), ValueError);
  EXPECT_EQ(rng.binomial(3, Array({2.f, 1.f})).to_vector<std::int64_t>(),
            (std::vector<std::int64_t>{INT64_MIN, 3}));
  EXPECT_THROW(rng.poisson(-1), ValueError);
  EXPECT_THROW(rng.choice(2, {3}, false), ValueError);
  EXPECT_THROW(rng.choice(2, {3}, true, Array({1, 1})), ValueError);
  EXPECT_THROW(rng.dirichlet(zeros({0})), ValueError);
  EXPECT_THROW(rng.permutation(-1), ValueError);
  EXPECT_THROW(default_rng(-1), ValueError);
  EXPECT_NO_THROW(default_rng(~0ull));
  EXPECT_THROW((void)rng.bytes(-1), ValueError);
  EXPECT_THROW((void)rng.spawn(-1), ValueError);
  EXPECT_THROW((void)rng.jumped(-1), ValueError);
  EXPECT_THROW(rng.set_state({0, 0, ~0ull, 0}), ValueError);
  EXPECT_THROW(random::philox4x32(Array({1, 2}), Array({1, 2})), TypeError);
}

TEST(Generator, MakesNoMoreStreamsAndNumbersThanThereAre) {
  random::Generator rng = random::default_rng(1);
  EXPECT_THROW(rng.spawn((std::int64_t{1} << 20) + 1), ValueError);
  EXPECT_THROW((void)rng.jumped((std::int64_t{1} << 60) + 1), ValueError);
  EXPECT_THROW(rng.random({std::int64_t{1} << 62}), ValueError);
  EXPECT_THROW(rng.bytes(std::numeric_limits<std::int64_t>::max()), OutOfMemoryError);
}

}  // namespace
}  // namespace isthmus
