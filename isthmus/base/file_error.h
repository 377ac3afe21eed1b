// file_error.h: errors of system calls on files, and paths that are not allowed.
#pragma once

#include <string>
#include <string_view>

#include "isthmus/base/error.h"

namespace isthmus::inline ISTHMUS_ABI {

/// A FileError with the error of a system call.
class ISTHMUS_EXPORT SystemFileError : public FileError {
 public:
  /// The message is "who cannot `what`: the system's message".
  SystemFileError(std::string_view who, std::string_view what, int number, std::string path);
  /// @{
  /// The same error.
  SystemFileError(const SystemFileError&) = default;
  SystemFileError& operator=(const SystemFileError&) = default;
  /// @}
  ~SystemFileError() override;
  [[noreturn]] void raise() const override;
  std::shared_ptr<const Error> share() const override;
  int number() const noexcept { return number_; }             ///< The value of errno.
  const std::string& path() const noexcept { return path_; }  ///< The path of the file, as passed.

 private:
  int number_;
  std::string path_;
};

namespace detail {
/// Throws ValueError for a path with a NUL: the system would use another file.
ISTHMUS_EXPORT void check_path(std::string_view who, std::string_view path);
}  // namespace detail

}  // namespace isthmus::inline ISTHMUS_ABI
