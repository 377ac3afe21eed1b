// control.cpp: the table of test hooks, and the records of null:0.
#include "isthmus/backend/null/control.h"

#include <cstring>

#include "isthmus/backend/null/native.h"
#include "isthmus/backend/null/recorder.h"

namespace isthmus::null {

namespace {

struct Records {
  std::mutex lock;
  std::string text;
};

Records& records() {
  static Records& r = *new Records;  // leaked: calls may be recorded while the process ends
  return r;
}

std::size_t copy_records(char* text, std::size_t capacity) {
  const std::string all = recorded();
  if (capacity) std::memcpy(text, all.data(), std::min(all.size(), capacity));
  return all.size();
}

constexpr Control table = {
    [](std::int64_t nth, bool is_sticky, int code) {
      call_fault().set(nth, is_sticky, static_cast<Errc>(code));
    },
    [] { return call_fault().passed(); },
    [](std::int64_t nth, bool is_sticky, int code) {
      command_fault().set(nth, is_sticky, static_cast<Errc>(code));
    },
    [] { return command_fault().passed(); },
    [](void (*hook)(const char* name)) { set_call_hook(hook); },
    copy_records,
    clear_records,
    set_seed,
    set_delay,
    [](int device) { return contexts().add(std::make_shared<NativeContext>(device)); },
    [](std::uintptr_t context) { contexts().drop(context); },
    make_queue,
    [](std::uintptr_t queue) { queues().drop(queue); },
    [](std::uintptr_t event) { Ref<NullEvent>::take(reinterpret_cast<NullEvent*>(event)); },
    [] {
      default_context(0);
      return Alive::count().load() - 2 * device_count;
    },
    set_lost,
};

}  // namespace

void record(const std::string& line) {
  std::lock_guard lock(records().lock);
  records().text.append(line).append("\n");
}

std::string recorded() {
  std::lock_guard lock(records().lock);
  return records().text;
}

void clear_records() {
  std::lock_guard lock(records().lock);
  records().text.clear();
}

const Control& control() { return table; }

}  // namespace isthmus::null
