// place.h: in which context of a device a result will lie.
#pragma once

#include <optional>
#include <string_view>

#include "isthmus/array/apply.h"
#include "isthmus/array/array.h"
#include "isthmus/runtime/submit/queues.h"

namespace isthmus::inline ISTHMUS_ABI {

/// The context of the node's operands, or for none that of this thread's current queue; null on the
/// host. Throws device_mismatch, naming both, for operands of two contexts.
Ref<BackendContext> context_for(std::string_view who, const Device& device, const Node& node);

/// The same for operands that are not in a node yet.
Ref<BackendContext> context_for(std::string_view who, const Device& device,
                                std::span<const Value> operands);

/// The same for what is made of at least one array.
Ref<BackendContext> context_for(std::string_view who, const Device& device,
                                std::span<const Array> arrays);

/// The same error for what is written into another memory.
void check_same_context(std::string_view who, const Storage& target, const Storage& source);

/// Whether one operation may work on both storages, which are of one device.
bool has_same_context(const Storage& target, const Storage& source);

/// The context that the memory of an array is or will be of; null on the host.
ISTHMUS_EXPORT Ref<BackendContext> context_of(const Array& x);

/// Whether it is of a context, and not in memory that all contexts reach as it is.
ISTHMUS_EXPORT bool has_context(const Array& x);
/// The array, which is on the device of `near`; copied to its context, if that is a user's, where
/// all contexts reach the memory as it is: what is calculated of that would be of the default one.
ISTHMUS_EXPORT Array in_context_of(const Array& near, Array x);

/// While it lives, what this thread makes on the array's device is of the array's context.
class ISTHMUS_EXPORT InContextOf {
 public:
  explicit InContextOf(const Array& x);
  /// Of the context of several, of which each may lie in memory that all contexts reach. Throws as
  /// context_for does; does nothing for arrays on two devices, of which the operation speaks.
  InContextOf(std::string_view who, std::span<const Array> arrays);

 private:
  std::optional<OnQueue> meanwhile_;
};

}  // namespace isthmus::inline ISTHMUS_ABI
