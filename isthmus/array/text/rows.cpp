// rows.cpp: the walk through a pending graph.
#include "isthmus/array/text/rows.h"

#include <mutex>
#include <unordered_map>

#include "isthmus/array/apply.h"
#include "isthmus/hazards/hazards.h"

namespace isthmus::inline ISTHMUS_ABI {

using detail::format;

namespace {

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
  /// Graphs are shallow (max_depth).
  std::size_t visit(Storage& storage) {
    if (const auto at = numbers_.find(&storage); at != numbers_.end()) return at->second;
    GraphRow row{{}, "value", storage.dtype, storage.device, storage.layout.shape, {}};
    if (Node* node = storage.is_ready() ? nullptr : storage.node()) {
      row.name = node->ask([](const auto& work) { return work.name(); });
      row.work = node->ask([](const auto& work) { return work.kind(); });
      for (int i = 0; i < node->operand_count; ++i)
        row.operands.push_back(
            operand(node->is_concat() ? source_of(node->operands[i]) : node->operands[i]));
    }
    rows.push_back(std::move(row));
    return numbers_[&storage] = rows.size() - 1;
  }

  void visit(const Array& x) {
    const bool is_view = x.shape() != x.storage()->layout.shape;
    if (is_view && x.storage()->is_ready())
      return rows.push_back({{}, "value", x.dtype(), x.device(), x.shape(), {}});
    const std::size_t at = visit(*x.storage());
    if (is_view)
      rows.push_back(
          {"view", "view", x.dtype(), x.device(), x.shape(), {RowOperand{.row = at, .text = {}}}});
  }

  std::vector<GraphRow> rows;

 private:
  /// What a part of a concat copies; the part itself if it casts, or is there already.
  static const Operand& source_of(const Operand& part) {
    const Node* node = part.storage->node();
    if (!node || node->operands[0].storage->dtype != part.storage->dtype) return part;
    return node->operands[0];
  }

  RowOperand operand(const Operand& operand) {
    if (operand.kind == Operand::Kind::storage) return {visit(*operand.storage), {}};
    if (operand.kind == Operand::Kind::scalar) return {{}, text_of(operand.scalar)};
    if (operand.layout) return {{}, format("numbers from {} on", operand.layout->offset)};
    return {{}, format("index along axis {}", static_cast<int>(operand.axis))};
  }

  std::unordered_map<const Storage*, std::size_t> numbers_;
};

}  // namespace

std::vector<GraphRow> rows_of(std::span<const Array> arrays) {
  Walk walk;
  const std::lock_guard lock(graph_lock());
  for (const Array& x : arrays) walk.visit(x);
  return std::move(walk.rows);
}

std::string text_of(const GraphRow& row, std::size_t most) {
  if (row.name.empty()) return "a value that is there";
  const std::size_t count = row.operands.size();
  std::string text = row.name + '(';
  for (std::size_t i = 0; i < count; ++i) {
    if (i) text += ", ";
    if (count > most && i + 1 == most) {
      text += "..., ";
      i = count - 1;
    }
    const RowOperand& operand = row.operands[i];
    text += operand.row ? format("%{}", *operand.row) : operand.text;
  }
  return text + ')';
}

std::string kind_of(const GraphRow& row) { return format("{} {}", row.dtype, row.shape); }

}  // namespace isthmus::inline ISTHMUS_ABI
