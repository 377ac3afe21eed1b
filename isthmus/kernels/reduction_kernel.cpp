// reduction_kernel.cpp: a reduction or a scan of a user's map, and a map of what it gives.
#include "isthmus/kernels/reduction_kernel.h"

#include "isthmus/array/along.h"
#include "isthmus/array/axes.h"
#include "isthmus/kernels/arguments.h"

namespace isthmus::inline ISTHMUS_ABI {

using detail::check;
using detail::format;

struct detail::ReductionText {
  std::vector<KernelParameter> in, out;
  std::string map, combine, post, identity, name, preamble;
  std::optional<DType> dtype;  ///< Of what is combined.
};

namespace {

using Text = detail::ReductionText;

std::shared_ptr<const Text> checked(std::string_view in_params, std::string_view out_params,
                                    Text text) {
  const std::string who = format("kernel '{}'", text.name);
  text.in = detail::parse_parameters(who, in_params);
  text.out = detail::parse_parameters(who, out_params);
  check(text.out.size() == 1 && !text.out[0].is_raw, Errc::value,
        "{}: it has one output parameter, which is not raw; '{}' is another number of them", who,
        out_params);
  for (const detail::KernelParameter& in : text.in)
    check(in.name != text.out[0].name, Errc::value, "{}: two parameters are '{}'", who, in.name);
  check(!text.dtype || (text.dtype->is_builtin() && text.dtype->family != Family::complex),
        Errc::type, "{}: values of {} cannot be combined", who, text.dtype.value_or(DType()));
  return std::make_shared<const Text>(std::move(text));
}

/// The functions of one call, whose dtypes are known.
class Functions {
 public:
  Functions(const Text& text, const detail::Placeholders& types)
      : text_(text),
        types_(types),
        out_(detail::type_of(text.out[0], types)),
        type_(text.dtype ? text.dtype->id : out_) {}

  TypeId type() const { return type_; }
  UserFunctionRef map() const {
    detail::FunctionText function = begin(type_);
    detail::add_parameters(function, text_.in, types_, text_.map);
    function.body = format("  return ({})({});\n", detail::c_name(type_), text_.map);
    return detail::make_function(function);
  }
  UserFunctionRef combine() const {
    detail::FunctionText function = begin(type_);
    for (const char* const name : {"a", "b"}) function.parameters.push_back({name, {type_, false}});
    function.body = format("  return ({})({});\n", detail::c_name(type_), text_.combine);
    function.identity = text_.identity;
    return detail::make_function(function);
  }
  UserFunctionRef post() const {
    detail::FunctionText function = begin(out_);
    function.parameters.push_back({"a", {type_, false}});
    const std::string& name = text_.out[0].name;
    function.body =
        format("  {} {};\n  {};\n  return {};\n", detail::c_name(out_), name, text_.post, name);
    return detail::make_function(function);
  }

 private:
  detail::FunctionText begin(TypeId result) const {
    detail::FunctionText function;
    function.shown = text_.name;
    function.preamble = text_.preamble;
    function.placeholders = &types_;
    function.result = result;
    return function;
  }
  const Text& text_;
  const detail::Placeholders& types_;
  TypeId out_, type_;
};

/// The map, `along(mapped, functions)`, and what follows it.
template <class F>
Array run_text(const Text& text, std::span<const Value> args, F along) {
  check(args.size() == text.in.size(), Errc::type, "kernel '{}': takes {} arguments, not {}",
        text.name, text.in.size(), args.size());
  detail::KernelCallArguments call(text.name, text.in, args);
  call.add_outputs(text.out, {});
  const Shape shape = call.broadcast({});
  const Functions functions(text, call.types());
  const std::vector<Value> operands = call.operands(text.map, shape);
  Array made = along(
      detail::call_function(text.name, functions.map(), operands, shape, call.device()), functions);
  const Shape given = made.shape();
  const Value last(std::move(made));
  return call.finish(
      detail::call_function(text.name, functions.post(), {&last, 1}, given, call.device()),
      nullptr);
}

}  // namespace

ReductionKernel::ReductionKernel(std::string_view in_params, std::string_view out_params,
                                 std::string map_expr, std::string reduce_expr,
                                 std::string post_map_expr, std::string identity, std::string name,
                                 std::optional<DType> reduce_dtype, std::string preamble)
    : text_(checked(in_params, out_params,
                    {{},
                     {},
                     std::move(map_expr),
                     std::move(reduce_expr),
                     std::move(post_map_expr),
                     std::move(identity),
                     std::move(name),
                     std::move(preamble),
                     reduce_dtype})) {}
ReductionKernel::~ReductionKernel() = default;
ReductionKernel::ReductionKernel(const ReductionKernel& other) = default;
ReductionKernel& ReductionKernel::operator=(const ReductionKernel& other) = default;
const std::string& ReductionKernel::name() const& { return text_->name; }

Array ReductionKernel::run(std::span<const Value> args, const AxisSet& axes, Flag keepdims) const {
  return run_text(*text_, args, [&](Array mapped, const Functions& functions) {
    detail::AlongWork work;
    work.function = functions.combine();
    work.has_identity = !text_->identity.empty();
    const auto along = marked(text_->name, axes.get(), mapped.ndim());
    return detail::along_axes(text_->name, work, std::move(mapped), along, DType(functions.type()),
                              keepdims);
  });
}

ScanKernel::ScanKernel(std::string_view in_params, std::string_view out_params,
                       std::string map_expr, std::string scan_expr, std::string post_map_expr,
                       std::string name, std::optional<DType> scan_dtype, std::string preamble)
    : text_(checked(in_params, out_params,
                    {{},
                     {},
                     std::move(map_expr),
                     std::move(scan_expr),
                     std::move(post_map_expr),
                     {},
                     std::move(name),
                     std::move(preamble),
                     scan_dtype})) {}
ScanKernel::~ScanKernel() = default;
ScanKernel::ScanKernel(const ScanKernel& other) = default;
ScanKernel& ScanKernel::operator=(const ScanKernel& other) = default;
const std::string& ScanKernel::name() const& { return text_->name; }

Array ScanKernel::run(std::span<const Value> args, std::optional<std::int64_t> axis) const {
  return run_text(*text_, args, [&](Array mapped, const Functions& functions) {
    check(axis || mapped.ndim() == 1, Errc::value,
          "kernel '{}': an array of shape {} needs an axis", text_->name, mapped.shape());
    detail::AlongWork work;
    work.shape = WorkShape::scan;
    work.function = functions.combine();
    const Dims one{axis.value_or(0)};
    const auto along =
        marked(text_->name, std::span<const std::int64_t>(one.begin(), 1), mapped.ndim());
    return detail::along_axes(text_->name, work, std::move(mapped), along, DType(functions.type()));
  });
}

}  // namespace isthmus::inline ISTHMUS_ABI
