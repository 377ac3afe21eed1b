// test_exit.cpp: what destructors of static objects and handlers of atexit may do.
#include <gtest/gtest.h>
#include <isthmus/isthmus.h>

#include <cstdlib>
#include <thread>

#include "isthmus/base/per_thread.h"

namespace isthmus {
namespace {

/// Calculates on `cpu` when the process ends, after the objects of its threads have gone.
[[noreturn]] void calculate_at_exit(const char* device) {
  static Array few, many;
  // before the first use, so that it comes last
  std::atexit([] {
    const bool is_right = sum(few).item<double>() == 10 && sum(many * 2).item<double>() == 2e6;
    const Fusing promise;
    const OnDevice here("cpu");
    if (!is_right || (few + 1)[{0}].item<double>() != 2) std::_Exit(3);
  });
  few = ones({10}).eval(), many = ones({1'000'000}).eval();
  {
    const OnDevice there(device);
    const OnQueue queue{Queue(device)};
    const Fusing promise;
    const Array x = arange(100'000) * 2;
    if (sum(x).item<double>() != 9'999'900'000.) std::_Exit(4);
    synchronize(device);
  }
  std::exit(0);
}

TEST(ExitDeathTest, TheHostCalculatesUntilTheEnd) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  for (const char* const device : {"cpu", "opencl:0", "sycl:0"}) {
    try {
      static_cast<void>(Device(device));
    } catch (const Error&) {
      continue;
    }
    EXPECT_EXIT(calculate_at_exit(device), testing::ExitedWithCode(0), "") << device;
  }
}

int destroyed = 0;
struct Counted {
  int number = 7;
  ~Counted() { ++destroyed; }
};
constinit thread_local detail::PerThread<Counted> counted;
constinit thread_local detail::PerThread<int> number;

TEST(PerThread, IsMadeWhenAskedForAndDestroyedWithItsThread) {
  destroyed = 0;
  std::thread([] { EXPECT_EQ(counted.get(), nullptr); }).join();
  EXPECT_EQ(destroyed, 0);
  std::thread([] {
    EXPECT_EQ((*counted).number, 7);
    counted->number = 8;
    EXPECT_EQ(counted.get()->number, 8);
    EXPECT_EQ(*number, 0);
  }).join();
  EXPECT_EQ(destroyed, 1);
}

}  // namespace
}  // namespace isthmus
