// storage.h: Storage, shared by an array and its views. Programs see it only in the class Array.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "isthmus/base/error.h"
#include "isthmus/base/ref.h"
#include "isthmus/core/device.h"
#include "isthmus/core/dtype.h"
#include "isthmus/core/layout.h"

namespace isthmus::inline ISTHMUS_ABI {

class BackendContext;
class BackendMemory;
struct Node;
struct Reader;

namespace detail {

/// The data shared by an array and all its views: a pending Node at first, then a Memory for good.
class ISTHMUS_EXPORT Storage final : public Counted<Storage> {
 public:
  enum class State : std::uint8_t { pending, running, ready, failed };

  /// Ready: `whole` is the layout of all of it in `memory`.
  Storage(DType type, Layout whole, Ref<BackendMemory> memory);
  /// Pending: a dense layout for the future memory, in the context of the node.
  Storage(DType dtype, Device device, Layout&& layout, std::unique_ptr<Node> node);
  ~Storage();
  static void* operator new(std::size_t bytes);
  static void operator delete(void* memory) noexcept;

  State state() const { return state_.load(std::memory_order_acquire); }
  bool is_ready() const { return state() == State::ready; }
  /// Hides Counted::drop: the last reference to a ready storage goes without an atomic operation,
  /// because no node refers to it any more, from which another thread could hold it.
  void drop() noexcept {
    if (is_ready() && references() == 1) return delete this;
    Counted::drop();
  }
  /// Only when ready.
  const Ref<BackendMemory>& memory() const { return memory_; }
  /// Only when pending or running, under graph_lock.
  Node* node() const { return node_.get(); }

  const DType dtype;
  const Device device;
  const Layout layout;
  /// The context for its memory, while it was pending; null: the device's default context.
  const Ref<BackendContext> context;

  Reader* readers = nullptr;     ///< Operands of pending nodes that wait for it. Under graph_lock.
  void* first_object = nullptr;  ///< The Python binding's: its first Array of this storage.

  // For the evaluator, under graph_lock. The node is returned, to be dropped without the lock.
  void start();
  [[nodiscard]] std::unique_ptr<Node> finish(Ref<BackendMemory> memory);
  [[nodiscard]] std::unique_ptr<Node> finish(std::shared_ptr<const Error> error);
  void restart() { state_.store(State::pending, std::memory_order_release); }
  /// Whether it never stops running: a thread of the parent process, not of this one, runs it.
  bool is_orphaned() const;
  /// Throws the error of a failed storage.
  void raise_if_failed() const;

 private:
  Ref<BackendMemory> memory_;
  std::unique_ptr<Node> node_;
  std::shared_ptr<const Error> error_;
  std::atomic<State> state_{State::pending};
  std::uint32_t generation_ = 0;  ///< When it was started.
};

}  // namespace detail
}  // namespace isthmus::inline ISTHMUS_ABI
