// opencl_memory.cpp: every kind of memory of an OpenCL program, lent to Isthmus and back.
#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>
#include <CL/cl_ext.h>
#include <isthmus/isthmus.h>

#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

#include "checks.h"

namespace {

namespace xp = isthmus;

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

/// A context and an out-of-order queue of the program's own: everything must be ordered by events.
struct Own {
  cl_device_id device;
  cl_context context;
  cl_command_queue queue;
};

constexpr std::int64_t count = 1 << 20;
constexpr std::size_t bytes = count * sizeof(float);
constexpr float three = 3;

/// One form of memory that the program has, and how the program itself works on it.
struct Form {
  const char* name;
  bool is_buffer, is_svm;
  void* handle;                                        // null: the driver has none to give
  std::function<cl_int()> fill;                        // with threes; not waited for
  std::function<cl_int(std::size_t, float*)> read_at;  // the float after so many bytes; waits
  std::function<void()> free;
};

Form make_buffer(const Own& own) {
  cl_int status = CL_SUCCESS;
  const cl_mem buffer = clCreateBuffer(own.context, CL_MEM_READ_WRITE, bytes, nullptr, &status);
  check(status, "clCreateBuffer");
  const auto fill = [=] {
    return clEnqueueFillBuffer(own.queue, buffer, &three, sizeof three, 0, bytes, 0, nullptr,
                               nullptr);
  };
  const auto read_at = [=](std::size_t at, float* value) {
    return clEnqueueReadBuffer(own.queue, buffer, CL_TRUE, at, sizeof *value, value, 0, nullptr,
                               nullptr);
  };
  return {"a cl_mem", true, false, buffer, fill, read_at, [=] { clReleaseMemObject(buffer); }};
}

Form make_svm(const Own& own) {
  cl_device_svm_capabilities able = 0;
  clGetDeviceInfo(own.device, CL_DEVICE_SVM_CAPABILITIES, sizeof able, &able, nullptr);
  const bool has_it = able & CL_DEVICE_SVM_COARSE_GRAIN_BUFFER;
  auto* const svm =
      static_cast<char*>(has_it ? clSVMAlloc(own.context, CL_MEM_READ_WRITE, bytes, 0) : nullptr);
  const auto fill = [=] {
    return clEnqueueSVMMemFill(own.queue, svm, &three, sizeof three, bytes, 0, nullptr, nullptr);
  };
  const auto read_at = [=](std::size_t at, float* value) {
    return clEnqueueSVMMemcpy(own.queue, CL_TRUE, value, svm + at, sizeof *value, 0, nullptr,
                              nullptr);
  };
  return {"SVM", false, true, svm, fill, read_at, [=] { clSVMFree(own.context, svm); }};
}

/// A function of an extension; null if the driver lacks it.
template <class F>
F find(cl_device_id device, const char* name) {
  cl_platform_id platform = nullptr;
  clGetDeviceInfo(device, CL_DEVICE_PLATFORM, sizeof platform, &platform, nullptr);
  return reinterpret_cast<F>(clGetExtensionFunctionAddressForPlatform(platform, name));
}

/// Intel's USM; `kind` is Device, Shared or Host, as in the name of the function that allocates.
Form make_usm(const Own& own, const char* name, const std::string& kind) {
  cl_int status = CL_SUCCESS;
  void* block = nullptr;
  const std::string allocate = "cl" + kind + "MemAllocINTEL";
  if (kind == "Host") {
    if (const auto call = find<clHostMemAllocINTEL_fn>(own.device, allocate.c_str()))
      block = call(own.context, nullptr, bytes, 0, &status);
  } else if (const auto call = find<clDeviceMemAllocINTEL_fn>(own.device, allocate.c_str())) {
    block = call(own.context, own.device, nullptr, bytes, 0, &status);  // Shared is of this type
  }
  check(status, allocate.c_str());
  const auto fill = [=] {
    const auto call = find<clEnqueueMemFillINTEL_fn>(own.device, "clEnqueueMemFillINTEL");
    return call(own.queue, block, &three, sizeof three, bytes, 0, nullptr, nullptr);
  };
  const auto read_at = [=](std::size_t at, float* value) {
    const auto call = find<clEnqueueMemcpyINTEL_fn>(own.device, "clEnqueueMemcpyINTEL");
    const char* from = static_cast<char*>(block) + at;
    return call(own.queue, CL_TRUE, value, from, sizeof *value, 0, nullptr, nullptr);
  };
  const auto free = [=] {
    find<clMemFreeINTEL_fn>(own.device, "clMemFreeINTEL")(own.context, block);
  };
  return {name, false, false, block, fill, read_at, free};
}

xp::NativeMemory describe(const Own& own, const Form& form) {
  xp::NativeMemory memory;
  memory.queue = xp::adopt_queue("opencl", own.queue);
  memory.handle = form.handle;
  memory.is_buffer = form.is_buffer;
  memory.is_svm = form.is_svm;
  memory.dtype = xp::TypeId::float32;
  memory.layout = xp::row_major(std::array<std::int64_t, 1>{count});
  return memory;
}

/// Memory of Isthmus' own, lent to the program's queue: a cl_mem, USM or SVM.
void lend(const Own& own, const xp::Array& y) {
  std::vector<float> got(count);
  const xp::Lease lease(y, xp::adopt_queue("opencl", own.queue));
  const auto begin = static_cast<std::size_t>(lease.byte_offset());
  const auto* there = static_cast<const char*>(lease.handle()) + begin;
  if (lease.is_buffer())
    check(clEnqueueReadBuffer(own.queue, static_cast<cl_mem>(lease.handle()), CL_TRUE, begin, bytes,
                              got.data(), 0, nullptr, nullptr),
          "clEnqueueReadBuffer");
  else if (const auto copy = find<clEnqueueMemcpyINTEL_fn>(own.device, "clEnqueueMemcpyINTEL"))
    check(copy(own.queue, CL_TRUE, got.data(), there, bytes, 0, nullptr, nullptr),
          "clEnqueueMemcpyINTEL");
  else
    check(clEnqueueSVMMemcpy(own.queue, CL_TRUE, got.data(), there, bytes, 0, nullptr, nullptr),
          "clEnqueueSVMMemcpy");
  expect(got.front() == 8 && got.back() == 8, "2 * x, lent to the queue, is there in time");
}

/// Memory of the program's, lent to Isthmus and back.
void share(const Own& own, const Form& form) {
  std::printf(" %s%s\n", form.name, form.handle ? "" : ": this driver has none");
  if (!form.handle) return;
  check(form.fill(), "filling");
  float last = 0;
  {
    const xp::NativeMemory mine = describe(own, form);
    const xp::Array x = xp::from_native(mine);
    expect(x.device().backend() == "opencl", "it is an array of its device");
    expect(xp::item<double>(xp::sum(x * x)) == 9.0 * count, "which waits for the fill");
    xp::assign(x, x + 1);  // in place, behind what is in the queue
    {
      const xp::Lease lease(x, *mine.queue);
      expect(lease.handle() == form.handle && lease.byte_offset() == 0,
             "handed out, it is the same memory");
      check(form.read_at(bytes - sizeof last, &last), "reading");
      expect(last == 4, "where x + 1 is in time");
    }
    check(form.fill(), "filling");
    expect(xp::item<float>(x[0]) == 3, "the array shows what the program wrote there since");
    xp::assign(x, x + 1);
    lend(own, 2 * x);
  }
  check(form.read_at(bytes - sizeof last, &last), "reading");
  expect(last == 4, "the memory holds what Isthmus wrote, and outlives the array");
  form.free();
}

/// What the driver does not know is refused, unless the program vouches for it by is_svm.
void refuse(const Own& own) {
  std::printf(" a pointer from malloc\n");
  std::vector<float> unknown(count);
  Form form = {};
  form.handle = unknown.data();
  try {
    xp::from_native(describe(own, form));
    expect(false, "it is refused");
  } catch (const xp::Error& error) {
    expect(error.code() == xp::Errc::exchange, error.what());
  }
}

void use(cl_device_id device) {
  char name[256] = {};
  clGetDeviceInfo(device, CL_DEVICE_NAME, sizeof name, name, nullptr);
  std::printf("a cl_command_queue on %s\n", name);
  cl_int status = CL_SUCCESS;
  const cl_context context = clCreateContext(nullptr, 1, &device, nullptr, nullptr, &status);
  check(status, "clCreateContext");
  const cl_queue_properties properties[] = {CL_QUEUE_PROPERTIES,
                                            CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, 0};
  const cl_command_queue queue =
      clCreateCommandQueueWithProperties(context, device, properties, &status);
  check(status, "clCreateCommandQueueWithProperties");
  const Own own{device, context, queue};
  share(own, make_buffer(own));
  share(own, make_svm(own));
  share(own, make_usm(own, "USM of the device", "Device"));
  share(own, make_usm(own, "shared USM", "Shared"));
  share(own, make_usm(own, "USM of the host", "Host"));
  refuse(own);
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
