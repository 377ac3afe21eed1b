#pragma OPENCL FP_CONTRACT OFF

typedef struct {
  long v[8];
} isthmus_words;

static __attribute__((overloadable)) float combine_sum_float32(float x, float y) { return x + y; }
static __attribute__((overloadable)) float combine_max_float32(float x, float y) { return x >= y || x != x ? x : y; }
typedef struct {
  float value0;
  float value1;
} state_of_all;
static __attribute__((overloadable)) state_of_all make_all(float value0, float value1) {
  const state_of_all made = {value0, value1};
  return made;
}
static __attribute__((overloadable)) state_of_all combine_all(state_of_all x, state_of_all y) {
  return make_all(combine_sum_float32(x.value0, y.value0), combine_max_float32(x.value1, y.value1));
}
static __attribute__((overloadable)) float square_float32(float x) { return x * x; }

static __attribute__((overloadable)) state_of_all isthmus_element(__global const float* in0, const isthmus_words w, const long i0, long rest) {
  const long i1 = rest;
  const float v0 = in0[w.v[4] + i0 * w.v[5] + i1];
  const float v1 = square_float32(v0);
  return make_all(v1, v1);
}

static __attribute__((overloadable)) state_of_all isthmus_fold_chunk(__global const float* in0, const isthmus_words w, const long i0, const long begin, const int count) {
  float lanes_value0[32];
  float lanes_value1[32];
  int i = 0;
  if (count < 32) {
#pragma clang loop unroll(disable) vectorize(disable) interleave(disable)
    for (int k = 0; k < count; ++k) { const state_of_all next = isthmus_element(in0, w, i0, begin + i + k); lanes_value0[k] = next.value0; lanes_value1[k] = next.value1; }
    for (int left = count; left > 1; left = (left + 1) / 2) {
      const int half_left = (left + 1) / 2;
#pragma clang loop unroll(disable) vectorize(disable) interleave(disable)
      for (int k = 0; k + half_left < left; ++k)
        { const state_of_all next = combine_all(make_all(lanes_value0[k], lanes_value1[k]), make_all(lanes_value0[k + half_left], lanes_value1[k + half_left])); lanes_value0[k] = next.value0; lanes_value1[k] = next.value1; }
    }
    return make_all(lanes_value0[0], lanes_value1[0]);
  }
  for (int k = 0; k < 32; ++k) { const state_of_all next = isthmus_element(in0, w, i0, begin + i + k); lanes_value0[k] = next.value0; lanes_value1[k] = next.value1; }
#pragma clang loop unroll(disable) vectorize(disable) interleave(disable)
  for (i = 32; i + 32 <= count; i += 32) {
    for (int k = 0; k < 32; ++k) { const state_of_all next = combine_all(make_all(lanes_value0[k], lanes_value1[k]), isthmus_element(in0, w, i0, begin + i + k)); lanes_value0[k] = next.value0; lanes_value1[k] = next.value1; }
  }
#pragma clang loop unroll(disable) vectorize(disable) interleave(disable)
  for (int k = 0; i + k < count; ++k) { const state_of_all next = combine_all(make_all(lanes_value0[k], lanes_value1[k]), isthmus_element(in0, w, i0, begin + i + k)); lanes_value0[k] = next.value0; lanes_value1[k] = next.value1; }
  for (int k = 0; k < 16; ++k) { const state_of_all next = combine_all(make_all(lanes_value0[k], lanes_value1[k]), make_all(lanes_value0[k + 16], lanes_value1[k + 16])); lanes_value0[k] = next.value0; lanes_value1[k] = next.value1; }
  for (int k = 0; k < 8; ++k) { const state_of_all next = combine_all(make_all(lanes_value0[k], lanes_value1[k]), make_all(lanes_value0[k + 8], lanes_value1[k + 8])); lanes_value0[k] = next.value0; lanes_value1[k] = next.value1; }
  for (int k = 0; k < 4; ++k) { const state_of_all next = combine_all(make_all(lanes_value0[k], lanes_value1[k]), make_all(lanes_value0[k + 4], lanes_value1[k + 4])); lanes_value0[k] = next.value0; lanes_value1[k] = next.value1; }
  for (int k = 0; k < 2; ++k) { const state_of_all next = combine_all(make_all(lanes_value0[k], lanes_value1[k]), make_all(lanes_value0[k + 2], lanes_value1[k + 2])); lanes_value0[k] = next.value0; lanes_value1[k] = next.value1; }
  for (int k = 0; k < 1; ++k) { const state_of_all next = combine_all(make_all(lanes_value0[k], lanes_value1[k]), make_all(lanes_value0[k + 1], lanes_value1[k + 1])); lanes_value0[k] = next.value0; lanes_value1[k] = next.value1; }
  return make_all(lanes_value0[0], lanes_value1[0]);
}

__kernel __attribute__((reqd_work_group_size(1, 1, 1)))
#ifdef __has_attribute
#if __has_attribute(intel_vec_len_hint)
__attribute__((intel_vec_len_hint(1)))
#endif
#endif
void isthmus_fold(__global const float* in0, __global state_of_all* scratch, const isthmus_words w) {
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
    const state_of_all total = isthmus_fold_chunk(in0, w, i0, begin, count);
    scratch[chunk * w.v[2] + kept] = total;
  }
}

__kernel void isthmus_combine(__global float* out0, __global float* out1, __global state_of_all* scratch, const isthmus_words w) {
  const long kept = get_global_id(0);
  const long lane = 0, lanes = 1;
  const long chunks = (w.v[3] + 1023) / 1024;
  if (kept >= w.v[2]) return;
  for (long step = 1; step < chunks; step *= 2) {
    for (long i = lane * 2 * step; i + step < chunks; i += lanes * 2 * step)
      scratch[i * w.v[2] + kept] = combine_all(scratch[i * w.v[2] + kept], scratch[(i + step) * w.v[2] + kept]);
  }
  long rest = kept;
  const long i0 = rest;
  const state_of_all total = scratch[kept];
  const float e0 = total.value0;
  const float e1 = total.value1;
  out0[w.v[6] + i0] = e0;
  out1[w.v[7] + i0] = e1;
}
