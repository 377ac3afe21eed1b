// user_function.h: a function that a user wrote, as a step of kernels.
#pragma once

#include <string>
#include <vector>

#include "isthmus/base/ref.h"
#include "isthmus/core/dtype.h"

namespace isthmus::inline ISTHMUS_ABI {

/// Text in the language of devices that compile, for dtypes that are known. Never changed.
struct UserFunction : detail::Counted<UserFunction> {
  struct Parameter {
    TypeId type = TypeId::float32;
    bool is_raw = false;  ///< A pointer to all of an array, not one element.
  };
  std::string shown;     ///< What users call it.
  std::string name;      ///< Of the C function; other texts have other names.
  std::string text;      ///< Its definition.
  std::string preamble;  ///< What stands before it: kernels hold one at most.
  std::string identity;  ///< Of one that combines: C text; empty: none.
  /// Its definition on vectors of the one type that all its parameters and its result have, which
  /// is written VECTOR; empty where its text means something else there.
  std::string vector_text;
  std::vector<Parameter> parameters;
  TypeId result = TypeId::float32;
};

/// Equal where the texts are; null is equal to null.
struct UserFunctionRef {
  detail::Ref<UserFunction> ref;
  UserFunction* operator->() const { return ref.get(); }
  explicit operator bool() const { return bool(ref); }
  friend bool operator==(const UserFunctionRef& a, const UserFunctionRef& b) {
    if (a.ref == b.ref) return true;
    return a.ref && b.ref && a->name == b->name && a->text == b->text &&
           a->preamble == b->preamble && a->identity == b->identity;
  }
};

}  // namespace isthmus::inline ISTHMUS_ABI
