// temporary.cpp: whether an argument is a temporary, which CPython does not say before 3.14.
#include "python/src/object/temporary.h"

#include "python/src/peers/ndarray.h"

namespace isthmus::python {

#if !defined(Py_GIL_DISABLED)
static bool is_temporary(PyObject* const* slot) {
#if PY_VERSION_HEX >= 0x030E0000
  return PyUnstable_Object_IsUniqueReferencedTemporary(*slot);
#else
  // An argument that lies on the interpreter's own stack is the result of an expression in the
  // calling function; one that lies in a tuple (f(*args), partial) can be reached through it.
  const PyThreadState* thread = PyThreadState_Get();
  const _PyStackChunk* chunk = thread->datastack_chunk;
  return Py_REFCNT(*slot) == 1 && chunk && slot >= chunk->data && slot < thread->datastack_limit;
#endif
}
#endif

[[gnu::hot]] bool is_only_ours(PyObject* const* slot) noexcept {
#if defined(Py_GIL_DISABLED)
  return false;  // a reference count says nothing there
#else
  const auto exact = [](PyObject* object) {
    const bool is_one = Py_TYPE(object) == ndarray_type();
    return is_one ? reinterpret_cast<const Ndarray*>(object) : nullptr;
  };
  const Ndarray* array = exact(*slot);
  if (!array || !is_temporary(slot)) return false;
  for (;;) {
    if (array->weak_references || (array->flags & Ndarray::writes_back)) return false;
    PyObject* base = array->base;
    if (!base) return array->flags & Ndarray::owns_data;
    if (Py_REFCNT(base) != 1) return false;
    array = exact(base);
    if (!array) return false;
  }
#endif
}

}  // namespace isthmus::python
