// partition.cpp: where fusion stops.
#include "isthmus/graph/partition.h"

#include <algorithm>

namespace isthmus::inline ISTHMUS_ABI {

namespace {

constexpr int undecided = -1, conflict = -2;

std::uint64_t visits = 0;  // guarded by graph_lock

/// Pending nodes below the roots, producers first; or those that run elsewhere.
void collect(std::span<Storage* const> roots, SmallVector<Node*, 16>& order,
             std::vector<Storage*>& running) {
  struct Frame {
    Node* node;
    int next;
  };
  const std::uint64_t visit = ++visits;
  SmallVector<Frame, 16> stack;
  const auto enter = [&](Storage* storage) {
    switch (storage->state()) {
      case Storage::State::running: running.push_back(storage); return;
      case Storage::State::pending: break;
      default: return;
    }
    Node* node = storage->node();
    if (node->visit == visit) return;
    node->visit = visit;
    node->group = undecided, node->candidate = undecided, node->uses = 0, node->effects = 0,
    node->is_early = false;
    stack.push_back({node, 0});
  };
  for (Storage* root : roots) {
    enter(root);
    while (!stack.empty()) {
      Frame& top = stack.back();
      if (top.next == top.node->operand_count) {
        order.push_back(top.node);
        stack.pop_back();
        continue;
      }
      const Operand& operand = top.node->operands[top.next++];
      if (operand.kind == Operand::Kind::storage) enter(operand.storage.get());
    }
  }
}

const UserFunction* user_of(const Node& node) {
  return node.ask([](const auto& work) { return work.user(); });
}

bool is_along(const Node& node) {
  return node.ask([](const auto& work) { return work.along() != nullptr; });
}

/// Whether a kernel of `group` can hold the user's function.
bool has_room_for(const UserFunction& function, const Group& group) {
  return std::ranges::all_of(group.nodes, [&](const Node* node) {
    const UserFunction* other = user_of(*node);
    return !other || other->preamble == function.preamble;
  });
}

struct Partitioner {
  Plan& plan;

  void stop(Stop reason) { ++plan.stops[static_cast<int>(reason)]; }

  /// Whether a kernel could still take this node in, given what its consumers agreed on.
  bool may_join(const Node& node, const Group& group) {
    const work::Seat seat{group.along != nullptr, node.is_early};
    const auto refusal = node.ask([&](const auto& work) { return work.refusal(seat); });
    if (refusal) return stop(*refusal), false;
    if (group.steps + 2 > max_steps ||
        group.operands + std::max(2, node.operand_count - 1) > max_operands)
      return stop(Stop::full), false;
    const UserFunction* function = user_of(node);
    if (function && !has_room_for(*function, group)) return stop(Stop::text), false;
    // an early value has no place to be written; opaque records are copied by kernels of one output
    const bool is_record = !node.storage->dtype.is_builtin();
    const auto lets_out = [](const auto& work) { return work.allows_other_outputs(); };
    if (is_held(node) && (node.is_early || is_record || !group.nodes[0]->ask(lets_out)))
      return stop(Stop::held), false;
    return true;
  }

  void place(Node* node) {
    if (node->candidate >= 0 && may_join(*node, plan.groups[node->candidate])) {
      node->group = node->candidate;
      plan.groups[node->group].operands -= node->uses;  // from now on values of the kernel
    } else {
      node->group = static_cast<int>(plan.groups.size());
      node->is_early = false;
      plan.groups.emplace_back();
    }
    Group& group = plan.groups[node->group];
    group.nodes.push_back(node);
    group.steps += 2;  // the operation, and a cast it may need
    if (is_along(*node)) group.along = node;
    if (node->is_concat()) return part(*node);
    for (int i = 0; i < node->operand_count; ++i) {
      count(group, node->operands[i]);
      offer(*node, node->operands[i],
            node->ask([i](const auto& work) { return work.reads_anywhere(i); }));
    }
  }

  /// Lets parts have kernels of their own.
  static void part(const Node& concat) {
    for (int i = 0; i < concat.operand_count; ++i)
      if (Node* node = concat.operands[i].storage->node())
        node->uses = 1, node->candidate = conflict;
  }

  /// Counts a memory that the kernel reads, once; or a use of a value that may yet join it.
  static void count(Group& group, const Operand& operand) {
    if (operand.kind != Operand::Kind::storage) return;
    if (operand.storage->state() == Storage::State::pending) {
      ++group.operands;
      return;
    }
    for (const Operand* known : group.reads)
      if (known->storage == operand.storage && known->layout == operand.layout) return;
    group.reads.push_back(&operand);
    ++group.operands;
  }

  /// Lets a producer know where this consumer would have it.
  void offer(const Node& consumer, const Operand& operand, bool is_base) {
    if (operand.kind != Operand::Kind::storage) return;
    Storage& storage = *operand.storage;
    if (storage.state() != Storage::State::pending) return;
    Node& producer = *storage.node();
    ++producer.uses;
    producer.effects += consumer.is_of_effect;
    const bool is_early = consumer.is_early || is_along(consumer);
    int wanted = consumer.group;
    if (is_base) {
      stop(Stop::position);
      wanted = conflict;
    } else if (operand.layout && *operand.layout != storage.layout) {
      const bool is_stretched = operand.layout->count() != storage.layout.count();
      stop(is_stretched ? Stop::broadcast : Stop::view);
      wanted = conflict;
    }
    if (producer.candidate == undecided) {
      producer.candidate = wanted;
      producer.is_early = is_early;
    } else if (producer.candidate != wanted || producer.is_early != is_early) {
      if (producer.candidate != conflict && wanted != conflict) stop(Stop::shared);
      producer.candidate = conflict;
    }
  }
};

}  // namespace

Plan make_plan(std::span<Storage* const> roots) {
  Plan plan;
  SmallVector<Node*, 16> order;
  collect(roots, order, plan.running);
  if (!plan.running.empty()) return plan;
  Partitioner partitioner{plan};
  // Consumers before producers, so that all who want a value have spoken when it is placed. A
  // group only takes in values that nobody outside it needs first, so no two wait for each other.
  for (std::size_t i = order.size(); i-- > 0;) partitioner.place(order[i]);
  std::reverse(plan.groups.begin(), plan.groups.end());
  for (std::size_t g = 0; g < plan.groups.size(); ++g) {
    auto& nodes = plan.groups[g].nodes;
    std::reverse(nodes.begin(), nodes.end());
    for (Node* node : nodes) node->group = static_cast<int>(g);
  }
  plan.visit = visits;
  return plan;
}

std::string_view to_string(Stop stop) {
  constexpr std::string_view names[] = {"view",     "broadcast", "shared", "reduction", "held",
                                        "position", "text",      "concat", "full"};
  const auto number = static_cast<std::size_t>(stop);
  check(number < std::size(names), Errc::value, "to_string: {} is no Stop", number);
  return names[number];
}

std::string_view reason(Stop stop) {
  constexpr std::string_view reasons[] = {
      "it is read through a view, so its elements are needed in another order",
      "it is smaller than the loop, and would be calculated again and again",
      "consumers in different kernels need it",
      "the kernel has a reduction already, or it stands on its wrong side",
      "an array holds it, and this kernel could not write it out as well",
      "it is read at any position, so all of it is needed first",
      "another text of a user stands before the kernel",
      "it is joined of parts, each of which is a kernel",
      "the kernel has as many operations or operands as one may have",
  };
  static_assert(std::size(reasons) == static_cast<std::size_t>(Stop::count_));
  const auto number = static_cast<std::size_t>(stop);
  check(number < std::size(reasons), Errc::value, "reason: {} is no Stop", number);
  return reasons[number];
}

}  // namespace isthmus::inline ISTHMUS_ABI
