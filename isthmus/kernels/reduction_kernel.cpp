// reduction_kernel.cpp: a reduction of a user's map, and a map of what it gives.
#include "isthmus/kernels/reduction_kernel.h"

#include "isthmus/array/axes.h"
#include "isthmus/array/reduce/along.h"
#include "isthmus/kernels/reduction_text.h"

namespace isthmus::inline ISTHMUS_ABI {

Identity::Identity(const Scalar& number, bool is_past_64_bits)
    : text_(detail::number_text(number)), number_(number), is_past_64_bits_(is_past_64_bits) {}

ReductionKernel::ReductionKernel(std::string_view in_params, std::string_view out_params,
                                 std::string map_expr, std::string reduce_expr,
                                 std::string post_map_expr, Identity identity, std::string name,
                                 std::optional<DType> reduce_dtype, std::string preamble,
                                 const KernelStructs& structs,
                                 const std::vector<std::string>& options)
    : text_(detail::checked_text(in_params, out_params, structs, options,
                                 {{},
                                  {},
                                  std::move(map_expr),
                                  std::move(reduce_expr),
                                  std::move(post_map_expr),
                                  std::move(identity),
                                  std::move(name),
                                  std::move(preamble),
                                  reduce_dtype,
                                  {},
                                  false})) {}
ReductionKernel::~ReductionKernel() = default;
ReductionKernel::ReductionKernel(const ReductionKernel& other) = default;
ReductionKernel& ReductionKernel::operator=(const ReductionKernel& other) = default;
const std::string& ReductionKernel::name() const& { return text_->name; }
const std::string& ReductionKernel::preamble() const& { return text_->preamble; }
const std::vector<std::string>& ReductionKernel::options() const& { return text_->options.given; }
std::size_t ReductionKernel::input_count() const { return text_->in.size(); }

Array ReductionKernel::run(std::span<const Value> args, const AxisSet& axes, Flag keepdims) const {
  detail::MappedCall call = detail::map_arguments(*text_, args);
  const DType type = call.steps->type;
  const auto along = marked(text_->name, axes.get(), call.mapped.ndim());
  const Array made = detail::combine_along(
      text_->name, work::Reduce(Reduction::sum, call.steps->combine, type.id, along),
      std::move(call.mapped), type, !text_->identity.text().empty(), keepdims);
  const Value last(made);
  return call.arguments.finish(detail::call_function(text_->name, call.steps->post, {&last, 1},
                                                     made.shape(), call.arguments.device()),
                               nullptr);
}

}  // namespace isthmus::inline ISTHMUS_ABI
