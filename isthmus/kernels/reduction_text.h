// reduction_text.h: the texts of a reduction or a scan as functions of its steps.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "isthmus/kernels/arguments.h"

namespace isthmus::inline ISTHMUS_ABI::detail {

/// What ReductionKernel and ScanKernel are made of.
struct ReductionText {
  std::vector<KernelParameter> in, out;
  std::string map, combine, post, identity, name, preamble;
  std::optional<DType> dtype;  ///< Of what is combined.
  std::string segment;         ///< Of a scan: says where one starts; empty: nowhere.
  bool is_exclusive = false;   ///< Of a scan: without the element itself.
};

/// Throws ValueError and TypeError for what cannot be.
std::shared_ptr<const ReductionText> checked_text(std::string_view in_params,
                                                  std::string_view out_params, ReductionText text);

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
  /// The output of an exclusive scan: of the parameters, if they say where segments start, then all
  /// that was combined, the number of the element, its position along the axis, and how many
  /// elements behind the one before it lies.
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
  Placeholders types_;
  TypeId out_, value_, type_;
};

/// The arguments of a call, and its map.
struct MappedCall {
  KernelCallArguments arguments;
  ReductionFunctions functions;
  Shape shape;
  Array mapped;
};
/// Throws as ReductionKernel does.
MappedCall map_arguments(const ReductionText& text, std::span<const Value> args);

}  // namespace isthmus::inline ISTHMUS_ABI::detail
