// svg.h: the graph under an array as a picture.
#pragma once

#include <span>
#include <string>

#include "isthmus/array/text/rows.h"

namespace isthmus::inline ISTHMUS_ABI {

/// A complete SVG document, which needs no other file: a box for each row, below those that it
/// reads, in the colour of its shape of work. Characters that XML does not allow become question
/// marks.
ISTHMUS_EXPORT std::string as_svg(std::span<const GraphRow> rows);

}  // namespace isthmus::inline ISTHMUS_ABI
