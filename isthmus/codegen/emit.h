// emit.h: a fused program to kernel source text, and a launch to what its kernels are called with.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "isthmus/codegen/program.h"

namespace isthmus::inline ISTHMUS_ABI {

/// A language that kernels are printed in; what they spell differently is in emit/dialects.cpp.
enum class Dialect : std::uint8_t { opencl_c, sycl };

/// Words beyond which they are passed in memory: a kernel's parameters may be as little as 1 KiB.
inline constexpr std::size_t most_words = 96;

/// What the text and the shape of launches depend on.
struct Traits {
  bool has_fp64 = true;
  bool is_cpu = true;
  int compute_units = 1;
  int largest_group = 256;
  std::size_t words = most_words;  ///< That can be passed by value.
};

/// Complete source of a program with its form: the helper functions it needs, and its kernels.
/// Text without a double unless the program calculates with one; copies of float64 are of integers.
ISTHMUS_EXPORT std::string emit(const Program& program, const Traits& traits, Dialect dialect);

/// What a pointer parameter is given: the address of an Argument, or memory of the driver's own.
struct Pointer {
  enum class Of : std::uint8_t {
    input,           ///< Launch::inputs[index]
    epilogue_input,  ///< Launch::epilogue_inputs[index]
    output,          ///< Launch::outputs[index]
    scratch,         ///< memory of Passes::scratch_bytes, which no other launch uses meanwhile
    words,           ///< memory that holds Pass::words, which then are no parameter
  };
  Of of = Of::input;
  std::uint16_t index = 0;
  friend bool operator==(const Pointer&, const Pointer&) = default;
};

/// One enqueue. Arguments: the pointers, then the words as one struct by value (unless the last
/// pointer is Pointer::Of::words).
struct Pass {
  std::string_view entry;  ///< The name of the kernel.
  int dimensions = 1;
  std::size_t global[3] = {1, 1, 1};
  std::size_t local[3] = {1, 1, 1};
  SmallVector<Pointer, 8> pointers;
  std::vector<std::int64_t> words;  ///< Extents, element offsets, strides, scalars.
};

/// In order: each pass reads what the one before it wrote.
struct Passes {
  std::vector<Pass> passes;
  std::size_t scratch_bytes = 0;
  bool repeats = false;  ///< Several passes call one kernel.
};

/// The enqueues of a launch whose form is `program.form`. None if the loop is empty.
ISTHMUS_EXPORT Passes plan_passes(const Program& program, const Launch& launch,
                                  const Traits& traits);

}  // namespace isthmus::inline ISTHMUS_ABI
