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
  const std::vector<Value> values = values_of(kernel.name(), args);
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
    "An elementwise kernel in OpenCL C, for arrays of opencl, sycl and cpu.\n\n"
    "ElementwiseKernel(\"T x, T y\", \"T z\", \"z = (x - y) * (x - y)\", \"squared\")(x, y)\n\n"
    "Parameters have a dtype, or one capital letter, which stands for the dtype of the\n"
    "argument. The operation can access all elements of a `raw` parameter, x[k] in row-major\n"
    "order; the other arrays are broadcast, and the operation sees one element of each. `i` is\n"
    "the index of the element in row-major order, `n` the number of elements. The operation\n"
    "consists of statements that assign the output parameters. `preamble` is placed before the\n"
    "functions in each kernel. `options` are passed to the compiler: those that define macros,\n"
    "(\"-DN=4\",), become lines before the preamble; a kernel with any other, such as\n"
    "\"-cl-fast-relaxed-math\", is compiled with it, and contains only functions with the same\n"
    "options. `structs` maps the names that the code uses for structs to their dtypes:\n"
    "{\"pair\": numpy.dtype([(\"low\", \"f4\"), (\"high\", \"f4\")])}.\n\n"
    "Waits: no.\n"
    "Raises: ValueError for parameters that cannot be parsed, and for an output that neither\n"
    "the operation nor the preamble names.\n"
    "Source: CuPy 13, ElementwiseKernel.";
constexpr const char* call_text =
    "Runs the kernel on arrays and numbers in the order of the parameters. Returns the output, or "
    "a tuple of several.\n\n"
    "Arrays after the inputs receive the outputs. Until the operation assigns an output, the\n"
    "output holds the old value of its element, 0 in a new array. `size` is the shape if no\n"
    "array that is not raw determines it.\n\n"
    "Returns: new memory, pending: it fuses with the operations around it. On cpu, an\n"
    "operation that is not plain arithmetic runs immediately, on an OpenCL device that can\n"
    "access host memory.\n"
    "Waits: no, except on cpu for the build of such an operation.\n"
    "Raises: TypeError for dtypes that do not fit, ValueError for shapes, OverflowError for\n"
    "numbers, DeviceMismatchError for arrays of several devices, NotImplementedError for a\n"
    "device without user kernels. Code that does not compile raises a CompileError where the\n"
    "result is needed.\n"
    "Source: CuPy 13, ElementwiseKernel.";

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
      "name", [](const Elementwise& k) { return k.name(); }, "The name in errors and profiles.");
  c.def_prop_ro(
      "operation", [](const Elementwise& k) { return k.operation(); },
      "The code of the operation.");
  define_counts<ElementwiseKernel>(c, [](const ElementwiseKernel& k) { return k.output_count(); });
  c.def("__repr__",
        [](const Elementwise& k) { return format("isthmus.ElementwiseKernel('{}')", k.name()); });
  define_reduce<ElementwiseKernel>(c);
}

}  // namespace isthmus::python
