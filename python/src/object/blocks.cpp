// blocks.cpp: blocks as capsules in a context variable.
#include "python/src/object/blocks.h"

#include <algorithm>
#include <memory>

#include "isthmus/base/error.h"
#include "isthmus/core/internal.h"

namespace nb = nanobind;

namespace isthmus::python {

static constexpr const char* capsule_name = "isthmus.block";

void Blocks::init() {
  variable_ = PyContextVar_New(name_, Py_None);
  if (!variable_) throw nb::python_error();
}

/// A capsule dies when no context names it and no inner block is left, open or not.
void Blocks::destroy(PyObject* capsule) {
  const std::unique_ptr<Block> block(
      static_cast<Block*>(PyCapsule_GetPointer(capsule, capsule_name)));
  Py_XDECREF(block->owner);
  Py_XDECREF(block->enclosing);
}

Blocks::Block* Blocks::top(nb::object* capsule) const {
  PyObject* value = nullptr;
  if (PyContextVar_Get(variable_, nullptr, &value) < 0) throw nb::python_error();
  const nb::object held = nb::steal(value);
  if (held.is_none()) return nullptr;
  if (capsule) *capsule = held;
  return static_cast<Block*>(PyCapsule_GetPointer(held.ptr(), capsule_name));
}

void Blocks::enter(nb::handle owner) {
  nb::object enclosing;
  Block* outer = top(&enclosing);
  while (outer && !outer->is_open) {  // ended elsewhere
    enclosing = nb::borrow(outer->enclosing);
    outer = outer->outer;
  }
  open_.reserve(open_.size() + 1);  // what was entered is noted without fail
  auto block = std::make_unique<Block>(Block{nullptr, outer, nullptr});
  const nb::object capsule = nb::steal(PyCapsule_New(block.get(), capsule_name, destroy));
  if (!capsule) throw nb::python_error();
  Block* const made = block.release();
  made->owner = Py_NewRef(owner.ptr());
  made->enclosing = enclosing.release().ptr();
  PyObject* const token = PyContextVar_Set(variable_, capsule.ptr());
  if (!token) throw nb::python_error();
  Py_DECREF(token);
  open_.push_back(made);
  count_.fetch_add(1, std::memory_order_relaxed);
}

void Blocks::close(Block& block) {
  block.is_open = false;
  std::erase(open_, &block);
  count_.fetch_sub(1, std::memory_order_relaxed);
  Py_CLEAR(block.owner);  // not the last reference: our caller has one
}

void Blocks::leave(nb::handle owner) {
  nb::object capsule;
  Block* const innermost = top(&capsule);
  Block* block = innermost;
  while (block && !(block->is_open && block->owner == owner.ptr())) block = block->outer;
  if (!block) {  // a generator, say, that ends where it did not begin
    const auto last = std::find_if(open_.rbegin(), open_.rend(),
                                   [&](const Block* b) { return b->owner == owner.ptr(); });
    check(last != open_.rend(), Errc::value, "with: this block was not entered, or has ended");
    return close(**last);
  }
  close(*block);
  if (innermost->is_open) return;
  // what has ended need not be walked through again
  const Block* left = innermost;
  PyObject* next = nullptr;
  for (; left && !left->is_open; left = left->outer) next = left->enclosing;
  PyObject* const token = PyContextVar_Set(variable_, left ? next : Py_None);
  if (token)
    Py_DECREF(token);
  else
    PyErr_Clear();  // no memory: it will be walked through
}

}  // namespace isthmus::python
