#pragma OPENCL FP_CONTRACT OFF

typedef struct {
  long v[8];
} isthmus_words;

static __attribute__((overloadable)) float combine_sum_float32(float x, float y) { return x + y; }
typedef struct {
  float value;
  long index;
} state_argmax_float32;
static __attribute__((overloadable)) state_argmax_float32 make_argmax_float32(float value, long index) {
  const state_argmax_float32 made = {value, index};
  return made;
}
static __attribute__((overloadable)) state_argmax_float32 lift_argmax_float32(float x, long i) { return make_argmax_float32(x, i); }
static __attribute__((overloadable)) state_argmax_float32 combine_argmax_float32(state_argmax_float32 x, state_argmax_float32 y) { return (x.value == y.value || (x.value != x.value && y.value != y.value) ? x.index < y.index : x.value > y.value || x.value != x.value) ? x : y; }
static __attribute__((overloadable)) long finish_argmax_float32(state_argmax_float32 x) { return x.index; }
typedef struct {
  float value0;
  float value1_value;
  long value1_index;
} state_of_all;
static __attribute__((overloadable)) state_of_all make_all(float value0, float value1_value, long value1_index) {
  const state_of_all made = {value0, value1_value, value1_index};
  return made;
}
static __attribute__((overloadable)) state_of_all combine_all(state_of_all x, state_of_all y) {
  const state_argmax_float32 s1 = combine_argmax_float32(make_argmax_float32(x.value1_value, x.value1_index), make_argmax_float32(y.value1_value, y.value1_index));
  return make_all(combine_sum_float32(x.value0, y.value0), s1.value, s1.index);
}
typedef struct {
  float value0;
  float value1;
} elements_of_all;
static __attribute__((overloadable)) elements_of_all make_elements(float value0, float value1) {
  const elements_of_all made = {value0, value1};
  return made;
}
static __attribute__((overloadable)) state_of_all lift_all(elements_of_all x, long i) {
  const state_argmax_float32 s1 = lift_argmax_float32(x.value1, i);
  return make_all(x.value0, s1.value, s1.index);
}
static __attribute__((overloadable)) float square_float32(float x) { return x * x; }

static __attribute__((overloadable)) elements_of_all isthmus_element(__global const float* in0, const isthmus_words w, const long i0, long rest) {
  const long i1 = rest;
  const float v0 = in0[w.v[4] + i0 * w.v[5] + i1];
  const float v1 = square_float32(v0);
  return make_elements(v1, v1);
}

static __attribute__((overloadable)) state_of_all isthmus_fold_chunk(__global const float* in0, const isthmus_words w, const long i0, const long begin, const int count) {
  float lanes_value0[32];
  float lanes_value1_value[32];
  long lanes_value1_index[32];
  int i = 0;
  if (count < 32) {
#pragma clang loop unroll(disable) vectorize(disable) interleave(disable)
    for (int k = 0; k < count; ++k) { const state_of_all next = lift_all(isthmus_element(in0, w, i0, begin + i + k), begin + i + k); lanes_value0[k] = next.value0; lanes_value1_value[k] = next.value1_value; lanes_value1_index[k] = next.value1_index; }
    for (int left = count; left > 1; left = (left + 1) / 2) {
      const int half_left = (left + 1) / 2;
#pragma clang loop unroll(disable) vectorize(disable) interleave(disable)
      for (int k = 0; k + half_left < left; ++k)
        { const state_of_all next = combine_all(make_all(lanes_value0[k], lanes_value1_value[k], lanes_value1_index[k]), make_all(lanes_value0[k + half_left], lanes_value1_value[k + half_left], lanes_value1_index[k + half_left])); lanes_value0[k] = next.value0; lanes_value1_value[k] = next.value1_value; lanes_value1_index[k] = next.value1_index; }
    }
    return make_all(lanes_value0[0], lanes_value1_value[0], lanes_value1_index[0]);
  }
  for (int k = 0; k < 32; ++k) { const state_of_all next = lift_all(isthmus_element(in0, w, i0, begin + i + k), begin + i + k); lanes_value0[k] = next.value0; lanes_value1_value[k] = next.value1_value; lanes_value1_index[k] = next.value1_index; }
#pragma clang loop unroll(disable) vectorize(disable) interleave(disable)
  for (i = 32; i + 32 <= count; i += 32) {
    for (int k = 0; k < 32; ++k) { const state_of_all next = combine_all(make_all(lanes_value0[k], lanes_value1_value[k], lanes_value1_index[k]), lift_all(isthmus_element(in0, w, i0, begin + i + k), begin + i + k)); lanes_value0[k] = next.value0; lanes_value1_value[k] = next.value1_value; lanes_value1_index[k] = next.value1_index; }
  }
#pragma clang loop unroll(disable) vectorize(disable) interleave(disable)
  for (int k = 0; i + k < count; ++k) { const state_of_all next = combine_all(make_all(lanes_value0[k], lanes_value1_value[k], lanes_value1_index[k]), lift_all(isthmus_element(in0, w, i0, begin + i + k), begin + i + k)); lanes_value0[k] = next.value0; lanes_value1_value[k] = next.value1_value; lanes_value1_index[k] = next.value1_index; }
  for (int k = 0; k < 16; ++k) { const state_of_all next = combine_all(make_all(lanes_value0[k], lanes_value1_value[k], lanes_value1_index[k]), make_all(lanes_value0[k + 16], lanes_value1_value[k + 16], lanes_value1_index[k + 16])); lanes_value0[k] = next.value0; lanes_value1_value[k] = next.value1_value; lanes_value1_index[k] = next.value1_index; }
  for (int k = 0; k < 8; ++k) { const state_of_all next = combine_all(make_all(lanes_value0[k], lanes_value1_value[k], lanes_value1_index[k]), make_all(lanes_value0[k + 8], lanes_value1_value[k + 8], lanes_value1_index[k + 8])); lanes_value0[k] = next.value0; lanes_value1_value[k] = next.value1_value; lanes_value1_index[k] = next.value1_index; }
  for (int k = 0; k < 4; ++k) { const state_of_all next = combine_all(make_all(lanes_value0[k], lanes_value1_value[k], lanes_value1_index[k]), make_all(lanes_value0[k + 4], lanes_value1_value[k + 4], lanes_value1_index[k + 4])); lanes_value0[k] = next.value0; lanes_value1_value[k] = next.value1_value; lanes_value1_index[k] = next.value1_index; }
  for (int k = 0; k < 2; ++k) { const state_of_all next = combine_all(make_all(lanes_value0[k], lanes_value1_value[k], lanes_value1_index[k]), make_all(lanes_value0[k + 2], lanes_value1_value[k + 2], lanes_value1_index[k + 2])); lanes_value0[k] = next.value0; lanes_value1_value[k] = next.value1_value; lanes_value1_index[k] = next.value1_index; }
  for (int k = 0; k < 1; ++k) { const state_of_all next = combine_all(make_all(lanes_value0[k], lanes_value1_value[k], lanes_value1_index[k]), make_all(lanes_value0[k + 1], lanes_value1_value[k + 1], lanes_value1_index[k + 1])); lanes_value0[k] = next.value0; lanes_value1_value[k] = next.value1_value; lanes_value1_index[k] = next.value1_index; }
  return make_all(lanes_value0[0], lanes_value1_value[0], lanes_value1_index[0]);
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

__kernel void isthmus_combine(__global float* out0, __global long* out1, __global state_of_all* scratch, const isthmus_words w) {
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
  const long e1 = finish_argmax_float32(make_argmax_float32(total.value1_value, total.value1_index));
  out0[w.v[6] + i0] = e0;
  out1[w.v[7] + i0] = e1;
}
