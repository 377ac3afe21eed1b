#pragma OPENCL FP_CONTRACT OFF

typedef struct {
  long v[10];
} isthmus_words;


__kernel void isthmus_map(__global const ulong* in0, __global ulong* out0, const isthmus_words w) {
  uint rest = get_global_id(0);
  if (rest >= w.v[4]) return;
  const uint over1 = (uint)(((ulong)rest * (uint)w.v[3]) >> (w.v[3] >> 32));
  const long i1 = rest - over1 * (uint)w.v[1];
  rest = over1;
  const long i0 = rest;
  const ulong v0 = in0[w.v[5] + i0 * w.v[6] + i1 * w.v[7]];
  out0[w.v[8] + i0 * w.v[9] + i1] = v0;
}
