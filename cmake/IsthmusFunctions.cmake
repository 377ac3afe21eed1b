# isthmus_functions(): writes the header that declares, each with a comment, the functions of ops.def,
# special.def and reductions.def and the operators of operators.def, so that editors and Doxygen see
# them. A row stays the whole change: isthmus/array/operations.cpp defines them by the same lists.
function(isthmus_functions output)
  set(quoted_end "[^\"]*\"[^\"]*\"[^\"]*\"[^\"]*\"\\)")
  isthmus_rows(ops isthmus/core/ops.def OP "${quoted_end}")
  isthmus_rows(special isthmus/core/special.def OP "${quoted_end}")
  isthmus_rows(reductions isthmus/core/reductions.def REDUCTION "${quoted_end}")
  isthmus_rows(operators isthmus/array/operators.def "(OPERATOR|IN_PLACE)" "[^\n]*\\)")
  set(text "")
  foreach(row IN LISTS special)
    isthmus_declare_op("${row}")
  endforeach()
  isthmus_unmark(text)
  set(special_text "${text}")
  set(text "")
  foreach(row IN LISTS ops)
    isthmus_declare_op("${row}")
  endforeach()
  isthmus_section("Reductions")
  foreach(row IN LISTS reductions)
    isthmus_declare_reduction("${row}")
  endforeach()
  isthmus_section("Operators\n/// && and || calculate both sides, element by element.")
  foreach(row IN LISTS operators)
    isthmus_declare_operator("${row}")
  endforeach()
  isthmus_unmark(text)
  file(CONFIGURE OUTPUT ${output} @ONLY CONTENT [[
// operations.h: the element-wise functions, the reductions and the operators. Made by CMake from
// ops.def, special.def, reductions.def and operators.def; functions.h has the
// other functions.
#pragma once

#include "isthmus/array/array.h"

namespace isthmus::inline ISTHMUS_ABI {

// Operands are arrays and numbers in any combination; at least one must be an array. A call finds
// these functions by its argument: sin(x), also after `using std::sin`. Results are new and
// pending. Names and meanings are those of the Array API 2025.12, where it has them.
//
// A temporary array is released by the call: its value is calculated within the kernel that needs
// it, and not written to memory of its own.

@text@
/// @}

/// Mathematical functions that are not in the Array API. Call them by their full name, such as
/// isthmus::special::erf(x).
namespace special {

@special_text@
/// @}

}  // namespace special

}  // namespace isthmus::inline ISTHMUS_ABI
]])
endfunction()

# The rows of a list, from their macro to what ends them, each with the line that begins a section.
function(isthmus_rows rows file macro end)
  set(file ${PROJECT_SOURCE_DIR}/${file})
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
  file(READ ${file} text)
  isthmus_mark(text)
  string(REGEX MATCHALL "\n${macro}\\(" begun "${text}")
  string(REGEX MATCHALL "(\n\n// [^\n]*)?\n${macro}\\(${end}" found "${text}")
  list(LENGTH begun expected)
  list(LENGTH found count)
  if(count EQUAL 0 OR NOT count EQUAL expected)
    message(FATAL_ERROR "${file}: of ${expected} rows ${count} were understood")
  endif()
  set(${rows} "${found}" PARENT_SCOPE)
endfunction()

# Semicolons and brackets, which lists of CMake would be parted and joined at, as other characters.
function(isthmus_mark variable)
  string(ASCII 1 semicolon)
  string(ASCII 2 left)
  string(ASCII 3 right)
  string(REPLACE ";" "${semicolon}" marked "${${variable}}")
  string(REPLACE "[" "${left}" marked "${marked}")
  string(REPLACE "]" "${right}" marked "${marked}")
  set(${variable} "${marked}" PARENT_SCOPE)
endfunction()

function(isthmus_unmark variable)
  string(ASCII 1 semicolon)
  string(ASCII 2 left)
  string(ASCII 3 right)
  string(REPLACE "${semicolon}" ";" plain "${${variable}}")
  string(REPLACE "${left}" "[" plain "${plain}")
  string(REPLACE "${right}" "]" plain "${plain}")
  set(${variable} "${plain}" PARENT_SCOPE)
endfunction()

# The functions below append to `text` of their caller.

function(isthmus_section title)
  if(NOT text STREQUAL "")
    string(APPEND text "/// @}\n\n")
  endif()
  set(text "${text}/// @name ${title}\n/// @{\n" PARENT_SCOPE)
endfunction()

# A declaration after its comment, whose lines are broken at column 100 and, where a third argument
# says so, indented.
function(isthmus_declare comment declaration)
  isthmus_mark(comment)
  string(REPLACE "\n" ";" lines "${comment}")
  foreach(sentences IN LISTS lines)
    string(REPLACE " " ";" words "${sentences}")
    set(line "${ARGN}///")
    foreach(word IN LISTS words)
      string(LENGTH "${line} ${word}" length)
      if(length GREATER 100)
        string(APPEND text "${line}\n")
        set(line "${ARGN}///")
      endif()
      string(APPEND line " ${word}")
    endforeach()
    string(APPEND text "${line}\n")
  endforeach()
  set(text "${text}${declaration}\n" PARENT_SCOPE)
endfunction()

# "bools, integers and floats": the families whose expression is not NONE.
function(isthmus_families expressions families)
  while(expressions MATCHES "\\([^()]*\\)")  # a comma within brackets parts nothing
    string(REGEX REPLACE "\\([^()]*\\)" "_" expressions "${expressions}")
  endwhile()
  string(REGEX REPLACE "[ \n]*,[ \n]*" ";" expressions "${expressions}")
  set(names bools integers floats "complex numbers")
  set(found "")
  foreach(expression name IN ZIP_LISTS expressions names)
    string(STRIP "${expression}" expression)
    if(NOT expression STREQUAL "NONE")
      list(APPEND found "${name}")
    endif()
  endforeach()
  list(JOIN found ", " joined)
  string(REGEX REPLACE ", ([^,]*)$" " and \\1" joined "${joined}")
  set(${families} "${joined}" PARENT_SCOPE)
endfunction()

function(isthmus_declare_op row)
  if(row MATCHES "^\n\n// ([^\n]*)")
    isthmus_section("${CMAKE_MATCH_1}")
  endif()
  if(NOT row MATCHES "\nOP\\(([a-z0-9_]+), *([123]), *([a-z0-9_]+), *([a-z0-9_]+),([^\"]*),")
    message(FATAL_ERROR "ops.def: no name, arity, rule and promotes in:${row}")
  endif()
  set(name ${CMAKE_MATCH_1})
  set(arity ${CMAKE_MATCH_2})
  set(rule ${CMAKE_MATCH_3})
  set(promotes ${CMAKE_MATCH_4})
  isthmus_families("${CMAKE_MATCH_5}" families)
  if(NOT row MATCHES "\", *([^ ,]+), *([^ ,]+), *([0-9]+), *([0-9]+), *\"([^\"]*)\"\\)$")
    message(FATAL_ERROR "ops.def: no lo, hi, ulp, complex_ulp and summary in:${row}")
  endif()
  set(range "[${CMAKE_MATCH_1}, ${CMAKE_MATCH_2}]")
  string(REPLACE ".0" "" range "${range}")
  set(ulp ${CMAKE_MATCH_3})
  set(complex_ulp ${CMAKE_MATCH_4})
  set(comment "${CMAKE_MATCH_5}\n\nTakes ${families}")

  if(promotes STREQUAL "none")
    string(APPEND comment ".")
  else()
    string(REGEX REPLACE "fitting|leading" "the smallest float that holds them" float "${promotes}")
    string(APPEND comment "; calculates bools and integers as ${float}.")
  endif()
  if(rule STREQUAL "boolean")
    string(APPEND comment " The result is bool.")
  elseif(rule STREQUAL "int32")
    string(APPEND comment " The result is int32.")
  elseif(rule STREQUAL "real_part")
    string(APPEND comment " The result has the dtype of x, or of the parts of a complex x.")
  elseif(promotes STREQUAL "leading")
    string(APPEND comment " The result has the dtype in which x is calculated.")
  elseif(NOT promotes STREQUAL "none")
    string(APPEND comment " The result has the dtype in which it is calculated.")
  elseif(name STREQUAL "where")  # x only chooses
    string(APPEND comment " The result has the common dtype of y and z.")
  elseif(arity GREATER 1)
    string(APPEND comment " The result has the common dtype of the operands.")
  else()
    string(APPEND comment " The result has the dtype of x.")
  endif()
  set(bounds "")
  if(ulp GREATER 0 AND families MATCHES "floats")
    list(APPEND bounds "${ulp} ulp for float32 and float64 in ${range}")
  endif()
  if(complex_ulp GREATER 0 AND families MATCHES "complex")
    list(APPEND bounds "${complex_ulp} ulp of the larger part for complex numbers")
  endif()
  if(bounds)
    list(JOIN bounds "; " bounds)
    string(APPEND comment "\nAccuracy: ${bounds}.")
  endif()
  if(arity EQUAL 1)
    string(APPEND comment "\nThrows TypeError for other dtypes.")
  else()
    string(APPEND comment
           "\nThrows TypeError, PromotionError, OverflowError, ValueError and "
           "DeviceMismatchError; see apply().")
  endif()
  isthmus_declare_overloads(${name} ${arity} "${comment}" "${name}")
  set(text "${text}" PARENT_SCOPE)
endfunction()

# One function for each mix of arrays and numbers. The first one has the whole comment.
function(isthmus_declare_overloads function arity comment)
  set(of_1 "Array x")
  set(of_2 "Array x, Array y" "Array x, const Value& y" "const Value& x, Array y")
  set(of_3 "Array x, const Value& y, const Value& z")
  isthmus_unmark(comment)
  string(REGEX REPLACE "([\;\n]|\\.[ \n]).*" "" brief "${comment}")
  string(APPEND text "\n")
  foreach(parameters IN LISTS of_${arity})
    isthmus_declare("${comment}" "ISTHMUS_EXPORT Array ${function}(${parameters});")
    set(comment "${brief}; see ${function}(Array, Array).")
  endforeach()
  set(text "${text}" PARENT_SCOPE)
endfunction()

function(isthmus_declare_reduction row)
  if(NOT row MATCHES "\nREDUCTION\\(([a-z0-9_]+), *([a-z]+),([^\"]*), *([^\",]+), *\"[^\"]*\", *\"([^\"]*)\"\\)$")
    message(FATAL_ERROR "reductions.def: no name, rule, identity and summary in:${row}")
  endif()
  set(name ${CMAKE_MATCH_1})
  set(rule ${CMAKE_MATCH_2})
  set(identity ${CMAKE_MATCH_4})
  set(comment "${CMAKE_MATCH_5}\n\nOver all axes, or some: ${name}(x, 0), ${name}(x, {0, -1}). ")
  string(APPEND comment "${name}(x, 0, true) keeps the axes with length 1.")
  isthmus_families("${CMAKE_MATCH_3}" families)
  set(declaration "ISTHMUS_EXPORT Array ${name}(")
  string(LENGTH "${declaration}" length)
  string(REPEAT " " ${length} indent)
  set(parameters "Array x, const AxisSet& axes = all_axes, Flag keepdims = false")
  string(APPEND declaration "${parameters}")
  if(rule STREQUAL "widen")
    string(APPEND declaration ",\n${indent}std::optional<DType> dtype = {}")
    string(APPEND comment "\nTakes bools, ${families}; calculates in `dtype`, else bools and signed "
           "integers as int64, unsigned ones as uint64. The result has the dtype in which it is "
           "calculated.")
  elseif(rule STREQUAL "boolean")
    string(APPEND comment "\nTakes all dtypes but structs. The result is bool.")
  else()
    string(APPEND comment "\nTakes ${families}. The result has the dtype of x.")
  endif()
  string(APPEND comment "\nThrows TypeError for other dtypes, IndexError for an axis out of range, "
         "ValueError for a repeated axis")
  if(identity STREQUAL "NONE")
    string(APPEND comment " and for no elements")
  endif()
  string(APPEND text "\n")
  isthmus_declare("${comment}." "${declaration});")
  if(rule STREQUAL "widen")
    isthmus_declare("The same with the dtype as a C++ type: ${name}<double>(x)."
      "template <Element T>
Array ${name}(${parameters}) {
  return ${name}(std::move(x), axes, keepdims, dtype_of_type<T>());
}")
  endif()
  set(text "${text}" PARENT_SCOPE)
endfunction()

function(isthmus_declare_operator row)
  string(APPEND text "\n")
  if(row MATCHES "\nOPERATOR\\((.+), *1, *([a-z_]+)\\)")
    isthmus_declare("${CMAKE_MATCH_2}(x)." "ISTHMUS_EXPORT Array operator${CMAKE_MATCH_1}(Array x);")
  elseif(row MATCHES "\nOPERATOR\\((.+), *2, *([a-z_]+)\\)")
    set(operator "operator${CMAKE_MATCH_1}")
    set(name ${CMAKE_MATCH_2})
    # templates, so that bool && Array is not the language's own: an array converts to bool, to
    # be refused
    isthmus_declare("${name}(x, y)." "ISTHMUS_EXPORT Array ${operator}(Array x, Array y);")
    isthmus_declare("${name}(x, y)."
      "Array ${operator}(Array x, Number auto y) { return ${name}(std::move(x), y); }")
    isthmus_declare("${name}(x, y)."
      "Array ${operator}(Number auto x, Array y) { return ${name}(x, std::move(y)); }")
  elseif(row MATCHES "\nIN_PLACE\\((.+), *([a-z_]+)\\)")
    set(operator "operator${CMAKE_MATCH_1}")
    set(comment "${CMAKE_MATCH_2}(x, y), written to x, which may be a view; see apply_in_place().")
    isthmus_declare("${comment}"
      "ISTHMUS_EXPORT const Array& ${operator}(const Array& x, const Value& y);")
    isthmus_declare("${comment}" "ISTHMUS_EXPORT Array ${operator}(Array&& x, const Value& y);")
    string(CONCAT refused "template <detail::AnyElementRange R>\n"
           "  requires(!std::convertible_to<const R&, Value>)\n"
           "Array ${operator}(const Array&, const R&) = delete;  // "
           "make an array first, x ${CMAKE_MATCH_1} Array(range)")
    isthmus_declare("Does not compile: the program must say whether the elements are copied."
                    "${refused}")
  else()
    message(FATAL_ERROR "operators.def: no operator in:${row}")
  endif()
  set(text "${text}" PARENT_SCOPE)
endfunction()
