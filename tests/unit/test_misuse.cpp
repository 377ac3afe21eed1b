// test_misuse.cpp: what compiles and means nothing is an error; what has no end has one.
#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <sstream>
#include <thread>
#include <vector>

#include "isthmus/array/apply.h"
#include "isthmus/hazards/hazards.h"
#include "isthmus/isthmus.h"
#include "tests/unit/errors.h"

namespace {

namespace xp = isthmus;
using xp::Array;
using xp::Errc;
using xp::error_of;

TEST(Misuse, AnOperationThatIsNoneIsAnError) {
  const Array x = xp::ones({2});
  EXPECT_EQ(error_of(Errc::value, [&] { xp::apply(xp::Op(9999), {x}); }),
            "apply: 9999 is not an operation of op_table");
  EXPECT_EQ(error_of(Errc::value, [&] { xp::apply_in_place(xp::Op(9999), x, 1); }),
            "apply: 9999 is not an operation of op_table");
  error_of(Errc::value, [&] { xp::apply(xp::Op::load, {x, x}); });
  EXPECT_EQ(error_of(Errc::value, [&] { xp::reduce(xp::Reduction(99), x, {}, false); }),
            "reduce: 99 is not a reduction of reduction_table");
  error_of(Errc::value, [&] { xp::scan(xp::Reduction(99), x); });
  error_of(Errc::value, [&] { x[x > 0] += 1, x[x > 0].update(xp::Op(9999), 1); });
}

TEST(Misuse, ANumberThatNamesNothingHasNoName) {
  EXPECT_EQ(error_of(Errc::value, [] { (void)to_string(xp::MemoryKind(77)); }),
            "to_string: 77 is not a MemoryKind");
  EXPECT_EQ(error_of(Errc::value, [] { (void)to_string(xp::Channel(77)); }),
            "to_string: 77 is not a Channel");
  EXPECT_EQ(error_of(Errc::value, [] { (void)to_string(xp::Level(77)); }),
            "to_string: 77 is not a Level");
  EXPECT_EQ(error_of(Errc::value, [] { (void)to_string(xp::Stop(77)); }),
            "to_string: 77 is not a Stop");
  EXPECT_EQ(error_of(Errc::value, [] { (void)reason(xp::Stop(77)); }), "reason: 77 is not a Stop");
  EXPECT_EQ(to_string(xp::MemoryKind::unknown), "unknown");
  EXPECT_EQ(to_string(xp::Level::off), "off");
}

TEST(Misuse, MemoryOfTheCallersNeedsItsDtype) {
  xp::NativeMemory memory;
  EXPECT_EQ(error_of(Errc::exchange, [&] { xp::from_native(memory); }),
            "from_native: queue: it is not set");
  memory.queue = xp::Queue("cpu");
  EXPECT_EQ(error_of(Errc::exchange, [&] { xp::from_native(memory); }),
            "from_native: dtype: it is not set");
  memory.dtype = xp::TypeId::float32;
  EXPECT_EQ(error_of(Errc::exchange, [&] { xp::from_native(memory); }),
            "from_native: handle: the address is null, but there are 1 elements");
}

TEST(Misuse, ADeviceIsNoBackend) {
  EXPECT_EQ(error_of(Errc::backend_unavailable, [] { xp::adopt_queue("opencl:0", nullptr); }),
            "adopt_queue: 'opencl:0' is a device; name the backend, 'opencl'; the handle "
            "determines the device");
  EXPECT_EQ(error_of(Errc::backend_unavailable, [] { xp::adopt_context("null:2", nullptr); }),
            "adopt_context: 'null:2' is a device; name the backend, 'null'; the handle "
            "determines the device");
}

TEST(Misuse, AFieldHasAName) {
  EXPECT_EQ(error_of(Errc::value, [] { xp::struct_dtype({{"a", xp::int8}, {"", xp::int16}}); }),
            "struct_dtype: field 1 has no name");
}

TEST(Misuse, AnEmptyArrayIsAssignedFromNoList) {
  Array x = xp::ones({2});
  x = {};
  EXPECT_FALSE(x.has_value());
}

TEST(Misuse, APromiseMayEndOnAnotherThread) {
  std::vector<double> values{1, 2, 3};
  const Array x = xp::from_span(values);
  std::optional<xp::Fusing> promise(std::in_place);
  const Array y = x + 1;
  EXPECT_TRUE(xp::Fusing::is_on());
  EXPECT_TRUE(y.is_pending() || xp::is_eager());
  std::thread([&] {
    EXPECT_FALSE(xp::Fusing::is_on());
    promise.reset();
    EXPECT_FALSE(xp::Fusing::is_on());
  }).join();
  EXPECT_FALSE(xp::Fusing::is_on());
  EXPECT_FALSE(y.is_pending());
  const xp::Fusing again;  // counts from nothing
  EXPECT_TRUE(xp::Fusing::is_on());
}

TEST(Misuse, APromiseOutlivesTheThreadThatGaveIt) {
  std::optional<xp::Fusing> promise;
  std::thread([&] { promise.emplace(); }).join();
  EXPECT_FALSE(xp::Fusing::is_on());
  promise.reset();
  EXPECT_FALSE(xp::Fusing::is_on());
}

/// Elements, and what owns them in turn.
struct Link {
  double element;
  Array owner;
};

TEST(Misuse, ALongChainOfOwnersIsFreed) {
  const std::int64_t before = xp::live_memories();
  {
    Array x({1.});
    for (int i = 0; i < 100'000; ++i) {
      auto link = std::make_shared<Link>(Link{static_cast<double>(i), std::move(x)});
      double* const element = &link->element;
      x = xp::from_span(std::span(element, 1), std::move(link));
    }
    EXPECT_EQ(x.item<double>(), 99'999);
    EXPECT_GE(xp::live_memories(), before + 100'000);
  }
  EXPECT_EQ(xp::live_memories(), before);
}

TEST(Misuse, ANumberOfAnArrayIsPrinted) {
  const auto printed = [](const auto& x) {
    std::ostringstream out;
    out << x;
    return out.str();
  };
  EXPECT_EQ(printed(Array(2.5).item()), "2.5");
  EXPECT_EQ(printed(xp::ones<bool>({1}).item()), printed(xp::full({}, true)));
  EXPECT_EQ(printed(xp::full({}, 7, xp::uint64).item()), "7");
  EXPECT_EQ(printed(Array(std::complex(1., -2.)).item()), "(1-2j)");
  std::ostringstream out;
  out.precision(2);
  out << std::fixed << Array(2.5).item();
  EXPECT_EQ(out.str(), "2.50");
}

TEST(Misuse, ADtypeIsGivenAsATypeToAllThatTakeOne) {
  const Array x = xp::ones<float>({2, 2});
  EXPECT_EQ(xp::var<double>(x, 0).dtype(), xp::float64);
  EXPECT_EQ(xp::var<double>(x, 0, true).shape(), (xp::Dims{1, 2}));
  EXPECT_EQ(xp::std<double>(x).dtype(), xp::float64);
  EXPECT_EQ(xp::nansum<double>(x).dtype(), xp::float64);
  EXPECT_EQ(xp::nanprod<double>(x).dtype(), xp::float64);
  EXPECT_EQ(xp::nancumsum<double>(x, 1).dtype(), xp::float64);
  EXPECT_EQ(xp::nancumprod<double>(x).dtype(), xp::float64);
  EXPECT_EQ(xp::nanmean<double>(x, 1).dtype(), xp::float64);
  EXPECT_EQ(xp::nanvar<double>(x, 0, false, 1).dtype(), xp::float64);
  EXPECT_EQ(xp::nanstd<double>(x).dtype(), xp::float64);
  EXPECT_EQ(xp::trace<double>(x).item<double>(), 2);
  EXPECT_EQ(xp::cumulative_sum<double>(x, 0, true).shape(), (xp::Dims{3, 2}));
  EXPECT_EQ(xp::cumulative_prod<double>(x, 0).dtype(), xp::float64);
}

}  // namespace
