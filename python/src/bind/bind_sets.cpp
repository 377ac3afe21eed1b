// bind_sets.cpp: distinct elements.
#include "isthmus/array/sort/sets.h"

#include "python/src/bind/bind.h"
#include "python/src/object/array_object.h"
#include "python/src/object/beside.h"
#include "python/src/object/flag.h"

namespace isthmus::python {

namespace {

using detail::format;

constexpr const char* shared_doc =
    "\n\n"
    "Each NaN is distinct from all others; 0.0 and -0.0 are equal, and the first one is returned. "
    "Values are in ascending order, as by sort().\n"
    "Returns: new memory. Values and the arrays that belong to them are 1-d{}.\n"
    "Waits: for x, which determines the number of values.\n"
    "Raises: TypeError for struct dtypes.\n"
    "Source: Array API 2025.12, {}.";

/// A named tuple of _results.py.
template <class... Arrays>
nb::object result(const char* name, const Arrays&... arrays) {
  const nb::object make = nb::module_::import_("isthmus._results").attr(name);
  return make(nb::steal(wrap(arrays))...);
}

template <class F>
void define(nb::module_& m, const char* name, const char* given, const char* summary,
            const char* shapes, F calculate) {
  m.def(
      name, [=](nb::handle x) { return calculate(require_array(name, x.ptr())); }, nb::arg("x"),
      nb::sig(format("def {}(x: Array, /) -> {}", name, given).c_str()),
      (summary + detail::format(shared_doc, shapes, name)).c_str());
}

}  // namespace

void bind_sets(nb::module_& m) {
  constexpr const char* inverse = "; inverse_indices has the shape of x";
  define(m, "unique_values", "Array", "The distinct elements of an array.", "",
         [](const Array& x) { return nb::steal(wrap(unique_values(x))); });
  define(m, "unique_counts", "isthmus._results.UniqueCountsResult",
         "The distinct elements of an array, and how often each occurs: (values, counts).", "",
         [](const Array& x) {
           const UniqueCounts all = unique_counts(x);
           return result("UniqueCountsResult", all.values, all.counts);
         });
  define(m, "unique_inverse", "isthmus._results.UniqueInverseResult",
         "The distinct elements of an array, and for each element of x its index among them: "
         "(values, inverse_indices).",
         inverse, [](const Array& x) {
           const UniqueInverse all = unique_inverse(x);
           return result("UniqueInverseResult", all.values, all.inverse_indices);
         });
  define(m, "unique_all", "isthmus._results.UniqueAllResult",
         "The distinct elements of an array, the index of the first occurrence of each in "
         "row-major order, for each element of x its index among the distinct ones, and how often "
         "each occurs: (values, indices, inverse_indices, counts).",
         inverse, [](const Array& x) {
           const UniqueAll all = unique_all(x);
           return result("UniqueAllResult", all.values, all.indices, all.inverse_indices,
                         all.counts);
         });
  m.def(
      "isin",
      [](nb::handle x1, nb::handle x2, Flag invert) {
        const Array& near = first_array("isin", x1, x2);
        const OperandBeside elements("isin: x1", x1, near), known("isin: x2", x2, near);
        return nb::steal(wrap(isin(elements.value(), known.value(), invert)));
      },
      nb::arg("x1"), nb::arg("x2"), nb::kw_only(), nb::arg("invert") = false,
      nb::sig("def isin(x1: Elements, x2: Elements, /, *, invert: bool = False) -> "
              "Array"),
      "Whether each element of x1 is equal to any element of x2, or with invert to none; NaN is "
      "equal to nothing.\n\n"
      "Shapes: that of x1.\n"
      "Returns: bool, new memory, pending; for complex numbers calculated immediately.\n"
      "Waits: on the host for x2 if it is an array, which the call calculates and reads; on a "
      "device the call enqueues that.\n"
      "Raises: TypeError if neither is an array and for struct dtypes, PromotionError for dtypes "
      "without a common dtype.\n"
      "Source: Array API 2025.12, isin.");
}

}  // namespace isthmus::python
