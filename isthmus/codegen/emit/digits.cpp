// digits.cpp: a sort by digits along the last axis, for devices whose work-items run alone.
//
// Elements, and the indices of an argsort, go from one half of the scratch to the other, digit by
// digit from the lowest, and keep their order where the digit is equal. A work-item has a block of
// a row: `begin` copies it and `count` counts its digits; `place` says where those of each block
// go, and `move` brings them there. A digit that all elements of a row share moves nothing.
#include "isthmus/codegen/emit/digits.h"

#include "isthmus/base/format.h"
#include "isthmus/codegen/emit/along_axes.h"

namespace isthmus::emitting {

using detail::format;
using Of = Pointer::Of;

namespace {

/// A row that is sorted by digits has so many elements; a few rows must be longer, so that the
/// passes are worth their launches.
constexpr std::int64_t least_row = 256, long_row = 2048, least_elements = 16384;
/// A block is as long as this, and longer where a row would have more blocks than that.
constexpr std::int64_t least_block = 4096, most_blocks = 128;

/// Of the key of an element, in order from the lowest.
struct Digits {
  int key_bits = 32;  ///< Of the type that holds it: 32 or 64.
  int first_bit = 0;  ///< Those below it say nothing.
  int count = 0;
};

/// A half is held as a float, whose lowest bits are all alike.
Digits digits_of(TypeId type) {
  const int bits = std::max<int>(info(held_type(type)).bits, 8);
  Digits out;
  out.key_bits = bits == 64 ? 64 : 32;
  if (type == TypeId::float16) out.first_bit = 13;
  if (type == TypeId::bfloat16) out.first_bit = 16;
  out.count = (bits - out.first_bit + 7) / 8;
  return out;
}

TypeId type_of_row(const Program& program) { return program.map.type_of(program.map.outputs[0]); }

class DigitPrinter : AlongAxes {
 public:
  explicit DigitPrinter(Printer& printer)
      : AlongAxes(printer, type_of_row(printer.program)),
        digits_(digits_of(type_of_row(program_))),
        key_(digits_.key_bits == 64 ? "ulong" : "uint"),
        index_(form_.is_small ? "uint" : "long"),
        is_argsort_(program_.sorting.gives_indices),
        digit_(own(0)),
        block_(own(1)),
        counts_(pointer(index_, own(2))),
        items_(pointer(type_, own(3))),
        indices_(pointer(index_, own(4))),
        element_count_(format("{} * {}", kept_count_, row_count_)) {}

  std::string print() {
    return element() + '\n' + key_of() + '\n' + digit_of() + '\n' + begin_kernel() + '\n' +
           count_kernel() + '\n' + place_kernel() + '\n' + move_kernel() + '\n' + finish_kernel();
  }

 private:
  std::string own(int index) const { return printer_.word(printer_.signature.own_word + index); }
  /// Into the scratch, from a word on.
  std::string pointer(std::string_view type, const std::string& word) const {
    return format("({}{}*)(scratch + {})", language_.global, type, word);
  }
  std::string scratch_pointer(std::string_view type, std::string_view name,
                              std::string_view value) const {
    return format("  {}{}* {} = {};\n", language_.global, type, name, value);
  }

  /// Unsigned numbers in the order of the elements: zeros of both signs are one, and NaNs, which
  /// come last whatever the direction, are one.
  std::string key_of() const {
    const TypeId type = type_of_row(program_);
    const bool is_real = info(type).family == Family::real;
    const bool is_wide = digits_.key_bits == 64;
    const std::string_view turn = program_.sorting.is_descending ? "~" : "";
    std::string out =
        format("{} {} isthmus_key_of(const {} x) {\n", language_.function, key_, type_);
    if (!is_real) {
      const bool is_signed = info(type).family == Family::integer;
      const int bits = std::max<int>(info(type).bits, 8);
      const std::string sign = is_signed ? format(" ^ (({})1 << {})", key_, bits - 1) : "";
      return out + format("  return {}(({})x{});\n}\n", turn, key_, sign);
    }
    const std::string_view infinity = is_wide ? "0x7ff0000000000000" : "0x7f800000";
    const int sign = digits_.key_bits - 1;
    out += format("  const {} bits = as_{}(x), size = bits & ~(({})1 << {});\n", key_, key_, key_,
                  sign);
    out += format("  const {} key = size == 0 || bits == size ? size | ({})1 << {} : ~bits;\n",
                  key_, key_, sign);
    return out + format("  return size > {} ? ~({})0 : {}key;\n}\n", infinity, key_, turn);
  }

  std::string digit_of() const {
    return format(
        "{} uint isthmus_digit_of(const {} x, const int bit) {\n  return (uint)(isthmus_key_of(x) "
        ">> bit) & "
        "255u;\n}\n",
        language_.function, type_);
  }

  std::string bit() const {
    const std::string first = digits_.first_bit ? format("{} + ", digits_.first_bit) : "";
    return format("  const int bit = {}8 * (int){};\n", first, digit_);
  }

  /// A work-item has block number `block` of the row `kept`, from `begin` to `end`.
  std::string begin_of_kernel(std::string_view name, std::initializer_list<Of> of) {
    std::string out =
        format("{}{}({}) {\n", language_.lone_kernel, name, printer_.parameters(of, "long"));
    out += format("  const long unit = {};\n  const long kept = unit % {}, block = unit / {};\n",
                  language_.position[0], kept_count_, kept_count_);
    out += format("  const long begin = block * {};\n  if (begin >= {}) return;\n", block_,
                  row_count_);
    return out + format("  const long end = begin + {} < {} ? begin + {} : {};\n", block_,
                        row_count_, block_, row_count_);
  }

  /// Those of the block, from an array of the work-item's own.
  std::string written_counts() const {
    return scratch_pointer(index_, "to", counts_ + " + unit * 256") +
           "  for (int k = 0; k < 256; ++k) to[k] = counts[k];\n";
  }
  std::string own_counts() const {
    return format("  {} counts[256];\n  for (int k = 0; k < 256; ++k) counts[k] = 0;\n", index_);
  }

  /// The half that a row is in before each digit is the first of the scratch.
  std::string begin_kernel() {
    std::string out = begin_of_kernel("isthmus_begin", {Of::input}) + kept_positions("  ") + bit();
    out += format("  if (block == 0) scratch[kept] = 0;\n");
    out += scratch_pointer(type_, "items", format("{} + kept * {}", items_, row_count_));
    if (is_argsort_)
      out += scratch_pointer(index_, "indices", format("{} + kept * {}", indices_, row_count_));
    out += own_counts();
    out += format("{}  for (long i = begin; i < end; ++i) {\n", language_.in_order);
    out +=
        format("    const {} x = {};\n    ++counts[isthmus_digit_of(x, bit)];\n    items[i] = x;\n",
               type_, element_at("i"));
    if (is_argsort_) out += format("    indices[i] = ({})i;\n", index_);
    return out + "  }\n" + written_counts() + "}\n";
  }

  /// Where the row is in a half of what lies at `pointer`.
  std::string row_of(std::string_view pointer, std::string_view side) const {
    return format("{} + ({} * {} + kept * {})", pointer, side, element_count_, row_count_);
  }
  std::string side() const {
    return format("  const long side = scratch[{} * {} + kept];\n", digit_, kept_count_);
  }

  std::string count_kernel() {
    std::string out = begin_of_kernel("isthmus_count", {}) + bit() + side();
    out += scratch_pointer(format("const {}", type_), "from", row_of(items_, "side"));
    out += own_counts();
    out +=
        format("{}  for (long i = begin; i < end; ++i) ++counts[isthmus_digit_of(from[i], bit)];\n",
               language_.in_order);
    return out + written_counts() + "}\n";
  }

  /// One work-item for each row.
  std::string place_kernel() {
    std::string out =
        format("{}isthmus_place({}) {\n", language_.lone_kernel, printer_.parameters({}, "long"));
    out += format("  const long kept = {};\n  if (kept >= {}) return;\n", language_.position[0],
                  kept_count_);
    out += side() + scratch_pointer(index_, "counts", format("{} + kept * 256", counts_));
    out += format("  const long blocks = ({} + {} - 1) / {}, step = {} * 256;\n", row_count_,
                  block_, block_, kept_count_);
    out += format("  {} next[256];\n  for (int k = 0; k < 256; ++k) next[k] = 0;\n", index_);
    out += "  for (long block = 0; block < blocks; ++block)\n";
    out += "    for (int k = 0; k < 256; ++k) next[k] += counts[block * step + k];\n";
    out += format("  int is_shared = 0;\n  {} all = 0;\n", index_);
    out += "  for (int k = 0; k < 256; ++k) {\n";
    out += format("    const {} count = next[k];\n    is_shared |= count == {};\n", index_,
                  row_count_);
    out += "    next[k] = all;\n    all += count;\n  }\n";
    out += format("  scratch[({} + 1) * {} + kept] = is_shared ? side : 1 - side;\n", digit_,
                  kept_count_);
    out += "  if (is_shared) return;\n";
    out += "  for (long block = 0; block < blocks; ++block)\n";
    out += "    for (int k = 0; k < 256; ++k) {\n";
    out += format("      const {} count = counts[block * step + k];\n", index_);
    return out + "      counts[block * step + k] = next[k];\n      next[k] += count;\n    }\n}\n";
  }

  std::string move_kernel() {
    std::string out = begin_of_kernel("isthmus_move", {}) + bit() + side();
    out += format("  if (scratch[({} + 1) * {} + kept] == side) return;\n", digit_, kept_count_);
    out += scratch_pointer(format("const {}", type_), "from", row_of(items_, "side"));
    out += scratch_pointer(type_, "to", row_of(items_, "(1 - side)"));
    if (is_argsort_) {
      out += scratch_pointer(format("const {}", index_), "from_index", row_of(indices_, "side"));
      out += scratch_pointer(index_, "to_index", row_of(indices_, "(1 - side)"));
    }
    out += scratch_pointer(format("const {}", index_), "counts", counts_ + " + unit * 256");
    out +=
        format("  {} next[256];\n  for (int k = 0; k < 256; ++k) next[k] = counts[k];\n", index_);
    out += format("{}  for (long i = begin; i < end; ++i) {\n", language_.in_order);
    out += format("    const {} x = from[i];\n", type_);
    out += format("    const {} place = next[isthmus_digit_of(x, bit)]++;\n    to[place] = x;\n",
                  index_);
    if (is_argsort_) out += "    to_index[place] = from_index[i];\n";
    return out + "  }\n}\n";
  }

  std::string finish_kernel() {
    std::string out =
        begin_of_kernel("isthmus_finish", {Of::output}) + side() + kept_positions("  ");
    out += scratch_pointer(format("const {}", is_argsort_ ? index_ : type_), "from",
                           row_of(is_argsort_ ? indices_ : items_, "side"));
    out += "  for (long i = begin; i < end; ++i) {\n";
    out += format("    const long i{} = i;\n    const {} e0 = from[i];\n", form_.kept,
                  is_argsort_ ? "long" : type_);
    return out + printer_.outputs("    ") + "  }\n}\n";
  }

  Digits digits_;
  std::string_view key_, index_;  ///< Types.
  bool is_argsort_;
  /// Words: the number of a digit, and how long a block is.
  std::string digit_, block_;
  /// Pointers into the scratch. Blocks have their counts one beside the other.
  std::string counts_, items_, indices_;
  std::string element_count_;
};

}  // namespace

bool is_for_digits(std::int64_t rows, std::int64_t row) {
  return row >= long_row || (row >= least_row && rows * row >= least_elements);
}

std::string print_digits(Printer& printer) { return DigitPrinter(printer).print(); }

/// The scratch: the half that each row is in before each digit and after the last, the counts, both
/// halves of the elements, both halves of the indices.
void plan_digits(Planner& planner) {
  const TypeId type = type_of_row(planner.program);
  const Digits digits = digits_of(type);
  const std::int64_t elements = planner.kept * planner.reduced;
  const std::int64_t block = std::max(least_block, divided_up(planner.reduced, most_blocks));
  const std::int64_t units = planner.kept * divided_up(planner.reduced, block);
  std::int64_t any = 0;  // more than all that follows
  check(product_fits(elements, 64, any), Errc::out_of_memory, "sort: scratch for {} elements",
        elements);
  const auto longs = [](std::int64_t count, int bits) { return divided_up(count * (bits / 8), 8); };
  const int index_bits = planner.form.is_small ? 32 : 64;
  const int item_bits = std::max<int>(info(held_type(type)).bits, 8);
  planner.own_word(1) = block;
  planner.own_word(2) = (digits.count + 1) * planner.kept;
  planner.own_word(3) = planner.own_word(2) + longs(256 * units, index_bits);
  planner.own_word(4) = planner.own_word(3) + longs(2 * elements, item_bits);
  const bool is_argsort = planner.program.sorting.gives_indices;
  planner.result.scratch_bytes =
      8 * static_cast<std::size_t>(planner.own_word(4) +
                                   (is_argsort ? longs(2 * elements, index_bits) : 0));
  for (std::int64_t& digit = planner.own_word(0); digit < digits.count; ++digit) {
    Planner::set(digit == 0 ? planner.add_pass("isthmus_begin", {Of::input, Of::scratch})
                            : planner.add_pass("isthmus_count", {Of::scratch}),
                 0, units, 1);
    Planner::set(planner.add_pass("isthmus_place", {Of::scratch}), 0, planner.kept, 1);
    Planner::set(planner.add_pass("isthmus_move", {Of::scratch}), 0, units, 1);
  }
  Planner::set(planner.add_pass("isthmus_finish", {Of::output, Of::scratch}), 0, units, 1);
}

}  // namespace isthmus::emitting
