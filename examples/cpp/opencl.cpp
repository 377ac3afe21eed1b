// opencl.cpp: lend the memory of an OpenCL program to Isthmus, and memory of Isthmus to its queue.
//   opencl [folder of OpenCL's runtimes ...]
#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>
#include <isthmus/isthmus.h>

#include <algorithm>
#include <string>
#include <vector>

#include "checks.h"

namespace xp = isthmus;

constexpr std::int64_t count = 1000;
constexpr std::size_t bytes = count * sizeof(float);

void use(cl_command_queue queue, cl_mem buffer) {
  const float three = 3, ten = 10;
  clEnqueueFillBuffer(queue, buffer, &three, sizeof three, 0, bytes, 0, nullptr, nullptr);

  const xp::Queue ours = xp::adopt_queue("opencl", queue);  // retained; in order or not
  xp::NativeMemory mine;
  mine.queue = ours;
  mine.handle = buffer;
  mine.is_buffer = true;
  mine.dtype = xp::float32;
  mine.layout = xp::row_major({count});
  const xp::Array x = xp::from_native(mine);  // no copy, and nobody waits for the fill
  x += 1;                                     // a kernel behind it
  std::vector<float> got(count);
  {
    const xp::Lease lease(x, ours);  // what you enqueue while it lives comes after `x += 1`
    const auto memory = static_cast<cl_mem>(lease.handle());
    clEnqueueReadBuffer(queue, memory, CL_TRUE, 0, bytes, got.data(), 0, nullptr, nullptr);
    clEnqueueFillBuffer(queue, memory, &ten, sizeof ten, 0, bytes, 0, nullptr, nullptr);
  }  // and what Isthmus does from now on comes after the second fill
  const double total = sum(x).item<double>();

  expect(got.front() == 4 && got.back() == 4, "the program's buffer held 3 + 1 in time");
  expect(total == 10 * count, "and the array shows what the program wrote since");
  const xp::Lease lease(2 * x, ours);  // memory of Isthmus' own, for the program's kernels
  std::printf("  2 * x is %s\n", lease.is_buffer() ? "a cl_mem" : "a pointer: USM or SVM");
  expect(lease.handle() != buffer && lease.handle(), "2 * x has memory of its own");
  clFinish(queue);  // drivers compile and run until then, and not after the end of the program
}

void use_a_second_queue() {
  const xp::Queue first("opencl:0");  // the device's own
  const xp::NativeHandle context = first.context().native();
  cl_device_id device;
  clGetCommandQueueInfo(static_cast<cl_command_queue>(first.handle()), CL_QUEUE_DEVICE,
                        sizeof device, &device, nullptr);
  const cl_command_queue made = clCreateCommandQueueWithProperties(
      static_cast<cl_context>(context.get()), device, nullptr, nullptr);
  const xp::Queue second = xp::adopt_queue("opencl", made);
  clReleaseCommandQueue(made);  // `second` has it
  const xp::Array x = xp::linspace(0, 1, 100'001, "opencl:0");
  xp::Array y = 2 * x;
  {
    const xp::OnQueue here(second);  // a scope has a name: without one it would end at once
    y.eval();                        // on the second queue
  }

  expect(second.context() == first.context() && !(second == first), "one context, two queues");
  expect(xp::current_queue("opencl:0") == first, "the scope has ended");
  expect(all(y == 2 * x).item<bool>(), "both queues see the same");
}

int main(int argc, char** argv) {
  for (int i = 1; i < argc; ++i) xp::add_vendor_folder(argv[i]);
  xp::set_up_vendor_runtimes();  // before OpenCL is asked for the first time
  cl_platform_id platforms[8];
  cl_uint found = 0;
  if (clGetPlatformIDs(8, platforms, &found) != CL_SUCCESS) found = 0;
  for (cl_uint i = 0; i < found; ++i) {
    cl_device_id device;
    if (clGetDeviceIDs(platforms[i], CL_DEVICE_TYPE_ALL, 1, &device, nullptr) != CL_SUCCESS)
      continue;
    char name[256] = "";
    clGetDeviceInfo(device, CL_DEVICE_NAME, sizeof name, name, nullptr);
    std::printf("%s\n", name);
    const cl_context context = clCreateContext(nullptr, 1, &device, nullptr, nullptr, nullptr);
    const cl_command_queue queue =
        clCreateCommandQueueWithProperties(context, device, nullptr, nullptr);
    const cl_mem buffer = clCreateBuffer(context, CL_MEM_READ_WRITE, bytes, nullptr, nullptr);
    use(queue, buffer);
    clReleaseMemObject(buffer);
    clReleaseCommandQueue(queue);
    clReleaseContext(context);
  }
  const xp::Devices devices = xp::find_devices();
  if (std::ranges::any_of(devices.devices,
                          [](const xp::Device& d) { return d.backend() == std::string("opencl"); }))
    use_a_second_queue();
  if (found == 0) std::printf("there is no OpenCL device here\n");
}
