// kernel.h: programs built from text, and their kernels on a queue.
#pragma once

#include <mutex>
#include <optional>
#include <typeinfo>

#include "isthmus/base/mutex.h"
#include "isthmus/opencl_driver/allocate.h"
#include "isthmus/opencl_driver/bound_arguments.h"

namespace isthmus::driver {

/// A built cl_program and its kernels by name. Any thread.
class ClKernel final : public Kernel {
 public:
  ClKernel(Ref<ClContext> context, Owned<cl_program> program);
  /// Behind the driver's there is what the parameters are, once somebody has asked for them.
  std::string binary() const override;
  const std::vector<Parameter>& parameters(std::string_view entry) override;
  KernelNeeds needs(std::string_view entry) override;
  /// Held from setting a kernel's arguments to enqueueing it.
  Mutex lock;

  struct Entry {
    std::string name;
    Owned<cl_kernel> kernel;
    BoundArguments bound;
    std::optional<std::vector<Parameter>> parameters;  ///< Once they were asked for.
    std::optional<KernelNeeds> needs;                  ///< The same.
  };
  /// Asks the driver for the parameters of all kernels. Not every one says them of a binary.
  void find_parameters(const KernelText& text);
  /// Takes them from what stands behind a binary; false if that is not there or does not fit.
  bool take_parameters(std::string_view described);
  Entry& find(std::string_view name);
  /// Takes a new cl_kernel, of which no argument is bound.
  void renew(Entry& entry);

 private:
  std::string described() const;
  void find_sizes(const KernelText& text);

  const Ref<ClContext> context_;
  const Owned<cl_program> program_;
  std::vector<Entry> entries_;
};

/// Whether it is a ClKernel: asked at each launch, where a dynamic_cast would show.
inline bool is_cl_kernel(const Kernel& kernel) { return typeid(kernel) == typeid(ClKernel); }

/// A binary, and what stands behind it of parameters.
struct DescribedBinary {
  std::string_view binary, parameters;
};
DescribedBinary take_apart(std::string_view binary);

/// The program of a text, and what clBuildProgram said.
struct BuiltProgram {
  Owned<cl_program> program;
  cl_int status = CL_SUCCESS;
};
BuiltProgram build_program(const ClContext& context, const KernelText& text);

/// See the functions of Backend.
Compiled compile(const Ref<ClContext>& context, const KernelText& text);
Ref<Kernel> load(const Ref<ClContext>& context, const KernelText& text, std::string_view binary);
std::string cache_key(const ClDevice& device);
Ref<Event> enqueue(ClQueue& queue, ClKernel& kernel, std::span<const KernelCall> calls,
                   std::span<const Ref<Event>> waits);
Ref<Event> copy(ClQueue& queue, BackendMemory& from, std::size_t from_byte, BackendMemory& to,
                std::size_t to_byte, std::size_t bytes, std::span<const Ref<Event>> waits);

}  // namespace isthmus::driver
