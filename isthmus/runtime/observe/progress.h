// progress.h: progress of builds of kernels that take long: ISTHMUS_PROGRESS.
#pragma once

#include <string>

#include "isthmus/base/export.h"

namespace isthmus::inline ISTHMUS_ABI {

/// A build under way, until it is destroyed. Costs a question of whether anybody wants to know.
class Building {
 public:
  explicit Building(const std::string& device);
  ~Building();
  Building(const Building&) = delete;

 private:
  bool is_told_;
};

/// Told of each begin and end of a build, by a thread that holds no lock of the library; several
/// may be told as one. Null: a line on the standard error once builds take more than a second, if
/// that is a terminal or ISTHMUS_PROGRESS=1.
using BuildHook = void (*)(int done, int total, const char* device);
ISTHMUS_EXPORT void set_build_hook(BuildHook hook);

}  // namespace isthmus::inline ISTHMUS_ABI
