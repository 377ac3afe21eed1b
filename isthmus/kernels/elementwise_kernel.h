// elementwise_kernel.h: user-defined elementwise kernels.
#pragma once

#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "isthmus/array/array.h"
#include "isthmus/kernels/kernel_struct.h"

namespace isthmus::inline ISTHMUS_ABI {

namespace detail {
struct ElementwiseText;
}

/// An elementwise kernel in OpenCL C, for arrays of `opencl`, `sycl` and `cpu`. An operation that
/// is plain arithmetic runs on every device.
///
///     const ElementwiseKernel squared("T x, T y", "T z", "z = (x - y) * (x - y)", "squared");
///     Array z = squared(x, y);
///
/// Parameters have a dtype, a name of `structs`, or one capital letter, which stands for the dtype
/// of the argument. The operation can access all elements of a `raw` parameter in row-major order,
/// x[k]; of the others, one element of the broadcast arrays. `i` is the index of the element in
/// row-major order, and `n` is the number of elements. The operation consists of statements that
/// assign the output parameters; until then they hold the old value of the element, or 0 in a new
/// array.
///
/// A result is pending and fuses with the operations around it. On `cpu`, an operation that is not
/// plain arithmetic runs at once on an OpenCL device that can access the host's memory. The name
/// and the form are CuPy's. Copies share the source. Any thread may call it.
class ISTHMUS_EXPORT ElementwiseKernel {
 public:
  /// `preamble` comes before the functions in each kernel. `options` are passed to the compiler.
  /// Options that define macros, "-DN=4", become lines before the preamble. With any other option,
  /// such as "-cl-fast-relaxed-math", the kernel is compiled with it and contains only functions
  /// with the same options. Throws ValueError for parameters that cannot be parsed, and for an
  /// output that neither the operation nor the preamble names.
  ElementwiseKernel(std::string_view in_params, std::string_view out_params, std::string operation,
                    std::string name = "kernel", std::string preamble = {},
                    const KernelStructs& structs = {},
                    const std::vector<std::string>& options = {});
  ~ElementwiseKernel();
  ElementwiseKernel(const ElementwiseKernel& other);             ///< The same source.
  ElementwiseKernel& operator=(const ElementwiseKernel& other);  ///< The same source.

  /// The only output, for arrays and numbers in the order of the input parameters. Arrays to write
  /// outputs to may follow them. Throws TypeError for dtypes that do not match, ValueError for
  /// shapes that do not, DeviceMismatchError for arrays of several devices, UnsupportedError for a
  /// device without user kernels. Code that does not compile throws CompileError when the result is
  /// needed.
  template <class... Args>
  Array operator()(const Args&... args) const {
    const Value values[] = {Value(args)..., Value(0)};
    return one_of(run({values, sizeof...(Args)}));
  }
  /// @{
  /// All outputs: run({x, 0.5}). `size` is their shape if no non-raw array determines it.
  std::vector<Array> run(std::span<const Value> args, const std::optional<Shape>& size = {}) const;
  std::vector<Array> run(std::initializer_list<Value> args,
                         const std::optional<Shape>& size = {}) const {
    return run(std::span(args.begin(), args.size()), size);
  }
  /// @}

  std::size_t input_count() const;   ///< The number of input parameters.
  std::size_t output_count() const;  ///< The number of output parameters.
  const std::string& name() const&;  ///< The name in errors and profiles.
  std::string name() const&& { return std::as_const(*this).name(); }            ///< A copy of it.
  const std::string& operation() const&;                                        ///< Its code.
  std::string operation() const&& { return std::as_const(*this).operation(); }  ///< A copy of it.
  const std::string& preamble() const&;  ///< The code before the functions.
  std::string preamble() const&& { return std::as_const(*this).preamble(); }  ///< A copy of it.
  const std::vector<std::string>& options() const&;                           ///< For the compiler.
  std::vector<std::string> options() const&& {                                ///< A copy of them.
    return std::as_const(*this).options();
  }

 private:
  Array one_of(std::vector<Array> outputs) const;
  std::shared_ptr<const detail::ElementwiseText> text_;
};

}  // namespace isthmus::inline ISTHMUS_ABI
