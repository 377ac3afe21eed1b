// map.cpp: the kernel of a map, one work-item per element.
#include <algorithm>

#include "isthmus/base/format.h"
#include "isthmus/codegen/emit/shape.h"

namespace isthmus::emitting {

using detail::format;

std::string positions(const Printer& printer) {
  const Form& form = printer.program.form;
  const auto& position = printer.language.position;
  const std::string_view type = position_type(form);
  if (form.rank == 0) return format("  if ({} > 0) return;\n", position[0]);
  if (form.loop == Loop::flat) {
    if (form.rank == 1)
      return format("  const long i0 = {};\n  if (i0 >= {}) return;\n", position[0],
                    printer.word(0));
    return format("  {} rest = {};\n  if (rest >= {}) return;\n", type, position[0],
                  printer.word(printer.signature.kept_word)) +
           printer.take_apart("rest", 0, form.rank, "  ");
  }
  const int last = form.rank - 1;
  std::string out = format("  const long i{} = {};\n  const long i{} = {};\n", last, position[0],
                           last - 1, position[1]);
  out += format("  if (i{} >= {} || i{} >= {}) return;\n", last, printer.word(last), last - 1,
                printer.word(last - 1));
  if (last < 2) return out;
  return out + format("  {} rest = {};\n", type, position[2]) +
         printer.take_apart("rest", 0, last - 1, "  ");
}

namespace {

/// Elements of a last axis from which work-items walk it alone.
constexpr std::int64_t long_axis = 16;
/// Sides of a group where an operand has its neighbours along another axis than the last.
constexpr std::int64_t tile_side = 32;

std::string_view type_of(const Operand& value) {
  return value.is_moved ? memory_type(value.type, true) : c_type(held_type(value.type));
}

/// A work-item draws the elements of one block of bits, or of some that follow each other, so that
/// the compiler makes these once. Where numbers of elements begin within a block, so does the first
/// work-item. It, the last one, and all where numbers do not begin alike, go element by element.
std::string print_drawing(Printer& printer) {
  const std::string shift = printer.word(printer.signature.own_word),
                    whole = printer.word(printer.signature.own_word + 1), count = printer.word(0);
  std::string out = format(
      "  const long unit = {};\n  const long begin = unit * {} - {};\n"
      "  if (begin < 0 || unit >= {}) {\n"
      "    for (long i0 = begin < 0 ? 0 : begin; i0 < begin + {} && i0 < {}; ++i0) {\n",
      printer.language.position[0], drawn_at_once, shift, whole, drawn_at_once, count);
  out += printer.tape(Pointer::Of::input, "      ") + printer.outputs("      ");
  out += "    }\n    return;\n  }\n";  // what is common comes last: Intel's compiler makes vectors
  for (const Operand& number : printer.signature.numbers)
    out += format("  const ulong number{} = (ulong){} / {} + (ulong)unit;\n", number.value,
                  printer.word(number.word), drawn_at_once);
  out += printer.blocks("  ");
  // all are calculated before one is stored, which takes Intel's compiler two thirds of the time
  SmallVector<Operand, 2> values;
  printer.signature.each(Pointer::Of::output, [&](const Operand& output) {
    if (std::ranges::find(values, output.value, &Operand::value) == values.end())
      values.push_back(output);
  });
  for (const Operand& value : values)
    out += format("  {} drawn{}[{}];\n", type_of(value), value.value, drawn_at_once);
  for (int lane = 0; lane < drawn_at_once; ++lane) {
    printer.lane = lane;
    out += format("  {\n    const long i0 = begin + {};\n", lane);
    out += printer.tape(Pointer::Of::input, "    ");
    for (const Operand& value : values)
      out += format("    drawn{}[{}] = v{};\n", value.value, lane, value.value);
    out += "  }\n";
  }
  printer.lane = -1;
  out +=
      format("  for (int k = 0; k < {}; ++k) {\n    const long i0 = begin + k;\n", drawn_at_once);
  for (const Operand& value : values)
    out += format("    const {} v{} = drawn{}[k];\n", type_of(value), value.value, value.value);
  return out + printer.outputs("    ") + "  }\n}\n";
}

/// Places of the first element in its block, and the work-items that have whole ones.
void plan_drawing(Planner& planner) {
  const auto begin_of = [&](const Operand& number) {
    return planner.words[static_cast<std::size_t>(number.word)] & (drawn_at_once - 1);
  };
  const SmallVector<Operand, 2>& numbers = planner.signature.numbers;
  const std::int64_t shift = numbers.empty() ? 0 : begin_of(numbers[0]);
  const bool is_alike = std::ranges::all_of(numbers, [&](const Operand& number) {
    const auto stride = [&] {
      return planner.words[static_cast<std::size_t>(number.stride_word(0))];
    };
    return begin_of(number) == shift && (!number.has_stride() || stride() == 1);
  });
  planner.own_word(0) = shift;
  planner.own_word(1) = is_alike ? (planner.kept + shift) / drawn_at_once : 0;
  Pass& pass = planner.add_pass("isthmus_map", {Pointer::Of::input, Pointer::Of::output});
  const std::int64_t items = divided_up(planner.kept + shift, drawn_at_once);
  Planner::set(pass, 0, items, Planner::group_side(items, planner.group_items()));
}

std::string print_map(Printer& printer, const Traits&) {
  using Of = Pointer::Of;
  std::string out = format("{}isthmus_map({}) {\n", printer.language.kernel,
                           printer.parameters({Of::input, Of::output}));
  if (draws_in_blocks(printer.program)) return out + print_drawing(printer);
  out += positions(printer);
  out += printer.tape(Of::input, "  ");
  out += printer.outputs("  ");
  return out += "}\n";
}

}  // namespace

Form map_form(const Program&, const Launch& launch) {
  Form form;
  const std::int64_t rank = static_cast<std::int64_t>(launch.shape.size());
  form.loop = rank > 1 && launch.shape.back() >= long_axis ? Loop::rows : Loop::flat;
  const bool is_taken_apart = form.loop == Loop::flat ? rank > 1 : rank > 3;
  form.is_small = is_taken_apart && product_of(launch.shape) < INT32_MAX;
  return form;
}

void plan_map(Planner& planner, std::string_view entry, std::initializer_list<Pointer::Of> of) {
  Pass& pass = planner.add_pass(entry, of);
  if (planner.form.loop == Loop::flat) {
    return Planner::set(pass, 0, planner.kept,
                        Planner::group_side(planner.kept, planner.group_items()));
  }
  const std::int64_t last = planner.launch.shape[planner.form.rank - 1],
                     before = planner.launch.shape[planner.form.rank - 2];
  const bool is_tiled = std::ranges::any_of(
      planner.form.operands, [](Access access) { return access == Access::strided; });
  const std::int64_t width =
      Planner::group_side(last, is_tiled ? tile_side : planner.group_items());
  Planner::set(pass, 0, last, width);
  Planner::set(pass, 1, before, Planner::group_side(before, planner.group_items() / width));
  if (planner.form.rank > 2) Planner::set(pass, 2, planner.kept / (last * before), 1);
}

extern const Shape map_shape = {map_form, print_map, [](Planner& planner) {
                                  if (draws_in_blocks(planner.program))
                                    return plan_drawing(planner);
                                  plan_map(planner, "isthmus_map",
                                           {Pointer::Of::input, Pointer::Of::output});
                                }};

}  // namespace isthmus::emitting
