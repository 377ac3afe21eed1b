# isthmus_lists(): writes the headers that declare what the rows of the lists name, each with a
# comment: error codes and classes, dtypes, operations and reductions. Editors and Doxygen see them
# there; a row stays the whole change. It uses the functions of IsthmusFunctions.cmake.
function(isthmus_lists folder)
  set(quoted_end "[^\"]*\"[^\"]*\"[^\"]*\"[^\"]*\"\\)")
  isthmus_rows(errors isthmus/base/errors.def "(ERRC|ERROR_GROUP)" "[^\"]*\"[^\"]*\"\\)")
  isthmus_rows(dtypes isthmus/core/dtypes.def DTYPE "[^\"]*\"[^\"]*\"\\)")
  isthmus_rows(ops isthmus/core/ops.def OP "${quoted_end}")
  isthmus_rows(special isthmus/core/special.def OP "${quoted_end}")
  isthmus_rows(randoms isthmus/core/random.def RANDOM "[^\"]*\"[^\"]*\"\\)")
  isthmus_rows(reductions isthmus/core/reductions.def REDUCTION "${quoted_end}")
  isthmus_rows(states isthmus/core/reductions.def STATE "${quoted_end}")

  set(text "")
  foreach(row IN LISTS errors)
    if(row MATCHES "ERRC\\(([a-z_]+), *([A-Za-z]+),[^\"]*\"([^\"]*)\"")
      isthmus_declare("${CMAKE_MATCH_2}: ${CMAKE_MATCH_3}." "  ${CMAKE_MATCH_1}," "  ")
    endif()
  endforeach()
  isthmus_header(${folder} base/errc.h "the codes of errors" "errors.def" "isthmus/base/export.h"
"/// What went wrong, as far as a caller can act on it. Each code has its own class.
enum class Errc {
${text}};")

  set(text "")
  foreach(row IN LISTS errors)
    isthmus_declare_error("${row}")
  endforeach()
  string(STRIP "${text}" text)
  isthmus_header(${folder} base/error_classes.h "the classes of errors" "errors.def"
                 "isthmus/base/error_base.h" "${text}")

  set(text "")
  set(constants "")
  foreach(row IN LISTS dtypes)
    if(NOT row MATCHES "DTYPE\\(([a-z0-9_]+),[^\"]*, *([a-z]+), *([0-9]+), *[0-9]+, *\"")
      message(FATAL_ERROR "dtypes.def: no name, family and bits in:${row}")
    endif()
    set(name ${CMAKE_MATCH_1})
    set(words_boolean "Truth values, a byte of 0 or 1 each.")
    set(words_integer "Signed integers of ${CMAKE_MATCH_3} bits.")
    set(words_natural "Unsigned integers of ${CMAKE_MATCH_3} bits.")
    set(words_real "Reals of ${CMAKE_MATCH_3} bits.")
    set(words_complex "Complex numbers of ${CMAKE_MATCH_3} bits, half of them for each part.")
    if(name STREQUAL "bfloat16")
      set(words_real "Reals of 16 bits with the exponents of float32.")
    endif()
    isthmus_declare("${words_${CMAKE_MATCH_2}}" "  ${name}," "  ")
    string(APPEND constants "/// ${words_${CMAKE_MATCH_2}}\n"
           "inline constexpr DType ${name}{TypeId::${name}};\n")
  endforeach()
  isthmus_declare("A C struct or an OpenCL vector type." "  record," "  ")
  isthmus_header(${folder} core/type_id.h "the built-in dtypes" "dtypes.def"
                 "isthmus/base/export.h"
"/// The built-in dtypes, then `record`.
enum class TypeId : std::uint8_t {
${text}};" cstdint)
  string(STRIP "${constants}" constants)
  isthmus_header(${folder} array/dtypes.h "the built-in dtypes by their names" "dtypes.def"
                 "isthmus/core/dtype.h" "${constants}")

  set(text "")
  foreach(row IN LISTS ops special)
    string(REGEX REPLACE ".*\"([^\"]*)\"\\)$" "\\1" summary "${row}")
    string(REGEX REPLACE ".*\nOP\\(([a-z0-9_]+).*" "\\1" name "${row}")
    isthmus_declare("${summary}" "  ${name}," "  ")
  endforeach()
  isthmus_declare("The number converted to another dtype." "  astype," "  ")
  isthmus_declare("The element of x at position y." "  load," "  ")
  isthmus_declare("The number of elements less than y among the first z elements of x, which are sorted."
                  "  search_left," "  ")
  isthmus_declare("The number of these elements that are not greater than y."
                  "  search_right," "  ")
  isthmus_declare("Writes x at position y of other memory, where y is not negative." "  store," "  ")
  isthmus_declare("A user-defined function of any number of operands." "  user," "  ")
  foreach(row IN LISTS randoms)
    string(REGEX REPLACE ".*\"([^\"]*)\"\\)$" "\\1" summary "${row}")
    string(REGEX REPLACE ".*\nRANDOM\\(([a-z0-9_]+).*" "\\1" name "${row}")
    isthmus_declare("${summary}" "  ${name}," "  ")
  endforeach()
  set(ops_text "${text}")
  set(text "")
  foreach(row IN LISTS reductions states)
    string(REGEX REPLACE ".*\"([^\"]*)\"\\)$" "\\1" summary "${row}")
    string(REGEX REPLACE ".*\n(REDUCTION|STATE)\\(([a-z0-9_]+).*" "\\2" name "${row}")
    isthmus_declare("${summary}" "  ${name}," "  ")
  endforeach()
  isthmus_unmark(text)
  isthmus_unmark(ops_text)
  isthmus_header(${folder} core/op.h "the names of operations and reductions"
                 "the lists of core" "isthmus/base/export.h"
"/// Every element-wise operation; then those without rows: `astype` has two dtypes, and the others
/// read their first operand at any position; then the operations of random numbers.
enum class Op : std::uint16_t {
${ops_text}};

/// Every reduction: a combine step over operand values and an identity; then those that combine
/// states: elements are lifted to states, and the last state gives the result.
enum class Reduction : std::uint8_t {
${text}};" cstdint)
endfunction()

# "An invalid shape." of "an invalid shape".
function(isthmus_sentence words sentence)
  string(SUBSTRING "${words}" 0 1 first)
  string(SUBSTRING "${words}" 1 -1 rest)
  string(TOUPPER "${first}" first)
  set(${sentence} "${first}${rest}." PARENT_SCOPE)
endfunction()

# A header: its name, what it is for, the lists it is made of, what it includes, and its text.
function(isthmus_header folder name purpose lists include text)
  cmake_path(GET name FILENAME file)
  set(standard "")
  if(ARGN)
    set(standard "#include <${ARGN}>\n\n")
  endif()
  file(CONFIGURE OUTPUT ${folder}/${name} @ONLY CONTENT [[
// @file@: @purpose@. Made by CMake from @lists@.
#pragma once

@standard@#include "@include@"

namespace isthmus::inline ISTHMUS_ABI {

@text@

}  // namespace isthmus::inline ISTHMUS_ABI
]])
endfunction()

# Appends a class of errors.def to `text` of its caller.
function(isthmus_declare_error row)
  if(row MATCHES "ERROR_GROUP\\(([A-Za-z]+), *([A-Za-z]+), *\"([^\"]*)\"")
    set(class ${CMAKE_MATCH_1})
    set(base ${CMAKE_MATCH_2})
    isthmus_sentence("${CMAKE_MATCH_3}" sentence)
    isthmus_declare("${sentence} A base class only."
"class ISTHMUS_EXPORT ${class} : public ${base} {
 public:
  ~${class}() override;

 protected:
  /// @{
  /// For derived classes.
  using ${base}::${base};
  ${class}(const ${class}&) = default;
  ${class}& operator=(const ${class}&) = default;
  /// @}
};
")
  elseif(row MATCHES "ERRC\\(([a-z_]+), *([A-Za-z]+), *([A-Za-z]+), *\"([^\"]*)\"")
    set(code ${CMAKE_MATCH_1})
    set(class ${CMAKE_MATCH_2})
    set(base ${CMAKE_MATCH_3})
    isthmus_sentence("${CMAKE_MATCH_4}" sentence)
    isthmus_declare("${sentence} Its code is Errc::${code}."
"class ISTHMUS_EXPORT ${class} : public ${base} {
 public:
  /// With this message; only CompileError has details.
  explicit ${class}(const std::string& what, Details details = {})
      : ${class}(Errc::${code}, what, std::move(details)) {}
  /// @{
  /// The same error.
  ${class}(const ${class}&) = default;
  ${class}& operator=(const ${class}&) = default;
  /// @}
  ~${class}() override;
  [[noreturn]] void raise() const override;
  std::shared_ptr<const Error> share() const override;

 protected:
  /// For derived classes, which have their own codes.
  ${class}(Errc code, const std::string& what, Details details)
      : ${base}(code, what, std::move(details)) {}
};
")
  else()
    message(FATAL_ERROR "errors.def: no class in:${row}")
  endif()
  set(text "${text}" PARENT_SCOPE)
endfunction()
