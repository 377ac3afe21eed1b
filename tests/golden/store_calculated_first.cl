#pragma OPENCL FP_CONTRACT OFF

typedef struct {
  long v[6];
} isthmus_words;

static __attribute__((overloadable)) float float16_to_float(ushort stored) {
  uint magnitude = stored & 0x7fffu, sign = (uint)(stored & 0x8000u) << 16;
  uint normal = (magnitude << 13) + (112u << 23);
  uint special = (magnitude << 13) | 0x7f800000u | (magnitude > 0x7c00u ? 0x400000u : 0u);
  uint tiny = as_uint((float)(int)magnitude * 5.9604644775390625e-8f);
  return as_float(sign | (magnitude >= 0x7c00u ? special : magnitude < 0x400u ? tiny : normal));
}

static __attribute__((overloadable)) float round_float16(float x) {
  uint bits = as_uint(x), magnitude = bits & 0x7fffffffu;
  uint normal = (magnitude + 0xfffu + ((magnitude >> 13) & 1u)) & 0xffffe000u;
  uint tiny = as_uint((as_float(magnitude) + 0.5f) - 0.5f);
  uint rounded = magnitude < 0x38800000u ? tiny : normal;
  rounded = magnitude >= 0x477ff000u ? 0x7f800000u : rounded;
  rounded = magnitude > 0x7f800000u ? (magnitude | 0x400000u) & 0xffffe000u : rounded;
  return as_float((bits & 0x80000000u) | rounded);
}

static __attribute__((overloadable)) ushort float_to_float16(float x) {
  uint bits = as_uint(x), magnitude = bits & 0x7fffffffu;
  uint normal = (magnitude - (112u << 23)) >> 13;
  uint special = 0x7c00u | ((magnitude >> 13) & 0x3ffu);
  uint tiny = (uint)(int)(as_float(magnitude & 0x3fffffffu) * 16777216.0f);
  uint stored = magnitude >= 0x7f800000u ? special : magnitude < 0x38800000u ? tiny : normal;
  return (ushort)(((bits >> 16) & 0x8000u) | stored);
}

static __attribute__((overloadable)) float pow_float32(float x, float y) { return pow(x, y); }

__kernel void isthmus_calculate(__global const ushort* in0, __global const long* in1, __global long* scratch, const isthmus_words w) {
  const long i0 = get_global_id(0);
  if (i0 >= w.v[0]) return;
  const float v0 = float16_to_float(in0[w.v[2] + i0]);
  const long v1 = in1[w.v[3] + i0];
  const float v2 = round_float16(pow_float32(v0, v0));
  const long k = i0;
  ((__global float*)scratch)[k] = v2;
  scratch[w.v[5] + k] = v1;
}

__kernel __attribute__((reqd_work_group_size(1, 1, 1)))
#ifdef __has_attribute
#if __has_attribute(intel_vec_len_hint)
__attribute__((intel_vec_len_hint(1)))
#endif
#endif
void isthmus_put(__global ushort* out0, __global long* scratch, const isthmus_words w) {
#pragma clang loop unroll(disable) vectorize(disable) interleave(disable)
  for (long k = 0; k < w.v[1]; ++k) {
    const long v1 = scratch[w.v[5] + k];
    if (v1 < 0) continue;
    const float v2 = ((__global float*)scratch)[k];
    out0[w.v[4] + v1] = float_to_float16(v2);
  }
}
