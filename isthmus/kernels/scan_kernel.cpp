// scan_kernel.cpp: a scan of a user's map, and a map of what it gives.
#include <algorithm>

#include "isthmus/array/arrange/manipulate.h"
#include "isthmus/array/axes.h"
#include "isthmus/array/create/create.h"
#include "isthmus/array/place.h"
#include "isthmus/array/reduce/along.h"
#include "isthmus/kernels/reduction_kernel.h"
#include "isthmus/kernels/reduction_text.h"

namespace isthmus::inline ISTHMUS_ABI {

using detail::check;

namespace {

/// The output at each element of what was combined up to the one before it.
Array of_previous(const detail::ReductionText& text, detail::MappedCall& call, const Array& all,
                  int axis) {
  const Device& device = call.arguments.device();
  const InContextOf meanwhile(all);
  std::int64_t behind = 1;
  for (int k = axis + 1; k < static_cast<int>(call.shape.size()); ++k)
    behind *= call.shape[static_cast<std::size_t>(k)];
  const Array dense = contiguous(all);
  const Array at = detail::numbers_of(call.shape, device);
  const Array along = index_along(call.shape, axis, device);
  std::vector<Value> operands;
  if (!text.segment.empty()) operands = call.arguments.operands(text.segment_numbering, call.shape);
  for (const Array* const one : {&dense, &at, &along}) operands.emplace_back(*one);
  operands.emplace_back(behind);
  return detail::call_function(text.name, call.steps->post, operands, call.shape, device);
}

}  // namespace

ScanKernel::ScanKernel(std::string_view in_params, std::string_view out_params,
                       std::string map_expr, std::string scan_expr, std::string post_map_expr,
                       std::string name, std::optional<DType> scan_dtype, std::string preamble,
                       std::string is_segment_start_expr, Flag exclusive, Identity identity,
                       const KernelStructs& structs, const std::vector<std::string>& options)
    : text_(detail::checked_text(in_params, out_params, structs, options,
                                 {{},
                                  {},
                                  std::move(map_expr),
                                  std::move(scan_expr),
                                  std::move(post_map_expr),
                                  std::move(identity),
                                  std::move(name),
                                  std::move(preamble),
                                  scan_dtype,
                                  std::move(is_segment_start_expr),
                                  exclusive,
                                  "scan_expr"})) {}
ScanKernel::~ScanKernel() = default;
ScanKernel::ScanKernel(const ScanKernel& other) = default;
ScanKernel& ScanKernel::operator=(const ScanKernel& other) = default;
const std::string& ScanKernel::name() const& { return text_->name; }
const std::string& ScanKernel::preamble() const& { return text_->preamble; }
const std::vector<std::string>& ScanKernel::options() const& { return text_->options.given; }
std::size_t ScanKernel::input_count() const { return text_->in.size(); }

Array ScanKernel::run(std::span<const Value> args, OptionalInteger axis) const {
  detail::MappedCall call = detail::map_arguments(*text_, args);
  const Array& mapped = call.mapped;
  check(mapped.ndim() > 0, Errc::value, "kernel '{}': an array without axes; reshape it to (1,)",
        text_->name);
  check(axis || mapped.ndim() == 1, Errc::value, "kernel '{}': an array of shape {} needs an axis",
        text_->name, mapped.shape());
  const DType type = call.steps->type;
  const Dims one{axis.value_or(0)};
  const auto along =
      marked(text_->name, std::span<const std::int64_t>(one.begin(), 1), mapped.ndim());
  auto node =
      std::make_unique<Node>(work::Scan(Reduction::sum, call.steps->combine, type.id, along));
  const Array all = detail::work_along(text_->name, std::move(node), std::move(call.mapped), type);
  if (text_->is_exclusive) {
    const auto axis_number = static_cast<int>(std::ranges::find(along, true) - along.begin());
    return call.arguments.finish(of_previous(*text_, call, all, axis_number), nullptr);
  }
  const Value last(all);
  return call.arguments.finish(detail::call_function(text_->name, call.steps->post, {&last, 1},
                                                     all.shape(), call.arguments.device()),
                               nullptr);
}

}  // namespace isthmus::inline ISTHMUS_ABI
