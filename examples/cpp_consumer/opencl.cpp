// opencl.cpp: a program with an OpenCL queue and buffers of its own lends them to Isthmus and back.
#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>
#include <isthmus/isthmus.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

namespace {

namespace xp = isthmus;

void expect(bool holds, const char* what) {
  std::printf("  %-6s %s\n", holds ? "ok" : "FAILED", what);
  if (!holds) std::exit(1);
}

void check(cl_int status, const char* what) {
  if (status == CL_SUCCESS) return;
  std::printf("  FAILED %s: %d\n", what, status);
  std::exit(1);
}

std::vector<cl_device_id> find_devices() {
  cl_uint count = 0;
  clGetPlatformIDs(0, nullptr, &count);
  std::vector<cl_platform_id> platforms(count);
  if (count) check(clGetPlatformIDs(count, platforms.data(), nullptr), "clGetPlatformIDs");
  std::vector<cl_device_id> devices;
  for (const cl_platform_id platform : platforms) {
    cl_uint more = 0;
    if (clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 0, nullptr, &more) != CL_SUCCESS) continue;
    devices.resize(devices.size() + more);
    clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, more, &devices[devices.size() - more], nullptr);
  }
  return devices;
}

/// One device, with an out-of-order queue: everything must be ordered by events.
void use(cl_device_id device) {
  char name[256] = {};
  clGetDeviceInfo(device, CL_DEVICE_NAME, sizeof name, name, nullptr);
  std::printf("a cl_command_queue and a cl_mem on %s\n", name);
  cl_int status = CL_SUCCESS;
  const cl_context context = clCreateContext(nullptr, 1, &device, nullptr, nullptr, &status);
  check(status, "clCreateContext");
  const cl_queue_properties properties[] = {CL_QUEUE_PROPERTIES,
                                            CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, 0};
  const cl_command_queue queue =
      clCreateCommandQueueWithProperties(context, device, properties, &status);
  check(status, "clCreateCommandQueueWithProperties");
  constexpr std::int64_t count = 1 << 20;
  const cl_mem buffer =
      clCreateBuffer(context, CL_MEM_READ_WRITE, count * sizeof(float), nullptr, &status);
  check(status, "clCreateBuffer");
  const float three = 3;
  check(clEnqueueFillBuffer(queue, buffer, &three, sizeof three, 0, count * sizeof three, 0,
                            nullptr, nullptr),
        "clEnqueueFillBuffer");  // not waited for
  {
    xp::NativeMemory mine;
    mine.queue = xp::adopt_queue("opencl", queue);
    mine.handle = buffer;
    mine.is_buffer = true;
    mine.dtype = xp::TypeId::float32;
    mine.layout = xp::row_major(std::array<std::int64_t, 1>{count});
    const xp::Array x = xp::from_native(mine);
    expect(x.device().backend() == "opencl", "the buffer is an array of its device");
    expect(xp::item<double>(xp::sum(x * x)) == 9.0 * count, "which waits for the fill");
    xp::assign(x, x + 1);  // in place, behind what is in the queue

    const xp::Array y = 2 * x;
    std::vector<float> got(static_cast<std::size_t>(count));
    const xp::Lease lease(y, mine.queue);
    if (lease.is_buffer()) {
      check(clEnqueueReadBuffer(queue, static_cast<cl_mem>(lease.handle()), CL_TRUE,
                                static_cast<std::size_t>(lease.byte_offset()),
                                count * sizeof(float), got.data(), 0, nullptr, nullptr),
            "clEnqueueReadBuffer");
      expect(got.front() == 8 && got.back() == 8, "2 * x, lent to the queue, is there in time");
    } else {
      const auto* there = static_cast<const float*>(lease.handle());
      check(clFinish(queue), "clFinish");
      expect(there[0] == 8 && there[count - 1] == 8, "2 * x, lent to the queue, is there in time");
    }
  }
  float last = 0;
  check(clEnqueueReadBuffer(queue, buffer, CL_TRUE, (count - 1) * sizeof last, sizeof last, &last,
                            0, nullptr, nullptr),
        "clEnqueueReadBuffer");
  expect(last == 4, "the buffer holds what Isthmus wrote, and outlives the array");
  clReleaseMemObject(buffer);
  clReleaseCommandQueue(queue);
  clReleaseContext(context);
}

}  // namespace

int main(int argc, char** argv) {
  for (int i = 1; i < argc; ++i) xp::add_vendor_folder(argv[i]);
  xp::set_up_vendor_runtimes();
  const auto devices = find_devices();
  if (devices.empty()) std::printf("no OpenCL device here\n");
  for (const cl_device_id device : devices) use(device);
}
