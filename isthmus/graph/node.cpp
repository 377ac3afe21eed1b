// node.cpp: how storages come, become ready and go.
#include "isthmus/graph/node.h"

#include "isthmus/base/free_list.h"
#include "isthmus/base/generation.h"

namespace isthmus::inline ISTHMUS_ABI {

static std::int64_t nodes = 0;  // under graph_lock

std::int64_t live_nodes() {
  std::lock_guard lock(graph_lock());
  return nodes;
}

[[gnu::hot]] void* Node::operator new(std::size_t) { return detail::FreeList<Node>::take(); }
[[gnu::hot]] void Node::operator delete(void* memory) noexcept {
  detail::FreeList<Node>::put(memory);
}
[[gnu::hot]] void* Storage::operator new(std::size_t) { return detail::FreeList<Storage>::take(); }
[[gnu::hot]] void Storage::operator delete(void* memory) noexcept {
  detail::FreeList<Storage>::put(memory);
}

[[gnu::hot]] Storage::Storage(DType type, Layout whole, Ref<BackendMemory> memory)
    : dtype(type),
      device(memory->device),
      layout(std::move(whole)),
      memory_(std::move(memory)),
      state_(State::ready) {}

[[gnu::hot]] Storage::Storage(DType dtype, Device device, Layout&& layout,
                              std::unique_ptr<Node> node)
    : dtype(dtype),
      device(device),
      layout(std::move(layout)),
      context(std::move(node->context)),
      node_(std::move(node)) {
  node_->storage = this;
}

// Inlined twice: what few operands cost is most of what a small operation costs.
/// Needs graph_lock.
[[gnu::always_inline]] static inline void unlink_operands(Node& node) {
  for (int i = 0; i < node.operand_count; ++i) {
    unlink(node.operands[i].reader);
    if (!node.operands[i].storage) continue;
    Node* below = node.operands[i].storage->node();
    if (below && below->consumer == &node) below->consumer = nullptr;
  }
}

/// A part must not be found, as a reader of what it reads, when its concat is gone. Needs
/// graph_lock.
[[gnu::noinline, gnu::cold]] static void unlink_parts(Node& concat) {
  for (int i = 0; i < concat.operand_count; ++i)
    if (Node* part = concat.operands[i].storage->node()) unlink_operands(*part);
}

/// Needs graph_lock.
[[gnu::cold]] static void leave_siblings(Node& node) {
  Node* before = &node;
  while (before->sibling != &node) before = before->sibling;
  before->sibling = node.sibling == before ? nullptr : node.sibling;
  node.sibling = nullptr;
}

void link_results(std::span<Storage* const> results) {
  const std::lock_guard lock(graph_lock());
  Node* known = nullptr;
  for (Storage* result : results) {
    if (result->state() != Storage::State::pending) continue;
    Node* const node = result->node();
    if (known) {
      node->sibling = known->sibling ? known->sibling : known;
      known->sibling = node;
    }
    known = node;
  }
}

/// Needs graph_lock.
[[gnu::always_inline]] static inline void unlink_all(Node& node) {
  if (node.sibling) leave_siblings(node);
  if (node.is_concat()) unlink_parts(node);
  unlink_operands(node);
  --nodes;
}

[[gnu::hot]] Storage::~Storage() {
  if (!node_) return;
  {
    std::lock_guard lock(graph_lock());
    unlink_all(*node_);
  }
  // The operands are dropped here, without the lock. A drop may go on to their operands, at most
  // as deep as the limit on a pending graph's depth.
  node_.reset();
}

[[gnu::hot]] void Storage::start() {
  generation_ = generation();
  state_.store(State::running, std::memory_order_release);
}

bool Storage::is_orphaned() const {
  return state() == State::running && generation_ != generation();
}

[[gnu::hot]] std::unique_ptr<Node> Storage::finish(Ref<BackendMemory> memory) {
  memory_ = std::move(memory);
  // who waited for the value reads memory from now on, and must be asked before that is written
  while (Reader* reader = readers) {
    unlink(*reader);
    link(*reader, reader->node, *memory_, *reader->seen, reader->bytes);
  }
  unlink_all(*node_);
  state_.store(State::ready, std::memory_order_release);
  return std::move(node_);
}

std::unique_ptr<Node> Storage::finish(std::shared_ptr<const Error> error) {
  error_ = std::move(error);
  unlink_all(*node_);
  state_.store(State::failed, std::memory_order_release);
  return std::move(node_);
}

[[gnu::hot]] void Storage::raise_if_failed() const {
  if (state() == State::failed) error_->raise();
}

static std::atomic<TraceHook> trace_hook{nullptr};

void set_trace_hook(TraceHook hook) { trace_hook.store(hook); }

static void check_size(DType dtype, const Layout& layout) {
  std::int64_t so_far = dtype.bytes();
  bool fits = layout.shape.size() <= max_dimensions;
  for (const std::int64_t extent : layout.shape)
    fits = fits && extent >= 0 && product_fits(so_far, extent, so_far);
  if (!fits) checked_bytes("result", {layout.shape.begin(), layout.shape.end()}, dtype.bytes());
}

/// Needs graph_lock.
[[gnu::always_inline]] static inline void link_operands(Node& node, PendingFacts* facts) {
  for (int i = 0; i < node.operand_count; ++i) {
    Operand& operand = node.operands[i];
    if (operand.kind != Operand::Kind::storage) continue;
    Storage& source = *operand.storage;
    const Layout& seen = operand.seen();
    if (source.is_ready()) {
      if (facts && source.memory()->is_shared()) facts->reads_shared = true;
      link(operand.reader, &node, *source.memory(), seen, source.dtype.bytes());
    } else if (Node* below = source.node()) {
      operand.reader.node = &node;
      operand.reader.seen = &seen, operand.reader.bytes = source.dtype.bytes();
      push(source.readers, operand.reader);
      below->consumer = &node;
      node.depth = std::max(node.depth, below->depth + 1);
      node.weight += below->weight;
    }
  }
}

/// Needs graph_lock.
static void link_parts(Node& concat, PendingFacts* facts) {
  for (int i = 0; i < concat.operand_count; ++i) {
    Node& part = *concat.operands[i].storage->node();
    part.trace = concat.trace;
    link_operands(part, facts);
  }
}

[[gnu::hot]] Ref<Storage> make_pending(DType dtype, Device device, Layout&& layout,
                                       std::unique_ptr<Node> made, PendingFacts* facts) {
  check_size(dtype, layout);
  Node& node = *made;
  if (const TraceHook hook = trace_hook.load(std::memory_order_relaxed)) node.trace = hook();
  auto storage = make_ref<Storage>(dtype, device, std::move(layout), std::move(made));
  std::lock_guard lock(graph_lock());
  ++nodes;
  if (node.is_concat()) link_parts(node, facts);
  link_operands(node, facts);
  // said under the lock: from here on another thread may find it as a reader and evaluate it
  if (facts) facts->is_full = node.depth > max_depth || node.weight > max_weight;
  return storage;
}

Ref<Storage> make_part(DType dtype, Device device, Layout&& place, std::unique_ptr<Node> node) {
  auto storage = make_ref<Storage>(dtype, device, std::move(place), std::move(node));
  std::lock_guard lock(graph_lock());
  ++nodes;
  return storage;
}

Node* highest_consumer(Node* node) {
  while (node->consumer && (node->consumer->is_concat() || node->storage->references() == 1))
    node = node->consumer;
  return node;
}

}  // namespace isthmus::inline ISTHMUS_ABI
