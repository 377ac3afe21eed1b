// emit.h: a fused program to kernel source text, and a launch to what its kernels are called with.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "isthmus/codegen/program.h"

namespace isthmus::inline ISTHMUS_ABI {

/// What a backend is given a program in. How languages differ is in emit/language.cpp.
enum class Dialect : std::uint8_t {
  opencl_c,
  sycl,
  tape,  ///< No text: the program as it is.
};

/// Words beyond which they are passed in memory: a kernel's parameters may be as little as 1 KiB.
inline constexpr std::size_t most_words = 96;

/// What the text and the shape of launches depend on: a backend states it of each device.
struct Traits {
  Dialect dialect = Dialect::opencl_c;
  bool has_fp64 = true;
  /// A work-item is a thread that runs alone and calculates with vectors; one of a GPU is a lane.
  bool is_cpu = true;
  int largest_group = 256;      ///< Work-items that a group can have.
  std::size_t local_bytes = 0;  ///< Of memory that the work-items of a group share.
  /// Whether the work-items of a group may wait for each other in a loop. On CPUs PoCL's compiler
  /// (5.0) now and then makes a kernel of it that leaves its results out, and always a slow one.
  bool has_barriers = true;
  /// Words that can be passed by value; more of them are given to the kernel in memory.
  std::size_t words = most_words;

  /// Whether a team of work-items goes along a row, and leaves what it has in the memory that its
  /// group shares. Without such memory, and on CPUs, whose work-items take turns, one does alone.
  bool has_teams() const { return !is_cpu && local_bytes > 0; }
};

/// The name of the language in errors and docs: "OpenCL C".
ISTHMUS_EXPORT std::string_view name_of(Dialect dialect);

/// Whether a program calculates with float64 or complex128. Copies do not.
ISTHMUS_EXPORT bool needs_fp64(const Program& program);

/// Complete source of a program with its form: the helper functions it needs, and its kernels.
/// Text without a double unless the program calculates with one; copies of float64 are of integers.
/// Of a user's program its own text. Not of the dialect `tape`.
ISTHMUS_EXPORT std::string emit(const Program& program, const Traits& traits);

/// What a pointer parameter is given: the address of an Argument, or memory that only this launch
/// uses.
struct Pointer {
  enum class Of : std::uint8_t {
    input,           ///< Launch::inputs[index]
    epilogue_input,  ///< Launch::epilogue_inputs[index]
    output,          ///< Launch::outputs[index]
    scratch,         ///< memory of Passes::scratch_bytes
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
};

/// The enqueues of a launch whose form is `program.form`. None if the loop is empty.
ISTHMUS_EXPORT Passes plan_passes(const Program& program, const Launch& launch,
                                  const Traits& traits);

}  // namespace isthmus::inline ISTHMUS_ABI
