// passes.cpp: a launch to what its kernels are called with.
#include <algorithm>
#include <bit>
#include <cstring>

#include "isthmus/codegen/emit/printer.h"
#include "isthmus/codegen/form.h"

namespace isthmus::emitting {

namespace {

/// Work-items of a group: so many that starting a group costs little beside its work.
constexpr std::int64_t items_on_cpu = 1024, items_on_gpu = 256;
/// Sides of a group where an operand has its neighbours along another axis than the last.
constexpr std::int64_t tile_side = 32;

const Argument& argument_of(const Launch& launch, const Pointer& source) {
  switch (source.of) {
    case Pointer::Of::input: return launch.inputs[source.index];
    case Pointer::Of::epilogue_input: return launch.epilogue_inputs[source.index];
    default: return launch.outputs[source.index];
  }
}

void put_scalar(const ScalarWord& scalar, const Scalar& value, std::vector<std::int64_t>& words) {
  alignas(16) char bytes[16] = {};
  store(value, DType(scalar.type), bytes);
  if (is_half(scalar.type) && !scalar.is_moved) {
    std::uint16_t half;
    std::memcpy(&half, bytes, sizeof half);
    const float wide = scalar.type == TypeId::float16 ? half_to_float(half) : bfloat_to_float(half);
    std::memcpy(bytes, &wide, sizeof wide);
  }
  const bool is_complex = info(scalar.type).family == Family::complex;
  const std::size_t part = is_complex
                               ? info(scalar.type).bits / 16
                               : std::max<std::size_t>(info(held_type(scalar.type)).bits / 8, 1);
  for (std::size_t i = 0; i < (is_complex ? 2 : 1); ++i) {
    std::int64_t& word = words[static_cast<std::size_t>(scalar.word) + i];
    std::memcpy(&word, bytes + i * part, part);
  }
}

class Planner {
 public:
  Planner(const Program& program, const Launch& launch, const Traits& traits)
      : program_(program),
        form_(program.form),
        launch_(launch),
        traits_(traits),
        signature_(program, traits) {}

  Passes run() {
    const std::span<const std::int64_t> shape(launch_.shape);
    kept_ = product_of(shape.first(form_.kept));
    if (kept_ == 0) return {};
    if (program_.has_kept_axes()) reduced_ = product_of(shape.subspan(form_.kept));
    fill_words();
    if (program_.shape == WorkShape::sort)
      plan_sort();
    else if (program_.shape == WorkShape::scan)
      plan_scan();
    else if (program_.shape == WorkShape::reduce)
      plan_reduction();
    else if (program_.store != Store::none)
      plan_store();
    else
      plan_map("map", {Pointer::Of::input, Pointer::Of::output});
    return std::move(result_);
  }

 private:
  void fill_words() {
    words_.resize(static_cast<std::size_t>(signature_.words), 0);
    std::copy(launch_.shape.begin(), launch_.shape.end(), words_.begin());
    if (form_.is_small)
      std::ranges::transform(launch_.shape, words_.begin() + signature_.divider_word, divider_of);
    words_[static_cast<std::size_t>(signature_.kept_word)] = kept_;
    if (program_.has_kept_axes())
      words_[static_cast<std::size_t>(signature_.reduced_word)] = reduced_;
    for (const Operand& operand : signature_.operands) fill_words_of(operand);
    for (const Operand& number : signature_.numbers) fill_words_of(number);
    if (program_.store != Store::none)
      words_[static_cast<std::size_t>(signature_.reach_word)] = launch_.outputs[0].scalar.integer;
    for (const ScalarWord& scalar : signature_.scalars)
      put_scalar(scalar, argument_of(launch_, scalar.source).scalar, words_);
  }

  void fill_words_of(const Operand& operand) {
    const Argument& argument = argument_of(launch_, operand.source);
    words_[static_cast<std::size_t>(operand.word)] = argument.offset;
    for (int axis = 0; axis < operand.axes; ++axis)
      if (const int word = operand.stride_word(axis); word != no_word)
        words_[static_cast<std::size_t>(word)] = argument.strides[axis];
  }

  /// Operands in memory of these kinds, in this order; the scratch stands last.
  Pass& add_pass(std::string_view entry, std::initializer_list<Pointer::Of> of) {
    Pass& pass = result_.passes.emplace_back();
    pass.entry = entry;
    for (const Pointer::Of kind : of) {
      signature_.each(kind, [&](const Operand& o) { pass.pointers.push_back(o.source); });
      if (kind == Pointer::Of::scratch) pass.pointers.push_back({kind, 0});
    }
    if (signature_.is_in_memory) pass.pointers.push_back({Pointer::Of::words, 0});
    pass.words = words_;
    return pass;
  }

  /// Items along a dimension, in groups of `local`.
  static void set(Pass& pass, int dimension, std::int64_t items, std::int64_t local) {
    pass.local[dimension] = static_cast<std::size_t>(local);
    pass.global[dimension] = static_cast<std::size_t>((items + local - 1) / local * local);
    pass.dimensions = std::max(pass.dimensions, dimension + 1);
  }

  std::int64_t group_items() const {
    return std::min<std::int64_t>(traits_.is_cpu ? items_on_cpu : items_on_gpu,
                                  traits_.largest_group);
  }
  /// A power of two not much beyond `items`.
  static std::int64_t group_side(std::int64_t items, std::int64_t most) {
    const auto side = static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(items)));
    return std::clamp<std::int64_t>(side, 1, most);
  }

  /// Of equal positions the last one writes: first each element leaves its number, if it is the
  /// highest, at its position.
  void plan_store() {
    using Of = Pointer::Of;
    if (program_.store == Store::any_order) return plan_map("map", {Of::input, Of::output});
    check(kept_ < INT32_MAX, Errc::value, "store: {} elements at once on this device; at most {}",
          kept_, INT32_MAX - 1);
    const std::int64_t reach = launch_.outputs[0].scalar.integer;
    result_.scratch_bytes = static_cast<std::size_t>(product_at_most(reach, 4));
    set(add_pass("clear", {Of::scratch}), 0, reach, group_side(reach, group_items()));
    plan_map("mark", {Of::input, Of::scratch});
    plan_map("map", {Of::input, Of::output, Of::scratch});
  }

  void plan_map(std::string_view entry, std::initializer_list<Pointer::Of> of) {
    Pass& pass = add_pass(entry, of);
    if (form_.loop == Loop::flat) {
      const std::int64_t items =
          draws_in_blocks(program_) ? divided_up(kept_, drawn_at_once) : kept_;
      return set(pass, 0, items, group_side(items, group_items()));
    }
    const std::int64_t last = launch_.shape[form_.rank - 1], before = launch_.shape[form_.rank - 2];
    const bool is_tiled = std::ranges::any_of(
        form_.operands, [](Access access) { return access == Access::strided; });
    const std::int64_t width = group_side(last, is_tiled ? tile_side : group_items());
    set(pass, 0, last, width);
    set(pass, 1, before, group_side(before, group_items() / width));
    if (form_.rank > 2) set(pass, 2, kept_ / (last * before), 1);
  }

  std::int64_t chunks() const {
    return form_.is_chunked ? divided_up(reduced_, reduction_chunk) : 1;
  }

  /// Each chunk by itself: the kernel `fold`, or `reduce` where there is one chunk.
  void plan_chunks() {
    using Of = Pointer::Of;
    Pass& pass = form_.is_chunked ? add_pass("fold", {Of::input, Of::scratch})
                                  : add_pass("reduce", {Of::input, Of::epilogue_input, Of::output});
    if (form_.loop == Loop::outer) {
      set(pass, 0, kept_, group_side(kept_, std::min<std::int64_t>(group_items(), 256)));
      set(pass, 1, chunks(), 1);
    } else if (!traits_.has_teams()) {
      set(pass, 0, kept_ * chunks(), 1);
    } else {
      set(pass, 0, reduction_lanes, reduction_lanes);
      set(pass, 1, kept_ * chunks(), team_count);
    }
    if (form_.is_chunked)
      result_.scratch_bytes = static_cast<std::size_t>(chunks() * kept_) * bytes_of_value();
  }

  /// Of what a chunk is folded to.
  std::size_t bytes_of_value() const {
    const ReductionInfo& row = info(program_.reduction);
    return !program_.combine && row.has_state() ? row.most_state_bytes()
                                                : info(held_type(program_.accumulator)).bits / 8;
  }

  void plan_reduction() {
    using Of = Pointer::Of;
    plan_chunks();
    if (!form_.is_chunked) return;
    Pass& pass = add_pass("combine", {Of::epilogue_input, Of::output, Of::scratch});
    const bool is_wide = !traits_.has_teams() || kept_ >= group_items();
    set(pass, 0, kept_, is_wide ? group_side(kept_, 64) : 1);
    const std::int64_t lanes = is_wide ? 1 : group_items();
    set(pass, 1, lanes, lanes);
  }

  /// The total of each chunk, then of all chunks up to it, then the elements.
  void plan_scan() {
    using Of = Pointer::Of;
    if (reduced_ == 0) return;
    if (form_.is_chunked) {
      plan_chunks();
      set(add_pass("prefix", {Of::scratch}), 0, kept_, group_side(kept_, 64));
    }
    Pass& pass = form_.is_chunked ? add_pass("scan", {Of::input, Of::output, Of::scratch})
                                  : add_pass("scan", {Of::input, Of::output});
    const std::int64_t units = kept_ * chunks();
    const bool is_lone = form_.loop == Loop::inner && !traits_.has_teams();
    set(pass, 0, units, group_side(units, is_lone ? 1 : 64));
  }

  /// Blocks in order, then pairs of ever longer runs merged from one half of the scratch to the
  /// other, then the elements, or the indices, to where they go.
  void plan_sort() {
    using Of = Pointer::Of;
    if (reduced_ == 0) return;
    const std::int64_t elements = kept_ * reduced_;
    std::int64_t bytes = 0;
    check(product_fits(elements, 16, bytes), Errc::out_of_memory, "sort: scratch for {} elements",
          elements);
    result_.scratch_bytes = static_cast<std::size_t>(bytes);
    const std::int64_t units = kept_ * divided_up(reduced_, sort_block);
    const std::int64_t group = traits_.is_cpu ? 1 : 64;
    set(add_pass("begin", {Of::input, Of::scratch}), 0, units, group_side(units, group));
    const auto word = static_cast<std::size_t>(signature_.sort_word);
    std::int64_t half = 0;
    for (std::int64_t width = sort_block; width < reduced_; width *= 2, half = 1 - half) {
      Pass& pass = add_pass("merge", {Of::input, Of::scratch});
      pass.words[word] = width, pass.words[word + 1] = half * elements;
      set(pass, 0, units, group_side(units, group));
    }
    Pass& last = add_pass("finish", {Of::input, Of::output, Of::scratch});
    last.words[word + 1] = half * elements;
    set(last, 0, elements, group_side(elements, group_items()));
  }

  const Program& program_;
  const Form& form_;
  const Launch& launch_;
  const Traits& traits_;
  Signature signature_;
  std::int64_t kept_ = 1, reduced_ = 1;
  std::vector<std::int64_t> words_;
  Passes result_;
};

}  // namespace

}  // namespace isthmus::emitting

namespace isthmus::inline ISTHMUS_ABI {

Passes plan_passes(const Program& program, const Launch& launch, const Traits& traits) {
  return emitting::Planner(program, launch, traits).run();
}

}  // namespace isthmus::inline ISTHMUS_ABI
