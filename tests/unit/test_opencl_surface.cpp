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

}  // namespace
}  // namespace isthmus
