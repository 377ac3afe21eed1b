// native.h: exchange of queues and memory with SYCL, OpenCL and CUDA programs, without Python.
#pragma once

#include <memory>
#include <optional>

#include "isthmus/array/array.h"
#include "isthmus/runtime/submit/queue.h"

namespace isthmus::inline ISTHMUS_ABI {

/// Adopts a queue of the caller: the address of a sycl::queue for "sycl", a cl_command_queue for
/// "opencl". Retained. Whether or not the queue is in order, work enqueued on it before a call runs
/// before the call's work, and work enqueued afterwards runs after it. Throws ExchangeError for a
/// handle that is not a queue, as far as this can be detected, and for a queue of a device that is
/// not listed, BackendUnavailableError for a name that is not an available backend, such as
/// "opencl:0".
ISTHMUS_EXPORT Queue adopt_queue(std::string_view backend, const void* native);

/// Adopts a context of the caller, likewise: the address of a sycl::context, or a cl_context.
ISTHMUS_EXPORT Context adopt_context(std::string_view backend, const void* native);

/// Memory of the caller.
struct NativeMemory {
  /// Required. The queue on which the caller works on it; its context is that of the memory.
  std::optional<Queue> queue = {};
  void* handle = nullptr;           ///< A USM or SVM pointer, or a cl_mem.
  bool is_buffer = false;           ///< `handle` is a cl_mem.
  bool is_svm = false;              ///< An SVM pointer, which drivers cannot be queried for.
  std::optional<DType> dtype = {};  ///< Required. Of the elements.
  /// `offset` counts elements from `handle`. By default, an array without axes, of the element
  /// there.
  Layout layout = {};
  bool is_read_only = false;  ///< Whether writes to it are refused.
  /// Kept alive until the last array releases the memory; null: the caller owns the memory.
  std::shared_ptr<void> owner = {};
};
/// An array over this memory, without a copy, on the device of the queue. Throws ExchangeError,
/// naming the field, for memory of another context or a layout that exceeds the memory.
ISTHMUS_EXPORT Array from_native(const NativeMemory& memory);

/// Lends the memory of an array to a program with its own queue: work that the program enqueues
/// there runs after our work on the memory, and, from the end of the lease on, our work runs after
/// that. Nobody waits. Throws what evaluating the array throws, and DeviceMismatchError for a queue
/// of a context that cannot access the memory.
class ISTHMUS_EXPORT Lease {
 public:
  /// Begins the lease for work on that queue.
  [[nodiscard("it ends with the statement: give it a name")]] Lease(const Array& array,
                                                                    const Queue& queue);
  /// Takes over the lease.
  Lease(Lease&& other) noexcept;
  /// Ends the lease.
  ~Lease();

  /// A USM or SVM pointer to the beginning of the memory, or a cl_mem.
  void* handle() const&;
  /// Whether handle() is a cl_mem.
  bool is_buffer() const;
  /// Who can access it. SVM is `shared`, on a device whose info().kinds has no `device`.
  MemoryKind kind() const;
  /// Of the first element; strides are in elements.
  std::int64_t byte_offset() const { return array_.layout().offset * array_.dtype().bytes(); }
  /// @{
  /// Of the array; its offset counts elements from handle().
  const Layout& layout() const& { return array_.layout(); }
  LayoutOf layout() const&& { return LayoutOf(array_.layout()); }
  /// @}
  /// Does not compile: the lease ends with the object.
  template <class T = void*>
  T handle() const&& {
    static_assert(
        detail::never<T>,
        "the lease ends with the object, and a temporary is gone at once: give it a name");
    return nullptr;
  }

 private:
  Array array_;
  std::optional<Queue> queue_;  // none: moved
};

}  // namespace isthmus::inline ISTHMUS_ABI
