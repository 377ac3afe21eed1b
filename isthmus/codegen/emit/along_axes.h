// along_axes.h: the parts of kernels that keep some axes and work along the others.
#pragma once

#include <string>

#include "isthmus/codegen/emit/printer.h"

namespace isthmus::emitting {

/// Kernels number the elements of the kept axes by the variable `kept`, and those of the other
/// axes, counted as one row, by a position.
class AlongAxes {
 protected:
  /// `type`: of what the row is read as.
  AlongAxes(Printer& printer, TypeId type);

  /// One axis needs no taking apart, and a compiler sees through a plain position better.
  std::string_view row_type() const {
    return form_.rank - form_.kept > 1 ? position_type(form_) : "long";
  }
  std::string row_position(const std::string& position) const {
    return row_type() == "long" ? position : detail::format("({})({})", row_type(), position);
  }

  /// The function isthmus_element(), an element of the row; isthmus_elements() for a vector of
  /// them. `states`: of what an element is of several outputs.
  std::string element(int width = 1, const StateNames* states = nullptr);
  std::string element_at(std::string_view position,
                         std::string_view function = "isthmus_element") const;
  /// Statements that define the positions of the kept axes.
  std::string kept_positions(std::string_view indent) const;

  Printer& printer_;
  const Program& program_;
  const Form& form_;
  const Language& language_;
  TypeId element_type_;
  std::string_view type_;  ///< How kernels spell it.
  std::string kept_parameters_, kept_arguments_;
  std::string kept_count_, row_count_;  ///< Words: how many elements are kept, and one row has.
};

}  // namespace isthmus::emitting
