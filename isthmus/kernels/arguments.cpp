// arguments.cpp: what ElementwiseKernel and its kind are called with.
#include "isthmus/kernels/arguments.h"

#include <algorithm>

#include "isthmus/array/apply.h"
#include "isthmus/array/arrange/manipulate.h"
#include "isthmus/array/create/create.h"
#include "isthmus/array/functions.h"
#include "isthmus/array/infer/literal.h"
#include "isthmus/array/place.h"
#include "isthmus/core/overlap.h"
#include "isthmus/kernels/devices.h"

namespace isthmus::inline ISTHMUS_ABI::detail {

Array numbers_of(const Shape& shape, const Device& device) {
  Array numbers = zeros({}, TypeId::int64, device);
  std::int64_t behind = 1;
  for (int axis = static_cast<int>(shape.size()) - 1; axis >= 0; --axis) {
    const Array along = index_along(shape, axis, device);
    numbers = axis + 1 == static_cast<int>(shape.size()) ? along : numbers + along * behind;
    behind *= shape[static_cast<std::size_t>(axis)];
  }
  return numbers;
}

std::string cast_text(DType type, std::string_view expression) {
  if (!type.is_builtin()) return std::string(expression);
  if (type.id == TypeId::complex64) return format("cfloat_of({})", expression);
  if (type.id == TypeId::complex128) return format("cdouble_of({})", expression);
  return format("({})({})", c_name(type, {}), expression);
}

void check_number(std::string_view who, const Scalar& number, bool is_past_64_bits, DType wanted) {
  Value weak(number, true);
  weak.is_past_64_bits = is_past_64_bits;
  const bool is_real = number.dtype.family == Family::real && !is_past_64_bits;
  const bool is_whole = wanted.family == Family::integer || wanted.family == Family::natural;
  check(!is_whole || !is_real, Errc::type, "{}: an int is needed, not a number of {}", who,
        number.dtype);
  if (!is_real || wanted.family != Family::real) check_fits(who, weak, wanted);
}

bool is_known_on(const Device& device, DType type) {
  return !has_fp64(type) || has_dtype(device, TypeId::float64);
}

void add_parameters(FunctionText& function, std::span<const KernelParameter> parameters,
                    const Placeholders& types, const Numbering& numbering) {
  for (const KernelParameter& p : parameters)
    function.parameters.push_back({p.name, {type_of(p, types), p.is_raw}});
  if (numbering.has_index) function.parameters.push_back({"i", {TypeId::int64, false}});
  if (numbering.has_count) function.parameters.push_back({"n", {TypeId::int64, false}});
}

std::string to_string(const KernelCallArguments::Where& where) {
  return format("kernel '{}': {} {}", where.kernel, type_text(where.parameter, where.structs),
                where.parameter.name);
}

KernelCallArguments::KernelCallArguments(const std::string& kernel,
                                         std::span<const KernelParameter> parameters,
                                         std::span<const Value> args,
                                         std::span<const UserStruct> structs)
    : kernel_(kernel), parameters_(parameters), structs_(structs), args_(args.begin(), args.end()) {
  const Array* first = nullptr;
  for (const Value& arg : args) {
    if (!arg.array) continue;
    if (!first) first = arg.array;
    check(arg.array->device() == first->device(), Errc::device_mismatch,
          "kernel '{}': arrays are on {} and {}; copy one with to_device", kernel, first->device(),
          arg.array->device());
  }
  home_ = first ? first->device() : default_device();
  learn_types(parameters, args);
  for (std::size_t k = 0; k < parameters.size(); ++k)
    if (args[k].array && !parameters[k].is_raw) shapes_.push_back(args[k].array->shape());
}

void KernelCallArguments::learn_types(std::span<const KernelParameter> parameters,
                                      std::span<const Value> args) {
  for (std::size_t k = 0; k < parameters.size(); ++k) {
    const KernelParameter& p = parameters[k];
    if (!args[k].array) {
      check(!p.is_raw, Errc::type, "{} is raw; an array is needed, not a number", where(p));
      continue;
    }
    const DType dtype = known_dtype(p, *args[k].array);
    check(!p.is_raw || dtype.id != TypeId::bfloat16, Errc::type,
          "{}: a raw array cannot be {}; use astype(float32)", where(p), dtype);
    if (p.placeholder) types_.emplace(p.placeholder, dtype);
    check_dtype(p, dtype);
  }
  for (std::size_t k = 0; k < parameters.size(); ++k) {
    const KernelParameter& p = parameters[k];
    if (args[k].array) continue;
    const Scalar& number = args[k].scalar;
    if (p.placeholder) types_.emplace(p.placeholder, own_type(args[k]));
    const DType wanted = type_of(p, types_);
    check(wanted.is_builtin(), Errc::type, "{} is a struct; an array is needed, not a number",
          where(p));
    check_number(to_string(where(p)), number, args[k].is_past_64_bits, wanted);
  }
}

DType KernelCallArguments::known_dtype(const KernelParameter& parameter, const Array& x) const {
  if (x.dtype().is_builtin()) return x.dtype();
  const UserStruct* const known = find(structs_, x.dtype());
  check(known, Errc::type, "{}: the array is {}, which has no name in C; name it in structs",
        where(parameter), x.dtype());
  const Storage& storage = *x.storage();
  if (!storage.is_ready() || storage.memory()->kind == MemoryKind::buffer || x.size() == 0)
    return known->dtype;
  const std::int64_t alignment = c_alignment_of(x.dtype());
  check(storage.memory()->handle % static_cast<std::uintptr_t>(alignment) == 0, Errc::value,
        "{}: the structs are misaligned; a kernel needs addresses that are multiples of {}; copy "
        "them",
        where(parameter), alignment);
  return known->dtype;
}

DType KernelCallArguments::own_type(const Value& number) const {
  const DType dtype = number.scalar.dtype;
  const bool has_fraction = dtype.family == Family::real || dtype.family == Family::complex;
  if (!number.is_weak || !has_fraction) return dtype;
  const TypeId real = default_real(home_).id;
  if (dtype.family != Family::complex) return real;
  return real == TypeId::float32 ? TypeId::complex64 : TypeId::complex128;
}

void KernelCallArguments::check_dtype(const KernelParameter& parameter, DType dtype) const {
  const DType wanted = type_of(parameter, types_);
  if (dtype == wanted) return;
  fail(Errc::type, "{}{}: the array is {}; use astype", where(parameter),
       parameter.placeholder ? format(" is {} because of another argument", wanted) : std::string(),
       dtype);
}

/// Whether both show some of the same memory. What is pending has its own.
static bool share_elements(const Array& x, const Array& y) {
  const Storage &a = *x.storage(), &b = *y.storage();
  const std::int64_t of_x = x.dtype().bytes(), of_y = y.dtype().bytes();
  if (&a == &b) return share_bytes({x.layout(), of_x}, {y.layout(), of_y});
  if (!a.is_ready() || !b.is_ready()) return false;
  if (&a.memory()->activity() != &b.memory()->activity()) return false;
  return share_bytes({x.layout(), of_x, static_cast<std::int64_t>(a.memory()->handle)},
                     {y.layout(), of_y, static_cast<std::int64_t>(b.memory()->handle)});
}

void KernelCallArguments::add_outputs(std::span<const KernelParameter> parameters,
                                      std::span<const Value> given, std::string_view remedy) {
  for (std::size_t k = 0; k < given.size(); ++k) {
    const KernelParameter& p = parameters[k];
    check(given[k].array, Errc::type, "{} is an output; an array is needed, not a number",
          where(p));
    const Array& x = *given[k].array;
    check(!x.is_read_only(), Errc::value, "{} is an output, and the array is read-only", where(p));
    const DType dtype = known_dtype(p, x);
    if (p.placeholder) types_.emplace(p.placeholder, dtype);
    check_dtype(p, dtype);
    check(x.device() == home_ || shapes_.empty(), Errc::device_mismatch,
          "kernel '{}': arrays are on {} and {}; copy one with to_device", kernel_, home_,
          x.device());
    if (shapes_.empty() && k == 0) home_ = x.device();
    for (std::size_t other = 0; other < k; ++other)
      check(!share_elements(*given[other].array, x), Errc::value,
            "{} and '{}' are outputs to the same elements of one array; give each its own",
            where(p), parameters[other].name);
    shapes_.push_back(x.shape());
  }
  for (const KernelParameter& p : parameters)
    check(!p.placeholder || types_.contains(p.placeholder), Errc::type,
          "{}: no argument determines {}; {}", where(p), std::string_view(&p.placeholder, 1),
          remedy);
}

void KernelCallArguments::choose_device(std::span<const KernelParameter> outputs,
                                        std::span<const UserFunctionRef> functions) {
  device_ = function_device(kernel_, home_, functions);
  for (const KernelParameter& p : outputs) {
    const DType type = type_of(p, types_);
    check(is_known_on(device_, type), Errc::type, "{}: {} has no {}", where(p), device_, type);
  }
}

Shape KernelCallArguments::broadcast(const std::optional<Shape>& size,
                                     std::string_view remedy) const {
  if (!shapes_.empty()) {
    Shape shape;
    try {
      shape = broadcast_shapes(shapes_);
    } catch (const Error& error) {
      fail(error.code(), "kernel '{}': {}", kernel_, error.what());
    }
    check(!size || *size == shape, Errc::value,
          "kernel '{}': size {} is not the shape {} of the "
          "arguments",
          kernel_, size.value_or(shape), shape);
    return shape;
  }
  check(size.has_value(), Errc::value,
        "kernel '{}': no argument determines the number of elements; {}", kernel_, remedy);
  for (const std::int64_t extent : *size)
    check(extent >= 0, Errc::value, "kernel '{}': size {} has a negative extent", kernel_, *size);
  return *size;
}

const Array& KernelCallArguments::keep(Array x) { return kept_.emplace_back(std::move(x)); }

std::vector<Value> KernelCallArguments::operands(const Numbering& numbering, const Shape& shape) {
  std::vector<Value> made;
  made.reserve(args_.size() + 2);
  for (std::size_t k = 0; k < args_.size(); ++k) {
    if (!args_[k].array || (is_at_home() && !parameters_[k].is_raw)) {
      made.push_back(args_[k]);
      continue;
    }
    Array x = parameters_[k].is_raw ? contiguous(*args_[k].array) : *args_[k].array;
    // the text reads bytes there, and a true bool of others may be any but 0
    if (parameters_[k].is_raw && has_foreign_bools(*x.storage())) x = x != false;
    made.push_back(keep(on_kernel_device(kernel_, x, device_)));
  }
  if (numbering.has_index) {
    const auto first = std::ranges::find_if(made, [](const Value& value) { return value.array; });
    std::optional<InContextOf> meanwhile;
    if (first != made.end()) meanwhile.emplace(*first->array);
    made.push_back(keep(numbers_of(shape, device_)));
  }
  if (numbering.has_count) made.push_back(Value(product_of({shape.begin(), shape.end()})));
  return made;
}

const Array& KernelCallArguments::on_device(const Array& x) {
  return keep(is_at_home() ? x : on_kernel_device(kernel_, x, device_));
}

Array KernelCallArguments::finish(Array result, const Array* target) const {
  if (!target && is_at_home()) return result;
  if (is_at_home()) return write_result(kernel_, *target, std::move(result));
  const Array made = target ? *target : empty(result.shape(), result.dtype(), home_);
  write_result(kernel_, on_kernel_device(kernel_, made, device_), std::move(result));
  return made;
}

}  // namespace isthmus::inline ISTHMUS_ABI::detail
