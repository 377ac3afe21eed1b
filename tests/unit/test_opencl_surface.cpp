// test_opencl_surface.cpp: the program of the front page, on every device of OpenCL that is found.
#include "opencl_devices.h"
#include "surface_program.h"

namespace isthmus {
namespace {

TEST(OpenclSurface, TheProgramOfTheFrontPageRuns) {
  const DevicesOf found("opencl");
  if (found.devices.empty()) GTEST_SKIP() << found.reason;
  for (const Device& device : found.devices) {
    surface::run(to_string(device));
    surface::exchange_queues(to_string(device));
  }
}

TEST(OpenclSurface, TheAddressOfACopyOnTheHostIsThatOfItsValues) {
  const DevicesOf found("opencl");
  if (found.devices.empty()) GTEST_SKIP() << found.reason;
  constexpr std::int64_t n = 300'000;
  for (const Device& device : found.devices)
    for (int turn = 0; turn < 20; ++turn) {
      Array y = arange<double>(n, device);
      if (!has_dtype(device, float64)) y = arange<float>(n, device);
      y = y * 2 + turn;
      y.eval();
      const Array here = y.to_device("cpu");
      const void* const first = host_address(here);  // waits for the copy
      const double last = y.dtype() == DType(float64) ? static_cast<const double*>(first)[n - 1]
                                                      : static_cast<const float*>(first)[n - 1];
      EXPECT_EQ(last, 2.0 * (n - 1) + turn);
    }
}

}  // namespace
}  // namespace isthmus
