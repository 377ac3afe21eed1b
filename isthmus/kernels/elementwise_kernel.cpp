// elementwise_kernel.cpp: arguments to the functions of an ElementwiseKernel.
#include "isthmus/kernels/elementwise_kernel.h"

#include "isthmus/array/results.h"
#include "isthmus/base/error.h"
#include "isthmus/kernels/arguments.h"
#include "isthmus/kernels/arithmetic.h"
#include "isthmus/kernels/c_tokens.h"
#include "isthmus/kernels/devices.h"
#include "isthmus/runtime/kernels/user_lines.h"

namespace isthmus::inline ISTHMUS_ABI {

using detail::check;
using detail::fail;
using detail::format;
using detail::KernelParameter;

struct detail::ElementwiseText {
  std::vector<KernelParameter> in, out;
  std::string operation, name, preamble;
  FunctionOptions options;
  std::vector<UserStruct> structs;
  Numbering numbering;
  std::vector<bool> may_keep;  ///< Of each output, whether what was there before shows.
  /// One for each output, of new arrays and of those that were given.
  MadeForTypes<std::vector<UserFunctionRef>> functions, functions_in_place;
};

namespace {

/// The expression of a text that is "z = expression"; else nothing.
std::string assigned(std::string_view text, std::string_view name) {
  const auto is_blank = [](char c) { return c == ' ' || c == '\n' || c == ';'; };
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  if (!text.starts_with(name)) return {};
  text.remove_prefix(name.size());
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  return text.starts_with('=') ? std::string(text.substr(1)) : std::string();
}

/// The function whose result is output `k`. With `in_place` its last parameters are what was in the
/// outputs that may keep it; they are 0 without.
UserFunctionRef function_of(const detail::ElementwiseText& text, std::size_t k,
                            const detail::Placeholders& types, bool in_place) {
  detail::FunctionText function;
  function.shown = text.name;
  function.preamble = text.preamble;
  function.options = text.options;
  function.placeholders = &types;
  function.result = detail::type_of(text.out[k], types);
  function.structs = text.structs;
  detail::add_parameters(function, text.in, types, text.numbering);
  std::string before;
  for (std::size_t j = 0; j < text.out.size(); ++j) {
    const KernelParameter& out = text.out[j];
    if (!text.may_keep[j]) continue;
    before += in_place ? format("  {} = isthmus_old_{};\n", out.name, out.name)
                       : detail::zeroed(out, types);
    if (in_place)
      function.parameters.push_back(
          {format("isthmus_old_{}", out.name), {detail::type_of(out, types), false}});
  }
  const std::string operation = before + detail::on_own_lines(text.operation);
  if (text.out.size() == 1) function.expression = assigned(operation, text.out[0].name);
  for (const KernelParameter& out : text.out)
    function.body +=
        format("  {} {};\n", detail::c_name(detail::type_of(out, types), text.structs), out.name);
  if (text.preamble.empty() && text.options.given.empty() && text.structs.empty()) {
    std::vector<std::pair<std::string, DType>> outputs;
    for (const KernelParameter& out : text.out)
      outputs.emplace_back(out.name, detail::type_of(out, types));
    function.steps = detail::read_arithmetic({operation, function.parameters, outputs, types}, k);
  }
  function.body += format("{}{}  ;\n  return {};\n", before, as_users("operation", text.operation),
                          text.out[k].name);
  return detail::make_function(function);
}

}  // namespace

ElementwiseKernel::ElementwiseKernel(std::string_view in_params, std::string_view out_params,
                                     std::string operation, std::string name, std::string preamble,
                                     const KernelStructs& structs,
                                     const std::vector<std::string>& options) {
  const std::string who = format("kernel '{}'", name);
  detail::check_compilable(who, {in_params, out_params, operation, name, preamble});
  auto text = std::make_shared<detail::ElementwiseText>();
  text->options = detail::function_options(who, options);
  text->structs = detail::defined(who, structs);
  text->in = detail::parse_parameters(who, in_params, text->structs);
  text->out = detail::parse_parameters(who, out_params, text->structs);
  check(!text->out.empty(), Errc::value, "{}: it has no output parameter", who);
  for (const KernelParameter& out : text->out) {
    check(!out.is_raw, Errc::value, "{}: the output '{}' cannot be raw; write a RawKernel", who,
          out.name);
    for (const KernelParameter& in : text->in)
      check(in.name != out.name, Errc::value, "{}: two parameters are named '{}'", who, in.name);
  }
  detail::check_assigned(who, text->out, operation, text->options.beside(preamble));
  detail::check_statements(who, "operation", text->in, operation);
  for (const KernelParameter& out : text->out)
    text->may_keep.push_back(!detail::is_assigned_first(operation, out.name));
  text->operation = std::move(operation);
  text->numbering = detail::numbering_of(text->operation + '\n' + text->options.defining());
  text->name = std::move(name);
  text->preamble = std::move(preamble);
  text_ = std::move(text);
}
ElementwiseKernel::~ElementwiseKernel() = default;
ElementwiseKernel::ElementwiseKernel(const ElementwiseKernel& other) = default;
ElementwiseKernel& ElementwiseKernel::operator=(const ElementwiseKernel& other) = default;

std::size_t ElementwiseKernel::input_count() const { return text_->in.size(); }
std::size_t ElementwiseKernel::output_count() const { return text_->out.size(); }
const std::string& ElementwiseKernel::preamble() const& { return text_->preamble; }
const std::vector<std::string>& ElementwiseKernel::options() const& { return text_->options.given; }
const std::string& ElementwiseKernel::name() const& { return text_->name; }
const std::string& ElementwiseKernel::operation() const& { return text_->operation; }

Array ElementwiseKernel::one_of(std::vector<Array> outputs) const {
  check(outputs.size() == 1, Errc::value, "kernel '{}': it has {} outputs; take them from run()",
        text_->name, outputs.size());
  return std::move(outputs[0]);
}

std::vector<Array> ElementwiseKernel::run(std::span<const Value> args,
                                          const std::optional<Shape>& size) const {
  const std::size_t in = text_->in.size(), out = text_->out.size();
  check(args.size() == in || args.size() == in + out, Errc::type,
        "kernel '{}': takes {} argument{}, or {} with its outputs, not {}", text_->name, in,
        in == 1 ? "" : "s", in + out, args.size());
  detail::KernelCallArguments call(text_->name, text_->in, args.first(in), text_->structs);
  call.add_outputs(text_->out, args.subspan(in), "pass the output too");
  const bool in_place = args.size() != in;
  const auto& known = in_place ? text_->functions_in_place : text_->functions;
  const auto functions = known.find(call.types(), [&] {
    std::vector<UserFunctionRef> made;
    for (std::size_t k = 0; k < out; ++k)
      made.push_back(function_of(*text_, k, call.types(), in_place));
    return made;
  });
  call.choose_device(text_->out, *functions);
  const Shape shape =
      call.broadcast(size, "pass size, the shape of the outputs, after the arguments");
  std::vector<Value> operands = call.operands(text_->numbering, shape);
  for (std::size_t k = 0; in_place && k < out; ++k)
    if (text_->may_keep[k]) operands.push_back(call.on_device(*args[in + k].array));
  const auto output = [&](std::size_t k) {
    return detail::call_function(text_->name, (*functions)[k], operands, shape, call.device());
  };
  std::vector<Array> results;
  if (args.size() == in && call.is_at_home())
    return detail::from_one_kernel([&] {
      for (std::size_t k = 0; k < out; ++k) results.push_back(output(k));
      return std::move(results);
    });
  if (args.size() == in) {
    for (std::size_t k = 0; k < out; ++k) results.push_back(call.finish(output(k), nullptr));
    return results;
  }
  const WrittenAtOnce written;
  // all are of the inputs as they are before the first is written
  for (std::size_t k = 0; k < out; ++k) results.push_back(output(k));
  for (std::size_t k = 0; k < out; ++k)
    results[k] = call.finish(std::move(results[k]), args[in + k].array);
  return results;
}

}  // namespace isthmus::inline ISTHMUS_ABI
