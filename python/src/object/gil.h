// gil.h: Python's lock, for calls that come from the core.
#pragma once

#include <Python.h>
#include <cxxabi.h>
#include <unistd.h>

namespace isthmus::python {

/// Whether this thread has the GIL. PyGILState_Check() says yes to all threads once somebody has
/// made a subinterpreter.
inline bool has_gil() noexcept {
#if PY_VERSION_HEX >= 0x030D0000
  const PyThreadState* const running = PyThreadState_GetUnchecked();
#else
  const PyThreadState* const running = _PyThreadState_UncheckedGet();
#endif
  return running && running == PyGILState_GetThisThreadState();
}

/// What a thread does that wants the GIL while the interpreter ends: it sleeps until the process is
/// gone, as from Python 3.14 on. Before, Python would end it by unwinding it through frames that do
/// not expect that.
[[noreturn]] inline void sleep_for_ever() {
  for (;;) pause();
}

/// Runs `f` with the GIL, in a thread that may hold it or not.
template <class F>
auto with_gil(F f) {
  struct Held {
    PyGILState_STATE state = PyGILState_Ensure();
    ~Held() { PyGILState_Release(state); }
  };
  try {
    const Held held;
    try {
      return f();
    } catch (abi::__forced_unwind&) {
      sleep_for_ever();  // here, since the GIL is not ours any more
    }
  } catch (abi::__forced_unwind&) {
    sleep_for_ever();
  }
}

}  // namespace isthmus::python
