// fused_loop.cpp: the host executor against hand-written fused loops in C.
//
// g++ -std=c++20 -O3 -march=native -ffp-contract=off -fno-math-errno -fopenmp, linked to the
// library. OMP_PROC_BIND=true. Prints microseconds (best of many) and the ratio to C.
#include <omp.h>
#include <sched.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <vector>

#include "isthmus/host/host_executor.h"
#include "isthmus/threads/executor.h"

#pragma omp declare simd notinbranch
extern "C" float sinf(float) noexcept;

namespace {
using namespace isthmus;

double best_of(const std::function<void()>& f, int rounds) {
  using Clock = std::chrono::steady_clock;
  double best = 1e30;
  f();
  for (int i = 0; i < rounds; ++i) {
    const auto begin = Clock::now();
    f();
    best = std::min(best, std::chrono::duration<double, std::micro>(Clock::now() - begin).count());
  }
  return best;
}

/// Lets this thread run on any core, or on the one that OMP_PROC_BIND gave it: threads inherit it.
void set_bound(bool is_bound) {
  static const cpu_set_t bound = [] {
    cpu_set_t set;
    sched_getaffinity(0, sizeof set, &set);
    return set;
  }();
  cpu_set_t all;
  CPU_ZERO(&all);
  for (int i = 0; i < 64; ++i) CPU_SET(i, &all);
  sched_setaffinity(0, sizeof all, is_bound ? &bound : &all);
}

void report(const char* what, long n, const std::function<void()>& c,
            const std::function<void()>& ours) {
  const int rounds = n >= 10000000 ? 15 : n >= 1000000 ? 200 : 2000;
  double c_best = 1e30, our_best = 1e30;
  for (int i = 0; i < 3; ++i) {
    set_bound(true);
    c_best = std::min(c_best, best_of(c, rounds));
    set_bound(false);
    our_best = std::min(our_best, best_of(ours, rounds));
  }
  std::printf("%-28s n=%-9ld C %10.2f us   isthmus %10.2f us   %.2fx\n", what, n, c_best, our_best,
              our_best / c_best);
}

Argument memory(void* address, Dims strides = {1}) {
  Argument argument;
  argument.address = address;
  argument.strides = std::move(strides);
  return argument;
}

Argument scalar(double value) {
  Argument argument;
  argument.scalar.dtype = TypeId::float64;
  argument.scalar.number = {value, 0};
  return argument;
}

Step step(Op op, TypeId type, std::uint16_t x, std::uint16_t y = 0) {
  return {op, type, type, {x, y, 0}};
}

float* array(long n) {
  auto* p = static_cast<float*>(std::aligned_alloc(1 << 21, (n * 4 + (1 << 21) - 1) >> 21 << 21));
  for (long i = 0; i < n; ++i) p[i] = 0.5f + static_cast<float>(i % 7) * 0.01f;
  return p;
}

void expression(long n) {
  float *a = array(n), *b = array(n), *c = array(n), *d = array(n), *out = array(n);
  Program program;
  Tape& tape = program.map;
  for (int i = 0; i < 4; ++i) tape.inputs.push_back({Input::Kind::memory, TypeId::float32, 0});
  for (int i = 0; i < 2; ++i) tape.inputs.push_back({Input::Kind::scalar, TypeId::float32, 0});
  tape.steps = {
      step(Op::multiply, TypeId::float32, 4, 0), step(Op::sin, TypeId::float32, 2),
      step(Op::multiply, TypeId::float32, 1, 7), step(Op::add, TypeId::float32, 6, 8),
      step(Op::divide, TypeId::float32, 3, 5),   step(Op::subtract, TypeId::float32, 9, 10)};
  tape.outputs.push_back(11);
  const Argument inputs[] = {memory(a), memory(b), memory(c), memory(d), scalar(2), scalar(3)};
  const Argument outputs[] = {memory(out)};
  const Launch launch{{n}, 0, inputs, {}, outputs};
  report(
      "2*a + b*sin(c) - d/3", n,
      [&] {
#pragma omp parallel for simd schedule(static)
        for (long i = 0; i < n; ++i) out[i] = 2 * a[i] + b[i] * sinf(c[i]) - d[i] / 3;
      },
      [&] { host::run(program, launch); });
  for (float* p : {a, b, c, d, out}) std::free(p);
}

void chain(long n) {
  float *a = array(n), *b = array(n), *c = array(n), *out = array(n);
  Program program;
  Tape& tape = program.map;
  for (int i = 0; i < 3; ++i) tape.inputs.push_back({Input::Kind::memory, TypeId::float32, 0});
  std::uint16_t x = 0;
  for (int i = 0; i < 10; ++i) {
    tape.steps.push_back(step(Op::multiply, TypeId::float32, x, 1));
    tape.steps.push_back(step(Op::add, TypeId::float32, static_cast<std::uint16_t>(3 + 2 * i), 2));
    x = static_cast<std::uint16_t>(4 + 2 * i);
  }
  tape.outputs.push_back(x);
  const Argument inputs[] = {memory(a), memory(b), memory(c)};
  const Argument outputs[] = {memory(out)};
  const Launch launch{{n}, 0, inputs, {}, outputs};
  report(
      "chain of 20", n,
      [&] {
#pragma omp parallel for simd schedule(static)
        for (long i = 0; i < n; ++i) {
          float v = a[i];
          for (int k = 0; k < 10; ++k) v = v * b[i] + c[i];
          out[i] = v;
        }
      },
      [&] { host::run(program, launch); });
  for (float* p : {a, b, c, out}) std::free(p);
}

void add(long n) {
  float *a = array(n), *b = array(n), *out = array(n);
  Program program;
  Tape& tape = program.map;
  for (int i = 0; i < 2; ++i) tape.inputs.push_back({Input::Kind::memory, TypeId::float32, 0});
  tape.steps.push_back(step(Op::add, TypeId::float32, 0, 1));
  tape.outputs.push_back(2);
  const Argument inputs[] = {memory(a), memory(b)};
  const Argument outputs[] = {memory(out)};
  const Launch launch{{n}, 0, inputs, {}, outputs};
  report(
      "a + b", n,
      [&] {
#pragma omp parallel for simd schedule(static)
        for (long i = 0; i < n; ++i) out[i] = a[i] + b[i];
      },
      [&] { host::run(program, launch); });
  for (float* p : {a, b, out}) std::free(p);
}

void transposed(long side) {
  const long n = side * side;
  float *a = array(n), *b = array(n), *out = array(n);
  Program program;
  Tape& tape = program.map;
  for (int i = 0; i < 2; ++i) tape.inputs.push_back({Input::Kind::memory, TypeId::float32, 0});
  tape.steps.push_back(step(Op::add, TypeId::float32, 0, 1));
  tape.outputs.push_back(2);
  const Argument inputs[] = {memory(a, {side, 1}), memory(b, {1, side})};
  const Argument outputs[] = {memory(out, {side, 1})};
  const Launch launch{{side, side}, 0, inputs, {}, outputs};
  report(
      "a + b.T", n,
      [&] {
#pragma omp parallel for schedule(static)
        for (long i0 = 0; i0 < side; i0 += 32)
          for (long j0 = 0; j0 < side; j0 += 32)
            for (long i = i0; i < std::min(side, i0 + 32); ++i)
              for (long j = j0; j < std::min(side, j0 + 32); ++j)
                out[i * side + j] = a[i * side + j] + b[j * side + i];
      },
      [&] { host::run(program, launch); });
  for (float* p : {a, b, out}) std::free(p);
}

void sum(const char* what, long kept, long reduced, long kept_stride, long reduced_stride) {
  const long n = kept * reduced;
  float *a = array(n), *out = array(kept), *out_c = array(kept);
  Program program;
  program.map.inputs.push_back({Input::Kind::memory, TypeId::float32, 0});
  program.map.outputs.push_back(0);
  program.shape = KernelShape::reduce;
  program.reduction = Reduction::sum;
  program.accumulator = TypeId::float32;
  program.epilogue.inputs.push_back({Input::Kind::result, TypeId::float32, 0});
  program.epilogue.outputs.push_back(0);
  const Argument inputs[] = {memory(a, {kept_stride, reduced_stride})};
  const Argument outputs[] = {memory(out, {1})};
  const Launch launch{{kept, reduced}, 1, inputs, {}, outputs};
  report(
      what, n,
      [&] {
        if (kept == 1) {
          float s = 0;
#pragma omp parallel for simd schedule(static) reduction(+ : s)
          for (long i = 0; i < n; ++i) s += a[i];
          out_c[0] = s;
        } else if (reduced_stride == 1) {
#pragma omp parallel for schedule(static)
          for (long k = 0; k < kept; ++k) {
            float s = 0;
#pragma omp simd reduction(+ : s)
            for (long i = 0; i < reduced; ++i) s += a[k * kept_stride + i];
            out_c[k] = s;
          }
        } else {
#pragma omp parallel for schedule(static)
          for (long k0 = 0; k0 < kept; k0 += 250) {
            float s[250] = {};
            for (long i = 0; i < reduced; ++i)
              for (long k = 0; k < std::min(250L, kept - k0); ++k)
                s[k] += a[(k0 + k) * kept_stride + i * reduced_stride];
            for (long k = 0; k < std::min(250L, kept - k0); ++k) out_c[k0 + k] = s[k];
          }
        }
      },
      [&] { host::run(program, launch); });
  for (float* p : {a, out, out_c}) std::free(p);
}

void one_element() {
  double a = 1, b = 2, out = 0;
  Program program;
  Tape& tape = program.map;
  for (int i = 0; i < 2; ++i) tape.inputs.push_back({Input::Kind::memory, TypeId::float64, 0});
  tape.steps.push_back(step(Op::add, TypeId::float64, 0, 1));
  tape.outputs.push_back(2);
  const Argument inputs[] = {memory(&a, {}), memory(&b, {})};
  const Argument outputs[] = {memory(&out, {})};
  const Launch launch{{}, 0, inputs, {}, outputs};
  const double us = best_of(
      [&] {
        for (int i = 0; i < 1000; ++i) host::run(program, launch);
      },
      200);
  std::printf("one float64 add: %.1f ns\n", us);
  tape.steps.push_back(step(Op::multiply, TypeId::float64, 2, 1));
  tape.steps.push_back(step(Op::sqrt, TypeId::float64, 3));
  tape.outputs[0] = 4;
  const double three = best_of(
      [&] {
        for (int i = 0; i < 1000; ++i) host::run(program, launch);
      },
      200);
  std::printf("three steps on one element: %.1f ns\n", three);
}

}  // namespace

int main() {
  std::printf("%.*s, %d threads\n", static_cast<int>(host::instruction_set().size()),
              host::instruction_set().data(), thread_count());
  one_element();
  for (const long n : {1000L, 10000L, 100000L, 1000000L, 10000000L}) {
    add(n);
    expression(n);
    chain(n);
  }
  transposed(1000);
  transposed(3000);
  sum("sum", 1, 1000000, 0, 1);
  sum("sum axis 0", 1000, 1000, 1, 1000);
  sum("sum axis 1", 1000, 1000, 1000, 1);
  sum("sum axis 0 of 1000000x8", 8, 1000000, 1, 8);
  sum("sum axis 1 of 100000x10", 100000, 10, 10, 1);
}
