// pieces.h: a value made of blocks that lie anywhere in it.
#pragma once

#include <span>
#include <string_view>

#include "isthmus/array/array.h"

namespace isthmus::inline ISTHMUS_ABI::detail {

/// A block of a value, and the index of its first element there.
struct Piece {
  Array array;
  Dims first;
};

/// A pending value of some elements, each of which is in one of the pieces. Pieces are cast to
/// `dtype`; each is calculated into its place.
Array made_of(std::string_view who, std::span<const Piece> pieces, const Shape& shape, DType dtype);

/// concat(), with the name of the call that the user made in its errors.
Array concat_for(std::string_view who, std::span<const Array> arrays, OptionalInteger axis);

}  // namespace isthmus::inline ISTHMUS_ABI::detail
