// event_list.cpp: pyopencl's events read, and ours entered, while nobody holds a lock of ours.
#include "python/src/peers/event_list.h"

#include "isthmus/base/error.h"
#include "isthmus/runtime/unblocked.h"
#include "python/src/object/gil.h"
#include "python/src/peers/foreign_class.h"
#include "python/src/peers/opencl_objects.h"
#include "python/src/protocol.h"

namespace isthmus::python {

namespace {

constinit ForeignClass event_class("pyopencl", "Event");

void drop_reference(void* object) { Py_DECREF(static_cast<PyObject*>(object)); }

Py_ssize_t find(nb::handle list, nb::handle object) {
  for (Py_ssize_t i = 0; i < PyList_GET_SIZE(list.ptr()); ++i)
    if (PyList_GET_ITEM(list.ptr(), i) == object.ptr()) return i;
  return -1;
}

/// All members are guarded by the GIL.
class EventList final : public SharedEvents {
 public:
  EventList(nb::list list, std::uintptr_t space, bool is_known) : space_(space) {
    nb::object known =
        nb::steal(is_known ? PyList_GetSlice(list.ptr(), 0, PY_SSIZE_T_MAX) : PyList_New(0));
    if (!known) throw nb::python_error();
    known_ = known.release().ptr();
    list_ = list.release().ptr();
  }
  ~EventList() override {
    for (PyObject* object : {list_, known_, last_})
      if (object) drop_anywhere(drop_reference, object);
  }

  void take_new(Events& events) override {
    if (is_finalizing()) return;
    with_gil([&] {
      // events are distinguished by their objects, which we hold: a handle may come again
      nb::object now = nb::steal(PyList_GetSlice(list_, 0, PY_SSIZE_T_MAX));
      if (!now) raise();
      for (Py_ssize_t i = 0; i < PyList_GET_SIZE(now.ptr()); ++i) {
        const nb::handle event = PyList_GET_ITEM(now.ptr(), i);
        if (find(known_, event) < 0) events.push_back(opencl_event_of("pyopencl: events", event));
      }
      const nb::object before = nb::steal(std::exchange(known_, now.release().ptr()));
    });
  }

  void add(const Ref<Event>& event) noexcept override {
    if (!event || event->is_done() || is_finalizing() || with_gil([&] { return enter(*event); }))
      return;
    const Unblocked unblocked;
    event->settle();
  }

 private:
  [[noreturn]] static void raise() {
    PyErr_Clear();
    throw std::bad_alloc();
  }

  bool enter(Event& event) {
    try {
      const std::uintptr_t handle = event.native_in(space_);
      if (!handle) return false;
      if (handle == last_handle_) return true;  // an operation reads and writes the memory
      nb::object object = event_class.get().attr("from_int_ptr")(handle, nb::arg("retain") = true);
      if (PyList_Append(known_, object.ptr())) raise();
      const Py_ssize_t at =
          last_ && timeline_ && timeline_ == event.timeline ? find(list_, last_) : -1;
      if (at < 0 ? PyList_Append(list_, object.ptr())
                 : PyList_SetItem(list_, at, Py_NewRef(object.ptr())))
        raise();
      timeline_ = event.timeline, last_handle_ = handle;
      const nb::object before = nb::steal(std::exchange(last_, object.release().ptr()));
      return true;
    } catch (const std::exception&) {  // Python's are among them
      return false;
    }
  }

  const std::uintptr_t space_;
  PyObject* list_ = nullptr;
  PyObject* known_ = nullptr;  ///< Those of the list when we looked last, and ours since.
  PyObject* last_ = nullptr;   ///< Ours that was entered last, if any, and its Event::timeline.
  std::uint64_t timeline_ = 0;
  std::uintptr_t last_handle_ = 0;  ///< Of last_, which keeps it from coming again.
};

}  // namespace

Ref<SharedEvents> event_list_of(nb::list list, std::uintptr_t space, bool is_known) {
  return make_ref<EventList>(std::move(list), space, is_known);
}

}  // namespace isthmus::python
