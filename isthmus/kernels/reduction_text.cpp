// reduction_text.cpp: the texts of a reduction or a scan as functions of its steps.
#include "isthmus/kernels/reduction_text.h"

#include "isthmus/codegen/emit/signature.h"

namespace isthmus::inline ISTHMUS_ABI::detail {

namespace {

/// The dtype that holds a value and a flag.
TypeId pair_of(std::string_view kernel, TypeId value) {
  const int bits = info(emitting::held_type(value)).bits;
  check(bits <= 64, Errc::type, "kernel '{}': segments of {} cannot be combined", kernel,
        DType(value));
  return bits <= 32 ? TypeId::uint64 : TypeId::complex128;
}

/// The functions of one call, whose dtypes are known.
///
/// With segments the values that are combined have a flag: whether a segment starts in what they
/// are combined of. Such a pair is one element of a dtype that holds its bits.
class ReductionFunctions {
 public:
  ReductionFunctions(const ReductionText& text, const Placeholders& types);

  /// Of what is combined: of pairs where there are segments.
  TypeId type() const { return type_; }
  UserFunctionRef map() const;
  UserFunctionRef combine() const;
  /// The output of what was combined.
  UserFunctionRef post() const;
  UserFunctionRef post_of_previous() const;

 private:
  bool has_segments() const { return !text_.segment.empty(); }
  FunctionText begin(TypeId result) const;
  /// A statement that defines a value of what is combined.
  std::string taken(std::string_view name, const std::string& held) const;
  std::string flag_of(const std::string& pair) const;
  /// Statements that return a value, with its flag where there are segments.
  std::string returned(const std::string& value, const std::string& flag) const;
  std::string finished() const;

  const ReductionText& text_;
  const Placeholders& types_;
  TypeId out_, value_, type_;
};

ReductionFunctions::ReductionFunctions(const ReductionText& text, const Placeholders& types)
    : text_(text),
      types_(types),
      out_(type_of(text.out[0], types)),
      value_(text.dtype ? text.dtype->id : out_) {
  // raw arrays have no numbers of 16 bits on all devices
  if (text.is_exclusive && emitting::is_half(value_)) value_ = TypeId::float32;
  type_ = has_segments() ? pair_of(text.name, value_) : value_;
}

FunctionText ReductionFunctions::begin(TypeId result) const {
  FunctionText function;
  function.shown = text_.name;
  function.preamble = text_.preamble;
  function.placeholders = &types_;
  function.result = result;
  return function;
}

std::string ReductionFunctions::taken(std::string_view name, const std::string& held) const {
  const std::string_view c = c_name(value_);
  const TypeId type = emitting::held_type(value_);
  std::string value = held;
  if (type_ == TypeId::complex128 && has_segments())
    value = type == TypeId::complex64
                ? format("{as_float2({}.re).x, as_float2({}.re).y}", held, held)
                : format("as_{}({}.re)", c, held);
  else if (has_segments())
    value =
        type == TypeId::float32 ? format("as_float((uint){})", held) : format("({}){}", c, held);
  return format("  const {} {} = {};\n", c, name, value);
}

std::string ReductionFunctions::flag_of(const std::string& pair) const {
  return type_ == TypeId::complex128 ? format("({}.im != 0)", pair) : format("({} >> 32)", pair);
}

std::string ReductionFunctions::returned(const std::string& value, const std::string& flag) const {
  if (!has_segments()) return format("  return {};\n", cast_text(value_, value));
  const TypeId type = emitting::held_type(value_);
  std::string out = format("  const {} value_ = {};\n", c_name(value_), cast_text(value_, value));
  if (type_ != TypeId::complex128) {
    const std::string_view bits = type == TypeId::float32 ? "as_uint(value_)" : "(uint)value_";
    return out + format("  return (ulong)({} ? 1 : 0) << 32 | {};\n", flag, bits);
  }
  const std::string_view bits =
      type == TypeId::complex64 ? "(float2)(value_.re, value_.im)" : "value_";
  out += format("  complex128 pair_;\n  pair_.re = as_double({});\n", bits);
  return out + format("  pair_.im = {} ? 1 : 0;\n  return pair_;\n", flag);
}

std::string ReductionFunctions::finished() const {
  const std::string& name = text_.out[0].name;
  return format("  {} {};\n  {};\n  return {};\n", c_name(out_), name, text_.post, name);
}

UserFunctionRef ReductionFunctions::map() const {
  FunctionText function = begin(type_);
  add_parameters(function, text_.in, types_, text_.numbering);
  if (!has_segments()) function.expression = text_.map;
  function.body = returned(text_.map, format("({})", text_.segment));
  return make_function(function);
}

UserFunctionRef ReductionFunctions::combine() const {
  FunctionText function = begin(type_);
  const bool is_paired = has_segments();
  for (const char* const name : {"a", "b"})
    function.parameters.push_back({is_paired ? format("{}_", name) : name, {type_, false}});
  if (is_paired)
    function.body =
        format("  if ({}) return b_;\n", flag_of("b_")) + taken("a", "a_") + taken("b", "b_");
  function.body += returned(text_.combine, flag_of("a_"));
  if (!is_paired) function.expression = text_.combine;
  if (!text_.identity.empty()) function.identity = cast_text(value_, text_.identity);
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
  const std::string goes_on =
      has_segments() ? format("along_ > 0 && !({})", text_.segment) : "along_ > 0";
  function.body = format("  {} a = {};\n  if ({}) {\n", c_name(value_),
                         cast_text(value_, text_.identity), goes_on);
  function.body += taken("before_", "all_[at_ - behind_]") + "  a = before_;\n  }\n" + finished();
  return make_function(function);
}

}  // namespace

std::shared_ptr<const ReductionText> checked_text(std::string_view in_params,
                                                  std::string_view out_params, ReductionText text) {
  const std::string who = format("kernel '{}'", text.name);
  text.in = parse_parameters(who, in_params);
  text.out = parse_parameters(who, out_params);
  check(text.out.size() == 1 && !text.out[0].is_raw, Errc::value,
        "{}: it has one output parameter, which is not raw; '{}' is another number of them", who,
        out_params);
  for (const KernelParameter& in : text.in)
    check(in.name != text.out[0].name, Errc::value, "{}: two parameters are '{}'", who, in.name);
  check(!text.dtype || text.dtype->is_builtin(), Errc::type, "{}: values of {} cannot be combined",
        who, text.dtype.value_or(DType()));
  check(!text.is_exclusive || !text.identity.empty(), Errc::value,
        "{}: an exclusive scan needs an identity, its first element", who);
  text.numbering = numbering_of(text.map + ' ' + text.segment);
  text.segment_numbering = numbering_of(text.segment);
  return std::make_shared<const ReductionText>(std::move(text));
}

MappedCall map_arguments(const ReductionText& text, std::span<const Value> args) {
  check(args.size() == text.in.size(), Errc::type, "kernel '{}': takes {} arguments, not {}",
        text.name, text.in.size(), args.size());
  KernelCallArguments call(text.name, text.in, args);
  call.add_outputs(text.out, {});
  const Shape shape = call.broadcast({});
  const auto steps = text.steps.find(call.types(), [&] {
    const ReductionFunctions made(text, call.types());
    return ReductionSteps{made.type(), made.map(), made.combine(),
                          text.is_exclusive ? made.post_of_previous() : made.post()};
  });
  check(has_dtype(call.device(), DType(steps->type)), Errc::type,
        "kernel '{}': {} has no {}, which what is combined needs", text.name, call.device(),
        DType(steps->type));
  const std::vector<Value> operands = call.operands(text.numbering, shape);
  Array mapped = call_function(text.name, steps->map, operands, shape, call.device());
  return {std::move(call), steps, shape, std::move(mapped)};
}

}  // namespace isthmus::inline ISTHMUS_ABI::detail
