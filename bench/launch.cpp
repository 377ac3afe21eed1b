// launch.cpp: one small waited launch, raw and through Isthmus, for launch.py.
#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>
#include <isthmus/isthmus.h>
#include <isthmus/runtime/evaluate/evaluate.h>

#include <sycl/sycl.hpp>

namespace {

namespace xp = isthmus;

constexpr std::int64_t size = 1024;

constexpr const char* source = R"(
__kernel void work(__global const float* a, __global const float* b, __global float* out) {
  size_t i = get_global_id(0);
  out[i] = 2 * a[i] + b[i] - 1;
}
)";

/// What both raw ways have in common: SYCL's objects and the OpenCL ones below.
struct Raw {
  sycl::queue queue = [] {
    for (const sycl::device& device : sycl::device::get_devices())
      if (device.has(sycl::aspect::usm_device_allocations))
        return sycl::queue(device, sycl::property::queue::in_order());
    std::abort();
  }();
  cl_context context = sycl::get_native<sycl::backend::opencl>(queue.get_context());
  cl_device_id device = sycl::get_native<sycl::backend::opencl>(queue.get_device());
  cl_command_queue below = clCreateCommandQueueWithProperties(context, device, nullptr, nullptr);
  cl_program program =
      clCreateProgramWithSource(context, 1, const_cast<const char**>(&source), nullptr, nullptr);
  int built = clBuildProgram(program, 1, &device, "", nullptr, nullptr);
  cl_kernel kernel = clCreateKernel(program, "work", nullptr);
  sycl::kernel sycl_kernel = sycl::make_kernel<sycl::backend::opencl>(kernel, queue.get_context());
  float* a = sycl::malloc_device<float>(size, queue);
  float* b = sycl::malloc_device<float>(size, queue);
  float* out = sycl::malloc_device<float>(size, queue);
};

Raw& raw() {
  static Raw& r = *new Raw;
  return r;
}

/// Arguments are set before each launch, as a library must.
void raw_opencl() {
  Raw& r = raw();
  const std::size_t global = size;
  int index = 0;
  for (void* pointer : {r.a, r.b, r.out})
    clSetKernelArgSVMPointer(r.kernel, static_cast<cl_uint>(index++), pointer);
  cl_event event = nullptr;
  clEnqueueNDRangeKernel(r.below, r.kernel, 1, nullptr, &global, nullptr, 0, nullptr, &event);
  clWaitForEvents(1, &event);
  clReleaseEvent(event);
}

void raw_sycl() {
  Raw& r = raw();
  r.queue
      .submit([&](sycl::handler& handler) {
        handler.set_args(r.a, r.b, r.out);
        handler.parallel_for(sycl::range<1>(size), r.sycl_kernel);
      })
      .wait();
}

struct Ours {
  explicit Ours(const char* device)
      : a(xp::ones(shape, xp::TypeId::float32, xp::parse_device(device))),
        b(xp::full(shape, 2, xp::TypeId::float32, xp::parse_device(device))) {
    a.eval();
    b.eval();
  }
  void call() const {
    const xp::Array y = 2 * a + b - 1;
    y.eval();
    xp::wait(y.storage());
  }
  const std::array<std::int64_t, 1> shape{size};
  xp::Array a, b;
};

}  // namespace

extern "C" {

/// Folders with the vendors' libraries. Returns 0 if the raw kernel was built.
int prepare(const char* folder) {
  xp::add_vendor_folder(folder);
  xp::set_up_vendor_runtimes();
  xp::set_inline_policy(xp::Inline::never);
  return raw().built;
}
void nothing_call() {}
void opencl_call() { raw_opencl(); }
void sycl_call() { raw_sycl(); }
void isthmus_opencl_call() {
  static const Ours& ours = *new Ours("opencl:0");
  ours.call();
}
void isthmus_sycl_call() {
  static const Ours& ours = *new Ours("sycl:0");
  ours.call();
}
}
