#pragma OPENCL FP_CONTRACT OFF

typedef struct {
  long v[8];
} isthmus_words;

static __attribute__((overloadable)) float combine_sum_float32(float x, float y) { return x + y; }
static __attribute__((overloadable)) float16 combine_sum_float32x16(float16 x, float16 y) { return x + y; }
static __attribute__((overloadable)) float8 combine_sum_float32x8(float8 x, float8 y) { return x + y; }
static __attribute__((overloadable)) float4 combine_sum_float32x4(float4 x, float4 y) { return x + y; }
static __attribute__((overloadable)) float2 combine_sum_float32x2(float2 x, float2 y) { return x + y; }

static __attribute__((overloadable)) float isthmus_element(__global const float* in0, const isthmus_words w, const long i0, long rest) {
  const long i1 = rest;
  const float v0 = in0[w.v[4] + i0 * w.v[5] + i1];
  return v0;
}

static __attribute__((overloadable)) float16 isthmus_elements(__global const float* in0, const isthmus_words w, const long i0, long rest) {
  const long i1 = rest;
  const float16 v0 = vload16(0, in0 + w.v[4] + i0 * w.v[5] + i1);
  return v0;
}

static __attribute__((overloadable)) float isthmus_fold_chunk(__global const float* in0, const isthmus_words w, const long i0, const long begin, const int count) {
  float lanes[32];
  int i = 0;
  if (count < 32) {
#pragma clang loop unroll(disable) vectorize(disable) interleave(disable)
    for (int k = 0; k < count; ++k) lanes[k] = isthmus_element(in0, w, i0, begin + i + k);
    for (int left = count; left > 1; left = (left + 1) / 2) {
      const int half_left = (left + 1) / 2;
#pragma clang loop unroll(disable) vectorize(disable) interleave(disable)
      for (int k = 0; k + half_left < left; ++k)
        lanes[k] = combine_sum_float32(lanes[k], lanes[k + half_left]);
    }
    return lanes[0];
  }
  float16 row[2];
  for (int k = 0; k < 2; ++k) row[k] = isthmus_elements(in0, w, i0, begin + i + k * 16);
#pragma clang loop unroll(disable) vectorize(disable) interleave(disable)
  for (i = 32; i + 32 <= count; i += 32) {
    for (int k = 0; k < 2; ++k) row[k] = combine_sum_float32x16(row[k], isthmus_elements(in0, w, i0, begin + i + k * 16));
  }
  if (i < count) {
    for (int k = 0; k < 2; ++k) vstore16(row[k], k, lanes);
#pragma clang loop unroll(disable) vectorize(disable) interleave(disable)
    for (int k = 0; i + k < count; ++k) lanes[k] = combine_sum_float32(lanes[k], isthmus_element(in0, w, i0, begin + i + k));
    for (int k = 0; k < 16; ++k) lanes[k] = combine_sum_float32(lanes[k], lanes[k + 16]);
    for (int k = 0; k < 8; ++k) lanes[k] = combine_sum_float32(lanes[k], lanes[k + 8]);
    for (int k = 0; k < 4; ++k) lanes[k] = combine_sum_float32(lanes[k], lanes[k + 4]);
    for (int k = 0; k < 2; ++k) lanes[k] = combine_sum_float32(lanes[k], lanes[k + 2]);
    for (int k = 0; k < 1; ++k) lanes[k] = combine_sum_float32(lanes[k], lanes[k + 1]);
    return lanes[0];
  }
  for (int k = 0; k < 1; ++k) row[k] = combine_sum_float32x16(row[k], row[k + 1]);
  const float8 half8 = combine_sum_float32x8(row[0].lo, row[0].hi);
  const float4 half4 = combine_sum_float32x4(half8.lo, half8.hi);
  const float2 half2 = combine_sum_float32x2(half4.lo, half4.hi);
  const float half1 = combine_sum_float32(half2.lo, half2.hi);
  return half1;
}

__kernel __attribute__((reqd_work_group_size(1, 1, 1)))
#ifdef __has_attribute
#if __has_attribute(intel_vec_len_hint)
__attribute__((intel_vec_len_hint(1)))
#endif
#endif
void isthmus_fold(__global const float* in0, __global float* scratch, const isthmus_words w) {
  const long chunks = (w.v[3] + 1023) / 1024;
  const long units = w.v[2] * chunks;
  const long items = get_global_size(0), each = (units + items - 1) / items;
  const long first = get_global_id(0) * each;
  const long end = first + each < units ? first + each : units;
  for (long unit = first; unit < end; ++unit) {
    const long kept = unit / chunks, chunk = unit % chunks;
    long rest = kept;
    const long i0 = rest;
    const long begin = chunk * 1024;
    const long left = w.v[3] - begin;
    const int count = left < 1024 ? (int)left : 1024;
    const float total = isthmus_fold_chunk(in0, w, i0, begin, count);
    scratch[chunk * w.v[2] + kept] = total;
  }
}

__kernel void isthmus_prefix(__global float* scratch, const isthmus_words w) {
  const long kept = get_global_id(0);
  if (kept >= w.v[2]) return;
  const long chunks = (w.v[3] + 1023) / 1024;
  float total = scratch[kept];
  for (long i = 1; i < chunks; ++i) {
    total = combine_sum_float32(total, scratch[i * w.v[2] + kept]);
    scratch[i * w.v[2] + kept] = total;
  }
}

__kernel void isthmus_scan(__global const float* in0, __global float* out0, __global float* scratch, const isthmus_words w) {
  const long unit = get_global_id(0);
  const long kept = unit % w.v[2], chunk = unit / w.v[2];
  if (chunk * 1024 >= w.v[3]) return;
  long rest = kept;
  const long i0 = rest;
  const long begin = chunk * 1024;
  const long left = w.v[3] - begin;
  const int count = left < 1024 ? (int)left : 1024;
  float total = isthmus_element(in0, w, i0, begin);
  if (chunk > 0) total = scratch[(chunk - 1) * w.v[2] + kept];
#pragma clang loop unroll(disable) vectorize(disable) interleave(disable)
  for (int i = 0; i < count; ++i) {
    const float value = isthmus_element(in0, w, i0, begin + i);
    total = begin + i > 0 ? combine_sum_float32(total, value) : value;
    const long i1 = begin + i;
    const float e0 = total;
    out0[w.v[6] + i0 * w.v[7] + i1] = e0;
  }
}
