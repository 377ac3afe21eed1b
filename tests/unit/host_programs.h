// host_programs.h: small programs and their operands, for tests of the host executor.
#pragma once

#include <atomic>
#include <cmath>
#include <complex>
#include <cstring>
#include <limits>
#include <random>
#include <vector>

#include "isthmus/host/host_executor.h"
#include "isthmus/threads/executor.h"

namespace isthmus {

using Wide = long double;
using WideComplex = std::complex<long double>;
using Bytes = std::vector<unsigned char>;

constexpr TypeId all_types[] = {
#define DTYPE(name, ...) TypeId::name,
#include "isthmus/core/dtypes.def"
};

/// Whether another type stands for this one: under ThreadSanitizer, where loops take twenty times
/// as long, one of each size does, since how threads share elements depends on no more.
inline bool is_left_out([[maybe_unused]] TypeId type) {
#ifdef __SANITIZE_THREAD__
  return type != TypeId::int8 && type != TypeId::float16 && type != TypeId::float32 &&
         type != TypeId::int64 && type != TypeId::complex128;
#else
  return false;
#endif
}

inline std::int64_t size_of(TypeId type) { return info(type).bits / 8; }

inline Argument memory(const void* address, Dims strides) {
  Argument argument;
  argument.address = const_cast<void*>(address);
  argument.strides = std::move(strides);
  return argument;
}

inline Argument constant(double value) {
  Argument argument;
  argument.scalar.dtype = TypeId::float64;
  argument.scalar.number = {value, 0};
  return argument;
}

inline TypeId real_of(TypeId type) {
  return type == TypeId::complex64    ? TypeId::float32
         : type == TypeId::complex128 ? TypeId::float64
                                      : type;
}

inline TypeId result_of(Op op, TypeId type) {
  switch (info(op).rule) {
    case ResultRule::boolean: return TypeId::bool_;
    case ResultRule::real_part: return real_of(type);
    case ResultRule::int32: return TypeId::int32;
    default: return type;
  }
}

/// One operation on memory operands.
inline Program program_of(Op op, TypeId type, TypeId result) {
  Program program;
  Step step{op, type, result, {0, 1, 2}};
  const int arity = op == Op::astype ? 1 : info(op).arity;
  for (int i = 0; i < arity; ++i) {
    const TypeId operand = op == Op::where && i == 0 ? TypeId::bool_ : type;
    program.map.inputs.push_back({Input::Kind::memory, operand, 0});
  }
  program.map.steps.push_back(step);
  program.map.outputs.push_back(static_cast<std::uint16_t>(arity));
  return program;
}

inline double read(TypeId type, const void* at) {
  const Scalar scalar = load(type, at);
  if (info(type).family == Family::natural) return static_cast<double>(scalar.natural);
  if (info(type).family == Family::real || info(type).family == Family::complex)
    return scalar.number.re;
  return static_cast<double>(scalar.integer);
}

/// Random elements, with the awkward ones of the type among them.
inline Bytes random_elements(TypeId type, std::int64_t n, unsigned seed, double lo = -20,
                             double hi = 20) {
  std::mt19937_64 random(seed);
  Bytes bytes(static_cast<std::size_t>(n * size_of(type)));
  std::uniform_real_distribution<double> number_in(lo, hi);
  for (std::int64_t i = 0; i < n; ++i) {
    void* at = bytes.data() + i * size_of(type);
    if (info(type).family == Family::integer || info(type).family == Family::natural) {
      const std::uint64_t bits = random();
      std::memcpy(at, &bits, static_cast<std::size_t>(size_of(type)));
      if (i % 3 == 0) store(Scalar::of(static_cast<std::int64_t>(bits % 12)), type, at);
    } else if (info(type).family == Family::boolean) {
      *static_cast<unsigned char*>(at) = random() & 1;
    } else {
      store(Scalar::of(Complex<double>{number_in(random), number_in(random)}), type, at);
    }
  }
  return bytes;
}

inline void run_dense(const Program& program, std::int64_t n, std::span<const Bytes* const> in,
                      Bytes& out) {
  std::vector<Argument> inputs;
  for (const Bytes* bytes : in) inputs.push_back(memory(bytes->data(), {1}));
  const Argument outputs[] = {memory(out.data(), {1})};
  host::run(program, {{n}, 0, inputs, {}, outputs});
}

/// The elements of `rows` rows of `columns`, which lie row by row in `x`, column by column.
inline Bytes turned(const unsigned char* x, TypeId type, std::int64_t rows, std::int64_t columns) {
  Program program;
  program.map.inputs.push_back({Input::Kind::memory, type, 0});
  program.map.outputs.push_back(0);
  Bytes out(static_cast<std::size_t>(rows * columns * size_of(type)));
  const Argument input = memory(x, {columns, 1}), output = memory(out.data(), {1, rows});
  host::run(program, {{rows, columns}, 0, {&input, 1}, {}, {&output, 1}});
  return out;
}

inline __int128 integer_at(TypeId type, const void* at) {
  const Scalar scalar = load(type, at);
  return info(type).family == Family::natural ? static_cast<__int128>(scalar.natural)
                                              : static_cast<__int128>(scalar.integer);
}

}  // namespace isthmus
