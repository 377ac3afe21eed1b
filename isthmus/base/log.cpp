// log.cpp: levels from ISTHMUS_LOG, records to a sink or a file.
#include "isthmus/base/log.h"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <ctime>

#include "isthmus/base/environment.h"
#include "isthmus/base/error.h"

namespace isthmus::inline ISTHMUS_ABI {

using detail::format;

namespace {

constexpr int channel_count = static_cast<int>(Channel::count_);
constexpr std::string_view channel_names[] = {"jit", "mem", "exchange", "runtime"};
constexpr std::string_view level_names[] = {"debug", "info", "warning", "error", "off"};
static_assert(std::size(channel_names) == channel_count);

using Levels = std::array<Level, channel_count>;

template <std::size_t count>
int index_of(const std::string_view (&names)[count], std::string_view name) {
  for (std::size_t i = 0; i < count; ++i)
    if (names[i] == name) return static_cast<int>(i);
  return -1;
}

Levels parse(std::string_view text) {
  Levels levels;
  levels.fill(Level::off);
  for (std::string_view rest = text; !rest.empty();) {
    const auto comma = rest.find(',');
    const std::string_view word = rest.substr(0, comma);
    rest.remove_prefix(comma == rest.npos ? rest.size() : comma + 1);
    const auto equals = word.find('=');
    const bool is_of_one = equals != word.npos;
    const int channel = is_of_one ? index_of(channel_names, word.substr(0, equals)) : 0;
    const int level = index_of(level_names, is_of_one ? word.substr(equals + 1) : word);
    detail::check(
        channel >= 0 && level >= 0, Errc::value,
        "log: '{}' in '{}' is neither a level of {} nor channel=level with a channel of {}", word,
        text, level_names, channel_names);
    if (!is_of_one) levels.fill(static_cast<Level>(level));
    levels[static_cast<std::size_t>(channel)] = static_cast<Level>(level);
  }
  return levels;
}

void store(const Levels& levels) {
  for (std::size_t i = 0; i < levels.size(); ++i)
    detail::log_levels[i].store(levels[i], std::memory_order_relaxed);
}

std::atomic<LogSink> sink{nullptr};

/// -1: none. Never closed, since a thread may be writing to it; see set_log_file.
std::atomic<int> named_file{-1};

/// One line, in one call, so that the lines of several threads and processes do not mix. A disk
/// that is full takes no record, and nobody is there to be told.
void write_line(int file, Channel channel, Level level, std::string_view text) noexcept {
  timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  tm local;
  localtime_r(&now.tv_sec, &local);
  char line[4096];
  const int length = std::snprintf(
      line, sizeof line, "%04d-%02d-%02d %02d:%02d:%02d.%03d isthmus.%s %s: %.*s\n",
      local.tm_year + 1900, local.tm_mon + 1, local.tm_mday, local.tm_hour, local.tm_min,
      local.tm_sec, static_cast<int>(now.tv_nsec / 1000000), to_string(channel).data(),
      to_string(level).data(), static_cast<int>(text.size()), text.data());
  const auto wanted = static_cast<std::size_t>(length);
  if (length <= 0) return;
  if (wanted >= sizeof line) line[sizeof line - 2] = '\n';
  [[maybe_unused]] const auto written = ::write(file, line, std::min(wanted, sizeof line - 1));
}

}  // namespace

std::atomic<Level> detail::log_levels[channel_count] = {Level::off, Level::off, Level::off,
                                                        Level::off};

/// A mistake in a variable must not end the process that loads the library; it is a record.
[[maybe_unused]] static const bool has_read_environment = [] {
  try {
    set_log_file(variable("ISTHMUS_LOG_FILE"));
  } catch (const Error& error) {
    warn_of_setting(format("ISTHMUS_LOG_FILE: {}", error.what()));
  }
  try {
    store(parse(variable("ISTHMUS_LOG")));
  } catch (const Error& error) {
    store(parse("warning"));
    warn_of_setting(format("ISTHMUS_LOG: {}", error.what()));
  }
  return true;
}();

void detail::write_log(Channel channel, Level level, std::string_view text) noexcept {
  const int file = named_file.load(std::memory_order_acquire);
  if (file >= 0) write_line(file, channel, level, text);
  if (const LogSink to = sink.load(std::memory_order_acquire)) return to(channel, level, text);
  if (file < 0) write_line(STDERR_FILENO, channel, level, text);
}

void detail::warn_of_compiler(std::string_view device, std::string_view text) noexcept {
  try {
    detail::write_log(Channel::jit, Level::warning, format("compiler of {}: {}", device, text));
  } catch (const std::bad_alloc&) {
    return;  // no memory for a warning
  }
}

void set_log_levels(std::string_view text) { store(parse(text)); }

std::string log_levels() {
  std::string text;
  for (int i = 0; i < channel_count; ++i)
    text += format("{}{}={}", i ? "," : "", to_string(static_cast<Channel>(i)),
                   to_string(detail::log_levels[i].load(std::memory_order_relaxed)));
  return text;
}

void set_log_sink(LogSink to) { sink.store(to); }

void set_log_file(const std::string& name) {
  const int flags = O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC;
  const int opened = name.empty() ? -1 : open(name.c_str(), flags, 0600);
  detail::check(name.empty() || opened >= 0, Errc::value,
                "log_file: '{}' cannot be opened for writing: {}; use a file in a folder of yours",
                name, std::strerror(errno));
  const int old = named_file.load();
  if (opened < 0 || old < 0) return named_file.store(opened);
  dup2(opened, old);  // under whoever writes to it just now
  close(opened);
}

std::string_view to_string(Channel channel) {
  const auto number = static_cast<std::size_t>(channel);
  detail::check(number < std::size(channel_names), Errc::value, "to_string: {} is not a Channel",
                number);
  return channel_names[number];
}
std::string_view to_string(Level level) {
  const auto number = static_cast<std::size_t>(level);
  detail::check(number < std::size(level_names), Errc::value, "to_string: {} is not a Level",
                number);
  return level_names[number];
}

}  // namespace isthmus::inline ISTHMUS_ABI
