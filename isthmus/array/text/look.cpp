// look.cpp: the graph under an array as text.
#include "isthmus/array/text/look.h"

#include "isthmus/array/text/rows.h"
#include "isthmus/array/text/svg.h"
#include "isthmus/runtime/evaluate/source.h"

namespace isthmus::inline ISTHMUS_ABI {

using detail::format;

std::string source(const Array& x) { return source(std::span(&x, 1)); }

std::string source(std::span<const Array> arrays) {
  check(!arrays.empty(), Errc::value, "source: no arrays; one or more are needed");
  std::vector<Ref<Storage>> storages;
  for (const Array& x : arrays) storages.push_back(x.storage());
  return source_of(storages);
}

namespace {

std::string as_text(const std::vector<GraphRow>& rows) {
  std::string text;
  for (std::size_t i = 0; i < rows.size(); ++i)
    text += format("{}%{} = {}: {} on {}", i ? "\n" : "", i, text_of(rows[i]), kind_of(rows[i]),
                   rows[i].device);
  return text;
}

std::string as_dot(const std::vector<GraphRow>& rows) {
  std::string text = "digraph isthmus {\n";
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const GraphRow& row = rows[i];
    std::string label = row.name.empty() ? "value" : row.name;
    std::string edges;
    for (const RowOperand& operand : row.operands) {
      if (operand.row)
        edges += format("  n{} -> n{};\n", *operand.row, i);
      else
        label += ", " + operand.text;
    }
    text += format("  n{} [shape={}, label=\"{}\\n{}\"];\n{}", i,
                   row.name.empty() ? "ellipse" : "box", label, kind_of(row), edges);
  }
  return text += "}";
}

}  // namespace

std::string show(const Array& x, std::string_view format) { return show(std::span(&x, 1), format); }

std::string show(std::span<const Array> arrays, std::string_view format) {
  check(!arrays.empty(), Errc::value, "show: no arrays; one or more are needed");
  check(format == "text" || format == "dot" || format == "svg", Errc::value,
        "show: format: '{}' is none of text, dot, svg", format);
  const std::vector<GraphRow> rows = rows_of(arrays);
  return format == "dot" ? as_dot(rows) : format == "svg" ? as_svg(rows) : as_text(rows);
}

}  // namespace isthmus::inline ISTHMUS_ABI
