// kernel.h: programs built from text, and their launch.
#pragma once

#include <mutex>
#include <optional>
#include <typeinfo>

#include "isthmus/base/mutex.h"
#include "isthmus/codegen/emit.h"
#include "isthmus/opencl_driver/allocate.h"
#include "isthmus/opencl_driver/bound_arguments.h"

namespace isthmus::driver {

/// A built cl_program and its kernels by name. Any thread.
class ClKernel final : public Kernel {
 public:
  ClKernel(Ref<ClContext> context, Owned<cl_program> program);
  std::string binary() const override;
  const std::vector<Parameter>& parameters(std::string_view entry) override;
  KernelNeeds needs(std::string_view entry) override;
  /// Held from setting a kernel's arguments to enqueueing it.
  Mutex lock;
  BoundArguments bound;

  struct Entry {
    std::string name;
    Owned<cl_kernel> kernel;
    /// Per argument: it was a pointer of SVM once, where not any address is one.
    SmallVector<bool, 8> was_svm;
    bool has_parameters = false;
    std::vector<Parameter> parameters;  ///< Of a user's program, once they were asked for.
    std::optional<KernelNeeds> needs;   ///< The same.
  };
  /// Whether the driver says what kernels take: not every one does of a binary.
  bool describes_parameters();
  Entry& find(std::string_view name);
  /// As if no argument were bound: NVIDIA's driver takes no buffer any more for an argument
  /// that was a pointer of SVM (CL_INVALID_KERNEL_ARGS, driver 580).
  void renew(Entry& entry);

 private:
  const Ref<ClContext> context_;
  const Owned<cl_program> program_;
  std::vector<Entry> entries_;
};

/// Whether it is a ClKernel: asked at each launch, where a dynamic_cast would show.
inline bool is_cl_kernel(const Kernel* kernel) {
  return kernel && typeid(*kernel) == typeid(ClKernel);
}

/// What kernels of a device are printed and launched by.
Traits traits_of(const ClDevice& device);

std::string text_of(const ClContext& context, const Program& program);
/// Builds the text of a program. Throws compile, with the text and the driver's log.
Ref<Kernel> compile(const Ref<ClContext>& context, const Program& program);
/// A kernel of binary(); null if the driver does not take it.
Ref<Kernel> load(const Ref<ClContext>& context, const Program& program, std::string_view binary);
/// What a binary depends on.
std::string cache_key(const ClDevice& device);

/// See the functions of Backend.
Ref<Event> launch(ClQueue& queue, ClKernel& kernel, const Program& program, const Launch& launch,
                  std::span<const Ref<Event>> waits);
Ref<Event> call(ClQueue& queue, ClKernel& kernel, const KernelCall& call,
                std::span<const Ref<Event>> waits);
Ref<Event> copy(ClQueue& queue, BackendMemory& from, std::size_t from_byte, BackendMemory& to,
                std::size_t to_byte, std::size_t bytes, std::span<const Ref<Event>> waits);

}  // namespace isthmus::driver
