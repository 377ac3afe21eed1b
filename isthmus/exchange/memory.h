// memory.h: untyped memory, as a value.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "isthmus/array/array.h"
#include "isthmus/runtime/submit/queue.h"

namespace isthmus::inline ISTHMUS_ABI {

/// The properties of new memory. By default it is of the device's default kind, aligned to 64
/// bytes, in the context of this thread's current queue.
struct MemoryWanted {
  std::optional<MemoryKind> kind = {};  ///< One of Device::info().kinds.
  std::size_t alignment = 64;           ///< In bytes, a power of two.
  /// The queue on which others work on it: our operations and the work on this queue are ordered.
  std::optional<Queue> queue = {};
};

/// Bytes at an address of a device: new, or those of an array. A value; copies refer to the same
/// memory. Its allocator frees it when the last copy and the last array of it are gone and all our
/// work on it has ended. Any thread.
class ISTHMUS_EXPORT Memory {
 public:
  /// New memory with undefined contents, from the device's pool. Throws ValueError for 0 bytes or
  /// another alignment, OutOfMemoryError.
  explicit Memory(std::size_t nbytes, const Device& device = default_device(),
                  const MemoryWanted& wanted = {});
  /// The whole allocation of an array; for adopted memory, the part that is known. Evaluates the
  /// array.
  explicit Memory(const Array& array);

  /// Number of bytes.
  std::size_t nbytes() const { return static_cast<std::size_t>(bytes_.size()); }
  /// Its device.
  Device device() const { return bytes_.device(); }
  /// Who can access it.
  MemoryKind kind() const;
  /// The context in which its address is valid.
  Context context() const;
  /// The queue that it was created or imported with, otherwise this thread's current queue on the
  /// device.
  Queue queue() const;
  /// The address of the first byte, or a cl_mem if kind() is buffer: borrowed, and valid where
  /// addresses of the context are valid. Work of the program on it is not ordered with our work;
  /// Lease and to_span provide that.
  void* handle() const&;
  /// The bytes from begin to end: a view. Throws IndexError if they are out of range.
  Memory operator()(std::size_t begin, std::size_t end) const;
  /// Does not compile: the memory may end with the object.
  template <class T = void*>
  T handle() const&& {
    static_assert(
        detail::never<T>,
        "the memory may end with the object, and a temporary is gone at once: give it a name");
    return nullptr;
  }
  /// @{
  /// The bytes as an array of uint8: a view.
  const Array& bytes() const& { return bytes_; }
  Array bytes() const&& { return bytes_; }
  /// @}

  /// Copies all bytes to the beginning of `target`. Waits for work on the memory and for the copy.
  /// Throws ValueError if `target` is too small.
  void copy_to_host(std::span<std::byte> target) const;
  /// Copies `source` to the first bytes. Waits for the copy. Throws ValueError if `source` is too
  /// large.
  void copy_from_host(std::span<const std::byte> source) const;
  /// Copies all bytes of `source` to the first bytes, between any devices. Waits for the copy.
  /// Throws ValueError if `source` is too large.
  void copy_from_device(const Memory& source) const;
  /// Sets all bytes. Waits.
  void memset(std::uint8_t value = 0) const;

 private:
  struct FromBytes {};
  Memory(FromBytes, Array bytes) : bytes_(std::move(bytes)) {}
  friend ISTHMUS_EXPORT Memory as_memory(const Array& array);

  Array bytes_;
};

/// The bytes that the elements of an array span, from the first to the last: a view.
ISTHMUS_EXPORT Memory as_memory(const Array& array);

/// An array over the bytes of a memory: a view. `strides`, and `offset` from the first byte, are in
/// elements; without strides the array is row-major. Throws ExchangeError if an element is outside
/// the memory or misaligned, ValueError for strides that do not match the shape.
ISTHMUS_EXPORT Array from_memory(const Memory& memory, const Shape& shape, DType dtype,
                                 const std::optional<Dims>& strides = {}, std::int64_t offset = 0);
/// The same with the dtype as a C++ type.
template <Element T>
Array from_memory(const Memory& memory, const Shape& shape, const std::optional<Dims>& strides = {},
                  std::int64_t offset = 0) {
  return from_memory(memory, shape, dtype_of_type<T>(), strides, offset);
}

}  // namespace isthmus::inline ISTHMUS_ABI
