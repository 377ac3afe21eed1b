// errors.h: what a call throws.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "isthmus/base/error.h"

namespace isthmus {

/// The text of the error that f() throws, which must have this code.
template <class F>
std::string error_of(Errc code, F f) {
  try {
    f();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), code) << error.what();
    return error.what();
  }
  return "no error";
}

/// The code of the error that f() throws.
template <class F>
Errc code_of(F f) {
  try {
    f();
  } catch (const Error& error) {
    return error.code();
  }
  ADD_FAILURE() << "nothing was thrown";
  return Errc::interrupted;
}

}  // namespace isthmus
