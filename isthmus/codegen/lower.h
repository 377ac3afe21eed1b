// lower.h: a group of nodes to a Program and what it is launched with.
#pragma once

#include "isthmus/codegen/program.h"
#include "isthmus/graph/partition.h"

namespace isthmus::inline ISTHMUS_ABI {

/// What an Argument will be made of once the storages are ready.
struct Source {
  Source() {}  // NOLINT: see Node
  explicit Source(const Scalar& scalar) : scalar(scalar) {}
  Source(const Ref<Storage>& storage, const Layout& layout) : storage(storage), layout(layout) {}

  Ref<Storage> storage;  ///< Null for a scalar, an index and a number.
  Layout layout;         ///< Over the axes of its part of the loop; of a base, its own.
  Scalar scalar;
  bool is_base = false;  ///< Read at any position.
};
/// The offset, strides and scalar of an argument, in a loop part of `axes` axes.
ISTHMUS_EXPORT void place(Argument& argument, const Source& source, std::size_t axes);

using Sources = SmallVector<Source, 4>;

/// A check that a kernel relies on, and where its finding lies once the storage is ready.
struct Relied {
  Ref<Finding> check;
  Ref<Storage> storage;
};

/// A kernel before its memory is known. Reductions: `shape` has the kept axes first.
struct Lowered {
  Lowered() {}  // NOLINT: see Node

  Program program;
  Names names;  ///< Of the program, before users' functions became steps; else empty.
  Dims shape;
  int kept = 0;
  Sources inputs;
  Sources epilogue_inputs;  ///< Without the reduction's result.
  Sources outputs;
  SmallVector<Relied, 1> checks;
  Ref<BackendContext> context;  ///< See Storage::context.

  /// Of a part: its concat's group in the plan, and the bytes of that one's memory, in which the
  /// last output lies.
  std::int32_t concat = -1;
  std::int64_t whole_bytes = 0;
  /// Of a concat, whose inputs are its parts: there is nothing to launch.
  bool is_concat = false;
  Ref<BackendMemory> whole;  ///< Of a concat: its memory, once a part of it is there.

  bool is_part() const { return concat >= 0; }
};

/// Fills `result`, which is new. Needs graph_lock, since nodes are read.
ISTHMUS_EXPORT void lower(const Group& group, Lowered& result);
inline Lowered lower(const Group& group) {
  Lowered result;
  lower(group, result);
  return result;
}

/// Whether all functions of users that a kernel calls are known as steps, on a device with or
/// without float64.
ISTHMUS_EXPORT bool knows_calls(const Program& program, bool has_fp64);
/// Puts those steps in the places of the calls, and their numbers behind the other inputs.
ISTHMUS_EXPORT void expand_calls(Lowered& kernel);
/// As errors and profiles name a kernel.
ISTHMUS_EXPORT Names names_of(const Lowered& kernel);

/// Makes a launch's loop as short as its operands allow: axes of length 1 go, axes of a map are
/// ordered by the first output, and axes that step as one are merged. The order of reduced axes
/// stays, since it is the order of summation. Axes that the program reads as an index stay.
ISTHMUS_EXPORT void simplify(Program& program, Dims& shape, int& kept, std::span<Argument> inputs,
                             std::span<Argument> epilogue_inputs, std::span<Argument> outputs);

}  // namespace isthmus::inline ISTHMUS_ABI
