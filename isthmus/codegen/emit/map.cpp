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

}  // namespace

std::string print_map(Printer& printer) {
  using Of = Pointer::Of;
  std::string out =
      format("{}map({}) {\n", printer.language.kernel, printer.parameters({Of::input, Of::output}));
  out += positions(printer);
  out += printer.tape(Of::input, "  ");
  out += printer.outputs("  ");
  return out += "}\n";
}

}  // namespace isthmus::emitting
