// function_text.h: users' parameters and expressions as functions of a kernel.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "isthmus/array/array.h"
#include "isthmus/base/mutex.h"
#include "isthmus/kernels/compiler_options.h"
#include "isthmus/kernels/struct_text.h"

namespace isthmus::inline ISTHMUS_ABI::detail {

/// One parameter of "float32 x, raw T y".
struct KernelParameter {
  std::string name;
  char placeholder = 0;       ///< T; 0 if the type is written out.
  std::optional<DType> type;  ///< Nothing for a placeholder.
  bool is_raw = false;        ///< All of an array, which the text indexes itself.
};

/// Throws ValueError, quoting what it does not understand.
std::vector<KernelParameter> parse_parameters(std::string_view who, std::string_view text,
                                              std::span<const UserStruct> structs);
/// As users write it: a name of a struct, of a dtype, or a capital letter.
std::string type_text(const KernelParameter& parameter, std::span<const UserStruct> structs);

/// Dtypes of placeholders, by letter.
using Placeholders = std::map<char, DType>;
DType type_of(const KernelParameter& parameter, const Placeholders& types);

/// Whether a text names the number of the element, i, and how many there are, n.
struct Numbering {
  bool has_index = false, has_count = false;
};
Numbering numbering_of(std::string_view text);
/// Whether a word is among those of a text.
bool names(std::string_view text, std::string_view word);
/// Throws ValueError for an output that stands neither in the text, which is to assign it, nor in
/// the preamble, whose macros may, but for comments and texts in quotes: it would be whatever was
/// in memory.
void check_assigned(std::string_view who, std::span<const KernelParameter> out,
                    std::string_view text, std::string_view preamble);
/// Throws ValueError for statements of a function, `what` of a kernel, that have `return`, which
/// would end it before its outputs are taken from it, or that surely assign an input.
void check_statements(std::string_view who, std::string_view what,
                      std::span<const KernelParameter> in, std::string_view text);
/// Whether a text begins to deal with a variable by giving it a value, on whatever way it goes. If
/// not, it may read what was there before, or leave it.
bool is_assigned_first(std::string_view text, std::string_view name);
/// A line, "z = 0;", for a variable of the dtype that a text may leave; nothing for structs.
std::string zeroed(const KernelParameter& variable, const Placeholders& types);

/// What was made for dtypes, so that it is made once. Any thread may ask.
template <class Made>
class MadeForTypes {
 public:
  MadeForTypes() = default;
  MadeForTypes(MadeForTypes&&) noexcept {}  ///< Nothing was made yet.

  template <class Make>
  std::shared_ptr<const Made> find(const Placeholders& types, Make make) const {
    {
      const std::lock_guard lock(mutex_);
      for (const auto& [known, made] : made_)
        if (known == types) return made;
    }
    auto made = std::make_shared<const Made>(make());
    const std::lock_guard lock(mutex_);
    made_.emplace_back(types, made);
    return made;
  }

 private:
  mutable Mutex mutex_;
  mutable std::vector<std::pair<Placeholders, std::shared_ptr<const Made>>> made_;
};

/// What a function is made of.
struct FunctionText {
  std::string shown, preamble;
  FunctionOptions options;
  std::string identity;  ///< Of a function that combines.
  DType result = TypeId::float32;
  std::vector<std::pair<std::string, UserFunction::Parameter>> parameters;
  std::vector<UserStruct> structs;             ///< That the texts may name.
  const Placeholders* placeholders = nullptr;  ///< Names of types in the body.
  std::string body;                            ///< Statements that return the result.
  std::string expression;          ///< What the body returns, if that is all there is to it.
  std::optional<UserSteps> steps;  ///< What the body calculates, if that was read.
};
/// How kernels spell the type of a variable of the dtype; that of a struct is among `structs`. A
/// bool is C's, which makes whatever is assigned 0 or 1.
std::string_view c_name(DType type, std::span<const UserStruct> structs);
/// Its name follows from its text.
UserFunctionRef make_function(const FunctionText& text);

/// The function of each element of `operands`, which have been cast to what it takes: numbers, and
/// arrays broadcast to `shape` or raw. Pending.
Array call_function(std::string_view who, const UserFunctionRef& function,
                    std::span<const Value> operands, const Shape& shape, const Device& device);

}  // namespace isthmus::inline ISTHMUS_ABI::detail
