// printer.cpp: the parts that kernels are made of, as text.
#include "isthmus/codegen/emit/printer.h"

#include <algorithm>

#include "isthmus/base/format.h"

namespace isthmus::emitting {

using detail::format;

namespace {

std::string_view half_name(TypeId type) { return type == TypeId::float16 ? "float16" : "bfloat16"; }

/// What the values of a tape are called by.
std::string_view prefix_of(Pointer::Of inputs) { return inputs == Pointer::Of::input ? "v" : "e"; }

}  // namespace

std::string Printer::source(std::string_view kernels) const {
  std::string out(language.preamble);
  if (!signature.is_in_memory)
    out += format("typedef struct {\n  long v[{}];\n} isthmus_words;\n\n", signature.words);
  const std::string functions = prelude.print(language.function);
  out += functions;
  if (!functions.ends_with("\n\n")) out += '\n';
  return (out += kernels) += language.ending;
}

std::string Printer::word(int index) const {
  return detail::format(signature.is_in_memory ? "w[{}]" : "w.v[{}]", index);
}

std::string Printer::name(const Operand& operand) const {
  const std::string_view stem = operand.source.of == Pointer::Of::input            ? "in"
                                : operand.source.of == Pointer::Of::epilogue_input ? "with"
                                                                                   : "out";
  return format("{}{}", stem, operand.source.index);
}

std::string Printer::parameters(std::initializer_list<Pointer::Of> of, std::string_view scratch) {
  std::string out;
  for (const Pointer::Of kind : of)
    signature.each(kind, [&](const Operand& operand) {
      const std::string_view type = memory_type(operand.type, operand.is_moved);
      prelude.need_type(type);
      out += format("{}{}{}* {}, ", language.global, kind == Pointer::Of::output ? "" : "const ",
                    type, name(operand));
    });
  if (!scratch.empty()) out += format("{}{}* scratch, ", language.global, scratch);
  return out += signature.is_in_memory ? format("{}const long* w", language.global)
                                       : std::string("const isthmus_words w");
}

std::string Printer::arguments(Pointer::Of of) const {
  std::string out;
  signature.each(of, [&](const Operand& operand) { out += name(operand) + ", "; });
  return out + "w";
}

std::string Printer::take_apart(std::string_view rest, int begin, int end,
                                std::string_view indent) const {
  std::string out;
  for (int axis = end - 1; axis > begin; --axis) {
    const std::string extent = word(axis), divider = word(signature.divider_word + axis);
    if (program.form.is_small) {
      out += format("{}const uint over{} = (uint)(((ulong){} * (uint){}) >> ({} >> 32));\n", indent,
                    axis, rest, divider, divider);
      out += format("{}const long i{} = {} - over{} * (uint){};\n{}{} = over{};\n", indent, axis,
                    rest, axis, extent, indent, rest, axis);
    } else {
      out += format("{}const long i{} = {} % {};\n{}{} /= {};\n", indent, axis, rest, extent,
                    indent, rest, extent);
    }
  }
  if (begin < end) out += format("{}const long i{} = {};\n", indent, begin, rest);
  return out;
}

std::string Printer::steps(const Operand& operand, int begin, int end) const {
  std::string out;
  for (int axis = begin; axis < end; ++axis) {
    const int stride = operand.stride_word(axis);
    if (stride != no_word)
      out += format(" + i{} * {}", axis, word(stride));
    else if (operand.access == Access::unit)
      out += format(" + i{}", axis);
  }
  return out;
}

std::string Printer::place(const Operand& operand) const {
  return word(operand.word) + steps(operand, 0, operand.axes);
}

std::string Printer::load(const Operand& operand, int width) {
  if (width > 1 && operand.access == Access::unit)
    return format("vload{}(0, {} + {})", width, name(operand), place(operand));
  std::string element = format("{}[{}]", name(operand), place(operand));
  return operand.is_moved ? element : widened(std::move(element), operand.type);
}

std::string Printer::widened(std::string element, TypeId type) {
  if (!is_half(type)) return element;
  const std::string widen = format("{}_to_float", half_name(type));
  return format("{}({})", prelude.need(widen, type), element);
}

const Operand& Printer::base_of(Pointer::Of inputs, std::uint16_t value) const {
  std::size_t i = 0;
  while (signature.operands[i].source.of != inputs || signature.operands[i].value != value) ++i;
  return signature.operands[i];
}

/// Halves the part of the base where the answer lies. NaN comes after all numbers.
std::string Printer::search(Pointer::Of inputs, const Step& step, std::string_view name,
                            std::string_view indent) {
  const Operand& base = base_of(inputs, step.operands[0]);
  const std::string value = format("{}{}", prefix_of(inputs), step.operands[1]);
  const std::string count = format("{}{}", prefix_of(inputs), step.operands[2]);
  const bool is_real = info(step.type).family == Family::real;
  const auto is_less = [&](std::string_view a, std::string_view b) {
    return is_real ? format("({} < {} || ({} != {} && {} == {}))", a, b, b, b, a, a)
                   : format("({} < {})", a, b);
  };
  const std::string goes_on =
      step.op == Op::search_left ? is_less("at", value) : format("!{}", is_less(value, "at"));
  std::string out = format("{}long {} = 0;\n{}for (long end = {}; {} < end;) {\n", indent, name,
                           indent, count, name);
  out +=
      format("{}  const long middle = {} + (end - {}) / 2;\n{}  const {} at = {}[{} + middle];\n",
             indent, name, name, indent, c_type(step.type), this->name(base), word(base.word));
  return out + format("{}  if ({}) {} = middle + 1; else end = middle;\n{}}\n", indent, goes_on,
                      name, indent);
}

std::string Printer::scalar(const ScalarWord& scalar) const {
  const TypeId type = held_type(scalar.type);
  const bool is_complex = info(type).family == Family::complex;
  const bool is_real = info(type).family == Family::real || is_complex;
  const bool is_wide = info(type).bits == (is_complex ? 128 : 64);
  const auto part = [&](int at) {
    if (scalar.is_moved && is_complex)
      return format("({}){}", is_wide ? "ulong" : "uint", word(at));
    if (!is_real || scalar.is_moved)
      return format("({}){}", memory_type(scalar.type, scalar.is_moved), word(at));
    return is_wide ? format("as_double({})", word(at)) : format("as_float((uint){})", word(at));
  };
  return is_complex ? format("{{}, {}}", part(scalar.word), part(scalar.word + 1))
                    : part(scalar.word);
}

std::string Printer::call(Pointer::Of inputs, const UserCall& call, int width) {
  std::string arguments;
  for (std::size_t k = 0; k < call.operands.size(); ++k) {
    if (k > 0) arguments += ", ";
    const std::uint16_t value = call.operands[k];
    if (!call.function->parameters[k].is_raw) {
      arguments += format("{}{}", prefix_of(inputs), value);
      continue;
    }
    const Operand& base = base_of(inputs, value);
    const std::string_view cast =
        base.type == TypeId::float16 ? "(__global const half*)" : std::string_view();
    arguments += format("{}({} + {})", cast, name(base), word(base.word));
  }
  return format("{}({})", prelude.need_user(call.function, width), arguments);
}

const ScalarWord* Printer::scalar_of(std::uint16_t value) const {
  for (const ScalarWord& word : signature.scalars)
    if (word.source.of == Pointer::Of::input && word.value == value) return &word;
  return nullptr;
}

bool Printer::draws(const Step& step) const {
  const bool is_drawn = step.op == Op::random_bits || step.op == Op::random_uniform ||
                        step.op == Op::random_exponential || step.op == Op::random_normal;
  const bool is_of_number = std::ranges::any_of(
      signature.numbers, [&](const Operand& number) { return number.value == step.operands[0]; });
  const int bits = info(step.type).bits;
  return is_drawn && is_of_number && (bits == 32 || bits == 64) && scalar_of(step.operands[1]) &&
         scalar_of(step.operands[2]);
}

std::string Printer::blocks(std::string_view indent) {
  std::string out;
  for (std::size_t i = 0; i < program.map.steps.size(); ++i) {
    const Step& step = program.map.steps[i];
    if (!draws(step)) continue;
    prelude.need("philox_halves", step.type);
    const int count = info(step.type).bits * drawn_at_once / 128;
    const std::string key = scalar(*scalar_of(step.operands[1])),
                      stream = scalar(*scalar_of(step.operands[2]));
    for (int k = 0; k < count; ++k)
      out += format(
          "{}ulong low{}_{}, high{}_{};\n{}philox_halves(number{} * {} + {}, {}, {}, &low{}_{}, "
          "&high{}_{});\n",
          indent, i, k, i, k, indent, step.operands[0], count, k, key, stream, i, k, i, k);
    if (step.op != Op::random_normal) continue;
    prelude.need("random_radius", step.type);
    for (int at = 0; at < drawn_at_once; at += 2)
      out += format("{}const {} radius{}_{} = random_radius({});\n", indent, c_type(step.type), i,
                    at, word_drawn(step, at));
  }
  return out;
}

std::string Printer::word_drawn(const Step& step, int at) {
  const std::ptrdiff_t i = &step - program.map.steps.data();
  const int bits = info(step.type).bits, block = at / (128 / bits);
  return format("({}){}({}, low{}_{}, high{}_{}, {})", bits == 32 ? "uint" : "ulong",
                prelude.need("word_of_halves", step.type), at, i, block, i, block, bits / 8);
}

std::string Printer::drawn(const Step& step) {
  const std::ptrdiff_t i = &step - program.map.steps.data();
  const int block = lane / (128 / info(step.type).bits);
  if (step.op == Op::random_normal)  // two elements have one radius
    return format("radius{}_{} * {}({}, {}u)", i, lane & ~1, prelude.need("random_turn", step.type),
                  word_drawn(step, lane | 1), lane & 1);
  return format("{}({}, low{}_{}, high{}_{})", prelude.need_drawn(step.op, step.type), lane, i,
                block, i, block);
}

std::string Printer::step(Pointer::Of inputs, const Step& step, int width) {
  const std::string_view prefix = prefix_of(inputs);
  if (lane >= 0 && draws(step)) return drawn(step);
  if (step.op == Op::load) {
    const Operand& base = base_of(inputs, step.operands[0]);
    return widened(format("{}[{} + {}{}]", name(base), word(base.word), prefix, step.operands[1]),
                   base.type);
  }
  const auto operand = [&](int k) { return format("{}{}", prefix, step.operands[k]); };
  const bool is_cast = step.op == Op::astype;
  const TypeId from = held_type(step.type), to = held_type(step.result);
  std::string value;
  bool is_rounded = !is_half(step.result);
  if (step.op == Op::user) {
    const Tape& tape = inputs == Pointer::Of::input ? program.map : program.epilogue;
    value = call(inputs, tape.calls[step.operands[0]], width);
  } else if (is_cast) {
    const bool is_from_double = real_part(DType(from)).id == TypeId::float64;
    value = operand(0);
    if (from != to) value = format("{}({})", prelude.need_cast(step.type, step.result), value);
    is_rounded |= is_from_double || step.type == step.result;
  } else {
    std::string operands = operand(0);
    for (int k = 1; k < info(step.op).arity; ++k) operands += format(", {}", operand(k));
    value = format("{}({})", prelude.need_op(step.op, step.type, width), operands);
  }
  if (is_rounded) return value;
  const std::string round = format("round_{}", half_name(step.result));
  return format("{}({})", prelude.need(round, step.result), value);
}

std::string Printer::tape(Pointer::Of of, std::string_view indent, int width) {
  const bool is_map = of == Pointer::Of::input;
  const Tape& tape = is_map ? program.map : program.epilogue;
  const std::string_view prefix = prefix_of(of);
  std::string out;
  const auto type_of = [&](TypeId type, bool is_moved) {
    return is_moved ? std::string(memory_type(type, true)) : vector_type(held_type(type), width);
  };
  const auto define = [&](std::size_t value, const std::string& type, const std::string& text) {
    out += format("{}const {} {}{} = {};\n", indent, type, prefix, value, text);
  };
  for (std::size_t v = 0; v < tape.inputs.size(); ++v)
    if (tape.inputs[v].kind == Input::Kind::index)
      define(v, "long", format("i{}", tape.inputs[v].axis));
  for (const Operand& number : signature.numbers)
    if (number.source.of == of)
      define(number.value, "ulong",
             lane < 0 ? format("(ulong)({})", place(number))
                      : format("number{} * {} + {}", number.value, drawn_at_once, lane));
  signature.each(of, [&](const Operand& operand) {
    prelude.need_type(memory_type(operand.type, operand.is_moved));
    if (tape.inputs[operand.value].kind == Input::Kind::base) return;
    define(operand.value, type_of(operand.type, operand.is_moved), load(operand, width));
  });
  for (const ScalarWord& word : signature.scalars) {
    if (word.source.of != of) continue;
    prelude.need_type(word.is_moved ? memory_type(word.type, true) : c_type(held_type(word.type)));
    define(word.value, type_of(word.type, word.is_moved), scalar(word));
  }
  for (std::size_t i = 0; i < tape.steps.size(); ++i) {
    const Step& current = tape.steps[i];
    prelude.need_type(c_type(held_type(current.result)));
    const std::size_t value = tape.inputs.size() + i;
    if (current.op == Op::search_left || current.op == Op::search_right)
      out += search(of, current, format("{}{}", prefix, value), indent);
    else
      define(value, type_of(current.result, false), step(of, current, width));
  }
  return out;
}

std::string Printer::outputs(std::string_view indent, std::string_view position) {
  const std::string_view prefix = program.has_kept_axes() ? "e" : "v";
  std::string out;
  signature.each(Pointer::Of::output, [&](const Operand& operand) {
    std::string value = format("{}{}", prefix, operand.value);
    if (is_half(operand.type) && !operand.is_moved) {
      const std::string narrow = format("float_to_{}", half_name(operand.type));
      value = format("{}({})", prelude.need(narrow, operand.type), value);
    }
    std::string at = place(operand);
    if (!position.empty()) at += format(" + {}", position);
    const std::string element = format("{}[{}]", name(operand), at);
    const bool is_added = program.shape == KernelShape::store && program.store == Store::sum;
    if (!is_added || info(operand.type).family != Family::complex) {
      out += format("{}{} {}= {};\n", indent, element, is_added ? "+" : "", value);
      return;
    }
    for (const std::string_view part : {"re", "im"})
      out += format("{}{}.{} += {}.{};\n", indent, element, part, value, part);
  });
  return out;
}

}  // namespace isthmus::emitting
