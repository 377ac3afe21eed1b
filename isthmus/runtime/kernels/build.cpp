// build.cpp: programs to kernels.
#include "isthmus/runtime/kernels/build.h"

#include <algorithm>
#include <string_view>

#include "isthmus/base/error.h"
#include "isthmus/base/log.h"
#include "isthmus/runtime/kernels/dump.h"
#include "isthmus/runtime/kernels/user_lines.h"
#include "isthmus/runtime/observe/progress.h"

namespace isthmus::inline ISTHMUS_ABI {

using detail::format;

namespace {

template <class N>
void put(std::string& out, N number) {
  const auto bits = static_cast<std::uint64_t>(number);
  for (std::size_t i = 0; i < sizeof number; ++i) out += static_cast<char>(bits >> (8 * i));
}

void put(std::string& out, const UserFunctionRef& function) {
  for (const std::string* text :
       {&function->text, &function->preamble, &function->identity, &function->options}) {
    put(out, text->size());
    out += *text;
  }
  for (const UserStruct& one : function->structs) out += one.name + '\0' + one.text;
}

void put(std::string& out, const Tape& tape) {
  put(out, static_cast<std::uint16_t>(tape.inputs.size()));
  put(out, static_cast<std::uint16_t>(tape.steps.size()));
  put(out, static_cast<std::uint16_t>(tape.outputs.size()));
  for (const Input& input : tape.inputs) {
    put(out, static_cast<std::uint8_t>(input.kind));
    put(out, static_cast<std::uint8_t>(input.type));
    put(out, input.axis);
  }
  for (const Step& step : tape.steps) {
    put(out, static_cast<std::uint16_t>(step.op));
    put(out, static_cast<std::uint8_t>(step.type));
    put(out, static_cast<std::uint8_t>(step.result));
    for (const std::uint16_t operand : step.operands) put(out, operand);
  }
  for (const std::uint16_t output : tape.outputs) put(out, output);
  for (const UserCall& call : tape.calls) {
    put(out, call.function);
    for (const std::uint16_t operand : call.operands) put(out, operand);
  }
}

void put(std::string& out, const Form& form) {
  put(out, static_cast<std::uint8_t>(form.loop));
  put(out, form.rank);
  put(out, form.kept);
  put(out, static_cast<std::uint8_t>(form.is_small));
  put(out, static_cast<std::uint8_t>(form.is_chunked));
  put(out, static_cast<std::uint16_t>(form.operands.size()));
  for (const Access access : form.operands) put(out, static_cast<std::uint8_t>(access));
}

std::string with_line_numbers(std::string_view text) {
  std::string numbered;
  for (int line = 1; !text.empty(); ++line) {
    const auto end = std::min(text.find('\n'), text.size());
    numbered += format("{}  {}\n", line, text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return numbered;
}

/// What the compiler said, before its log the options of a user and the first error.
std::string with_first_error(std::string_view what, std::string_view options, std::string_view log,
                             std::string_view text) {
  const auto end = std::min(what.find('\n'), what.size());
  return format("{}{}{}{}{}", what.substr(0, end), options.empty() ? "" : " with the options ",
                options, first_error(log, text), what.substr(end));
}

}  // namespace

std::string key_of(const Program& program) {
  std::string key;
  put(key, static_cast<std::uint8_t>(program.reduction));
  put(key,
      static_cast<std::uint8_t>(program.has_kept_axes() ? program.accumulator : TypeId::bool_));
  put(key, static_cast<std::uint8_t>(program.store));
  put(key, static_cast<std::uint8_t>(program.shape));
  put(key, static_cast<std::uint8_t>(number_of(program.sorting)));
  for (const Beside& other : program.beside)
    put(key, static_cast<std::uint8_t>(other.reduction)),
        put(key, static_cast<std::uint8_t>(other.accumulator));
  put(key, program.record_bytes);
  if (program.combine) put(key, program.combine);
  if (program.user) key += program.user->options + '\0' + program.user->text;
  put(key, program.map);
  put(key, program.epilogue);
  put(key, program.form);
  return key;
}

KernelText text_of(const Program& program, const Traits& traits) {
  if (traits.dialect == Dialect::tape) return {key_of(program), {}, false};
  if (program.user) return {emit(program, traits), program.user->options, true};
  return {emit(program, traits), std::string(program.options()), false};
}

Ref<Kernel> build(Backend& backend, BackendContext& context, int device, const Program& program,
                  const KernelText& text, const std::string& name) {
  const Traits& traits = backend.traits(device);
  const std::string on = to_string(context.device);
  const Building building(on);
  Compiled compiled;
  try {
    check(traits.has_fp64 || !needs_fp64(program), Errc::compile, "{} has no float64; use float32",
          context.device);
    compiled = backend.compile(context, device, text);
  } catch (const Error& error) {
    if (error.code() != Errc::compile) throw;
    const std::string readable = traits.dialect == Dialect::tape ? std::string() : text.text;
    if (!dump_folder().empty()) dump_kernel(on, name, readable, {});
    // a user's text is shown as they wrote it; its lines have the numbers of the log
    const std::string& shown = text.is_users ? program.user->text : readable;
    const auto& known = error.compile_details();
    const std::string log = known ? known->log : "";
    raise_error(error.code(),
                format("{}\n{}", with_first_error(error.what(), text.options, log, shown),
                       with_line_numbers(shown)),
                std::make_shared<const CompileDetails>(CompileDetails{readable, log, on, name}));
  }
  const std::string& log = compiled.log;
  if (log.empty()) return compiled.kernel;
  // Warnings about our own text help only those who dump kernels, or who chose the options.
  const bool is_shown = text.is_users || !text.options.empty() || !dump_folder().empty();
  if (is_shown && log.find("warning") != log.npos) isthmus::detail::warn_of_compiler(on, log);
  detail::log(Channel::jit, Level::debug, "{}: the compiler says: {}", on, log);
  return compiled.kernel;
}

}  // namespace isthmus::inline ISTHMUS_ABI
