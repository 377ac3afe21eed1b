// test_span.cpp: std::span as an array and back: addresses, writes, owners, refusals.
#include "isthmus/exchange/span.h"

#include <gtest/gtest.h>

#include <vector>

#include "isthmus/array/functions.h"
#include "isthmus/array/manipulate.h"
#include "isthmus/runtime/settings.h"

namespace isthmus {
namespace {

bool is_shared(const Array& x) { return x.storage()->memory()->is_shared(); }

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
  EXPECT_EQ(to_span<const std::int32_t>(x).get()[1], 2);
}

TEST(Span, KeepsItsOwnerUntilTheLastViewIsGone) {
  const std::int64_t before = live_memories();
  auto values = std::make_shared<std::vector<std::int64_t>>(4, 9);
  const std::weak_ptr<std::vector<std::int64_t>> watch = values;
  {
    const std::int64_t axes[] = {0};
    std::optional<Array> x = from_span(std::span(*values), {}, values);
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
  EXPECT_THROW(from_span(std::span(*values), shape, values), Error);
  EXPECT_EQ(values.use_count(), 1);
}

TEST(Span, OfAnArrayLendsItsMemory) {
  const std::int64_t shape[] = {3};
  const Array x = full(shape, Scalar::of(2.0), TypeId::float32);
  {
    const auto span = to_span<float>(x);
    EXPECT_TRUE(is_shared(x));
    span.get()[0] = 10;
    EXPECT_EQ(span.get().data(), host_address(x));
  }
  EXPECT_FALSE(is_shared(x));
  EXPECT_EQ(item(sum(x)).number.re, 14);
}

TEST(Span, OfAnArrayEvaluatesWhatIsPendingAndReadsIt) {
  const std::int64_t shape[] = {3};
  const Array x = full(shape, Scalar::of(2.0), TypeId::float32);
  x.eval();
  const Array y = x + 1.0;
  EXPECT_TRUE(y.is_pending() || is_eager());
  to_span<float>(x).get()[0] = 100;
  EXPECT_EQ(item(sum(y)).number.re, 9);
}

TEST(Span, RefusesOtherDtypesAndStrides) {
  const std::int64_t shape[] = {4};
  const Array x = full(shape, Scalar::of(2.0), TypeId::float32);
  const std::int64_t axes[] = {0};
  EXPECT_THROW(to_span<double>(x), Error);
  EXPECT_THROW(to_span<float>(flip(x, axes)), Error);
}

TEST(Span, EmptyOnesAreFine) {
  const Array x = from_span(std::span<float>());
  EXPECT_EQ(x.size(), 0);
  EXPECT_EQ(item(sum(x)).number.re, 0);
  EXPECT_EQ(to_span<float>(x).get().size(), 0u);
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
    EXPECT_TRUE(is_shared(back));
    assign(back, 3.0);
  }
  EXPECT_FALSE(is_shared(x));
  EXPECT_EQ(item(sum(x)).number.re, 12);
}

}  // namespace
}  // namespace isthmus
