// bound_arguments.h: the arguments that a cl_kernel has, so that a like call sets few.
#pragma once

#include <vector>

#include "isthmus/opencl_driver/objects.h"

namespace isthmus::driver {

/// Programs repeat themselves: the same expression on arrays of the same shapes, often in the same
/// blocks of the pool. Of a small launch, setting all arguments takes a fifth of the time. Used
/// under ClKernel::lock.
class BoundArguments {
 public:
  /// Whether a kernel that has had these arguments can be given those of the call. NVIDIA's driver
  /// takes no buffer any more for an argument that was a pointer of SVM (CL_INVALID_KERNEL_ARGS,
  /// driver 580): a new cl_kernel does.
  bool can_become(std::span<const CallArgument> arguments) const;

  /// Sets what the kernel has not. It does not hold what its arguments are: `parts` of buffers have
  /// to stay until it is enqueued. Throws value, naming the argument, for what it does not take.
  void set(const ClContext& context, cl_kernel kernel, std::span<const CallArgument> arguments,
           std::vector<Owned<cl_mem>>& parts);

 private:
  /// One argument; nothing while a call that sets it may fail, since what it leaves is not known.
  struct Bound {
    const void* pointer = nullptr;  ///< An address, or the handle of a buffer.
    std::vector<std::byte> value;
    std::size_t local_bytes = 0;
    bool was_svm = false;  ///< Once, on a device where not any address is a pointer of SVM.
  };
  std::vector<Bound> bound_;
  std::uint64_t releases_ = 0;  ///< A pointer means what it did until memory is given back.
};

}  // namespace isthmus::driver
