// host_mapping.h: a view of device memory for the host that stays valid while kernels run on it.
#pragma once

#include "isthmus/array/array_class.h"

namespace isthmus::inline ISTHMUS_ABI {

class MappedBytes;

/// A copy on the host of an array that the host does not reach, kept in step with it. Elements that
/// the host has changed are copied to the device before each operation of ours on the memory. The
/// copy is refreshed after the operation, which is waited for. Its addresses do not change, unlike
/// those of a driver's maps. Operations of other libraries on the memory are not seen.
class ISTHMUS_EXPORT HostMapping {
 public:
  /// Evaluates the array and waits for it. `is_writable`: whether changes of the host are copied to
  /// the device. Throws what the driver throws.
  HostMapping(const Array& array, bool is_writable);
  HostMapping(const HostMapping&) = delete;
  /// As end(), without errors.
  ~HostMapping();

  /// The copy, with the array's shape and strides.
  const Array& host() const { return host_; }
  /// Copies the last changes of the host to the device, and detaches the copy. Waits. Throws what
  /// the driver throws. Does nothing the second time.
  void end();

 private:
  void detach() noexcept;

  Array array_, host_;
  detail::Ref<MappedBytes> bytes_;  ///< Null once it has ended.
};

}  // namespace isthmus::inline ISTHMUS_ABI
