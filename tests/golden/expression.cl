#pragma OPENCL FP_CONTRACT OFF

typedef struct {
  long v[6];
} isthmus_words;

static __attribute__((overloadable)) float multiply_float32(float x, float y) { return x * y; }
static __attribute__((overloadable)) float sin_float32(float x) { return sin(x); }
static __attribute__((overloadable)) float add_float32(float x, float y) { return x + y; }

__kernel void isthmus_map(__global const float* in1, __global const float* in2, __global float* out0, const isthmus_words w) {
  const long i0 = get_global_id(0);
  if (i0 >= w.v[0]) return;
  const float v1 = in1[w.v[2] + i0];
  const float v2 = in2[w.v[3] + i0];
  const float v0 = as_float((uint)w.v[5]);
  const float v3 = multiply_float32(v0, v1);
  const float v4 = sin_float32(v2);
  const float v5 = add_float32(v3, v4);
  out0[w.v[4] + i0] = v5;
}
