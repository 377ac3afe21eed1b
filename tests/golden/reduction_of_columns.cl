#pragma OPENCL FP_CONTRACT OFF

typedef struct {
  long v[8];
} isthmus_words;

static __attribute__((overloadable)) int combine_max_int32(int x, int y) { return x > y ? x : y; }
static __attribute__((overloadable)) int square_int32(int x) { return (int)(1u * (uint)x * (uint)x); }
static __attribute__((overloadable)) int divide_int32(int x, int y) { return ; }

static __attribute__((overloadable)) int isthmus_element(__global const int* in0, const isthmus_words w, const long i0, long rest) {
  const long i1 = rest;
  const int v0 = in0[w.v[4] + i0 + i1 * w.v[5]];
  const int v1 = square_int32(v0);
  return v1;
}

static __attribute__((overloadable)) int isthmus_fold_chunk(__global const int* in0, const isthmus_words w, const long i0, const long begin, const int count) {
  int lanes[32];
  int i = 0;
  if (count < 32) {
#pragma clang loop unroll(disable) vectorize(disable) interleave(disable)
    for (int k = 0; k < count; ++k) lanes[k] = isthmus_element(in0, w, i0, begin + i + k);
    for (int left = count; left > 1; left = (left + 1) / 2) {
      const int half_left = (left + 1) / 2;
#pragma clang loop unroll(disable) vectorize(disable) interleave(disable)
      for (int k = 0; k + half_left < left; ++k)
        lanes[k] = combine_max_int32(lanes[k], lanes[k + half_left]);
    }
    return lanes[0];
  }
  for (int k = 0; k < 32; ++k) lanes[k] = isthmus_element(in0, w, i0, begin + i + k);
#pragma clang loop unroll(disable) vectorize(disable) interleave(disable)
  for (i = 32; i + 32 <= count; i += 32) {
    for (int k = 0; k < 32; ++k) lanes[k] = combine_max_int32(lanes[k], isthmus_element(in0, w, i0, begin + i + k));
  }
#pragma clang loop unroll(disable) vectorize(disable) interleave(disable)
  for (int k = 0; i + k < count; ++k) lanes[k] = combine_max_int32(lanes[k], isthmus_element(in0, w, i0, begin + i + k));
  for (int k = 0; k < 16; ++k) lanes[k] = combine_max_int32(lanes[k], lanes[k + 16]);
  for (int k = 0; k < 8; ++k) lanes[k] = combine_max_int32(lanes[k], lanes[k + 8]);
  for (int k = 0; k < 4; ++k) lanes[k] = combine_max_int32(lanes[k], lanes[k + 4]);
  for (int k = 0; k < 2; ++k) lanes[k] = combine_max_int32(lanes[k], lanes[k + 2]);
  for (int k = 0; k < 1; ++k) lanes[k] = combine_max_int32(lanes[k], lanes[k + 1]);
  return lanes[0];
}

__kernel void isthmus_reduce(__global const int* in0, __global int* out0, const isthmus_words w) {
  const long kept = get_global_id(0), chunk = get_global_id(1);
  if (kept >= w.v[2]) return;
  long rest = kept;
  const long i0 = rest;
  const long begin = chunk * 1024;
  const long left = w.v[3] - begin;
  const int count = left < 1024 ? (int)left : 1024;
  const int total = isthmus_fold_chunk(in0, w, i0, begin, count);
  const int e0 = total;
  const int e1 = (int)w.v[7];
  const int e2 = divide_int32(e0, e1);
  out0[w.v[6] + i0] = e2;
}
