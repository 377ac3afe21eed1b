// parameters.cpp: what kernels of users' programs take.
#include <algorithm>
#include <array>
#include <vector>

#include "isthmus/base/error.h"
#include "isthmus/opencl_driver/kernel.h"

namespace isthmus::driver {

namespace {

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
  if (entry.parameters) return *entry.parameters;
  const Api& api = context_->api();
  const auto count = ask<cl_uint>("clGetKernelInfo", api.clGetKernelInfo, entry.kernel.get(),
                                  cl_kernel_info{CL_KERNEL_NUM_ARGS});
  std::vector<Parameter> found;
  for (cl_uint i = 0; i < count; ++i) found.push_back(parameter_of(api, entry.kernel.get(), i));
  return entry.parameters.emplace(std::move(found));
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
  needs.most_local_bytes = context_->on.traits.local_bytes;
  const auto required =
      ask_group<std::array<std::size_t, 3>>(*context_, kernel, CL_KERNEL_COMPILE_WORK_GROUP_SIZE);
  std::ranges::copy(required, needs.required_group);
  entry.needs = needs;
  return needs;
}

}  // namespace isthmus::driver
