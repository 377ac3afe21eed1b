// failure.cpp: exceptions to errors that can be kept.
#include "isthmus/runtime/evaluate/failure.h"

#include <exception>

namespace isthmus::inline ISTHMUS_ABI {

/// Made when the library is loaded, while there is memory. Leaked: threads may fail until the end.
static const Failure& no_memory =
    *new Failure(make_error(Errc::out_of_memory, "the host has no memory left"));

Failure current_failure() noexcept {
  try {
    throw;
  } catch (const Error& error) {
    try {
      return error.share();
    } catch (const std::bad_alloc&) {
      return no_memory;
    }
  } catch (...) {  // std::bad_alloc; and std::system_error, where there can be no more threads
    return no_memory;
  }
}

}  // namespace isthmus::inline ISTHMUS_ABI
