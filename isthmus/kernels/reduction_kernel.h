// reduction_kernel.h: user-defined reductions and scans.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "isthmus/array/array.h"
#include "isthmus/kernels/kernel_struct.h"

namespace isthmus::inline ISTHMUS_ABI {

namespace detail {
struct ReductionText;
}

/// The result of a ReductionKernel for no elements, and the first value of an exclusive ScanKernel:
/// a number, which must fit the dtype of the combined values by the same rules as arguments, or an
/// expression in OpenCL C; for a struct also an initializer, "{0, -1}".
class ISTHMUS_EXPORT Identity {
 public:
  Identity() = default;  ///< No identity.
  /// @{
  /// OpenCL C code; an empty string means no identity.
  Identity(std::string text) : text_(std::move(text)) {}       // NOLINT: a text is an argument
  Identity(const char* text) : Identity(std::string(text)) {}  // NOLINT: and so is a literal
  /// @}
  /// A number. A literal 0 is the number, not a null pointer.
  template <class T>
    requires(Number<T> && !is_character<T>)
  Identity(T number) : Identity(to_scalar(number)) {}  // NOLINT: and a number
  /// A number; `is_past_64_bits`: it is the nearest double of an integer.
  explicit Identity(const Scalar& number, bool is_past_64_bits = false);
  /// Does not compile: for no identity omit it, or write {}.
  Identity(std::nullptr_t) = delete;

  /// @{
  /// The OpenCL C code, for a number before conversion; empty if there is no identity.
  const std::string& text() const& { return text_; }
  std::string text() && { return std::move(text_); }
  /// @}
  const std::optional<Scalar>& number() const& { return number_; }  ///< Nothing for OpenCL C code.
  bool is_past_64_bits() const { return is_past_64_bits_; }  ///< Whether it is rounded to a double.

 private:
  std::string text_;
  std::optional<Scalar> number_;
  bool is_past_64_bits_ = false;
};

/// A reduction in OpenCL C, for arrays of `opencl`, `sycl` and `cpu`.
///
///     const ReductionKernel norm("T x", "T y", "x * x", "a + b", "y = sqrt(a)", 0, "norm");
///     Array lengths = norm.run({{x}}, 1);
///
/// `map_expr` is an expression of the input parameters, which are as for an ElementwiseKernel.
/// `reduce_expr` combines two of its values, a and b. The order is the same each time, but not that
/// of the elements, so it must be associative and commutative. `post_map_expr` is a statement that
/// assigns the output from a. `identity` is the result for no elements; with {} they are an error.
/// All values can be structs of at most 128 bytes, which `structs` names. The name and the form are
/// CuPy's.
class ISTHMUS_EXPORT ReductionKernel {
 public:
  /// `reduce_dtype` is the dtype of a and b, by default that of the output. `options` are as for
  /// ElementwiseKernel. Throws ValueError for parameters that cannot be parsed, and for an output
  /// that `post_map_expr` does not name.
  ReductionKernel(std::string_view in_params, std::string_view out_params, std::string map_expr,
                  std::string reduce_expr, std::string post_map_expr, Identity identity = {},
                  std::string name = "reduce_kernel", std::optional<DType> reduce_dtype = {},
                  std::string preamble = {}, const KernelStructs& structs = {},
                  const std::vector<std::string>& options = {});
  ~ReductionKernel();
  /// @{
  /// The same source.
  ReductionKernel(const ReductionKernel& other);
  ReductionKernel& operator=(const ReductionKernel& other);
  /// @}

  /// Reduces all elements. Throws as ElementwiseKernel does, and ValueError for no elements without
  /// an identity.
  template <class... Args>
  Array operator()(const Args&... args) const {
    const Value values[] = {Value(args)..., Value(0)};
    return run({values, sizeof...(Args)});
  }
  /// @{
  /// Reduces along axes of the broadcast arguments: run({x, y}, 0). Pending; fuses with the
  /// operations around it.
  Array run(std::span<const Value> args, const AxisSet& axes = all_axes,
            Flag keepdims = false) const;
  Array run(std::initializer_list<Value> args, const AxisSet& axes = all_axes,
            Flag keepdims = false) const {
    return run(std::span(args.begin(), args.size()), axes, keepdims);
  }
  /// @}

  const std::string& name() const&;  ///< The name in errors and profiles.
  std::string name() const&& { return std::as_const(*this).name(); }  ///< A copy of it.
  const std::string& preamble() const&;  ///< The code before the functions.
  std::string preamble() const&& { return std::as_const(*this).preamble(); }  ///< A copy of it.
  const std::vector<std::string>& options() const&;                           ///< For the compiler.
  std::vector<std::string> options() const&& {                                ///< A copy of them.
    return std::as_const(*this).options();
  }
  std::size_t input_count() const;  ///< The number of input parameters.

 private:
  std::shared_ptr<const detail::ReductionText> text_;
};

/// A scan in OpenCL C: the reduction of all elements up to each element.
///
///     const ScanKernel running_max("T x", "T y", "x", "a > b ? a : b", "y = a", "running_max");
///
/// `map_expr`, `scan_expr` and `post_map_expr` are as for ReductionKernel, except that elements are
/// combined in order: `scan_expr` need only be associative.
///
/// `is_segment_start_expr`, an expression of the input parameters, is not 0 where the scan
/// restarts. `exclusive`: an element is not part of its own result, and the first result of each
/// segment is `identity`, which is neutral: it is not combined with the others. An exclusive scan
/// takes two kernels.
class ISTHMUS_EXPORT ScanKernel {
 public:
  /// As for ReductionKernel. Throws ValueError for an exclusive scan without an identity.
  ScanKernel(std::string_view in_params, std::string_view out_params, std::string map_expr,
             std::string scan_expr, std::string post_map_expr, std::string name = "scan_kernel",
             std::optional<DType> scan_dtype = {}, std::string preamble = {},
             std::string is_segment_start_expr = {}, Flag exclusive = false, Identity identity = {},
             const KernelStructs& structs = {}, const std::vector<std::string>& options = {});
  ~ScanKernel();
  /// @{
  /// The same source.
  ScanKernel(const ScanKernel& other);
  ScanKernel& operator=(const ScanKernel& other);
  /// @}

  /// Scans along the only axis. Throws as ReductionKernel does.
  template <class... Args>
  Array operator()(const Args&... args) const {
    const Value values[] = {Value(args)..., Value(0)};
    return run({values, sizeof...(Args)});
  }
  /// @{
  /// Scans along an axis of the broadcast arguments: run({x}, 0). Without `axis` there must be
  /// exactly one axis.
  Array run(std::span<const Value> args, OptionalInteger axis = {}) const;
  Array run(std::initializer_list<Value> args, OptionalInteger axis = {}) const {
    return run(std::span(args.begin(), args.size()), axis);
  }
  /// @}

  const std::string& name() const&;  ///< The name in errors and profiles.
  std::string name() const&& { return std::as_const(*this).name(); }  ///< A copy of it.
  const std::string& preamble() const&;  ///< The code before the functions.
  std::string preamble() const&& { return std::as_const(*this).preamble(); }  ///< A copy of it.
  const std::vector<std::string>& options() const&;                           ///< For the compiler.
  std::vector<std::string> options() const&& {                                ///< A copy of them.
    return std::as_const(*this).options();
  }
  std::size_t input_count() const;  ///< The number of input parameters.

 private:
  std::shared_ptr<const detail::ReductionText> text_;
};

}  // namespace isthmus::inline ISTHMUS_ABI
