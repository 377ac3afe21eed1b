// plain_calls.cpp: calls of operations and reductions with arrays alone. nanobind takes as long to
// find which argument stands for which parameter as a small array takes to be calculated, so that
// calls without keywords and options go past it. All others are nanobind's, its errors too.
#include <utility>

#include "isthmus/array/array.h"
#include "isthmus/array/functions.h"
#include "python/src/bind/bind.h"
#include "python/src/bind/entry.h"
#include "python/src/object/array_object.h"

namespace isthmus::python {

namespace {

/// Rows of ops.def and special.def; those of reductions.def that are functions.
constexpr std::size_t op_count = static_cast<std::size_t>(Op::astype);
#define REDUCTION(...) +1
constexpr std::size_t reduction_count = 0
#include "isthmus/core/reductions.def"
    ;

/// The entry of a function whose result for `count` arguments, the first an Array, is made by
/// `make`. Each function has a type `make` of its own, and so a `rest` of its own.
template <Py_ssize_t count, class Make>
struct Plain {
  static inline vectorcallfunc rest = nullptr;  ///< Takes the other calls.
  static PyObject* call(PyObject* function, PyObject* const* args, std::size_t given,
                        PyObject* names) {
    if (names || PyVectorcall_NARGS(given) != count || !is_array(args[0]))
      return rest(function, args, given, names);
    return guarded([&] { return wrap(Make()(args)); });
  }
};

template <Py_ssize_t count, class Make>
void enter(nb::handle function, Make) {
  vectorcallfunc& entry = entry_of(function);
  Plain<count, Make>::rest = std::exchange(entry, Plain<count, Make>::call);
}

template <std::size_t row>
void enter_op(nb::handle m) {
  constexpr Op op = static_cast<Op>(row);
  const OpInfo& known = info(op);
  if (op == Op::clip || op == Op::round || known.arity > 2) return;  // they have more to look at
  const nb::object space = known.space.empty()
                               ? nb::borrow(m)
                               : nb::object(m.attr(detail::format("_{}", known.space).c_str()));
  const nb::object function = space.attr(known.name.data());
  if (known.arity == 1)
    enter<1>(function, [](PyObject* const* args) { return apply(op, {array_of(args[0])}); });
  else
    enter<2>(function, [](PyObject* const* args) {
      return apply(op, {array_of(args[0]), require_value(info(op).name.data(), args[1])});
    });
}

template <std::size_t row>
void enter_reduction(nb::handle m) {
  constexpr Reduction reduction = static_cast<Reduction>(row);
  const char* const name = info(reduction).name.data();
  enter<1>(m.attr(name),
           [](PyObject* const* args) { return reduce(reduction, array_of(args[0]), {}, false); });
  if (info(reduction).leaves_out_nan()) return;
  enter<1>(m.attr("Array").attr(name),
           [](PyObject* const* args) { return reduce(reduction, array_of(args[0]), {}, false); });
}

void enter_mean(nb::handle m) {
  enter<1>(m.attr("mean"), [](PyObject* const* args) { return mean(array_of(args[0])); });
  enter<1>(m.attr("Array").attr("mean"),
           [](PyObject* const* args) { return mean(array_of(args[0])); });
}

}  // namespace

void bind_plain_calls(nb::module_& m) {
  [&]<std::size_t... row>(std::index_sequence<row...>) {
    (enter_op<row>(m), ...);
  }(std::make_index_sequence<op_count>());
  [&]<std::size_t... row>(std::index_sequence<row...>) {
    (enter_reduction<row>(m), ...);
  }(std::make_index_sequence<reduction_count>());
  enter_mean(m);
}

}  // namespace isthmus::python
