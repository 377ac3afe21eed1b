// reduction_text.h: the texts of a reduction or a scan as functions of its steps.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "isthmus/kernels/arguments.h"
#include "isthmus/kernels/reduction_kernel.h"

namespace isthmus::inline ISTHMUS_ABI::detail {

/// A number in OpenCL C.
std::string number_text(const Scalar& number);

/// The functions of calls of the same dtypes.
struct ReductionSteps {
  DType type;  ///< Of what is combined: of pairs where there are segments.
  UserFunctionRef map, combine;
  /// The output of what was combined. Of an exclusive scan it takes the parameters, if they say
  /// where segments start, then all that was combined, the number of the element, its position
  /// along the axis, and how many elements behind the one before it lies.
  UserFunctionRef post;
};

/// What ReductionKernel and ScanKernel are made of.
struct ReductionText {
  std::vector<KernelParameter> in, out;
  std::string map, combine, post;
  Identity identity;
  std::string name, preamble;
  std::optional<DType> dtype;  ///< Of what is combined.
  std::string segment;         ///< Of a scan: says where one starts; empty: nowhere.
  bool is_exclusive = false;   ///< Of a scan: without the element itself.
  std::string_view combine_is = "reduce_expr";  ///< What users call `combine`.
  MadeForTypes<ReductionSteps> steps = {};
  Numbering numbering = {}, segment_numbering = {};  ///< Of map and segment, and of segment.
  std::vector<UserStruct> structs = {};
  FunctionOptions options = {};
};

/// Throws ValueError and TypeError for what cannot be.
std::shared_ptr<const ReductionText> checked_text(std::string_view in_params,
                                                  std::string_view out_params,
                                                  const KernelStructs& structs,
                                                  const std::vector<std::string>& options,
                                                  ReductionText text);

/// The arguments of a call, and its map.
struct MappedCall {
  KernelCallArguments arguments;
  std::shared_ptr<const ReductionSteps> steps;
  Shape shape;
  Array mapped;
};
/// Throws as ReductionKernel does.
MappedCall map_arguments(const ReductionText& text, std::span<const Value> args);

}  // namespace isthmus::inline ISTHMUS_ABI::detail
