#pragma OPENCL FP_CONTRACT OFF

typedef struct {
  long v[5];
} isthmus_words;

static __attribute__((overloadable)) int real_to_int(float x) {
  return x >= (float)-2147483648.0f && x < (float)2147483648.0f ? (int)x : -2147483647 - 1;
}

static __attribute__((overloadable)) uchar uint8_of_float32(float x) { return (uchar)real_to_int(x); }
static __attribute__((overloadable)) uchar bool_of_float32(float x) { return x != 0; }

__kernel void isthmus_map(__global const float* in0, __global uchar* out0, __global uchar* out1, const isthmus_words w) {
  const long i0 = get_global_id(0);
  if (i0 >= w.v[0]) return;
  const float v0 = in0[w.v[2] + i0];
  const uchar v1 = uint8_of_float32(v0);
  const uchar v2 = bool_of_float32(v0);
  out0[w.v[3] + i0] = v1;
  out1[w.v[4] + i0] = v2;
}
