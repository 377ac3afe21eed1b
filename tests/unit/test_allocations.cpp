// test_allocations.cpp: every allocation of host memory fails once, and from then on: no crash, no
// leak, no wrong number, and the library is usable after.
#include "allocations.h"

namespace isthmus {
namespace {

class OnEach : public Allocations, public ::testing::WithParamInterface<int> {
 protected:
  const Device device = device_of(GetParam());
};

TEST_P(OnEach, may_fail_once) {
  for (const Program& program : programs) fail_each(program, device, false, false);
}

TEST_P(OnEach, may_fail_from_one_on) {
  for (const Program& program : programs) fail_each(program, device, true, false);
}

TEST_P(OnEach, may_fail_on_any_thread) {
  for (const Program& program : programs) fail_each(program, device, false, true);
}

INSTANTIATE_TEST_SUITE_P(Allocations, OnEach, testing::Values(-1, 1, 2), device_name);

}  // namespace
}  // namespace isthmus
