// bind_graph.cpp: the pending operations under an array as tuples, which isthmus.show() prints.
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>

#include <unordered_map>

#include "isthmus/array/look.h"
#include "isthmus/runtime/unblocked.h"
#include "python/src/array_object.h"
#include "python/src/bind.h"
#include "python/src/collections.h"

namespace isthmus::python {

using detail::format;

namespace {

/// A storage as isthmus.show() needs it; taken under the graph's lock, without a call of Python.
struct Row {
  int number;
  std::string name;  ///< Of the operation; empty for a value that is there.
  std::string dtype, device;
  std::vector<std::int64_t> shape;
  std::vector<std::string> operands;  ///< "%3" for row 3, else a number or an axis.
};

std::string text_of(const Scalar& scalar) {
  switch (scalar.dtype.family) {
    case Family::boolean: return scalar.integer ? "True" : "False";
    case Family::integer: return format("{}", scalar.integer);
    case Family::natural: return format("{}", scalar.natural);
    case Family::complex: return format("({}, {})", scalar.number.re, scalar.number.im);
    default: return format("{}", scalar.number.re);
  }
}

class Walk {
 public:
  /// Rows in an order in which they could be calculated. Graphs are shallow (max_depth).
  int visit(Storage& storage) {
    if (const auto at = numbers_.find(&storage); at != numbers_.end()) return at->second;
    Row row;
    row.dtype = to_string(storage.dtype);
    row.device = to_string(storage.device);
    row.shape.assign(storage.layout.shape.begin(), storage.layout.shape.end());
    if (Node* node = storage.is_ready() ? nullptr : storage.node()) {
      row.name = node->kind == Node::Kind::map ? info(node->op).name : info(node->reduction).name;
      for (int i = 0; i < node->operand_count; ++i)
        row.operands.push_back(operand(node->operands[i]));
    }
    row.number = static_cast<int>(rows.size());
    numbers_[&storage] = row.number;
    rows.push_back(std::move(row));
    return rows.back().number;
  }

  std::vector<Row> rows;

 private:
  std::string operand(const Operand& operand) {
    if (operand.kind == Operand::Kind::storage) return format("%{}", visit(*operand.storage));
    if (operand.kind == Operand::Kind::scalar) return text_of(operand.scalar);
    return format("index along axis {}", static_cast<int>(operand.axis));
  }

  std::unordered_map<const Storage*, int> numbers_;
};

nb::tuple pending(nb::handle x) {
  Walk walk;
  {
    const std::lock_guard lock(graph_lock());
    walk.visit(*require_array("show", x.ptr()).storage());
  }
  nb::list all = new_list();
  for (const Row& row : walk.rows) {
    nb::list operands = new_list();
    for (const std::string& operand : row.operands) operands.append(operand);
    all.append(
        nb::make_tuple(row.name, row.dtype, tuple_of(row.shape), row.device, nb::tuple(operands)));
  }
  return nb::tuple(all);
}

}  // namespace

void bind_graph(nb::module_& m) {
  m.def(
      "source",
      [](nb::handle x) {
        const Array array = require_array("source", x.ptr());
        const Unblocked unblocked;
        return source(array);
      },
      nb::arg("x"), nb::sig("def source(x: Array, /) -> str"),
      "The text of the kernels that x waits for, in the language of its device, and in OpenCL C "
      "on\n"
      "the host, which compiles none; '' for a value that is there. Nothing is calculated.\n\n"
      "Returns: the text; print it.\nWaits: for a driver, which is opened if it is not yet.\n"
      "Raises: TypeError for what is no array; the error of a value that failed.");
  m.def("_pending", &pending, nb::arg("x").none(),
        nb::sig("def _pending(x: object, /) -> tuple[tuple[str, str, tuple[int, ...], str, "
                "tuple[str, ...]], ...]"));
}

}  // namespace isthmus::python
