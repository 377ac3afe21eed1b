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
        const Array array = require_array("show", x.ptr());
        const nb::str text(show(array, format).c_str());
        if (format == "dot") return nb::object(text);
        const nb::object drawn = nb::module_::import_("isthmus._drawn").attr("Drawn");
        return drawn.attr("of")(text, format == "svg" ? text : nb::str(show(array, "svg").c_str()));
      },
      nb::arg("x"), nb::kw_only(), nb::arg("format") = "text",
      nb::sig("def show(x: Array, /, *, format: typing.Literal[\"text\", \"svg\", \"dot\"] = "
              "\"text\") -> str"),
      "The operations that x waits for, one a line, as a picture (\"svg\"), or as a graph for\n"
      "Graphviz (\"dot\").\n\n"
      "Returns: the text; print it. A notebook that displays it draws the picture, but of "
      "\"dot\".\n"
      "Nothing is calculated.\nWaits: no.\n"
      "Raises: TypeError for what is no array, ValueError for another format.");
}

}  // namespace isthmus::python
