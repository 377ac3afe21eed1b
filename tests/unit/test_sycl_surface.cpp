// test_sycl_surface.cpp: the program of the front page, on every device of SYCL that is found.
#include "opencl_devices.h"
#include "surface_program.h"

namespace isthmus {
namespace {

TEST(SyclSurface, TheProgramOfTheFrontPageRuns) {
  const DevicesOf found("sycl");
  if (found.devices.empty()) GTEST_SKIP() << found.reason;
  for (const Device& device : found.devices) {
    surface::run(to_string(device));
    surface::exchange_queues(to_string(device));
  }
}

}  // namespace
}  // namespace isthmus
