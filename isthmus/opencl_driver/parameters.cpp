// parameters.cpp: what kernels of users' programs take.
#include <algorithm>
#include <array>
#include <charconv>
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

/// Whether every driver knows the size of a type: float4, unsigned int, but no struct.
bool is_of_the_language(std::string_view type) {
  if (type.starts_with("image") || type.starts_with("sampler")) return true;
  for (const std::string_view sign : {"unsigned ", "signed ", "u"})
    if (type.starts_with(sign)) type.remove_prefix(sign.size());
  type = type.substr(0, type.find_last_not_of("0123456789") + 1);
  constexpr std::string_view names[] = {"char",  "short", "int",    "long",
                                        "float", "half",  "double", "bool"};
  return std::ranges::find(names, type) != std::end(names);
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

void ClKernel::find_parameters(const KernelText& text) {
  for (const Entry& entry : entries_) parameters(entry.name);
  find_sizes(text);
}

/// What PoCL does not check, and others refuse without the size that is wanted: builds the text
/// once more, with a kernel for each struct that wants groups as large as it is, a number that the
/// driver says without a launch.
void ClKernel::find_sizes(const KernelText& text) {
  std::vector<Parameter*> structs;
  KernelText asking = text;
  asking.text += '\n';  // the text may end in a comment with a backslash
  const auto name_of = [](std::size_t k) { return detail::format("isthmus_size_{}", k); };
  for (Entry& entry : entries_)
    for (Parameter& parameter : *entry.parameters) {
      if (parameter.kind != Parameter::Kind::value || is_of_the_language(parameter.type)) continue;
      asking.text += detail::format(  // NVIDIA's compiler refuses kernels without work
          "\n__kernel __attribute__((reqd_work_group_size(sizeof({}), 1, 1))) "
          "void {}(__global char* x) {{ x[0] = 0; }}",
          parameter.type, name_of(structs.size()));
      structs.push_back(&parameter);
    }
  if (structs.empty()) return;
  BuiltProgram built = build_program(*context_, asking);
  if (built.status != CL_SUCCESS) return;  // a type without a size, which the driver has to check
  const Api& api = context_->api();
  for (std::size_t k = 0; k < structs.size(); ++k) {
    const Owned kernel(api.clReleaseKernel, make("clCreateKernel", api.clCreateKernel,
                                                 built.program.get(), name_of(k).c_str()));
    structs[k]->bytes = ask_group<std::array<std::size_t, 3>>(*context_, kernel.get(),
                                                              CL_KERNEL_COMPILE_WORK_GROUP_SIZE)[0];
  }
}

// A kernel is a line of its name, one for each parameter, and an empty one. Behind all of them is
// their length, and a word that says so.

static constexpr std::string_view end_of_parameters = "\nparameters\n";

std::string ClKernel::described() const {
  std::string text;
  for (const Entry& entry : entries_) {
    if (!entry.parameters) return {};
    text.append(entry.name).append("\n");
    for (const Parameter& parameter : *entry.parameters) {
      text += static_cast<char>('0' + static_cast<int>(parameter.kind));
      text += parameter.is_read_only ? '1' : '0';
      text += detail::format("{}\t{}\t{}\n", parameter.bytes, parameter.type, parameter.name);
    }
    text += "\n";
  }
  return text.append(detail::format("{}", text.size())).append(end_of_parameters);
}

DescribedBinary take_apart(std::string_view binary) {
  if (!binary.ends_with(end_of_parameters)) return {binary, {}};
  const std::string_view front = binary.substr(0, binary.size() - end_of_parameters.size());
  const std::size_t digits = front.size() - 1 - front.find_last_not_of("0123456789");
  const std::size_t end = front.size() - digits;
  std::size_t length = 0;
  std::from_chars(front.data() + end, front.data() + front.size(), length);
  if (length > end) return {binary, {}};
  return {binary.substr(0, end - length), binary.substr(end - length, length)};
}

bool ClKernel::take_parameters(std::string_view described) {
  const auto next_line = [&] {
    const std::size_t end = std::min(described.find('\n'), described.size());
    const std::string_view line = described.substr(0, end);
    described.remove_prefix(std::min(end + 1, described.size()));
    return line;
  };
  const std::lock_guard guard(lock);
  for (std::size_t k = 0; k < entries_.size(); ++k) {
    const std::string_view name = next_line();
    const auto is_named = [&](const Entry& entry) { return entry.name == name; };
    const auto entry = std::ranges::find_if(entries_, is_named);
    if (entry == entries_.end()) return false;
    std::vector<Parameter> found;
    for (std::string_view line = next_line(); !line.empty(); line = next_line()) {
      const std::size_t first = line.find('\t'), tab = line.rfind('\t');
      if (first == line.npos || first < 3 || tab == first) return false;
      Parameter parameter;
      parameter.kind = static_cast<Parameter::Kind>(line[0] - '0');
      parameter.is_read_only = line[1] == '1';
      const char* const digits = line.data() + 2;
      if (std::from_chars(digits, line.data() + first, parameter.bytes).ec != std::errc())
        return false;
      parameter.type = line.substr(first + 1, tab - first - 1);
      parameter.name = line.substr(tab + 1);
      found.push_back(std::move(parameter));
    }
    entry->parameters.emplace(std::move(found));
  }
  return described.empty();
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
