// infer.h: what an operation gives, or the error, before anything is made.
#pragma once

#include "isthmus/array/array.h"
#include "isthmus/graph/node.h"

namespace isthmus::inline ISTHMUS_ABI {

/// What an operation gives.
struct Inferred {
  DType type;                   ///< It is calculated in that,
  DType given;                  ///< and the result has that.
  Device device;                ///< Where its operands are, and the result.
  Layout layout;                ///< Of the result, over the shape that operands are broadcast to.
  bool stretches;               ///< Whether an array among them has another shape than that.
  Ref<BackendContext> context;  ///< See Node::context.
};

/// What a row of ops.def gives of these operands. Throws as apply() does.
Inferred infer(Op op, std::span<const Value> operands);

/// The dtype that operands have in common, for a call that is made of several operations: throws in
/// its name as an operation of them does, type for numbers alone, promotion, device_mismatch, and
/// value for shapes that do not broadcast.
DType common_dtype_of(std::string_view who, std::span<const Value> operands);

}  // namespace isthmus::inline ISTHMUS_ABI
