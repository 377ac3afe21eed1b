// log.h: log records by channel and level; silent by default.
#pragma once

#include <atomic>
#include <cstdint>
#include <new>
#include <string>
#include <string_view>

#include "isthmus/base/export.h"
#include "isthmus/base/format.h"

namespace isthmus::inline ISTHMUS_ABI {

/// The topic of a record.
enum class Channel : std::uint8_t {
  jit,       ///< kernels: built, loaded, rejected
  mem,       ///< pools and drivers' allocations
  exchange,  ///< copies that an exchange needed
  runtime,   ///< backends, and work that failed
  count_,
};
/// The importance of a record. `off`, as the level of a channel, silences it.
enum class Level : std::uint8_t { debug, info, warning, error, off };
/// @{
/// The name as in set_log_levels(): "jit", "debug". Throws ValueError for an invalid number.
ISTHMUS_EXPORT std::string_view to_string(Channel channel);
ISTHMUS_EXPORT std::string_view to_string(Level level);
/// @}

namespace detail {
extern ISTHMUS_EXPORT std::atomic<Level> log_levels[static_cast<int>(Channel::count_)];
ISTHMUS_EXPORT void write_log(Channel channel, Level level, std::string_view text) noexcept;
}  // namespace detail

/// Whether such a record is logged: check this first if its text is costly.
inline bool is_logged(Channel channel, Level level) {
  return level >= detail::log_levels[static_cast<int>(channel)].load(std::memory_order_relaxed);
}

namespace detail {
/// Logs a record; `{}` as in format(). Not isthmus::log, which is the logarithm. One relaxed load
/// if it is not logged. Any thread; a record for which there is no memory is lost.
template <class... Args>
void log(Channel channel, Level level, std::string_view text, const Args&... args) noexcept {
  if (!is_logged(channel, level)) [[likely]]
    return;
  try {
    write_log(channel, level, detail::format(text, args...));
  } catch (const std::bad_alloc&) {
    write_log(channel, level, text);
  }
}
}  // namespace detail

/// Sets levels from a string such as "info,jit=debug": first for all channels, then for one.
/// Initially that of ISTHMUS_LOG, or off. Throws ValueError, and changes nothing, for an unknown
/// level or channel.
ISTHMUS_EXPORT void set_log_levels(std::string_view text);
/// The levels as such a string.
ISTHMUS_EXPORT std::string log_levels();

/// A function that receives records. It runs on any thread, possibly while locks of the library are
/// held, so it must neither call the library nor wait for a thread that does. Null: records go to
/// the file of ISTHMUS_LOG_FILE, or to the standard error. That file receives every record, with or
/// without a sink.
using LogSink = void (*)(Channel channel, Level level, std::string_view text) noexcept;
/// Sets the sink of records; see LogSink.
ISTHMUS_EXPORT void set_log_sink(LogSink sink);

namespace detail {
/// Logs a `jit` record with the output of a compiler for a kernel that it built, whatever the
/// levels are. The record begins with "compiler of ".
ISTHMUS_EXPORT void warn_of_compiler(std::string_view device, std::string_view text) noexcept;
}  // namespace detail

/// Also appends every record to this file; an empty name: to no file. Initially the file of
/// ISTHMUS_LOG_FILE. Throws ValueError, and changes nothing, if the file cannot be opened.
ISTHMUS_EXPORT void set_log_file(const std::string& name);

}  // namespace isthmus::inline ISTHMUS_ABI
