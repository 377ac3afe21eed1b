#pragma OPENCL FP_CONTRACT OFF

typedef struct {
  long v[6];
} isthmus_words;

static __attribute__((overloadable)) float combine_sum_float32(float x, float y) { return x + y; }
static __attribute__((overloadable)) float square_float32(float x) { return x * x; }
static __attribute__((overloadable)) float divide_float32(float x, float y) { return x / y; }

static __attribute__((overloadable)) float isthmus_element(__global const float* in0, const isthmus_words w, long rest) {
  const long i0 = rest;
  const float v0 = in0[w.v[3] + i0];
  const float v1 = square_float32(v0);
  return v1;
}

__kernel void isthmus_fold(__global const float* in0, __global float* scratch, const isthmus_words w) {
  __local float lanes[8][32];
  const int lane = get_local_id(0), team = get_local_id(1);
  const long unit = get_global_id(1);
  const long chunks = (w.v[2] + 1023) / 1024;
  const long kept = unit / chunks, chunk = unit % chunks;
  const int is_active = kept < w.v[1];
  const long begin = chunk * 1024;
  const long left = w.v[2] - begin;
  const int count = left < 1024 ? (int)left : 1024;
  if (is_active && lane < count) {
    long i = lane;
    float value = isthmus_element(in0, w, begin + i);
#pragma clang loop unroll(disable) vectorize(disable) interleave(disable)
    for (i = lane + 32; i < count; i += 32) value = combine_sum_float32(value, isthmus_element(in0, w, begin + i));
    lanes[team][lane] = value;
  }
  int width = count < 32 ? count : 32;
  for (int level = 0; level < 5; ++level) {
    barrier(CLK_LOCAL_MEM_FENCE);
    const int next = (width + 1) / 2;
    if (width > 1 && lane + next < width)
      lanes[team][lane] = combine_sum_float32(lanes[team][lane], lanes[team][lane + next]);
    width = next;
  }
  if (!is_active || lane > 0) return;
  const float total = lanes[team][0];
  scratch[chunk * w.v[1] + kept] = total;
}

__kernel void isthmus_combine(__global float* out0, __global float* scratch, const isthmus_words w) {
  const long kept = get_global_id(0);
  const long lane = get_local_id(1), lanes = get_local_size(1);
  const long chunks = (w.v[2] + 1023) / 1024;
  for (long step = 1; step < chunks; step *= 2) {
    if (kept < w.v[1])
      for (long i = lane * 2 * step; i + step < chunks; i += lanes * 2 * step)
      scratch[i * w.v[1] + kept] = combine_sum_float32(scratch[i * w.v[1] + kept], scratch[(i + step) * w.v[1] + kept]);
    barrier(CLK_GLOBAL_MEM_FENCE);
  }
  if (kept >= w.v[1] || lane > 0) return;
  const float total = scratch[kept];
  const float e0 = total;
  const float e1 = as_float((uint)w.v[5]);
  const float e2 = divide_float32(e0, e1);
  out0[w.v[4]] = e2;
}
