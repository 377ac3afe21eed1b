#pragma OPENCL FP_CONTRACT OFF

typedef struct {
  long v[6];
} isthmus_words;


__kernel void isthmus_map(__global const float* in0, __global const float* in1, __global long* out0, const isthmus_words w) {
  const long i0 = get_global_id(0);
  if (i0 >= w.v[0]) return;
  const float v1 = in1[w.v[3] + i0];
  const long v2 = (long)w.v[5];
  long v3 = 0;
  for (long end = v2; v3 < end;) {
    const long middle = v3 + (end - v3) / 2;
    const float at = in0[w.v[2] + middle];
    if (!(v1 < at || (at != at && v1 == v1))) v3 = middle + 1; else end = middle;
  }
  out0[w.v[4] + i0] = v3;
}
