// error.h: the one exception type, and the two functions that throw it.
#pragma once

#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>

#include "isthmus/base/export.h"
#include "isthmus/base/format.h"

namespace isthmus {

/// What went wrong, as far as a caller can act on it. Python maps each to an exception class.
enum class Errc {
  type,                 ///< TypeError: an argument of the wrong type.
  value,                ///< ValueError: a shape, axis or number that cannot be.
  index,                ///< IndexError: an index outside its axis.
  overflow,             ///< OverflowError: a number that its dtype cannot hold.
  unsupported,          ///< NotImplementedError: a thing this version does not do, said plainly.
  promotion,            ///< PromotionError (TypeError): dtypes without a common one.
  device_mismatch,      ///< DeviceMismatchError (ValueError): operands of two devices or contexts.
  device_not_found,     ///< DeviceNotFoundError (LookupError): no such device.
  backend_unavailable,  ///< BackendUnavailableError (ImportError): no such backend here.
  exchange,             ///< ExchangeError (BufferError): memory that cannot be shared as asked.
  copy_refused,         ///< CopyRefusedError (ExchangeError, ValueError): copy=False needs a copy.
  implicit_host_copy,   ///< ImplicitHostCopyError (TypeError): device memory asked of the host.
  out_of_memory,        ///< OutOfMemoryError (MemoryError).
  compile,              ///< CompileError (RuntimeError), with the source and the compiler's log.
  launch,       ///< LaunchError (RuntimeError): the driver refused; its code is in the text.
  interrupted,  ///< KeyboardInterrupt: a signal handler asked to stop.
};

/// The library's one exception. The text reads "who: what was found; what would do".
class ISTHMUS_EXPORT Error : public std::runtime_error {
 public:
  Error(Errc code, const std::string& what);
  ~Error() override;  // out of line: one type across shared libraries
  Errc code() const noexcept { return code_; }

 private:
  Errc code_;
};

/// Throws Error. `{}` in the text is replaced by the arguments in turn.
template <class... Args>
[[noreturn]] void fail(Errc code, std::string_view text, const Args&... args) {
  throw Error(code, format(text, args...));
}

/// Throws Error unless `ok`.
template <class... Args>
void check(bool ok, Errc code, std::string_view text, const Args&... args) {
  if (!ok) [[unlikely]]
    fail(code, text, args...);
}

}  // namespace isthmus
