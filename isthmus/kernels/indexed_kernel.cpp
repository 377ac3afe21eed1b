// indexed_kernel.cpp: x[i] as a variable x, and arrays as its memory.
#include "isthmus/kernels/indexed_kernel.h"

#include <algorithm>

#include "isthmus/codegen/lower.h"
#include "isthmus/graph/storage.h"
#include "isthmus/kernels/arithmetic.h"
#include "isthmus/kernels/c_tokens.h"
#include "isthmus/runtime/devices/registry.h"
#include "isthmus/runtime/submit/run_here.h"

namespace isthmus::inline ISTHMUS_ABI {

namespace {

using Parameters = std::vector<IndexedKernel::Parameter>;
using detail::CToken;

/// How names begin of what arrays that are written held before.
constexpr std::string_view before = "before_";

bool is_assignment(std::string_view sign) {
  constexpr std::string_view comparisons[] = {"==", "!=", "<=", ">="};
  return sign.ends_with('=') && std::ranges::find(comparisons, sign) == std::end(comparisons);
}

/// A text about variables.
struct PlainText {
  std::string text;
  std::vector<std::size_t> written;  ///< Parameters.
};

std::optional<PlainText> without_indices(std::string_view operation, const Parameters& parameters) {
  const std::vector<CToken> tokens = detail::c_tokens(operation);
  const auto text_at = [&](std::size_t k) {
    return k < tokens.size() ? tokens[k].text : std::string_view();
  };
  PlainText plain;
  for (std::size_t k = 0; k < tokens.size(); ++k) {
    const std::string_view text = tokens[k].text;
    // numbers of the element and of all of them, and names of ours
    if (text == "i" || text == "n" || text.starts_with(before)) return std::nullopt;
    plain.text += text;
    plain.text += ' ';
    const auto is_it = [&](const auto& known) { return known.is_array && known.name == text; };
    const auto found = std::ranges::find_if(parameters, is_it);
    if (found == parameters.end()) continue;
    if (text_at(k + 1) != "[" || text_at(k + 2) != "i" || text_at(k + 3) != "]")
      return std::nullopt;
    k += 3;
    const auto number = static_cast<std::size_t>(found - parameters.begin());
    if (is_assignment(text_at(k + 1)) &&
        std::ranges::find(plain.written, number) == plain.written.end())
      plain.written.push_back(number);
  }
  return plain;
}

/// A function that gives output k of a text.
UserFunctionRef function_of(const detail::ArithmeticText& text, std::size_t k) {
  auto function = detail::make_ref<UserFunction>();
  function->steps = detail::read_arithmetic(text, k);
  if (!function->steps) return {};
  for (const auto& [name, parameter] : text.parameters) function->parameters.push_back(parameter);
  function->result = text.outputs[k].second;
  return {std::move(function)};
}

/// Where elements lie.
struct ElementSpan {
  const char* begin;
  const char* end;
  bool overlaps(const ElementSpan& other) const { return begin < other.end && other.begin < end; }
};

}  // namespace

std::optional<IndexedKernel> IndexedKernel::read(std::string_view operation,
                                                 std::vector<Parameter> parameters) {
  std::optional<PlainText> plain = without_indices(operation, parameters);
  if (!plain || plain->written.empty()) return std::nullopt;
  std::vector<std::pair<std::string, UserFunction::Parameter>> inputs;
  for (const Parameter& one : parameters) inputs.push_back({one.name, {one.type}});
  std::vector<std::pair<std::string, DType>> outputs;
  std::string text;
  for (const std::size_t number : plain->written) {
    const std::string& name = parameters[number].name;
    inputs[number].first = detail::format("{}{}", before, name);
    outputs.emplace_back(name, parameters[number].type);
    text += detail::format("{} = {}{}; ", name, before, name);
  }
  text += plain->text;
  const detail::Placeholders none;
  IndexedKernel made;
  Lowered lowered;
  Tape& tape = lowered.program.map;
  UserCall call;
  for (const Parameter& one : parameters) {
    call.operands.push_back(static_cast<std::uint16_t>(tape.inputs.size()));
    tape.inputs.push_back({one.is_array ? Input::Kind::memory : Input::Kind::scalar, one.type});
    lowered.inputs.emplace_back();
  }
  for (std::size_t k = 0; k < outputs.size(); ++k) {
    call.function = function_of({text, inputs, outputs, none}, k);
    if (!call.function) return std::nullopt;
    made.has_fp64_ = made.has_fp64_ || call.function->steps->has_fp64;
    const TypeId result = outputs[k].second.id;
    tape.outputs.push_back(static_cast<std::uint16_t>(tape.inputs.size() + k));
    tape.steps.push_back({Op::user, result, result, {static_cast<std::uint16_t>(k), 0, 0}});
    tape.calls.push_back(call);
  }
  expand_calls(lowered);
  // a call shall give the same, whether or not its arrays are at rest
  const auto has_one_result = [](const Step& step) { return is_exact(step); };
  if (!std::ranges::all_of(tape.steps, has_one_result)) return std::nullopt;
  for (std::size_t k = parameters.size(); k < lowered.inputs.size(); ++k)
    made.numbers_.push_back(lowered.inputs[k].scalar);
  made.program_ = std::move(lowered.program);
  made.written_ = std::move(plain->written);
  made.parameters_ = std::move(parameters);
  return made;
}

bool IndexedKernel::run(BackendQueue& queue, std::int64_t count,
                        std::span<const Array* const> arrays,
                        std::span<const Scalar> numbers) const {
  if (!is_inline(count)) return false;
  const Device& device = queue.context->device;
  if (has_fp64_ && !backend(device).traits(device.index()).has_fp64) return false;
  SmallVector<Argument, 8> arguments;
  SmallVector<ElementSpan, 8> ranges;  // of parameters; of numbers empty
  arguments.reserve(parameters_.size() + numbers_.size());
  for (const Parameter& one : parameters_) {
    Argument& argument = arguments.emplace_back();
    ElementSpan& range = ranges.emplace_back();
    if (!one.is_array) {
      argument.scalar = numbers.front();
      numbers = numbers.subspan(1);
      continue;
    }
    const Array& array = *arrays.front();
    arrays = arrays.subspan(1);
    if (array.size() < count || array.is_read_only()) return false;
    if (!array.storage()->is_ready()) array.eval();
    BackendMemory& memory = *array.storage()->memory();
    if (!memory.host) return false;
    const std::int64_t bytes = array.dtype().bytes();
    range.begin = static_cast<const char*>(memory.host) + array.layout().offset * bytes;
    range.end = range.begin + count * bytes;
    argument.memory = &memory;
    argument.offset = array.layout().offset;
    argument.strides.push_back(1);
  }
  for (const Scalar& number : numbers_) arguments.emplace_back().scalar = number;
  SmallVector<Argument, 2> outputs;
  for (const std::size_t written : written_) {
    for (std::size_t k = 0; k < ranges.size(); ++k)
      if (k != written && ranges[k].begin && ranges[written].overlaps(ranges[k])) return false;
    outputs.push_back(arguments[written]);
  }
  return run_here(program_, queue, count, arguments, outputs);
}

}  // namespace isthmus::inline ISTHMUS_ABI
