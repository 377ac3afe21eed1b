# Compiles cases.cpp with one case defined, and fails unless the compiler does, with the words of
# the case; without a case, unless it compiles.
# cmake -DCOMPILER= -DINCLUDE= -DUSE= -DFILE= [-DCASE=] -P check.cmake; USE: the options that use the
# compiled header.
if(CASE)
  set(define -D${CASE})
  file(STRINGS ${FILE} line REGEX "^ *// CASE ${CASE}: ")
  string(REGEX REPLACE "^ *// CASE ${CASE}: " "" words "${line}")
  if(NOT words)
    message(FATAL_ERROR "${FILE} has no case ${CASE}")
  endif()
endif()
# What [[nodiscard]] warns of is an error here. The compilers have two names for it.
set(strict -Werror=unused-result -Werror=unused-value)
execute_process(COMMAND ${COMPILER} -std=c++20 ${strict} -fsyntax-only -I${INCLUDE} ${USE} ${define}
                        ${FILE}
                RESULT_VARIABLE status ERROR_VARIABLE said OUTPUT_VARIABLE said)
if(NOT CASE)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "the control does not compile:\n${said}")
  endif()
  return()
endif()
if(status EQUAL 0)
  message(FATAL_ERROR "${CASE} compiles")
endif()
string(REGEX REPLACE "[ \n]+" " " text "${said}")
string(FIND "${text}" "${words}" at)
if(at EQUAL -1)
  message(FATAL_ERROR "${CASE} does not compile, but nobody says \"${words}\":\n${said}")
endif()
