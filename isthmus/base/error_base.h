// error_base.h: the class that all errors of the library derive from.
#pragma once

#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

#include "isthmus/base/errc.h"

namespace isthmus::inline ISTHMUS_ABI {

/// The name of a code: "out_of_memory".
ISTHMUS_EXPORT std::string_view to_string(Errc code) noexcept;
/// The meaning of a code: "a device, or the host, has no memory left".
ISTHMUS_EXPORT std::string_view meaning(Errc code) noexcept;

/// Details of a kernel that did not build, in addition to the error message.
struct CompileDetails {
  std::string source;  ///< As passed to the compiler; empty if the backend does not report it.
  std::string log;     ///< What the compiler wrote.
  std::string device;  ///< As by to_string().
  std::string key;     ///< The name of the kernel in the cache, and of its files in ISTHMUS_DUMP.
};

/// The base class of all errors of the library; each object has one of the classes of
/// error_classes.h. The message has the form "who: what was found; what would work".
class ISTHMUS_EXPORT Error : public std::runtime_error {
 public:
  ~Error() override;  // out of line, as the others': one type across shared libraries
  Errc code() const noexcept { return code_; }  ///< What went wrong.
  /// The whole message; what() ends at a NUL in text from the user.
  const std::string& text() const noexcept { return text_; }
  /// The details of a kernel that did not build; null for other errors.
  const std::shared_ptr<const CompileDetails>& compile_details() const noexcept { return details_; }
  /// Throws a copy of the same class.
  [[noreturn]] virtual void raise() const = 0;
  /// A copy of the same class, to keep.
  virtual std::shared_ptr<const Error> share() const = 0;

 protected:
  using Details = std::shared_ptr<const CompileDetails>;  ///< Null where nothing was built.
  /// @{
  /// Only for the classes of error_classes.h.
  Error(Errc code, const std::string& what, Details details);
  Error(const Error&) = default;
  Error& operator=(const Error&) = default;
  /// @}

 private:
  Errc code_;
  std::string text_;
  Details details_;
};

}  // namespace isthmus::inline ISTHMUS_ABI
