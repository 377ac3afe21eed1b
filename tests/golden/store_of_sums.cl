#pragma OPENCL FP_CONTRACT OFF

typedef struct {
  long v[6];
} isthmus_words;


__kernel __attribute__((reqd_work_group_size(1, 1, 1)))
#ifdef __has_attribute
#if __has_attribute(intel_vec_len_hint)
__attribute__((intel_vec_len_hint(1)))
#endif
#endif
void isthmus_put(__global const long* in0, __global long* out0, const isthmus_words w) {
#pragma clang loop unroll(disable) vectorize(disable) interleave(disable)
  for (long i0 = 0; i0 < w.v[0]; ++i0) {
    const long v0 = in0[w.v[2] + i0];
    const long v1 = (long)w.v[5];
    if (v0 >= 0) {
      out0[w.v[3] + v0] += v1;
    }
  }
}
