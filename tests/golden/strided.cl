#pragma OPENCL FP_CONTRACT OFF

typedef struct {
  long v[26];
} isthmus_words;

static __attribute__((overloadable)) float float32_of_int64(long x) { return (float)x; }
static __attribute__((overloadable)) float maximum_float32(float x, float y) { return (x >= y) | (x != x) ? x : y; }
static __attribute__((overloadable)) float multiply_float32(float x, float y) { return x * y; }

__kernel void isthmus_map(__global const float* in0, __global const float* in1, __global float* out0, __global float* out1, const isthmus_words w) {
  const long i3 = get_global_id(0);
  const long i2 = get_global_id(1);
  if (i3 >= w.v[3] || i2 >= w.v[2]) return;
  uint rest = get_global_id(2);
  const uint over1 = (uint)(((ulong)rest * (uint)w.v[5]) >> (w.v[5] >> 32));
  const long i1 = rest - over1 * (uint)w.v[1];
  rest = over1;
  const long i0 = rest;
  const long v2 = i2;
  const float v0 = in0[w.v[9] + i0 * w.v[10] + i1 * w.v[11] + i2 * w.v[12] + i3 * w.v[13]];
  const float v1 = in1[w.v[14] + i0 * w.v[15] + i1 * w.v[16] + i2 * w.v[17] + i3];
  const float v3 = float32_of_int64(v2);
  const float v4 = maximum_float32(v0, v1);
  const float v5 = multiply_float32(v3, v4);
  out0[w.v[18] + i0 * w.v[19] + i1 * w.v[20] + i2 * w.v[21] + i3] = v5;
  out1[w.v[22] + i0 * w.v[23] + i1 * w.v[24] + i2 * w.v[25] + i3] = v4;
}
