// sort.cpp: the kernels of a sort along the last axis.
//
// Indices are put in order, stably, by the elements that they stand for: `begin` does so for
// blocks, `merge` makes one run of two, each work-item a block of it, and `finish` writes the
// indices, or the elements, to where they go. Long rows on CPUs are sorted by digits instead.
#include "isthmus/base/format.h"
#include "isthmus/codegen/emit/along_axes.h"
#include "isthmus/codegen/emit/digits.h"
#include "isthmus/codegen/emit/shape.h"

namespace isthmus::emitting {

using detail::format;

namespace {

using Of = Pointer::Of;

/// Elements that one work-item puts in order, or merges.
constexpr std::int64_t sort_block = 32;

class SortPrinter : AlongAxes {
 public:
  explicit SortPrinter(Printer& printer)
      : AlongAxes(printer, printer.program.map.type_of(printer.program.map.outputs[0])),
        run_(printer.word(printer.signature.own_word)),
        half_(printer.word(printer.signature.own_word + 1)) {}

  std::string print() {
    return element() + '\n' + is_before() + '\n' + begin_kernel() + '\n' + merge_kernel() + '\n' +
           finish_kernel();
  }

 private:
  /// NaN comes last, whatever the direction.
  std::string is_before() const {
    const bool is_descending = program_.sorting.is_descending;
    const TypeId type = program_.map.type_of(program_.map.outputs[0]);
    const bool is_real = info(type).family == Family::real;
    return format("{} int isthmus_is_before(const {} x, const {} y) {\n  return x {} y{};\n}\n",
                  language_.function, type_, type_, is_descending ? ">" : "<",
                  is_real ? " || (y != y && x == x)" : "");
  }

  /// A work-item has a block of the row `kept`, from `begin` on.
  std::string begin_of_kernel(std::string_view name) {
    std::string out =
        format("{}{}({}) {\n", language_.kernel, name, printer_.parameters({Of::input}, "long"));
    out += format("  const long unit = {};\n  const long kept = unit % {};\n",
                  language_.position[0], kept_count_);
    out += format("  const long begin = unit / {} * {};\n  if (begin >= {}) return;\n", kept_count_,
                  sort_block, row_count_);
    return out + kept_positions("  ");
  }

  std::string begin_kernel() {
    std::string out = begin_of_kernel("isthmus_begin");
    out += format("  {}long* to = scratch + kept * {};\n", language_.global, row_count_);
    out += format("  const long end = begin + {} < {} ? begin + {} : {};\n", sort_block, row_count_,
                  sort_block, row_count_);
    out += "  for (long i = begin; i < end; ++i) {\n";
    out += format("    const {} x = {};\n    long k = i;\n", type_, element_at("i"));
    out += format(
        "    for (; k > begin && isthmus_is_before(x, {}); --k) to[k] = to[k - 1];\n    to[k] = "
        "i;\n  }\n",
        element_at("to[k - 1]"));
    return out + "}\n";
  }

  /// Where the block begins in each of the two runs follows from its place in what they become.
  std::string merge_kernel() {
    const std::string is_later =
        format("isthmus_is_before({}, {})", element_at("from[b]"), element_at("from[a]"));
    std::string out = begin_of_kernel("isthmus_merge");
    out += format("  const {}long* from = scratch + {} + kept * {};\n", language_.global, half_,
                  row_count_);
    out += format("  {}long* to = scratch + ({} * {} - {}) + kept * {};\n", language_.global,
                  kept_count_, row_count_, half_, row_count_);
    out += format("  const long first = begin / (2 * {}) * (2 * {});\n", run_, run_);
    out += format("  const long middle = first + {} < {} ? first + {} : {};\n", run_, row_count_,
                  run_, row_count_);
    out += format("  const long last = middle + {} < {} ? middle + {} : {};\n", run_, row_count_,
                  run_, row_count_);
    out += "  const long done = begin - first;\n";
    out += "  long low = done > last - middle ? done - (last - middle) : 0;\n";
    out += "  long high = done < middle - first ? done : middle - first;\n";
    out += "  while (low < high) {\n    const long split = (low + high) / 2;\n";
    out += "    const long a = first + split, b = middle + done - 1 - split;\n";
    out += format("    if ({}) high = split; else low = split + 1;\n  }\n", is_later);
    out += "  long a = first + low, b = middle + done - low;\n";
    out += format("  const long end = begin + {} < last ? begin + {} : last;\n", sort_block,
                  sort_block);
    out += "  for (long i = begin; i < end; ++i) {\n";
    out += format("    const int takes_b = b < last && (a >= middle || {});\n", is_later);
    out += "    to[i] = takes_b ? from[b++] : from[a++];\n  }\n";
    return out + "}\n";
  }

  std::string finish_kernel() {
    std::string out = format("{}isthmus_finish({}) {\n", language_.kernel,
                             printer_.parameters({Of::input, Of::output}, "long"));
    out += format("  const long unit = {};\n", language_.position[0]);
    out += format("  if (unit >= {} * {}) return;\n", kept_count_, row_count_);
    out += format("  const long kept = unit / {}, place = unit % {};\n", row_count_, row_count_);
    out += kept_positions("  ");
    if (form_.rank > form_.kept) out += format("  const long i{} = place;\n", form_.kept);
    out += format("  const long index = scratch[{} + unit];\n", half_);
    const bool gives_indices = program_.sorting.gives_indices;
    out += format("  const {} e0 = {};\n", gives_indices ? "long" : type_,
                  gives_indices ? std::string("index") : element_at("index"));
    return out + printer_.outputs("  ") + "}\n";
  }

  std::string run_, half_;  ///< Words: the length of a sorted run, and which half is read.
};

/// One axis at most is sorted; nothing is taken apart but the kept ones.
Form sort_form(const Program&, const Launch& launch) {
  Form form;
  form.loop = Loop::inner;
  const std::span<const std::int64_t> shape(launch.shape);
  form.is_chunked =
      is_for_digits(product_of(shape.first(launch.kept)), product_of(shape.subspan(launch.kept)));
  form.is_small = (launch.kept > 1 || form.is_chunked) && product_of(shape) < INT32_MAX;
  return form;
}

/// A lane of a GPU has no room for counts of its own, and a block would keep it long.
bool is_by_digits(const Form& form, const Traits& traits) {
  return form.is_chunked && traits.is_cpu;
}

std::string print_sort(Printer& printer, const Traits& traits) {
  if (is_by_digits(printer.program.form, traits)) return print_digits(printer);
  return SortPrinter(printer).print();
}

/// Blocks in order, then pairs of ever longer runs merged from one half of the scratch to the
/// other, then the elements, or the indices, to where they go.
void plan_sort(Planner& planner) {
  using Of = Pointer::Of;
  if (planner.reduced == 0) return;
  if (is_by_digits(planner.form, planner.traits)) return plan_digits(planner);
  const std::int64_t elements = planner.kept * planner.reduced;
  std::int64_t bytes = 0;
  check(product_fits(elements, 16, bytes), Errc::out_of_memory, "sort: scratch for {} elements",
        elements);
  planner.result.scratch_bytes = static_cast<std::size_t>(bytes);
  const std::int64_t units = planner.kept * divided_up(planner.reduced, sort_block);
  const std::int64_t group = planner.traits.is_cpu ? 1 : 64;
  Planner::set(planner.add_pass("isthmus_begin", {Of::input, Of::scratch}), 0, units,
               Planner::group_side(units, group));
  const auto word = static_cast<std::size_t>(planner.signature.own_word);
  std::int64_t half = 0;
  for (std::int64_t width = sort_block; width < planner.reduced; width *= 2, half = 1 - half) {
    Pass& pass = planner.add_pass("isthmus_merge", {Of::input, Of::scratch});
    pass.words[word] = width, pass.words[word + 1] = half * elements;
    Planner::set(pass, 0, units, Planner::group_side(units, group));
  }
  Pass& last = planner.add_pass("isthmus_finish", {Of::input, Of::output, Of::scratch});
  last.words[word + 1] = half * elements;
  Planner::set(last, 0, elements, Planner::group_side(elements, planner.group_items()));
}

}  // namespace

extern const Shape sort_shape = {sort_form, print_sort, plan_sort, digit_words};

}  // namespace isthmus::emitting
