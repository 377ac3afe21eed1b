// call.cpp: kernels of users' programs.
#include <algorithm>
#include <array>
#include <vector>

#include "isthmus/base/error.h"
#include "isthmus/opencl_driver/commands.h"

namespace isthmus::driver {

namespace {

/// The part of a buffer from `byte` on: OpenCL has no addresses in buffers.
Owned<cl_mem> part_of(const ClContext& context, const CallArgument& argument, std::size_t number) {
  const Api& api = context.api();
  const auto bits = ask<cl_uint>("clGetDeviceInfo", api.clGetDeviceInfo, context.on.id,
                                 cl_device_info{CL_DEVICE_MEM_BASE_ADDR_ALIGN});
  check(argument.byte % (bits / 8) == 0, Errc::value,
        "argument {}: the array begins {} bytes into its buffer, and {} takes multiples of {}; "
        "copy the array",
        number, argument.byte, context.device, bits / 8);
  cl_buffer_region region{argument.byte, argument.memory->bytes - argument.byte};
  const auto whole = reinterpret_cast<cl_mem>(argument.memory->handle);
  return Owned(
      api.clReleaseMemObject,
      make("clCreateSubBuffer", api.clCreateSubBuffer, whole, cl_mem_flags{0},
           cl_buffer_create_type{CL_BUFFER_CREATE_TYPE_REGION}, static_cast<const void*>(&region)));
}

/// A kernel does not hold what its arguments are: `parts` has to, until it is enqueued.
void set_argument(ClContext& context, ClKernel::Entry& entry, cl_uint index,
                  const CallArgument& argument, std::vector<Owned<cl_mem>>& parts) {
  const Api& api = context.api();
  const cl_kernel kernel = entry.kernel.get();
  if (!argument.memory && argument.local_bytes)
    return set_value(api, kernel, index, nullptr, argument.local_bytes);
  if (!argument.memory) {
    const void* const value = argument.value.data();
    const std::size_t bytes = argument.value.size();
    const cl_int status = isthmus::call(
        "clSetKernelArg", [&] { return api.clSetKernelArg(kernel, index, bytes, value); });
    check(status != CL_INVALID_ARG_SIZE, Errc::value,
          "argument {}: {} bytes are not what its type takes on {}", index + 1, bytes,
          context.device);
    if (status != CL_SUCCESS) fail_with("clSetKernelArg", status);
    return;
  }
  if (argument.memory->kind == MemoryKind::buffer && argument.byte) {
    parts.push_back(part_of(context, argument, index + 1));
    return set_buffer(api, kernel, index, parts.back().get());
  }
  set_memory(context, entry, index,
             reinterpret_cast<void*>(argument.memory->handle + argument.byte), *argument.memory);
}

template <class T>
T ask_group(const ClContext& context, cl_kernel kernel, cl_kernel_work_group_info what) {
  T answer{};
  invoke("clGetKernelWorkGroupInfo", context.api().clGetKernelWorkGroupInfo, kernel, context.on.id,
         what, sizeof answer, static_cast<void*>(&answer), nullptr);
  return answer;
}

Parameter parameter_of(const Api& api, cl_kernel kernel, cl_uint index) {
  const auto ask_argument = [&]<class T>(cl_kernel_arg_info what, T answer) {
    invoke("clGetKernelArgInfo", api.clGetKernelArgInfo, kernel, index, what, sizeof answer,
           static_cast<void*>(&answer), nullptr);
    return answer;
  };
  const auto text = [&](cl_kernel_arg_info what) {
    char bytes[1024] = {};
    std::size_t length = 0;
    invoke("clGetKernelArgInfo", api.clGetKernelArgInfo, kernel, index, what, sizeof bytes,
           static_cast<void*>(bytes), &length);
    return std::string(bytes);
  };
  Parameter parameter;
  parameter.type = text(CL_KERNEL_ARG_TYPE_NAME);
  parameter.name = text(CL_KERNEL_ARG_NAME);
  const auto where =
      ask_argument(CL_KERNEL_ARG_ADDRESS_QUALIFIER, cl_kernel_arg_address_qualifier{});
  const auto how = ask_argument(CL_KERNEL_ARG_TYPE_QUALIFIER, cl_kernel_arg_type_qualifier{});
  const bool is_constant = where == CL_KERNEL_ARG_ADDRESS_CONSTANT;
  if (where == CL_KERNEL_ARG_ADDRESS_GLOBAL || is_constant)
    parameter.kind = Parameter::Kind::memory;
  else if (where == CL_KERNEL_ARG_ADDRESS_LOCAL)
    parameter.kind = Parameter::Kind::local;
  parameter.is_read_only = is_constant || (how & CL_KERNEL_ARG_TYPE_CONST);
  return parameter;
}

}  // namespace

const std::vector<Parameter>& ClKernel::parameters(std::string_view name) {
  const std::lock_guard guard(lock);
  Entry& entry = find(name);
  if (entry.has_parameters) return entry.parameters;
  const Api& api = context_->api();
  const auto count = ask<cl_uint>("clGetKernelInfo", api.clGetKernelInfo, entry.kernel.get(),
                                  cl_kernel_info{CL_KERNEL_NUM_ARGS});
  std::vector<Parameter> found;
  for (cl_uint i = 0; i < count; ++i) found.push_back(parameter_of(api, entry.kernel.get(), i));
  entry.parameters = std::move(found);
  entry.has_parameters = true;
  return entry.parameters;
}

bool ClKernel::describes_parameters() {
  for (const Entry& entry : entries_) try {
      parameters(entry.name);
    } catch (const Error& error) {
      if (error.code() == Errc::launch) return false;
      throw;
    }
  return true;
}

KernelNeeds ClKernel::needs(std::string_view name) {
  const std::lock_guard guard(lock);
  Entry& entry = find(name);
  if (entry.needs) return *entry.needs;
  const cl_kernel kernel = entry.kernel.get();
  KernelNeeds needs;
  needs.largest_group = ask_group<std::size_t>(*context_, kernel, CL_KERNEL_WORK_GROUP_SIZE);
  needs.group_multiple =
      ask_group<std::size_t>(*context_, kernel, CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE);
  needs.local_bytes = ask_group<cl_ulong>(*context_, kernel, CL_KERNEL_LOCAL_MEM_SIZE);
  needs.private_bytes = ask_group<cl_ulong>(*context_, kernel, CL_KERNEL_PRIVATE_MEM_SIZE);
  needs.most_local_bytes = ask<cl_ulong>("clGetDeviceInfo", context_->api().clGetDeviceInfo,
                                         context_->on.id, cl_device_info{CL_DEVICE_LOCAL_MEM_SIZE});
  const auto required =
      ask_group<std::array<std::size_t, 3>>(*context_, kernel, CL_KERNEL_COMPILE_WORK_GROUP_SIZE);
  std::ranges::copy(required, needs.required_group);
  entry.needs = needs;
  return needs;
}

Ref<Event> call(ClQueue& queue, ClKernel& kernel, const KernelCall& call,
                std::span<const Ref<Event>> given) {
  std::vector<cl_event> waits = wait_list(queue, given);
  const bool is_alone = waits.empty() && queue.is_private.load();
  Handover handover(queue);
  for (const CallArgument& argument : call.arguments)
    if (argument.memory) handover.take(*argument.memory, waits);
  Commands commands(queue);
  std::vector<Owned<cl_mem>> parts;
  {
    const std::lock_guard lock(kernel.lock);
    ClKernel::Entry& entry = kernel.find(call.entry);
    kernel.bound.forget();
    if (!entry.was_svm.empty()) kernel.renew(entry);
    for (std::size_t i = 0; i < call.arguments.size(); ++i)
      set_argument(queue.cl(), entry, static_cast<cl_uint>(i), call.arguments[i], parts);
    cl_event event = nullptr;
    invoke_compiler("clEnqueueNDRangeKernel", queue.api().clEnqueueNDRangeKernel, queue.handle,
                    entry.kernel.get(), static_cast<cl_uint>(call.dimensions), nullptr, call.global,
                    call.local[0] ? call.local : nullptr, static_cast<cl_uint>(waits.size()),
                    waits.empty() ? nullptr : waits.data(), &event);
    commands.add(event);
  }
  commands.add_all(handover);
  return commands.end(is_alone);
}

}  // namespace isthmus::driver
