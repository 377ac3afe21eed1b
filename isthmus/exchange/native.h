// native.h: queues and memory of SYCL, OpenCL and CUDA programs, adopted and lent, without Python.
#pragma once

#include <memory>
#include <optional>

#include "isthmus/array/array.h"
#include "isthmus/runtime/submit/queue.h"

namespace isthmus::inline ISTHMUS_ABI {

/// A queue of the caller's own: the address of a sycl::queue for "sycl", a cl_command_queue for
/// "opencl". Retained. In order or not, what is enqueued on it before a call of ours comes before
/// our work in it, and what is enqueued after comes after. Throws ExchangeError for what is no
/// queue, as far as can be seen, and for one of a device that is not listed,
/// BackendUnavailableError for what names no backend that is there, "opencl:0" among it.
ISTHMUS_EXPORT Queue adopt_queue(std::string_view backend, const void* native);

/// A context of the caller's own, likewise: the address of a sycl::context, or a cl_context.
ISTHMUS_EXPORT Context adopt_context(std::string_view backend, const void* native);

/// Memory of the caller's own.
struct NativeMemory {
  /// Needed. Where the caller puts work on it; its context is the memory's.
  std::optional<Queue> queue = {};
  void* handle = nullptr;           ///< A USM or SVM pointer, or a cl_mem.
  bool is_buffer = false;           ///< `handle` is a cl_mem.
  bool is_svm = false;              ///< An SVM pointer, of which drivers cannot be asked.
  std::optional<DType> dtype = {};  ///< Needed. Of the elements.
  /// `offset` counts elements from `handle`. Not set: an array without axes, the one element there.
  Layout layout = {};
  bool is_read_only = false;  ///< Whether writes to it are refused.
  /// Kept until the last array drops the memory; null: the memory is the caller's.
  std::shared_ptr<void> owner = {};
};
/// An array over it, no copy, on the queue's device. Throws ExchangeError, naming the field, for
/// memory of another context or a layout that leaves it.
ISTHMUS_EXPORT Array from_native(const NativeMemory& memory);

/// An array's memory in the hands of a program with a queue of its own: what it enqueues there
/// comes after our work on the memory, and, from the end of the lease on, our work after that.
/// Nobody waits. Throws what evaluating the array throws, and DeviceMismatchError for a queue of a
/// context from which the memory cannot be reached.
class ISTHMUS_EXPORT Lease {
 public:
  /// Begins the lease for work on that queue.
  [[nodiscard("it ends with the statement: give it a name")]] Lease(const Array& array,
                                                                    const Queue& queue);
  /// Takes the lease over.
  Lease(Lease&& other) noexcept;
  /// Ends the lease.
  ~Lease();

  /// A USM or SVM pointer to the beginning of the memory, or a cl_mem.
  void* handle() const&;
  /// Whether handle() is a cl_mem.
  bool is_buffer() const;
  /// Who can reach it. SVM is `shared`, of a device whose info().kinds has no `device`.
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
