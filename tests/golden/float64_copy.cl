#pragma OPENCL FP_CONTRACT OFF

typedef struct {
  long v[8];
} Words;

__kernel void map(__global const ulong* in0, __global ulong* out0, const Words w) {
  uint rest = get_global_id(0);
  if (rest >= w.v[2]) return;
  const long i1 = rest % (uint)w.v[1];
  rest /= (uint)w.v[1];
  const long i0 = rest;
  const ulong v0 = in0[w.v[3] + i0 * w.v[4] + i1 * w.v[5]];
  out0[w.v[6] + i0 * w.v[7] + i1] = v0;
}
