// source_kernel.h: kernels in SYCL's own language, compiled by libsycl-jit.
#pragma once

#include "isthmus/backend/sycl/objects.h"

namespace isthmus::sycl_usm {

/// A program as an executable kernel bundle. Any thread.
class SourceKernel final : public Kernel {
 public:
  using Bundle = sycl::kernel_bundle<sycl::bundle_state::executable>;
  explicit SourceKernel(Bundle bundle) : bundle(std::move(bundle)) {}
  const Bundle bundle;
};

/// Whether programs of this device are compiled from SYCL source: where there is no OpenCL below,
/// and everywhere if ISTHMUS_SYCL_KERNELS=source.
bool uses_source(const SyclDevice& device);

/// See Backend::compile; takes about a second.
Compiled compile_source(SyclContext& context, const KernelText& text);

/// See Backend::enqueue.
Ref<Event> enqueue_source(SyclQueue& queue, const SourceKernel& kernel,
                          std::span<const KernelCall> calls, std::span<const Ref<Event>> waits);
/// See Backend::copy, between memories that SYCL reaches.
Ref<Event> copy_by_sycl(SyclQueue& queue, BackendMemory& from, std::size_t from_byte,
                        BackendMemory& to, std::size_t to_byte, std::size_t bytes,
                        std::span<const Ref<Event>> waits);

}  // namespace isthmus::sycl_usm
