// layers.cpp: layers, orders and positions of boxes.
#include "isthmus/array/text/layers.h"

#include <algorithm>
#include <map>
#include <numeric>

namespace isthmus::inline ISTHMUS_ABI::drawing {

namespace {

constexpr double gap = 24, gap_of_layers = 36, width_of_way = 10;
constexpr int sweeps = 12;
constexpr std::size_t no_box = static_cast<std::size_t>(-1);

/// A box, or where a line passes a layer.
struct Cell {
  std::size_t box = no_box;
  std::size_t layer = 0;
  double width = width_of_way, x = 0;
  std::vector<std::size_t> above, below;
};

class Layers {
 public:
  explicit Layers(std::vector<Box>& boxes) : boxes_(boxes) {
    find_layers();
    for (std::size_t i = 0; i < boxes.size(); ++i) add_cell(i, layer_of_[i], boxes[i].width);
    for (std::size_t i = 0; i < boxes.size(); ++i)
      for (const std::size_t from : boxes[i].above) join(way_to(from, layer_of_[i] - 1), i);
    spread();
    for (int sweep = 0; sweep < sweeps; ++sweep) order(sweep % 2 == 0);
    for (int sweep = 0; sweep < sweeps; ++sweep) move(sweep % 2 == 0);
  }

  Drawing drawing() {
    Drawing drawing;
    double left = 0, right = 0;
    for (std::size_t i = 0; i < cells_.size(); ++i) {
      const Cell& cell = cells_[i];
      left = i ? std::min(left, cell.x - cell.width / 2) : cell.x - cell.width / 2;
    }
    for (Cell& cell : cells_) {
      cell.x -= left;
      right = std::max(right, cell.x + cell.width / 2);
    }
    std::vector<double> tops, heights(layers_.size(), 0);
    double top = 0;
    for (std::size_t i = 0; i < boxes_.size(); ++i)
      heights[layer_of_[i]] = std::max(heights[layer_of_[i]], boxes_[i].height);
    for (const double height : heights) tops.push_back(top), top += height + gap_of_layers;
    for (std::size_t i = 0; i < boxes_.size(); ++i)
      boxes_[i].center = {cells_[i].x, tops[layer_of_[i]] + heights[layer_of_[i]] / 2};
    for (std::size_t i = 0; i < cells_.size(); ++i) add_lines(drawing, i, tops, heights);
    drawing.size = {right, top - gap_of_layers};
    return drawing;
  }

 private:
  void find_layers() {
    layer_of_.resize(boxes_.size());
    std::vector<std::size_t> below(boxes_.size(), no_box);
    for (std::size_t i = 0; i < boxes_.size(); ++i)
      for (const std::size_t from : boxes_[i].above)
        layer_of_[i] = std::max(layer_of_[i], layer_of_[from] + 1);
    for (std::size_t i = 0; i < boxes_.size(); ++i)
      for (const std::size_t from : boxes_[i].above)
        below[from] = std::min(below[from], layer_of_[i]);
    for (std::size_t i = 0; i < boxes_.size(); ++i)  // what nothing leads to, close to its use
      if (boxes_[i].above.empty() && below[i] != no_box) layer_of_[i] = below[i] - 1;
  }

  std::size_t add_cell(std::size_t box, std::size_t layer, double width) {
    if (layers_.size() <= layer) layers_.resize(layer + 1);
    layers_[layer].push_back(cells_.size());
    cells_.push_back({box, layer, width, 0, {}, {}});
    return cells_.size() - 1;
  }

  void join(std::size_t above, std::size_t below) {
    cells_[above].below.push_back(below);
    cells_[below].above.push_back(above);
  }

  /// The cell in a layer on the way from a box, which all lines from it share.
  std::size_t way_to(std::size_t box, std::size_t layer) {
    std::size_t cell = box;
    for (std::size_t at = layer_of_[box] + 1; at <= layer; ++at) {
      const auto [known, is_new] = ways_.try_emplace({box, at}, cells_.size());
      if (is_new) join(cell, add_cell(no_box, at, width_of_way));
      cell = known->second;
    }
    return cell;
  }

  /// Side by side, around the middle.
  void spread() {
    for (const auto& layer : layers_) {
      double at = 0;
      for (const std::size_t cell : layer) {
        cells_[cell].x = at + cells_[cell].width / 2;
        at += cells_[cell].width + gap;
      }
      for (const std::size_t cell : layer) cells_[cell].x -= (at - gap) / 2;
    }
  }

  /// The middle of its neighbours in the layer above, or below; its own place if it has none.
  double middle_of(const Cell& cell, bool is_above) const {
    const auto& others = is_above ? cell.above : cell.below;
    if (others.empty()) return cell.x;
    double sum = 0;
    for (const std::size_t other : others) sum += cells_[other].x;
    return sum / static_cast<double>(others.size());
  }

  template <class F>
  void each_layer(bool is_down, F f) {
    for (std::size_t i = 0; i < layers_.size(); ++i)
      f(layers_[is_down ? i : layers_.size() - 1 - i]);
  }

  void order(bool is_down) {
    std::vector<double> wanted(cells_.size());
    each_layer(is_down, [&](std::vector<std::size_t>& layer) {
      for (const std::size_t cell : layer) wanted[cell] = middle_of(cells_[cell], is_down);
      std::ranges::stable_sort(layer, {}, [&](std::size_t cell) { return wanted[cell]; });
      double at = 0;
      for (const std::size_t cell : layer) at += cells_[cell].width + gap;
      at = -(at - gap) / 2;
      for (const std::size_t cell : layer) {
        cells_[cell].x = at + cells_[cell].width / 2;
        at += cells_[cell].width + gap;
      }
    });
  }

  /// Moves the cells of each layer to the middle of what is above or below them, as closely as
  /// their order and widths allow: the least squares under these conditions, found by joining
  /// neighbours that would overlap. Ways weigh more, so that they are straight.
  void move(bool is_down) {
    struct Run {
      double sum, weight;
      std::size_t count;
    };
    each_layer(is_down, [&](std::vector<std::size_t>& layer) {
      std::vector<Run> runs;
      std::vector<double> offsets;
      double offset = 0;
      for (std::size_t i = 0; i < layer.size(); ++i) {
        const Cell& cell = cells_[layer[i]];
        if (i) offset += (cells_[layer[i - 1]].width + cell.width) / 2 + gap;
        offsets.push_back(offset);
        const double weight = cell.box == no_box ? 4 : 1;
        runs.push_back({weight * (middle_of(cell, is_down) - offset), weight, 1});
        while (runs.size() > 1) {
          const Run last = runs.back();
          Run& before = runs[runs.size() - 2];
          if (before.sum * last.weight <= last.sum * before.weight) break;
          before.sum += last.sum, before.weight += last.weight, before.count += last.count;
          runs.pop_back();
        }
      }
      std::size_t i = 0;
      for (const Run& run : runs)
        for (std::size_t k = 0; k < run.count; ++k, ++i)
          cells_[layer[i]].x = run.sum / run.weight + offsets[i];
    });
  }

  /// What ends at a cell: at a box side by side, in the order of where it comes from.
  void add_lines(Drawing& drawing, std::size_t at, const std::vector<double>& tops,
                 const std::vector<double>& heights) const {
    const Cell& cell = cells_[at];
    const bool is_box = cell.box != no_box;
    std::vector<std::size_t> above = cell.above;
    std::ranges::stable_sort(above, {}, [&](std::size_t other) { return cells_[other].x; });
    const double count = static_cast<double>(above.size());
    const double step = count > 1 ? std::min(16.0, 0.7 * cell.width / (count - 1)) : 0;
    const auto y_of = [&](std::size_t other, double side) {
      const Cell& c = cells_[other];
      const double height = c.box == no_box ? heights[c.layer] : boxes_[c.box].height;
      return tops[c.layer] + heights[c.layer] / 2 + side * height / 2;
    };
    double x = is_box ? cell.x - step * (count - 1) / 2 : cell.x;
    for (const std::size_t other : above) {
      drawing.lines.push_back({{cells_[other].x, y_of(other, 1)}, {x, y_of(at, -1)}, is_box});
      x += step;
    }
    if (!is_box) drawing.lines.push_back({{cell.x, y_of(at, -1)}, {cell.x, y_of(at, 1)}, false});
  }

  std::vector<Box>& boxes_;
  std::vector<std::size_t> layer_of_;  ///< Of each box.
  std::vector<Cell> cells_;            ///< Those of the boxes first.
  std::vector<std::vector<std::size_t>> layers_;
  std::map<std::pair<std::size_t, std::size_t>, std::size_t> ways_;
};

}  // namespace

Drawing draw_in_layers(std::vector<Box>& boxes) { return Layers(boxes).drawing(); }

}  // namespace isthmus::inline ISTHMUS_ABI::drawing
