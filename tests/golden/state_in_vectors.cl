#pragma OPENCL FP_CONTRACT OFF

typedef struct {
  long v[7];
} isthmus_words;

typedef struct {
  float value;
  long index;
} state_argmin_float32;
static __attribute__((overloadable)) state_argmin_float32 make_argmin_float32(float value, long index) {
  const state_argmin_float32 made = {value, index};
  return made;
}
static __attribute__((overloadable)) state_argmin_float32 lift_argmin_float32(float x, long i) { return make_argmin_float32(x, i); }
static __attribute__((overloadable)) state_argmin_float32 combine_argmin_float32(state_argmin_float32 x, state_argmin_float32 y) { return (x.value == y.value || (x.value != x.value && y.value != y.value) ? x.index < y.index : x.value < y.value || x.value != x.value) ? x : y; }
static __attribute__((overloadable)) long finish_argmin_float32(state_argmin_float32 x) { return x.index; }
static __attribute__((overloadable)) float square_float32(float x) { return x * x; }
static __attribute__((overloadable)) float16 square_float32x16(float16 x) { return x * x; }
typedef struct {
  float16 value;
  int16 index;
} state_argmin_float32x16;
static __attribute__((overloadable)) state_argmin_float32x16 make_argmin_float32x16(float16 value, int16 index) {
  const state_argmin_float32x16 made = {value, index};
  return made;
}
static __attribute__((overloadable)) int16 keeps_argmin_float32x16(state_argmin_float32x16 x, state_argmin_float32x16 y) { return (x.value == y.value || (x.value != x.value && y.value != y.value) ? x.index < y.index : x.value < y.value || x.value != x.value); }

static __attribute__((overloadable)) float isthmus_element(__global const float* in0, const isthmus_words w, const long i0, long rest) {
  const long i1 = rest;
  const float v0 = in0[w.v[4] + i0 * w.v[5] + i1];
  const float v1 = square_float32(v0);
  return v1;
}

static __attribute__((overloadable)) float16 isthmus_elements(__global const float* in0, const isthmus_words w, const long i0, long rest) {
  const long i1 = rest;
  const float16 v0 = vload16(0, in0 + w.v[4] + i0 * w.v[5] + i1);
  const float16 v1 = square_float32x16(v0);
  return v1;
}

static __attribute__((overloadable)) state_argmin_float32 isthmus_fold_chunk(__global const float* in0, const isthmus_words w, const long i0, const long begin, const int count) {
  float lanes_value[32];
  long lanes_index[32];
  int i = 0;
  if (count < 32) {
#pragma clang loop unroll(disable) vectorize(disable) interleave(disable)
    for (int k = 0; k < count; ++k) { const state_argmin_float32 next = lift_argmin_float32(isthmus_element(in0, w, i0, begin + i + k), begin + i + k); lanes_value[k] = next.value; lanes_index[k] = next.index; }
    for (int left = count; left > 1; left = (left + 1) / 2) {
      const int half_left = (left + 1) / 2;
#pragma clang loop unroll(disable) vectorize(disable) interleave(disable)
      for (int k = 0; k + half_left < left; ++k)
        { const state_argmin_float32 next = combine_argmin_float32(make_argmin_float32(lanes_value[k], lanes_index[k]), make_argmin_float32(lanes_value[k + half_left], lanes_index[k + half_left])); lanes_value[k] = next.value; lanes_index[k] = next.index; }
    }
    return make_argmin_float32(lanes_value[0], lanes_index[0]);
  }
  float16 row[2];
  int16 from[2];
  for (int k = 0; k < 2; ++k) { row[k] = isthmus_elements(in0, w, i0, begin + i + k * 16); from[k] = (int16)(0); }
#pragma clang loop unroll(disable) vectorize(disable) interleave(disable)
  for (i = 32; i + 32 <= count; i += 32) {
    for (int k = 0; k < 2; ++k) {
      const float16 next = isthmus_elements(in0, w, i0, begin + i + k * 16);
      const int16 keeps = keeps_argmin_float32x16(make_argmin_float32x16(row[k], (int16)(0)), make_argmin_float32x16(next, (int16)(1)));
      row[k] = keeps ? row[k] : next;
      from[k] = keeps ? from[k] : (int16)(i / 32);
    }
  }
  for (int k = 0; k < 2; ++k) vstore16(row[k], k, lanes_value);
  for (int k = 0; k < 2; ++k) vstore16(convert_long16(from[k]), k, lanes_index);
  for (int k = 0; k < 32; ++k) lanes_index[k] = begin + lanes_index[k] * 32 + k;
#pragma clang loop unroll(disable) vectorize(disable) interleave(disable)
  for (int k = 0; i + k < count; ++k) { const state_argmin_float32 next = combine_argmin_float32(make_argmin_float32(lanes_value[k], lanes_index[k]), lift_argmin_float32(isthmus_element(in0, w, i0, begin + i + k), begin + i + k)); lanes_value[k] = next.value; lanes_index[k] = next.index; }
  for (int k = 0; k < 16; ++k) { const state_argmin_float32 next = combine_argmin_float32(make_argmin_float32(lanes_value[k], lanes_index[k]), make_argmin_float32(lanes_value[k + 16], lanes_index[k + 16])); lanes_value[k] = next.value; lanes_index[k] = next.index; }
  for (int k = 0; k < 8; ++k) { const state_argmin_float32 next = combine_argmin_float32(make_argmin_float32(lanes_value[k], lanes_index[k]), make_argmin_float32(lanes_value[k + 8], lanes_index[k + 8])); lanes_value[k] = next.value; lanes_index[k] = next.index; }
  for (int k = 0; k < 4; ++k) { const state_argmin_float32 next = combine_argmin_float32(make_argmin_float32(lanes_value[k], lanes_index[k]), make_argmin_float32(lanes_value[k + 4], lanes_index[k + 4])); lanes_value[k] = next.value; lanes_index[k] = next.index; }
  for (int k = 0; k < 2; ++k) { const state_argmin_float32 next = combine_argmin_float32(make_argmin_float32(lanes_value[k], lanes_index[k]), make_argmin_float32(lanes_value[k + 2], lanes_index[k + 2])); lanes_value[k] = next.value; lanes_index[k] = next.index; }
  for (int k = 0; k < 1; ++k) { const state_argmin_float32 next = combine_argmin_float32(make_argmin_float32(lanes_value[k], lanes_index[k]), make_argmin_float32(lanes_value[k + 1], lanes_index[k + 1])); lanes_value[k] = next.value; lanes_index[k] = next.index; }
  return make_argmin_float32(lanes_value[0], lanes_index[0]);
}

__kernel __attribute__((reqd_work_group_size(1, 1, 1)))
#ifdef __has_attribute
#if __has_attribute(intel_vec_len_hint)
__attribute__((intel_vec_len_hint(1)))
#endif
#endif
void isthmus_fold(__global const float* in0, __global state_argmin_float32* scratch, const isthmus_words w) {
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
    const state_argmin_float32 total = isthmus_fold_chunk(in0, w, i0, begin, count);
    scratch[chunk * w.v[2] + kept] = total;
  }
}

__kernel void isthmus_combine(__global long* out0, __global state_argmin_float32* scratch, const isthmus_words w) {
  const long kept = get_global_id(0);
  const long lane = 0, lanes = 1;
  const long chunks = (w.v[3] + 1023) / 1024;
  if (kept >= w.v[2]) return;
  for (long step = 1; step < chunks; step *= 2) {
    for (long i = lane * 2 * step; i + step < chunks; i += lanes * 2 * step)
      scratch[i * w.v[2] + kept] = combine_argmin_float32(scratch[i * w.v[2] + kept], scratch[(i + step) * w.v[2] + kept]);
  }
  long rest = kept;
  const long i0 = rest;
  const state_argmin_float32 total = scratch[kept];
  const long e0 = finish_argmin_float32(total);
  out0[w.v[6] + i0] = e0;
}
