// fold.h: the text that folds a chunk of reduced elements, in lanes or one after another.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include "isthmus/base/format.h"
#include "isthmus/base/small_vector.h"
#include "isthmus/codegen/emit/along_axes.h"
#include "isthmus/codegen/emit/shape.h"
#include "isthmus/codegen/form.h"
#include "isthmus/core/record_field.h"

namespace isthmus::emitting {

using Reductions = SmallVector<HeldReduction, 4>;

/// The rows that a program combines by, and the types of their elements.
inline Reductions all_reductions_of(const Program& program) {
  Reductions all;
  for (std::size_t k = 0; k < program.map.outputs.size(); ++k)
    all.push_back({k > 0 ? program.beside[k - 1].reduction : program.reduction,
                   held_type(program.map.type_of(program.map.outputs[k]))});
  return all;
}

/// The function isthmus_fold_chunk(), and what else there is to say of values that are combined.
class FoldPrinter : protected AlongAxes {
 protected:
  using Of = Pointer::Of;

  FoldPrinter(Printer& printer, const Traits& traits)
      : AlongAxes(printer, printer.program.map.type_of(printer.program.map.outputs[0])),
        state_(has_several() ? need_states(printer.prelude)
               : has_state() ? printer.prelude.need_state(program_.reduction, element_type_)
                             : users_struct()),
        value_(has_state() ? std::string_view(state_.type) : type_),
        combine_(combine_of(1)),
        is_team_(form_.loop == Loop::inner && traits.has_teams()),
        is_lone_(form_.loop == Loop::inner && !traits.has_teams()),
        has_teams_(traits.has_teams()),
        is_ordered_(program_.combine && program_.shape == KernelShape::scan),
        width_(vector_width()) {}

  StateNames need_states(Prelude& prelude) const {
    const Reductions all = all_reductions_of(program_);
    return prelude.need_states({all.begin(), all.end()});
  }
  /// A struct of a user that has numbers alone: its fields. OpenCL C makes one of a list of them.
  StateNames users_struct() const {
    StateNames names;
    if (!is_struct(element_type_)) return names;
    const DType type = program_.structs[struct_place(element_type_)].dtype;
    names.type = type_;
    for (const RecordType::Field& field : type.record->fields) {
      const auto its = detail::dtype_of_field(field);
      if (!its || !its->is_builtin() || !field.shape.empty()) return {};
      names.fields.emplace_back(c_type(its->id), field.name);
    }
    return names;
  }
  bool has_several() const { return !program_.beside.empty(); }
  /// Whether what is combined is a struct: a state, or the values of several reductions.
  bool has_state() const {
    return has_several() || (!program_.combine && info(program_.reduction).has_state());
  }

  /// Whether one of the elements is chosen, the same in whatever order they are combined. Where
  /// neighbouring work-items have neighbouring results, they need no lanes then.
  bool chooses() const {
    return !has_several() && has_state() && info(program_.reduction).rule == AccumulateRule::index;
  }

  /// The value of the element at a position of the row.
  std::string value_at(const std::string& position) const {
    const std::string element = element_at(row_position(position));
    return state_.lift.empty() ? element
                               : detail::format("{}({}, {})", state_.lift, element, position);
  }

  /// Lanes of a chunk. Those of states are an array for each field, which compilers make vectors
  /// of.
  std::string lanes() const {
    if (state_.fields.empty()) return detail::format("  {} lanes[{}];\n", value_, reduction_lanes);
    std::string out;
    for (const auto& [type, name] : state_.fields)
      out += detail::format("  {} lanes_{}[{}];\n", type, name, reduction_lanes);
    return out;
  }
  std::string lane(std::string_view k) const {
    if (state_.fields.empty()) return detail::format("lanes[{}]", k);
    std::string fields;
    for (const auto& [type, name] : state_.fields)
      fields += detail::format("{}{}lanes_{}[{}]", fields.empty() ? "" : ", ",
                               state_.make.empty() ? detail::format(".{} = ", name) : std::string(),
                               name, k);
    if (state_.make.empty()) return detail::format("(({}){{}})", state_.type, fields);
    return detail::format("{}({})", state_.make, fields);
  }
  /// A statement.
  std::string set_lane(std::string_view k, std::string_view value) const {
    if (state_.fields.empty()) return detail::format("lanes[{}] = {};", k, value);
    std::string out = detail::format("{ const {} next = {};", value_, value);
    for (const auto& [type, name] : state_.fields)
      out += detail::format(" lanes_{}[{}] = next.{};", name, k, name);
    return out + " }";
  }
  std::string combined(std::string_view x, std::string_view y) const {
    return detail::format("{}({}, {})", combine_, x, y);
  }

  std::string combine_of(int width) {
    if (has_state()) return state_.combine;
    return program_.combine
               ? printer_.prelude.need_user(program_.combine, width)
               : printer_.prelude.need_combine(program_.reduction, program_.accumulator, width);
  }

  /// All lanes, in halves.
  std::string fold_lanes(std::string_view indent) const {
    std::string out;
    for (std::int64_t half = reduction_lanes / 2; half > 0; half /= 2)
      out +=
          detail::format("{}for (int k = 0; k < {}; ++k) {}\n", indent, half,
                         set_lane("k", combined(lane("k"), lane(detail::format("k + {}", half)))));
    return out + detail::format("{}return {};\n", indent, lane("0"));
  }

  std::string fold_head() const {
    return detail::format("{} {} isthmus_fold_chunk({}{}, const long begin, const int count) {\n",
                          language_.function, value_, printer_.parameters({Of::input}),
                          kept_parameters_);
  }

  /// Folds `count` elements from `begin` on. Lanes are an array in a loop: unrolled into registers
  /// they take up to 20 s to compile.
  std::string fold_function() {
    // Intel's compiler for CPUs loses results of loops whose elements are all the same
    if (form_.rank == form_.kept)
      return fold_head() + detail::format("  return {};\n}\n", value_at("begin"));
    const std::string next = value_at("begin + i + k");
    std::string out = fold_head();
    out += lanes() + "  int i = 0;\n";
    out += detail::format("  if (count < {}) {\n", reduction_lanes);
    out += detail::format("{}    for (int k = 0; k < count; ++k) {}\n", language_.in_order,
                          set_lane("k", next));
    out += "    for (int left = count; left > 1; left = (left + 1) / 2) {\n";
    out += "      const int half_left = (left + 1) / 2;\n";
    out += detail::format(
        "{}      for (int k = 0; k + half_left < left; ++k)\n        {}\n    }\n    return {};\n"
        "  }\n",
        language_.in_order, set_lane("k", combined(lane("k"), lane("k + half_left"))), lane("0"));
    return out +
           (width_ == 1 ? rows(next)
            : chooses() ? chosen_rows(next)
                        : vector_rows(next)) +
           "}\n";
  }

  /// The same, one element after the other.
  std::string ordered_fold_function() {
    std::string out = fold_head();
    out += detail::format("  {} total = {};\n{}", value_, value_at("begin"), language_.in_order);
    out += detail::format("  for (int i = 1; i < count; ++i) total = {};\n",
                          combined("total", value_at("begin + i")));
    return out + "  return total;\n}\n";
  }

  std::string row_loop() const {
    return detail::format("{}  for (i = {}; i + {} <= count; i += {}) {\n", language_.in_order,
                          reduction_lanes, reduction_lanes, reduction_lanes);
  }
  std::string leftover(std::string_view next, std::string_view indent) const {
    return detail::format("{}{}for (int k = 0; i + k < count; ++k) {}\n", language_.in_order,
                          indent, set_lane("k", combined(lane("k"), next)));
  }

  std::string each_lane() const {
    return detail::format("for (int k = 0; k < {}; ++k)", reduction_lanes);
  }

  std::string rows(std::string_view next) const {
    std::string out = detail::format("  {} {}\n", each_lane(), set_lane("k", next)) + row_loop();
    out +=
        detail::format("    {} {}\n  }\n", each_lane(), set_lane("k", combined(lane("k"), next)));
    return out + leftover(next, "  ") + fold_lanes("  ");
  }

  /// A row of lanes is a few vectors, the elements of which are these.
  std::string each_vector() const {
    return detail::format("for (int k = 0; k < {}; ++k)", reduction_lanes / width_);
  }
  std::string vector() const {
    return element_at(row_position(detail::format("begin + i + k * {}", width_)),
                      "isthmus_elements");
  }

  /// Rows of lanes as vectors: half of them are added to the other half, until one is left.
  std::string vector_rows(std::string_view next) {
    const TypeId accumulator = program_.accumulator;
    const int vectors = static_cast<int>(reduction_lanes) / width_;
    const std::string each = each_vector(), elements = vector(), combine = combine_of(width_);
    std::string out = detail::format("  {} row[{}];\n", vector_type(accumulator, width_), vectors);
    out += detail::format("  {} row[k] = {};\n", each, elements) + row_loop();
    out += detail::format("    {} row[k] = {}(row[k], {});\n  }\n", each, combine, elements);
    out += detail::format("  if (i < count) {\n    {} vstore{}(row[k], k, lanes);\n", each, width_);
    out += leftover(next, "    ") + fold_lanes("    ") + "  }\n";
    for (int left = vectors / 2; left > 0; left /= 2)
      out += detail::format("  for (int k = 0; k < {}; ++k) row[k] = {}(row[k], row[k + {}]);\n",
                            left, combine, left);
    std::string value = "row[0]";
    for (int width = width_ / 2; width > 0; width /= 2) {
      out +=
          detail::format("  const {} half{} = {}({}.lo, {}.hi);\n", vector_type(accumulator, width),
                         width, combine_of(width), value, value);
      value = detail::format("half{}", width);
    }
    return out + detail::format("  return {};\n", value);
  }

  /// The same where elements are chosen: beside each one the row that it is of, in integers of its
  /// length. A row comes after those before it, which leaves elements alone to be compared.
  std::string chosen_rows(std::string_view next) {
    const StateNames states =
        printer_.prelude.need_state_vectors(program_.reduction, element_type_, width_);
    const std::string &values = states.fields[0].first, &places = states.fields[1].first;
    const std::string &value = state_.fields[0].second, &index = state_.fields[1].second;
    std::string out = detail::format("  {} row[{}];\n  {} from[{}];\n", values,
                                     reduction_lanes / width_, places, reduction_lanes / width_);
    out += detail::format("  {} { row[k] = {}; from[k] = ({})(0); }\n", each_vector(), vector(),
                          places);
    out += row_loop() +
           detail::format("    {} {\n      const {} next = {};\n", each_vector(), values, vector());
    out += detail::format("      const {} keeps = {}({}(row[k], ({})(0)), {}(next, ({})(1)));\n",
                          places, states.combine, states.make, places, states.make, places);
    out += "      row[k] = keeps ? row[k] : next;\n";
    out += detail::format("      from[k] = keeps ? from[k] : ({})(i / {});\n    }\n  }\n", places,
                          reduction_lanes);
    out += detail::format("  {} vstore{}(row[k], k, lanes_{});\n", each_vector(), width_, value);
    out += detail::format("  {} vstore{}(convert_long{}(from[k]), k, lanes_{});\n", each_vector(),
                          width_, width_, index);
    out += detail::format("  {} lanes_{}[k] = begin + lanes_{}[k] * {} + k;\n", each_lane(), index,
                          index, reduction_lanes);
    return out + leftover(next, "  ") + fold_lanes("  ");
  }

  static bool has_vectors(const UserFunctionRef& function) {
    return !function->vector_text.empty();
  }

  /// The width of vectors in which a CPU calculates and adds up elements, where all that is done to
  /// them can be said of vectors; else 1, and it is left to the compiler.
  int vector_width() const {
    const TypeId type = element_type_;
    if (is_ordered_ || (has_state() && !chooses()) || !is_lone_ || form_.rank - form_.kept != 1 ||
        !language_.has_vectors)
      return 1;
    // compilers make vectors of sums of integers themselves
    const bool is_real = type == TypeId::float32 || type == TypeId::float64;
    const Family family = is_struct(type) ? Family::record : info(type).family;
    const bool is_whole = chooses() && program_.map.steps.empty() &&
                          (family == Family::integer || family == Family::natural);
    if (!is_real && !is_whole) return 1;
    if (!(program_.combine ? has_vectors(program_.combine)
                           : is_vectorizable(info(program_.reduction).real)))
      return 1;
    for (const Input& input : program_.map.inputs)
      if (input.type != type || input.kind == Input::Kind::index) return 1;
    bool is_dense = true;
    printer_.signature.each(
        Of::input, [&](const Operand& operand) { is_dense &= operand.access != Access::strided; });
    for (const Step& step : program_.map.steps)
      if (step.type != type || step.result != type || step.op == Op::astype ||
          !(step.op == Op::user ? has_vectors(program_.map.calls[step.operands[0]].function)
                                : is_vectorizable(info(step.op).real)))
        return 1;
    return is_dense ? std::min(16, 512 / info(type).bits) : 1;
  }

  StateNames state_;        ///< Of a reduction with a state.
  std::string_view value_;  ///< The type of what is combined.
  std::string combine_;
  bool is_team_, is_lone_, has_teams_;
  bool is_ordered_;  ///< Lanes would take elements out of order, as a user's scan may not bear.
  int width_;        ///< Of the vectors that a chunk is folded in.
};

}  // namespace isthmus::emitting
