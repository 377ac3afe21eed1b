// passes.cpp: a launch to what its kernels are called with.
#include <algorithm>
#include <cstring>

#include "isthmus/codegen/emit/shape.h"

namespace isthmus::emitting {

namespace {

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

}  // namespace

Planner::Planner(const Program& program_, const Launch& launch_, const Traits& traits_)
    : program(program_),
      form(program_.form),
      launch(launch_),
      traits(traits_),
      signature(program_, traits_) {
  const std::span<const std::int64_t> shape(launch.shape);
  kept = product_of(shape.first(form.kept));
  if (kept == 0) return;
  if (program.has_kept_axes()) reduced = product_of(shape.subspan(form.kept));
  fill_words();
}

void Planner::fill_words() {
  words.resize(static_cast<std::size_t>(signature.words), 0);
  std::copy(launch.shape.begin(), launch.shape.end(), words.begin());
  if (form.is_small)
    std::ranges::transform(launch.shape, words.begin() + signature.divider_word, divider_of);
  words[static_cast<std::size_t>(signature.kept_word)] = kept;
  if (program.has_kept_axes()) words[static_cast<std::size_t>(signature.reduced_word)] = reduced;
  for (const Operand& operand : signature.operands) fill_words_of(operand);
  for (const Operand& number : signature.numbers) fill_words_of(number);
  for (const ScalarWord& scalar : signature.scalars)
    put_scalar(scalar, argument_of(launch, scalar.source).scalar, words);
}

void Planner::fill_words_of(const Operand& operand) {
  const Argument& argument = argument_of(launch, operand.source);
  words[static_cast<std::size_t>(operand.word)] = argument.offset;
  for (int axis = 0; axis < operand.axes; ++axis)
    if (const int word = operand.stride_word(axis); word != no_word)
      words[static_cast<std::size_t>(word)] = argument.strides[axis];
}

Pass& Planner::add_pass(std::string_view entry, std::initializer_list<Pointer::Of> of) {
  Pass& pass = result.passes.emplace_back();
  pass.entry = entry;
  for (const Pointer::Of kind : of) {
    signature.each(kind, [&](const Operand& o) { pass.pointers.push_back(o.source); });
    if (kind == Pointer::Of::scratch) pass.pointers.push_back({kind, 0});
  }
  if (signature.is_in_memory) pass.pointers.push_back({Pointer::Of::words, 0});
  pass.words = words;
  return pass;
}

}  // namespace isthmus::emitting

namespace isthmus::inline ISTHMUS_ABI {

Passes plan_passes(const Program& program, const Launch& launch, const Traits& traits) {
  emitting::Planner planner(program, launch, traits);
  if (planner.kept != 0) emitting::shape_of(program).plan(planner);
  return std::move(planner.result);
}

}  // namespace isthmus::inline ISTHMUS_ABI
