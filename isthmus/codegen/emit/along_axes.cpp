// along_axes.cpp: elements of a row, and positions of the kept axes, as text.
#include "isthmus/codegen/emit/along_axes.h"

#include "isthmus/base/format.h"

namespace isthmus::emitting {

using detail::format;
using Of = Pointer::Of;

AlongAxes::AlongAxes(Printer& printer, TypeId type)
    : printer_(printer),
      program_(printer.program),
      form_(program_.form),
      language_(printer.language),
      element_type_(held_type(type)),
      type_(c_type(element_type_)),
      kept_count_(printer.word(printer.signature.kept_word)),
      row_count_(printer.word(printer.signature.reduced_word)) {
  for (int axis = 0; axis < form_.kept; ++axis) {
    kept_parameters_ += format(", const long i{}", axis);
    kept_arguments_ += format(", i{}", axis);
  }
  printer.prelude.need_type(type_);
}

std::string AlongAxes::element(int width, const StateNames* states) {
  const auto& values = program_.map.outputs;
  const std::string type = states ? states->elements : vector_type(element_type_, width);
  std::string out = format("{} {} {}({}{}, {} rest) {\n", language_.function, type,
                           width > 1 ? "isthmus_elements" : "isthmus_element",
                           printer_.parameters({Of::input}), kept_parameters_, row_type());
  out += printer_.take_apart("rest", form_.kept, form_.rank, "  ");
  out += printer_.tape(Of::input, "  ", width);
  if (!states) return out + format("  return v{};\n}\n", values[0]);
  std::string all = format("v{}", values[0]);
  for (std::size_t k = 1; k < values.size(); ++k) all += format(", v{}", values[k]);
  return out + format("  return {}({});\n}\n", states->make_elements, all);
}

std::string AlongAxes::element_at(std::string_view position, std::string_view function) const {
  return format("{}({}{}, {})", function, printer_.arguments(Of::input), kept_arguments_, position);
}

std::string AlongAxes::kept_positions(std::string_view indent) const {
  if (form_.kept == 0) return {};
  return format("{}{} rest = kept;\n", indent, form_.kept > 1 ? position_type(form_) : "long") +
         printer_.take_apart("rest", 0, form_.kept, indent);
}

}  // namespace isthmus::emitting
