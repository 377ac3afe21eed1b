// bind_array.cpp: class Array: operators, indexing, attributes and methods.
#include <nanobind/stl/string.h>

#include "isthmus/array/apply.h"
#include "isthmus/array/arrange/manipulate.h"
#include "isthmus/array/functions.h"
#include "isthmus/array/parts.h"
#include "isthmus/array/products/products.h"
#include "isthmus/runtime/evaluate/put_off.h"
#include "python/src/bind/bind.h"
#include "python/src/object/arguments.h"
#include "python/src/object/array_list.h"
#include "python/src/object/array_object.h"
#include "python/src/object/as_number.h"
#include "python/src/object/garbage.h"
#include "python/src/object/indexing.h"
#include "python/src/object/lists.h"
#include "python/src/object/numpy_calls.h"
#include "python/src/peers/stream.h"
#include "python/src/protocol.h"

namespace isthmus::python {

namespace {

/// Whether a class has operators of numbers: lists and tuples have those of sequences.
bool has_operators(PyTypeObject* type) {
  const PyNumberMethods* const all = type->tp_as_number;
  return all && (all->nb_add || all->nb_subtract || all->nb_multiply || all->nb_true_divide);
}

/// Python asks the other operand. Lists and tuples would be silent, or say little; texts and bytes
/// would join what the buffer protocol shows, or repeat themselves.
PyObject* not_implemented(const char* who, PyObject* other) {
  const bool is_text = PyUnicode_Check(other) || PyBytes_Check(other) || PyByteArray_Check(other);
  const bool is_list =
      (PyList_Check(other) || PyTuple_Check(other)) && !has_operators(Py_TYPE(other));
  if (is_text || is_list || is_of_neighbour(other)) require_value(who, other);
  return Py_NewRef(Py_NotImplemented);
}
PyObject* not_implemented(Op op, PyObject* other) {
  return not_implemented(info(op).name.data(), other);
}

// Operators are raw number slots: they are the hottest entries of the library.

template <Op op>
[[gnu::hot]] PyObject* binary(PyObject* a, PyObject* b) noexcept {
  return guarded([&]() -> PyObject* {
    if (is_array(a) && is_array(b)) return wrap(apply(op, {array_of(a), array_of(b)}));
    const auto x = value_of(a), y = value_of(b);
    if (!x || !y) return not_implemented(op, x ? b : a);
    return wrap(apply(op, {*x, *y}));
  });
}

PyObject* quotient_and_remainder(PyObject* a, PyObject* b) noexcept {
  return guarded([&]() -> PyObject* {
    const auto x = value_of(a), y = value_of(b);
    if (!x || !y) return not_implemented("divmod", x ? b : a);
    const DivMod both = divmod(*x, *y);
    return tuple_of({both.quotient, both.remainder}).release().ptr();
  });
}

/// Other classes are asked for their product; numbers have none.
PyObject* no_product(PyObject* other) {
  check(!value_of(other), Errc::type, "matmul: {} is not an array; use multiply (*) for numbers",
        found_as(other));
  return not_implemented("matmul", other);
}

PyObject* matrix_product(PyObject* a, PyObject* b) noexcept {
  return guarded([&]() -> PyObject* {
    if (!is_array(a) || !is_array(b)) return no_product(is_array(a) ? b : a);
    return wrap(matmul(array_of(a), array_of(b)));
  });
}

PyObject* in_place_matrix_product(PyObject* a, PyObject* b) noexcept {
  return guarded([&]() -> PyObject* {
    if (!is_array(b)) return no_product(b);
    matmul_in_place(array_of(a), array_of(b));
    return Py_NewRef(a);
  });
}

PyObject* power(PyObject* a, PyObject* b, PyObject* modulus) noexcept {
  if (modulus != Py_None) {
    PyErr_SetString(PyExc_TypeError, "pow: a modulus is not supported for arrays");
    return nullptr;
  }
  return binary<Op::pow>(a, b);
}

template <Op op>
PyObject* unary(PyObject* a) noexcept {
  return guarded([&] { return wrap(apply(op, {array_of(a)})); });
}

template <Op op>
PyObject* in_place(PyObject* a, PyObject* b) noexcept {
  return guarded([&]() -> PyObject* {
    const auto value = value_of(b);
    if (!value) return not_implemented(op, b);
    apply_in_place(op, array_of(a), *value);
    return Py_NewRef(a);
  });
}

PyObject* in_place_power(PyObject* a, PyObject* b, PyObject*) noexcept {
  return in_place<Op::pow>(a, b);
}

/// What the other object's class says itself, which Python would ask next; NotImplemented: nothing.
nb::object answer_of(PyObject* other, PyObject* array, int how) {
  constexpr int swapped[] = {Py_GT, Py_GE, Py_EQ, Py_NE, Py_LT, Py_LE};
  const richcmpfunc ask = Py_TYPE(other)->tp_richcompare;
  if (!ask) return nb::borrow(Py_NotImplemented);
  nb::object answer = nb::steal(ask(other, array, swapped[how]));
  if (!answer) throw nb::python_error();
  return answer;
}

/// Whether it has or is numbers in NumPy's eyes, or a user's: a deque, a set, a decimal.Decimal.
bool has_numbers(PyObject* object) {
  const nb::object number = nb::module_::import_("numbers").attr("Number");
  return PySequence_Check(object) || PyAnySet_Check(object) || PyDict_Check(object) ||
         PyNumber_Check(object) || nb::isinstance(object, number);
}

PyObject* compare(PyObject* a, PyObject* b, int how) noexcept {
  return guarded([&]() -> PyObject* {
    const bool is_equality = how == Py_EQ || how == Py_NE;
    const auto is_no_element = [](PyObject* o) {
      return o == Py_None || PyUnicode_Check(o) || PyBytes_Check(o);
    };
    if (is_equality && (is_no_element(a) || is_no_element(b)))  // as in NumPy
      return wrap(full_like(array_of(is_no_element(a) ? b : a), how == Py_NE, TypeId::bool_));
    const auto x = value_of(a), y = value_of(b);
    constexpr Op ops[] = {Op::less,      Op::less_equal, Op::equal,
                          Op::not_equal, Op::greater,    Op::greater_equal};
    if (!x || !y) {
      PyObject *const own = x ? a : b, *const other = x ? b : a;
      if (speaks_any(other)) require_value(info(ops[how]).name.data(), other);
      nb::object answer = answer_of(other, own, how);
      if (answer.ptr() != Py_NotImplemented) return answer.release().ptr();
      if (has_numbers(other)) require_value(info(ops[how]).name.data(), other);
      // Python would say itself whether they are one object
      if (is_equality) return wrap(full_like(array_of(own), how == Py_NE, TypeId::bool_));
      return Py_NewRef(Py_NotImplemented);
    }
    return wrap(apply(ops[how], {*x, *y}));
  });
}

/// An object without an array inside must never be: the slots above would read what is not there.
PyObject* refuse_to_make(PyTypeObject*, PyObject*, PyObject*) noexcept {
  PyErr_SetString(PyExc_TypeError,
                  "isthmus.Array: create arrays with isthmus.asarray, isthmus.zeros, ...");
  return nullptr;
}

Py_ssize_t length(PyObject* self) noexcept {
  const Array& x = array_of(self);
  if (x.ndim() > 0) return static_cast<Py_ssize_t>(x.shape()[0]);
  PyErr_SetString(PyExc_TypeError, "len: an array without axes has no length");
  return -1;
}

/// What Python asks after the operands of + have no sum, and operator.concat at once, which would
/// add the elements if there were no answer.
template <char... sign>
PyObject* no_concatenation(PyObject* a, PyObject* b) noexcept {
  return guarded([&]() -> PyObject* {
    check(!value_of(b), Errc::type,
          "concat: + adds the elements of an Array; isthmus.concat([x, y]) joins arrays");
    fail(Errc::type, "unsupported operand type(s) for {}: '{}' and '{}'", std::string{sign...},
         Py_TYPE(a)->tp_name, Py_TYPE(b)->tp_name);
  });
}

PyType_Slot number_slots[] = {
    {Py_nb_add, reinterpret_cast<void*>(binary<Op::add>)},
    {Py_nb_subtract, reinterpret_cast<void*>(binary<Op::subtract>)},
    {Py_nb_multiply, reinterpret_cast<void*>(binary<Op::multiply>)},
    {Py_nb_matrix_multiply, reinterpret_cast<void*>(matrix_product)},
    {Py_nb_true_divide, reinterpret_cast<void*>(binary<Op::divide>)},
    {Py_nb_floor_divide, reinterpret_cast<void*>(binary<Op::floor_divide>)},
    {Py_nb_remainder, reinterpret_cast<void*>(binary<Op::remainder>)},
    {Py_nb_divmod, reinterpret_cast<void*>(quotient_and_remainder)},
    {Py_nb_power, reinterpret_cast<void*>(power)},
    {Py_nb_lshift, reinterpret_cast<void*>(binary<Op::bitwise_left_shift>)},
    {Py_nb_rshift, reinterpret_cast<void*>(binary<Op::bitwise_right_shift>)},
    {Py_nb_and, reinterpret_cast<void*>(binary<Op::bitwise_and>)},
    {Py_nb_or, reinterpret_cast<void*>(binary<Op::bitwise_or>)},
    {Py_nb_xor, reinterpret_cast<void*>(binary<Op::bitwise_xor>)},
    {Py_nb_inplace_add, reinterpret_cast<void*>(in_place<Op::add>)},
    {Py_nb_inplace_subtract, reinterpret_cast<void*>(in_place<Op::subtract>)},
    {Py_nb_inplace_multiply, reinterpret_cast<void*>(in_place<Op::multiply>)},
    {Py_nb_inplace_matrix_multiply, reinterpret_cast<void*>(in_place_matrix_product)},
    {Py_nb_inplace_true_divide, reinterpret_cast<void*>(in_place<Op::divide>)},
    {Py_nb_inplace_floor_divide, reinterpret_cast<void*>(in_place<Op::floor_divide>)},
    {Py_nb_inplace_remainder, reinterpret_cast<void*>(in_place<Op::remainder>)},
    {Py_nb_inplace_power, reinterpret_cast<void*>(in_place_power)},
    {Py_nb_inplace_lshift, reinterpret_cast<void*>(in_place<Op::bitwise_left_shift>)},
    {Py_nb_inplace_rshift, reinterpret_cast<void*>(in_place<Op::bitwise_right_shift>)},
    {Py_nb_inplace_and, reinterpret_cast<void*>(in_place<Op::bitwise_and>)},
    {Py_nb_inplace_or, reinterpret_cast<void*>(in_place<Op::bitwise_or>)},
    {Py_nb_inplace_xor, reinterpret_cast<void*>(in_place<Op::bitwise_xor>)},
    {Py_nb_negative, reinterpret_cast<void*>(unary<Op::negative>)},
    {Py_nb_positive, reinterpret_cast<void*>(unary<Op::positive>)},
    {Py_nb_absolute, reinterpret_cast<void*>(unary<Op::abs>)},
    {Py_nb_invert, reinterpret_cast<void*>(unary<Op::bitwise_invert>)},
    {Py_nb_bool, reinterpret_cast<void*>(truth)},
    {Py_nb_int, reinterpret_cast<void*>(as_int)},
    {Py_nb_index, reinterpret_cast<void*>(as_index)},
    {Py_nb_float, reinterpret_cast<void*>(as_float)},
    {Py_tp_richcompare, reinterpret_cast<void*>(compare)},
    {Py_tp_hash, reinterpret_cast<void*>(PyObject_HashNotImplemented)},
    {Py_mp_length, reinterpret_cast<void*>(length)},
    {Py_mp_subscript, reinterpret_cast<void*>(subscript)},
    {Py_mp_ass_subscript, reinterpret_cast<void*>(assign_subscript)},
    // what compiled code takes for a sequence has these, too
    {Py_sq_length, reinterpret_cast<void*>(length)},
    {Py_sq_concat, reinterpret_cast<void*>(no_concatenation<'+'>)},
    {Py_sq_inplace_concat, reinterpret_cast<void*>(no_concatenation<'+', '='>)},
    {Py_sq_item, reinterpret_cast<void*>(item_at)},
    {Py_sq_ass_item, reinterpret_cast<void*>(assign_item)},
    {Py_tp_new, reinterpret_cast<void*>(refuse_to_make)},
    {Py_tp_traverse, reinterpret_cast<void*>(traverse_array)},
    {Py_tp_clear, reinterpret_cast<void*>(clear_array)},
};

std::vector<PyType_Slot> all_slots() {
  std::vector<PyType_Slot> slots(std::begin(number_slots), std::end(number_slots));
  for (const Protocol* protocol : protocols())
    for (const PyType_Slot* slot = protocol->slots; slot && slot->slot; ++slot)
      slots.push_back(*slot);
  slots.push_back({0, nullptr});
  return slots;
}

[[gnu::hot]] PyObject* eval(PyObject* self, PyObject*) noexcept {
  return guarded([&] {
    catch_up();
    array_of(self).eval();
    return Py_NewRef(self);
  });
}

PyObject* tolist(PyObject* self, PyObject*) noexcept {
  return guarded([&] {
    const Array& x = array_of(self);
    if (x.dtype().is_builtin() && x.size()) return list_of_numbers(x);
    // NumPy knows structs, and which shapes without elements are no endless lists
    return nb::module_::import_("isthmus._printing")
        .attr("_tolist")(nb::handle(self))
        .release()
        .ptr();
  });
}

/// The element of item(5), item(1, 2) and item((1, 2)), as a view.
Array element_at(const Array& x, std::span<PyObject* const> args) {
  const bool is_tuple = args.size() == 1 && PyTuple_Check(args[0]);
  Dims given;
  if (is_tuple)
    given = dims_of("item", args[0]);
  else
    for (PyObject* arg : args) given.push_back(int_of("item", arg));
  std::vector<IndexItem> items(given.begin(), given.end());
  if (!is_tuple && given.size() == 1 && x.ndim() != 1) {
    const std::int64_t place = given[0] < 0 ? given[0] + x.size() : given[0];
    check(place >= 0 && place < x.size(), Errc::index,
          "item: index {} is out of bounds for {} elements", given[0], x.size());
    items.assign(static_cast<std::size_t>(x.ndim()), IndexItem(0));
    std::int64_t left = place;
    for (std::size_t axis = items.size(); axis-- > 0; left /= x.shape()[axis])
      items[axis] = left % x.shape()[axis];
  }
  check(std::cmp_equal(items.size(), x.ndim()), Errc::value,
        "item: {} indices for an array of {} axes", items.size(), x.ndim());
  return index(x, items);
}

PyObject* element(PyObject* self, PyObject* const* args, Py_ssize_t count) noexcept {
  return guarded([&]() -> PyObject* {
    const Array& x = array_of(self);
    const Array only = count ? element_at(x, {args, static_cast<std::size_t>(count)}) : x;
    if (only.dtype().is_builtin()) return number_of(item(only));
    check(only.size() == 1, Errc::value, "item: the array has {} elements; only one can be a tuple",
          only.size());
    return nb::steal(wrap(reshape(only, {}, false))).attr("tolist")().release().ptr();
  });
}

/// Methods that are called as often as operators, and so are as raw.
PyMethodDef raw_methods[] = {
    {"eval", eval, METH_NOARGS,
     "eval($self)\n--\n\nCalculates a pending value now.\n\nReturns: the array itself.\nWaits: on "
     "the host's own device; elsewhere the work is enqueued.\nRaises: the error of a value that "
     "failed."},
    {"item", reinterpret_cast<PyCFunction>(reinterpret_cast<void*>(element)), METH_FASTCALL,
     "item($self, /, *args)\n"
     "--\n\n"
     "The only element, or one at an index, as a Python number, or as a tuple of a struct's "
     "fields. x.item(5) counts in row-major order, x.item(1, 2) takes an index for each axis.\n\n"
     "Waits: for its value.\n"
     "Raises: ValueError without arguments unless there is exactly one element, and for a wrong "
     "number of indices; IndexError for an index out of range; TypeError for an index that is not "
     "an int.\n"
     "Source: NumPy 2, ndarray.item."},
    {"tolist", tolist, METH_NOARGS,
     "tolist($self)\n--\n\nThe elements as nested lists of Python numbers.\n\nWaits: for its "
     "value.\nRaises: the error of a value that failed."},
    {nullptr, nullptr, 0, nullptr},
};

void add_raw_methods(const PyMethodDef* methods) {
  for (const PyMethodDef* d = methods; d && d->ml_name; ++d) {
    const nb::object made = nb::steal(PyDescr_NewMethod(array_type, const_cast<PyMethodDef*>(d)));
    nb::setattr(reinterpret_cast<PyObject*>(array_type), d->ml_name, made);
  }
}

/// Raw methods and attributes of the protocols go onto the finished type.
void add_protocols(nb::module_& m) {
  for (const Protocol* protocol : protocols()) {
    add_raw_methods(protocol->methods);
    for (const PyGetSetDef* d = protocol->attributes; d && d->name; ++d) {
      const nb::object made = nb::steal(PyDescr_NewGetSet(array_type, const_cast<PyGetSetDef*>(d)));
      nb::setattr(reinterpret_cast<PyObject*>(array_type), d->name, made);
    }
    if (protocol->finish) protocol->finish(array_type, m);
  }
}

std::span<const std::int64_t> all(const Dims& dims) { return {dims.begin(), dims.end()}; }

const Array& self_of(const ArrayObject& self) { return self.array; }

void add_attributes(nb::class_<ArrayObject>& c) {
  c.def_prop_ro(
      "dtype", [](const ArrayObject& x) { return nb::borrow(dtype_object(self_of(x).dtype())); },
      nb::sig("def dtype(self) -> numpy.dtype[typing.Any]"), "The dtype of the elements.");
  c.def_prop_ro(
      "device", [](const ArrayObject& x) { return self_of(x).device(); },
      nb::sig("def device(self) -> Device"), "The device that the memory belongs to.");
  c.def_prop_ro(
      "shape", [](const ArrayObject& x) { return tuple_of(all(self_of(x).shape())); },
      nb::sig("def shape(self) -> tuple[int, ...]"), "Lengths of the axes.");
  c.def_prop_ro(
      "ndim", [](const ArrayObject& x) { return self_of(x).ndim(); },
      nb::sig("def ndim(self) -> int"), "Number of axes.");
  c.def_prop_ro(
      "size", [](const ArrayObject& x) { return self_of(x).size(); },
      nb::sig("def size(self) -> int"), "Number of elements.");
  c.def_prop_ro(
      "nbytes", [](const ArrayObject& x) { return self_of(x).size() * self_of(x).dtype().bytes(); },
      nb::sig("def nbytes(self) -> int"), "Bytes of all elements.");
  c.def_prop_ro(
      "itemsize", [](const ArrayObject& x) { return self_of(x).dtype().bytes(); },
      nb::sig("def itemsize(self) -> int"), "Bytes of one element.");
  c.def_prop_ro(
      "strides", [](const ArrayObject& x) { return tuple_of(all(self_of(x).layout().strides)); },
      nb::sig("def strides(self) -> tuple[int, ...]"),
      "Distance between neighbours along each axis, in elements, not bytes.");
  c.def_prop_ro(
      "offset", [](const ArrayObject& x) { return self_of(x).layout().offset; },
      nb::sig("def offset(self) -> int"),
      "Number of elements from the start of the memory to the first element.");
  c.def_prop_ro(
      "is_read_only", [](const ArrayObject& x) { return self_of(x).is_read_only(); },
      nb::sig("def is_read_only(self) -> bool"), "Whether the array is read-only.");
  c.def_prop_ro(
      "is_pending", [](const ArrayObject& x) { return self_of(x).is_pending(); },
      nb::sig("def is_pending(self) -> bool"), "Whether the value is not calculated yet.");
  c.def_prop_ro(
      "T", [](const ArrayObject& x) { return nb::steal(wrap(self_of(x).T())); },
      nb::sig("def T(self) -> Array"), "The transpose of a matrix, as a view.");
  c.def_prop_ro(
      "mT", [](const ArrayObject& x) { return nb::steal(wrap(self_of(x).mT())); },
      nb::sig("def mT(self) -> Array"), "The last two axes swapped, as a view.");
}

void add_methods(nb::class_<ArrayObject>& c) {
  c.def(
      "to_device",
      [](nb::handle x, nb::handle device, nb::handle stream) {
        const Device where = device_of(device);
        const Device from = require_array("to_device", x.ptr()).device();
        const auto meanwhile =
            on_stream("to_device: stream", where.is_host() ? from : where, stream);
        if (from == where) return nb::borrow(x);
        return nb::steal(wrap(to_device(array_of(x.ptr()), where)));
      },
      nb::arg("device"), nb::kw_only(), nb::arg("stream") = nb::none(),
      nb::sig("def to_device(self, device: Device | str, /, *, stream: typing.Any = None) -> "
              "Array"),
      "The array on another device.\n\n"
      "stream: the queue for the copy, in any form that __dlpack__ accepts: a queue of the\n"
      "target device, or of the array's own device if the target is the host. None: this\n"
      "thread's current queue.\n\n"
      "Returns: the array itself if it is on that device, else a copy, counted in statistics().\n"
      "Waits: no, except for the array's value if the host must calculate it.\n"
      "Raises: DeviceMismatchError for a queue of another device.\n"
      "Source: Array API 2025.12.");
  c.def(
      "__copy__", [](const ArrayObject& x) { return nb::steal(wrap(copy(self_of(x)))); },
      nb::sig("def __copy__(self) -> Array"));
  c.def(
      "__deepcopy__",
      [](const ArrayObject& x, nb::handle) { return nb::steal(wrap(copy(self_of(x)))); },
      nb::arg("memo"), nb::sig("def __deepcopy__(self, memo: object) -> Array"));
  add_number_methods(c);
}

}  // namespace

void bind_array(nb::module_& m) {
  static const std::vector<PyType_Slot> slots = all_slots();
  nb::class_<ArrayObject> c(m, "Array", nb::type_slots(slots.data()), nb::is_final(), nb::pooled(),
                            nb::is_weak_referenceable(),
                            "An n-d array on one device; see isthmus.asarray.");
  array_type = reinterpret_cast<PyTypeObject*>(c.ptr());
  c.attr("__module__") = "isthmus";
  add_attributes(c);
  add_methods(c);
  add_raw_methods(raw_methods);
  add_raw_methods(numpy_methods);
  add_protocols(m);
}

}  // namespace isthmus::python
