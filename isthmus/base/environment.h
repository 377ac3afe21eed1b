// environment.h: settings of the environment, and what is said of values that nobody accepts.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>

#include "isthmus/base/export.h"

namespace isthmus::inline ISTHMUS_ABI {

/// A variable's value, or what set_variable() put in its place. Empty: not set, or set to nothing.
ISTHMUS_EXPORT std::string variable(std::string_view name);
/// For this library alone, from now on; the process's own environment stays as it is. What was read
/// before stays read. An empty value hides the environment's.
ISTHMUS_EXPORT void set_variable(std::string_view name, std::string_view value);

/// Sets a variable of the process's environment, for other libraries to read. Threads that read the
/// environment meanwhile see the old list or the new one, for neither is ever freed, as setenv()
/// may do it. Not while another thread calls setenv().
ISTHMUS_EXPORT void set_process_variable(std::string_view name, std::string_view value);

/// Tells the user of a setting that is not taken as it stands: a record, whatever the levels of
/// the log. The same is said once. Any thread.
ISTHMUS_EXPORT void warn_of_setting(const std::string& text) noexcept;

/// The place of a variable's value among `words`; the first, with a warning that names the others,
/// if it is none of them or is not set.
ISTHMUS_EXPORT int choose(std::string_view name, std::initializer_list<std::string_view> words);

}  // namespace isthmus::inline ISTHMUS_ABI
