// test_opencl_allocations.cpp: every allocation of host memory that our own code makes fails once,
// and from then on, where drivers do the work: on all devices of OpenCL and SYCL. What the drivers
// allocate succeeds, since what they do without memory is theirs.
#include "allocations.h"
#include "isthmus/exchange/native.h"
#include "isthmus/kernels/elementwise_kernel.h"
#include "isthmus/kernels/raw_kernel.h"
#include "isthmus/kernels/reduction_kernel.h"
#include "opencl_devices.h"

namespace isthmus {
namespace {

/// Somebody else's queue gets an array of ours, and we get it back from there as his.
void lend_to_a_borrower(const Device& device) {
  Backend& driver = backend(device);
  const Ref<BackendQueue> queue = driver.make_queue(driver.default_context(device.index()));
  const Array x = product(ramp(6, device), 3), sum = plus(x, 1);
  {
    const Lease lease(x, Queue(queue));
    NativeMemory lent;
    lent.queue = Queue(queue);
    lent.handle = lease.handle();
    lent.is_buffer = lease.is_buffer();
    lent.dtype = TypeId::float32;
    lent.layout = x.layout();
    assign(from_native(lent), Value(2.0));
  }
  EXPECT_EQ(numbers_of(x), Numbers(6, 2));
  EXPECT_EQ(numbers_of(sum), (Numbers{1, 4, 7, 10, 13, 16}));
}

/// Kernels of users, made anew, on values that others are calculated from and to.
void run_users_kernels(const Device& device) {
  const ElementwiseKernel twice("T x, T y", "T z", "z = 2 * x + y", "twice");
  const ReductionKernel total("T x", "T y", "x", "a + b", "y = a", "0", "total");
  const ScanKernel running("T x", "T y", "x", "a + b", "y = a", "running", {}, {}, "i == 3", true,
                           "0");
  const RawKernel raise(
      "__kernel void raise(__global float* x, const float by, __local float* part) {\n"
      "  part[0] = by;\n  x[get_global_id(0)] += part[0];\n}",
      "raise");
  const Array x = ramp(6, device), before = plus(x, 1);
  raise({6}, {1}, x, 2, LocalMemory{4});
  const Array made = plus(twice(x, 1), 1);
  EXPECT_EQ(numbers_of(before), (Numbers{1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(numbers_of(made), (Numbers{6, 8, 10, 12, 14, 16}));
  EXPECT_EQ(numbers_of(total(made)), Numbers{66});
  EXPECT_EQ(numbers_of(running(x)), (Numbers{0, 2, 5, 0, 5, 11}));
}

/// How many of the driver's objects keep our context. PoCL counts all, Intel's runtime none.
cl_uint objects_of(const Device& device) {
  cache::clear(false);
  tidy(device);
  return references(cl_context_of(*backend(device).default_context(device.index())));
}

/// From one allocation that fails to the next. For each of them the program's kernels are built
/// again: 2 ms with Intel's runtime, a second with others.
std::int64_t step_for(std::chrono::duration<double, std::milli> run) {
  if (std::getenv("ISTHMUS_TEST_ALL_CALLS")) return 1;
  return 7 * std::max<std::int64_t>(static_cast<std::int64_t>(run.count() / 8), 1);
}

class OnDrivers : public Allocations, public ::testing::WithParamInterface<const char*> {
 protected:
  void fail_each_of(bool is_sticky, bool is_everywhere) {
    const DevicesOf found(GetParam());
    if (found.devices.empty()) GTEST_SKIP() << found.reason;
    for (const Device& device : found.devices) {
      SCOPED_TRACE(to_string(device));
      std::vector<Program> all(std::begin(programs), std::end(programs));
      all.push_back({"lend_to_a_borrower", lend_to_a_borrower});
      all.push_back({"run_users_kernels", run_users_kernels});
      for (const Program& program : all) {
        run_clean(program, device);  // what is set up once is there
        const auto start = std::chrono::steady_clock::now();
        run_clean(program, device);
        const std::int64_t step = step_for(std::chrono::steady_clock::now() - start);
        spare_drivers();
        const cl_uint before = objects_of(device);
        fail_each(program, device, is_sticky, is_everywhere, step);
        if (HasFatalFailure()) return;
        // a kernel that is still being written to disk may have counted before
        EXPECT_TRUE(eventually([&] { return objects_of(device) <= before; })) << program.name;
      }
      tidy(device);
    }
  }
};

TEST_P(OnDrivers, may_fail_once) { fail_each_of(false, false); }
TEST_P(OnDrivers, may_fail_from_one_on) { fail_each_of(true, false); }
TEST_P(OnDrivers, may_fail_on_any_thread) { fail_each_of(false, true); }

INSTANTIATE_TEST_SUITE_P(Allocations, OnDrivers, testing::Values("opencl", "sycl"),
                         [](const auto& info) { return std::string(info.param); });

}  // namespace
}  // namespace isthmus
