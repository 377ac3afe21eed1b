// garbage.cpp: Arrays in cycles of Python objects, as Python's collector sees and breaks them.
#include "python/src/object/garbage.h"

#include "python/src/object/array_object.h"
#include "python/src/protocol.h"

namespace isthmus::python {

/// Where the one that stands for it counts it.
static std::uint32_t& count_of(const ArrayObject& object) {
  ArrayObject& first = object_of(object.first);
  return object.is_first ? first.storages : first.others;
}

[[gnu::hot]] void ArrayObject::leave() {
  end_shows();
  if (std::exchange(is_counted, false)) --count_of(*this);
  if (!is_first) return;
  array.storage()->first_object = nullptr;
  if (!first) array.storage()->memory()->first_object = nullptr;
}

[[gnu::hot]] ArrayObject::~ArrayObject() {
  leave();
  Py_XDECREF(first);
}

[[gnu::hot]] void note_first(ArrayObject& object, PyObject* self) {
  const Ref<Storage>& storage = object.array.storage();
  if (!storage->is_ready()) return;
  // of no cycle: gc need not look at the elements of a list, say
  if (!held_by(*storage->memory())) return PyObject_GC_UnTrack(self);
  void*& of_memory = storage->memory()->first_object;
  object.is_first = !storage->first_object;
  void* first = object.is_first ? of_memory : storage->first_object;
  if (object.is_first) storage->first_object = self;
  if (first) {
    object.first = Py_NewRef(static_cast<PyObject*>(first));
    object.is_counted = true;
    ++count_of(object);
  } else {
    of_memory = self;
  }
}

/// The owner of the memory is part of cycles that gc should see, if all that holds the memory is
/// known to gc: the first array of each storage, and those that keep that one alive.
int traverse_array(PyObject* self, visitproc visit, void* arg) noexcept {
  Py_VISIT(Py_TYPE(self));
  if (!nb::inst_ready(self)) return 0;
  const ArrayObject& object = object_of(self);
  if (!object.array.has_value()) return 0;  // its value is being written to elements of another
  const Storage& storage = *object.array.storage();
  const bool is_other = object.first && !object.is_first;
  const bool is_known = storage.is_ready() && storage.references() == 1 + object.others;
  if (is_other || is_known) Py_VISIT(object.first);
  if (object.first || !is_known) return 0;
  BackendMemory& memory = *storage.memory();
  if (memory.references() != 1 + object.storages) return 0;
  if (PyObject* owner = visited_by_gc(memory)) Py_VISIT(owner);
  return 0;
}

/// gc breaks a cycle: the array lets go of its memory and is of size 0 from now on.
int clear_array(PyObject* self) noexcept {
  if (!nb::inst_ready(self) || !array_of(self).has_value()) return 0;
  try {
    const std::int64_t none = 0;
    const DType dtype = array_of(self).dtype();
    object_of(self).leave();
    object_of(self).array = empty(std::span(&none, 1), dtype, Device());
  } catch (const std::exception&) {
    return 0;  // no memory for an empty array: the cycle stays until there is
  }
  return 0;
}

}  // namespace isthmus::python
