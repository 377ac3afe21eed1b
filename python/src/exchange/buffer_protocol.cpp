// buffer_protocol.cpp: PEP 3118 buffers, as exporter (memoryview, NumPy, Numba) and as importer.
#include <nanobind/stl/string.h>

#include <cstring>
#include <map>

#include "isthmus/runtime/submit/launch_check.h"
#include "python/src/object/cleared_interrupt.h"
#include "python/src/peers/foreign_errors.h"
#include "python/src/peers/ndarray.h"
#include "python/src/protocol.h"

namespace isthmus::python {

using detail::format;

namespace {

struct Code {
  const char* code;
  TypeId id;
};
/// What we write, in the machine's own sizes; bfloat16 has no code.
constexpr Code native_codes[] = {
    {"?", TypeId::bool_},      {"b", TypeId::int8},       {"h", TypeId::int16},
    {"i", TypeId::int32},      {"l", TypeId::int64},      {"B", TypeId::uint8},
    {"H", TypeId::uint16},     {"I", TypeId::uint32},     {"L", TypeId::uint64},
    {"e", TypeId::float16},    {"f", TypeId::float32},    {"d", TypeId::float64},
    {"Zf", TypeId::complex64}, {"Zd", TypeId::complex128}};
/// What else is read: other spellings of the same.
constexpr Code other_codes[] = {{"q", TypeId::int64},     {"Q", TypeId::uint64},
                                {"n", TypeId::int64},     {"N", TypeId::uint64},
                                {"F", TypeId::complex64}, {"D", TypeId::complex128}};

// ---- as exporter

/// The format that NumPy writes of a struct, if NumPy reads the same struct from it; else nothing.
std::string format_of_struct(DType dtype) {
  try {
    const nb::module_ numpy = nb::module_::import_("numpy");
    // of two: of a single one NumPy writes what it would not write of many
    const nb::object sample = numpy.attr("empty")(2, nb::handle(dtype_object(dtype)));
    const nb::object view = nb::steal(PyMemoryView_FromObject(sample.ptr()));
    if (!view) throw nb::python_error();
    if (!numpy.attr("asarray")(view).attr("dtype").equal(sample.attr("dtype"))) return {};
    return nb::cast<std::string>(view.attr("format"));
  } catch (const nb::python_error& error) {
    if (!error.matches(PyExc_ValueError) && !error.matches(PyExc_RuntimeError)) throw;
    return {};
  }
}

/// The code of a dtype. Null for what has none. Lives for ever.
[[gnu::hot]] const char* format_of(DType dtype) {
  for (const Code& row : native_codes)
    if (dtype == DType(row.id)) return row.code;
  if (dtype.is_builtin()) return nullptr;
  static auto& known = *new std::map<const RecordType*, std::string>;
  auto at = known.find(dtype.record);
  if (at == known.end()) at = known.emplace(dtype.record, format_of_struct(dtype)).first;
  return at->second.empty() ? nullptr : at->second.c_str();
}

/// What one buffer points into; the memory is lent as long as it lives.
struct Lent {
  explicit Lent(const Array& array) : array(array), byte_strides(byte_strides_of(array)) {}
  Array array;
  Dims byte_strides;
};

[[gnu::hot]] void check_request(const Array& array, int flags) {
  const auto asks = [&](int what) { return (flags & what) == what; };
  check(is_host_reachable(array), Errc::exchange,
        "buffer: the host cannot access memory of {}; copy it with to_device(\"cpu\")",
        array.device());
  check(!asks(PyBUF_WRITABLE) || !array.is_read_only(), Errc::exchange,
        "buffer: a writable buffer was requested, but the array is read-only");
  const auto is_c = [&] { return is_row_major(array.layout()); };
  const auto is_f = [&] { return is_column_major(array.layout()); };
  const bool fits = asks(PyBUF_C_CONTIGUOUS)     ? is_c()
                    : asks(PyBUF_F_CONTIGUOUS)   ? is_f()
                    : asks(PyBUF_ANY_CONTIGUOUS) ? is_c() || is_f()
                                                 : asks(PyBUF_STRIDES) || is_c();
  check(fits, Errc::exchange,
        "buffer: the consumer requested contiguous elements, but shape {} has strides {}; copy it",
        array.shape(), array.layout().strides);
}

[[gnu::hot]] int fill_buffer(PyObject* self, Py_buffer* view, int flags) noexcept {
  view->obj = nullptr;
  try {
    catch_up();
    const Array& array = array_of(self);
    check_request(array, flags);
    const char* code = format_of(array.dtype());
    check(code, Errc::exchange, "buffer: the protocol has no format for {}; __array__ supports it",
          array.dtype());
    auto lent = std::make_unique<Lent>(array);
    begin_export(array);
    const bool has_strides = (flags & PyBUF_STRIDES) == PyBUF_STRIDES;
    const Layout& layout = lent->array.layout();
    view->buf =
        static_cast<char*>(array.storage()->memory()->host) + layout.offset * array.dtype().bytes();
    view->len = layout.count() * array.dtype().bytes();
    view->itemsize = array.dtype().bytes();
    view->readonly = array.is_read_only();
    view->ndim = layout.ndim();
    view->format = flags & PyBUF_FORMAT ? const_cast<char*>(code) : nullptr;
    view->shape = flags & PyBUF_ND ? const_cast<Py_ssize_t*>(layout.shape.data()) : nullptr;
    view->strides = has_strides ? lent->byte_strides.data() : nullptr;
    view->suboffsets = nullptr;
    view->internal = lent.release();
    ++object_of(self).first_one().others;  // gc finds the buffer's reference by way of `obj`
    view->obj = Py_NewRef(self);
    return 0;
  } catch (const Error& error) {
    set_python_error();
    if (error.code() == Errc::interrupted) keep_interrupt(self);
    // NumPy drops any error of a buffer and asks for __array_interface__ next, which raises it
    if (error.code() == Errc::index) take_back_error(*array_of(self).storage()->memory());
    return -1;
  } catch (...) {
    set_python_error();
    return -1;
  }
}

[[gnu::hot]] void release_lent(PyObject* self, Py_buffer* view) noexcept {
  auto* lent = static_cast<Lent*>(view->internal);
  --object_of(self).first_one().others;
  end_export(*lent->array.storage()->memory());
  delete lent;
}

}  // namespace

bool has_buffer_format(DType dtype) { return format_of(dtype) != nullptr; }

namespace {

const PyType_Slot slots[] = {{Py_bf_getbuffer, reinterpret_cast<void*>(fill_buffer)},
                             {Py_bf_releasebuffer, reinterpret_cast<void*>(release_lent)},
                             {0, nullptr}};

// ---- as importer

/// The dtype of one number in the machine's byte order, if that is what the format says.
std::optional<DType> simple_dtype(std::string_view code, Py_ssize_t item_bytes) {
  if (!code.empty() && std::strchr("@=<", code[0])) code.remove_prefix(1);
  const auto find = [&](const auto& rows) -> std::optional<DType> {
    for (const Code& row : rows)
      if (row.code == code) {
        DType dtype = row.id;
        // with '=' and '<' a long has four bytes
        if ((code == "l" || code == "L") && item_bytes == 4)
          dtype = code == "l" ? TypeId::int32 : TypeId::uint32;
        return dtype;
      }
    return {};
  };
  const auto found = find(native_codes);
  return found ? found : find(other_codes);
}

/// The struct of a NumPy array with the same fields at the same places, at any address.
nb::object without_alignment(nb::handle dtype) {
  nb::dict made;
  const nb::object names = dtype.attr("names"), fields = dtype.attr("fields");
  nb::list formats, offsets;
  for (const nb::handle name : names) {
    const nb::object field = fields[name];
    formats.append(field[0]);
    offsets.append(field[1]);
  }
  made["names"] = names;
  made["formats"] = formats;
  made["offsets"] = offsets;
  made["itemsize"] = dtype.attr("itemsize");
  return nb::module_::import_("numpy").attr("dtype")(made);
}

/// The dtype of a format that is no single number. NumPy's formats leave out the padding at the end
/// of nested structs, so that of an array of NumPy's, or of a memoryview of one, is its own.
nb::object dtype_of_struct(nb::handle object) {
  const nb::object shown = nb::steal(PyMemoryView_FromObject(object.ptr()));
  if (!shown) throw nb::python_error();
  const nb::object exporter = nb::borrow(shown.attr("obj"));
  if (as_ndarray(exporter.ptr())) {
    const nb::object whole = nb::steal(PyMemoryView_FromObject(exporter.ptr()));
    if (!whole) throw nb::python_error();
    const nb::object dtype = exporter.attr("dtype");
    if (!dtype.attr("fields").is_none() && whole.attr("format").equal(shown.attr("format")))
      return without_alignment(dtype);
  }
  return nb::module_::import_("numpy").attr("asarray")(shown).attr("dtype");
}

DType dtype_of_buffer(const Py_buffer& view, nb::handle object) {
  const std::string_view code = view.format ? view.format : "B";
  DType dtype;
  if (const auto simple = simple_dtype(code, view.itemsize)) {
    dtype = *simple;
  } else {  // structs, text, other byte orders: as NumPy reads them
    try {
      dtype = dtype_of(dtype_of_struct(object));
    } catch (const nb::python_error& error) {
      require_answer(error);
      fail(Errc::exchange, "buffer: format: '{}' is not a format that NumPy can read", code);
    } catch (const Error& error) {
      fail(Errc::exchange, "buffer: format: '{}': {}", code, error.text());
    }
  }
  check(dtype.bytes() == view.itemsize, Errc::exchange,
        "buffer: itemsize: {} bytes for format '{}' of {}", view.itemsize, code, dtype.bytes());
  return dtype;
}

Layout layout_of(const Py_buffer& view, DType dtype) {
  check(view.ndim >= 0 && view.ndim <= static_cast<int>(max_dimensions), Errc::exchange,
        "buffer: ndim: {} is not between 0 and {}", view.ndim, max_dimensions);
  for (int axis = 0; view.suboffsets && axis < view.ndim; ++axis)
    check(view.suboffsets[axis] < 0, Errc::exchange,
          "buffer: suboffsets: axis {} goes through pointers, which arrays do not support", axis);
  const auto count = static_cast<std::size_t>(view.ndim);
  Layout layout;
  if (view.shape)
    layout.shape = Dims(std::span<const std::int64_t>(view.shape, count));
  else if (count)
    layout.shape = {view.len / view.itemsize};
  if (!view.strides) return row_major({layout.shape.begin(), layout.shape.end()});
  layout.strides.assign(view.strides, view.strides + count);
  make_strides_elements("buffer", layout, dtype);
  return layout;
}

bool speaks(nb::handle object) { return PyObject_CheckBuffer(object.ptr()); }

struct Release {
  void operator()(Py_buffer* view) const {
    PyBuffer_Release(view);
    delete view;
  }
};

Array import_array(nb::handle object, const ImportRequest& request) {
  auto unfilled = std::make_unique<Py_buffer>();
  if (PyObject_GetBuffer(object.ptr(), unfilled.get(), PyBUF_FULL_RO)) throw nb::python_error();
  std::unique_ptr<Py_buffer, Release> view(unfilled.release());
  Foreign foreign;
  foreign.who = "buffer";
  foreign.address = view->buf;
  foreign.dtype = dtype_of_buffer(*view, object);
  foreign.layout = layout_of(*view, foreign.dtype);
  foreign.is_read_only = view->readonly;
  foreign.is_private = request.is_private;
  foreign.owner = view.get();
  foreign.release = release_buffer;
  Array array = adopt(foreign);
  view.release();
  return array;
}

Explanation explain_export(const Array& array) {
  using Verdict = Explanation::Verdict;
  if (!is_host_reachable(array))
    return {Verdict::impossible, format("the host cannot access memory of {}", array.device())};
  if (!format_of(array.dtype()))
    return {Verdict::impossible, format("the protocol has no format for {}", array.dtype())};
  return {Verdict::zero_copy, array.is_read_only() ? "read-only" : ""};
}

}  // namespace

extern const Protocol buffer_protocol;
const Protocol buffer_protocol = {"buffer_protocol", 30,    speaks,  import_array,  nullptr,
                                  nullptr,           slots, nullptr, explain_export};

}  // namespace isthmus::python
