// bind_ops.cpp: one Python function per row of ops.def and reductions.def; the rows as data.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>

#include "isthmus/array/array.h"
#include "isthmus/array/literal.h"
#include "isthmus/base/format.h"
#include "python/src/array_object.h"
#include "python/src/bind.h"
#include "python/src/collections.h"

namespace isthmus::python {

namespace {

// Number, Real, Shape and Axes are names of the stub; see tools/make_stub.py.
constexpr const char* number = "Number";

std::string families_of(auto accepts) {
  std::string text;
  for (auto [family, name] : {std::pair(Family::boolean, "bool"),
                              {Family::integer, "integers"},
                              {Family::real, "floats"},
                              {Family::complex, "complex"}}) {
    if (!accepts(family)) continue;
    if (!text.empty()) text += ", ";
    text += name;
  }
  return text;
}

std::string signature(const OpInfo& row) {
  if (row.arity == 1) return format("def {}(x: Array, /) -> Array", row.name);
  if (row.arity == 2)
    return format("def {}(x1: Array | {}, x2: Array | {}, /) -> Array", row.name, number, number);
  return format("def {}(x1: Array, x2: Array | {}, x3: Array | {}, /) -> Array", row.name, number,
                number);
}

std::string docstring(const OpInfo& row) {
  return format(
      "{}\n\nShapes: operands broadcast.\nReturns: new memory; pending until somebody looks.\n"
      "Waits: no, unless an operand is shared with others who may change it.\nAccepts: {}{}.\n"
      "Accuracy: {} ulp for float32 and float64 in [{}, {}].\n"
      "Raises: TypeError for other dtypes, ValueError for shapes that do not broadcast.\n"
      "NumPy: ``{}``.",
      row.summary, families_of([&](Family f) { return row.accepts(f); }),
      row.promotes_integers() ? "; integers are calculated as floats" : "", row.ulp, row.lo, row.hi,
      row.numpy);
}

void define(nb::module_& m, Op op) {
  const OpInfo& row = info(op);
  const std::string name(row.name), sig = signature(row), doc = docstring(row);
  const char* who = row.name.data();
  if (row.arity == 1)
    m.def(
        name.c_str(),
        [op, who](nb::handle x) {
          return nb::steal(wrap(apply(op, {require_array(who, x.ptr())})));
        },
        nb::sig(sig.c_str()), doc.c_str());
  else if (row.arity == 2)
    m.def(
        name.c_str(),
        [op, who](nb::handle x, nb::handle y) {
          return nb::steal(
              wrap(apply(op, {require_value(who, x.ptr()), require_value(who, y.ptr())})));
        },
        nb::sig(sig.c_str()), doc.c_str());
  else if (op == Op::where)
    m.def(
        name.c_str(),
        [op, who](nb::handle x, nb::handle y, nb::handle z) {
          const Array& condition = require_array(who, x.ptr());
          check(condition.dtype() == DType(TypeId::bool_), Errc::type,
                "where: the condition is {}, not bool", condition.dtype());
          return nb::steal(wrap(
              apply(op, {condition, require_value(who, y.ptr()), require_value(who, z.ptr())})));
        },
        nb::sig(sig.c_str()), doc.c_str());
}

/// clip has optional bounds, which is no row's business.
void define_clip(nb::module_& m) {
  const std::string doc = docstring(info(Op::clip));
  m.def(
      "clip",
      [](nb::handle x, nb::handle low, nb::handle high) {
        const Array& array = require_array("clip", x.ptr());
        if (low.is_none() && high.is_none()) return nb::steal(wrap(copy(array)));
        const auto bound = [&](nb::handle b) {
          return within_range(require_value("clip", b.ptr()), array.dtype());
        };
        if (high.is_none()) return nb::steal(wrap(apply(Op::maximum, {array, bound(low)})));
        if (low.is_none()) return nb::steal(wrap(apply(Op::minimum, {array, bound(high)})));
        return nb::steal(wrap(apply(Op::clip, {array, bound(low), bound(high)})));
      },
      nb::arg("x"), nb::arg("min") = nb::none(), nb::arg("max") = nb::none(),
      nb::sig("def clip(x: Array, /, min: Array | Real | None = None, max: Array | Real | "
              "None = None) -> Array"),
      doc.c_str());
}

void define(nb::module_& m, Reduction reduction) {
  const ReductionInfo& row = info(reduction);
  const bool has_dtype = row.rule == AccumulateRule::widen;
  const std::string name(row.name);
  const std::string sig = format(
      "def {}(x: Array, /, *, axis: Axes | None = None{}, keepdims: bool = False) "
      "-> Array",
      row.name, has_dtype ? ", dtype: object | None = None" : "");
  const std::string doc = format(
      "{}\n\nShapes: the axes in `axis` (all, if None) go, or have length 1 with keepdims.\n"
      "Returns: new memory; pending until somebody looks.\nWaits: no, unless x is shared with "
      "others who may change it.\nAccuracy: floats are summed pairwise, with the same bits from "
      "run to run.\nRaises: IndexError for an axis outside the array{}.\nSource: Array API "
      "2025.12, {}.",
      row.summary, row.identity.empty() ? ", ValueError for no elements" : "", row.name);
  const char* who = row.name.data();
  const auto run = [reduction, who](nb::handle x, nb::handle axis, nb::handle dtype,
                                    bool keepdims) {
    const auto axes = axes_of(who, axis);
    std::optional<std::span<const std::int64_t>> over;
    if (axes) over.emplace(axes->begin(), axes->end());
    return nb::steal(wrap(
        reduce(reduction, require_array(who, x.ptr()), over, keepdims, optional_dtype(dtype))));
  };
  if (has_dtype)
    m.def(name.c_str(), run, nb::arg("x"), nb::kw_only(), nb::arg("axis") = nb::none(),
          nb::arg("dtype") = nb::none(), nb::arg("keepdims") = false, nb::sig(sig.c_str()),
          doc.c_str());
  else
    m.def(
        name.c_str(),
        [run](nb::handle x, nb::handle axis, bool keepdims) {
          return run(x, axis, nb::none(), keepdims);
        },
        nb::arg("x"), nb::kw_only(), nb::arg("axis") = nb::none(), nb::arg("keepdims") = false,
        nb::sig(sig.c_str()), doc.c_str());
}

nb::tuple op_rows() {
  nb::list rows = new_list();
  for (const OpInfo& row : op_table) {
    nb::dict entry = new_dict();
    entry["name"] = row.name;
    entry["arity"] = static_cast<int>(row.arity);
    entry["promotes_integers"] = row.promotes_integers();
    entry["boolean"] = row.boolean;
    entry["integer"] = row.integer;
    entry["real"] = row.real;
    entry["complex"] = row.complex;
    entry["numpy"] = row.numpy;
    entry["lo"] = row.lo;
    entry["hi"] = row.hi;
    entry["ulp"] = row.ulp;
    entry["summary"] = row.summary;
    rows.append(entry);
  }
  return nb::tuple(rows);
}

nb::tuple reduction_rows() {
  nb::list rows = new_list();
  for (const ReductionInfo& row : reduction_table) {
    nb::dict entry = new_dict();
    entry["name"] = row.name;
    entry["numpy"] = row.numpy;
    entry["summary"] = row.summary;
    rows.append(entry);
  }
  return nb::tuple(rows);
}

}  // namespace

void bind_ops(nb::module_& m) {
  for (std::size_t i = 0; i < op_table.size(); ++i)
    if (static_cast<Op>(i) != Op::clip) define(m, static_cast<Op>(i));
  define_clip(m);
  for (std::size_t i = 0; i < reduction_table.size(); ++i) define(m, static_cast<Reduction>(i));
  m.def(
      "mean",
      [](nb::handle x, nb::handle axis, bool keepdims) {
        const auto axes = axes_of("mean", axis);
        std::optional<std::span<const std::int64_t>> over;
        if (axes) over.emplace(axes->begin(), axes->end());
        return nb::steal(wrap(mean(require_array("mean", x.ptr()), over, keepdims)));
      },
      nb::arg("x"), nb::kw_only(), nb::arg("axis") = nb::none(), nb::arg("keepdims") = false,
      nb::sig("def mean(x: Array, /, *, axis: Axes | None = None, keepdims: bool "
              "= False) -> Array"),
      "Arithmetic mean of the elements; one kernel.\n\nShapes: the axes in `axis` (all, if None) "
      "go, or have length 1 with keepdims.\nReturns: new memory; pending until somebody looks.\n"
      "Source: Array API 2025.12, mean.");
  m.attr("op_table") = op_rows();
  m.attr("reduction_table") = reduction_rows();
}

}  // namespace isthmus::python
