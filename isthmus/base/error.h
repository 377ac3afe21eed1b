// error.h: the exceptions of the library, and the functions that throw them.
#pragma once

#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>

#include "isthmus/base/export.h"
#include "isthmus/base/format.h"

namespace isthmus::inline ISTHMUS_ABI {

/// What went wrong, as far as a caller can act on it: type, value, index, ... (errors.def).
enum class Errc {
#define ERROR_GROUP(...)
#define ERRC(code, ...) code,
#include "isthmus/base/errors.def"
};

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

/// The base of what the library throws; each object is of one of the classes below. The text reads
/// "who: what was found; what would do".
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
  /// By the classes below alone.
  Error(Errc code, const std::string& what, Details details);
  Error(const Error&) = default;
  Error& operator=(const Error&) = default;
  /// @}

 private:
  Errc code_;
  std::string text_;
  Details details_;
};

#define ERROR_GROUP(Class, Base, text)        \
  class ISTHMUS_EXPORT Class : public Base {  \
   public:                                    \
    ~Class() override;                        \
                                              \
   protected:                                 \
    using Base::Base;                         \
    Class(const Class&) = default;            \
    Class& operator=(const Class&) = default; \
  };
#define ERRC(code, Class, Base, text)                                                              \
  class ISTHMUS_EXPORT Class : public Base {                                                       \
   public:                                                                                         \
    explicit Class(const std::string& what, Details details = {})                                  \
        : Class(Errc::code, what, std::move(details)) {}                                           \
    Class(const Class&) = default;                                                                 \
    Class& operator=(const Class&) = default;                                                      \
    ~Class() override;                                                                             \
    [[noreturn]] void raise() const override;                                                      \
    std::shared_ptr<const Error> share() const override;                                           \
                                                                                                   \
   protected:                                                                                      \
    Class(Errc c, const std::string& what, Details details) : Base(c, what, std::move(details)) {} \
  };
#include "isthmus/base/errors.def"

/// An error of the code's class, to keep or to raise().
ISTHMUS_EXPORT std::shared_ptr<const Error> make_error(
    Errc code, const std::string& what, std::shared_ptr<const CompileDetails> details = {});
/// Throws it.
[[noreturn]] ISTHMUS_EXPORT void raise_error(Errc code, const std::string& what,
                                             std::shared_ptr<const CompileDetails> details = {});

namespace detail {
/// Throws the class of the code. `{}` in the text is replaced by the arguments in turn.
template <class... Args>
[[noreturn]] void fail(Errc code, std::string_view text, const Args&... args) {
  raise_error(code, format(text, args...));
}

/// fail() unless `ok`.
template <class... Args>
void check(bool ok, Errc code, std::string_view text, const Args&... args) {
  if (!ok) [[unlikely]]
    fail(code, text, args...);
}
}  // namespace detail

}  // namespace isthmus::inline ISTHMUS_ABI
