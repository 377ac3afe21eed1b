// store.cpp: the kernels of a store: of equal positions the last one writes.
#include "isthmus/base/format.h"
#include "isthmus/codegen/emit/shape.h"

namespace isthmus::emitting {

using detail::format;

namespace {

/// The number of the element in the loop, from 1 on.
std::string number(const Printer& printer) {
  if (printer.program.form.rank == 0) return "1";
  std::string number = "i0";
  for (int axis = 1; axis < printer.program.form.rank; ++axis)
    number = format("({} * {} + i{})", number, printer.word(axis), axis);
  return format("(int){} + 1", number);
}

std::string print_store(Printer& printer, const Traits&) {
  using Of = Pointer::Of;
  const auto& language = printer.language;
  const bool is_ordered = printer.program.store == Store::in_order;
  const std::string position = format("v{}", printer.program.map.outputs[1]);
  const auto kernel = [&](std::string_view name, std::initializer_list<Of> of) {
    return format("{}{}({}) {\n", language.kernel, name,
                  printer.parameters(of, is_ordered ? "int" : "")) +
           positions(printer) + printer.tape(Of::input, "  ");
  };
  std::string out;
  if (is_ordered) {
    out += format("{}clear({}) {\n  const long i0 = {};\n", language.kernel,
                  printer.parameters({}, "int"), language.position[0]);
    out +=
        format("  if (i0 < {}) scratch[i0] = 0;\n}\n\n", printer.word(printer.signature.own_word));
    out += kernel("mark", {Of::input});
    out += format("  if ({} >= 0) atomic_max(scratch + {}, {});\n}\n\n", position, position,
                  number(printer));
  }
  out += kernel("map", {Of::input, Of::output});
  out += format("  if ({} < 0) return;\n", position);
  if (is_ordered) out += format("  if (scratch[{}] != {}) return;\n", position, number(printer));
  return out + printer.outputs("  ", position) + "}\n";
}

/// Of equal positions the last one writes: first each element leaves its number, if it is the
/// highest, at its position.
void plan_store(Planner& planner) {
  using Of = Pointer::Of;
  const std::int64_t reach = planner.own_word(0) = planner.launch.outputs[0].scalar.integer;
  if (planner.program.store == Store::any_order)
    return plan_map(planner, "map", {Of::input, Of::output});
  check(planner.kept < INT32_MAX, Errc::value,
        "store: {} elements at once on this device; at most {}", planner.kept, INT32_MAX - 1);
  planner.result.scratch_bytes = static_cast<std::size_t>(product_at_most(reach, 4));
  Planner::set(planner.add_pass("clear", {Of::scratch}), 0, reach,
               Planner::group_side(reach, planner.group_items()));
  plan_map(planner, "mark", {Of::input, Of::scratch});
  plan_map(planner, "map", {Of::input, Of::output, Of::scratch});
}

}  // namespace

extern const Shape store_shape = {map_form, print_store, plan_store, 1, true};

}  // namespace isthmus::emitting
