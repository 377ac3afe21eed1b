// printer.h: the parts that kernels are made of, as text.
#pragma once

#include <string>

#include "isthmus/codegen/emit/language.h"
#include "isthmus/codegen/emit/prelude.h"
#include "isthmus/codegen/emit/signature.h"

namespace isthmus::emitting {

/// In kernels, axis k of the loop has the position ik; memory is in0, with0 (the epilogue's) and
/// out0; the words are w; values are v0 (of the map) and e0 (of the epilogue).
class Printer {
 public:
  Printer(const Program& program, const Traits& traits, const Language& language)
      : program(program), signature(program, traits), language(language) {}

  /// Kernels one after the other, behind what they call.
  std::string source(std::string_view kernels) const;

  std::string word(int index) const;
  std::string name(const Operand& operand) const;
  /// Parameters for memory of these kinds, the scratch, and the words. `scratch`: its type or none.
  std::string parameters(std::initializer_list<Pointer::Of> of, std::string_view scratch = {});
  /// What is passed on to a function with the parameters of one kind of operand.
  std::string arguments(Pointer::Of of) const;
  /// Statements that define i<begin> to i<end - 1> from the variable `rest`, which they use up.
  std::string take_apart(std::string_view rest, int begin, int end, std::string_view indent) const;
  /// " + i0 * stride + ..." for axes of an operand.
  std::string steps(const Operand& operand, int begin, int end) const;
  /// Where an operand is at all positions of its axes.
  std::string place(const Operand& operand) const;

  /// Statements that calculate the values of a tape; `width` of them at once, which lie along the
  /// fast axis of operands.
  std::string tape(Pointer::Of inputs, std::string_view indent, int width = 1);
  /// Statements that define the bits which the elements of a work-item draw from, numbers in
  /// number<value> times drawn_at_once.
  std::string blocks(std::string_view indent);
  /// Statements that write the outputs, where the loop is or at a position.
  std::string outputs(std::string_view indent, std::string_view position = {});

  /// Which element of a block of numbers is printed; -1: of none.
  int lane = -1;

  const Program& program;
  const Signature signature;
  const Language& language;
  Prelude prelude;

 private:
  std::string load(const Operand& operand, int width);
  /// An element in memory as it is calculated with.
  std::string widened(std::string element, TypeId type);
  /// The operand that steps read at any position.
  const Operand& base_of(Pointer::Of inputs, std::uint16_t value) const;
  /// The call of a user's function.
  std::string call(Pointer::Of inputs, const UserCall& call, int width);
  /// Statements that define the value `name` of a search.
  std::string search(Pointer::Of inputs, const Step& step, std::string_view name,
                     std::string_view indent);
  std::string scalar(const ScalarWord& scalar) const;
  /// The scalar that is a value of the map; null if none is.
  const ScalarWord* scalar_of(std::uint16_t value) const;
  /// Whether a step draws for the number of the element, with a scalar key and stream.
  bool draws(const Step& step) const;
  /// What it draws in the current lane, of the bits that blocks() defines.
  std::string drawn(const Step& step);
  /// Word number `at` of those bits.
  std::string word_drawn(const Step& step, int at);
  std::string step(Pointer::Of inputs, const Step& step, int width);
};

/// The type that positions are taken apart in.
inline std::string_view position_type(const Form& form) { return form.is_small ? "uint" : "long"; }

/// Teams of a work-group, each of one work-item per lane of a chunk, where chunks have teams.
inline constexpr std::int64_t team_count = 8;

/// Statements that define the positions of all axes of a map; work-items beyond the loop return.
std::string positions(const Printer& printer);

}  // namespace isthmus::emitting
