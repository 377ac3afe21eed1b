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
/// What a code means, in words: "a device, or the host, has no memory left".
ISTHMUS_EXPORT std::string_view meaning(Errc code) noexcept;

/// What is known of a kernel that did not build, beside the text of its error.
struct CompileDetails {
  std::string source;  ///< As the compiler got it; empty where a backend does not say.
  std::string log;     ///< What the compiler wrote.
  std::string device;  ///< As to_string() has it.
  std::string key;     ///< The kernel's name in the cache, and of its files in ISTHMUS_DUMP.
};

/// The base of what the library throws; each object is of one of the classes of error_classes.h.
/// The text reads "who: what was found; what would do".
class ISTHMUS_EXPORT Error : public std::runtime_error {
 public:
  ~Error() override;  // out of line, as the others': one type across shared libraries
  Errc code() const noexcept { return code_; }  ///< What went wrong.
  /// All of what(), which ends where a user's text has a NUL.
  const std::string& text() const noexcept { return text_; }
  /// Of a kernel that did not build; null for others.
  const std::shared_ptr<const CompileDetails>& compile_details() const noexcept { return details_; }
  /// Throws a copy, of the class that this one has.
  [[noreturn]] virtual void raise() const = 0;
  /// A copy to keep, of the class that this one has.
  virtual std::shared_ptr<const Error> share() const = 0;

 protected:
  using Details = std::shared_ptr<const CompileDetails>;  ///< Null where nothing was built.
  /// @{
  /// By the classes of error_classes.h alone.
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
