// bind_cl_array.cpp: what each operation of isthmus.cl's class Array needs: its fields and
// operators.
#include <Python.h>
#include <structmember.h>

#include <utility>

#include "isthmus/array/apply.h"
#include "isthmus/exchange/share.h"
#include "isthmus/runtime/submit/queue.h"
#include "isthmus/runtime/unblocked.h"
#include "python/src/bind/bind.h"
#include "python/src/object/array_object.h"
#include "python/src/object/array_on_queue.h"
#include "python/src/object/name.h"
#include "python/src/peers/foreign_class.h"
#include "python/src/peers/opencl_objects.h"

namespace isthmus::python {

namespace {

constexpr PyObject* ArrayOnQueue::* fields[] = {
    &ArrayOnQueue::x,       &ArrayOnQueue::queue,  &ArrayOnQueue::allocator,
    &ArrayOnQueue::context, &ArrayOnQueue::events, &ArrayOnQueue::held,
    &ArrayOnQueue::lanes,   &ArrayOnQueue::vector, &ArrayOnQueue::fresh};

PyTypeObject* base_type = nullptr;
/// Derived classes have attributes of their own, which their results get by Python.
constinit ForeignClass array_class("isthmus.cl._array_class", "Array");

ArrayOnQueue* new_object(PyTypeObject* type) {
  PyObject* const made = type->tp_alloc(type, 0);
  if (!made) throw nb::python_error();
  return reinterpret_cast<ArrayOnQueue*>(made);
}

PyObject* make(PyTypeObject* type, PyObject*, PyObject*) noexcept {
  return guarded([&] { return reinterpret_cast<PyObject*>(new_object(type)); });
}

int traverse(PyObject* self, visitproc visit, void* arg) noexcept {
  Py_VISIT(Py_TYPE(self));
  for (const auto field : fields) Py_VISIT(reinterpret_cast<ArrayOnQueue*>(self)->*field);
  return 0;
}

int clear(PyObject* self) noexcept {
  for (const auto field : fields) Py_CLEAR(reinterpret_cast<ArrayOnQueue*>(self)->*field);
  return 0;
}

void dealloc(PyObject* self) noexcept {
  PyTypeObject* const type = Py_TYPE(self);
  PyObject_GC_UnTrack(self);
  clear(self);
  type->tp_free(self);
  Py_DECREF(type);
}

/// An array of new memory on the queue of another.
PyObject* result(ArrayOnQueue* like, Array array) {
  const nb::object x = nb::steal(wrap(std::move(array)));
  if (!array_class.is_exactly_of(reinterpret_cast<PyObject*>(like)))
    return nb::handle(reinterpret_cast<PyObject*>(like)).attr("_made")(x).release().ptr();
  ArrayOnQueue* const made = new_object(Py_TYPE(like));
  const nb::object owner = nb::steal(reinterpret_cast<PyObject*>(made));
  made->x = Py_NewRef(x.ptr());
  made->queue = Py_NewRef(like->queue);
  made->allocator = Py_XNewRef(like->allocator);
  made->context = Py_XNewRef(like->context);
  made->events = PyList_New(0);
  if (!made->events) throw nb::python_error();
  made->news = 1;
  return Py_NewRef(owner.ptr());
}

/// isthmus.add and others, for what Python does.
template <Op op>
nb::handle function_of() {
  static PyObject* const kept =
      nb::object(nb::module_::import_("isthmus._isthmus").attr(info(op).name.data()))
          .release()
          .ptr();
  return kept;
}

/// An array without vectors, or a number of Python's; nothing for what Python has to look at.
std::optional<Value> plain_value(PyObject* object, const ArrayOnQueue* one) {
  if (one) {
    const bool has_lanes = one->lanes && one->lanes != Py_None;
    if (has_lanes || !one->x || !is_array(one->x)) return {};
    const Array& array = array_of(one->x);
    return array.dtype().is_builtin() ? std::optional<Value>(array) : std::nullopt;
  }
  const bool is_number = PyLong_CheckExact(object) || PyFloat_CheckExact(object) ||
                         PyBool_Check(object) || PyComplex_CheckExact(object);
  return is_number ? value_of(object) : std::nullopt;
}

template <Op op>
PyObject* binary(PyObject* a, PyObject* b) noexcept {
  return guarded([&]() -> PyObject* {
    ArrayOnQueue *const x = as_array_on_queue(a), *const y = as_array_on_queue(b);
    ArrayOnQueue* const self = x ? x : y;
    if (self->has_queue()) {
      const auto left = plain_value(a, x), right = plain_value(b, y);
      if (left && right) {
        const OnQueue meanwhile(queue_of_either(self->queue));
        return result(self, apply(op, {*left, *right}));
      }
    }
    const nb::handle of(x ? a : b), other(x ? b : a);
    return of.attr("_binary")(other, function_of<op>(), !x).release().ptr();
  });
}

PyObject* power(PyObject* a, PyObject* b, PyObject* modulus) noexcept {
  if (modulus == Py_None && (as_array_on_queue(a) || as_array_on_queue(b)))
    return binary<Op::pow>(a, b);
  return Py_NewRef(Py_NotImplemented);
}

template <Op op>
PyObject* unary(PyObject* a) noexcept {
  return guarded([&]() -> PyObject* {
    ArrayOnQueue* const self = as_array_on_queue(a);
    const auto x = plain_value(a, self);
    if (!x || !self->has_queue())
      return nb::handle(a).attr("_unary")(function_of<op>()).release().ptr();
    const OnQueue meanwhile(queue_of_either(self->queue));
    return result(self, apply(op, {*x}));
  });
}

template <Op op>
PyObject* in_place(PyObject* a, PyObject* b) noexcept {
  return guarded([&] {
    return nb::handle(a).attr("_in_place")(nb::handle(b), function_of<op>()).release().ptr();
  });
}

template <Op op>
PyObject* compared(PyObject* a, PyObject* b) {
  ArrayOnQueue* const self = as_array_on_queue(a);
  const auto x = plain_value(a, self), y = plain_value(b, as_array_on_queue(b));
  if (!x || !y || !self->has_queue())
    return nb::handle(a).attr("_compared")(nb::handle(b), function_of<op>()).release().ptr();
  const OnQueue meanwhile(queue_of_either(self->queue));
  return result(self, astype(apply(op, {*x, *y}), TypeId::int8));
}

PyObject* compare(PyObject* a, PyObject* b, int how) noexcept {
  return guarded([&]() -> PyObject* {
    switch (how) {
      case Py_LT: return compared<Op::less>(a, b);
      case Py_LE: return compared<Op::less_equal>(a, b);
      case Py_EQ: return compared<Op::equal>(a, b);
      case Py_NE: return compared<Op::not_equal>(a, b);
      case Py_GT: return compared<Op::greater>(a, b);
      default: return compared<Op::greater_equal>(a, b);
    }
  });
}

PyObject* finish(PyObject* self, PyObject*) noexcept {
  return guarded([&]() -> PyObject* {
    ArrayOnQueue& one = *as_array_on_queue(self);
    const nb::object x = x_of(one);
    const nb::object queue = one.has_queue() ? nb::borrow(one.queue)
                                             : nb::object(nb::handle(self).attr("_some_queue")());
    {
      const Array array = require_array("finish", x.ptr());
      const OnQueue meanwhile(queue_of_either(queue));
      const Unblocked unblocked;
      lend_briefly(array);
    }
    if (one.events && PyObject_IsTrue(one.events) == 1) nb::handle(self).attr("_end_events")();
    one.news = 0;
    return Py_NewRef(Py_None);
  });
}

PyObject* get_x(PyObject* self, void*) noexcept {
  return guarded([&] { return x_of(*as_array_on_queue(self)).release().ptr(); });
}

int set_x(PyObject* self, PyObject* x, void*) noexcept {
  Py_XSETREF(as_array_on_queue(self)->x, Py_XNewRef(x));
  return 0;
}

PyGetSetDef properties[] = {{"_x", get_x, set_x, nullptr, nullptr},
                            {nullptr, nullptr, nullptr, nullptr, nullptr}};

PyMemberDef members[] = {
    {"queue", T_OBJECT, offsetof(ArrayOnQueue, queue), 0,
     "The queue for work on the array, or None."},
    {"allocator", T_OBJECT, offsetof(ArrayOnQueue, allocator), 0,
     "A function that is called with a number of bytes and returns a memory object, or None."},
    {"_context", T_OBJECT, offsetof(ArrayOnQueue, context), 0, nullptr},
    {"_events", T_OBJECT, offsetof(ArrayOnQueue, events), 0, nullptr},
    {"_held", T_OBJECT, offsetof(ArrayOnQueue, held), 0, nullptr},
    {"_lanes", T_OBJECT, offsetof(ArrayOnQueue, lanes), 0, nullptr},
    {"_vector", T_OBJECT, offsetof(ArrayOnQueue, vector), 0, nullptr},
    {"_fresh", T_OBJECT, offsetof(ArrayOnQueue, fresh), 0, nullptr},
    {"_news", T_LONG, offsetof(ArrayOnQueue, news), 0, nullptr},
    {nullptr, 0, 0, 0, nullptr}};

PyMethodDef methods[] = {
    {"finish", finish, METH_NOARGS,
     "finish($self, /)\n--\n\nWaits for all work on the array, and empties ``events``."},
    {nullptr, nullptr, 0, nullptr}};

template <class F>
void* slot(F* function) {
  return reinterpret_cast<void*>(function);
}

PyType_Slot slots[] = {
    {Py_tp_doc, const_cast<char*>("What each operation of isthmus.cl.array.Array needs.")},
    {Py_tp_new, slot(make)},
    {Py_tp_dealloc, slot(dealloc)},
    {Py_tp_traverse, slot(traverse)},
    {Py_tp_clear, slot(clear)},
    {Py_tp_members, members},
    {Py_tp_getset, properties},
    {Py_tp_methods, methods},
    {Py_tp_richcompare, slot(compare)},
    {Py_tp_hash, slot(PyObject_HashNotImplemented)},
    {Py_nb_add, slot(binary<Op::add>)},
    {Py_nb_subtract, slot(binary<Op::subtract>)},
    {Py_nb_multiply, slot(binary<Op::multiply>)},
    {Py_nb_true_divide, slot(binary<Op::divide>)},
    {Py_nb_floor_divide, slot(binary<Op::floor_divide>)},
    {Py_nb_remainder, slot(binary<Op::remainder>)},
    {Py_nb_power, slot(power)},
    {Py_nb_lshift, slot(binary<Op::bitwise_left_shift>)},
    {Py_nb_rshift, slot(binary<Op::bitwise_right_shift>)},
    {Py_nb_and, slot(binary<Op::bitwise_and>)},
    {Py_nb_or, slot(binary<Op::bitwise_or>)},
    {Py_nb_xor, slot(binary<Op::bitwise_xor>)},
    {Py_nb_inplace_add, slot(in_place<Op::add>)},
    {Py_nb_inplace_subtract, slot(in_place<Op::subtract>)},
    {Py_nb_inplace_multiply, slot(in_place<Op::multiply>)},
    {Py_nb_inplace_true_divide, slot(in_place<Op::divide>)},
    {Py_nb_inplace_and, slot(in_place<Op::bitwise_and>)},
    {Py_nb_inplace_or, slot(in_place<Op::bitwise_or>)},
    {Py_nb_inplace_xor, slot(in_place<Op::bitwise_xor>)},
    {Py_nb_negative, slot(unary<Op::negative>)},
    {Py_nb_absolute, slot(unary<Op::abs>)},
    {Py_nb_invert, slot(unary<Op::bitwise_invert>)},
    {0, nullptr}};

PyType_Spec spec = {"isthmus._isthmus._ArrayOnQueue", sizeof(ArrayOnQueue), 0,
                    Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_HAVE_GC, slots};

}  // namespace

ArrayOnQueue* as_array_on_queue(PyObject* object) {
  return PyObject_TypeCheck(object, base_type) ? reinterpret_cast<ArrayOnQueue*>(object) : nullptr;
}

/// Python makes vectors of lanes that are pending, and a new array's memory, when somebody asks.
nb::object x_of(const ArrayOnQueue& one) {
  PyObject* const self = const_cast<PyObject*>(&one.head);
  if (!one.x && one.lanes && one.lanes != Py_None) nb::handle(self).attr("_join")();
  if (!one.x && one.fresh && one.fresh != Py_None) nb::handle(self).attr("_begin")();
  if (one.x) return nb::borrow(one.x);
  PyErr_SetString(PyExc_AttributeError, "_x");
  throw nb::python_error();
}

void bind_cl_array(nb::module_& m) {
  PyObject* const type = PyType_FromSpec(&spec);
  if (!type) throw nb::python_error();
  base_type = reinterpret_cast<PyTypeObject*>(type);
  m.attr("_ArrayOnQueue") = nb::handle(type);
}

}  // namespace isthmus::python
