// map.cpp: the kernel of a map, one work-item per element.
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

/// Where numbers of elements begin with a whole block and follow each other, the compiler sees that
/// the elements of a work-item draw from the same bits, and makes these once.
std::string print_drawing(Printer& printer) {
  const std::string count = printer.word(0);
  std::string out = format("  const long unit = {};\n  if (unit * {} >= {}) return;\n",
                           printer.language.position[0], drawn_at_once, count);
  std::string numbers, is_whole = format("({} & {}) == 0", count, drawn_at_once - 1);
  for (const Operand& number : printer.signature.numbers) {
    const std::string first = printer.word(number.word);
    is_whole += format(" && ({} & {}) == 0", first, drawn_at_once - 1);
    if (number.has_stride()) is_whole += format(" && {} == 1", printer.word(number.stride_word(0)));
    numbers += format("    const ulong number{} = (ulong)({} / {}) + (ulong)unit;\n", number.value,
                      first, drawn_at_once);
  }
  out += format("  if ({}) {\n{}{}", is_whole, numbers, printer.blocks("    "));
  for (int lane = 0; lane < drawn_at_once; ++lane) {
    printer.lane = lane;
    out += format("    {\n      const long i0 = unit * {} + {};\n{}{}    }\n", drawn_at_once, lane,
                  printer.tape(Pointer::Of::input, "      "), printer.outputs("      "));
  }
  printer.lane = -1;
  out += format(
      "    return;\n  }\n  for (long i0 = unit * {}; i0 < unit * {} + {} && i0 < {}; ++i0) {\n",
      drawn_at_once, drawn_at_once, drawn_at_once, count);
  return out + printer.tape(Pointer::Of::input, "    ") + printer.outputs("    ") + "  }\n}\n";
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
    const std::int64_t items =
        draws_in_blocks(planner.program) ? divided_up(planner.kept, drawn_at_once) : planner.kept;
    return Planner::set(pass, 0, items, Planner::group_side(items, planner.group_items()));
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
                                  plan_map(planner, "isthmus_map",
                                           {Pointer::Of::input, Pointer::Of::output});
                                }};

}  // namespace isthmus::emitting
