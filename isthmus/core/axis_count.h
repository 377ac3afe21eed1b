// axis_count.h: numbers of axes in texts.
#pragma once

#include <concepts>
#include <cstdint>
#include <string>

#include "isthmus/base/format.h"

namespace isthmus::inline ISTHMUS_ABI::detail {

/// In a text of an error "1 axis", "2 axes". Put into words only where the text is.
struct AxisCount {
  constexpr explicit AxisCount(std::integral auto number)
      : count(static_cast<std::int64_t>(number)) {}
  std::int64_t count;
};
inline std::string to_string(const AxisCount& axes) {
  return detail::format(axes.count == 1 ? "{} axis" : "{} axes", axes.count);
}

}  // namespace isthmus::inline ISTHMUS_ABI::detail
