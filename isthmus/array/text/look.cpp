// look.cpp: the graph under an array as text.
#include "isthmus/array/text/look.h"

#include <mutex>
#include <unordered_map>
#include <vector>

#include "isthmus/array/apply.h"
#include "isthmus/hazards/hazards.h"
#include "isthmus/runtime/evaluate/source.h"

namespace isthmus::inline ISTHMUS_ABI {

using detail::format;

std::string source(const Array& x) { return source_of(x.storage()); }

namespace {

/// A storage as show() needs it, taken under the graph's lock.
struct Row {
  std::string name;  ///< Of the operation; empty for a value that is there.
  DType dtype;
  Device device;
  Dims shape;
  std::vector<std::string> operands;  ///< "%3" for row 3, else a number or an axis.
};

std::string text_of(const Scalar& scalar) {
  switch (scalar.dtype.family) {
    case Family::boolean: return scalar.integer ? "true" : "false";
    case Family::integer: return format("{}", scalar.integer);
    case Family::natural: return format("{}", scalar.natural);
    case Family::complex: return format("({}, {})", scalar.number.re, scalar.number.im);
    default: return format("{}", scalar.number.re);
  }
}

class Walk {
 public:
  /// Rows in an order in which they could be calculated. Graphs are shallow (max_depth).
  std::size_t visit(Storage& storage) {
    if (const auto at = numbers_.find(&storage); at != numbers_.end()) return at->second;
    Row row{{}, storage.dtype, storage.device, storage.layout.shape, {}};
    if (Node* node = storage.is_ready() ? nullptr : storage.node()) {
      row.name = node->function ? std::string_view(node->function->shown)
                 : node->shape == WorkShape::map
                     ? info(node->op).name
                     : name_of(node->shape, node->reduction, node->sorting);
      for (int i = 0; i < node->operand_count; ++i)
        row.operands.push_back(operand(node->operands[i]));
    }
    rows.push_back(std::move(row));
    return numbers_[&storage] = rows.size() - 1;
  }

  std::vector<Row> rows;

 private:
  std::string operand(const Operand& operand) {
    if (operand.kind == Operand::Kind::storage) return format("%{}", visit(*operand.storage));
    if (operand.kind == Operand::Kind::scalar) return text_of(operand.scalar);
    if (operand.layout) return format("numbers from {} on", operand.layout->offset);
    return format("index along axis {}", static_cast<int>(operand.axis));
  }

  std::unordered_map<const Storage*, std::size_t> numbers_;
};

std::string joined(std::string_view first, const std::vector<std::string>& others) {
  std::string text(first);
  for (const std::string& other : others) text += format("{}{}", text.empty() ? "" : ", ", other);
  return text;
}

std::string as_text(const std::vector<Row>& rows) {
  std::string text;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const Row& row = rows[i];
    const std::string value = row.name.empty()
                                  ? "a value that is there"
                                  : format("{}({})", row.name, joined("", row.operands));
    text += format("{}%{} = {}: {} {} on {}", i ? "\n" : "", i, value, row.dtype, row.shape,
                   row.device);
  }
  return text;
}

std::string as_dot(const std::vector<Row>& rows) {
  std::string text = "digraph isthmus {\n";
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const Row& row = rows[i];
    std::vector<std::string> numbers;
    std::string edges;
    for (const std::string& operand : row.operands) {
      if (operand[0] == '%')
        edges += format("  n{} -> n{};\n", std::string_view(operand).substr(1), i);
      else
        numbers.push_back(operand);
    }
    text += format(
        "  n{} [shape={}, label=\"{}\\n{} {}\"];\n{}", i, row.name.empty() ? "ellipse" : "box",
        joined(row.name.empty() ? "value" : row.name, numbers), row.dtype, row.shape, edges);
  }
  return text += "}";
}

}  // namespace

std::string show(const Array& x, std::string_view format) {
  check(format == "text" || format == "dot", Errc::value, "show: format: '{}' is none of text, dot",
        format);
  Walk walk;
  {
    const std::lock_guard lock(graph_lock());
    walk.visit(*x.storage());
  }
  return format == "dot" ? as_dot(walk.rows) : as_text(walk.rows);
}

}  // namespace isthmus::inline ISTHMUS_ABI
