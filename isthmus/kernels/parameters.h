// parameters.h: arguments of users' kernels, as their parameters take them.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "isthmus/kernels/raw_kernel.h"
#include "isthmus/runtime/backend.h"

namespace isthmus::inline ISTHMUS_ABI::detail {

/// The arguments of one call.
struct BoundCall {
  using Number = std::array<std::byte, 16>;
  SmallVector<CallArgument, 8> arguments;
  std::vector<Number> numbers;  ///< What arguments point to, as to the bytes that they were given.
  SmallVector<BackendMemory*, 8> reads, writes;
};

/// A name that a text gives to a type.
struct Typedef {
  std::string name, type;  ///< "real", "float".
};
/// Those of names alone, each once; none that the text gives to two types, by conditions, say.
std::vector<Typedef> typedefs_of(std::string_view text);

/// Throws TypeError, ValueError or OverflowError, naming the parameter, for what does not fit.
/// Arrays have been evaluated.
BoundCall bind(std::string_view kernel, std::span<const Parameter> parameters,
               std::span<const KernelArgument> arguments, std::span<const Typedef> typedefs);

}  // namespace isthmus::inline ISTHMUS_ABI::detail
