// reduction_text.cpp: the texts of a reduction or a scan as functions of its steps.
#include "isthmus/kernels/reduction_text.h"

#include <cmath>

#include "isthmus/codegen/emit/signature.h"
#include "isthmus/kernels/c_tokens.h"
#include "isthmus/runtime/kernels/user_lines.h"

namespace isthmus::inline ISTHMUS_ABI::detail {

namespace {

/// Work-items of a group on a GPU have so many of them in local memory.
constexpr std::int64_t most_bytes = 128;

std::string real_text(double number, bool is_float) {
  if (std::isnan(number)) return "NAN";
  if (std::isinf(number)) return number < 0 ? "-INFINITY" : "INFINITY";
  std::string text = format("{}", number);
  if (text.find_first_of(".e") == text.npos) text += ".0";
  return is_float ? text + 'f' : text;
}

/// Whether a text surely names what it does not declare.
bool asks_for(std::string_view text, std::string_view name) {
  CToken before;
  const std::string code = only_code(text);
  for (const CToken& token : c_tokens(code)) {
    const bool is_member = before.text == "." || before.text == "->";
    const bool is_declared = before.kind == CToken::Kind::name || before.text == ",";
    if (token.text == name && !is_member) return !is_declared;
    before = token;
  }
  return false;
}

/// What a combination of values of the dtype begins with.
std::string identity_text(std::string_view name, const Identity& identity, DType type) {
  if (!identity.number()) return cast_text(type, as_users("identity", identity.text()));
  check(type.is_builtin(), Errc::type,
        "kernel '{}': identity: the combined values are structs; C code is needed, not a number",
        name);
  check_number(format("kernel '{}': identity", name), *identity.number(),
               identity.is_past_64_bits(), type);
  std::byte held[16];
  store(*identity.number(), type, held);
  return cast_text(type, number_text(load(type, held)));
}

/// The functions of one call, whose dtypes are known.
///
/// With segments the values that are combined are structs of a value and of a flag: whether a
/// segment starts in what they are combined of.
class ReductionFunctions {
 public:
  ReductionFunctions(const ReductionText& text, const Placeholders& types);

  /// Of what is combined: of pairs where there are segments.
  DType type() const { return type_; }
  UserFunctionRef map() const;
  UserFunctionRef combine() const;
  /// The output of what was combined.
  UserFunctionRef post() const;
  UserFunctionRef post_of_previous() const;

 private:
  bool has_segments() const { return !text_.segment.empty(); }
  FunctionText begin(DType result) const;
  std::string_view name_of(DType type) const { return c_name(type, structs_); }
  /// A statement that defines a value of what is combined.
  std::string taken(std::string_view name, const std::string& held) const;
  /// Statements that return a value, with its flag where there are segments.
  std::string returned(const std::string& value, const std::string& flag) const;
  std::string finished() const;
  /// Whether a segment starts at the element.
  std::string starts() const {
    return cast_text(TypeId::bool_, as_users("is_segment_start_expr", text_.segment));
  }

  const ReductionText& text_;
  const Placeholders& types_;
  std::vector<UserStruct> structs_;  ///< Those of the text, and the pair.
  DType out_, value_, type_;
};

ReductionFunctions::ReductionFunctions(const ReductionText& text, const Placeholders& types)
    : text_(text),
      types_(types),
      structs_(text.structs),
      out_(type_of(text.out[0], types)),
      value_(text.dtype.value_or(out_)) {
  // neither raw arrays nor structs have numbers of 16 bits on all devices
  const bool is_half = value_.is_builtin() && emitting::is_half(value_.id);
  if (is_half && (text.is_exclusive || has_segments())) value_ = TypeId::float32;
  type_ = value_;
  if (has_segments()) {
    type_ = struct_dtype({{"value", value_}, {"starts", TypeId::int32}});
    KernelStructs named;
    for (const UserStruct& one : text.structs) named.push_back({one.name, one.dtype});
    named.push_back({format("from_start_{}", name_of(value_)), type_});
    structs_ = defined(text.name, named);
  }
  check(type_.bytes() <= most_bytes, Errc::type,
        "kernel '{}': the combined values have {} bytes; at most {} are allowed", text.name,
        type_.bytes(), most_bytes);
}

FunctionText ReductionFunctions::begin(DType result) const {
  FunctionText function;
  function.shown = text_.name;
  function.preamble = text_.preamble;
  function.options = text_.options;
  function.placeholders = &types_;
  function.result = result;
  function.structs = structs_;
  return function;
}

std::string ReductionFunctions::taken(std::string_view name, const std::string& held) const {
  return format("  const {} {} = {}{};\n", name_of(value_), name, held,
                has_segments() ? ".value" : "");
}

std::string ReductionFunctions::returned(const std::string& value, const std::string& flag) const {
  const std::string cast = cast_text(value_, value);
  if (!has_segments()) return format("  return {};\n", cast);
  return format("  {} made_;\n  made_.value = {};\n  made_.starts = {} ? 1 : 0;\n  return made_;\n",
                name_of(type_), cast, flag);
}

std::string ReductionFunctions::finished() const {
  const std::string& name = text_.out[0].name;
  const std::string zero =
      is_assigned_first(text_.post, name) ? std::string() : zeroed(text_.out[0], types_);
  return format("  {} {};\n{}{}  ;\n  return {};\n", name_of(out_), name, zero,
                as_users("post_map_expr", text_.post), name);
}

UserFunctionRef ReductionFunctions::map() const {
  FunctionText function = begin(type_);
  add_parameters(function, text_.in, types_, text_.numbering);
  if (!has_segments()) function.expression = on_own_lines(text_.map);
  function.body = returned(as_users("map_expr", text_.map), starts());
  return make_function(function);
}

UserFunctionRef ReductionFunctions::combine() const {
  FunctionText function = begin(type_);
  const bool is_paired = has_segments();
  for (const char* const name : {"a", "b"})
    function.parameters.push_back({is_paired ? format("{}_", name) : name, {type_, false}});
  if (is_paired)
    function.body = "  if (b_.starts) return b_;\n" + taken("a", "a_") + taken("b", "b_");
  function.body += returned(as_users(text_.combine_is, text_.combine), "a_.starts");
  if (!is_paired) function.expression = on_own_lines(text_.combine);
  if (!is_paired && !text_.identity.text().empty())  // scans are all that has pairs
    function.identity = identity_text(text_.name, text_.identity, value_);
  return make_function(function);
}

UserFunctionRef ReductionFunctions::post() const {
  FunctionText function = begin(out_);
  function.parameters.push_back({has_segments() ? "a_" : "a", {type_, false}});
  if (has_segments()) function.body = taken("a", "a_");
  function.body += finished();
  return make_function(function);
}

UserFunctionRef ReductionFunctions::post_of_previous() const {
  FunctionText function = begin(out_);
  if (has_segments()) add_parameters(function, text_.in, types_, text_.segment_numbering);
  function.parameters.push_back({"all_", {type_, true}});
  for (const char* const name : {"at_", "along_", "behind_"})
    function.parameters.push_back({name, {TypeId::int64, false}});
  const std::string goes_on = has_segments() ? format("along_ > 0 && !{}", starts()) : "along_ > 0";
  function.body = format("  {} a = {};\n  if ({}) {\n", name_of(value_),
                         identity_text(text_.name, text_.identity, value_), goes_on);
  function.body += taken("before_", "all_[at_ - behind_]") + "  a = before_;\n  }\n" + finished();
  return make_function(function);
}

}  // namespace

std::string number_text(const Scalar& number) {
  const bool is_float = number.dtype.bits < (number.dtype.family == Family::complex ? 128 : 64);
  switch (number.dtype.family) {
    case Family::boolean: return number.integer != 0 ? "1" : "0";
    case Family::natural: return format("{}UL", number.natural);
    case Family::integer:
      // C has no negative numbers, but those that it takes from 0
      return number.integer == INT64_MIN ? "(-9223372036854775807L - 1)"
                                         : format("{}L", number.integer);
    case Family::real: return real_text(number.number.re, is_float);
    default:
      return format("{}_new({}, {})", is_float ? "cfloat" : "cdouble",
                    real_text(number.number.re, is_float), real_text(number.number.im, is_float));
  }
}

std::shared_ptr<const ReductionText> checked_text(std::string_view in_params,
                                                  std::string_view out_params,
                                                  const KernelStructs& structs,
                                                  const std::vector<std::string>& options,
                                                  ReductionText text) {
  const std::string who = format("kernel '{}'", text.name);
  check_compilable(who, {in_params, out_params, text.map, text.combine, text.post,
                         text.identity.text(), text.segment, text.name, text.preamble});
  text.options = function_options(who, options);
  text.structs = defined(who, structs);
  text.in = parse_parameters(who, in_params, text.structs);
  text.out = parse_parameters(who, out_params, text.structs);
  check(text.out.size() == 1 && !text.out[0].is_raw, Errc::value,
        "{}: it needs one output parameter, which is not raw, not '{}'", who, out_params);
  for (const KernelParameter& in : text.in)
    check(in.name != text.out[0].name, Errc::value, "{}: two parameters are named '{}'", who,
          in.name);
  check(text.out[0].name != "a" && text.out[0].name != "b", Errc::value,
        "{}: the output is '{}'; a and b are the values that are combined; take another name", who,
        text.out[0].name);
  const std::string macros = text.options.beside(text.preamble);
  check_assigned(who, text.out, text.post, macros);
  KernelParameter combined;
  combined.name = "a";
  check_statements(who, "post_map_expr", {&combined, 1}, text.post);
  if (text.dtype && !text.dtype->is_builtin()) {
    const UserStruct* const known = find(text.structs, *text.dtype);
    check(known, Errc::type,
          "{}: values of {} are combined, which has no name in C; name it in structs", who,
          *text.dtype);
    text.dtype = known->dtype;
  }
  check(!text.is_exclusive || !text.identity.text().empty(), Errc::value,
        "{}: an exclusive scan needs an identity, its first element", who);
  for (const std::string_view name : {"i", "n"})
    check(text.out[0].name == name || !asks_for(text.post, name) || names(macros, name),
          Errc::value, "{}: '{}': combined values have no {}; only the map has it", who, text.post,
          name);
  // of dtypes that are not known yet, when it is called
  if (const auto type = text.dtype ? text.dtype : text.out[0].type; type && text.identity.number())
    identity_text(text.name, text.identity, *type);
  const std::string defining = '\n' + text.options.defining();
  text.numbering = numbering_of(text.map + '\n' + text.segment + defining);
  text.segment_numbering = numbering_of(text.segment + defining);
  return std::make_shared<const ReductionText>(std::move(text));
}

MappedCall map_arguments(const ReductionText& text, std::span<const Value> args) {
  check(args.size() == text.in.size(), Errc::type, "kernel '{}': takes {} argument{}, not {}",
        text.name, text.in.size(), text.in.size() == 1 ? "" : "s", args.size());
  KernelCallArguments call(text.name, text.in, args, text.structs);
  call.add_outputs(text.out, {}, "declare its dtype, such as float32");
  call.choose_device(text.out, {});
  const Shape shape = call.broadcast({}, "one that is not raw must be an array");
  const auto steps = text.steps.find(call.types(), [&] {
    const ReductionFunctions made(text, call.types());
    return ReductionSteps{made.type(), made.map(), made.combine(),
                          text.is_exclusive ? made.post_of_previous() : made.post()};
  });
  check(is_known_on(call.device(), steps->type), Errc::type,
        "kernel '{}': {} has no {}, which the combined values need", text.name, call.device(),
        DType(TypeId::float64));
  const std::vector<Value> operands = call.operands(text.numbering, shape);
  Array mapped = call_function(text.name, steps->map, operands, shape, call.device());
  return {std::move(call), steps, shape, std::move(mapped)};
}

}  // namespace isthmus::inline ISTHMUS_ABI::detail
