// bind_reduction_kernels.cpp: the classes ReductionKernel and ScanKernel.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include <optional>
#include <vector>

#include "isthmus/kernels/reduction_kernel.h"
#include "python/src/bind/bind.h"
#include "python/src/object/arguments.h"
#include "python/src/object/array_object.h"
#include "python/src/object/flag.h"
#include "python/src/object/with_words.h"

namespace isthmus::python {

using detail::format;

namespace {

using Reduction = WithWords<ReductionKernel>;
using Scan = WithWords<ScanKernel>;

/// An identity as a constructor takes it again.
nb::object word_of(nb::handle given, const Identity& identity) {
  if (given.is_none()) return nb::none();
  if (!identity.number()) return nb::str(identity.text().c_str());
  if (identity.is_past_64_bits()) return nb::steal(PyNumber_Long(given.ptr()));
  return nb::steal(number_of(*identity.number()));  // refers to nothing
}

/// A dtype as a constructor takes it again.
nb::object word_of(const std::optional<DType>& dtype) {
  return dtype ? nb::borrow(dtype_object(*dtype)) : nb::object(nb::none());
}

/// What is combined: a dtype, or a name in `structs`. C's names that are of another length in NumPy
/// are none.
std::optional<DType> combined_dtype(const char* who, const char* parameter, nb::handle given,
                                    const KernelStructs& structs) {
  if (PyUnicode_Check(given.ptr())) {
    const std::string_view name = utf8_of(given);
    for (const KernelStruct& one : structs)
      if (one.name == name) return one.dtype;
    detail::check(name != "float" && name != "int" && name != "uint", Errc::type,
                  "{}: {}: '{}' has 32 bits in C, 64 in NumPy; write {}32 or {}64", who, parameter,
                  name, name, name);
  }
  return optional_dtype(given);
}

nb::object reduce(const Reduction& kernel, const nb::args& args, nb::handle axis, Flag keepdims) {
  const std::vector<Value> values = values_of(kernel.name(), args);
  const auto axes = axes_of(kernel.name().c_str(), axis);
  return nb::steal(wrap(kernel.run(values, axes ? AxisSet(*axes) : AxisSet(all_axes), keepdims)));
}

nb::object scan(const Scan& kernel, const nb::args& args, std::optional<std::int64_t> axis) {
  return nb::steal(wrap(kernel.run(values_of(kernel.name(), args), axis)));
}

/// A number, or a text in C; None: nothing.
Identity identity_of(std::string_view who, nb::handle identity) {
  if (identity.is_none()) return {};
  if (PyUnicode_Check(identity.ptr())) return utf8_of(identity);
  const auto value = value_of(identity.ptr());
  check(value && !value->array, Errc::type,
        "{}: identity: expected a number, C code as a str or None, not {}", who,
        found_as(identity));
  return Identity(value->scalar, value->is_past_64_bits);
}

constexpr const char* reduction_text =
    "A reduction kernel in OpenCL C, for arrays of opencl, sycl and cpu.\n\n"
    "ReductionKernel(\"T x\", \"T y\", \"x * x\", \"a + b\", \"y = sqrt(a)\", 0, \"norm\")(x, "
    "axis=1)\n\n"
    "map_expr is an expression of the input parameters, which are declared as for\n"
    "ElementwiseKernel. reduce_expr combines two of its values, a and b, in an order that is\n"
    "the same each time: it must be associative and commutative. post_map_expr is a statement\n"
    "that assigns the output from a. identity is the result for no elements, a number or C\n"
    "code; None makes that an error. reduce_type is the dtype of a and b, or its name in\n"
    "`structs`; None is the dtype of the output. All values can be structs, of 128 bytes at\n"
    "most: `structs` maps the names that the code uses for them to dtypes. The identity of a\n"
    "struct can be an initializer, \"{0, -1}\". `options` are as for ElementwiseKernel.\n\n"
    "Waits: no.\n"
    "Raises: ValueError for parameters that cannot be parsed, and for an output that\n"
    "post_map_expr does not name.\n"
    "Source: CuPy 13, ReductionKernel.";
constexpr const char* reduce_text =
    "Broadcasts the arguments and reduces them along these axes, or along all without axis.\n\n"
    "Returns: new memory, pending: the maps, the reduction and the operations around them form\n"
    "one kernel. On cpu the kernel runs immediately.\n"
    "Waits: no, except on cpu for the build.\n"
    "Raises: as ElementwiseKernel; ValueError for no elements without an identity, IndexError\n"
    "for an axis out of range.\n"
    "Source: CuPy 13, ReductionKernel.";
constexpr const char* scan_text =
    "A scan kernel in OpenCL C: the reduction of all elements up to each element.\n\n"
    "ScanKernel(\"T x\", \"T y\", \"x\", \"a > b ? a : b\", \"y = a\")(x)\n\n"
    "map_expr, scan_expr and post_map_expr are as for ReductionKernel, scan_type as\n"
    "reduce_type. Elements are combined in order, so scan_expr need only be associative.\n"
    "is_segment_start_expr, an expression of the input parameters, is not 0 where a new\n"
    "segment starts. exclusive: an element does not contribute to its own result; the first\n"
    "result of each segment is identity, a number or C code, which is neutral: it is not\n"
    "combined with the other elements. An exclusive scan takes two kernels. Structs and\n"
    "`options` are as for ReductionKernel.\n\n"
    "Waits: no.\n"
    "Raises: ValueError for parameters that cannot be parsed, and for an exclusive scan\n"
    "without an identity.\n"
    "Source: pyopencl 2026.1, InclusiveScanKernel, in the form of CuPy's ReductionKernel.";
constexpr const char* scan_call_text =
    "Broadcasts the arguments and scans them along an axis; without one, they must have one\n"
    "axis.\n\n"
    "Returns: new memory, pending. On cpu the kernel runs immediately.\n"
    "Waits: no, except on cpu for the build.\n"
    "Raises: as ReductionKernel.\n"
    "Source: pyopencl 2026.1, InclusiveScanKernel.";

}  // namespace

void bind_reduction_kernels(nb::module_& m) {
  nb::class_<Reduction> r(m, "ReductionKernel", reduction_text);
  r.attr("__module__") = "isthmus";
  r.def(
      "__init__",
      [](Reduction* self, const std::string& in, const std::string& out, const std::string& map,
         const std::string& combine, const std::string& post, nb::handle identity,
         const std::string& name, nb::handle type, const std::string& preamble, nb::handle options,
         nb::handle structs) {
        const std::vector<std::string> list = options_of("ReductionKernel", options);
        const Identity first = identity_of("ReductionKernel", identity);
        const KernelStructs known = structs_of("ReductionKernel", structs);
        const auto dtype = combined_dtype("ReductionKernel", "reduce_type", type, known);
        nb::dict named = new_dict();
        named["options"] = word_of(list);
        named["structs"] = word_of(known);
        new (self) Reduction(nb::make_tuple(in, out, map, combine, post, word_of(identity, first),
                                            name, word_of(dtype), preamble),
                             std::move(named), in, out, map, combine, post, first, name, dtype,
                             preamble, known, list);
      },
      nb::arg("in_params"), nb::arg("out_params"), nb::arg("map_expr"), nb::arg("reduce_expr"),
      nb::arg("post_map_expr"), nb::arg("identity") = nb::none(), nb::arg("name") = "reduce_kernel",
      nb::arg("reduce_type") = nb::none(), nb::arg("preamble") = "", nb::kw_only(),
      nb::arg("options") = nb::make_tuple(), nb::arg("structs") = nb::none(),
      nb::sig("def __init__(self, in_params: str, out_params: str, map_expr: str, reduce_expr: "
              "str, post_map_expr: str, identity: Number | str | None = None, name: str = "
              "'reduce_kernel', reduce_type: DTypeLike | None = None, preamble: str = '', *, "
              "options: tuple[str, ...] | list[str] | str = (), structs: "
              "collections.abc.Mapping[str, DTypeLike] | None = None) -> None"));
  r.def("__call__", reduce, nb::arg("args"), nb::kw_only(), nb::arg("axis") = nb::none(),
        nb::arg("keepdims") = false,
        nb::sig("def __call__(self, *args: object, axis: int | tuple[int, ...] | None = None, "
                "keepdims: bool = False) -> Array"),
        reduce_text);
  r.def_prop_ro(
      "name", [](const Reduction& k) { return k.name(); }, "The name in errors and profiles.");
  r.def("__repr__",
        [](const Reduction& k) { return format("isthmus.ReductionKernel('{}')", k.name()); });
  define_counts<ReductionKernel>(r, [](const ReductionKernel&) { return std::size_t{1}; });
  define_reduce<ReductionKernel>(r);

  nb::class_<Scan> s(m, "ScanKernel", scan_text);
  s.attr("__module__") = "isthmus";
  s.def(
      "__init__",
      [](Scan* self, const std::string& in, const std::string& out, const std::string& map,
         const std::string& combine, const std::string& post, const std::string& name,
         nb::handle type, const std::string& preamble, const std::optional<std::string>& segment,
         Flag exclusive, nb::handle identity, nb::handle options, nb::handle structs) {
        const std::vector<std::string> list = options_of("ScanKernel", options);
        const Identity first = identity_of("ScanKernel", identity);
        const KernelStructs known = structs_of("ScanKernel", structs);
        const auto dtype = combined_dtype("ScanKernel", "scan_type", type, known);
        nb::dict named = new_dict();
        named["options"] = word_of(list);
        named["structs"] = word_of(known);
        named["is_segment_start_expr"] = segment;
        named["exclusive"] = exclusive;
        named["identity"] = word_of(identity, first);
        new (self) Scan(nb::make_tuple(in, out, map, combine, post, name, word_of(dtype), preamble),
                        std::move(named), in, out, map, combine, post, name, dtype, preamble,
                        segment.value_or(""), exclusive, first, known, list);
      },
      nb::arg("in_params"), nb::arg("out_params"), nb::arg("map_expr"), nb::arg("scan_expr"),
      nb::arg("post_map_expr"), nb::arg("name") = "scan_kernel", nb::arg("scan_type") = nb::none(),
      nb::arg("preamble") = "", nb::kw_only(), nb::arg("is_segment_start_expr") = nb::none(),
      nb::arg("exclusive") = false, nb::arg("identity") = nb::none(),
      nb::arg("options") = nb::make_tuple(), nb::arg("structs") = nb::none(),
      nb::sig("def __init__(self, in_params: str, out_params: str, map_expr: str, scan_expr: str, "
              "post_map_expr: str, name: str = 'scan_kernel', scan_type: DTypeLike | None = None, "
              "preamble: str = '', *, is_segment_start_expr: str | None = None, exclusive: bool = "
              "False, identity: Number | str | None = None, options: tuple[str, ...] | list[str] | "
              "str = (), structs: "
              "collections.abc.Mapping[str, DTypeLike] | None = None) -> None"));
  s.def("__call__", scan, nb::arg("args"), nb::kw_only(), nb::arg("axis") = nb::none(),
        nb::sig("def __call__(self, *args: object, axis: int | None = None) -> Array"),
        scan_call_text);
  s.def_prop_ro("name", [](const Scan& k) { return k.name(); }, "The name in errors and profiles.");
  s.def("__repr__", [](const Scan& k) { return format("isthmus.ScanKernel('{}')", k.name()); });
  define_counts<ScanKernel>(s, [](const ScanKernel&) { return std::size_t{1}; });
  define_reduce<ScanKernel>(s);
}

}  // namespace isthmus::python
