// blocks.h: `with` blocks: what one sets holds inside it, and in tasks that began inside it, and
// ends with it.
#pragma once

#include <nanobind/nanobind.h>

#include <atomic>
#include <vector>

namespace isthmus::python {

/// The open blocks of one kind. Which of them holds here is asked of a context variable, so that
/// threads and tasks keep apart; whether it still holds, of the block itself: a task that copied
/// its context inside a block, or a generator that left blocks in another order, sees its end.
/// Entering and leaving run no Python code, so that no signal's handler can come in between. All
/// needs the GIL.
class Blocks {
 public:
  /// A static; `name` is that of the context variable.
  explicit Blocks(const char* name) : name_(name) {}
  /// Makes the context variable.
  void init();

  void enter(nanobind::handle owner);
  /// Ends the innermost block that `owner` entered here, else the last that it entered anywhere.
  /// Throws value if there is none.
  void leave(nanobind::handle owner);

  /// Who entered the innermost open block here for whom `is_wanted(owner)`; null if there is none.
  template <class F>
  PyObject* find(F is_wanted) const {
    if (!any()) return nullptr;
    for (const Block* block = top(); block; block = block->outer)
      if (block->is_open && is_wanted(block->owner)) return block->owner;
    return nullptr;
  }
  PyObject* innermost() const {
    return find([](PyObject*) { return true; });
  }
  /// Whether there is an open block anywhere. Needs no GIL.
  bool any() const { return count_.load(std::memory_order_relaxed) > 0; }

 private:
  struct Block {
    PyObject* owner;      ///< Held while it is open.
    Block* outer;         ///< Around it when it was entered; the capsule of that is held.
    PyObject* enclosing;  ///< That capsule; null: none.
    bool is_open = true;
  };
  static void destroy(PyObject* capsule);
  /// The block that the context variable names here, and its capsule.
  Block* top(nanobind::object* capsule = nullptr) const;
  void close(Block& block);

  const char* const name_;
  PyObject* variable_ = nullptr;  ///< Lives as long as the process.
  std::vector<Block*> open_;      ///< In the order in which they were entered.
  std::atomic<int> count_{0};
};

}  // namespace isthmus::python
