// bind_log.cpp: records of the core to Python's logging, handed over when Python has time.
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>

#include <atomic>
#include <chrono>
#include <new>

#include "isthmus/base/log.h"
#include "python/src/bind/bind.h"
#include "python/src/object/array_object.h"

namespace isthmus::python {

namespace {

/// A record on its way. Where it is made, the GIL may not be asked for: locks may be held, and the
/// thread may be a driver's. So it is left on a stack that is only ever emptied whole.
struct Record {
  Channel channel;
  Level level;
  std::string text;
  double seconds;  ///< Since the epoch, as in LogRecord.created.
  unsigned long thread;
  Record* next;
};
std::atomic<Record*> waiting{nullptr};
std::atomic<int> waiting_count{0};
std::atomic<std::int64_t> lost{0};
constexpr int most_waiting = 10000;  // while Python does not run, for example in one long call

PyObject* receiver = nullptr;  // isthmus._logging.deliver

int drain(void*) {
  drain_log();
  return 0;
}

void keep(Channel channel, Level level, std::string_view text) noexcept {
  if (is_finalizing()) return;
  if (waiting_count.fetch_add(1, std::memory_order_relaxed) >= most_waiting) {
    waiting_count.fetch_sub(1, std::memory_order_relaxed);
    lost.fetch_add(1, std::memory_order_relaxed);
    return;
  }
  const std::chrono::duration<double> now = std::chrono::system_clock::now().time_since_epoch();
  Record* record = nullptr;
  try {
    record = new Record{channel, level, std::string(text), now.count(), PyThread_get_thread_ident(),
                        nullptr};
  } catch (const std::bad_alloc&) {
    waiting_count.fetch_sub(1, std::memory_order_relaxed);
    lost.fetch_add(1, std::memory_order_relaxed);
    return;
  }
  Record* next = waiting.load(std::memory_order_relaxed);
  do record->next = next;
  while (!waiting.compare_exchange_weak(next, record, std::memory_order_release));
  // if there is no place for one more pending call, the next drain takes it along
  if (!next) Py_AddPendingCall(drain, nullptr);
}

Record* take_in_order() {
  Record *left = waiting.exchange(nullptr, std::memory_order_acquire), *first = nullptr;
  while (left) {
    Record* next = std::exchange(left->next, first);
    first = std::exchange(left, next);
  }
  return first;
}

/// Handlers are foreign code: what they raise is told as unraisable, for nobody here asked them.
void hand_over(const Record& record) {
  try {
    nb::borrow(receiver)(to_string(record.channel), to_string(record.level), record.text,
                         record.seconds, record.thread, lost.exchange(0));
  } catch (nb::python_error& error) {
    error.restore();
    PyErr_WriteUnraisable(receiver);
  }
}

}  // namespace

void drain_log() {
  if (!waiting.load(std::memory_order_relaxed) || !receiver) return;
  PyObject *type, *value, *trace;  // an error that is on its way is not the handlers' business
  PyErr_Fetch(&type, &value, &trace);
  for (Record* record = take_in_order(); record;) {
    waiting_count.fetch_sub(1, std::memory_order_relaxed);
    hand_over(*record);
    delete std::exchange(record, record->next);
  }
  PyErr_Restore(type, value, trace);
}

void bind_log(nb::module_& m) {
  m.def(
      "_forward_log",
      [](nb::object to) {
        receiver = to.release().ptr();  // lives as long as the process
        set_log_sink(keep);
      },
      nb::sig("def _forward_log(deliver: typing.Any, /) -> None"));
  m.def("_drain_log", &drain_log, nb::sig("def _drain_log() -> None"));
  m.def("_log_levels", &log_levels, nb::sig("def _log_levels() -> str"));
  m.def("_set_log_levels", &set_log_levels, nb::sig("def _set_log_levels(levels: str, /) -> None"));
}

}  // namespace isthmus::python
