// arguments.h: what ElementwiseKernel and its kind are called with.
#pragma once

#include <list>
#include <optional>
#include <string>
#include <vector>

#include "isthmus/kernels/function_text.h"

namespace isthmus::inline ISTHMUS_ABI::detail {

/// Arguments, with the dtypes that placeholders stand for, on the device that the kernel runs on,
/// which is known once it is chosen.
class KernelCallArguments {
 public:
  /// What errors call a parameter; a text where there is one.
  struct Where {
    const std::string& kernel;
    const KernelParameter& parameter;
    std::span<const UserStruct> structs;
    friend std::string to_string(const Where& where);
  };
  /// Throws TypeError, naming the parameter, for dtypes that do not fit, DeviceMismatchError.
  KernelCallArguments(const std::string& kernel, std::span<const KernelParameter> parameters,
                      std::span<const Value> args, std::span<const UserStruct> structs);
  /// Arrays that outputs are written to, or none. Their placeholders must be known by now; `remedy`
  /// is what would do where one is not.
  void add_outputs(std::span<const KernelParameter> parameters, std::span<const Value> given,
                   std::string_view remedy);
  /// Where these functions can be called; without any, kernels of users in their own words. Throws
  /// TypeError for an output of a dtype that the device has not.
  void choose_device(std::span<const KernelParameter> outputs,
                     std::span<const UserFunctionRef> functions);

  /// What all arrays that are not raw are broadcast to, else `size`. Without both an error says
  /// what would do.
  Shape broadcast(const std::optional<Shape>& size, std::string_view remedy) const;
  /// The operands of a function with add_parameters(), as long as this lives.
  std::vector<Value> operands(const Numbering& numbering, const Shape& shape);
  const Placeholders& types() const { return types_; }
  /// Where the kernel runs.
  const Device& device() const { return device_; }
  /// Whether that is the device of the arguments.
  bool is_at_home() const { return home_ == device_; }
  /// An array where the kernel runs, as long as this lives.
  const Array& on_device(const Array& x);
  /// The result on the device of the arguments, written to `target` if there is one.
  Array finish(Array result, const Array* target) const;

 private:
  void learn_types(std::span<const KernelParameter> parameters, std::span<const Value> args);
  void check_dtype(const KernelParameter& parameter, DType dtype) const;
  /// Of a number that says what a placeholder stands for.
  DType own_type(const Value& number) const;
  /// As the kernel's texts know it. Throws TypeError for a struct that they have no name for,
  /// ValueError for one that is misaligned.
  DType known_dtype(const KernelParameter& parameter, const Array& x) const;
  /// An array that lives as long as this.
  const Array& keep(Array x);
  Where where(const KernelParameter& parameter) const { return {kernel_, parameter, structs_}; }

  const std::string& kernel_;
  std::span<const KernelParameter> parameters_;
  std::span<const UserStruct> structs_;
  std::vector<Value> args_;
  std::vector<Shape> shapes_;  ///< Of arrays that are not raw.
  Placeholders types_;
  Device home_, device_;  ///< Of the arrays, and where the kernel runs.
  std::list<Array> kept_;
};

/// An expression as a value of the dtype, which a real one becomes where it is complex. C converts
/// nothing to a struct.
std::string cast_text(DType type, std::string_view expression);
/// Throws TypeError for a real number where an integer is wanted, OverflowError for one that does
/// not fit the dtype.
void check_number(std::string_view who, const Scalar& number, bool is_past_64_bits, DType wanted);
/// Whether values of the dtype can be on the device.
bool is_known_on(const Device& device, DType type);
/// The number of each element in row-major order.
Array numbers_of(const Shape& shape, const Device& device);
/// The parameters of a function, then i and n if its text names them.
void add_parameters(FunctionText& function, std::span<const KernelParameter> parameters,
                    const Placeholders& types, const Numbering& numbering);

}  // namespace isthmus::inline ISTHMUS_ABI::detail
