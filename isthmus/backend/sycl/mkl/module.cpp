// module.cpp: products of matrices on a sycl::queue, by oneMKL; sycl_mkl.so (decision 46).
#include <complex>
#include <cstdint>
#include <sycl/sycl.hpp>
#include <vector>

#include "isthmus/runtime/libraries/device_blas.h"

namespace isthmus::sycl_usm {

enum class Transpose : char { no = 0, yes = 1 };

/// oneapi::mkl::value_or_pointer.
template <class T>
struct NumberOrPlace {
  T number;
  const T* place = nullptr;
};

// oneapi::mkl::blas::row_major::gemm_batch of matrices at equal distances, in unified memory, under
// the names that the library has for them: so its headers are not needed. A library whose functions
// take other parameters has other names, and this one does not load.
#define ISTHMUS_GEMM(T, name, type, rest)                                                                                                                                                                                                                                                                                                                                                                                            \
  __attribute__((visibility("default"))) sycl::event name(sycl::queue&, Transpose x, Transpose y, std::int64_t rows, std::int64_t columns, std::int64_t inner, NumberOrPlace<T> factor, const T*, std::int64_t x_step, std::int64_t x_stride, const T*, std::int64_t y_step, std::int64_t y_stride, NumberOrPlace<T> kept, T*, std::int64_t step, std::int64_t stride, std::int64_t count, const std::vector<sycl::event>&) __asm__( \
      "_ZN6oneapi3mkl4blas9row_major10gemm_batchERN4sycl3_V15queueENS0_9transposeES7_"                                                                                                                                                                                                                                                                                                                                               \
      "lllNS0_16value_or_pointerI" type "EE" rest);
ISTHMUS_GEMM(float, multiply_float32, "f", "PKfllSB_llS9_PflllRKSt6vectorINS4_5eventESaISE_EE")
ISTHMUS_GEMM(double, multiply_float64, "d", "PKdllSB_llS9_PdlllRKSt6vectorINS4_5eventESaISE_EE")
ISTHMUS_GEMM(std::complex<float>, multiply_complex64, "St7complexIfE",
             "PKSA_llSD_llSB_PSA_lllRKSt6vectorINS4_5eventESaISG_EE")
ISTHMUS_GEMM(std::complex<double>, multiply_complex128, "St7complexIdE",
             "PKSA_llSD_llSB_PSA_lllRKSt6vectorINS4_5eventESaISG_EE")
#undef ISTHMUS_GEMM

namespace {

template <class T, class F>
sycl::event run(F multiply, sycl::queue& queue, const DeviceProducts& products,
                const std::vector<sycl::event>& waits) {
  const auto way = [](const DeviceMatrices& x) {
    return x.is_transposed ? Transpose::yes : Transpose::no;
  };
  const auto at = [](const DeviceMatrices& x) {
    return reinterpret_cast<const T*>(x.memory->handle) + x.first;
  };
  const auto [rows, inner, columns] = products.shape;
  const DeviceMatrices &x = products.x, &y = products.y;
  return multiply(queue, way(x), way(y), rows, columns, inner, {T(1)}, at(x), x.step, x.stride,
                  at(y), y.step, y.stride, {T(0)}, reinterpret_cast<T*>(products.out->handle),
                  columns, rows * columns, products.count, waits);
}

}  // namespace
}  // namespace isthmus::sycl_usm

extern "C" __attribute__((visibility("default"))) void isthmus_sycl_mkl(
    sycl::queue& queue, const isthmus::DeviceProducts& products,
    const std::vector<sycl::event>& waits, sycl::event& end) {
  using namespace isthmus::sycl_usm;
  using isthmus::TypeId;
  switch (products.type) {
    case TypeId::float32: end = run<float>(multiply_float32, queue, products, waits); break;
    case TypeId::float64: end = run<double>(multiply_float64, queue, products, waits); break;
    case TypeId::complex64:
      end = run<std::complex<float>>(multiply_complex64, queue, products, waits);
      break;
    default: end = run<std::complex<double>>(multiply_complex128, queue, products, waits);
  }
}
