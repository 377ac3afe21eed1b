// kernel.cpp: text to cl_program, and its kernels.
#include "isthmus/opencl_driver/kernel.h"

#include "isthmus/base/error.h"

namespace isthmus::driver {

using detail::format;

namespace {

/// float32 division and square root that are rounded as on the host, where the device can. No
/// warnings, which speak of text that nobody wrote: PoCL's compiler counts them on standard error.
std::string options_for(const ClDevice& device) {
  const auto config =
      ask<cl_device_fp_config>("clGetDeviceInfo", device.platform.api.clGetDeviceInfo, device.id,
                               cl_device_info{CL_DEVICE_SINGLE_FP_CONFIG});
  return config & CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT ? "-w -cl-fp32-correctly-rounded-divide-sqrt"
                                                      : "-w";
}

std::string log_of(const ClContext& context, cl_program program) {
  std::size_t bytes = 0;
  const Api& api = context.api();
  api.clGetProgramBuildInfo(program, context.on.id, CL_PROGRAM_BUILD_LOG, 0, nullptr, &bytes);
  std::string log(bytes, '\0');
  api.clGetProgramBuildInfo(program, context.on.id, CL_PROGRAM_BUILD_LOG, bytes, log.data(),
                            nullptr);
  while (!log.empty() && log.back() == '\0') log.pop_back();
  return log;
}

/// A user's kernels say what arguments they take.
std::string options_for(const ClDevice& device, const KernelText& text) {
  return (text.is_users ? "-cl-kernel-arg-info" : options_for(device)) +
         (text.options.empty() ? "" : " " + text.options);
}

cl_int build(const ClContext& context, cl_program cl, const KernelText& text) {
  const std::string options = options_for(context.on, text);
  return call_compiler("clBuildProgram", [&] {
    return context.api().clBuildProgram(cl, 1, &context.on.id, options.c_str(), nullptr, nullptr);
  });
}

}  // namespace

ClKernel::ClKernel(Ref<ClContext> context, Owned<cl_program> program)
    : context_(std::move(context)), program_(std::move(program)) {
  const Api& api = context_->api();
  cl_uint count = 0;
  invoke("clCreateKernelsInProgram", api.clCreateKernelsInProgram, program_.get(), cl_uint{0},
         nullptr, &count);
  std::vector<cl_kernel> made(count);
  entries_.reserve(count);
  invoke("clCreateKernelsInProgram", api.clCreateKernelsInProgram, program_.get(), count,
         made.data(), nullptr);
  for (const cl_kernel kernel : made)
    entries_.push_back({{}, Owned(api.clReleaseKernel, kernel), {}, {}, {}});
  for (Entry& entry : entries_)
    entry.name = ask_text("clGetKernelInfo", api.clGetKernelInfo, entry.kernel.get(),
                          CL_KERNEL_FUNCTION_NAME);
}

std::string ClKernel::binary() const {
  const auto tell = [&](cl_program_info what, auto& answer) {
    invoke_compiler("clGetProgramInfo", context_->api().clGetProgramInfo, program_.get(), what,
                    sizeof answer, static_cast<void*>(&answer), nullptr);
  };
  std::size_t bytes = 0;
  tell(CL_PROGRAM_BINARY_SIZES, bytes);  // PoCL compiles to machine code here
  std::string binary(bytes, '\0');
  auto* place = reinterpret_cast<unsigned char*>(binary.data());
  tell(CL_PROGRAM_BINARIES, place);
  return binary + described();
}

ClKernel::Entry& ClKernel::find(std::string_view name) {
  // PoCL gives kernels that are called as a function of the language, like step, another name
  for (Entry& entry : entries_)
    if (entry.name == name || entry.name == format("_cl_{}", name)) return entry;
  std::string names;
  for (const Entry& entry : entries_) names += (names.empty() ? "" : ", ") + entry.name;
  fail(Errc::value, "the program has no kernel '{}'; it has {}", name,
       names.empty() ? "none" : names);
}

void ClKernel::renew(Entry& entry) {
  const Api& api = context_->api();
  entry.kernel.reset(
      make("clCreateKernel", api.clCreateKernel, program_.get(), entry.name.c_str()));
  entry.bound = {};
}

BuiltProgram build_program(const ClContext& context, const KernelText& text) {
  const Api& api = context.api();
  const char* const source = text.text.c_str();
  const std::size_t length = text.text.size();
  BuiltProgram built{
      Owned(api.clReleaseProgram,
            make("clCreateProgramWithSource", api.clCreateProgramWithSource, context.handle,
                 cl_uint{1}, const_cast<const char**>(&source), &length))};
  built.status = build(context, built.program.get(), text);
  return built;
}

Compiled compile(const Ref<ClContext>& context, const KernelText& text) {
  BuiltProgram built = build_program(*context, text);
  std::string log = log_of(*context, built.program.get());
  if (built.status != CL_SUCCESS)
    raise_error(
        Errc::compile,
        format("clBuildProgram: {} on {}\n{}", error_text(built.status), context->device, log),
        std::make_shared<const CompileDetails>(CompileDetails{{}, log, {}, {}}));
  auto kernel = make_ref<ClKernel>(context, std::move(built.program));
  if (text.is_users) kernel->find_parameters(text);
  return {std::move(kernel), std::move(log)};
}

Ref<Kernel> load(const Ref<ClContext>& context, const KernelText& text, std::string_view binary) {
  const Api& api = context->api();
  const DescribedBinary parts = text.is_users ? take_apart(binary) : DescribedBinary{binary, {}};
  const auto* bytes = reinterpret_cast<const unsigned char*>(parts.binary.data());
  const std::size_t length = parts.binary.size();
  cl_int loaded = CL_SUCCESS;
  Owned made(api.clReleaseProgram,
             make("clCreateProgramWithBinary", api.clCreateProgramWithBinary, context->handle,
                  cl_uint{1}, &context->on.id, &length, &bytes, &loaded));
  if (loaded != CL_SUCCESS || build(*context, made.get(), text) != CL_SUCCESS) return nullptr;
  auto kernel = make_ref<ClKernel>(context, std::move(made));
  if (text.is_users && !kernel->take_parameters(parts.parameters)) return nullptr;
  return kernel;
}

std::string cache_key(const ClDevice& device) {
  return format("{}\n{}\n{}\n{}", device.platform.version, device.info.name, device.info.driver,
                options_for(device));
}

}  // namespace isthmus::driver
