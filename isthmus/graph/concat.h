// concat.h: a pending value made of parts, each calculated into its place in one memory.
#pragma once

#include <span>

#include "isthmus/graph/node.h"

namespace isthmus::inline ISTHMUS_ABI {

/// What becomes a part of a concat, cast to its dtype, and where in its memory.
struct Part {
  Part() {}  // NOLINT: see Operand

  Operand source;  ///< Of kind storage.
  Layout place;    ///< With the source's shape as it is seen.
};

/// A new pending storage of at least one part, laid out as `layout`. Each part is a node of its
/// own, which casts and copies, so that its kernel takes in what the source waits for. Its storage
/// has the layout of its place and gets the memory of the whole, so it is never evaluated without
/// it: see highest_consumer(). Throws as make_pending() does.
ISTHMUS_EXPORT Ref<Storage> make_concat(DType dtype, Device device, Layout&& layout,
                                        const Ref<BackendContext>& context, std::span<Part> parts,
                                        PendingFacts* facts = nullptr);

/// More parts than this are a full graph.
inline constexpr std::size_t max_parts = max_weight / 2;

/// The concat that a pending node is a part of; null for others. Needs graph_lock.
inline Node* concat_of(const Node& node) {
  return node.consumer && node.consumer->is_concat() ? node.consumer : nullptr;
}

/// Calls f with each operand that a pending node reads, of a concat with those that its pending
/// parts read. Needs graph_lock.
template <class F>
void for_each_read(Node& node, F f) {
  for (int i = 0; i < node.operand_count; ++i) {
    Operand& operand = node.operands[i];
    if (!node.is_concat())
      f(operand);
    else if (Node* part = operand.storage->node())
      f(part->operands[0]);
  }
}

}  // namespace isthmus::inline ISTHMUS_ABI
