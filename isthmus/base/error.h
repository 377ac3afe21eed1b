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

/// What is known of a kernel that did not build, beside the text of its error.
struct CompileDetails {
  std::string source;  ///< As the compiler got it; empty where a backend does not say.
  std::string log;     ///< What the compiler wrote.
  std::string device;
  std::string key;  ///< The kernel's name in the cache, and of its files in ISTHMUS_DUMP.
};

/// The library's one exception. The text reads "who: what was found; what would do".
class ISTHMUS_EXPORT Error : public std::runtime_error {
 public:
  Error(Errc code, const std::string& what, std::shared_ptr<const CompileDetails> details = {});
  ~Error() override;  // out of line: one type across shared libraries
  Errc code() const noexcept { return code_; }
  /// All of what(), which ends where a user's text has a NUL.
  const std::string& text() const noexcept { return text_; }
  /// Of a kernel that did not build; null for others.
  const std::shared_ptr<const CompileDetails>& compile_details() const noexcept { return details_; }

 private:
  Errc code_;
  std::string text_;
  std::shared_ptr<const CompileDetails> details_;
};

/// Throws Error. `{}` in the text is replaced by the arguments in turn.
template <class... Args>
[[noreturn]] void fail(Errc code, std::string_view text, const Args&... args) {
  throw Error(code, detail::format(text, args...));
}

/// Throws Error unless `ok`.
template <class... Args>
void check(bool ok, Errc code, std::string_view text, const Args&... args) {
  if (!ok) [[unlikely]]
    fail(code, text, args...);
}

}  // namespace isthmus
