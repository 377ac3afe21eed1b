// protocol.h: one record per exchange protocol; each file under exchange/ defines one.
#pragma once

#include <string>

#include "isthmus/exchange/share.h"
#include "python/src/object/array_object.h"

namespace isthmus::python {

/// What an import was asked for.
struct ImportRequest {
  std::optional<bool> copy;      ///< True: always, False: never, nothing: if needed.
  std::optional<Device> device;  ///< Where it should end up; nothing: where it is.
  bool is_private = false;       ///< See is_only_ours in temporary.h.
};

/// A way in which foreign objects show their memory, and ours is shown to them.
struct Protocol {
  const char* name;
  int rank;                           ///< asarray() asks the lowest rank first.
  bool (*speaks)(nb::handle object);  ///< Cheap, never throws, evaluates nothing.
  /// The memory as an array; never copies. Throws exchange, type, value: the field is named.
  Array (*import_array)(nb::handle object, const ImportRequest& request);
  /// Methods and attributes of the Python class Array; null: none.
  const PyMethodDef* methods;
  const PyGetSetDef* attributes;
  /// Type slots it fills, ended by {0, nullptr}; null: none.
  const PyType_Slot* slots;
  /// After the class was made: what goes on the type itself or into the module. Null: nothing.
  void (*finish)(PyTypeObject* type, nb::module_& module);
  /// Whether our array could be shown this way to others now, and why not.
  Explanation (*explain_export)(const Array& array);
  /// Whether an object that speaks it must not be taken another way if this one refuses it: the
  /// others do not say on which queue its owner works.
  bool is_binding = false;
};

/// All protocols by rank.
const std::vector<const Protocol*>& protocols();
/// Whether one of them may bring the object's memory.
bool speaks_any(nb::handle object);

/// Whether an exception of foreign code means that this way is closed, and not the program.
bool is_refusal(const nb::python_error& error);

/// The Python object that a memory keeps alive by itself, or null.
PyObject* held_by(const BackendMemory& memory);
/// The same for tp_traverse: null for a memoryview, which tp_clear must not reach while it has
/// exports: CPython up to 3.12 then reads freed memory when the last export is released.
PyObject* visited_by_gc(const BackendMemory& memory);

/// Whether the buffer protocol has words for a dtype.
bool has_buffer_format(DType dtype);
/// For BackendMemory::release, on any thread.
bool release_object(BackendMemory& memory) noexcept;  ///< Its owner is a PyObject.
/// The same of an owner that held_by() does not know, so that the collector neither sees it nor
/// drops it before the work on the memory has ended.
bool release_hidden_object(BackendMemory& memory) noexcept;
bool release_buffer(BackendMemory& memory) noexcept;  ///< Its owner is a Py_buffer made with new.

/// What threads without the GIL left behind: drops objects, hands over what the core has said.
/// Needs the GIL, and no lock of ours.
void catch_up();
/// Calls `drop(object)` with the GIL: at once if this thread holds it, else when somebody drains
/// what was left behind; never, on purpose, once the interpreter has begun to finalise.
void drop_anywhere(void (*drop)(void*), void* object) noexcept;

/// Host memory that somebody else owns, as an array: finds or makes the one memory at these
/// addresses (our own memory coming back is unwrapped). `owner` is kept alive.
/// `layout.offset` counts elements from `address`. Shared, unless `is_private`.
Array adopt_host(void* address, DType dtype, Layout layout, bool is_read_only, nb::handle owner,
                 bool is_private = false);

/// Before an attribute tells the address: evaluates, waits, and counts one export until the object
/// dies, however often it tells, since whoever reads the address must hold the object.
void show_address(ArrayObject& object);

/// The structs that vector types of DLPack become have a numpy.dtype from now on.
void need_dtype_object(DType dtype);
/// Element type of a NumPy typestr such as "<f4". Throws exchange.
DType dtype_from_typestr(std::string_view typestr);
std::string typestr_of(DType dtype);

/// Makes a layout's byte strides element strides; 0 for axes of length 0 or 1, whose strides mean
/// nothing. Throws exchange if one is not a whole number of elements.
void make_strides_elements(std::string_view who, Layout& layout, DType dtype);

}  // namespace isthmus::python
