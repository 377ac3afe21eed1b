// sycl.cpp: lend the USM of a SYCL program to Isthmus, and memory of Isthmus to its queue.
//   sycl [folder of SYCL's runtimes ...]
#include <isthmus/isthmus.h>

#include <sycl/sycl.hpp>
#include <vector>

#include "checks.h"

namespace xp = isthmus;

void use(sycl::queue queue) {
  constexpr std::int64_t count = 1000;
  float* const pointer = sycl::malloc_device<float>(count, queue);
  queue.fill(pointer, 3.0f, count);  // not waited for

  const xp::Queue ours = xp::adopt_queue("sycl", &queue);  // a copy of it; in order or not
  xp::NativeMemory mine;
  mine.queue = ours;
  mine.handle = pointer;
  mine.dtype = xp::float32;
  mine.layout = xp::row_major({count});
  mine.owner = std::shared_ptr<float>(pointer, [queue](float* p) { sycl::free(p, queue); });
  const xp::Array x = xp::from_native(mine);  // no copy, and nobody waits for the fill
  x += 1;                                     // a kernel behind it
  std::vector<float> got(count), doubled(count);
  {
    const xp::Lease lease(2 * x, ours);  // what is enqueued while it lives comes after 2 * x
    const auto* there = static_cast<const char*>(lease.handle()) + lease.byte_offset();
    queue.memcpy(doubled.data(), there, count * sizeof(float));
    queue.wait();
  }
  const xp::Lease lease(x, ours);
  queue.memcpy(got.data(), pointer, count * sizeof(float)).wait();

  expect(got.front() == 4 && got.back() == 4, "the program's memory holds 3 + 1");
  expect(doubled.front() == 8 && doubled.back() == 8, "2 * x was there in time");
  expect(lease.handle() == pointer, "the memory of x is the program's");
}

int main(int argc, char** argv) {
  for (int i = 1; i < argc; ++i) xp::add_vendor_folder(argv[i]);
  xp::set_up_vendor_runtimes();  // before SYCL lists its devices
  for (const sycl::device& device : sycl::device::get_devices()) {
    if (!device.has(sycl::aspect::usm_device_allocations)) continue;
    std::printf("%s\n", device.get_info<sycl::info::device::name>().c_str());
    use(sycl::queue(device));                                     // out of order
    use(sycl::queue(device, sycl::property::queue::in_order()));  // in order
  }
}
