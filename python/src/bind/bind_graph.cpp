// bind_graph.cpp: what a pending array waits for.
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>

#include "isthmus/array/text/look.h"
#include "isthmus/runtime/unblocked.h"
#include "python/src/bind/bind.h"
#include "python/src/object/array_list.h"
#include "python/src/object/array_object.h"

namespace isthmus::python {

namespace {

/// An array, or those in a tuple or list, as functions of several results give them.
std::vector<Array> shown_of(const char* who, nb::handle x) {
  if (!PyTuple_Check(x.ptr()) && !PyList_Check(x.ptr())) return {require_array(who, x.ptr())};
  return arrays_of(who, x);
}

}  // namespace

void bind_graph(nb::module_& m) {
  m.def(
      "source",
      [](nb::handle x) {
        const std::vector<Array> arrays = shown_of("source", x);
        const Unblocked unblocked;
        return source(arrays);
      },
      nb::arg("x"), nb::sig("def source(x: Array | collections.abc.Sequence[Array], /) -> str"),
      "The source code of the kernels that x waits for, without calculating anything.\n\n"
      "It is in the language of the device of x, and in OpenCL C on the host, which compiles\n"
      "no kernels; '' if x is not pending.\n\n"
      "x: an array; or a tuple or list of arrays, such as min_max() returns, which one kernel may "
      "write.\n"
      "Returns: the text; print it.\n"
      "Waits: for a driver, which is opened if necessary.\n"
      "Raises: TypeError if one is not an array, ValueError for an empty list; the error of a "
      "value that failed.");
  m.def(
      "show",
      [](nb::handle x, std::string_view format) {
        const std::vector<Array> arrays = shown_of("show", x);
        const nb::str text(show(arrays, format).c_str());
        if (format == "dot") return nb::object(text);
        const nb::object drawn = nb::module_::import_("isthmus._drawn").attr("Drawn");
        return drawn.attr("of")(text,
                                format == "svg" ? text : nb::str(show(arrays, "svg").c_str()));
      },
      nb::arg("x"), nb::kw_only(), nb::arg("format") = "text",
      nb::sig("def show(x: Array | collections.abc.Sequence[Array], /, *, format: "
              "typing.Literal[\"text\", \"svg\", \"dot\"] = "
              "\"text\") -> str"),
      "The operations that x waits for, as text with one per line, as a picture (\"svg\"), or\n"
      "as a graph for Graphviz (\"dot\").\n\n"
      "x: an array; or a tuple or list of arrays, which are shown together.\n"
      "Returns: the text; print it. A notebook displays it as a picture, except for \"dot\".\n"
      "Nothing is calculated.\n"
      "Waits: no.\n"
      "Raises: TypeError if one is not an array, ValueError for an empty list and for an unknown "
      "format.");
}

}  // namespace isthmus::python
