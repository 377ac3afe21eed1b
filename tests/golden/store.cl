#pragma OPENCL FP_CONTRACT OFF

typedef struct {
  long v[10];
} isthmus_words;


__kernel __attribute__((reqd_work_group_size(1, 1, 1)))
#ifdef __has_attribute
#if __has_attribute(intel_vec_len_hint)
__attribute__((intel_vec_len_hint(1)))
#endif
#endif
void isthmus_put(__global const uint* in0, __global const long* in1, __global uint* out0, const isthmus_words w) {
  for (long i0 = 0; i0 < w.v[0]; ++i0) {
#pragma clang loop unroll(disable) vectorize(disable) interleave(disable)
    for (long i1 = 0; i1 < w.v[1]; ++i1) {
      const uint v0 = in0[w.v[3] + i0 * w.v[4] + i1 * w.v[5]];
      const long v1 = in1[w.v[6] + i0 * w.v[7] + i1];
      if (v1 >= 0) {
        out0[w.v[8] + v1] = v0;
      }
    }
  }
}
