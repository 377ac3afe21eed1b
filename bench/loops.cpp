// loops.cpp: fused loops as one would write them by hand. Built and loaded by bench/*.py.
#include <omp.h>
#include <sched.h>

#pragma omp declare simd notinbranch
extern "C" float sinf(float) noexcept;

extern "C" {

/// Pins this thread (while `is_bound`) and the others of the team (for ever) to one core each, in
/// the order of the cores: libgomp alone may leave two of them on one core.
void bind(int is_bound) {
  static cpu_set_t all;
  static const int cores = [] {
    sched_getaffinity(0, sizeof all, &all);
    return CPU_COUNT(&all);
  }();
  cpu_set_t mine = all;
  if (is_bound) {
    CPU_ZERO(&mine);
    CPU_SET(0, &mine);
  }
  sched_setaffinity(0, sizeof mine, &mine);
  static bool are_others_bound = false;
  if (!is_bound || are_others_bound) return;
  are_others_bound = true;
#pragma omp parallel num_threads(cores)
  {
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(omp_get_thread_num(), &set);
    sched_setaffinity(0, sizeof set, &set);
  }
}

void expression(long n, const float* a, const float* b, const float* c, const float* d,
                float* out) {
#pragma omp parallel for simd schedule(static)
  for (long i = 0; i < n; ++i) out[i] = 2 * a[i] + b[i] * sinf(c[i]) - d[i] / 3;
}

void chain(long n, const float* a, const float* b, const float* c, float* out) {
#pragma omp parallel for simd schedule(static)
  for (long i = 0; i < n; ++i) {
    float x = a[i];
    for (int k = 0; k < 10; ++k) x = x * b[i] + c[i];
    out[i] = x;
  }
}

void add(long n, const float* a, const float* b, float* out) {
#pragma omp parallel for simd schedule(static)
  for (long i = 0; i < n; ++i) out[i] = a[i] + b[i];
}

float sum(long n, const float* a) {
  float s = 0;
#pragma omp parallel for simd schedule(static) reduction(+ : s)
  for (long i = 0; i < n; ++i) s += a[i];
  return s;
}

float mean_square_difference(long n, const float* a, const float* b) {
  float s = 0;
#pragma omp parallel for simd schedule(static) reduction(+ : s)
  for (long i = 0; i < n; ++i) s += (a[i] - b[i]) * (a[i] - b[i]);
  return s / static_cast<float>(n);
}

float sum_of_products(long n, const float* a, const float* b) {
  float s = 0;
#pragma omp parallel for simd schedule(static) reduction(+ : s)
  for (long i = 0; i < n; ++i) s += a[i] * b[i];
  return s;
}

/// Of rows of 1000.
void sums_of_rows(long n, const float* a, float* out) {
#pragma omp parallel for schedule(static)
  for (long row = 0; row < n / 1000; ++row) {
    float s = 0;
#pragma omp simd reduction(+ : s)
    for (long i = 0; i < 1000; ++i) s += a[1000 * row + i];
    out[row] = s;
  }
}

/// Of rows of 1000. Each thread has columns of its own.
void sums_of_columns(long n, const float* a, float* out) {
#pragma omp parallel
  {
    const long threads = omp_get_num_threads(), t = omp_get_thread_num();
    const long begin = 1000 * t / threads, end = 1000 * (t + 1) / threads;
    for (long i = begin; i < end; ++i) out[i] = 0;
    for (long row = 0; row < n / 1000; ++row)
#pragma omp simd
      for (long i = begin; i < end; ++i) out[i] += a[1000 * row + i];
  }
}

/// Each thread adds up its part, then goes through it again behind the parts before.
void running_sum(long n, const float* a, float* out) {
  float before[256] = {};
#pragma omp parallel
  {
    const long threads = omp_get_num_threads(), t = omp_get_thread_num();
    const long begin = n * t / threads, end = n * (t + 1) / threads;
    float total = 0;
    for (long i = begin; i < end; ++i) total += a[i];
    before[t + 1] = total;
#pragma omp barrier
    float sum = 0;
    for (long k = 0; k <= t; ++k) sum += before[k];
    for (long i = begin; i < end; ++i) out[i] = sum += a[i];
  }
}

}  // extern "C"
