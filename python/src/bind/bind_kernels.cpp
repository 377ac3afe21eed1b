// bind_kernels.cpp: the classes RawKernel, RawModule and LocalMemory.
#include <nanobind/stl/string.h>

#include <optional>
#include <vector>

#include "isthmus/kernels/raw_kernel.h"
#include "python/src/bind/bind.h"
#include "python/src/object/arguments.h"
#include "python/src/object/array_object.h"
#include "python/src/object/collections.h"
#include "python/src/object/with_words.h"

namespace isthmus::python {

using detail::format;

namespace {

/// The bytes of a struct: of a bytes object, or of one element with a buffer, as NumPy's structs
/// have. Nothing for what is neither.
std::optional<std::vector<std::byte>> bytes_of(nb::handle object) {
  if (!PyObject_CheckBuffer(object.ptr())) return {};
  Py_buffer view;
  if (PyObject_GetBuffer(object.ptr(), &view, PyBUF_ND) != 0) {
    clear_answer();
    return {};
  }
  const bool is_one = view.ndim == 0 || PyBytes_Check(object.ptr());
  const auto* first = static_cast<const std::byte*>(view.buf);
  std::optional<std::vector<std::byte>> bytes;
  if (is_one) bytes.emplace(first, first + view.len);
  PyBuffer_Release(&view);
  return bytes;
}

KernelArgument argument_of(std::string_view kernel, std::size_t number, nb::handle object) {
  if (nb::isinstance<LocalMemory>(object)) return nb::cast<LocalMemory>(object);
  if (const auto value = value_of(object.ptr())) {
    if (value->array) return *value->array;
    if (value->is_past_64_bits) return KernelArgument::past_64_bits(value->scalar.number.re);
    return value->scalar;
  }
  auto bytes = bytes_of(object);
  check(bytes.has_value(), Errc::type,
        "argument {} of kernel '{}' is {}; a kernel accepts isthmus.Array, numbers, structs of "
        "NumPy, bytes and isthmus.LocalMemory{}{}",
        number, kernel, found_as(object), Advice{object.ptr()},
        PyObject_CheckBuffer(object.ptr())
            ? "; to pass a struct or a vector, pass one of its elements, or tobytes()"
            : "");
  return std::move(*bytes);
}

using Raw = WithWords<RawKernel>;
using Module = WithWords<RawModule>;

void run(const Raw& kernel, nb::handle grid, nb::handle block, nb::handle args) {
  check(PyTuple_Check(args.ptr()) || PyList_Check(args.ptr()), Errc::type,
        "kernel '{}': args: expected a tuple or a list of arguments, not {}", kernel.name(),
        found_as(args));
  std::vector<KernelArgument> arguments;
  for (const nb::handle one : args)
    arguments.push_back(argument_of(kernel.name(), arguments.size() + 1, one));
  const std::string who = format("kernel '{}': ", kernel.name());
  const Dims groups = dims_of((who + "grid").c_str(), grid),
             items = dims_of((who + "block").c_str(), block);
  kernel.run(groups, items, arguments);
}

nb::dict attributes_of(const Raw& kernel, nb::handle device) {
  const KernelAttributes found = kernel.attributes(device_of(device));
  nb::dict made = new_dict();
  made["largest_group"] = found.largest_group;
  made["group_multiple"] = found.group_multiple;
  made["local_bytes"] = found.local_bytes;
  made["private_bytes"] = found.private_bytes;
  return made;
}

constexpr const char* kernel_text =
    "One kernel of a program in OpenCL C, for arrays of opencl, sycl and cpu.\n\n"
    "RawKernel(code, name, options=()): the kernel `name` of `code`; options are passed to the\n"
    "compiler, (\"-DN=4\",). It is built for a device on the first call there, once for each\n"
    "source; builds are kept in memory and on disk.\n\n"
    "kernel(grid, block, args) runs `grid` groups of `block` work-items each.\n\n"
    "Waits: no. Raises: ValueError for an empty name.\n"
    "Source: CuPy 13, RawKernel.";
constexpr const char* call_text =
    "Runs the kernel in `grid` groups of `block` work-items each, along up to three axes.\n\n"
    "An array is passed as the address of its first element, whatever its strides; the kernel\n"
    "reads and writes it in place, in order with all other work. A number is converted to the\n"
    "declared type; a struct is a NumPy scalar, or bytes; LocalMemory is memory of a group.\n"
    "For arrays of cpu, the kernel runs on an OpenCL device that can access host memory,\n"
    "without copies.\n\n"
    "Returns: None. Waits: for the build and for pending arguments; not for the kernel, unless\n"
    "the host may access the memory that it writes at any time.\n"
    "Raises: CompileError with the code and the compiler's output, TypeError, ValueError and\n"
    "OverflowError for arguments that do not fit the declared parameters, ValueError for\n"
    "groups that are too large and for read-only memory, DeviceMismatchError for arrays of\n"
    "several devices, NotImplementedError for a device without user kernels.\n"
    "Source: CuPy 13, RawKernel.";
constexpr const char* compile_text =
    "Builds the kernel for a device, by default the default device, before the first call does "
    "it.\n\n"
    "Returns: None. Waits: for the build. Raises: CompileError and NotImplementedError, as a\n"
    "call does; for a RawKernel also ValueError if the code has no kernel of its name.\n"
    "Source: CuPy 13, RawModule.compile.";
constexpr const char* attributes_text =
    "Resources of the kernel on a device: `largest_group`, the most work-items that a group\n"
    "can have, `group_multiple`, of which the group size is best a multiple, `local_bytes` of\n"
    "a group and `private_bytes` of a work-item.\n\n"
    "Waits: for the build. Raises: as a call does.\n"
    "Source: OpenCL 3.0, clGetKernelWorkGroupInfo.";

/// What kernels and modules know of their text.
template <class Kernel>
void define_source(nb::class_<WithWords<Kernel>>& c) {
  using Words = WithWords<Kernel>;
  c.def(
      "compile", [](const Words& k, nb::handle device) { k.compile(device_of(device)); },
      nb::arg("device") = nb::none(),
      nb::sig("def compile(self, device: Device | str | None = None) -> None"), compile_text);
  c.def_prop_ro("code", [](const Words& k) { return k.code(); }, "The source code.");
  define_options(c);
}

void bind_raw_kernel(nb::module_& m) {
  nb::class_<Raw> c(m, "RawKernel", kernel_text);
  c.attr("__module__") = "isthmus";
  c.def(
      "__init__",
      [](Raw* self, const std::string& code, const std::string& name, nb::handle options) {
        const std::vector<std::string> list = options_of("RawKernel", options);
        new (self) Raw(nb::make_tuple(code, name, word_of(list)), new_dict(), code, name, list);
      },
      nb::arg("code"), nb::arg("name"), nb::arg("options") = nb::make_tuple(),
      nb::sig("def __init__(self, code: str, name: str, options: tuple[str, ...] | list[str] | str "
              "= ()) -> None"));
  c.def("__call__", run, nb::arg("grid"), nb::arg("block"), nb::arg("args"),
        nb::sig("def __call__(self, grid: int | tuple[int, ...], block: int | tuple[int, ...], "
                "args: tuple[object, ...] | list[object]) -> None"),
        call_text);
  c.def("attributes", attributes_of, nb::arg("device") = nb::none(),
        nb::sig("def attributes(self, device: Device | str | None = None) -> dict[str, int]"),
        attributes_text);
  c.def_prop_ro("name", [](const Raw& k) { return k.name(); }, "The name of the kernel.");
  define_source<RawKernel>(c);
  c.def("__repr__", [](const Raw& k) { return format("isthmus.RawKernel('{}')", k.name()); });
  define_reduce<RawKernel>(c);
}

void bind_raw_module(nb::module_& m) {
  nb::class_<Module> c(m, "RawModule",
                       "A program in OpenCL C with several kernels.\n\n"
                       "RawModule(code, options=()): as for RawKernel. get_function(name) returns "
                       "one of its kernels.\n\n"
                       "Waits: no.\n"
                       "Source: CuPy 13, RawModule.");
  c.attr("__module__") = "isthmus";
  c.def(
      "__init__",
      [](Module* self, const std::string& code, nb::handle options) {
        const std::vector<std::string> list = options_of("RawModule", options);
        new (self) Module(nb::make_tuple(code, word_of(list)), new_dict(), code, list);
      },
      nb::arg("code"), nb::arg("options") = nb::make_tuple(),
      nb::sig("def __init__(self, code: str, options: tuple[str, ...] | list[str] | str = ()) -> "
              "None"));
  c.def(
      "get_function",
      [](const Module& module, const std::string& name) {
        const nb::tuple words = nb::make_tuple(module.words[0], name, module.words[1]);
        return Raw(words, new_dict(), module.get_function(name));
      },
      nb::arg("name"), nb::sig("def get_function(self, name: str) -> RawKernel"),
      "The kernel of this name. A missing kernel is detected only when it is built.\n\n"
      "Returns: a new RawKernel. Waits: no. Raises: ValueError for an empty name.\n"
      "Source: CuPy 13, RawModule.");
  define_source<RawModule>(c);
  define_reduce<RawModule>(c);
}

}  // namespace

void bind_kernels(nb::module_& m) {
  nb::class_<LocalMemory> c(
      m, "LocalMemory",
      "Memory that the work-items of a group share, as an argument of a kernel.\n\n"
      "LocalMemory(nbytes): nbytes bytes for each group.\n\n"
      "Source: pyopencl 2026.1, LocalMemory.");
  c.attr("__module__") = "isthmus";
  c.def(
      "__init__",
      [](LocalMemory* self, std::int64_t bytes) {
        check(bytes > 0, Errc::value, "LocalMemory: {} bytes is not a valid size", bytes);
        new (self) LocalMemory{static_cast<std::size_t>(bytes)};
      },
      nb::arg("nbytes"));
  c.def_prop_ro(
      "nbytes", [](const LocalMemory& memory) { return memory.bytes; },
      "Number of bytes for each group.");
  bind_raw_kernel(m);
  bind_raw_module(m);
}

}  // namespace isthmus::python
