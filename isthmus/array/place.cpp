// place.cpp: contexts are compared when an operation is called, not when it runs.
#include "isthmus/array/place.h"

#include "isthmus/runtime/queues.h"
#include "isthmus/runtime/registry.h"

namespace isthmus {

namespace {

Ref<Context> default_context(const Device& device) {
  return backend(device).default_context(device.index());
}

/// Null for plain host memory, which all contexts reach that can be asked to.
Ref<Context> context_of(const Storage& storage) {
  if (storage.is_ready()) return storage.memory()->context;
  return storage.context ? storage.context : default_context(storage.device);
}

void check_same(std::string_view who, const Ref<Context>& a, const Ref<Context>& b) {
  check(!a || !b || a->space == b->space, Errc::device_mismatch,
        "{}: operands are of {} and of {}; make them in one context (`with isthmus.Queue(...):`), "
        "or copy one through the host with to_device(\"cpu\")",
        who, a ? a->name : "", b ? b->name : "");
}

}  // namespace

Ref<Context> context_for(std::string_view who, const Device& device, const Node& node) {
  if (device.is_host()) return nullptr;
  Ref<Context> found;
  for (int i = 0; i < node.operand_count; ++i) {
    if (node.operands[i].kind != Operand::Kind::storage) continue;
    Ref<Context> own = context_of(*node.operands[i].storage);
    check_same(who, found, own);
    if (!found) found = std::move(own);
  }
  if (!found) found = current_queue(device)->context;
  return found == default_context(device) ? nullptr : found;
}

void check_same_context(std::string_view who, const Storage& target, const Storage& source) {
  if (!target.device.is_host()) check_same(who, context_of(target), context_of(source));
}

}  // namespace isthmus
