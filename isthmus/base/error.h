// error.h: the exceptions of the library, and the functions that throw them.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "isthmus/base/error_classes.h"
#include "isthmus/base/format.h"

namespace isthmus::inline ISTHMUS_ABI {

/// Creates an error of the class of the code, to keep or to raise().
ISTHMUS_EXPORT std::shared_ptr<const Error> make_error(
    Errc code, const std::string& what, std::shared_ptr<const CompileDetails> details = {});
/// Throws an error of the class of the code.
[[noreturn]] ISTHMUS_EXPORT void raise_error(Errc code, const std::string& what,
                                             std::shared_ptr<const CompileDetails> details = {});

namespace detail {
/// Throws an error of the class of the code. Each `{}` in the text is replaced by the next
/// argument.
template <class... Args>
[[noreturn]] void fail(Errc code, std::string_view text, const Args&... args) {
  raise_error(code, detail::format(text, args...));
}

/// fail() unless `ok`.
template <class... Args>
void check(bool ok, Errc code, std::string_view text, const Args&... args) {
  if (!ok) [[unlikely]]
    fail(code, text, args...);
}
}  // namespace detail

}  // namespace isthmus::inline ISTHMUS_ABI
