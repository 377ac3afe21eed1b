// bind_testing.cpp: what tests ask of driver calls, whatever the backend.
#include <nanobind/stl/string.h>

#include "isthmus/array/text/format.h"
#include "isthmus/runtime/call.h"
#include "python/src/bind/bind.h"
#include "python/src/object/array_object.h"
#include "python/src/object/gil.h"

namespace isthmus::python {

static std::atomic<std::int64_t> calls_with_gil{0};

void bind_testing(nb::module_& m) {
  m.def(
      "_fail_calls",
      [](std::int64_t nth, bool is_sticky, int code) {
        call_fault().set(nth, is_sticky, static_cast<Errc>(code));
      },
      nb::sig("def _fail_calls(nth: int, is_sticky: bool, code: int, /) -> None"),
      "The nth driver call from now fails (0: none does), and all after it if sticky.");
  m.def(
      "_driver_calls", [] { return call_fault().passed(); }, nb::sig("def _driver_calls() -> int"),
      "Driver calls that this process has made.");
  m.def(
      "_calls_with_gil",
      [] {
        set_call_hook([](const char*) {
          if (has_gil()) calls_with_gil.fetch_add(1);
        });
        return calls_with_gil.load();
      },
      nb::sig("def _calls_with_gil() -> int"),
      "Driver calls made while their thread had the GIL; counts from when it is first asked.");
  m.def(
      "_format", [](nb::handle x) { return to_string(require_array("_format", x.ptr())); },
      nb::sig("def _format(x: Array, /) -> str"), "The text that C++ prints.");
}

}  // namespace isthmus::python
