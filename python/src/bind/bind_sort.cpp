// bind_sort.cpp: elements in order.
#include "isthmus/array/sort/sort.h"

#include <nanobind/stl/optional.h>

#include "isthmus/array/apply.h"
#include "python/src/bind/bind.h"
#include "python/src/object/array_list.h"
#include "python/src/object/flag.h"

namespace isthmus::python {

namespace {

using detail::format;

constexpr const char* sort_doc =
    "{}, the smallest first, or the largest with descending. NaN comes last in both directions; "
    "complex numbers are ordered by their real parts, then by their imaginary parts, those with a "
    "NaN last. Equal elements keep their order, stable or not. With the axis None, all elements "
    "are sorted in row-major order.\n\n"
    "Returns: new memory, pending.\n"
    "Waits: no, unless others may change the memory of x.\n"
    "Raises: IndexError for an axis out of range, ValueError for an array without axes, TypeError "
    "for struct dtypes.\n"
    "Source: Array API 2025.12, {}.";

template <Array (*calculate)(Array, OptionalInteger, const SortOptions&)>
void define_sort(nb::module_& m, const char* name, const char* what) {
  m.def(
      name,
      [name](nb::handle x, std::optional<std::int64_t> axis, Flag descending, Flag stable) {
        return nb::steal(wrap(calculate(require_array(name, x.ptr()), axis, {descending, stable})));
      },
      nb::arg("x"), nb::arg("axis").none() = -1, nb::kw_only(), nb::arg("descending") = false,
      nb::arg("stable") = true,
      nb::sig(format("def {}(x: Array, /, axis: int | None = -1, *, descending: bool = False, "
                     "stable: bool = True) -> Array",
                     name)
                  .c_str()),
      detail::format(sort_doc, what, name).c_str());
}

template <Array (*calculate)(const Array&, const Axes&, OptionalInteger)>
PyObject* parted(const char* name, nb::handle x, nb::handle kth, nb::handle axis) {
  std::optional<std::int64_t> along;
  if (!axis.is_none()) along = int_of(name, axis);
  return wrap(calculate(require_array(name, x.ptr()), dims_of(name, kth), along));
}

template <Array (*calculate)(const Array&, const Axes&, OptionalInteger)>
void define_partition(nb::module_& m, const char* name, const char* what) {
  m.def(
      name,
      [name](nb::handle x, nb::handle kth, nb::handle axis) {
        return nb::steal(parted<calculate>(name, x, kth, axis));
      },
      nb::arg("x"), nb::arg("kth"), nb::arg("axis").none() = -1,
      nb::sig(
          format("def {}(x: Array, /, kth: Axes, axis: int | None = -1) -> Array", name).c_str()),
      format("{}: the elements at the indices kth are where sort() puts them, with none greater "
             "before and none less after them. On the host they are selected, for up to 16 "
             "indices; other devices sort all elements, which is also such an order. The same "
             "input gives the same order each time.\n\n"
             "Returns: new memory, pending.\n"
             "Waits: as sort().\n"
             "Raises: IndexError for an index out of range of the axis, else as sort().\n"
             "Source: NumPy 2, {}.",
             what, name)
          .c_str());
}

void define_methods() {
  nb::borrow<nb::class_<ArrayObject>>(reinterpret_cast<PyObject*>(array_type))
      .def(
          "sort",
          [](nb::handle x, std::int64_t axis, Flag descending, Flag stable) {
            const Array& array = require_array("sort", x.ptr());
            detail::assign_for("sort", array, sort(array, axis, {descending, stable}));
          },
          nb::arg("axis") = -1, nb::kw_only(), nb::arg("descending") = false,
          nb::arg("stable") = true,
          nb::sig("def sort(self, axis: int = -1, *, descending: bool = False, stable: bool = "
                  "True) -> None"),
          "Sorts the elements along an axis, in place; isthmus.sort(x) returns a new array.\n\n"
          "Waits: as x[...] = y does.\n"
          "Raises: as sort, ValueError for a read-only array.\n"
          "Source: NumPy 2, ndarray.sort.")
      .def(
          "partition",
          [](nb::handle x, nb::handle kth, std::int64_t axis) {
            const Array& array = require_array("partition", x.ptr());
            detail::assign_for("partition", array,
                               partition(array, dims_of("partition", kth), axis));
          },
          nb::arg("kth"), nb::arg("axis") = -1,
          nb::sig("def partition(self, kth: Axes, axis: int = -1) -> None"),
          "Partitions the elements along an axis as isthmus.partition does, in place.\n\n"
          "Waits: as x[...] = y does.\n"
          "Raises: as partition, ValueError for a read-only array.\n"
          "Source: NumPy 2, ndarray.partition.")
      .def(
          "argpartition",
          [](nb::handle x, nb::handle kth, nb::handle axis) {
            return nb::steal(parted<argpartition>("argpartition", x, kth, axis));
          },
          nb::arg("kth"), nb::arg("axis").none() = -1,
          nb::sig("def argpartition(self, kth: Axes, axis: int | None = -1) -> Array"),
          "See isthmus.argpartition.")
      .def(
          "argsort",
          [](nb::handle x, std::optional<std::int64_t> axis, Flag descending, Flag stable) {
            return nb::steal(
                wrap(argsort(require_array("argsort", x.ptr()), axis, {descending, stable})));
          },
          nb::arg("axis").none() = -1, nb::kw_only(), nb::arg("descending") = false,
          nb::arg("stable") = true,
          nb::sig("def argsort(self, axis: int | None = -1, *, descending: bool = False, stable: "
                  "bool = True) -> Array"),
          "argsort as a method of NumPy: with the axis None, of all elements in row-major "
          "order.\n\n"
          "Returns: int64, new memory, pending.\n"
          "Raises: as argsort.\n"
          "Source: NumPy 2, ndarray.argsort.");
}

}  // namespace

void bind_sort(nb::module_& m) {
  define_sort<sort>(m, "sort", "The elements sorted along an axis");
  define_sort<argsort>(m, "argsort", "The indices along an axis that sort the elements, int64");
  define_partition<partition>(m, "partition", "The elements partitioned along an axis");
  define_partition<argpartition>(m, "argpartition",
                                 "The indices along an axis that partition the elements, int64");
  m.def(
      "lexsort",
      [](nb::handle keys, std::int64_t axis) {
        return nb::steal(wrap(lexsort(arrays_of("lexsort", keys), axis)));
      },
      nb::arg("keys"), nb::arg("axis") = -1,
      nb::sig("def lexsort(keys: collections.abc.Sequence[Array] | Array, /, axis: int = -1) -> "
              "Array"),
      "The indices along an axis, int64, that sort by the last key; where it has equal elements, "
      "by the key before it, and so on.\n\n"
      "keys: arrays of one shape, or one array with the keys along its first axis.\n"
      "Returns: new memory, pending.\n"
      "Waits: as sort().\n"
      "Raises: ValueError for no keys or different shapes, else as sort().\n"
      "Source: NumPy 2, lexsort.");
  m.def(
      "topk",
      [](nb::handle x, nb::handle k, std::int64_t axis, Flag largest) {
        const Array& array = require_array("topk", x.ptr());
        const TopK made = topk(array, int_of("topk: k", k), axis, largest);
        return tuple_of(std::vector<Array>{made.values, made.indices});
      },
      nb::arg("x"), nb::arg("k"), nb::arg("axis") = -1, nb::arg("largest") = true,
      nb::sig("def topk(x: Array, k: int, /, axis: int = -1, largest: bool = True) -> "
              "tuple[Array, Array]"),
      "The k largest elements along an axis in descending order, and their indices: (values, "
      "indices).\n\nlargest: False gives the k smallest elements in ascending order. Equal "
      "elements "
      "keep their order. NaN comes last in both cases.\nReturns: new memory, pending; indices are "
      "int64.\nWaits: as "
      "sort().\nRaises: ValueError unless 0 <= k <= the length of the axis, else as "
      "sort().\nSource: sort() of the Array API 2025.12.");
  define_methods();
}

}  // namespace isthmus::python
