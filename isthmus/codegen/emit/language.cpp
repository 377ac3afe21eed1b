// language.cpp: what kernel languages spell differently, as data.
#include "isthmus/codegen/emit/language.h"

namespace isthmus::emitting {

namespace {

constexpr Language opencl_c{
    .preamble = R"(#pragma OPENCL FP_CONTRACT OFF

)",
    .function = "static __attribute__((overloadable))",
    .kernel = "__kernel void ",
    .lone_kernel = "__kernel __attribute__((reqd_work_group_size(1, 1, 1))) void ",
    .global = "__global ",
    .local = "__local ",
    .position = {"get_global_id(0)", "get_global_id(1)", "get_global_id(2)"},
    .local_position = {"get_local_id(0)", "get_local_id(1)", "get_local_id(2)"},
    .local_size = {"get_local_size(0)", "get_local_size(1)", "get_local_size(2)"},
    .has_vectors = true,
    .local_barrier = "barrier(CLK_LOCAL_MEM_FENCE)",
    .global_barrier = "barrier(CLK_GLOBAL_MEM_FENCE)",
};

}  // namespace

const Language& language(Dialect dialect) {
  static_cast<void>(dialect);
  return opencl_c;
}

}  // namespace isthmus::emitting
