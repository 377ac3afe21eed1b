// reduce.cpp: the kernels of a reduction, in the order of form.h.
//
// isthmus_element() is a value of the map at a position of the kept axes and of the reduced ones as
// one. A chunk of them is folded by one work-item, or on a GPU by a team of one work-item per lane.
// One chunk: the kernel `reduce` goes on with the epilogue. Several: `fold` leaves the value of
// each in scratch memory [chunk][kept], and `combine` takes it from there. A value is an element,
// or a state that elements are lifted to.
#include "isthmus/base/format.h"
#include "isthmus/codegen/emit/along_axes.h"
#include "isthmus/codegen/emit/chunks.h"
#include "isthmus/codegen/form.h"
#include "isthmus/core/record_field.h"

namespace isthmus::emitting {

using detail::format;

namespace {

using Of = Pointer::Of;

using Reductions = SmallVector<HeldReduction, 4>;

/// The rows that a program combines by, and the types of their elements.
Reductions all_reductions_of(const Program& program) {
  Reductions all;
  for (std::size_t k = 0; k < program.map.outputs.size(); ++k)
    all.push_back({k > 0 ? program.beside[k - 1].reduction : program.reduction,
                   held_type(program.map.type_of(program.map.outputs[k]))});
  return all;
}

class ReductionPrinter : AlongAxes {
 public:
  ReductionPrinter(Printer& printer, const Traits& traits)
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

  std::string print() {
    std::string out = element(1, has_several() ? &state_ : nullptr);
    if (width_ > 1) (out += '\n') += element(width_);
    const bool is_scan = program_.shape == KernelShape::scan;
    if (is_scan && !form_.is_chunked) return out + '\n' + scan_kernel();
    if (is_ordered_ || (chooses() && form_.loop == Loop::outer))
      (out += '\n') += ordered_fold_function();
    else if (!is_team_)
      (out += '\n') += fold_function();
    (out += '\n') += first_kernel();
    if (is_scan)
      ((out += '\n') += prefix_kernel() + '\n') += scan_kernel();
    else if (form_.is_chunked)
      (out += '\n') += combine_kernel();
    return out;
  }

 private:
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
    return state_.lift.empty() ? element : format("{}({}, {})", state_.lift, element, position);
  }

  /// Lanes of a chunk. Those of states are an array for each field, which compilers make vectors
  /// of.
  std::string lanes() const {
    if (state_.fields.empty()) return format("  {} lanes[{}];\n", value_, reduction_lanes);
    std::string out;
    for (const auto& [type, name] : state_.fields)
      out += format("  {} lanes_{}[{}];\n", type, name, reduction_lanes);
    return out;
  }
  std::string lane(std::string_view k) const {
    if (state_.fields.empty()) return format("lanes[{}]", k);
    std::string fields;
    for (const auto& [type, name] : state_.fields)
      fields += format("{}{}lanes_{}[{}]", fields.empty() ? "" : ", ",
                       state_.make.empty() ? format(".{} = ", name) : std::string(), name, k);
    if (state_.make.empty()) return format("(({}){{}})", state_.type, fields);
    return format("{}({})", state_.make, fields);
  }
  /// A statement.
  std::string set_lane(std::string_view k, std::string_view value) const {
    if (state_.fields.empty()) return format("lanes[{}] = {};", k, value);
    std::string out = format("{ const {} next = {};", value_, value);
    for (const auto& [type, name] : state_.fields)
      out += format(" lanes_{}[{}] = next.{};", name, k, name);
    return out + " }";
  }
  std::string combined(std::string_view x, std::string_view y) const {
    return format("{}({}, {})", combine_, x, y);
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
      out += format("{}for (int k = 0; k < {}; ++k) {}\n", indent, half,
                    set_lane("k", combined(lane("k"), lane(format("k + {}", half)))));
    return out + format("{}return {};\n", indent, lane("0"));
  }

  /// Folds `count` elements from `begin` on. Lanes are an array in a loop: unrolled into registers
  /// they take up to 20 s to compile.
  std::string fold_function() {
    const std::string next = value_at("begin + i + k");
    std::string out =
        format("{} {} isthmus_fold_chunk({}{}, const long begin, const int count) {\n",
               language_.function, value_, printer_.parameters({Of::input}), kept_parameters_);
    out += lanes() + "  int i = 0;\n";
    out += format("  if (count < {}) {\n", reduction_lanes);
    out += format("    for (int k = 0; k < count; ++k) {}\n", set_lane("k", next));
    out += "    for (int left = count; left > 1; left = (left + 1) / 2) {\n";
    out += "      const int half_left = (left + 1) / 2;\n";
    out += format(
        "      for (int k = 0; k + half_left < left; ++k)\n        {}\n    }\n    return {};\n  "
        "}\n",
        set_lane("k", combined(lane("k"), lane("k + half_left"))), lane("0"));
    return out + (width_ > 1 ? vector_rows(next) : rows(next)) + "}\n";
  }

  /// The same, one element after the other.
  std::string ordered_fold_function() {
    std::string out =
        format("{} {} isthmus_fold_chunk({}{}, const long begin, const int count) {\n",
               language_.function, value_, printer_.parameters({Of::input}), kept_parameters_);
    out += format("  {} total = {};\n{}", value_, value_at("begin"), language_.in_order);
    out += format("  for (int i = 1; i < count; ++i) total = {};\n",
                  combined("total", value_at("begin + i")));
    return out + "  return total;\n}\n";
  }

  std::string row_loop() const {
    return format("{}  for (i = {}; i + {} <= count; i += {}) {\n", language_.in_order,
                  reduction_lanes, reduction_lanes, reduction_lanes);
  }
  std::string leftover(std::string_view next, std::string_view indent) const {
    return format("{}for (int k = 0; i + k < count; ++k) {}\n", indent,
                  set_lane("k", combined(lane("k"), next)));
  }

  std::string each_lane() const { return format("for (int k = 0; k < {}; ++k)", reduction_lanes); }

  std::string rows(std::string_view next) const {
    std::string out = format("  {} {}\n", each_lane(), set_lane("k", next)) + row_loop();
    out += format("    {} {}\n  }\n", each_lane(), set_lane("k", combined(lane("k"), next)));
    return out + leftover(next, "  ") + fold_lanes("  ");
  }

  /// Rows of lanes as vectors: half of them are added to the other half, until one is left.
  std::string vector_rows(std::string_view next) {
    const TypeId accumulator = program_.accumulator;
    const int vectors = static_cast<int>(reduction_lanes) / width_;
    const std::string each = format("for (int k = 0; k < {}; ++k)", vectors);
    const std::string position = row_position(format("begin + i + k * {}", width_));
    const std::string elements = element_at(position, "isthmus_elements");
    const std::string combine = combine_of(width_);
    std::string out = format("  {} row[{}];\n", vector_type(accumulator, width_), vectors);
    out += format("  {} row[k] = {};\n", each, elements) + row_loop();
    out += format("    {} row[k] = {}(row[k], {});\n  }\n", each, combine, elements);
    out += format("  if (i < count) {\n    {} vstore{}(row[k], k, lanes);\n", each, width_);
    out += leftover(next, "    ") + fold_lanes("    ") + "  }\n";
    for (int left = vectors / 2; left > 0; left /= 2)
      out += format("  for (int k = 0; k < {}; ++k) row[k] = {}(row[k], row[k + {}]);\n", left,
                    combine, left);
    std::string value = "row[0]";
    for (int width = width_ / 2; width > 0; width /= 2) {
      out += format("  const {} half{} = {}({}.lo, {}.hi);\n", vector_type(accumulator, width),
                    width, combine_of(width), value, value);
      value = format("half{}", width);
    }
    return out + format("  return {};\n", value);
  }

  static bool has_vectors(const UserFunctionRef& function) {
    return !function->vector_text.empty();
  }

  /// The width of vectors in which a CPU calculates and adds up elements, where all that is done to
  /// them can be said of vectors; else 1, and it is left to the compiler.
  int vector_width() const {
    const TypeId type = program_.accumulator;
    if (is_ordered_ || has_state() || !is_lone_ || form_.rank - form_.kept != 1 ||
        !language_.has_vectors)
      return 1;
    if (type != TypeId::float32 && type != TypeId::float64) return 1;
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
    return is_dense ? 512 / info(type).bits : 1;
  }

  /// Parameters of a kernel that ends in the epilogue.
  std::string last_parameters(bool has_inputs) {
    const std::string_view scratch = has_inputs ? "" : value_;
    return has_inputs ? printer_.parameters({Of::input, Of::epilogue_input, Of::output}, scratch)
                      : printer_.parameters({Of::epilogue_input, Of::output}, scratch);
  }

  /// The epilogue of `total`, at the positions i0 and so on.
  std::string epilogue(std::string_view indent) {
    std::string out;
    for (std::size_t k = 0; k < 1 + program_.beside.size(); ++k) {
      const TypeId type = k > 0 ? program_.beside[k - 1].accumulator : program_.accumulator;
      std::string value = has_several()           ? state_.results[k]
                          : state_.finish.empty() ? std::string("total")
                                                  : format("{}(total)", state_.finish);
      if (is_half(type)) {
        const bool is_float16 = type == TypeId::float16;
        const std::string_view round = is_float16 ? "round_float16" : "round_bfloat16";
        value = format("{}({})", printer_.prelude.need(round, type), value);
      }
      const std::string_view given = c_type(held_type(type));
      printer_.prelude.need_type(given);
      out += format("{}const {} e{} = {};\n", indent, given, k, value);
    }
    out += printer_.tape(Of::epilogue_input, indent);
    return out + printer_.outputs(indent);
  }

  std::string store_or_finish(std::string_view indent) {
    if (form_.is_chunked)
      return format("{}scratch[chunk * {} + kept] = total;\n", indent, kept_count_);
    return epilogue(indent);
  }

  /// What is left of the reduced elements from the start of the chunk, at most a chunk.
  std::string chunk_bounds() const {
    return format(
        "  const long begin = chunk * {};\n  const long left = {} - begin;\n"
        "  const int count = left < {} ? (int)left : {};\n",
        reduction_chunk, row_count_, reduction_chunk, reduction_chunk);
  }

  /// Whether there may be no elements. Of several reductions all have an identity then.
  bool has_identity() const {
    if (program_.combine) return !program_.combine->identity.empty();
    const auto has_one = [](const auto& r) { return !info(r.reduction).identity.empty(); };
    return std::ranges::all_of(all_reductions_of(program_), has_one);
  }

  /// What a variable begins as.
  std::string identity_value() const {
    if (has_several()) {
      std::string all;
      for (const auto& [reduction, type] : all_reductions_of(program_))
        all += format("{}{}", all.empty() ? "" : ", ", initial(info(reduction).identity, type));
      return format("{{}}", all);
    }
    return program_.combine ? program_.combine->identity
                            : initial(info(program_.reduction).identity, program_.accumulator);
  }
  static std::string initial(std::string_view identity, TypeId type) {
    const std::string text(identity);
    return info(type).family == Family::complex ? format("{{}, 0}", text) : text;
  }

  std::string total() const {
    const std::string call = format("isthmus_fold_chunk({}{}, begin, count)",
                                    printer_.arguments(Of::input), kept_arguments_);
    if (form_.is_chunked || !has_identity())
      return format("  const {} total = {};\n", value_, call);
    return format("  {} total = {};\n  if (count > 0) total = {};\n", value_, identity_value(),
                  call);
  }

  std::string first_kernel() {
    const std::string parameters =
        form_.is_chunked ? printer_.parameters({Of::input}, value_) : last_parameters(true);
    std::string out = format("{}{}({}) {\n", is_lone_ ? language_.lone_kernel : language_.kernel,
                             form_.is_chunked ? "isthmus_fold" : "isthmus_reduce", parameters);
    if (is_team_) return out + team_body() + "}\n";
    if (is_lone_) {
      out += format("  const long unit = {};\n", language_.position[0]);
      out += units();
    } else {
      out += format("  const long kept = {}, chunk = {};\n  if (kept >= {}) return;\n",
                    language_.position[0], language_.position[1], kept_count_);
    }
    out += kept_positions("  ") + chunk_bounds();
    return out + total() + store_or_finish("  ") + "}\n";
  }

  /// A unit is a chunk of a kept element.
  std::string units() const {
    if (!form_.is_chunked) return "  const long kept = unit, chunk = 0;\n";
    return format("  const long chunks = ({} + {}) / {};\n", row_count_, reduction_chunk - 1,
                  reduction_chunk) +
           "  const long kept = unit / chunks, chunk = unit % chunks;\n";
  }

  /// A unit for each team of work-items; teams beyond the last do nothing, but meet the others.
  std::string team_body() {
    std::string out =
        format("  {}{} lanes[{}][{}];\n", language_.local, value_, team_count, reduction_lanes);
    out += format("  const int lane = {}, team = {};\n  const long unit = {};\n",
                  language_.local_position[0], language_.local_position[1], language_.position[1]);
    out += units();
    out += format("  const int is_active = kept < {};\n", kept_count_);
    out += kept_positions("  ") + chunk_bounds();
    if (is_ordered_)
      return out + "  if (!is_active || lane > 0) return;\n" + total() + store_or_finish("  ");
    const std::string next = value_at("begin + i");
    out += "  if (is_active && lane < count) {\n    long i = lane;\n";
    out += format("    {} value = {};\n", value_, next);
    out += format("{}    for (i = lane + {}; i < count; i += {}) value = {}(value, {});\n",
                  language_.in_order, reduction_lanes, reduction_lanes, combine_, next);
    out += "    lanes[team][lane] = value;\n  }\n";
    out += format("  int width = count < {} ? count : {};\n", reduction_lanes, reduction_lanes);
    // as often in each team, since all must meet
    out += "  for (int level = 0; level < 5; ++level) {\n";
    out += format("    {};\n    const int next = (width + 1) / 2;\n", language_.local_barrier);
    out += format(
        "    if (width > 1 && lane + next < width)\n"
        "      lanes[team][lane] = {}(lanes[team][lane], lanes[team][lane + next]);\n",
        combine_);
    out += "    width = next;\n  }\n  if (!is_active || lane > 0) return;\n";
    if (form_.is_chunked || !has_identity())
      out += format("  const {} total = lanes[team][0];\n", value_);
    else
      out += format("  {} total = {};\n  if (count > 0) total = lanes[team][0];\n", value_,
                    identity_value());
    return out + store_or_finish("  ");
  }

  /// Chunks of a kept element, combined in place, level by level.
  std::string combine_kernel() {
    const std::string value = format("scratch[i * {} + kept]", kept_count_);
    const std::string other = format("scratch[(i + step) * {} + kept]", kept_count_);
    std::string out = format("{}isthmus_combine({}) {\n", language_.kernel, last_parameters(false));
    out += format("  const long kept = {};\n", language_.position[0]);
    out += format("  const long lane = {}, lanes = {};\n",
                  has_teams_ ? language_.local_position[1] : "0",
                  has_teams_ ? language_.local_size[1] : "1");
    out += format("  const long chunks = ({} + {}) / {};\n", row_count_, reduction_chunk - 1,
                  reduction_chunk);
    if (!has_teams_) out += format("  if (kept >= {}) return;\n", kept_count_);
    out += "  for (long step = 1; step < chunks; step *= 2) {\n";
    const std::string guard = has_teams_ ? format("if (kept < {})\n      ", kept_count_) : "";
    out += format(
        "    {}for (long i = lane * 2 * step; i + step < chunks; i += lanes * 2 * step)\n"
        "      {} = {}({}, {});\n",
        guard, value, combine_, value, other);
    if (has_teams_) out += format("    {};\n", language_.global_barrier);
    out += "  }\n";
    if (has_teams_) out += format("  if (kept >= {} || lane > 0) return;\n", kept_count_);
    out += kept_positions("  ");
    return out + format("  const {} total = scratch[kept];\n", value_) + epilogue("  ") + "}\n";
  }

  /// Of each chunk, all up to its end.
  std::string prefix_kernel() {
    std::string out =
        format("{}isthmus_prefix({}) {\n", language_.kernel, printer_.parameters({}, type_));
    out += format("  const long kept = {};\n  if (kept >= {}) return;\n", language_.position[0],
                  kept_count_);
    out += format("  const long chunks = ({} + {}) / {};\n", row_count_, reduction_chunk - 1,
                  reduction_chunk);
    out += format("  {} total = scratch[kept];\n", type_);
    out += format(
        "  for (long i = 1; i < chunks; ++i) {\n    total = {}(total, scratch[i * {} + kept]);\n"
        "    scratch[i * {} + kept] = total;\n  }\n}\n",
        combine_, kept_count_, kept_count_);
    return out;
  }

  /// One work-item goes through a chunk.
  std::string scan_kernel() {
    const std::string parameters =
        printer_.parameters({Of::input, Of::output}, form_.is_chunked ? type_ : std::string_view());
    std::string out = format("{}isthmus_scan({}) {\n", language_.kernel, parameters);
    out += format("  const long unit = {};\n  const long kept = unit % {}, chunk = unit / {};\n",
                  language_.position[0], kept_count_, kept_count_);
    out += format("  if (chunk * {} >= {}) return;\n", reduction_chunk, row_count_);
    out += kept_positions("  ") + chunk_bounds();
    const std::string next = element_at("begin + i");
    // not undefined at first: Intel's compiler (2026.2) then loses every complex128 product
    out += format("  {} total = {};\n", type_, element_at("begin"));
    if (form_.is_chunked)
      out += format("  if (chunk > 0) total = scratch[(chunk - 1) * {} + kept];\n", kept_count_);
    out += format("{}  for (int i = 0; i < count; ++i) {\n", language_.in_order);
    out += format("    const {} value = {};\n", type_, next);
    out += format("    total = begin + i > 0 ? {}(total, value) : value;\n", combine_);
    if (form_.rank > form_.kept) out += format("    const long i{} = begin + i;\n", form_.kept);
    return out + epilogue("    ") + "  }\n}\n";
  }

  StateNames state_;        ///< Of a reduction with a state.
  std::string_view value_;  ///< The type of what is combined.
  std::string combine_;
  bool is_team_, is_lone_, has_teams_;
  bool is_ordered_;  ///< Lanes would take elements out of order, as a user's scan may not bear.
  int width_;        ///< Of the vectors that a chunk is folded in.
};

}  // namespace

std::string print_reduction(Printer& printer, const Traits& traits) {
  return ReductionPrinter(printer, traits).print();
}

static void plan_reduction(Planner& planner) {
  using Of = Pointer::Of;
  plan_chunks(planner);
  if (!planner.form.is_chunked) return;
  Pass& pass = planner.add_pass("isthmus_combine", {Of::epilogue_input, Of::output, Of::scratch});
  const bool is_wide = !planner.traits.has_teams() || planner.kept >= planner.group_items();
  Planner::set(pass, 0, planner.kept, is_wide ? Planner::group_side(planner.kept, 64) : 1);
  const std::int64_t lanes = is_wide ? 1 : planner.group_items();
  Planner::set(pass, 1, lanes, lanes);
}

extern const Shape reduce_shape = {chunked_form, print_reduction, plan_reduction};

}  // namespace isthmus::emitting
