// language.h: what kernel languages spell differently, as data.
#pragma once

#include <string_view>

#include "isthmus/codegen/emit.h"

namespace isthmus::emitting {

struct Language {
  std::string_view preamble;  ///< First in every text; names of types, and as_float and its like.
  std::string_view ending;    ///< Last in every text.
  std::string_view function;  ///< Begins a helper, which may be overloaded.
  std::string_view kernel;    ///< Begins a kernel.
  std::string_view lone_kernel;  ///< Begins a kernel whose work-groups are one item each.
  std::string_view global;       ///< Before the type that a pointer parameter points to.
  std::string_view local;        ///< Begins an array that a work-group shares.
  std::string_view position[3];  ///< Of the work-item in the whole range.
  std::string_view local_position[3];
  std::string_view local_size[3];
  bool has_vectors;  ///< float16 of sixteen floats, and its vload16.
  /// Before a loop that adds up, one row of the next: Intel's compiler (2026.2) would take several
  /// rows at once, and add them up apart. And before one that counts in an array of its work-item:
  /// PoCL's (3.1, LLVM 15) would lose counts of equal ones in a vector. And before loops of a few
  /// turns, of which compilers would make several forms: a third of the time of a build.
  std::string_view in_order;
  std::string_view local_barrier;   ///< For the work-group, with what it shares.
  std::string_view global_barrier;  ///< The same, with global memory.
};

const Language& language(Dialect dialect);

}  // namespace isthmus::emitting
