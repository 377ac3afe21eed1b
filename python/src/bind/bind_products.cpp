// bind_products.cpp: products of matrices and vectors.
#include <nanobind/stl/string.h>

#include "isthmus/array/products/einsum.h"
#include "isthmus/array/products/products.h"
#include "python/src/bind/bind.h"
#include "python/src/bind/define_both.h"
#include "python/src/object/arguments.h"
#include "python/src/object/array_list.h"

namespace isthmus::python {

using detail::format;

namespace {

constexpr const char* dtypes =
    "Dtypes: the common dtype; half precision is summed in float32 and rounded once, integers wrap "
    "around, bools are combined by \"or\" of \"and\".\n";
std::string of_matmul(bool takes_out = true) {
  return format(
      "Returns: new memory{}. Where the host can access the memory, a BLAS of the host multiplies "
      "floats and complex numbers during the call (config.blas), and code of the library "
      "multiplies "
      "integers and bools in blocks. Elsewhere a kernel multiplies tiles in local memory. Products "
      "with vectors and of small matrices are sums of products, and pending.\n"
      "Waits: for the operands; also for the result where the host multiplies.\n",
      takes_out ? ", or `out`" : "");
}
constexpr const char* pending =
    "Returns: new memory, or `out`; pending.\n"
    "Waits: no, unless others may change the memory of an operand.\n";

using Product = Array (*)(const Array&, const Array&);

/// Of an array and a number, and whether that stands in front.
using WithNumber = Array (*)(const Array&, const Value&, bool);

/// `with_number`: one, or none where a number is no operand.
template <Product product, WithNumber... with_number>
nb::object multiplied(const char* name, nb::handle x, nb::handle y, nb::handle out) {
  if constexpr (sizeof...(with_number) > 0) {
    const bool is_first = !is_array(x.ptr());
    const nb::handle array = is_first ? y : x, other = is_first ? x : y;
    if (is_array(array.ptr()) && !is_array(other.ptr()))
      if (const std::optional<Value> number = value_of(other.ptr()))
        return made_into(name, out, [&] {
          return (with_number, ...)(array_of(array.ptr()), *number, is_first);
        });
  }
  const Array &left = require_array(name, x.ptr()), &right = require_array(name, y.ptr());
  return made_into(name, out, [&] { return product(left, right); });
}

Array dot_with(const Array& x, const Value& number, bool) { return detail::dot_with(x, number); }

template <Product product, WithNumber... with_number>
void define(nb::module_& m, const char* name, const std::string& doc) {
  constexpr bool takes_numbers = sizeof...(with_number) > 0;
  const char* const operand = takes_numbers ? "Array | Number" : "Array";
  m.def(
      name,
      [name](nb::handle x, nb::handle y, nb::handle out) {
        return multiplied<product, with_number...>(name, x, y, out);
      },
      nb::arg("x1"), nb::arg("x2"), nb::arg("out") = nb::none(),
      nb::sig(format("def {}(x1: {}, x2: {}, /, out: Array | tuple[Array] | None = None) -> Array",
                     name, operand, operand)
                  .c_str()),
      doc.c_str());
}

void define_vecdot(nb::module_& m) {
  m.def(
      "vecdot",
      [](nb::handle x, nb::handle y, nb::handle out, std::int64_t axis) {
        const Array &left = require_array("vecdot", x.ptr()),
                    &right = require_array("vecdot", y.ptr());
        return made_into("vecdot", out, [&] { return vecdot(left, right, axis); });
      },
      nb::arg("x1"), nb::arg("x2"), nb::arg("out") = nb::none(), nb::kw_only(),
      nb::arg("axis") = -1,
      nb::sig("def vecdot(x1: Array, x2: Array, /, out: Array | tuple[Array] | None = None, *, "
              "axis: int = -1) -> Array"),
      format("Sum of conj(x1) * x2 along one axis.\n\n"
             "{}{}Shapes: the axis has the same length in both, and is removed; the others "
             "broadcast.\n"
             "{}Raises: IndexError for an axis outside an array, ValueError for shapes that do not "
             "fit, TypeError for structs.\n"
             "Source: Array API 2025.12, vecdot.",
             out_note, dtypes, pending)
          .c_str());
}

/// The number of axes, or the two lists of them.
Array tensordot_over(const Array& x, const Array& y, nb::handle given) {
  // arrays as lists: one of a row is a pair of axes, not a number of them
  const nb::object axes = PyObject_HasAttrString(given.ptr(), "tolist") == 1
                              ? nb::object(given.attr("tolist")())
                              : nb::borrow(given);
  if (PyIndex_Check(axes.ptr())) return tensordot(x, y, int_of("tensordot: axes", axes));
  const bool is_pair = PySequence_Check(axes.ptr()) && PySequence_Size(axes.ptr()) == 2;
  check(is_pair, Errc::type,
        "tensordot: axes: expected an int, or axes of the first and of the second array, not {}",
        found_as(axes));
  const auto of = [&](int which) {
    const nb::object part = nb::steal(PySequence_GetItem(axes.ptr(), which));
    if (!part.is_valid()) throw nb::python_error();
    return Axes(dims_of("tensordot: axes", part));
  };
  return tensordot(x, y, of(0), of(1));
}

void define_cross(nb::module_& m) {
  m.def(
      "cross",
      [](nb::handle x, nb::handle y, std::int64_t axis) {
        return nb::steal(
            wrap(cross(require_array("cross", x.ptr()), require_array("cross", y.ptr()), axis)));
      },
      nb::arg("x1"), nb::arg("x2"), nb::kw_only(), nb::arg("axis") = -1,
      nb::sig("def cross(x1: Array, x2: Array, /, *, axis: int = -1) -> Array"),
      "Cross products of vectors of three elements along one axis.\n\n"
      "Shapes: the axis has 3 elements in both; the others broadcast.\n"
      "Returns: new memory; pending.\n"
      "Waits: no, unless others may change the memory of an operand.\n"
      "Raises: IndexError for an axis outside an array, ValueError for shapes that do not "
      "fit, TypeError for bools and structs.\n"
      "Source: Array API 2025.12, linalg.cross.");
}

void define_tensordot(nb::module_& m) {
  m.def(
      "tensordot",
      [](nb::handle x, nb::handle y, nb::handle axes) {
        return nb::steal(wrap(tensordot_over(require_array("tensordot", x.ptr()),
                                             require_array("tensordot", y.ptr()), axes)));
      },
      nb::arg("x1"), nb::arg("x2"), nb::arg("axes") = 2,
      nb::sig("def tensordot(x1: Array, x2: Array, /, axes: SupportsIndex | tuple[Axes, Axes] "
              "| list[Axes] | Elements = 2) -> Array"),
      format("Sum of products over pairs of axes.\n\n"
             "axes: the number of axes, the last ones of x1 and the first ones of x2; or axes of "
             "x1 and of x2, which are paired in this order, as tuples, lists or one array. 0 gives "
             "all products.\n"
             "{}Shapes: the other axes of x1, then those of x2.\n"
             "{}Raises: IndexError for an axis outside an array, ValueError for axes that differ "
             "in length or number, TypeError for structs.\n"
             "Source: Array API 2025.12, tensordot.",
             dtypes, of_matmul(false))
          .c_str());
}

std::vector<std::int64_t> step_of(nb::handle step) {
  const bool is_list = PyList_Check(step.ptr()) || PyTuple_Check(step.ptr());
  check(is_list, Errc::type,
        "einsum: optimize: expected steps such as (0, 1), the places of operands, not {}",
        found_as(step));
  std::vector<std::int64_t> places;
  for (nb::handle place : step) places.push_back(int_of("einsum: optimize", place));
  return places;
}

/// NumPy's paths begin with the word "einsum_path".
EinsumPath path_of_steps(nb::handle steps) {
  EinsumPath path;
  bool is_first = true;
  for (nb::handle step : steps) {
    const bool is_word = is_first && PyUnicode_Check(step.ptr()) && utf8_of(step) == "einsum_path";
    if (!is_word) path.push_back(step_of(step));
    is_first = false;
  }
  return path;
}

/// Operands of the shapes of `words`, without memory of their own, for those who plan an order.
nb::list shapes_of(nb::handle words) {
  const nb::module_ numpy = nb::module_::import_("numpy");
  const nb::object element = numpy.attr("empty")(nb::tuple());
  nb::list operands;
  for (nb::handle word : words)
    operands.append(is_array(word.ptr()) ? numpy.attr("broadcast_to")(element, word.attr("shape"))
                                         : nb::borrow(word));
  return operands;
}

/// The order that numpy.einsum_path finds for operands of these shapes. Nothing where it refuses
/// them: what is wrong is said by einsum().
std::optional<EinsumPath> planned(nb::handle words, nb::handle optimize) {
  const nb::module_ numpy = nb::module_::import_("numpy");
  try {
    const nb::object found =
        numpy.attr("einsum_path")(*shapes_of(words), nb::arg("optimize") = nb::borrow(optimize));
    return path_of_steps(found[0]);
  } catch (nb::python_error& error) {
    if (!error.matches(PyExc_ValueError) && !error.matches(PyExc_TypeError)) throw;
    return std::nullopt;
  }
}

/// The same of opt_einsum, which knows more words. `limit`: the elements that a product may have,
/// or None.
std::optional<EinsumPath> planned_by_opt_einsum(nb::handle words, nb::handle word,
                                                nb::handle limit) {
  constexpr std::string_view known =
      "einsum: optimize: '{}' is none of True, False, 'greedy', 'optimal'; {}";
  nb::object library;
  try {
    library = nb::module_::import_("opt_einsum");
  } catch (nb::python_error& error) {
    if (!error.matches(PyExc_ImportError)) throw;
    fail(Errc::value, known, utf8_of(word),
         "other words, such as 'auto' and 'dp', need the package opt_einsum");
  }
  try {
    library.attr("paths").attr("get_path_fn")(word);  // else two operands take any word
    const nb::object found =
        library.attr("contract_path")(*shapes_of(words), nb::arg("optimize") = nb::borrow(word),
                                      nb::arg("memory_limit") = nb::borrow(limit));
    return path_of_steps(found[0]);
  } catch (nb::python_error& error) {
    if (error.matches(PyExc_KeyError))
      fail(Errc::value, known, utf8_of(word),
           "and opt_einsum has no such word; 'auto' and 'dp' are some of its words");
    if (!error.matches(PyExc_ValueError) && !error.matches(PyExc_TypeError)) throw;
    return std::nullopt;
  }
}

/// What `optimize` says of the order; nothing for the library's own. `words` are the arguments
/// before it.
std::optional<EinsumPath> path_of(nb::handle optimize, nb::handle words) {
  if (PyBool_Check(optimize.ptr()))
    return optimize.is(Py_True) ? std::nullopt : std::optional(EinsumPath());
  if (PyUnicode_Check(optimize.ptr())) {
    const std::string word = utf8_of(optimize);
    if (word == "greedy") return std::nullopt;
    return word == "optimal" ? planned(words, optimize)
                             : planned_by_opt_einsum(words, optimize, nb::none());
  }
  const bool is_list = PyList_Check(optimize.ptr()) || PyTuple_Check(optimize.ptr());
  check(is_list, Errc::type,
        "einsum: optimize: expected a bool, 'greedy', 'optimal' or a list of steps, not {}",
        found_as(optimize));
  if (nb::len(optimize) == 2 && PyUnicode_Check(nb::object(optimize[0]).ptr()) &&
      PyNumber_Check(nb::object(optimize[1]).ptr())) {
    const std::string word = utf8_of(optimize[0]);  // and the elements that a product may have
    return word == "greedy" || word == "optimal"
               ? planned(words, optimize)
               : planned_by_opt_einsum(words, nb::object(optimize[0]), nb::object(optimize[1]));
  }
  return path_of_steps(optimize);
}

/// The axes that a list names, where `...` is the rest of them.
Axes axes_of_einsum(nb::handle list) {
  const bool is_list = PyList_Check(list.ptr()) || PyTuple_Check(list.ptr());
  check(is_list, Errc::type,
        "einsum: expected a list of axes, such as [0, 1], after each array, not {}",
        found_as(list));
  Axes axes;
  for (nb::handle axis : list) {
    if (axis.is(Py_Ellipsis)) {
      axes.push_back(other_axes);
      continue;
    }
    check(PyIndex_Check(axis.ptr()), Errc::type, "einsum: axes are ints or '...', not {}",
          found_as(axis));
    int overflow = 0;
    const nb::object index = nb::steal(PyNumber_Index(axis.ptr()));
    if (!index) throw nb::python_error();
    const std::int64_t number = PyLong_AsLongLongAndOverflow(index.ptr(), &overflow);
    check(!overflow && number >= 0, Errc::value,
          "einsum: {} is not a valid axis label; expected a number from 0 on",
          utf8_of(nb::str(index)));
    axes.push_back(number);
  }
  return axes;
}

/// einsum(x, [0, 1], y, [1, 2], [0, 2])
Array einsum_of_lists(nb::handle first, const nb::args& rest, const EinsumPath* path) {
  std::vector<Array> arrays{require_array("einsum", first.ptr())};
  std::vector<Axes> axes;
  std::optional<Axes> result;
  const std::size_t count = rest.size();
  check(count > 0, Errc::type, "einsum: a list of axes is missing after the array");
  for (std::size_t i = 0; i < count; ++i) {
    if (i % 2 == 0)
      axes.push_back(axes_of_einsum(rest[i]));
    else if (i + 1 == count)
      result = axes_of_einsum(rest[i]);
    else
      arrays.push_back(require_array("einsum", nb::handle(rest[i]).ptr()));
  }
  return einsum(arrays, axes, result ? &*result : nullptr, path);
}

void define_einsum(nb::module_& m) {
  m.def(
      "einsum",
      [](nb::handle subscripts, nb::args operands, nb::handle optimize, nb::handle out) {
        if (is_array(subscripts.ptr())) {
          const nb::object words = nb::make_tuple(subscripts) + operands;
          const std::optional<EinsumPath> order = path_of(optimize, words);
          return made_into("einsum", out, [&] {
            return einsum_of_lists(subscripts, operands, order ? &*order : nullptr);
          });
        }
        check(PyUnicode_Check(subscripts.ptr()), Errc::type,
              "einsum: expected subscripts such as 'ij,jk->ik' before the arrays, or an array and "
              "a list of its axes, not {}",
              found_as(subscripts));
        const std::string text = utf8_of(subscripts);
        const std::vector<Array> arrays = arrays_of("einsum", operands);
        const nb::object words = nb::make_tuple(subscripts) + operands;
        const std::optional<EinsumPath> path = path_of(optimize, words);
        return made_into("einsum", out,
                         [&] { return einsum(text, arrays, path ? &*path : nullptr); });
      },
      nb::arg("subscripts"), nb::arg("operands"), nb::kw_only(), nb::arg("optimize") = true,
      nb::arg("out") = nb::none(),
      nb::sig("def einsum(subscripts: str | Array, /, *operands: Array | Sequence[Any], "
              "optimize: bool | str | Sequence[Any] = True, out: Array | tuple[Array] | None = "
              "None) -> Array"),
      format(
          "Sum of products, described by labels of axes: \"ij,jk->ik\" is a product of "
          "matrices.\n\n"
          "One letter stands for each axis of an operand, and \"...\" for axes that broadcast. "
          "Axes that are not listed after \"->\" are summed over. Without \"->\", the result has "
          "the axes whose letter occurs once, in alphabetical order, after those of \"...\". A "
          "letter twice in one operand takes its diagonal. Numbers can replace letters: einsum(x, "
          "[0, 1], y, [1, 2], [0, 2]); each array is followed by the list of its axes, with ... "
          "for those that broadcast, and the list of the result may come last.\n\n"
          "optimize: the order of the products. True or \"greedy\": first the two operands whose "
          "product saves most memory. False: from left to right. \"optimal\", or a word and the "
          "most elements that a product may have, (\"greedy\", 10**6): the order that "
          "numpy.einsum_path finds. \"auto\", \"dp\" and other words of opt_einsum: the order that "
          "this package finds, if it is installed. Or a path of opt_einsum or numpy.einsum_path.\n"
          "{}{}Shapes: axes of one letter have the same length, or 1.\n"
          "{}Raises: ValueError for subscripts that do not describe the operands, TypeError for "
          "structs.\n"
          "Source: NumPy 2, einsum.",
          out_note, dtypes, of_matmul())
          .c_str());
}

}  // namespace

void bind_products(nb::module_& m) {
  define<matmul>(m, "matmul",
                 format("Matrix product: x1 @ x2.\n\n"
                        "{}{}Shapes: (..., m, k) and (..., k, n) give (..., m, n); leading axes "
                        "broadcast. A 1-d operand is a row on the left and a column on the right, "
                        "and that axis is removed from the result.\n"
                        "{}Raises: ValueError for shapes that do not fit and for 0-d operands, "
                        "TypeError for structs.\n"
                        "Source: Array API 2025.12, matmul.",
                        out_note, dtypes, of_matmul()));
  define<outer, detail::outer_with>(
      m, "outer",
      format("All products of an element of x1 and an element of x2.\n\n"
             "{}Shapes: (x1.size, x2.size), each in row-major order. One of them may be a number.\n"
             "{}Raises: TypeError for structs.\n"
             "Source: NumPy 2, outer.",
             out_note, pending));
  const std::string of_vdot = format(
      "{}{}Shapes: both have the same number of elements; the result is 0-d.\n"
      "{}Raises: ValueError for different sizes, TypeError for structs.\n"
      "Source: NumPy 2, vdot.",
      out_note, dtypes, pending);
  define<vdot>(m, "vdot", "Sum of conj(x1) * x2 over all elements.\n\n" + of_vdot);
  const std::string of_dot = format(
      "{}{}Shapes: 0-d arrays and numbers as multiply; 1-d and 2-d arrays as matmul; else the last "
      "axis of the first and the second to last axis of the second are summed over.\n"
      "{}Raises: ValueError for shapes that do not fit, TypeError for structs.\n"
      "Source: NumPy 2, dot.",
      out_note, dtypes, of_matmul());
  define<dot, dot_with>(m, "dot", "The product of arrays, as numpy.dot.\n\n" + of_dot);
  nb::borrow<nb::class_<ArrayObject>>(m.attr("Array"))
      .def(
          "dot",
          [](nb::handle x, nb::handle y, nb::handle out) {
            return multiplied<dot, dot_with>("dot", x, y, out);
          },
          nb::arg("other"), nb::arg("out") = nb::none(),
          nb::sig("def dot(self, other: Array | Number, /, out: Array | tuple[Array] | None = "
                  "None) -> "
                  "Array"),
          ("The product of this array and another, as numpy.ndarray.dot.\n\n" + of_dot).c_str())
      .def(
          "vdot",
          [](nb::handle x, nb::handle y, nb::handle out) {
            return multiplied<vdot>("vdot", x, y, out);
          },
          nb::arg("other"), nb::arg("out") = nb::none(),
          nb::sig("def vdot(self, other: Array, /, out: Array | tuple[Array] | None = None) -> "
                  "Array"),
          ("Sum of conj(x) * other over all elements.\n\n" + of_vdot).c_str());
  define_vecdot(m);
  define_cross(m);
  define_tensordot(m);
  define_einsum(m);
}

}  // namespace isthmus::python
