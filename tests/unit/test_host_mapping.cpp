// test_host_mapping.cpp: what the host sees of memory that it does not reach.
#include "isthmus/exchange/host_mapping.h"

#include "isthmus/array/create/create.h"
#include "isthmus/array/functions.h"
#include "isthmus/array/index/index.h"
#include "isthmus/exchange/span.h"
#include "tests/unit/errors.h"
#include "tests/unit/support.h"

namespace isthmus {
namespace {

class HostMappings : public Graph {
 protected:
  const Array x = arange(6, TypeId::float32, discrete_null).eval();
};

TEST_F(HostMappings, are_the_values_before_and_after_our_work) {
  ASSERT_FALSE(is_host_reachable(x));
  const HostMapping mapping(x, true);
  const Array& host = mapping.host();
  EXPECT_EQ(host.device(), cpu);
  EXPECT_EQ(to_string(host), "[0. 1. 2. 3. 4. 5.]");
  assign(host, 7.f);
  host.eval();
  EXPECT_EQ(to_string(x + 1.f), "[8. 8. 8. 8. 8. 8.]");
  x[2] = 3.f;
  x *= 2.f;
  EXPECT_EQ(to_string(host), "[14. 14.  6. 14. 14. 14.]");
}

TEST_F(HostMappings, end_with_what_was_written) {
  HostMapping mapping(x, true);
  const Array host = mapping.host();
  assign(host, 7.f);
  mapping.end();
  mapping.end();
  assign(host, 8.f);
  EXPECT_EQ(to_string(x), "[7. 7. 7. 7. 7. 7.]");
  assign(x, 1.f);
  EXPECT_EQ(to_string(host), "[8. 8. 8. 8. 8. 8.]");
  {
    assign(HostMapping(x, true).host(), 2.f);
  }
  EXPECT_EQ(to_string(x), "[2. 2. 2. 2. 2. 2.]");
}

TEST_F(HostMappings, of_views_have_their_layout) {
  const Array view = x[slice({}, {}, -2)];  // 5, 3, 1
  const HostMapping mapping(view, true);
  EXPECT_TRUE(mapping.host().layout().strides == view.layout().strides);
  EXPECT_EQ(to_string(mapping.host()), "[5. 3. 1.]");
  mapping.host()[0] = 9.f;
  EXPECT_EQ(to_string(x), "[0. 1. 2. 3. 4. 9.]");
  const Array none = zeros({0, 3}, TypeId::float32, discrete_null);
  const HostMapping empty(none, true);
  EXPECT_EQ(empty.host().size(), 0);
}

TEST_F(HostMappings, to_read_leave_the_device_alone) {
  const HostMapping mapping(x, false);
  assign(mapping.host(), 7.f);
  x += 1.f;
  EXPECT_EQ(to_string(mapping.host()), "[1. 2. 3. 4. 5. 6.]");
}

TEST_F(HostMappings, take_turns_with_work_of_several_threads) {
  const HostMapping mapping(x, false);
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([&] {
      for (int k = 0; k < 20; ++k) (x + 1.f).eval();
    });
  for (std::thread& thread : threads) thread.join();
  assign(x, 3.f);
  EXPECT_EQ(to_string(mapping.host()), "[3. 3. 3. 3. 3. 3.]");
}

TEST_F(HostMappings, outlive_calls_of_a_driver_that_fail) {
  for (int nth = 1; nth <= 6; ++nth) {
    const Array y = copy(x).eval();
    synchronize(discrete_null);
    bool has_failed = false;
    control().set_fail_at(nth, false, static_cast<int>(Errc::launch));
    try {
      HostMapping mapping(y, true);
      y += 1.f;
      mapping.end();
      wait(y.storage());
    } catch (const Error& error) {
      has_failed = error.code() == Errc::launch;
    }
    control().set_fail_at(0, false, 0);
    assign(y, 4.f);
    EXPECT_EQ(to_string(y), "[4. 4. 4. 4. 4. 4.]") << nth << has_failed;
    EXPECT_TRUE(has_failed || nth > 3) << nth;
    EXPECT_EQ(y.storage()->memory()->activity().exports, 0) << nth;
    EXPECT_TRUE(y.storage()->memory()->activity().borrowers_events.empty()) << nth;
  }
}

}  // namespace
}  // namespace isthmus
