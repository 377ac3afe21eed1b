// test_span.cpp: std::span as an array and back: addresses, writes, owners, refusals.
#include "isthmus/exchange/span.h"
#include "isthmus/hazards/hazards.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <vector>

#include "isthmus/array/arrange/manipulate.h"
#include "isthmus/array/functions.h"
#include "isthmus/runtime/settings.h"

namespace isthmus {
namespace {

bool is_exported(const Array& x) { return x.storage()->memory()->is_shared(); }

TEST(Span, SharesAddressAndSeesWritesOfBothSides) {
  std::vector<float> values{1, 2, 3, 4, 5, 6};
  const std::int64_t shape[] = {2, 3};
  const Array x = from_span(std::span(values), shape);
  EXPECT_EQ(host_address(x), values.data());
  values[4] = 50;
  EXPECT_EQ(item(sum(x)).number.re, 66);
  assign(x, 7.0);
  EXPECT_EQ(values, std::vector<float>(6, 7));
}

TEST(Span, ReadsWhatIsThereWhenAnOperationIsCalled) {
  std::vector<double> values{1, 2};
  const Array x = from_span(std::span(values));
  const Array y = x + 1.0;
  values[0] = 100;
  EXPECT_EQ(item(sum(y)).number.re, 5);
}

TEST(Span, OfConstIsReadOnly) {
  const std::vector<std::int32_t> values{1, 2};
  const Array x = from_span(std::span(values));
  EXPECT_TRUE(x.is_read_only());
  EXPECT_THROW(assign(x, 3), Error);
  EXPECT_THROW(to_span<std::int32_t>(x), Error);
  EXPECT_EQ(to_span<const std::int32_t>(x)[1], 2);
}

TEST(Span, KeepsItsOwnerUntilTheLastViewIsGone) {
  const std::int64_t before = live_memories();
  auto values = std::make_shared<std::vector<std::int64_t>>(4, 9);
  const std::weak_ptr<std::vector<std::int64_t>> watch = values;
  {
    const std::int64_t axes[] = {0};
    std::optional<Array> x = from_span(*values, values);
    values = nullptr;
    const Array view = flip(*x, axes);
    x.reset();
    EXPECT_FALSE(watch.expired());
    EXPECT_EQ(item(sum(view)).integer, 36);
  }
  EXPECT_TRUE(watch.expired());
  EXPECT_EQ(live_memories(), before);
}

TEST(Span, GivesTheOwnerBackWhenTheShapeIsRefused) {
  auto values = std::make_shared<std::vector<float>>(4);
  const std::int64_t shape[] = {5};
  EXPECT_THROW(from_span(*values, shape, values), Error);
  EXPECT_EQ(values.use_count(), 1);
}

TEST(Span, OfAnArrayLendsItsMemory) {
  const std::int64_t shape[] = {3};
  const Array x = full(shape, Scalar::of(2.0), TypeId::float32);
  {
    const auto span = to_span<float>(x);
    EXPECT_TRUE(is_exported(x));
    span.get()[0] = 10;
    EXPECT_EQ(span.get().data(), host_address(x));
  }
  EXPECT_FALSE(is_exported(x));
  EXPECT_EQ(item(sum(x)).number.re, 14);
}

TEST(Span, OfAnArrayEvaluatesWhatIsPendingAndReadsIt) {
  const std::int64_t shape[] = {3};
  const Array x = full(shape, Scalar::of(2.0), TypeId::float32);
  x.eval();
  const Array y = x + 1.0;
  EXPECT_TRUE(y.is_pending() || is_eager());
  {
    const auto lent = to_span<float>(x);
    lent[0] = 100;
  }
  EXPECT_EQ(item(sum(y)).number.re, 9);
}

TEST(Span, RefusesOtherDtypesAndStrides) {
  const Array x = full({4}, 2.0, TypeId::float32);
  try {
    to_span<double>(x);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Errc::type);
    EXPECT_STREQ(error.what(),
                 "to_span: asked for float64, but the array's elements are float32; use astype, or "
                 "host_address to see their bytes");
  }
  EXPECT_THROW(to_span<float>(flip(x)), Error);
}

TEST(Span, TakesContiguousRangesThatStay) {
  std::vector<float> vector{1, 2, 3, 4};
  const std::array<std::int32_t, 2> array{5, 6};
  double plain[] = {7, 8, 9};
  EXPECT_EQ(from_span(vector, {2, 2}).shape(), (Dims{2, 2}));
  const Array whole = from_span(vector);
  EXPECT_EQ(host_address(whole), vector.data());
  EXPECT_TRUE(from_span(array).is_read_only());
  EXPECT_EQ(item<double>(sum(from_span(plain))), 24);
  EXPECT_THROW(from_span(vector, {3}), Error);
}

TEST(Span, OfAnArrayIsARange) {
  const Array x = arange(4);
  const auto lent = to_span<std::int64_t>(x);
  std::int64_t total = 0;
  for (std::int64_t& i : lent) total += i;
  EXPECT_EQ(total, 6);
  EXPECT_EQ(lent[3], 3);
  EXPECT_EQ(lent.size(), 4u);
  std::ranges::reverse(lent);
  static_assert(std::random_access_iterator<decltype(lent.begin())>);
  std::span<std::int64_t> span = lent;
  std::span<const std::int64_t> seen = lent;
  EXPECT_EQ(span[0], 3);
  EXPECT_EQ(seen.data(), lent.data());
}

TEST(Span, EmptyOnesAreFine) {
  const Array x = from_span(std::span<float>());
  EXPECT_EQ(x.size(), 0);
  EXPECT_EQ(item(sum(x)).number.re, 0);
  EXPECT_EQ(to_span<float>(x).size(), 0u);
}

TEST(Span, TheSameMemoryTwiceIsOne) {
  std::vector<float> values{1, 2, 3, 4};
  const Array x = from_span(std::span(values)), y = from_span(std::span(values).subspan(2));
  assign(x, 5.0);
  EXPECT_EQ(item(sum(y)).number.re, 10);
  EXPECT_EQ(&x.storage()->memory()->activity(), &y.storage()->memory()->activity());
}

TEST(Span, OurOwnMemoryComingBackIsPrivateAgainAfterwards) {
  const std::int64_t shape[] = {4};
  const Array x = full(shape, Scalar::of(2.0), TypeId::float32);
  {
    const auto lent = to_span<float>(x);
    const Array back = from_span(lent.get());
    EXPECT_TRUE(is_exported(back));
    assign(back, 3.0);
  }
  EXPECT_FALSE(is_exported(x));
  EXPECT_EQ(item(sum(x)).number.re, 12);
}

TEST(Span, HasTheFirstAndTheLastElement) {
  const Array x = arange(0, 4, 1, TypeId::float32), nothing = ones<float>({0});
  const auto lent = to_span<float>(x);
  EXPECT_EQ(lent.front(), 0);
  lent.back() = 9;
  EXPECT_EQ(to_span<const float>(x).back(), 9);
  EXPECT_FALSE(lent.empty());
  EXPECT_TRUE(to_span<float>(nothing).empty());
}

TEST(HostAddress, is_that_of_a_pending_array_once_it_is_evaluated) {
  const Array x = ones({3}) * 2;
  EXPECT_EQ(static_cast<const double*>(host_address(x))[2], 2);
  const Array none = ones({0}) * 2, far = empty({3}, TypeId::float32, Device("null", 2));
  EXPECT_EQ(host_address(none), nullptr);
  EXPECT_THROW(host_address(far), ExchangeError);
  const Array nothing;
  EXPECT_THROW(host_address(nothing), ValueError);
}

}  // namespace
}  // namespace isthmus
