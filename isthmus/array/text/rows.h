// rows.h: the graph under an array as rows, for people to read.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "isthmus/array/array.h"

namespace isthmus::inline ISTHMUS_ABI {

/// What an operation of a row reads: another row, or a number or a position, as text.
struct RowOperand {
  std::optional<std::size_t> row;
  std::string text;
};

/// A storage as show() needs it.
struct GraphRow {
  std::string name;       ///< Of the operation; empty for a value that is there.
  std::string_view work;  ///< The shape of the work: "map", "reduction", "read by position", ...
  DType dtype;
  Device device;
  Dims shape;
  std::vector<RowOperand> operands;
};

/// What the arrays wait for, in an order in which it could be calculated, each with a row of its
/// own shape: a view of what is calculated has one, too.
std::vector<GraphRow> rows_of(std::span<const Array> arrays);

/// "subtract(%1, 2)"; "a value that is there". Of many operands only the first and the last where
/// they are more than `most`.
std::string text_of(const GraphRow& row, std::size_t most = static_cast<std::size_t>(-1));
/// "float32 (3, 4)".
std::string kind_of(const GraphRow& row);

}  // namespace isthmus::inline ISTHMUS_ABI
