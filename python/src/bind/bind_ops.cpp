// bind_ops.cpp: one Python function per row of ops.def, special.def and reductions.def; the rows as
// data.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>

#include "isthmus/array/array.h"
#include "isthmus/array/infer/literal.h"
#include "isthmus/base/format.h"
#include "python/src/bind/bind.h"
#include "python/src/bind/define_both.h"
#include "python/src/object/array_object.h"
#include "python/src/object/collections.h"
#include "python/src/object/flag.h"

namespace isthmus::python {

using detail::format;

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
  constexpr const char* end = "/, *, out: Array | tuple[Array] | None = None) -> Array";
  if (row.arity == 1) return format("def {}(x: Array, {}", row.name, end);
  if (row.arity == 2)
    return format("def {}(x1: Array | {}, x2: Array | {}, {}", row.name, number, number, end);
  return format("def {}(x1: Array, x2: Array | {}, x3: Array | {}, {}", row.name, number, number,
                end);
}

/// "3 ulp for float32 and float64 in [-80, 80]; 4 ulp of the larger part for complex numbers"
std::string accuracy(const OpInfo& row) {
  std::string text;
  if (row.accepts(Family::real))
    text = format("{} ulp for float32 and float64 in [{}, {}]", row.ulp, row.lo, row.hi);
  if (row.accepts(Family::complex))
    text += format("{}{} ulp of the larger part for complex numbers", text.empty() ? "" : "; ",
                   row.complex_ulp);
  return text.empty() ? "exact" : text;
}

std::string docstring(const OpInfo& row, bool takes_out = true) {
  return format(
      "{}\n\n"
      "{}Shapes: operands broadcast.\n"
      "Returns: new memory, pending until its value is needed{}.\n"
      "Waits: no, unless others may change the memory of an operand.\n"
      "Accepts: {}{}.\n"
      "Accuracy: {}.\n"
      "Raises: TypeError for other dtypes, ValueError for shapes that do not broadcast.\n"
      "NumPy: ``{}``.",
      row.summary, takes_out ? out_note : "", takes_out ? ", or `out`" : "",
      families_of([&](Family f) { return row.accepts(f); }),
      row.promotes_integers() ? "; integers are calculated as floats" : "", accuracy(row),
      row.numpy);
}

/// The module of a row: ours, or one within it named by its namespace, such as _special.
void define(nb::module_ m, Op op) {
  const OpInfo& row = info(op);
  if (!row.space.empty()) m = m.def_submodule(format("_{}", row.space).c_str());
  const std::string name(row.name), sig = signature(row), doc = docstring(row);
  const char* who = row.name.data();
  const auto end = [] { return nb::arg("out") = nb::none(); };
  if (row.arity == 1)
    m.def(
        name.c_str(),
        [op, who](nb::handle x, nb::handle out) {
          return made_into(who, out, [&] { return apply(op, {require_array(who, x.ptr())}); });
        },
        nb::arg("x"), nb::kw_only(), end(), nb::sig(sig.c_str()), doc.c_str());
  else if (row.arity == 2)
    m.def(
        name.c_str(),
        [op, who](nb::handle x, nb::handle y, nb::handle out) {
          return made_into(who, out, [&] {
            return apply(op, {require_value(who, x.ptr()), require_value(who, y.ptr())});
          });
        },
        nb::arg("x1"), nb::arg("x2"), nb::kw_only(), end(), nb::sig(sig.c_str()), doc.c_str());
  else
    m.def(
        name.c_str(),
        [op, who](nb::handle x, nb::handle y, nb::handle z, nb::handle out) {
          const Array& first = require_array(who, x.ptr());
          return made_into(who, out, [&] {
            return apply(op, {first, require_value(who, y.ptr()), require_value(who, z.ptr())});
          });
        },
        nb::arg("x1"), nb::arg("x2"), nb::arg("x3"), nb::kw_only(), end(), nb::sig(sig.c_str()),
        doc.c_str());
}

/// clip has optional bounds, which is no row's business.
void define_clip(nb::module_& m) {
  const auto run = [](nb::handle x, nb::handle low, nb::handle high, nb::handle out) {
    const Array& array = require_array("clip", x.ptr());
    const auto bound = [](nb::handle b) {
      return b.is_none() ? std::nullopt : std::optional<Value>(require_value("clip", b.ptr()));
    };
    return made_into("clip", out, [&] { return array.clip(bound(low), bound(high)); });
  };
  define_both(m, "clip",
              "min: Array | Real | None = None, max: Array | Real | None = None, out: Array | "
              "tuple[Array] | None = None",
              run, docstring(info(Op::clip)), nb::arg("min") = nb::none(),
              nb::arg("max") = nb::none(), nb::arg("out") = nb::none());
}

/// round has NumPy's decimals, likewise.
void define_round(nb::module_& m) {
  const auto run = [](nb::handle x, std::int64_t decimals, nb::handle out) {
    const Array& array = require_array("round", x.ptr());
    return made_into("round", out, [&] { return round_to(array, decimals); });
  };
  define_both(m, "round", "decimals: int = 0, out: Array | tuple[Array] | None = None", run,
              docstring(info(Op::round)) +
                  "\n"
                  "decimals: number of places after the decimal point; negative for places before "
                  "it, as in NumPy.",
              nb::arg("decimals") = 0, nb::arg("out") = nb::none());
}

using Axes = std::optional<std::span<const std::int64_t>>;

/// Calls `f` with the axes that `axis` names; nothing for None.
template <class F>
Array over_axes(const char* who, nb::handle axis, F f) {
  if (axis.is_none()) return f(Axes());
  const Dims axes = *axes_of(who, axis);
  return f(Axes(std::in_place, axes.begin(), axes.end()));
}

constexpr const char* reduction_end =
    "out: Array | tuple[Array] | None = None, keepdims: bool = False";

/// What a docstring says of the accuracy, and of the dtypes that are refused.
std::pair<const char*, const char*> facts_of(Reduction reduction, const ReductionInfo& row) {
  if (row.accepts(Family::complex))
    return {reduction == Reduction::sum
                ? "floats are added in pairs, with the same bits from run to run"
                : "floats are multiplied in pairs, with the same bits from run to run",
            "structs"};
  return {"exact", row.rule == AccumulateRule::boolean ? "structs" : "complex numbers and structs"};
}

void define(nb::module_& m, Reduction reduction) {
  const ReductionInfo& row = info(reduction);
  const auto [accuracy, refused] = facts_of(reduction, row);
  const std::string doc = format(
      "{}\n\n"
      "{}Shapes: the axes in `axis` (all if None) are removed, or have length 1 with keepdims.\n"
      "Returns: new memory, pending until its value is needed, or `out`.\n"
      "Waits: no, unless others may change the memory of x.\n"
      "Accuracy: {}.\n"
      "Raises: IndexError for an axis out of range{}, TypeError for {}.\n"
      "Source: {}, {}.",
      row.summary, out_note, accuracy,
      row.identity.empty() ? ", ValueError for an array without elements" : "", refused,
      row.leaves_out_nan() ? "NumPy 2" : "Array API 2025.12", row.name);
  const char* who = row.name.data();
  const auto run = [reduction, who](nb::handle x, nb::handle axis, nb::handle dtype, nb::handle out,
                                    Flag keepdims) {
    const Array& array = require_array(who, x.ptr());
    return made_into(who, out, [&] {
      return over_axes(who, axis, [&](Axes axes) {
        return reduce(reduction, array, axes, keepdims, optional_dtype(dtype));
      });
    });
  };
  const auto none = [](const char* name) { return nb::arg(name) = nb::none(); };
  if (row.rule == AccumulateRule::widen)
    return define_both(
        m, who, format("axis: Axes | None = None, dtype: object | None = None, {}", reduction_end),
        run, doc, none("axis"), none("dtype"), none("out"), nb::arg("keepdims") = false);
  const auto without_dtype = [run](nb::handle x, nb::handle axis, nb::handle out, Flag keepdims) {
    return run(x, axis, nb::none(), out, keepdims);
  };
  const std::string parameters = format("axis: Axes | None = None, {}", reduction_end);
  if (row.leaves_out_nan())
    define_function(m, who, parameters, without_dtype, doc, none("axis"), none("out"),
                    nb::arg("keepdims") = false);
  else
    define_both(m, who, parameters, without_dtype, doc, none("axis"), none("out"),
                nb::arg("keepdims") = false);
}

void define_mean(nb::module_& m) {
  const auto run = [](nb::handle x, nb::handle axis, nb::handle dtype, nb::handle out,
                      Flag keepdims) {
    const Array& array = require_array("mean", x.ptr());
    const auto as = optional_dtype(dtype);
    return made_into("mean", out, [&] {
      const auto axes = axes_of("mean", axis);
      return mean(array, axes ? AxisSet(*axes) : AxisSet(all_axes), keepdims, as);
    });
  };
  define_both(m, "mean",
              format("axis: Axes | None = None, dtype: object | None = None, {}", reduction_end),
              run,
              format("Arithmetic mean of the elements; one kernel.\n\n"
                     "{}Shapes: the axes in `axis` (all if None) are removed, or have length 1 "
                     "with keepdims.\n"
                     "Returns: new memory, pending until its value is needed, or `out`.\n"
                     "Source: Array API 2025.12, mean.",
                     out_note),
              nb::arg("axis") = nb::none(), nb::arg("dtype") = nb::none(),
              nb::arg("out") = nb::none(), nb::arg("keepdims") = false);
}

/// conj is a method in NumPy too, under two names.
void define_conj(nb::module_& m) {
  auto array = nb::borrow<nb::class_<ArrayObject>>(m.attr("Array"));
  for (const char* name : {"conj", "conjugate"})
    array.def(
        name,
        [](nb::handle x) {
          return nb::steal(wrap(apply(Op::conj, {require_array("conj", x.ptr())})));
        },
        nb::sig(format("def {}(self) -> Array", name).c_str()),
        docstring(info(Op::conj), false).c_str());
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
    entry["complex_ulp"] = row.complex_ulp;
    entry["summary"] = row.summary;
    entry["space"] = row.space;
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
    entry["space"] = "";
    rows.append(entry);
  }
  return nb::tuple(rows);
}

}  // namespace

void bind_ops(nb::module_& m) {
  for (std::size_t i = 0; i < op_table.size(); ++i)
    if (const Op op = static_cast<Op>(i); op != Op::clip && op != Op::round) define(m, op);
  define_clip(m);
  define_round(m);
  define_conj(m);
  for (std::size_t i = 0; i < reduction_table.size(); ++i) define(m, static_cast<Reduction>(i));
  define_mean(m);
  m.attr("op_table") = op_rows();
  m.attr("reduction_table") = reduction_rows();
}

}  // namespace isthmus::python
