// prelude.h: the helper functions that a kernel's text calls, each printed once.
#pragma once

#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "isthmus/codegen/program.h"

namespace isthmus::emitting {

/// The C name of the type that values of a dtype are calculated in.
std::string_view c_type(TypeId type);
/// The same, of `width` values at once.
std::string vector_type(TypeId type, int width);
/// Whether an expression whose result has its operands' type means the same on vectors of OpenCL,
/// as operators and choices do, and functions of the language; but no helpers of ours.
bool is_vectorizable(std::string_view expression);
/// The C name of an element in memory. Moved: only its bits matter, and no double is named.
std::string_view memory_type(TypeId type, bool is_moved);

/// What a kernel calls a state and the functions of it.
struct StateNames {
  std::string type, make, lift = {}, combine = {}, finish = {};
  std::vector<std::pair<std::string, std::string>> fields = {};  ///< Type and name of each.
  // Of several reductions: what their elements are together, and what each gives of a state `total`
  std::string elements = {}, make_elements = {};
  std::vector<std::string> results = {};
};

/// One of several reductions: a row, and the type that the elements are held as that it combines,
/// or makes states of.
struct HeldReduction {
  Reduction reduction = Reduction::sum;
  TypeId type = TypeId::float32;
};

/// Collects functions while kernels are printed; each `need` returns the name to call.
class Prelude {
 public:
  /// A type that a kernel names.
  void need_type(std::string_view c_name) { types_.insert(c_name); }
  /// A function of the .inc files, on `type`.
  std::string need(std::string_view function, TypeId type);
  /// `width`: on so many values at once, as a vector type; 1 for plain ones.
  std::string need_op(Op op, TypeId type, int width = 1);
  /// An operation that draws, of a position and the two halves of its block of random bits.
  std::string need_drawn(Op op, TypeId type);
  std::string need_cast(TypeId from, TypeId to);
  std::string need_combine(Reduction reduction, TypeId type, int width = 1);
  /// A reduction with a state, of elements that are held as `type`.
  StateNames need_state(Reduction reduction, TypeId type);
  /// The same of a row that chooses, for `width` states at once: places are as long as elements,
  /// and `combine` only says where x is chosen.
  StateNames need_state_vectors(Reduction reduction, TypeId type, int width);
  /// Several reductions at once, as a state whose fields are their values, or the fields of their
  /// states. Their elements make it, or are lifted to it at a position if any of them has a state;
  /// there is no `finish`.
  StateNames need_states(std::span<const HeldReduction> reductions);
  /// A user's function; of `width` values at once, as a vector type, if it is more than 1.
  std::string need_user(const UserFunctionRef& function, int width = 1);
  /// Gives the structs of a program the names of their types, c_type(struct_type(place)).
  void name_structs(std::span<const UserStruct> structs);
  /// What a user's text names of complex numbers: types, and functions as cfloat_mul; those as
  /// complex_mul for the complex ones of `types`.
  void need_words(std::string_view text, std::span<const TypeId> types = {});
  /// All that users' texts can name of a complex type.
  void need_all_words(TypeId type);

  /// The text of all that was asked for; `function` is how the language begins a function.
  std::string print(std::string_view function) const;

 private:
  std::string need_expression(std::string name, std::string_view result, std::string parameters,
                              std::string_view expression, TypeId type, int width = 1);
  void define_state(const StateNames& names);
  void need_calls(std::string_view text, TypeId type, bool is_generic = false);
  void need_named(std::string_view name, TypeId type, bool is_generic);

  struct Place {
    int function;  ///< In the order of the files, callees first.
    TypeId type;
    bool is_generic = false;  ///< Named complex_mul, not cfloat_mul.
    friend auto operator<=>(const Place&, const Place&) = default;
  };
  std::set<std::string_view> types_;
  std::set<Place> library_;
  std::vector<std::pair<std::string, std::string>> own_;  ///< Name and text.
  std::vector<UserFunctionRef> users_;
  std::vector<std::pair<UserFunctionRef, int>> user_vectors_;  ///< With their widths.
  std::vector<UserStruct> structs_;
  std::string named_structs_;         ///< Type definitions.
  std::set<std::string_view> casts_;  ///< "cfloat", where cfloat_cast is named.
  bool is_for_users_ = false;         ///< Whether users' texts see the types.
};

/// A text whose kernels are a user's own, with the definitions of what it names of complex numbers
/// in the place of `#include <pyopencl-complex.h>`, or of <isthmus-complex.h>, which is the same.
/// Lines keep their numbers.
std::string with_complex_header(std::string_view text);
/// The same without the definitions.
std::string without_complex_header(std::string_view text);

}  // namespace isthmus::emitting
