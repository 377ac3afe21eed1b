// layers.h: where the boxes and lines of a drawn graph lie.
#pragma once

#include <cstddef>
#include <vector>

#include "isthmus/base/export.h"

namespace isthmus::inline ISTHMUS_ABI::drawing {

struct Point {
  double x = 0, y = 0;
};

/// A box to be drawn below what it is made of.
struct Box {
  double width = 0, height = 0;
  std::vector<std::size_t> above;  ///< Boxes before it that lead to it, each once.
  Point center;                    ///< Found.
};

/// From one box down to another, vertical at both ends: between two boxes of neighbouring layers,
/// or a piece of the way past the boxes of a layer.
struct Line {
  Point from, to;
  bool ends_at_box = false;
};

/// A drawing without overlaps, from (0, 0) to `size`.
struct Drawing {
  std::vector<Line> lines;
  Point size;
};

/// Places boxes in layers, each below all that lead to it, so that lines are short and cross little
/// (the method of Sugiyama, with orders by barycentres). Lines from one box run together until
/// their ways part.
Drawing draw_in_layers(std::vector<Box>& boxes);

}  // namespace isthmus::inline ISTHMUS_ABI::drawing
