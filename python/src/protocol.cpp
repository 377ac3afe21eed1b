// protocol.cpp: the list of protocols, owners that are Python objects, NumPy's spelling of dtypes.
#include "python/src/protocol.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <new>

#include "isthmus/runtime/devices/registry.h"
#include "python/src/bind/bind.h"
#include "python/src/object/collections.h"
#include "python/src/object/gil.h"
#include "python/src/peers/foreign_errors.h"

namespace isthmus::python {

using detail::format;

#define PROTOCOL(stem) extern const Protocol stem;
#include "protocols.inc"
#undef PROTOCOL

const std::vector<const Protocol*>& protocols() {
  static const auto& by_rank = *[] {
    auto* made = new std::vector<const Protocol*>{
#define PROTOCOL(stem) &stem,
#include "protocols.inc"
#undef PROTOCOL
    };
    std::sort(made->begin(), made->end(),
              [](const Protocol* a, const Protocol* b) { return a->rank < b->rank; });
    return made;
  }();
  return by_rank;
}

// Objects that threads without the GIL left behind: a stack that is only ever emptied whole.
namespace {

struct Left {
  void (*drop)(void*);
  void* object;
  Left* next;
};
std::atomic<Left*> left_behind{nullptr};

int drain(void*) {
  catch_up();
  return 0;
}

/// Foreign code runs in here: it must neither see nor change the error that is on its way.
void drop_now(void (*drop)(void*), void* object) noexcept {
  PyObject *type, *value, *trace;
  PyErr_Fetch(&type, &value, &trace);
  drop(object);
  if (PyErr_Occurred()) PyErr_WriteUnraisable(nullptr);
  PyErr_Restore(type, value, trace);
}

void drop_reference(void* object) { Py_DECREF(static_cast<PyObject*>(object)); }

void drop_buffer(void* owner) {
  auto* buffer = static_cast<Py_buffer*>(owner);
  PyBuffer_Release(buffer);
  delete buffer;
}

}  // namespace

[[gnu::hot]] static void drop_left_behind() {
  if (!left_behind.load(std::memory_order_relaxed)) return;
  Left* left = left_behind.exchange(nullptr, std::memory_order_acquire);
  while (left) {
    drop_now(left->drop, left->object);
    delete std::exchange(left, left->next);
  }
}

[[gnu::hot]] void catch_up() {
  drop_left_behind();
  drain_log();
}

[[gnu::hot]] void drop_anywhere(void (*drop)(void*), void* object) noexcept {
  if (!Py_IsInitialized()) return;
  if (has_gil()) return drop_now(drop, object);
  if (is_finalizing()) return;
  Left* next = left_behind.load(std::memory_order_relaxed);
  auto* left = new (std::nothrow) Left{drop, object, next};
  if (!left) return;  // no memory for the note: the object stays for ever
  while (!left_behind.compare_exchange_weak(next, left, std::memory_order_release))
    left->next = next;
  // If there is no place for one more pending call, the next binding call drains. So it mostly does
  // in Python 3.11, whose main thread does not look for a call that another thread has added until
  // something else stops it, such as a third thread that wants the GIL.
  if (!next) Py_AddPendingCall(drain, nullptr);
}

[[gnu::hot]] bool release_object(BackendMemory& memory) noexcept {
  drop_anywhere(drop_reference, memory.owner);
  return false;
}

bool release_hidden_object(BackendMemory& memory) noexcept { return release_object(memory); }

bool release_buffer(BackendMemory& memory) noexcept {
  drop_anywhere(drop_buffer, memory.owner);
  return false;
}

bool speaks_any(nb::handle object) {
  for (const Protocol* protocol : protocols())
    if (protocol->speaks(object)) return true;
  return false;
}

bool is_refusal(const nb::python_error& error) {
  if (error.matches(PyExc_RecursionError)) return false;  // it may be the program's own
  for (PyObject* type : {PyExc_BufferError, PyExc_TypeError, PyExc_ValueError, PyExc_AttributeError,
                         PyExc_RuntimeError, PyExc_NotImplementedError})
    if (error.matches(type)) return true;
  return false;
}

[[gnu::hot]] PyObject* held_by(const BackendMemory& memory) {
  if (void* object = owner_of(memory, release_object)) return static_cast<PyObject*>(object);
  void* const buffer = owner_of(memory, release_buffer);
  return buffer ? static_cast<Py_buffer*>(buffer)->obj : nullptr;
}

PyObject* visited_by_gc(const BackendMemory& memory) {
  PyObject* owner = held_by(memory);
  return owner && PyMemoryView_Check(owner) ? nullptr : owner;
}

Array adopt_host(void* address, DType dtype, Layout layout, bool is_read_only, nb::handle owner,
                 bool is_private) {
  Foreign foreign;
  foreign.address = address;
  foreign.dtype = dtype;
  foreign.layout = std::move(layout);
  foreign.is_read_only = is_read_only;
  foreign.is_private = is_private;
  foreign.release = release_object;
  foreign.owner = owner.ptr();
  Array array = adopt(foreign);
  owner.inc_ref();
  return array;
}

void show_address(ArrayObject& object) {
  if (object.shows) return lend_briefly(object.array);
  begin_export(object.array);
  object.shows = 1;
}

static nb::object text_of(const std::string& text) { return nb::str(text.data(), text.size()); }

void need_dtype_object(DType dtype) {
  if (has_dtype_object(dtype)) return;
  const RecordType& record = *dtype.record;
  const nb::object make = nb::module_::import_("numpy").attr("dtype");
  if (record.fields.size() == 1 && record.fields[0].name.empty()) {
    dtype_of(make(text_of(record.fields[0].format)));
    return;
  }
  nb::list names = new_list(), formats = new_list(), offsets = new_list(), titles = new_list();
  for (const RecordType::Field& field : record.fields) {
    names.append(text_of(field.name));
    nb::object type = text_of(field.format);
    if (field.nested) {
      need_dtype_object(DType(field.nested));
      type = nb::borrow(dtype_object(DType(field.nested)));
    }
    if (!field.shape.empty()) {
      const Dims shape(field.shape.begin(), field.shape.end());
      type = nb::make_tuple(type, tuple_of({shape.begin(), shape.end()}));
    }
    formats.append(type);
    offsets.append(field.byte_offset);
    titles.append(field.title.empty() ? nb::none() : text_of(field.title));
  }
  nb::dict fields = new_dict();
  fields["names"] = names;
  fields["formats"] = formats;
  fields["offsets"] = offsets;
  fields["titles"] = titles;
  fields["itemsize"] = record.bytes;
  dtype_of(make(fields));
}

std::string typestr_of(DType dtype) {
  if (dtype.is_builtin()) return std::string(info(dtype.id).typestr);
  return format("|V{}", dtype.bytes());
}

DType dtype_from_typestr(std::string_view typestr) {
  for (std::size_t i = 0; i < type_table.size(); ++i)
    if (type_table[i].typestr == typestr) return static_cast<TypeId>(i);
  try {
    return dtype_of(nb::str(typestr.data(), typestr.size()));
  } catch (const nb::python_error& error) {
    require_answer(error);
    fail(Errc::exchange, "typestr: '{}' is not a type", typestr);
  } catch (const Error& error) {
    fail(Errc::exchange, "typestr: '{}': {}", typestr, error.text());
  }
}

[[gnu::hot]] void make_strides_elements(std::string_view who, Layout& layout, DType dtype) {
  const auto item = static_cast<std::uint64_t>(dtype.bytes());
  const bool is_power = (item & (item - 1)) == 0;  // has_single_bit may be a call
  const int shift = is_power ? std::countr_zero(item) : 0;
  for (std::size_t i = 0; i < layout.shape.size(); ++i) {
    std::int64_t& stride = layout.strides[i];
    if (layout.shape[i] <= 1)
      stride = 0;
    else if (shift && stride % (std::int64_t{1} << shift) == 0)
      stride >>= shift;  // a division takes as long as all else here
    else
      stride = elements_in(who, "strides", stride, dtype);
  }
}

}  // namespace isthmus::python
