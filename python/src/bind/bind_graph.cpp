// bind_graph.cpp: what a pending array waits for.
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>

#include "isthmus/array/text/look.h"
#include "isthmus/runtime/unblocked.h"
#include "python/src/bind/bind.h"
#include "python/src/object/array_object.h"

namespace isthmus::python {

void bind_graph(nb::module_& m) {
  m.def(
      "source",
      [](nb::handle x) {
        const Array array = require_array("source", x.ptr());
        const Unblocked unblocked;
        return source(array);
      },
      nb::arg("x"), nb::sig("def source(x: Array, /) -> str"),
      "The text of the kernels that x waits for, in the language of its device, and in OpenCL C "
      "on\n"
      "the host, which compiles none; '' for a value that is there. Nothing is calculated.\n\n"
      "Returns: the text; print it.\nWaits: for a driver, which is opened if it is not yet.\n"
      "Raises: TypeError for what is no array; the error of a value that failed.");
  m.def(
      "show",
      [](nb::handle x, std::string_view format) {
        return show(require_array("show", x.ptr()), format);
      },
      nb::arg("x"), nb::kw_only(), nb::arg("format") = "text",
      nb::sig("def show(x: Array, /, *, format: typing.Literal[\"text\", \"dot\"] = \"text\") -> "
              "str"),
      "The operations that x waits for, one a line, or as a graph for Graphviz (\"dot\").\n\n"
      "Returns: the text; print it. Nothing is calculated.\nWaits: no.\n"
      "Raises: TypeError for what is no array, ValueError for another format.");
}

}  // namespace isthmus::python
