// partition.cpp: where fusion stops.
#include "isthmus/graph/partition.h"

#include <algorithm>

#include "isthmus/graph/same_order.h"

namespace isthmus::inline ISTHMUS_ABI {

namespace {

constexpr int undecided = -1, conflict = -2;
constexpr int of_its_own = -1, nowhere = -2;

std::uint64_t visits = 0;  // guarded by graph_lock

const UserFunction* user_of(const Node& node) {
  return node.ask([](const auto& work) { return work.user(); });
}

const work::Axes* axes_of(const Node& node) {
  return node.ask([](const auto& work) { return work.along(); });
}

bool allows_others_beside(const Node& node) {
  return node.ask([](const auto& work) { return work.allows_others_beside(); });
}

/// Whether one kernel may do both works, along the same axes of the same elements.
bool go_together(const Node& a, const Node& b) {
  const Operand &x = a.operands[0], &y = b.operands[0];
  return allows_others_beside(a) && allows_others_beside(b) && x.storage == y.storage &&
         *axes_of(a) == *axes_of(b) && x.seen() == y.seen();
}

/// Of what a reduction reads, so many other readers are looked at.
constexpr int most_readers = 16;

/// Calls f with others that may well come from the node's kernel, until it says true; whether it
/// did. They are results of the same call, and reductions of the same elements.
template <class F>
bool any_related(const Node& node, F f) {
  for (Node* other = node.sibling; other && other != &node; other = other->sibling)
    if (f(*other)) return true;
  if (!allows_others_beside(node)) return false;
  Storage& read = *node.operands[0].storage;
  Reader* reader = read.is_ready() ? read.memory()->activity().readers : read.readers;
  for (int i = 0; reader && i < most_readers; ++i, reader = reader->next)
    if (reader->node != &node && go_together(*reader->node, node) && f(*reader->node)) return true;
  return false;
}

/// Another one that may come from the node's kernel, is alive and pending, and is not in the plan
/// yet; none if there are so many in it that a kernel may not hold more.
Storage* hold_related(const Node& node, std::uint64_t visit, std::vector<Ref<Storage>>& held) {
  Storage* found = nullptr;
  int known = 1;
  any_related(node, [&](const Node& other) { return known += other.visit == visit, false; });
  if (known >= max_together) return nullptr;
  any_related(node, [&](Node& other) {
    Storage* const storage = other.storage;
    if (other.visit == visit || storage->state() != Storage::State::pending) return false;
    held.emplace_back();  // first, since a reference may be the last one now
    if (storage->try_hold())
      held.back() = Ref<Storage>::take(found = storage);
    else
      held.pop_back();
    return found != nullptr;
  });
  return found;
}

/// Pending nodes below the roots, producers first; or those that run elsewhere. Right behind a node
/// come other results of its call, behind what only they need: their order is that of placing, so
/// that each finds out where the others are wanted.
void collect(std::span<Storage* const> roots, SmallVector<Node*, 16>& order,
             std::vector<Storage*>& running, std::vector<Ref<Storage>>& held) {
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
    node->group = undecided, node->candidate = undecided, node->uses = 0, node->effects = 0;
    node->latest = -1, node->is_early = false, node->is_misread = false, node->is_root = false;
    node->is_beside = false;
    stack.push_back({node, 0});
  };
  for (Storage* root : roots) {
    enter(root);
    if (root->state() == Storage::State::pending) root->node()->is_root = true;
    while (!stack.empty()) {
      Frame& top = stack.back();
      if (top.next == top.node->operand_count) {
        Node* const node = top.node;
        order.push_back(node);
        stack.pop_back();
        if (Storage* other = hold_related(*node, visit, held)) enter(other);
        continue;
      }
      const Operand& operand = top.node->operands[top.next++];
      if (operand.kind == Operand::Kind::storage) enter(operand.storage.get());
    }
  }
}

bool is_along(const Node& node) { return axes_of(node) != nullptr; }

/// Whether one kernel can know both: names and dtypes of different structs are different.
bool go_together(const UserStruct& a, const UserStruct& b) {
  return a == b || (a.name != b.name && a.dtype != b.dtype);
}

/// Whether a kernel of `group` can hold the user's function.
bool has_room_for(const UserFunction& function, const Group& group) {
  std::vector<const UserStruct*> structs;
  const auto add = [&](const UserFunction& one) {
    for (const UserStruct& its : one.structs) {
      bool is_known = false;
      for (const UserStruct* known : structs) {
        if (!go_together(*known, its)) return false;
        is_known |= *known == its;
      }
      if (!is_known) structs.push_back(&its);
    }
    return structs.size() <= most_structs;
  };
  return add(function) && std::ranges::all_of(group.nodes, [&](const Node* node) {
           const UserFunction* other = user_of(*node);
           if (!other) return true;
           const bool may_disturb = (function.is_alone || other->is_alone) && other != &function;
           return !may_disturb && other->preamble == function.preamble && add(*other);
         });
}

/// Whether it moves structs, and knows nothing of what they are.
bool moves_structs(const Node& node) { return !node.storage->dtype.is_builtin() && !user_of(node); }

/// Whether the node and others of the group would have to do with each other's structs.
bool mixes_structs(const Node& node, const Group& group) {
  const bool moves = moves_structs(node), is_users = user_of(node) != nullptr;
  return std::ranges::any_of(group.nodes, [&](const Node* other) {
    return (moves && user_of(*other)) || (is_users && moves_structs(*other));
  });
}

/// The compiler's, of the user's function that it calls.
const std::string* options_of(const Node& node) {
  const UserFunction* const function = user_of(node);
  return function && !function->options.empty() ? &function->options : nullptr;
}

bool is_whole(DType dtype) {
  return dtype.family == Family::boolean || dtype.family == Family::integer ||
         dtype.family == Family::natural;
}

/// Whether it gives the same with any options of a compiler: it is a copy, or of whole numbers.
bool is_left_by_options(const Node& node) {
  const auto* const map = std::get_if<work::Map>(&node.work);
  if (!map || is_random(map->op)) return false;
  const DType result = node.storage->dtype;
  const Operand& first = node.operands[0];
  const bool is_converted = result.family == Family::real && result.bits == 16;
  if (map->op == Op::astype && first.kind == Operand::Kind::storage && !is_converted &&
      first.storage->dtype == result)
    return true;
  for (int i = 0; i < node.operand_count; ++i) {
    const Operand& operand = node.operands[i];
    if (operand.kind == Operand::Kind::scalar && !is_whole(operand.scalar.dtype)) return false;
    if (operand.kind == Operand::Kind::storage && !is_whole(operand.storage->dtype)) return false;
  }
  return is_whole(result) && is_whole(map->type);
}

/// Whether one of the node and the group would be calculated with options that it does not have.
bool mixes_options(const Node& node, const Group& group) {
  const std::string* const its = options_of(node);
  if ((!its && !group.options) || is_left_by_options(node)) return false;
  return std::ranges::any_of(group.nodes, [&](const Node* other) {
    const std::string* const others = options_of(*other);
    const bool is_same = its == others || (its && others && *its == *others);
    return !is_same && !is_left_by_options(*other);
  });
}

/// The loop in which a node of the group is calculated.
const Dims& loop_of(const Group& group, bool is_early) {
  return is_early ? group.along->operands[0].seen().shape : *group.shape;
}

/// Whether a node, and its place in memory if it is written, can be seen in a loop.
bool fits(const Node& node, const Dims& loop, bool is_written) {
  Layout place;
  return fits_loop(node, loop) &&
         (!is_written || try_reshape(node.storage->layout, {loop.begin(), loop.end()}, place));
}

/// Whether all nodes that stand behind work along axes can be calculated in the loop of its
/// results. What an effect writes lies in memory that only the effect knows.
bool fits_behind(const Group& group, const Node& along) {
  const Dims& loop = along.storage->layout.shape;
  return !group.nodes[0]->is_of_effect && std::ranges::all_of(group.nodes, [&](const Node* node) {
    return fits(*node, loop, node == group.nodes[0] || node->is_beside || is_held(*node));
  });
}

struct Partitioner {
  Plan& plan;

  void stop(Stop reason) { ++plan.stops[static_cast<int>(reason)]; }

  /// Why a kernel cannot take this node in any more. Beside others it is written out in any case.
  static std::optional<Stop> refusal(const Node& node, const Group& group, bool is_beside) {
    const bool is_early = node.is_early && !is_beside;
    const bool has_other =
        group.along && (group.along_count == max_together || !go_together(node, *group.along));
    const work::Seat seat{has_other, is_early};
    const auto refusal = node.ask([&](const auto& work) { return work.refusal(seat); });
    if (refusal) return refusal;
    if (group.steps + 2 > max_steps ||
        group.operands + std::max(2, node.operand_count - 1) > max_operands)
      return Stop::full;
    const UserFunction* function = user_of(node);
    if (function && !has_room_for(*function, group)) return Stop::text;
    if (mixes_options(node, group)) return Stop::text;
    const bool is_moved = moves_structs(node);
    if ((is_moved || function) && mixes_structs(node, group)) return Stop::structs;
    // an early value has no place to be written; opaque records are copied by kernels of one output
    const auto lets_out = [](const auto& work) { return work.allows_other_outputs(); };
    if ((is_held(node) || is_beside) && (is_early || is_moved || !group.nodes[0]->ask(lets_out)))
      return Stop::held;
    const Dims& loop = loop_of(group, is_early);
    if (node.storage->layout.shape != loop) {
      const bool is_fit =
          is_along(node) ? fits_behind(group, node) : fits(node, loop, is_beside || is_held(node));
      if (!is_fit) return Stop::view;
    }
    return std::nullopt;
  }

  /// Whether a kernel could still take this node in, given what its consumers agreed on.
  bool may_join(const Node& node, const Group& group) {
    const auto why = refusal(node, group, false);
    if (why) stop(*why);
    return !why;
  }

  /// Where a node is, or will be, as far as its consumers have spoken.
  int home_of(const Node& node) const {
    if (node.group >= 0) return node.group;
    const bool joins =
        node.candidate >= 0 && !refusal(node, plan.groups[node.candidate], false).has_value();
    return joins ? node.candidate : of_its_own;
  }

  /// Whether a kernel other than its consumers' can write out what they need in time.
  bool may_stand_beside(const Node& node, int group) const {
    const bool is_in_time = group > node.latest || (group == node.latest && !node.is_misread);
    return is_in_time && !refusal(node, plan.groups[group], true);
  }

  /// The group where another result of the node's call stands, or of_its_own; `nowhere` if nobody
  /// needs the node in this plan and it would be a kernel more.
  int group_beside_others(const Node& node) const {
    int found = node.is_root || node.uses > 0 ? of_its_own : nowhere;
    any_related(node, [&](const Node& other) {
      const bool is_in = other.group >= 0 || other.is_root || other.uses > 0;
      if (other.visit != node.visit || !is_in) return false;
      const int group = home_of(other);
      if (group == of_its_own)
        found = of_its_own;  // for both
      else if (!other.is_early && may_stand_beside(node, group))
        return found = group, true;
      return false;
    });
    return found;
  }

  /// Finds or makes the node's group; false if it stays out of the plan.
  bool enter_group(Node* node) {
    if (node->candidate >= 0 && may_join(*node, plan.groups[node->candidate])) {
      node->group = node->candidate;
      plan.groups[node->group].operands -= node->uses;  // from now on values of the kernel
      return true;
    }
    node->is_early = false;
    const int beside = group_beside_others(*node);
    if (beside == nowhere) return node->visit = 0, false;
    node->is_beside = beside != of_its_own;
    node->group = node->is_beside ? beside : static_cast<int>(plan.groups.size());
    if (!node->is_beside) plan.groups.emplace_back().shape = &node->storage->layout.shape;
    return true;
  }

  void place(Node* node) {
    if (!enter_group(node)) return;
    Group& group = plan.groups[node->group];
    group.nodes.push_back(node);
    group.steps += 2;  // the operation, and a cast it may need
    if (const std::string* const options = options_of(*node)) group.options = options;
    if (is_along(*node)) {
      group.along = node, ++group.along_count;
      group.shape = &node->storage->layout.shape;
    }
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
    if (wanted > producer.latest) producer.latest = wanted, producer.is_misread = false;
    if (is_base) {
      stop(Stop::position);
      wanted = conflict;
    } else if (operand.layout && *operand.layout != storage.layout &&
               !is_same_order(storage.layout, *operand.layout)) {
      const bool is_stretched = operand.layout->count() != storage.layout.count();
      stop(is_stretched ? Stop::broadcast : Stop::view);
      wanted = conflict;
    }
    if (consumer.group == producer.latest) producer.is_misread |= wanted == conflict || is_early;
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

Plan make_plan(std::span<Storage* const> roots, std::vector<Ref<Storage>>& held) {
  Plan plan;
  SmallVector<Node*, 16> order;
  collect(roots, order, plan.running, held);
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
  constexpr std::string_view names[] = {"view",     "broadcast", "shared",  "reduction", "held",
                                        "position", "text",      "structs", "concat",    "full"};
  const auto number = static_cast<std::size_t>(stop);
  check(number < std::size(names), Errc::value, "to_string: {} is not a Stop", number);
  return names[number];
}

std::string_view reason(Stop stop) {
  constexpr std::string_view reasons[] = {
      "it is read in another order, or in a shape that it cannot be calculated in",
      "it is smaller than the loop, and would be calculated again and again",
      "consumers in different kernels need it",
      "the kernel has a reduction already, or it stands on its wrong side",
      "an array holds it, and this kernel could not write it out as well",
      "it is read at any position, so all of it is needed first",
      "another text of a user stands before the kernel, or it has other options of the compiler",
      "structs are moved by a kernel that does nothing else",
      "it is joined of parts, each of which is a kernel",
      "the kernel has as many operations or operands as one may have",
  };
  static_assert(std::size(reasons) == static_cast<std::size_t>(Stop::count_));
  const auto number = static_cast<std::size_t>(stop);
  check(number < std::size(reasons), Errc::value, "reason: {} is not a Stop", number);
  return reasons[number];
}

}  // namespace isthmus::inline ISTHMUS_ABI
