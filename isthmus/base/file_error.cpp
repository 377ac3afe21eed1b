// file_error.cpp: the class of file_error.h.
#include "isthmus/base/file_error.h"

#include <system_error>
#include <utility>

namespace isthmus::inline ISTHMUS_ABI {

SystemFileError::SystemFileError(std::string_view who, std::string_view what, int number,
                                 std::string path)
    : FileError(
          detail::format("{} cannot {}: {}", who, what, std::generic_category().message(number))),
      number_(number),
      path_(std::move(path)) {}
SystemFileError::~SystemFileError() = default;
void SystemFileError::raise() const { throw SystemFileError(*this); }
std::shared_ptr<const Error> SystemFileError::share() const {
  return std::make_shared<const SystemFileError>(*this);
}

void detail::check_path(std::string_view who, std::string_view path) {
  const std::size_t end = path.find('\0');
  detail::check(end == path.npos, Errc::value, "{}: the path has a null byte behind '{}'", who,
                path.substr(0, end));
}

}  // namespace isthmus::inline ISTHMUS_ABI
