// trace.cpp: a profile in the format of Chrome's trace viewer.
#include <unistd.h>

#include <map>

#include "isthmus/runtime/observe/profile.h"

namespace isthmus::inline ISTHMUS_ABI {

using detail::format;

namespace {

/// Numbers of tracks, which viewers want to be integers, by what they show.
class Tracks {
 public:
  std::size_t number(const std::string& owner) {
    return numbers_.try_emplace(owner, numbers_.size() + 1).first->second;
  }
  const std::map<std::string, std::size_t>& all() const { return numbers_; }

 private:
  std::map<std::string, std::size_t> numbers_;
};

std::string json_text(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out += '"';
}

class TraceEvents {
 public:
  void add(std::string_view name, std::size_t track, double begin, double seconds,
           const std::string& arguments) {
    begin_event();
    text_ += format(R"({"name": {}, "ph": "X", "pid": {}, "tid": {}, "ts": {}, "dur": {}, )",
                    json_text(name), getpid(), track, begin * 1e6, seconds * 1e6);
    text_ += format(R"("args": { {} }})", arguments);
  }
  void name_track(std::size_t track, std::string_view name) {
    begin_event();
    text_ +=
        format(R"({"name": "thread_name", "ph": "M", "pid": {}, "tid": {}, )", getpid(), track);
    text_ += format(R"("args": {"name": {} }})", json_text(name));
  }
  std::string take() const { return format(R"({"traceEvents": [{}]})", text_); }

 private:
  void begin_event() {
    if (!text_.empty()) text_ += ",\n";
  }
  std::string text_;
};

std::string arguments_of(const Profile::Kernel& kernel) {
  std::string shape;
  for (const std::int64_t extent : kernel.shape)
    shape += format("{}{}", shape.empty() ? "" : ", ", extent);
  return format("\"shape\": [{}], \"device\": {}, \"where\": {}", shape,
                json_text(to_string(kernel.device)), json_text(kernel.where));
}

std::string arguments_of(const Profile::Evaluation& evaluation) {
  std::string stops;
  for (const auto& [reason, times] : evaluation.stops)
    stops += format("{}{}: {}", stops.empty() ? "" : ", ", json_text(reason), times);
  return format(R"("stops": { {} })", stops);
}

}  // namespace

std::string detail::trace_of(std::span<const Profile::Evaluation> evaluations) {
  Tracks tracks;
  TraceEvents events;
  for (const Profile::Evaluation& one : evaluations) {
    const std::size_t thread = tracks.number(format("thread {}", one.thread));
    events.add("evaluate", thread, one.begin, one.seconds, arguments_of(one));
    for (const Profile::Kernel& kernel : one.kernels) {
      std::string name;
      for (const std::string_view operation : kernel.operations)
        name += format("{}{}", name.empty() ? "" : ", ", operation);
      if (name.empty()) name = "copy";
      const bool is_apart = kernel.where == "launched";
      const std::string arguments = arguments_of(kernel);
      events.add(is_apart ? format("launch {}", name) : name, thread, kernel.call_begin,
                 kernel.call_seconds, arguments);
      if (is_apart && kernel.begin && kernel.seconds)
        events.add(name, tracks.number(format("queues of {}", kernel.device)), *kernel.begin,
                   *kernel.seconds, arguments);
    }
  }
  for (const auto& [owner, number] : tracks.all()) events.name_track(number, owner);
  return events.take();
}

}  // namespace isthmus::inline ISTHMUS_ABI
