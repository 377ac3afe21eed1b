// language.cpp: what kernel languages spell differently, as data.
#include "isthmus/codegen/emit/language.h"

namespace isthmus::emitting {

namespace {

/// Both languages come from clang; a compiler that is none passes over it.
constexpr std::string_view in_order =
    "#pragma clang loop unroll(disable) vectorize(disable) interleave(disable)\n";

/// Intel's compiler for CPUs makes vectors of work-items beside a kernel's plain form, also where
/// work-groups are one item each: half of the time of a build, and nothing runs them.
constexpr std::string_view opencl_lone_kernel =
    R"(__kernel __attribute__((reqd_work_group_size(1, 1, 1)))
#ifdef __has_attribute
#if __has_attribute(intel_vec_len_hint)
__attribute__((intel_vec_len_hint(1)))
#endif
#endif
void )";

constexpr Language opencl_c{
    .preamble = R"(#pragma OPENCL FP_CONTRACT OFF

)",
    .ending = "",
    .function = "static __attribute__((overloadable))",
    .kernel = "__kernel void ",
    .lone_kernel = opencl_lone_kernel,
    .global = "__global ",
    .local = "__local ",
    .position = {"get_global_id(0)", "get_global_id(1)", "get_global_id(2)"},
    .local_position = {"get_local_id(0)", "get_local_id(1)", "get_local_id(2)"},
    .local_size = {"get_local_size(0)", "get_local_size(1)", "get_local_size(2)"},
    .has_vectors = true,
    .in_order = in_order,
    .local_barrier = "barrier(CLK_LOCAL_MEM_FENCE)",
    .global_barrier = "barrier(CLK_GLOBAL_MEM_FENCE)",
};

/// Names are looked up in a namespace of its own first, where those of <cmath> are not.
constexpr Language sycl{
    .preamble = R"(#include <cmath>
#include <sycl/atomic_ref.hpp>
#include <sycl/builtins.hpp>
#include <sycl/ext/oneapi/free_function_queries.hpp>
#include <sycl/ext/oneapi/kernel_properties/properties.hpp>

#pragma STDC FP_CONTRACT OFF

namespace isthmus_kernels {

using sycl::acos, sycl::acosh, sycl::asin, sycl::asinh, sycl::atan, sycl::atan2, sycl::atanh;
using sycl::cbrt, sycl::ceil, sycl::copysign, sycl::cos, sycl::cosh, sycl::exp, sycl::exp2;
using sycl::expm1, sycl::fabs;
using sycl::floor, sycl::fma, sycl::fmax, sycl::fmin, sycl::fmod, sycl::hypot, sycl::ldexp;
using sycl::log, sycl::log10, sycl::log1p, sycl::log2, sycl::logb, sycl::nextafter, sycl::pow;
using sycl::rint, sycl::sin, sycl::sinh, sycl::sqrt, sycl::tan, sycl::tanh, sycl::tgamma;
using sycl::trunc;
using uchar = unsigned char;
using ushort = unsigned short;
using uint = unsigned int;
using ulong = unsigned long;

static inline float as_float(uint x) { return sycl::bit_cast<float>(x); }
static inline uint as_uint(float x) { return sycl::bit_cast<uint>(x); }
template <class T>
static inline auto as_double(T x) { return sycl::bit_cast<double>(x); }
template <class T>
static inline ulong as_ulong(T x) { return sycl::bit_cast<ulong>(x); }
static inline void atomic_max(int* at, int x) {
  sycl::atomic_ref<int, sycl::memory_order::relaxed, sycl::memory_scope::device>(*at).fetch_max(x);
}
static inline ulong get_global_size(int dimension) {
  return sycl::ext::oneapi::this_work_item::get_nd_item<3>().get_global_range(2 - dimension);
}
template <int dimension>
static inline long position() {
  return sycl::ext::oneapi::this_work_item::get_nd_item<3>().get_global_id(2 - dimension);
}

)",
    .ending = "\n}\n",
    .function = "static inline",
    .kernel =
        "extern \"C\" SYCL_EXT_ONEAPI_FUNCTION_PROPERTY("
        "(sycl::ext::oneapi::experimental::nd_range_kernel<3>)) void ",
    .lone_kernel =
        "extern \"C\" SYCL_EXT_ONEAPI_FUNCTION_PROPERTY("
        "(sycl::ext::oneapi::experimental::nd_range_kernel<3>)) void ",
    .global = "",
    .local = "",
    .position = {"position<0>()", "position<1>()", "position<2>()"},
    .local_position = {},
    .local_size = {},
    .has_vectors = false,
    .in_order = in_order,
    .local_barrier = "",
    .global_barrier = "",
};

}  // namespace

const Language& language(Dialect dialect) { return dialect == Dialect::sycl ? sycl : opencl_c; }

}  // namespace isthmus::emitting
