// store.cpp: the kernels of a store: of equal positions the last one writes, or all add.
#include <algorithm>

#include "isthmus/base/format.h"
#include "isthmus/codegen/emit/shape.h"

namespace isthmus::emitting {

using detail::format;

namespace {

using Of = Pointer::Of;

/// The number of the element in the loop.
std::string number(const Printer& printer) {
  if (printer.program.form.rank == 0) return "0";
  std::string number = "i0";
  for (int axis = 1; axis < printer.program.form.rank; ++axis)
    number = format("({} * {} + i{})", number, printer.word(axis), axis);
  return number;
}

std::string position_of(const Program& program) { return format("v{}", program.map.outputs[1]); }

/// A kernel with a work-item for each element, which knows its value and its position.
std::string begin_of_kernel(Printer& printer, std::string_view name, std::initializer_list<Of> of,
                            std::string_view scratch) {
  return format("{}{}({}) {\n", printer.language.kernel, name, printer.parameters(of, scratch)) +
         positions(printer) + printer.tape(Of::input, "  ");
}

std::string print_in_any_order(Printer& printer) {
  const std::string position = position_of(printer.program);
  return begin_of_kernel(printer, "isthmus_map", {Of::input, Of::output}, {}) +
         format("  if ({} < 0) return;\n", position) + printer.outputs("  ", position) + "}\n";
}

/// For lanes of a GPU: each element leaves its number, if it is the highest, at its position.
std::string print_by_marks(Printer& printer) {
  const Language& language = printer.language;
  const std::string position = position_of(printer.program);
  const std::string mark = format("(int){} + 1", number(printer));
  std::string out = format("{}isthmus_clear({}) {\n  const long i0 = {};\n", language.kernel,
                           printer.parameters({}, "int"), language.position[0]);
  out += format("  if (i0 < {}) scratch[i0] = 0;\n}\n\n", printer.word(printer.signature.own_word));
  out += begin_of_kernel(printer, "isthmus_mark", {Of::input}, "int");
  out += format("  if ({} >= 0) atomic_max(scratch + {}, {});\n}\n\n", position, position, mark);
  out += begin_of_kernel(printer, "isthmus_map", {Of::input, Of::output}, "int");
  out += format("  if ({} < 0) return;\n", position);
  out += format("  if (scratch[{}] != {}) return;\n", position, mark);
  return out + printer.outputs("  ", position) + "}\n";
}

void plan_by_marks(Planner& planner) {
  const std::int64_t reach = planner.own_word(0) = planner.launch.outputs[0].scalar.integer;
  check(planner.kept < INT32_MAX, Errc::value,
        "store: {} elements at once on this device; at most {}", planner.kept, INT32_MAX - 1);
  planner.result.scratch_bytes = static_cast<std::size_t>(product_at_most(reach, 4));
  Planner::set(planner.add_pass("isthmus_clear", {Of::scratch}), 0, reach,
               Planner::group_side(reach, planner.group_items()));
  plan_map(planner, "isthmus_mark", {Of::input, Of::scratch});
  plan_map(planner, "isthmus_map", {Of::input, Of::output, Of::scratch});
}

/// From this cost of an element on, all work-items calculate values and positions, and one writes
/// them.
constexpr std::int64_t worth_sharing = 10;

bool is_shared(const Program& program) {
  std::int64_t cost = 0;
  for (const Step& step : program.map.steps) cost += cost_of(step);
  return cost >= worth_sharing;
}

const Operand& target_of(const Signature& signature) {
  return *std::ranges::find(signature.operands, Of::output,
                            [](const Operand& operand) { return operand.source.of; });
}

/// For threads of a CPU: one of them goes through all elements. Writes arrive at random places of
/// memory, for which two threads take little less time than one.
std::string print_one_by_one(Printer& printer) {
  const Form& form = printer.program.form;
  const std::string position = position_of(printer.program);
  std::string out = format("{}isthmus_put({}) {\n", printer.language.lone_kernel,
                           printer.parameters({Of::input, Of::output})),
              indent = "  ";
  for (int axis = 0; axis < form.rank; ++axis, indent += "  ")
    out += format("{}{}for (long i{} = 0; i{} < {}; ++i{}) {\n",
                  axis + 1 == form.rank ? printer.language.in_order : "", indent, axis, axis,
                  printer.word(axis), axis);
  out += printer.tape(Of::input, indent);
  out += format("{}if ({} >= 0) {\n{}{}}\n", indent, position,
                printer.outputs(indent + "  ", position), indent);
  for (int axis = form.rank; axis > 0; --axis) out += std::string(2 * axis, ' ') + "}\n";
  return out + "}\n";
}

/// The scratch: values, then positions.
std::string print_calculated_first(Printer& printer) {
  const Language& language = printer.language;
  const Operand& target = target_of(printer.signature);
  const std::string position = position_of(printer.program), value = format("v{}", target.value);
  const std::string_view type =
      target.is_moved ? memory_type(target.type, true) : c_type(held_type(target.type));
  const std::string values = format("(({}{}*)scratch)", language.global, type),
                    places = format("scratch[{} + k]", printer.word(printer.signature.own_word));
  std::string out = begin_of_kernel(printer, "isthmus_calculate", {Of::input}, "long");
  out += format("  const long k = {};\n  {}[k] = {};\n  {} = {};\n}\n\n", number(printer), values,
                value, places, position);
  out += format("{}isthmus_put({}) {\n", language.lone_kernel,
                printer.parameters({Of::output}, "long"));
  out += format("{}  for (long k = 0; k < {}; ++k) {\n", language.in_order,
                printer.word(printer.signature.kept_word));
  out += format("    const long {} = {};\n    if ({} < 0) continue;\n", position, places, position);
  if (value != position) out += format("    const {} {} = {}[k];\n", type, value, values);
  return out + printer.outputs("    ", position) + "  }\n}\n";
}

void plan_one_by_one(Planner& planner) {
  if (!is_shared(planner.program))
    return Planner::set(planner.add_pass("isthmus_put", {Of::input, Of::output}), 0, 1, 1);
  const std::int64_t bits = info(held_type(target_of(planner.signature).type)).bits;
  std::int64_t any = 0;  // more than all that follows
  check(product_fits(planner.kept, 32, any), Errc::out_of_memory, "store: scratch for {} elements",
        planner.kept);
  planner.own_word(0) = divided_up(planner.kept * std::max<std::int64_t>(bits / 8, 1), 8);
  planner.result.scratch_bytes = 8 * static_cast<std::size_t>(planner.own_word(0) + planner.kept);
  plan_map(planner, "isthmus_calculate", {Of::input, Of::scratch});
  Planner::set(planner.add_pass("isthmus_put", {Of::output, Of::scratch}), 0, 1, 1);
}

/// Marks say which value is the last.
bool is_by_marks(const Program& program, const Traits& traits) {
  return program.store == Store::in_order && !traits.is_cpu;
}

std::string print_store(Printer& printer, const Traits& traits) {
  const Program& program = printer.program;
  if (program.store == Store::any_order) return print_in_any_order(printer);
  if (is_by_marks(program, traits)) return print_by_marks(printer);
  return is_shared(program) ? print_calculated_first(printer) : print_one_by_one(printer);
}

void plan_store(Planner& planner) {
  if (planner.program.store == Store::any_order)
    return plan_map(planner, "isthmus_map", {Of::input, Of::output});
  if (is_by_marks(planner.program, planner.traits)) return plan_by_marks(planner);
  plan_one_by_one(planner);
}

}  // namespace

extern const Shape store_shape = {map_form, print_store, plan_store, 1, true};

}  // namespace isthmus::emitting
