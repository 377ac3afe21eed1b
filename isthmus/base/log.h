// log.h: what the library has to say, by channel and level; silent unless somebody listens.
#pragma once

#include <atomic>
#include <cstdint>
#include <new>
#include <string>
#include <string_view>

#include "isthmus/base/export.h"
#include "isthmus/base/format.h"

namespace isthmus::inline ISTHMUS_ABI {

/// What a record is about.
enum class Channel : std::uint8_t {
  jit,       ///< kernels: built, loaded, rejected
  mem,       ///< pools and drivers' allocations
  exchange,  ///< copies that an exchange took
  runtime,   ///< backends, and work that failed
  count_,
};
/// How much it matters. `off`, as the level of a channel, silences it.
enum class Level : std::uint8_t { debug, info, warning, error, off };
/// @{
/// As in set_log_levels(): "jit", "debug". Throws ValueError for a number that is none.
ISTHMUS_EXPORT std::string_view to_string(Channel channel);
ISTHMUS_EXPORT std::string_view to_string(Level level);
/// @}

namespace detail {
extern ISTHMUS_EXPORT std::atomic<Level> log_levels[static_cast<int>(Channel::count_)];
ISTHMUS_EXPORT void write_log(Channel channel, Level level, std::string_view text) noexcept;
}  // namespace detail

/// Whether anybody wants such a record: ask first where its text takes work.
inline bool is_logged(Channel channel, Level level) {
  return level >= detail::log_levels[static_cast<int>(channel)].load(std::memory_order_relaxed);
}

namespace detail {
/// Says something; `{}` as in format(). Not isthmus::log, which is the logarithm. One relaxed load
/// when nobody listens. Any thread; a record for which there is no memory is lost.
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

/// Sets levels from a text such as "info,jit=debug": first of all channels, then of one. At first
/// that of ISTHMUS_LOG, or off. Throws ValueError for what is no level or channel, and changes
/// nothing.
ISTHMUS_EXPORT void set_log_levels(std::string_view text);
/// The levels as such a text.
ISTHMUS_EXPORT std::string log_levels();

/// Where records go: on any thread, perhaps with locks of the library held, so that a sink must
/// neither call the library nor wait for who does. Null: to the file of ISTHMUS_LOG_FILE, or to
/// the standard error. A file that is named there gets every record, sink or not.
using LogSink = void (*)(Channel channel, Level level, std::string_view text) noexcept;
/// Sends records there; see LogSink.
ISTHMUS_EXPORT void set_log_sink(LogSink sink);

namespace detail {
/// A record of `jit` with what a compiler had to say about a kernel that it built; it begins with
/// "compiler of ". Whatever the levels are.
ISTHMUS_EXPORT void warn_of_compiler(std::string_view device, std::string_view text) noexcept;
}  // namespace detail

/// Appends every record to this file too; none: to no file. At first that of ISTHMUS_LOG_FILE.
/// Throws ValueError if it cannot be opened, and changes nothing.
ISTHMUS_EXPORT void set_log_file(const std::string& name);

}  // namespace isthmus::inline ISTHMUS_ABI
