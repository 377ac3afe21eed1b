// failure.h: the error of a value that could not be calculated, made even where memory is short.
#pragma once

#include <memory>

#include "isthmus/base/error.h"

namespace isthmus::inline ISTHMUS_ABI {

using Failure = std::shared_ptr<const Error>;

/// What is being caught now, as an Error. Never fails itself.
ISTHMUS_EXPORT Failure current_failure() noexcept;

/// The same, beginning with what `who()` says.
template <class F>
Failure current_failure(F who) noexcept {
  Failure failure = current_failure();
  try {
    return make_error(failure->code(), detail::format("{}: {}", who(), failure->what()),
                      failure->compile_details());
  } catch (const std::exception&) {
    return failure;  // there is no memory for more words
  }
}

}  // namespace isthmus::inline ISTHMUS_ABI
