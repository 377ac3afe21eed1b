// bind_elementwise.cpp: the class ElementwiseKernel.
#include <nanobind/stl/string.h>

#include <optional>
#include <vector>

#include "isthmus/kernels/elementwise_kernel.h"
#include "python/src/bind/bind.h"
#include "python/src/object/arguments.h"
#include "python/src/object/array_list.h"
#include "python/src/object/with_words.h"

namespace isthmus::python {

using detail::format;

namespace {

using Elementwise = WithWords<ElementwiseKernel>;

nb::object call(const Elementwise& kernel, const nb::args& args, nb::handle size) {
  const std::string who = format("kernel '{}'", kernel.name());
  std::vector<Value> values;
  for (const nb::handle one : args) values.push_back(require_value(who.c_str(), one.ptr()));
  std::optional<Shape> shape;
  if (!size.is_none()) shape = dims_of("size", size);
  const std::vector<Array> made = kernel.run(values, shape);
  const std::size_t in = args.size() - (args.size() > kernel.input_count() ? made.size() : 0);
  const auto object = [&](std::size_t k) {
    return args.size() > in ? nb::borrow(args[in + k]) : nb::steal(wrap(made[k]));
  };
  if (made.size() == 1) return object(0);
  nb::object tuple = nb::steal(PyTuple_New(static_cast<Py_ssize_t>(made.size())));
  if (!tuple.is_valid()) throw nb::python_error();
  for (std::size_t k = 0; k < made.size(); ++k)
    PyTuple_SET_ITEM(tuple.ptr(), static_cast<Py_ssize_t>(k), object(k).release().ptr());
  return tuple;
}

constexpr const char* text =
    "A function of elements, as text in OpenCL C, for arrays of opencl, sycl and cpu.\n\n"
    "ElementwiseKernel(\"T x, T y\", \"T z\", \"z = (x - y) * (x - y)\", \"squared\")(x, y)\n\n"
    "Parameters have a dtype, or one capital letter, which stands for the dtype of what is given.\n"
    "Of a `raw` one the text has all elements in row-major order, x[k]; of the others one element\n"
    "of arrays that are broadcast. `i` is the number of the element in row-major order, `n` how\n"
    "many there are. The operation is statements that assign the output parameters. `preamble`\n"
    "stands before the functions in each kernel. `options` are the compiler's: those that define\n"
    "macros, (\"-DN=4\",), are lines before the preamble; a kernel with others, such as\n"
    "\"-cl-fast-relaxed-math\", is compiled with them, and calculates nothing but functions with\n"
    "the same ones. `structs` are the dtypes of structs by the names that the texts have for "
    "them:\n"
    "{\"pair\": numpy.dtype([(\"low\", \"f4\"), (\"high\", \"f4\")])}.\n\n"
    "Waits: no.\nRaises: ValueError for parameters that cannot be read, and for an output that\n"
    "neither the operation nor the preamble names.\n"
    "Source: CuPy 13, ElementwiseKernel.";
constexpr const char* call_text =
    "The output, or a tuple of several, for arrays and numbers in the order of the parameters.\n\n"
    "Behind the inputs arrays may stand that outputs are written to. An output is what its\n"
    "element was until the text assigns it, in a new array 0. `size` is the shape where no array\n"
    "that is not raw says it.\n\n"
    "Returns: new memory, pending: it fuses with what is around it. On cpu a text that is no\n"
    "plain arithmetic runs at once, on an OpenCL device that reaches the host's memory.\n"
    "Waits: no, but for such a text of arrays of cpu: for the build.\n"
    "Raises: TypeError for dtypes that do not fit, ValueError for shapes,\n"
    "OverflowError for numbers, DeviceMismatchError for arrays of several devices,\n"
    "NotImplementedError for a device without kernels of users. What does not compile is a\n"
    "CompileError where the result is needed.\nSource: CuPy 13, ElementwiseKernel.";

}  // namespace

void bind_elementwise(nb::module_& m) {
  nb::class_<Elementwise> c(m, "ElementwiseKernel", text);
  c.attr("__module__") = "isthmus";
  c.def(
      "__init__",
      [](Elementwise* self, const std::string& in, const std::string& out,
         const std::string& operation, const std::string& name, const std::string& preamble,
         nb::handle options, nb::handle structs) {
        const std::vector<std::string> list = options_of("ElementwiseKernel", options);
        const KernelStructs known = structs_of("ElementwiseKernel", structs);
        nb::dict named = new_dict();
        named["options"] = word_of(list);
        named["structs"] = word_of(known);
        new (self) Elementwise(nb::make_tuple(in, out, operation, name, preamble), std::move(named),
                               in, out, operation, name, preamble, known, list);
      },
      nb::arg("in_params"), nb::arg("out_params"), nb::arg("operation"), nb::arg("name") = "kernel",
      nb::arg("preamble") = "", nb::kw_only(), nb::arg("options") = nb::make_tuple(),
      nb::arg("structs") = nb::none(),
      nb::sig("def __init__(self, in_params: str, out_params: str, operation: str, name: str = "
              "'kernel', preamble: str = '', *, options: tuple[str, ...] | list[str] | str = (), "
              "structs: collections.abc.Mapping[str, DTypeLike] | None = None) -> None"));
  c.def("__call__", call, nb::arg("args"), nb::kw_only(), nb::arg("size") = nb::none(),
        nb::sig("def __call__(self, *args: object, size: int | tuple[int, ...] | None = None) -> "
                "typing.Any"),
        call_text);
  c.def_prop_ro(
      "name", [](const Elementwise& k) { return k.name(); }, "As errors and profiles have it.");
  c.def_prop_ro("operation", [](const Elementwise& k) { return k.operation(); }, "Its text.");
  define_counts<ElementwiseKernel>(c, [](const ElementwiseKernel& k) { return k.output_count(); });
  c.def("__repr__",
        [](const Elementwise& k) { return format("isthmus.ElementwiseKernel('{}')", k.name()); });
  define_reduce<ElementwiseKernel>(c);
}

}  // namespace isthmus::python
