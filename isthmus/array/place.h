// place.h: in which context of a device a result will lie.
#pragma once

#include <string_view>

#include "isthmus/graph/node.h"

namespace isthmus {

/// The context of the node's operands, or for none that of this thread's current queue; null on the
/// host. Throws device_mismatch, naming both, for operands of two contexts.
Ref<Context> context_for(std::string_view who, const Device& device, const Node& node);

/// The same error for what is written into another memory.
void check_same_context(std::string_view who, const Storage& target, const Storage& source);

}  // namespace isthmus
