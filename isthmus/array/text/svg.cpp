// svg.cpp: boxes, lines and texts of a drawn graph.
#include "isthmus/array/text/svg.h"

#include <algorithm>
#include <cmath>

#include "isthmus/array/text/layers.h"

namespace isthmus::inline ISTHMUS_ABI {

using detail::format;

namespace {

constexpr double margin = 8, padding = 12, height_of_box = 44;
constexpr double width_of_letter = 7.3;  // of 12 px in a font of one width, generously
constexpr std::size_t most_letters = 48, most_operands = 4;

struct Colours {
  std::string_view work, fill, line;
};
constexpr Colours colours[] = {
    {"value", "#f1f3f5", "#868e96"},
    {"map", "#e7f1fd", "#3b7dd8"},
    {"reduction", "#fff0d9", "#d9822b"},
    {"user's reduction", "#fff0d9", "#d9822b"},
    {"scan", "#fdf7c9", "#b39b00"},
    {"user's scan", "#fdf7c9", "#b39b00"},
    {"sort", "#f8e6fa", "#a64ca6"},
    {"read by position", "#e3f6e5", "#3d9a50"},
    {"write by position", "#d3efd7", "#25703a"},
    {"user's function", "#e9e5fb", "#6a51c7"},
    {"random numbers", "#fde4e4", "#cf4a4a"},
    {"concat", "#d8f3f1", "#168a82"},
};

const Colours& colours_of(const GraphRow& row) {
  const auto found = std::ranges::find(colours, row.work, &Colours::work);
  return found == std::end(colours) ? colours[0] : *found;
}

/// How many bytes the character at the beginning takes; 0 for what is none that XML allows.
std::size_t character_at(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  if (byte(0) < 0x80) return byte(0) >= 0x20 && byte(0) != 0x7f ? 1 : 0;
  const std::size_t length = byte(0) >= 0xf0 ? 4 : byte(0) >= 0xe0 ? 3 : 2;
  if (byte(0) < 0xc2 || byte(0) > 0xf4 || text.size() < length) return 0;
  char32_t code = byte(0) & (0x7fU >> length);
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xc0U) != 0x80) return 0;
    code = (code << 6U) | (byte(i) & 0x3fU);
  }
  constexpr char32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
  const bool is_surrogate = code >= 0xd800 && code < 0xe000;
  const bool is_none = code == 0xfffe || code == 0xffff || code > 0x10ffff;
  return code < least[length] || is_surrogate || is_none ? 0 : length;
}

/// A text as XML has it, and how many characters it has.
struct Words {
  std::string text;
  std::size_t letters = 0;

  explicit Words(std::string_view from, std::size_t most = static_cast<std::size_t>(-1)) {
    while (!from.empty()) {
      if (++letters == most) {
        text += "...";
        letters += 2;
        return;
      }
      const std::size_t length = character_at(from);
      const std::string_view character = from.substr(0, std::max<std::size_t>(length, 1));
      text += length == 0        ? "?"
              : character == "&" ? "&amp;"
              : character == "<" ? "&lt;"
              : character == ">" ? "&gt;"
                                 : character;
      from.remove_prefix(character.size());
    }
  }
  double width() const { return static_cast<double>(letters) * width_of_letter; }
};

std::int64_t whole(double number) { return std::llround(number); }

/// What is written in a box.
struct Label {
  Words first, second;
  Label(const GraphRow& row, std::size_t number)
      : first(format("%{} = {}", number, row.name.empty() ? "value" : text_of(row, most_operands)),
              most_letters),
        second(row.name.empty() ? kind_of(row) : format("{}: {}", row.work, kind_of(row)),
               most_letters) {}
  double width() const { return std::max(first.width(), second.width()) + 2 * padding; }
};

std::string path_of(const drawing::Line& line) {
  const std::int64_t x = whole(line.to.x), middle = whole((line.from.y + line.to.y) / 2);
  const std::int64_t end = whole(line.to.y) - (line.ends_at_box ? 6 : 0);
  std::string text = format("<path d=\"M{} {}C{} {} {} {} {} {}\"/>\n", whole(line.from.x),
                            whole(line.from.y), whole(line.from.x), middle, x, middle, x, end);
  if (line.ends_at_box)
    text +=
        format("<path class=\"head\" fill=\"#868e96\" stroke=\"none\" d=\"M{} {}l-4 -7h8z\"/>\n", x,
               whole(line.to.y));
  return text;
}

std::string text_at(double x, double y, std::string_view style, const Words& words) {
  return format("<text x=\"{}\" y=\"{}\" {}>{}</text>\n", whole(x), whole(y), style, words.text);
}

std::string box_of(const GraphRow& row, std::size_t number, const Label& label,
                   const drawing::Box& box, bool is_last) {
  const Colours& colour = colours_of(row);
  const auto [x, y] = box.center;
  const Words title(format("%{} = {}: {} on {}", number, text_of(row), kind_of(row), row.device));
  return format(
             "<g><title>{}</title>\n<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"{}\" "
             "fill=\"{}\" stroke=\"{}\" stroke-width=\"{}\"/>\n",
             title.text, whole(x - box.width / 2), whole(y - box.height / 2), whole(box.width),
             whole(box.height), row.name.empty() ? 20 : 5, colour.fill, colour.line,
             is_last ? 3 : 1) +
         text_at(x, y - 4, "fill=\"#212529\" font-weight=\"bold\"", label.first) +
         text_at(x, y + 13, "fill=\"#495057\"", label.second) + "</g>\n";
}

}  // namespace

std::string as_svg(std::span<const GraphRow> rows) {
  std::vector<Label> labels;
  std::vector<drawing::Box> boxes;
  for (const GraphRow& row : rows) {
    const Label& label = labels.emplace_back(row, labels.size());
    drawing::Box& box = boxes.emplace_back();
    box.width = 2 * std::ceil(label.width() / 2), box.height = height_of_box;
    for (const RowOperand& operand : row.operands)
      if (operand.row) box.above.push_back(*operand.row);
    std::ranges::sort(box.above);
    box.above.erase(std::ranges::unique(box.above).begin(), box.above.end());
  }
  const drawing::Drawing drawing = drawing::draw_in_layers(boxes);
  const std::int64_t width = whole(std::ceil(drawing.size.x + 2 * margin));
  const std::int64_t height = whole(std::ceil(drawing.size.y + 2 * margin));
  std::string text = format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{}\" height=\"{}\" viewBox=\"{} {} {} "
      "{}\" font-family=\"DejaVu Sans Mono, Menlo, Consolas, monospace\" font-size=\"12\" "
      "text-anchor=\"middle\">\n<g fill=\"none\" stroke=\"#868e96\" stroke-width=\"1.5\">\n",
      width, height, -whole(margin), -whole(margin), width, height);
  for (const drawing::Line& line : drawing.lines) text += path_of(line);
  text += "</g>\n";
  for (std::size_t i = 0; i < rows.size(); ++i)
    text += box_of(rows[i], i, labels[i], boxes[i], i + 1 == rows.size());
  return text += "</svg>\n";
}

}  // namespace isthmus::inline ISTHMUS_ABI
