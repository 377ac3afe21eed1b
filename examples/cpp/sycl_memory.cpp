// sycl_memory.cpp: every kind of USM and queue of a SYCL program, lent to Isthmus and back.
#include <isthmus/isthmus.h>

#include <cstdio>
#include <cstdlib>
#include <sycl/sycl.hpp>
#include <vector>

#include "checks.h"

namespace {

namespace xp = isthmus;

constexpr std::int64_t count = 1 << 20;

xp::NativeMemory describe(sycl::queue& queue, float* mine) {
  xp::NativeMemory memory;
  memory.queue = xp::adopt_queue("sycl", &queue);
  memory.handle = mine;
  memory.dtype = xp::TypeId::float32;
  memory.layout = xp::row_major(std::array<std::int64_t, 1>{count});
  return memory;
}

/// Memory of the program's, lent to Isthmus and back.
void share(sycl::queue& queue, sycl::usm::alloc kind, const char* what) {
  std::printf(" %s\n", what);
  auto* mine = sycl::malloc<float>(count, queue, kind);
  expect(mine, "the driver has some");
  queue.fill(mine, 3.0f, count);  // not waited for
  {
    const xp::NativeMemory memory = describe(queue, mine);
    const xp::Array x = xp::from_native(memory);
    expect(x.device().backend() == "sycl", "the pointer is an array of its device");
    expect(xp::item<double>(xp::sum(x * x)) == 9.0 * count, "which waits for the fill");
    xp::assign(x, x + 1);
    {
      const xp::Lease lease(x, *memory.queue);
      expect(lease.handle() == mine && lease.byte_offset() == 0, "handed out, it is the same");
    }

    const xp::Array y = 2 * x;
    std::vector<float> got(static_cast<std::size_t>(count));
    const xp::Lease lease(y, *memory.queue);
    const auto* there = static_cast<const char*>(lease.handle()) + lease.byte_offset();
    queue.memcpy(got.data(), there, count * sizeof(float)).wait();
    expect(got.front() == 8 && got.back() == 8, "2 * x, lent to the queue, is there in time");

    if (kind != sycl::usm::alloc::device) {
      queue.wait();
      mine[0] = 5;
      expect(xp::item<float>(x[0]) == 5, "the array shows what the program's host code wrote");
    }
  }
  float last = 0;
  queue.memcpy(&last, mine + count - 1, sizeof last).wait();
  expect(last == 4, "the memory holds what Isthmus wrote, and outlives the array");
  sycl::free(mine, queue);
}

/// What the driver does not know is refused.
void refuse(sycl::queue& queue) {
  std::printf(" a pointer from malloc\n");
  std::vector<float> unknown(count);
  try {
    xp::from_native(describe(queue, unknown.data()));
    expect(false, "it is refused");
  } catch (const xp::Error& error) {
    expect(error.code() == xp::Errc::exchange, error.what());
  }
}

/// One queue, in order or not, in the default context of its device or in one of its own.
void use(sycl::queue queue, const char* what) {
  std::printf("%s\n", what);
  const sycl::device device = queue.get_device();
  share(queue, sycl::usm::alloc::device, "malloc_device");
  if (device.has(sycl::aspect::usm_shared_allocations))
    share(queue, sycl::usm::alloc::shared, "malloc_shared");
  if (device.has(sycl::aspect::usm_host_allocations))
    share(queue, sycl::usm::alloc::host, "malloc_host");
  refuse(queue);
}

}  // namespace

int main(int argc, char** argv) {
  for (int i = 1; i < argc; ++i) xp::add_vendor_folder(argv[i]);
  xp::set_up_vendor_runtimes();
  for (const sycl::device& device : sycl::device::get_devices()) {
    if (!device.has(sycl::aspect::usm_device_allocations)) continue;
    use(sycl::queue(device, sycl::property::queue::in_order()), "a sycl::queue in order");
    use(sycl::queue(device), "a sycl::queue out of order");
    use(sycl::queue(sycl::context(device), device), "a sycl::queue in a context of its own");
  }
}
