// error.cpp: the classes of errors.def, and the way from a code to its class.
#include "isthmus/base/error.h"

#include <utility>

namespace isthmus::inline ISTHMUS_ABI {

Error::Error(Errc code, const std::string& what, Details details)
    : std::runtime_error(what), code_(code), text_(what), details_(std::move(details)) {}
Error::~Error() = default;

#define ERROR_GROUP(Class, Base, text) Class::~Class() = default;
#define ERRC(code, Class, Base, text)               \
  Class::~Class() = default;                        \
  void Class::raise() const { throw Class(*this); } \
  std::shared_ptr<const Error> Class::share() const { return std::make_shared<const Class>(*this); }
#include "isthmus/base/errors.def"

std::string_view to_string(Errc code) noexcept {
  switch (code) {
#define ERROR_GROUP(...)
#define ERRC(name, ...) \
  case Errc::name: return #name;
#include "isthmus/base/errors.def"
  }
  return "unknown";
}

std::string_view meaning(Errc code) noexcept {
  switch (code) {
#define ERROR_GROUP(...)
#define ERRC(name, Class, Base, text) \
  case Errc::name: return text;
#include "isthmus/base/errors.def"
  }
  return "unknown";
}

std::shared_ptr<const Error> make_error(Errc code, const std::string& what,
                                        std::shared_ptr<const CompileDetails> details) {
  switch (code) {
#define ERROR_GROUP(...)
#define ERRC(name, Class, ...) \
  case Errc::name: return std::make_shared<const Class>(what, std::move(details));
#include "isthmus/base/errors.def"
  }
  return std::make_shared<const LaunchError>(what);  // a number that is no code
}

void raise_error(Errc code, const std::string& what,
                 std::shared_ptr<const CompileDetails> details) {
  switch (code) {
#define ERROR_GROUP(...)
#define ERRC(name, Class, ...) \
  case Errc::name: throw Class(what, std::move(details));
#include "isthmus/base/errors.def"
  }
  throw LaunchError(what);  // a number that is no code
}

}  // namespace isthmus::inline ISTHMUS_ABI
