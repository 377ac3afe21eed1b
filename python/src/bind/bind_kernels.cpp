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
        "argument {} of kernel '{}' is {}; a kernel takes arrays of Isthmus, numbers, structs of "
        "NumPy, bytes and isthmus.LocalMemory{}{}",
        number, kernel, found_as(object), Advice{object.ptr()},
        PyObject_CheckBuffer(object.ptr())
            ? "; for a struct or a vector pass one of its elements, or tobytes()"
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
    "One kernel of a text in OpenCL C, for arrays of opencl, sycl and cpu.\n\n"
    "RawKernel(code, name, options=()): the kernel `name` of `code`; options are the compiler's,\n"
    "(\"-DN=4\",). It is built for a device when it is first called there, once for each text;\n"
    "builds are kept in memory and on disk.\n\n"
    "kernel(grid, block, args) runs `grid` groups of `block` work-items each.\n\n"
    "Waits: no. Raises: ValueError for an empty name.\nSource: CuPy 13, RawKernel.";
constexpr const char* call_text =
    "Runs the kernel in `grid` groups of `block` work-items each, along up to three axes.\n\n"
    "Arrays are passed as the address of their first element, whatever their strides; the kernel\n"
    "reads and writes them in place, in order with all other work. A number becomes what the text\n"
    "declares; a struct is a NumPy scalar, or bytes; LocalMemory is memory of a group. Arrays of\n"
    "cpu are worked on where they lie, by an OpenCL device that reaches the host's memory.\n\n"
    "Returns: None. Waits: for what the arguments are calculated from, and for the build; not for\n"
    "the kernel, unless the host may look at what it writes without asking.\n"
    "Raises: CompileError with the text and the compiler's words, TypeError, ValueError and\n"
    "OverflowError for arguments that do not fit what the text declares, ValueError for groups "
    "that\nare too large and for read-only memory, DeviceMismatchError for arrays of several "
    "devices,\nNotImplementedError for a device without kernels of users.\n"
    "Source: CuPy 13, RawKernel.";
constexpr const char* compile_text =
    "Builds it for a device, which a first call does by itself; by default for default_device.\n\n"
    "Returns: None. Waits: for the build. Raises: CompileError and NotImplementedError, as a call\n"
    "does; of a kernel ValueError where the text has none of its name.\n"
    "Source: CuPy 13, RawModule.compile.";
constexpr const char* attributes_text =
    "What the kernel takes of a device: `largest_group`, the work-items that a group can have,\n"
    "`group_multiple`, of which it best has a multiple, `local_bytes` of a group and\n"
    "`private_bytes` of a work-item.\n\n"
    "Waits: for the build. Raises: as a call does.\nSource: OpenCL 3.0, clGetKernelWorkGroupInfo.";

/// What kernels and modules know of their text.
template <class Kernel>
void define_source(nb::class_<WithWords<Kernel>>& c) {
  using Words = WithWords<Kernel>;
  c.def(
      "compile", [](const Words& k, nb::handle device) { k.compile(device_of(device)); },
      nb::arg("device") = nb::none(),
      nb::sig("def compile(self, device: Device | str | None = None) -> None"), compile_text);
  c.def_prop_ro("code", [](const Words& k) { return k.code(); }, "All of the text.");
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
  c.def_prop_ro("name", [](const Raw& k) { return k.name(); }, "Of the kernel.");
  define_source<RawKernel>(c);
  c.def("__repr__", [](const Raw& k) { return format("isthmus.RawKernel('{}')", k.name()); });
  define_reduce<RawKernel>(c);
}

void bind_raw_module(nb::module_& m) {
  nb::class_<Module> c(
      m, "RawModule",
      "A text in OpenCL C with several kernels.\n\n"
      "RawModule(code, options=()): as of RawKernel. get_function(name) is one of its kernels.\n\n"
      "Waits: no.\nSource: CuPy 13, RawModule.");
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
      "The kernel of this name. Whether there is one shows when it is built.\n\nReturns: a new "
      "RawKernel. Waits: no. Raises: ValueError for an empty name.\nSource: CuPy 13, RawModule.");
  define_source<RawModule>(c);
  define_reduce<RawModule>(c);
}

}  // namespace

void bind_kernels(nb::module_& m) {
  nb::class_<LocalMemory> c(
      m, "LocalMemory",
      "Memory that the work-items of a group share, as an argument of a kernel.\n\n"
      "LocalMemory(nbytes): so many bytes for each group.\n\nSource: pyopencl 2026.1, "
      "LocalMemory.");
  c.attr("__module__") = "isthmus";
  c.def(
      "__init__",
      [](LocalMemory* self, std::int64_t bytes) {
        check(bytes > 0, Errc::value, "LocalMemory: {} bytes will not do", bytes);
        new (self) LocalMemory{static_cast<std::size_t>(bytes)};
      },
      nb::arg("nbytes"));
  c.def_prop_ro(
      "nbytes", [](const LocalMemory& memory) { return memory.bytes; }, "Bytes of each group.");
  bind_raw_kernel(m);
  bind_raw_module(m);
}

}  // namespace isthmus::python
