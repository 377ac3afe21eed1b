// opencl_runner.h: runs emitted kernels on the OpenCL CPU devices that a loader finds; for tests.
#pragma once

#include <dlfcn.h>

#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "isthmus/codegen/emit.h"
#include "isthmus/codegen/form.h"

namespace isthmus {

/// What is used of OpenCL, without its headers: handles are pointers, names are its own.
struct OpenCL {
  using Handle = void*;
  void* library = open();

  /// The distribution's loader, before one that a wheel put beside us and that needs its friends.
  static void* open() {
    for (const char* name : {"/usr/lib/x86_64-linux-gnu/libOpenCL.so.1", "libOpenCL.so.1"})
      if (void* library = dlopen(name, RTLD_NOW)) return library;
    return nullptr;
  }

  template <class... Args>
  std::int64_t call(const char* name, Args... args) const {
    const auto f = reinterpret_cast<std::int32_t (*)(Args...)>(dlsym(library, name));
    const std::int32_t code = f ? f(args...) : -1;
    if (code != 0) throw std::runtime_error(std::string(name) + ": " + std::to_string(code));
    return code;
  }
  template <class... Args>
  Handle make(const char* name, Args... args) const {
    std::int32_t code = 0;
    const auto f = reinterpret_cast<Handle (*)(Args..., std::int32_t*)>(dlsym(library, name));
    Handle made = f ? f(args..., &code) : nullptr;
    if (!made || code) throw std::runtime_error(std::string(name) + ": " + std::to_string(code));
    return made;
  }
};

/// One device, with a queue. Memory of a launch is copied there and back.
class OpenCLDevice {
 public:
  using Handle = OpenCL::Handle;
  /// The bytes behind an argument's address.
  using Blocks = std::map<void*, std::size_t>;

  OpenCLDevice(const OpenCL& cl, Handle platform, Handle device) : cl_(cl), device_(device) {
    char text[256] = {};
    cl.call("clGetPlatformInfo", platform, 0x0902u, sizeof text, static_cast<void*>(text), nullptr);
    name = text;
    std::int32_t code = 0;
    using Create = Handle (*)(void*, std::uint32_t, Handle*, void*, void*, std::int32_t*);
    context_ = reinterpret_cast<Create>(dlsym(cl.library, "clCreateContext"))(
        nullptr, 1, &device_, nullptr, nullptr, &code);
    queue_ = cl.make("clCreateCommandQueue", context_, device_, std::uint64_t{2});
    std::size_t group = 1;
    std::uint64_t local_bytes = 0;
    cl.call("clGetDeviceInfo", device_, 0x1004u, sizeof group, static_cast<void*>(&group), nullptr);
    cl.call("clGetDeviceInfo", device_, 0x1023u, sizeof local_bytes,
            static_cast<void*>(&local_bytes), nullptr);
    traits.largest_group = static_cast<int>(group);
    traits.local_bytes = local_bytes;
  }

  /// All CPU devices; none if there is no loader.
  static const std::vector<std::unique_ptr<OpenCLDevice>>& all() {
    static const auto& devices = *new std::vector<std::unique_ptr<OpenCLDevice>>(find());
    return devices;
  }

  /// Runs a program as a backend would; its addresses are those of `blocks`.
  void run(Program program, const Launch& launch, const Blocks& blocks) {
    program.form = form_of(program, launch);
    const Passes passes = plan_passes(program, launch, traits);
    const Handle built = build(emit(program, traits));
    std::map<void*, Handle> buffers;
    for (const auto& [address, bytes] : blocks)
      buffers[address] =
          cl_.make("clCreateBuffer", context_, std::uint64_t{1 | 32}, bytes, address);
    Handle scratch = nullptr;
    if (passes.scratch_bytes)
      scratch = cl_.make("clCreateBuffer", context_, std::uint64_t{1}, passes.scratch_bytes,
                         static_cast<void*>(nullptr));
    for (const Pass& pass : passes.passes) enqueue(built, pass, launch, buffers, scratch);
    cl_.call("clFinish", queue_);
    for (const auto& [address, buffer] : buffers) {
      cl_.call("clEnqueueReadBuffer", queue_, buffer, 1u, std::size_t{0}, blocks.at(address),
               address, 0u, nullptr, nullptr);
      cl_.call("clReleaseMemObject", buffer);
    }
    if (scratch) cl_.call("clReleaseMemObject", scratch);
  }

  Handle build(const std::string& source) {
    Handle& program = programs_[source];
    if (program) return program;
    const char* text = source.c_str();
    program = cl_.make("clCreateProgramWithSource", context_, 1u, &text,
                       static_cast<std::size_t*>(nullptr));
    try {
      cl_.call("clBuildProgram", program, 1u, &device_, options.c_str(), nullptr, nullptr);
    } catch (const std::exception& error) {
      std::string log(65536, '\0');
      cl_.call("clGetProgramBuildInfo", program, device_, 0x1183u, log.size(),
               static_cast<void*>(log.data()), nullptr);
      program = nullptr;
      throw std::runtime_error(source + error.what() + "\n" + log.c_str());
    }
    return program;
  }

  std::string name;
  std::string options = "-cl-std=CL3.0 -cl-fp32-correctly-rounded-divide-sqrt";
  Traits traits;

 private:
  static std::vector<std::unique_ptr<OpenCLDevice>> find() {
    static const OpenCL& cl = *new OpenCL;
    std::vector<std::unique_ptr<OpenCLDevice>> devices;
    if (!cl.library) return devices;
    Handle platforms[16];
    std::uint32_t count = 0;
    try {
      cl.call("clGetPlatformIDs", 16u, platforms, &count);
    } catch (const std::exception&) {
      return devices;  // a loader without drivers
    }
    for (std::uint32_t i = 0; i < count; ++i) {
      Handle device;
      std::uint32_t found = 0;
      try {
        cl.call("clGetDeviceIDs", platforms[i], std::uint64_t{2}, 1u, &device, &found);
      } catch (const std::exception&) {
        continue;  // no CPU
      }
      devices.push_back(std::make_unique<OpenCLDevice>(cl, platforms[i], device));
    }
    return devices;
  }

  void enqueue(Handle built, const Pass& pass, const Launch& launch,
               const std::map<void*, Handle>& buffers, Handle scratch) {
    const std::string entry(pass.entry);
    const Handle kernel = cl_.make("clCreateKernel", built, entry.c_str());
    std::uint32_t parameter = 0;
    const auto set = [&](std::size_t bytes, const void* value) {
      cl_.call("clSetKernelArg", kernel, parameter++, bytes, value);
    };
    Handle words = nullptr;
    const std::size_t bytes = pass.words.size() * sizeof(std::int64_t);
    for (const Pointer& pointer : pass.pointers) {
      Handle memory = scratch;
      if (pointer.of == Pointer::Of::input)
        memory = buffers.at(launch.inputs[pointer.index].address);
      if (pointer.of == Pointer::Of::epilogue_input)
        memory = buffers.at(launch.epilogue_inputs[pointer.index].address);
      if (pointer.of == Pointer::Of::output)
        memory = buffers.at(launch.outputs[pointer.index].address);
      if (pointer.of == Pointer::Of::words)
        memory = words = cl_.make("clCreateBuffer", context_, std::uint64_t{1 | 32}, bytes,
                                  const_cast<void*>(static_cast<const void*>(pass.words.data())));
      set(sizeof memory, &memory);
    }
    if (!words) set(bytes, pass.words.data());
    cl_.call("clEnqueueNDRangeKernel", queue_, kernel, static_cast<std::uint32_t>(pass.dimensions),
             static_cast<const std::size_t*>(nullptr), pass.global, pass.local, 0u, nullptr,
             nullptr);
    cl_.call("clReleaseKernel", kernel);
    if (words) cl_.call("clFinish", queue_), cl_.call("clReleaseMemObject", words);
  }

  const OpenCL& cl_;
  Handle device_, context_, queue_;
  std::map<std::string, Handle> programs_;
};

}  // namespace isthmus
