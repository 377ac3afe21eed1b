#pragma OPENCL FP_CONTRACT OFF

typedef struct {
  long v[10];
} isthmus_words;


__kernel void isthmus_clear(__global int* scratch, const isthmus_words w) {
  const long i0 = get_global_id(0);
  if (i0 < w.v[9]) scratch[i0] = 0;
}

__kernel void isthmus_mark(__global const uint* in0, __global const long* in1, __global int* scratch, const isthmus_words w) {
  const long i1 = get_global_id(0);
  const long i0 = get_global_id(1);
  if (i1 >= w.v[1] || i0 >= w.v[0]) return;
  const uint v0 = in0[w.v[3] + i0 * w.v[4] + i1 * w.v[5]];
  const long v1 = in1[w.v[6] + i0 * w.v[7] + i1];
  if (v1 >= 0) atomic_max(scratch + v1, (int)(i0 * w.v[1] + i1) + 1);
}

__kernel void isthmus_map(__global const uint* in0, __global const long* in1, __global uint* out0, __global int* scratch, const isthmus_words w) {
  const long i1 = get_global_id(0);
  const long i0 = get_global_id(1);
  if (i1 >= w.v[1] || i0 >= w.v[0]) return;
  const uint v0 = in0[w.v[3] + i0 * w.v[4] + i1 * w.v[5]];
  const long v1 = in1[w.v[6] + i0 * w.v[7] + i1];
  if (v1 < 0) return;
  if (scratch[v1] != (int)(i0 * w.v[1] + i1) + 1) return;
  out0[w.v[8] + v1] = v0;
}
