// test_host_mapping.cpp: what the host sees of memory that it does not reach.
#include "isthmus/exchange/host_mapping.h"

#include <atomic>
#include <thread>

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

  /// As a program writes to memory, beside work on other threads.
  static void write(float& element, float value) {
    std::atomic_ref(element).store(value, std::memory_order_relaxed);
  }
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

TEST_F(HostMappings, of_one_memory_see_what_the_others_write) {
  HostMapping first(x, true);
  const HostMapping second(x[slice(1, {})], true);  // 1, 2, ...
  first.host()[0] = 7.f;
  second.host()[0] = 8.f;
  x *= 2.f;
  EXPECT_EQ(to_string(x), "[14. 16.  4.  6.  8. 10.]");
  EXPECT_EQ(to_string(first.host()), "[14. 16.  4.  6.  8. 10.]");
  EXPECT_EQ(to_string(second.host()), "[16.  4.  6.  8. 10.]");
  first.host()[5] = 1.f;
  first.end();
  EXPECT_EQ(to_string(second.host()), "[16.  4.  6.  8.  1.]");
  EXPECT_EQ(to_string(x), "[14. 16.  4.  6.  8.  1.]");
}

TEST_F(HostMappings, of_elements_of_any_size) {
  for (const TypeId type : {TypeId::uint8, TypeId::float16, TypeId::int64, TypeId::complex64}) {
    const Array y = arange(6, TypeId::float32, discrete_null).astype(type).eval();
    const HostMapping mapping(y, true), other(y, true);
    mapping.host()[1] = 9;
    other.host()[4] = 8;
    EXPECT_EQ(y.astype(TypeId::complex64).to_vector<std::complex<float>>(),
              (std::vector<std::complex<float>>{0, 9, 2, 3, 8, 5}));
  }
}

TEST_F(HostMappings, begin_and_end_on_several_threads) {
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([this, i] {
      for (int k = 0; k < 20; ++k) {
        const HostMapping mapping(x, true);
        const auto host = to_span<float>(mapping.host());
        write(host[i], 20.f + static_cast<float>(i));
        (x + 1.f).eval();
      }
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(x.storage()->memory()->activity().exports, 0);
  EXPECT_EQ(to_string(x), "[20. 21. 22. 23.  4.  5.]");
}

TEST_F(HostMappings, lose_nothing_that_is_written_beside_work) {
  HostMapping mapping(x, true);
  std::atomic<bool> has_ended = false;
  std::thread writer([&] {
    const auto host = to_span<float>(mapping.host());
    for (int k = 1; k <= 20000; ++k) write(host[0], static_cast<float>(k));
    has_ended = true;
  });
  do assign(x[slice(1, {})], 5.f);
  while (!has_ended);
  writer.join();
  mapping.end();
  EXPECT_EQ(x.to_vector<float>(), (std::vector<float>{20000, 5, 5, 5, 5, 5}));
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
    EXPECT_TRUE(has_failed || nth > 2) << nth;
    EXPECT_EQ(y.storage()->memory()->activity().exports, 0) << nth;
    EXPECT_TRUE(y.storage()->memory()->activity().borrowers_events.empty()) << nth;
  }
}

}  // namespace
}  // namespace isthmus
