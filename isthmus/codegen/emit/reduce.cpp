// reduce.cpp: the kernels of a reduction, in the order of form.h.
//
// isthmus_element() is a value of the map at a position of the kept axes and of the reduced ones as
// one. A chunk of them is folded by one work-item, or on a GPU by a team of one work-item per lane.
// One chunk: the kernel `reduce` goes on with the epilogue. Several: `fold` leaves the value of
// each in scratch memory [chunk][kept], and `combine` takes it from there. A value is an element,
// or a state that elements are lifted to.
#include "isthmus/base/format.h"
#include "isthmus/codegen/emit/chunks.h"
#include "isthmus/codegen/emit/fold.h"

namespace isthmus::emitting {

using detail::format;

namespace {

class ReductionPrinter : FoldPrinter {
 public:
  ReductionPrinter(Printer& printer, const Traits& traits) : FoldPrinter(printer, traits) {}

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
  std::string chunk_bounds(std::string_view indent) const {
    return format(
        "{}const long begin = chunk * {};\n{}const long left = {} - begin;\n"
        "{}const int count = left < {} ? (int)left : {};\n",
        indent, reduction_chunk, indent, row_count_, indent, reduction_chunk, reduction_chunk);
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

  std::string total(std::string_view indent) const {
    const std::string call = format("isthmus_fold_chunk({}{}, begin, count)",
                                    printer_.arguments(Of::input), kept_arguments_);
    if (form_.is_chunked || !has_identity())
      return format("{}const {} total = {};\n", indent, value_, call);
    return format("{}{} total = {};\n{}if (count > 0) total = {};\n", indent, value_,
                  identity_value(), indent, call);
  }

  std::string first_kernel() {
    const std::string parameters =
        form_.is_chunked ? printer_.parameters({Of::input}, value_) : last_parameters(true);
    std::string out = format("{}{}({}) {\n", is_lone_ ? language_.lone_kernel : language_.kernel,
                             form_.is_chunked ? "isthmus_fold" : "isthmus_reduce", parameters);
    if (is_team_) return out + team_body() + "}\n";
    const std::string_view indent = is_lone_ ? "    " : "  ";
    if (is_lone_)
      out += each_unit();
    else
      out += format("  const long kept = {}, chunk = {};\n  if (kept >= {}) return;\n",
                    language_.position[0], language_.position[1], kept_count_);
    out += kept_positions(indent) + chunk_bounds(indent) + total(indent) + store_or_finish(indent);
    return out + (is_lone_ ? "  }\n}\n" : "}\n");
  }

  /// The loop of a work-item that alone does several units, one behind the other: starting a group
  /// for each of them would cost as much as what it does.
  std::string each_unit() const {
    std::string out = chunk_count();
    out += format("  const long units = {}{};\n", kept_count_, form_.is_chunked ? " * chunks" : "");
    out += "  const long items = get_global_size(0), each = (units + items - 1) / items;\n";
    out += format("  const long first = {} * each;\n", language_.position[0]);
    out += "  const long end = first + each < units ? first + each : units;\n";
    return out + "  for (long unit = first; unit < end; ++unit) {\n" + unit("    ");
  }

  /// A unit is a chunk of a kept element.
  std::string unit(std::string_view indent) const {
    return format("{}const long kept = {}, chunk = {};\n", indent,
                  form_.is_chunked ? "unit / chunks" : "unit",
                  form_.is_chunked ? "unit % chunks" : "0");
  }
  std::string chunk_count() const {
    if (!form_.is_chunked) return {};
    return format("  const long chunks = ({} + {}) / {};\n", row_count_, reduction_chunk - 1,
                  reduction_chunk);
  }

  /// A unit for each team of work-items; teams beyond the last do nothing, but meet the others.
  std::string team_body() {
    std::string out =
        format("  {}{} lanes[{}][{}];\n", language_.local, value_, team_count, reduction_lanes);
    out += format("  const int lane = {}, team = {};\n  const long unit = {};\n",
                  language_.local_position[0], language_.local_position[1], language_.position[1]);
    out += chunk_count() + unit("  ");
    out += format("  const int is_active = kept < {};\n", kept_count_);
    out += kept_positions("  ") + chunk_bounds("  ");
    if (is_ordered_)
      return out + "  if (!is_active || lane > 0) return;\n" + total("  ") + store_or_finish("  ");
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
    out += chunk_count();
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
    out += chunk_count();
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
    out += kept_positions("  ") + chunk_bounds("  ");
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
