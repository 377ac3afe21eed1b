// host_mapping.h: what the host sees of memory that it does not reach, while work on it goes on.
#pragma once

#include "isthmus/array/array_class.h"

namespace isthmus::inline ISTHMUS_ABI {

class MappedBytes;

/// A copy on the host of an array on a device, as OpenCL's maps are where devices have memory of
/// their own. What the host has written there is copied to the device before each work of ours on
/// the memory, and the copy is made anew when that has ended, which is waited for: addresses stay,
/// where those of a driver's maps may change. Work of others meanwhile is not known of.
class ISTHMUS_EXPORT HostMapping {
 public:
  /// Evaluates the array and waits for it. `is_written`: whether the host writes there, else the
  /// device never gets what it wrote. Throws what the driver throws.
  HostMapping(const Array& array, bool is_written);
  HostMapping(const HostMapping&) = delete;
  /// Ends it; an error is left to who uses the array next.
  ~HostMapping();

  /// The copy, of the array's shape and strides.
  const Array& host() const { return host_; }
  /// Copies what was written to the device, and no more from then on. Waits. Throws what the
  /// driver throws. Nothing if it has ended.
  void end();

 private:
  void leave() noexcept;

  Array array_, host_;
  Ref<MappedBytes> bytes_;  ///< Null once it has ended.
};

}  // namespace isthmus::inline ISTHMUS_ABI
