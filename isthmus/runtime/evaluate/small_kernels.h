// small_kernels.h: a few small operations as kernels that the host runs without a plan.
#pragma once

#include <algorithm>
#include <span>

#include "isthmus/graph/node.h"
#include "isthmus/hazards/hazards.h"
#include "isthmus/runtime/observe/records.h"

namespace isthmus::inline ISTHMUS_ABI {

/// The work, if it is a row that is done alone; else null.
inline const work::Map* map_of(const Node& node) { return std::get_if<work::Map>(&node.work); }

/// Whether the operand is there, for the host alone, in that context. Needs graph_lock.
[[gnu::hot]] inline bool has_value(const Operand& operand, const Ref<BackendContext>& context) {
  if (operand.kind != Operand::Kind::storage || !operand.storage->is_ready()) return false;
  BackendMemory& memory = *operand.storage->memory();
  return operand.storage->dtype.is_builtin() && memory.host && memory.context == context &&
         !has_foreign_bools(*operand.storage) && is_free(memory);
}

/// Deeper or heavier graphs are worth a plan. A graph has no more nodes than its weight.
constexpr std::int32_t deepest = 8;
constexpr std::int64_t heaviest = 16;

/// Kernels without a plan, of nodes that stand on each other and on values that are there,
/// producers first. A kernel is rows, reads and users' functions of one shape.
class Kernels {
 public:
  using Rows = std::span<Node* const>;

  explicit Kernels(const Ref<BackendContext>& context) : context(context) {}
  void add(Node* node) { nodes_[nodes_count_++] = node; }
  /// What is added from now on is of another kernel.
  void end_one() { ends_[count_++] = nodes_count_; }
  void clear() { nodes_count_ = count_ = 0; }
  std::size_t size() const { return count_; }
  Rows operator[](std::size_t k) const {
    const std::size_t begin = begin_of(k);
    return {nodes_ + begin, ends_[k] - begin};
  }
  Rows nodes() const { return {nodes_, nodes_count_}; }
  bool holds(const Node* node) const { return std::ranges::find(nodes(), node) != nodes().end(); }
  /// Whether it is in a kernel that has ended.
  bool has_ended(const Node* node) const {
    const Rows ended = nodes().first(begin_of(count_));
    return std::ranges::find(ended, node) != ended.end();
  }

  const Ref<BackendContext>& context;  ///< Of all that they read and write; null: the host's.

 private:
  std::size_t begin_of(std::size_t k) const { return k ? ends_[k - 1] : std::size_t{0}; }

  std::size_t nodes_count_ = 0, count_ = 0;
  std::size_t ends_[heaviest];
  Node* nodes_[heaviest];
};
using Rows = Kernels::Rows;

/// About how many simple operations a kernel does for each element.
std::int64_t steps_of(Rows kernel);
/// Whether nothing that it reads is pending, and its result may be in that context. Needs
/// graph_lock.
bool stands_alone(const Node& node, const Ref<BackendContext>& context);
/// Adds what a value is calculated of without a plan; nothing if it is to have one. Needs
/// graph_lock.
void find_kernels(Node& node, Kernels& kernels);

/// The operation as one row to dense elements at `to`, if its operands lie as its result does and
/// need no cast.
bool run_row(const Node& node, const work::Map& work, void* to, std::int64_t count);
/// A kernel on its operands' memory; its last node's element (0, ..., 0) lies at `to`. The nodes
/// are running, so that nobody else touches them. Returns the steps it took, where a function of a
/// user is one.
std::int64_t run_program(Rows kernel, char* to, const Dims& strides);
Names names_of(Rows kernel);

}  // namespace isthmus::inline ISTHMUS_ABI
