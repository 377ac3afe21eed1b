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
  /// Whether the driver says what kernels take: not every one does of a binary.
  bool describes_parameters();
  Entry& find(std::string_view name);
  /// Takes a new cl_kernel, of which no argument is bound.
  void renew(Entry& entry);

 private:
  const Ref<ClContext> context_;
  const Owned<cl_program> program_;
  std::vector<Entry> entries_;
};

/// Whether it is a ClKernel: asked at each launch, where a dynamic_cast would show.
inline bool is_cl_kernel(const Kernel& kernel) { return typeid(kernel) == typeid(ClKernel); }

/// See the functions of Backend.
Compiled compile(const Ref<ClContext>& context, const KernelText& text);
Ref<Kernel> load(const Ref<ClContext>& context, const KernelText& text, std::string_view binary);
std::string cache_key(const ClDevice& device);
Ref<Event> enqueue(ClQueue& queue, ClKernel& kernel, std::span<const KernelCall> calls,
                   std::span<const Ref<Event>> waits);
Ref<Event> copy(ClQueue& queue, BackendMemory& from, std::size_t from_byte, BackendMemory& to,
                std::size_t to_byte, std::size_t bytes, std::span<const Ref<Event>> waits);

}  // namespace isthmus::driver
