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
      "The text of the kernels that x waits for, in the language of its device, and in OpenCL C "
      "on\n"
      "the host, which compiles none; '' for a value that is there. Nothing is calculated.\n\n"
      "x: an array; or a tuple or list of some, such as min_max() gives, which one kernel may "
      "write.\n"
      "Returns: the text; print it.\nWaits: for a driver, which is opened if it is not yet.\n"
      "Raises: TypeError for what is no array, ValueError for none; the error of a value that "
      "failed.");
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
      "The operations that x waits for, one a line, as a picture (\"svg\"), or as a graph for\n"
      "Graphviz (\"dot\").\n\n"
      "x: an array; or a tuple or list of some, which are shown together.\n"
      "Returns: the text; print it. A notebook that displays it draws the picture, but of "
      "\"dot\".\n"
      "Nothing is calculated.\nWaits: no.\n"
      "Raises: TypeError for what is no array, ValueError for none and for another format.");
}

}  // namespace isthmus::python
