// elementwise_kernel.h: users' functions of the elements of arrays.
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

/// A function of elements, as text in OpenCL C, for arrays of `opencl`, `sycl` and `cpu`; a text
/// that is plain arithmetic runs on every device.
///
///     const ElementwiseKernel squared("T x, T y", "T z", "z = (x - y) * (x - y)", "squared");
///     Array z = squared(x, y);
///
/// Parameters have a dtype, a name of `structs`, or one capital letter, which stands for the dtype
/// of what is given. Of a `raw` one the text has all elements in row-major order, x[k]; of the
/// others one element of arrays that are broadcast. `i` is the number of the element in row-major
/// order, `n` how many there are. The operation is statements that assign the output parameters;
/// until then these are what the element was, in a new array 0.
///
/// A result is pending and fuses with what is around it. On `cpu` a text that is no plain
/// arithmetic runs at once on an OpenCL device that reaches the host's memory. The name and the
/// form are CuPy's. Copies share the text. Any thread may call it.
class ISTHMUS_EXPORT ElementwiseKernel {
 public:
  /// `preamble` stands before the functions in each kernel. `options` are the compiler's. Those
  /// that define macros, "-DN=4", are lines before the preamble; a kernel with others, such as
  /// "-cl-fast-relaxed-math", is compiled with them, and calculates nothing but functions with the
  /// same ones. Throws ValueError for parameters that cannot be read, and for an output that the
  /// operation does not name, nor the preamble.
  ElementwiseKernel(std::string_view in_params, std::string_view out_params, std::string operation,
                    std::string name = "kernel", std::string preamble = {},
                    const KernelStructs& structs = {},
                    const std::vector<std::string>& options = {});
  ~ElementwiseKernel();
  ElementwiseKernel(const ElementwiseKernel& other);             ///< The same text.
  ElementwiseKernel& operator=(const ElementwiseKernel& other);  ///< The same text.

  /// The one output, for arrays and numbers in the order of the input parameters. Behind them
  /// arrays may stand that outputs are written to. Throws TypeError for dtypes that do not fit,
  /// ValueError for shapes, DeviceMismatchError for arrays of several devices, UnsupportedError for
  /// a device without kernels of users. What does not compile is a CompileError where the result is
  /// needed.
  template <class... Args>
  Array operator()(const Args&... args) const {
    const Value values[] = {Value(args)..., Value(0)};
    return one_of(run({values, sizeof...(Args)}));
  }
  /// @{
  /// All outputs: run({x, 0.5}). `size` is their shape where no array that is not raw says it.
  std::vector<Array> run(std::span<const Value> args, const std::optional<Shape>& size = {}) const;
  std::vector<Array> run(std::initializer_list<Value> args,
                         const std::optional<Shape>& size = {}) const {
    return run(std::span(args.begin(), args.size()), size);
  }
  /// @}

  std::size_t input_count() const;   ///< Of input parameters.
  std::size_t output_count() const;  ///< Of output parameters.
  const std::string& name() const&;  ///< As errors and profiles have it.
  std::string name() const&& { return std::as_const(*this).name(); }            ///< A copy of it.
  const std::string& operation() const&;                                        ///< Its text.
  std::string operation() const&& { return std::as_const(*this).operation(); }  ///< A copy of it.
  const std::string& preamble() const&;  ///< What stands before the functions.
  std::string preamble() const&& { return std::as_const(*this).preamble(); }  ///< A copy of it.
  const std::vector<std::string>& options() const&;                           ///< Of the compiler.
  std::vector<std::string> options() const&& {                                ///< A copy of them.
    return std::as_const(*this).options();
  }

 private:
  Array one_of(std::vector<Array> outputs) const;
  std::shared_ptr<const detail::ElementwiseText> text_;
};

}  // namespace isthmus::inline ISTHMUS_ABI
