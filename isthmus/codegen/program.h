// program.h: a fused group as a flat tape; what a backend compiles.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "isthmus/core/dtype.h"
#include "isthmus/core/internal.h"
#include "isthmus/core/kernel_shape.h"
#include "isthmus/core/layout.h"
#include "isthmus/core/step.h"
#include "isthmus/core/user_function.h"

namespace isthmus::inline ISTHMUS_ABI {

class BackendMemory;

/// The type of values that are such a struct, by its place in Program::structs.
constexpr TypeId struct_type(std::size_t place) {
  return static_cast<TypeId>(static_cast<std::size_t>(TypeId::record) + place);
}
constexpr bool is_struct(TypeId type) { return type >= TypeId::record; }
constexpr std::size_t struct_place(TypeId type) {
  return static_cast<std::size_t>(type) - static_cast<std::size_t>(TypeId::record);
}

/// What a tape reads. Types are built-in, or structs of users (see struct_type()), but for a lone
/// copy of records (see Program::record_bytes).
struct Input {
  enum class Kind : std::uint8_t {
    memory,  ///< a View given at launch, as broadcast as the loop
    scalar,  ///< one value given at launch
    index,   ///< the position along `axis` of the loop, an int64: arange, eye and tril are maps
    result,  ///< in an epilogue: what the reduction gave
    base,    ///< memory that steps read at any position: its first element, given at launch
    number,  ///< where an element would lie in memory of a given layout: a number, in uint64
  };
  Kind kind = Kind::memory;
  TypeId type = TypeId::float32;
  std::uint8_t axis = 0;
  friend bool operator==(const Input&, const Input&) = default;
};

/// About how many simple operations it takes, for dividing work among threads.
ISTHMUS_EXPORT std::int64_t cost_of(const Step& step);

/// What a step of Op::user calls.
struct UserCall {
  UserFunctionRef function;
  SmallVector<std::uint16_t, 4> operands;  ///< Earlier values of the tape.
  friend bool operator==(const UserCall&, const UserCall&) = default;
};

/// Value v is inputs[v] for v < inputs.size(), else the result of steps[v - inputs.size()].
struct Tape {
  SmallVector<Input, 4> inputs;
  SmallVector<Step, 8> steps;
  SmallVector<std::uint16_t, 2> outputs;  ///< Values to be written to memory.
  std::vector<UserCall> calls;            ///< By the first operand of steps of Op::user.

  TypeId type_of(std::uint16_t value) const {
    return value < inputs.size() ? inputs[value].type : steps[value - inputs.size()].result;
  }
  friend bool operator==(const Tape&, const Tape&) = default;
};

/// How a kernel steps through an operand along the axis that its neighbouring work-items walk.
enum class Access : std::uint8_t { unit, zero, strided };

/// Which loops a compiled kernel has.
enum class Loop : std::uint8_t {
  flat,   ///< map: one position over all axes
  rows,   ///< map: the last axis, the one before it, and the others as one
  inner,  ///< reduction: neighbouring work-items read neighbouring reduced elements
  outer,  ///< reduction: neighbouring work-items have neighbouring results
};

/// How a kernel walks memory: what is fixed when it is compiled, beside the program itself. All
/// else (extents, strides, offsets, scalars) is told at launch.
struct Form {
  Loop loop = Loop::flat;
  std::uint8_t rank = 0, kept = 0;  ///< Axes; of a map, all are kept.
  bool is_small = false;            ///< Positions that are taken apart fit 31 bits.
  bool is_chunked = false;          ///< A reduction in two passes; a sort of long rows.
  /// Of operands in memory: the map's inputs, the epilogue's, the outputs.
  SmallVector<Access, 8> operands;
  friend bool operator==(const Form&, const Form&) = default;
};

/// A program that a user wrote, in the kernel language of a device.
struct UserText : Counted<UserText> {
  UserText(std::string text_, std::string options_)
      : text(std::move(text_)), options(std::move(options_)) {}
  const std::string text, options;
};

/// Equal where the texts are.
struct UserTextRef {
  Ref<UserText> ref;
  UserText* operator->() const { return ref.get(); }
  explicit operator bool() const { return bool(ref); }
  friend bool operator==(const UserTextRef& a, const UserTextRef& b) {
    if (a.ref == b.ref) return true;
    return a.ref && b.ref && a->text == b->text && a->options == b->options;
  }
};

/// A reduction that is made beside others.
struct Beside {
  Reduction reduction = Reduction::sum;
  TypeId accumulator = TypeId::float32;
  friend bool operator==(const Beside&, const Beside&) = default;
};

/// One kernel. A map writes the outputs of `map` over the loop. A reduction has one output of
/// `map`, combines it, or the states that it is lifted to, over the reduced axes of the loop, and
/// writes the outputs of `epilogue` (whose first input is the result) over the kept axes. Further
/// reductions of the same loop, in `beside`, are those of the map's further outputs, and give the
/// epilogue's next inputs. A scan and a sort go along one axis instead, give as many elements as
/// they read, and have no steps in the epilogue. A store has two outputs of `map`, a value and an
/// int64 position, and writes the one at the other, counted from the address of the launch's
/// output, but where the position is negative; or adds it to what is there.
struct Program {
  Tape map;
  Store store = Store::any_order;  ///< Of a store.
  KernelShape shape = KernelShape::map;
  Reduction reduction = Reduction::sum;  ///< Of a reduction or a scan.
  UserFunctionRef combine;               ///< Of a reduction or a scan by a user's function.
  Sorting sorting;                       ///< Of a sort.
  TypeId accumulator = TypeId::float32;  ///< The dtype of what is given, of work along axes.
  SmallVector<Beside, 2> beside;         ///< Of a reduction.
  Tape epilogue;
  std::vector<UserStruct> structs;  ///< Of users' functions: what values of struct_type() are.
  /// Bytes of one element of a program that only copies opaque records; else 0. Such a program
  /// has one input, no steps, one output, and its types say nothing.
  std::int64_t record_bytes = 0;
  UserTextRef user;  ///< A user's text, which may hold several kernels; then all else says nothing.
  /// Set by launch() for backends that compile; of no meaning to those that interpret.
  Form form;
  /// Whether some axes of the loop are kept, and others worked along.
  bool has_kept_axes() const { return info(shape).is_along; }
  /// Whether outputs have all axes of the loop, be they kept or not.
  bool gives_all_axes() const { return info(shape).gives_all; }
  /// Of the operation that is no map: "sum", "cumulative_sum", "sort".
  std::string_view name() const {
    return combine ? std::string_view(combine->shown) : name_of(shape, reduction, sorting);
  }
  /// Whether it calls functions of users, which only compilers understand.
  bool calls_users() const { return combine || !map.calls.empty() || !epilogue.calls.empty(); }
  /// The compiler's, which all functions of users in it have.
  ISTHMUS_EXPORT std::string_view options() const;
  /// The tape whose outputs are written.
  const Tape& last_tape() const { return has_kept_axes() ? epilogue : map; }
  friend bool operator==(const Program&, const Program&) = default;
};

/// Whether it gives the same bits on all devices: each operation is rounded exactly. Of zeros of
/// both signs C's fmax and fmin give either.
ISTHMUS_EXPORT bool is_exact(const Step& step);
/// The same of all steps and what is folded; false if it calls functions of users that are not
/// known to be such steps.
ISTHMUS_EXPORT bool is_exact(const Program& program);

/// Of equal programs equal, in this process.
ISTHMUS_EXPORT std::size_t hash_of(const Program& program) noexcept;

/// The operations in order, as errors and logs name a kernel; "fill" for a number alone, "arange"
/// for an index.
using Names = SmallVector<std::string_view, 8>;
ISTHMUS_EXPORT Names names_of(const Program& program);
/// "multiply, sum, add"; "copy" if there are none.
ISTHMUS_EXPORT std::string list_of(const Names& names);

/// One operand of a launch. `address` is where element (0, ..., 0) lies, or the handle of a buffer
/// that begins `offset` elements before it (see Backend); strides in elements, one per loop axis.
struct Argument {
  Argument() {}  // NOLINT: see SmallVector

  void* address = nullptr;
  BackendMemory* memory = nullptr;  ///< What `address` lies in; null for a scalar and an index.
  std::int64_t offset = 0;
  Dims strides;
  Scalar scalar;  ///< Of what is written by position: how many positions there are.
};

/// A program's loop and operands. Map: `shape` is the loop; strides have its length. Reduction:
/// `shape` holds the kept axes and then the reduced ones, in the order of the array's axes (that
/// order fixes the order of summation, so that it never depends on memory layout);
/// `kept` says how many are kept; arguments of the epilogue and outputs have `kept` strides, the
/// output of a scan as many as the loop.
struct Launch {
  Dims shape;
  int kept = 0;
  std::span<const Argument> inputs;           ///< Of the map.
  std::span<const Argument> epilogue_inputs;  ///< Of the epilogue without its first.
  std::span<const Argument> outputs;
};

}  // namespace isthmus::inline ISTHMUS_ABI
