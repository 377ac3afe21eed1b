// node.h: Node, the operation that a storage may wait for.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>

#include "isthmus/base/error.h"
#include "isthmus/core/memory.h"
#include "isthmus/core/ops.h"
#include "isthmus/graph/storage.h"
#include "isthmus/graph/work/work.h"
#include "isthmus/hazards/hazards.h"

namespace isthmus::inline ISTHMUS_ABI {

using detail::Storage;

/// What a node reads: a storage seen through a layout, a number, or the position along an axis or,
/// where it has a layout, in that.
struct Operand {
  // Not defaulted: GCC would make all of it while compiling and copy it, unused parts too.
  Operand() {}  // NOLINT

  enum class Kind : std::uint8_t { none, storage, scalar, index };
  Kind kind = Kind::none;
  std::uint8_t axis = 0;  ///< Of `index`.
  Ref<Storage> storage;
  /// Broadcast to the node's loop; none: as the storage's own, or of `index` along the axis.
  std::optional<Layout> layout;
  Scalar scalar;
  Reader reader;  ///< Linked while the node is pending: to what the storage is made of.

  /// How the storage is seen.
  inline const Layout& seen() const;
};

/// The operands of a node, which never move: readers are linked to them.
class OperandList {
 public:
  OperandList() : first_(few_) {}
  OperandList(const OperandList&) = delete;

  Operand& operator[](std::size_t i) { return first_[i]; }
  const Operand& operator[](std::size_t i) const { return first_[i]; }
  /// Before any is set.
  void reserve(std::size_t count) {
    if (count <= std::size(few_)) return;
    more_ = std::make_unique<Operand[]>(count);
    first_ = more_.get();
  }

 private:
  Operand* first_;  ///< Asked for so often that a choice would show in small operations.
  Operand few_[3];
  std::unique_ptr<Operand[]> more_;  ///< Of users' functions and of concats.
};

/// One operation: what it does, and what it reads.
struct Node final {
  /// For one kind of work.
  template <class Kind>
    requires(!std::is_lvalue_reference_v<Kind>)
  explicit Node(Kind&& kind) : work(std::in_place_type<Kind>, std::move(kind)) {}
  ISTHMUS_EXPORT static void* operator new(std::size_t bytes);
  ISTHMUS_EXPORT static void operator delete(void* memory) noexcept;

  /// What a kind of work answers: `ask([](const auto& work) { return work.name(); })`.
  template <class F>
  decltype(auto) ask(F f) const {
    if (const auto* map = std::get_if<work::Map>(&work)) return f(*map);  // most: without a jump
    return std::visit(f, work);
  }
  bool is_concat() const { return std::holds_alternative<work::Concat>(work); }

  Work work;
  std::int32_t operand_count = 0;
  std::int32_t depth = 1;       ///< Longest chain of pending nodes that ends here.
  std::int64_t weight = 1;      ///< At least the pending nodes below, counted by paths.
  Ref<BackendContext> context;  ///< Where its memory will be; null: see queue_in.
  OperandList operands;
  Storage* storage = nullptr;  ///< Whose value this is.
  Node* consumer = nullptr;    ///< The newest pending node that reads it. Under graph_lock.
  Node* sibling = nullptr;     ///< The next result of its call, in a ring; null: it is alone.

  std::string trace;  ///< Where it was called, see set_trace_hook.

  // Scratch of the one planner that holds graph_lock.
  std::uint64_t visit = 0;
  std::int32_t group = -1;
  std::int32_t uses = 0;        ///< Operands that read it, in this plan.
  std::int32_t effects = 0;     ///< And copies of those that an effect keeps.
  std::int32_t candidate = -1;  ///< The group all consumers agree on, or -2 if they do not.
  bool is_early = false;        ///< Joins before the group's work along axes.
  std::uint16_t value = 0;      ///< In the tape being lowered.
  std::int32_t latest = -1;     ///< Of its consumers' groups the one that runs first.
  bool is_misread = false;      ///< In that group it cannot be: some consumer reads it otherwise.
  bool is_root = false;         ///< It was asked for.
  bool is_beside = false;       ///< It is in a group for the sake of others there: written out.
  bool is_failing = false;      ///< The error of its kernel is its own.

  bool is_of_effect = false;  ///< Its operands are held once more, by the effect that runs it.
};

/// Whether others than the operands of the plan that has counted them hold its value. Under
/// graph_lock.
inline bool is_held(const Node& node) {
  return static_cast<std::int32_t>(node.storage->references()) > node.uses + node.effects;
}

/// Whether it is of bools that may be other bytes than 0 and 1.
inline bool has_foreign_bools(const Storage& storage) {
  return storage.dtype.id == TypeId::bool_ && storage.is_ready() &&
         storage.memory()->has_any_bytes.load(std::memory_order_relaxed);
}

inline const Layout& Operand::seen() const { return layout ? *layout : storage->layout; }

/// A new pending storage for `node`, whose operands are set; links it to what it reads.
/// `depth` and `weight` follow from the operands. Throws value or out_of_memory for more elements
/// or bytes than 2^63-1.
struct PendingFacts {
  bool reads_shared = false;  ///< It reads memory that others can reach.
  bool is_full = false;       ///< Its graph is as deep or heavy as one may be: evaluate it now.
};
ISTHMUS_EXPORT Ref<Storage> make_pending(DType dtype, Device device, Layout&& layout,
                                         std::unique_ptr<Node> node, PendingFacts* facts = nullptr);
/// A part of a concat, at its place in the memory of that. Reads nothing until make_pending() links
/// it together with the concat, so that nobody finds it alone.
Ref<Storage> make_part(DType dtype, Device device, Layout&& place, std::unique_ptr<Node> node);

/// Makes pending storages the results of one call: one kernel writes all of them that are alive
/// and pending then. They have one shape, and none of them may be calculated from another.
ISTHMUS_EXPORT void link_results(std::span<Storage* const> results);

inline constexpr int max_depth = 192;    ///< A deeper graph is evaluated when it is made.
inline constexpr int max_weight = 4096;  ///< So is a heavier one.

/// Says where the user's program stands, for errors that come later; asked for every node while it
/// is set (ISTHMUS_TRACE=1).
using TraceHook = std::string (*)();
ISTHMUS_EXPORT void set_trace_hook(TraceHook hook);

/// The pending node that stands highest above `node` and that nobody needs it without: what to
/// evaluate so that `node` is fused. Of a part it is never below the concat. Needs graph_lock.
ISTHMUS_EXPORT Node* highest_consumer(Node* node);

/// Nodes that are pending or running now.
ISTHMUS_EXPORT std::int64_t live_nodes();

}  // namespace isthmus::inline ISTHMUS_ABI
