// sycl.cpp: a program with a sycl::queue and USM of its own lends them to Isthmus and back.
#include <isthmus/isthmus.h>

#include <cstdio>
#include <cstdlib>
#include <sycl/sycl.hpp>
#include <vector>

namespace {

namespace xp = isthmus;

void expect(bool holds, const char* what) {
  std::printf("  %-6s %s\n", holds ? "ok" : "FAILED", what);
  if (!holds) std::exit(1);
}

/// One queue, in order or not, in the default context of its device or in one of its own.
void use(sycl::queue queue, const char* what) {
  std::printf("%s\n", what);
  constexpr std::int64_t count = 1 << 20;
  auto* mine = sycl::malloc_device<float>(count, queue);
  queue.fill(mine, 3.0f, count);  // not waited for
  {
    xp::NativeMemory memory;
    memory.queue = xp::adopt_queue("sycl", &queue);
    memory.handle = mine;
    memory.dtype = xp::TypeId::float32;
    memory.layout = xp::row_major(std::array<std::int64_t, 1>{count});
    const xp::Array x = xp::from_native(memory);
    expect(x.device().backend() == "sycl", "the pointer is an array of its device");
    expect(xp::item<double>(xp::sum(x * x)) == 9.0 * count, "which waits for the fill");
    xp::assign(x, x + 1);

    const xp::Array y = 2 * x;
    std::vector<float> got(static_cast<std::size_t>(count));
    const xp::Lease lease(y, memory.queue);
    const auto* there = static_cast<const char*>(lease.handle()) + lease.byte_offset();
    queue.memcpy(got.data(), there, count * sizeof(float)).wait();
    expect(got.front() == 8 && got.back() == 8, "2 * x, lent to the queue, is there in time");
  }
  float last = 0;
  queue.memcpy(&last, mine + count - 1, sizeof last).wait();
  expect(last == 4, "the memory holds what Isthmus wrote, and outlives the array");
  sycl::free(mine, queue);
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
