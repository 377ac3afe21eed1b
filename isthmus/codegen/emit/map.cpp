// map.cpp: the kernel of a map, one work-item per element.
#include "isthmus/base/format.h"
#include "isthmus/codegen/emit/printer.h"

namespace isthmus::emitting {

using detail::format;

namespace {

/// Positions of all axes; work-items beyond the loop return.
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

/// The number of the element in the loop, from 1 on.
std::string number(const Printer& printer) {
  if (printer.program.form.rank == 0) return "1";
  std::string number = "i0";
  for (int axis = 1; axis < printer.program.form.rank; ++axis)
    number = format("({} * {} + i{})", number, printer.word(axis), axis);
  return format("(int){} + 1", number);
}

}  // namespace

std::string print_store(Printer& printer) {
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
    out += format("  if (i0 < {}) scratch[i0] = 0;\n}\n\n",
                  printer.word(printer.signature.reach_word));
    out += kernel("mark", {Of::input});
    out += format("  if ({} >= 0) atomic_max(scratch + {}, {});\n}\n\n", position, position,
                  number(printer));
  }
  out += kernel("map", {Of::input, Of::output});
  out += format("  if ({} < 0) return;\n", position);
  if (is_ordered) out += format("  if (scratch[{}] != {}) return;\n", position, number(printer));
  return out + printer.outputs("  ", position) + "}\n";
}

/// Where numbers of elements begin with a whole block and follow each other, the compiler sees that
/// the elements of a work-item draw from the same bits, and makes these once.
static std::string print_drawing(Printer& printer) {
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

std::string print_map(Printer& printer) {
  using Of = Pointer::Of;
  std::string out =
      format("{}map({}) {\n", printer.language.kernel, printer.parameters({Of::input, Of::output}));
  if (draws_in_blocks(printer.program)) return out + print_drawing(printer);
  out += positions(printer);
  out += printer.tape(Of::input, "  ");
  out += printer.outputs("  ");
  return out += "}\n";
}

}  // namespace isthmus::emitting
