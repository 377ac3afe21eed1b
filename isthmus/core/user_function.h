// user_function.h: a function that a user wrote, as a step of kernels.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "isthmus/base/ref.h"
#include "isthmus/core/step.h"

namespace isthmus::inline ISTHMUS_ABI {

/// A struct as users' texts name it.
struct UserStruct {
  std::string name;  ///< In C.
  DType dtype;
  std::string text;  ///< Its definition.
  friend bool operator==(const UserStruct&, const UserStruct&) = default;
};

/// So many can be known in one kernel.
inline constexpr std::size_t most_structs = 16;

/// What a text calculates, in our own operations. Value v is parameter v, behind them come the
/// numbers, then the results of the steps.
struct UserSteps {
  std::vector<Scalar> numbers;
  std::vector<Step> steps;
  std::uint16_t result = 0;
  /// Whether it calculates with float64, which compilers for a device without it read as float32.
  bool has_fp64 = false;
};

/// Text in the language of devices that compile, for dtypes that are known. Never changed.
struct UserFunction : detail::Counted<UserFunction> {
  struct Parameter {
    DType type = TypeId::float32;
    bool is_raw = false;  ///< A pointer to all of an array, not one element.
  };
  std::string shown;     ///< What users call it.
  std::string name;      ///< Of the C function; other texts have other names.
  std::string text;      ///< Its definition.
  std::string preamble;  ///< What stands before it: kernels hold one at most.
  std::string options;   ///< Of the compiler, of all that a kernel with it calculates; or empty.
  std::string identity;  ///< Of one that combines: a call of a function of `text`; empty: none.
  /// @{
  /// Macros that the text, and the preamble, define or undefine: what stands behind them in a
  /// kernel has them as they were before.
  std::vector<std::string> macros, preamble_macros;
  /// @}
  bool is_alone = false;  ///< Its text does to macros what is not known: no other stands behind it.
  /// Its definition on vectors of the one type that all its parameters and its result have, which
  /// is written VECTOR; empty where its text means something else there.
  std::string vector_text;
  std::vector<Parameter> parameters;
  DType result = TypeId::float32;
  /// What it gives to the bit, but for functions of a library, which round within the same bounds.
  /// Nothing if its text was not read.
  std::optional<UserSteps> steps;
  /// Those that its texts name, each behind the ones that it has as fields.
  std::vector<UserStruct> structs;
};

/// Equal where the texts are; null is equal to null.
struct UserFunctionRef {
  detail::Ref<UserFunction> ref;
  UserFunction* operator->() const { return ref.get(); }
  explicit operator bool() const { return bool(ref); }
  friend bool operator==(const UserFunctionRef& a, const UserFunctionRef& b) {
    if (a.ref == b.ref) return true;
    return a.ref && b.ref && a->name == b->name && a->text == b->text &&
           a->preamble == b->preamble && a->options == b->options && a->identity == b->identity &&
           a->structs == b->structs;
  }
};

}  // namespace isthmus::inline ISTHMUS_ABI
