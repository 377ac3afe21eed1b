// bind_cl.cpp: what isthmus.cl does for each operation and each call of a kernel.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "isthmus/array/transfer.h"
#include "isthmus/exchange/host_mapping.h"
#include "isthmus/exchange/memory_bytes.h"
#include "isthmus/kernels/c_tokens.h"
#include "isthmus/kernels/indexed_kernel.h"
#include "isthmus/kernels/raw_kernel.h"
#include "isthmus/runtime/submit/foreign_work.h"
#include "isthmus/runtime/submit/queue.h"
#include "python/src/bind/bind.h"
#include "python/src/object/arguments.h"
#include "python/src/object/array_object.h"
#include "python/src/object/array_on_queue.h"
#include "python/src/object/queue_object.h"
#include "python/src/object/with_words.h"
#include "python/src/peers/foreign_class.h"
#include "python/src/peers/opencl_objects.h"

namespace isthmus::python {

namespace {

/// Events that an array of isthmus.cl keeps, and writes that it counts, at most.
constexpr long events_kept = 12;

/// A block `with queue:` costs several times what an operation does that waits.
PyObject* on_queue(PyObject*, PyObject* const* args, Py_ssize_t given) {
  return guarded([&]() -> PyObject* {
    check(given >= 2, Errc::type, "_on_queue: takes a queue, a function and its arguments");
    const OnQueue meanwhile(queue_of_either(args[0]));
    PyObject* const found =
        PyObject_Vectorcall(args[1], args + 2, static_cast<std::size_t>(given - 2), nullptr);
    if (!found) throw nb::python_error();
    return found;
  });
}

PyMethodDef functions[] = {
    {"_on_queue", reinterpret_cast<PyCFunction>(reinterpret_cast<void*>(on_queue)), METH_FASTCALL,
     "_on_queue(queue, function, /, *args)\n"
     "--\n\n"
     "function(*args) of Isthmus with this as the current queue, a pyopencl.CommandQueue or an "
     "isthmus.Queue."},
    {nullptr, nullptr, 0, nullptr}};

struct Parameter {
  enum class Kind : std::uint8_t { array, real, integer, natural };
  Kind kind;
  std::int64_t bytes;  ///< Of an element.
};

Parameter parameter_of(nb::handle pair) {
  using Kind = Parameter::Kind;
  const auto [kind, bytes] = nb::cast<std::pair<char, std::int64_t>>(pair);
  switch (kind) {
    case 'v': return {Kind::array, bytes};
    case 'f': return {Kind::real, bytes};
    case 'i': return {Kind::integer, bytes};
    default: return {Kind::natural, bytes};
  }
}

/// A number that the dtype holds; nothing for what NumPy has to convert.
std::optional<Scalar> number_of(const Parameter& parameter, nb::handle object) {
  if (parameter.kind == Parameter::Kind::real) {
    const double value = PyFloat_AsDouble(object.ptr());
    if (value != -1 || !PyErr_Occurred()) return to_scalar(value);
    clear_answer();
    return {};
  }
  if (!PyIndex_Check(object.ptr())) return {};
  const nb::object index = nb::steal(PyNumber_Index(object.ptr()));
  if (!index) {
    clear_answer();  // an array of several numbers, say
    return {};
  }
  int overflow = 0;
  const std::int64_t value = PyLong_AsLongLongAndOverflow(index.ptr(), &overflow);
  if (overflow) return {};
  const bool is_signed = parameter.kind == Parameter::Kind::integer;
  const auto bits = static_cast<int>(8 * parameter.bytes) - (is_signed ? 1 : 0);
  if (!is_signed && value < 0) return {};
  if (bits < 63 && ((value < 0 ? ~value : value) >> bits) != 0) return {};
  return to_scalar(value);
}

constinit ForeignClass user_event_class("pyopencl", "UserEvent");

/// Calls of a kernel `(arrays and numbers, start, step, count, n)` with arrays that lie row by row
/// and numbers that fit. What else there is, Python sees to.
class PlainKernel {
 public:
  PlainKernel(const WithWords<RawKernel>& kernel, nb::handle parameters, std::int64_t group,
              std::int64_t each, std::int64_t most, nb::object end_of,
              std::optional<IndexedKernel> own)
      : kernel_(kernel),
        own_(std::move(own)),
        group_(group),
        each_(each),
        most_(most),
        end_of_(std::move(end_of)) {
    for (const nb::handle one : parameters) parameters_.push_back(parameter_of(one));
  }

  /// An event; None, and nothing was done, for other arguments.
  nb::object call(const nb::tuple& args, nb::handle queue) const {
    if (args.size() != parameters_.size()) return nb::none();
    SmallVector<ArrayOnQueue*, 4> on_queue;
    std::vector<nb::object> arrays;  // what they have in x, which may become another one
    nb::object place = nb::borrow(queue);
    for (std::size_t k = 0; k < parameters_.size(); ++k) {
      if (parameters_[k].kind != Parameter::Kind::array) continue;
      ArrayOnQueue* const given = as_array_on_queue(args[k].ptr());
      if (!given || !given->has_queue() || (!queue.is_none() && queue.ptr() != given->queue))
        return nb::none();
      nb::object x = x_of(*given);
      if (!is_plain(parameters_[k], x.ptr())) return nb::none();
      if (place.is_none()) place = nb::borrow(given->queue);
      arrays.push_back(std::move(x));
      on_queue.push_back(given);
    }
    if (arrays.empty() || place.is_none()) return nb::none();
    const std::int64_t count = array_of(arrays[0].ptr()).size();
    nb::object event;
    if (!run(args, arrays, place, count, event)) return nb::none();
    for (ArrayOnQueue* one : on_queue) one->news = std::min(one->news + 1, events_kept);
    return event ? event : end_of_(place);
  }

 private:
  static bool is_plain(const Parameter& parameter, PyObject* x) {
    if (!is_array(x)) return false;
    const Array& array = array_of(x);
    return array.size() > 0 && array.dtype().bytes() == parameter.bytes &&
           is_row_major(array.layout());
  }

  bool run(const nb::tuple& args, const std::vector<nb::object>& arrays, nb::handle place,
           std::int64_t count, nb::object& event) const {
    const Ref<BackendQueue> queue = queue_of_either(place);
    SmallVector<Scalar, 4> numbers;
    for (std::size_t k = 0; k < parameters_.size(); ++k) {
      if (parameters_[k].kind == Parameter::Kind::array) continue;
      const std::optional<Scalar> number = number_of(parameters_[k], args[k]);
      if (!number) return false;
      numbers.push_back(*number);
    }
    if (run_itself(place, queue, arrays, count, numbers)) {
      if (is_pyopencl_queue(place)) event = ended_event(place);
      return true;
    }
    const OnQueue meanwhile(queue);
    std::vector<KernelArgument> arguments;
    arguments.reserve(2 * parameters_.size() + 4);
    auto next = arrays.begin();
    auto next_number = numbers.begin();
    for (const Parameter& parameter : parameters_) {
      if (parameter.kind != Parameter::Kind::array) {
        arguments.emplace_back(*next_number++);
        continue;
      }
      const Array& array = array_of((next++)->ptr());
      arguments.emplace_back(bytes_of(array, true));
      arguments.emplace_back(array.layout().offset * parameter.bytes);
    }
    for (const std::int64_t number : {std::int64_t{0}, std::int64_t{1}, count, count})
      arguments.emplace_back(number);
    const std::int64_t items = group_ * each_;
    const Shape grid{std::clamp<std::int64_t>((count + items - 1) / items, 1, most_)};
    const Ref<Event> end = detail::launch(kernel_, grid, {group_}, arguments);
    is_built_ = true;
    if (end && is_pyopencl_queue(place)) event = pyopencl_event_of(*end, *queue);
    return true;
  }

  /// Whether events of the queue are to say when kernels ran.
  bool takes_times(nb::handle place, const BackendQueue& queue) const {
    if (!is_pyopencl_queue(place)) return false;
    if (queue.id != last_queue_) {
      ended_.reset();
      takes_times_ = nb::cast<unsigned>(place.attr("properties")) & 2U;  // PROFILING_ENABLE
      last_queue_ = queue.id;
    }
    return takes_times_;
  }

  /// A pyopencl.Event of work that has ended, for the queue that takes_times() was asked of: a
  /// marker costs five times as much. That of the last call will do if nobody has it any more.
  nb::object ended_event(nb::handle place) const {
    if (!ended_ || Py_REFCNT(ended_.ptr()) > 1) {
      ended_ = user_event_class.get()(place.attr("context"));
      ended_.attr("set_status")(0);  // command_execution_status.COMPLETE
    }
    return ended_;
  }

  /// From the second call on: the first one has asked a compiler what it says of the text.
  bool run_itself(nb::handle place, const Ref<BackendQueue>& queue,
                  const std::vector<nb::object>& arrays, std::int64_t count,
                  std::span<const Scalar> numbers) const {
    if (!own_ || !is_built_ || takes_times(place, *queue)) return false;
    SmallVector<const Array*, 4> given;
    bool is_pending = false;
    for (const nb::object& array : arrays) {
      given.push_back(&array_of(array.ptr()));
      is_pending = is_pending || !given.back()->storage()->is_ready();
    }
    std::optional<OnQueue> meanwhile;
    if (is_pending) meanwhile.emplace(queue);
    return own_->run(*queue, count, given, numbers);
  }

  const RawKernel kernel_;
  const std::optional<IndexedKernel> own_;  ///< What it does, on the host.
  // The GIL guards these.
  mutable bool is_built_ = false;
  mutable std::uint64_t last_queue_ = 0;  ///< The id of the one that was asked last.
  mutable bool takes_times_ = false;
  mutable nb::object ended_;
  std::vector<Parameter> parameters_;
  const std::int64_t group_, each_, most_;
  const nb::object end_of_;  // a function of Python, for a queue
};

/// `parameters`: names with the dtypes of arrays' elements and of numbers, and whether they are
/// arrays.
std::optional<IndexedKernel> read_indexed(const std::string& operation, nb::handle parameters) {
  std::vector<IndexedKernel::Parameter> read;
  for (const nb::handle one : parameters) {
    const DType dtype = dtype_of(nb::object(one[1]));
    if (!dtype.is_builtin()) return {};
    read.push_back({nb::cast<std::string>(one[0]), dtype.id, nb::cast<bool>(one[2])});
  }
  return IndexedKernel::read(operation, std::move(read));
}

/// Keeps the mapping when the interpreter ends, since drivers may have been unloaded.
class Mapping {
 public:
  Mapping(nb::handle array, bool is_writable)
      : mapping_(std::make_unique<HostMapping>(require_array("map_to_host", array.ptr()),
                                               is_writable)) {}
  Mapping(const Mapping&) = delete;
  ~Mapping() {
    if (is_finalizing()) (void)mapping_.release();
  }
  HostMapping& get() const { return *mapping_; }

 private:
  std::unique_ptr<HostMapping> mapping_;
};

}  // namespace

void bind_cl(nb::module_& m) {
  if (PyModule_AddFunctions(m.ptr(), functions)) throw nb::python_error();
  m.attr("_EVENTS_KEPT") = events_kept;
  m.def(
      "_was_written",
      [](nb::handle x) {
        share_event(*require_array("_was_written", x.ptr()).storage()->memory(), nullptr);
      },
      nb::arg("x"), nb::sig("def _was_written(x: Array) -> None"),
      "Refreshes mappings of an array that another library has written, and waited for.");
  m.def(
      "_begin_copy",
      [](nb::handle from, nb::handle to) {
        begin_copy(require_array("_begin_copy", from.ptr()),
                   require_array("_begin_copy", to.ptr()));
      },
      nb::arg("from_"), nb::arg("to"), nb::sig("def _begin_copy(from_: Array, to: Array) -> None"),
      "Begins to copy a row-major array of a device to one of the host, of as many bytes. Work on\n"
      "the queue comes behind it.");
  m.def(
      "_bytes_at_rest",
      [](nb::handle x) -> nb::object {
        const auto bytes = bytes_at_rest(require_array("_bytes_at_rest", x.ptr()));
        if (!bytes) return nb::none();
        return nb::steal(PyBytes_FromStringAndSize(reinterpret_cast<const char*>(bytes->data()),
                                                   static_cast<Py_ssize_t>(bytes->size())));
      },
      nb::arg("x"), nb::sig("def _bytes_at_rest(x: Array) -> bytes | None"),
      "A copy of a few elements of a row-major array, if it takes no wait; else None.");
  nb::class_<Mapping> mapping(m, "_HostMapping",
                              "A copy on the host of an array on a device: changed elements are "
                              "copied to the\ndevice before operations on the memory, and it is "
                              "refreshed after them.");
  mapping.def(nb::init<nb::handle, bool>(), nb::arg("array"), nb::arg("is_writable"),
              nb::sig("def __init__(self, array: Array, is_writable: bool) -> None"));
  mapping.def_prop_ro(
      "host", [](const Mapping& self) { return nb::steal(wrap(Array(self.get().host()))); },
      nb::sig("def host(self) -> Array"), "The copy, of the array's shape and strides.");
  mapping.def(
      "end", [](const Mapping& self) { self.get().end(); }, nb::sig("def end(self) -> None"),
      "Copies the last changes to the device, and detaches the copy. Waits.");
  nb::class_<IndexedKernel>(m, "_IndexedKernel",
                            "A text about x[i] that is plain arithmetic, which the host can do.");
  m.def(
      "_is_word_of_c", [](const std::string& name) { return detail::is_word_of_c(name); },
      nb::arg("name"), nb::sig("def _is_word_of_c(name: str) -> bool"));
  m.def("_read_indexed", &read_indexed, nb::arg("operation"), nb::arg("parameters"),
        nb::sig("def _read_indexed(operation: str, parameters: list[tuple[str, object, bool]]) -> "
                "_IndexedKernel | None"),
        "The text of an ElementwiseKernel; parameters are names, dtypes and whether they are\n"
        "arrays. None for other texts.");
  nb::class_<PlainKernel> c(m, "_PlainKernel",
                            "A kernel of isthmus.cl for arguments that need no preparation.");
  c.def(nb::init<const WithWords<RawKernel>&, nb::handle, std::int64_t, std::int64_t, std::int64_t,
                 nb::object, std::optional<IndexedKernel>>(),
        nb::arg("kernel"), nb::arg("parameters"), nb::arg("group"), nb::arg("each"),
        nb::arg("most"), nb::arg("end_of"), nb::arg("own").none(),
        nb::sig(
            "def __init__(self, kernel: RawKernel, parameters: list[tuple[str, int]], group: "
            "int, each: int, most: int, end_of: typing.Any, own: _IndexedKernel | None) -> None"));
  c.def(
      "__call__", &PlainKernel::call, nb::arg("args"), nb::arg("queue").none(),
      nb::sig("def __call__(self, args: tuple[object, ...], queue: object) -> typing.Any"),
      "An event, end_of(queue) where the driver gives none; None, and nothing was done, for other\n"
      "arguments.");
}

}  // namespace isthmus::python
