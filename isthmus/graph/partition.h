// partition.h: pending nodes into as few kernels as the reasons to stop allow.
#pragma once

#include <span>

#include "isthmus/base/small_vector.h"
#include "isthmus/graph/node.h"
#include "isthmus/graph/stop.h"

namespace isthmus::inline ISTHMUS_ABI {

/// Nodes that become one kernel, producers first; the last one founded it and is written out, as is
/// every one that somebody outside the plan holds or that stands beside another result of its call.
/// With work along axes, `nodes[i]->is_early` are its producers; then comes `along` itself, or
/// several reductions of the same elements; the others are the epilogue. A concat is a group of its
/// own without a kernel, behind those of its parts, each of which founds one. Nodes of another
/// shape than the loop's have their elements in the same order.
struct Group {
  Group() {}  // NOLINT: see Node

  SmallVector<Node*, 8> nodes;
  Node* along = nullptr;        ///< One that works along axes.
  int along_count = 0;          ///< How many do.
  const Dims* shape = nullptr;  ///< Of the loop, or of the epilogue's: of what it writes.
  int steps = 0;
  const std::string* options = nullptr;  ///< The compiler's, of users' functions in it; null: none.
  int operands = 0;                      ///< Memories that it reads, and pending values so far.
  SmallVector<const Operand*, 8> reads;  ///< The memories among them.
};

/// Kernels in an order in which they can run.
struct Plan {
  Plan() {}  // NOLINT: see Node

  SmallVector<Group, 1> groups;
  std::vector<Storage*> running;  ///< Storages that another thread calculates now: wait for them.
  std::uint64_t visit = 0;        ///< Node::visit of all nodes in the plan.
  std::int64_t stops[static_cast<int>(Stop::count_)] = {};
};

/// Plans the evaluation of pending roots, and of other results of the calls that gave them, where
/// a kernel can write these out as well. Needs graph_lock until the groups are lowered. If
/// `running` is not empty there are no groups: wait, then plan again. `held` keeps the other
/// results alive; it is to be dropped without the lock.
ISTHMUS_EXPORT Plan make_plan(std::span<Storage* const> roots, std::vector<Ref<Storage>>& held);

inline constexpr int max_steps = 96;     ///< Of one kernel.
inline constexpr int max_operands = 24;  ///< Memories that one kernel reads.
/// Results of a call that one kernel makes, and reductions of the same elements: teams of
/// work-items share all values of these in local memory.
inline constexpr int max_together = 4;

}  // namespace isthmus::inline ISTHMUS_ABI
