// foreign_class.h: classes of packages that Isthmus does not import unasked.
#pragma once

#include <nanobind/nanobind.h>

namespace isthmus::python {

/// A class of another package, found once its module has been imported and kept from then on. Made
/// once, as a static; needs the GIL.
class ForeignClass {
 public:
  constexpr ForeignClass(const char* module, const char* name) : module_(module), name_(name) {}

  /// Whether somebody has imported it.
  bool is_there() { return found_ || find(PyImport_GetModuleDict()); }
  /// Whether the object is one. As long as nobody has imported the module, nobody has its objects.
  bool has(nanobind::handle object) {
    return is_there() && PyObject_TypeCheck(object.ptr(), reinterpret_cast<PyTypeObject*>(found_));
  }
  /// The same, but not of a derived class.
  bool is_exactly_of(nanobind::handle object) {
    return is_there() && Py_TYPE(object.ptr()) == reinterpret_cast<PyTypeObject*>(found_);
  }
  const char* name() const { return name_; }
  /// The class; imports the module. Throws what that raises.
  nanobind::handle get() {
    if (!found_)
      found_ = nanobind::object(nanobind::module_::import_(module_).attr(name_)).release().ptr();
    return found_;
  }

 private:
  bool find(PyObject* modules) {
    if (!key_) key_ = PyUnicode_InternFromString(module_);  // once: imports come by here each time
    PyObject* module = modules && key_ ? PyDict_GetItemWithError(modules, key_) : nullptr;
    if (module) found_ = PyObject_GetAttrString(module, name_);
    if (!found_) PyErr_Clear();  // a module in the middle of its import
    return found_ != nullptr;
  }

  const char* const module_;
  const char* const name_;
  PyObject* key_ = nullptr;
  PyObject* found_ = nullptr;
};

}  // namespace isthmus::python
