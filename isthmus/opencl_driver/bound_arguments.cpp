// bound_arguments.cpp: clSetKernelArg and its kind, where an argument is another one.
#include "isthmus/opencl_driver/bound_arguments.h"

#include <algorithm>

#include "isthmus/base/error.h"
#include "isthmus/hazards/hazards.h"

namespace isthmus::driver {

namespace {

bool is_buffer(const CallArgument& argument) {
  return argument.memory && argument.memory->kind == MemoryKind::buffer;
}

/// The part of a buffer from `byte` on: OpenCL has no addresses in buffers.
Owned<cl_mem> part_of(const ClContext& context, const CallArgument& argument, cl_uint index) {
  const Api& api = context.api();
  const std::size_t alignment = context.on.buffer_alignment;
  check(argument.byte % alignment == 0, Errc::value,
        "argument {}: the array begins {} bytes into its buffer, and {} takes multiples of {}; "
        "pass a copy, and copy what the kernel writes back, or pass all of the array and an offset",
        index + 1, argument.byte, context.device, alignment);
  cl_buffer_region region{argument.byte, argument.memory->bytes - argument.byte};
  const auto whole = reinterpret_cast<cl_mem>(argument.memory->handle);
  return Owned(
      api.clReleaseMemObject,
      make("clCreateSubBuffer", api.clCreateSubBuffer, whole, cl_mem_flags{0},
           cl_buffer_create_type{CL_BUFFER_CREATE_TYPE_REGION}, static_cast<const void*>(&region)));
}

void set_value(const ClContext& context, cl_kernel kernel, cl_uint index, const void* value,
               std::size_t bytes) {
  const cl_int status = isthmus::call(
      "clSetKernelArg", [&] { return context.api().clSetKernelArg(kernel, index, bytes, value); });
  check(status != CL_INVALID_ARG_SIZE, Errc::value,
        "argument {}: {} bytes do not match its type on {}", index + 1, bytes, context.device);
  if (status != CL_SUCCESS) fail_with("clSetKernelArg", status);
}

/// Of memory that is no buffer.
void set_pointer(const ClContext& context, cl_kernel kernel, cl_uint index, const void* pointer,
                 const BackendMemory& memory) {
  const Api& api = context.api();
  if (memory.context && context.on.has_usm && !context.on.takes_any_pointer())
    invoke("clSetKernelArgMemPointerINTEL", context.on.platform.usm.set_argument, kernel, index,
           pointer);
  else
    invoke("clSetKernelArgSVMPointer", api.clSetKernelArgSVMPointer, kernel, index, pointer);
}

}  // namespace

bool BoundArguments::can_become(std::span<const CallArgument> arguments) const {
  const std::size_t count = std::min(bound_.size(), arguments.size());
  for (std::size_t i = 0; i < count; ++i)
    if (bound_[i].was_svm && is_buffer(arguments[i])) return false;
  return true;
}

void BoundArguments::set(const ClContext& context, cl_kernel kernel,
                         std::span<const CallArgument> arguments,
                         std::vector<Owned<cl_mem>>& parts) {
  if (bound_.size() < arguments.size()) bound_.resize(arguments.size());
  if (releases_ != releases()) {
    releases_ = releases();
    for (Bound& bound : bound_) bound.pointer = nullptr;
  }
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const CallArgument& argument = arguments[i];
    const auto index = static_cast<cl_uint>(i);
    Bound& bound = bound_[i];
    if (argument.memory) {
      auto* const pointer = reinterpret_cast<const void*>(argument.memory->handle + argument.byte);
      if (bound.pointer == pointer) continue;
      bound.pointer = nullptr;
      if (!is_buffer(argument)) {
        set_pointer(context, kernel, index, pointer, *argument.memory);
        bound.was_svm = bound.was_svm || !context.on.info.has_system_memory;
      } else {
        if (argument.byte) parts.push_back(part_of(context, argument, index));
        const cl_mem buffer =
            argument.byte ? parts.back().get() : reinterpret_cast<cl_mem>(argument.memory->handle);
        set_value(context, kernel, index, &buffer, sizeof buffer);
        if (argument.byte) continue;  // the part ends with this call
      }
      bound.pointer = pointer;
    } else if (argument.local_bytes) {
      if (bound.local_bytes == argument.local_bytes) continue;
      bound.local_bytes = 0;
      set_value(context, kernel, index, nullptr, argument.local_bytes);
      bound.local_bytes = argument.local_bytes;
    } else {
      if (std::ranges::equal(bound.value, argument.value)) continue;
      bound.value.clear();
      set_value(context, kernel, index, argument.value.data(), argument.value.size());
      bound.value.assign(argument.value.begin(), argument.value.end());
    }
  }
}

}  // namespace isthmus::driver
