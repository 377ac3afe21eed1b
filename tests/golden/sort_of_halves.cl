#pragma OPENCL FP_CONTRACT OFF

typedef struct {
  long v[12];
} isthmus_words;

static __attribute__((overloadable)) float float16_to_float(ushort stored) {
  uint magnitude = stored & 0x7fffu, sign = (uint)(stored & 0x8000u) << 16;
  uint normal = (magnitude << 13) + (112u << 23);
  uint special = (magnitude << 13) | 0x7f800000u | (magnitude > 0x7c00u ? 0x400000u : 0u);
  uint tiny = as_uint((float)(int)magnitude * 5.9604644775390625e-8f);
  return as_float(sign | (magnitude >= 0x7c00u ? special : magnitude < 0x400u ? tiny : normal));
}

static __attribute__((overloadable)) ushort float_to_float16(float x) {
  uint bits = as_uint(x), magnitude = bits & 0x7fffffffu;
  uint normal = (magnitude - (112u << 23)) >> 13;
  uint special = 0x7c00u | ((magnitude >> 13) & 0x3ffu);
  uint tiny = (uint)(int)(as_float(magnitude & 0x3fffffffu) * 16777216.0f);
  uint stored = magnitude >= 0x7f800000u ? special : magnitude < 0x38800000u ? tiny : normal;
  return (ushort)(((bits >> 16) & 0x8000u) | stored);
}

static __attribute__((overloadable)) float isthmus_element(__global const ushort* in0, const isthmus_words w, long rest) {
  const long i0 = rest;
  const float v0 = float16_to_float(in0[w.v[4] + i0 * w.v[5]]);
  return v0;
}

static __attribute__((overloadable)) uint isthmus_key_of(const float x) {
  const uint bits = as_uint(x), size = bits & ~((uint)1 << 31);
  const uint key = size == 0 || bits == size ? size | (uint)1 << 31 : ~bits;
  return size > 0x7f800000 ? ~(uint)0 : ~key;
}

static __attribute__((overloadable)) uint isthmus_digit_of(const float x, const int bit) {
  return (uint)(isthmus_key_of(x) >> bit) & 255u;
}

__kernel __attribute__((reqd_work_group_size(1, 1, 1)))
#ifdef __has_attribute
#if __has_attribute(intel_vec_len_hint)
__attribute__((intel_vec_len_hint(1)))
#endif
#endif
void isthmus_begin(__global const ushort* in0, __global long* scratch, const isthmus_words w) {
  const long unit = get_global_id(0);
  const long kept = unit % w.v[2], block = unit / w.v[2];
  const long begin = block * w.v[8];
  if (begin >= w.v[3]) return;
  const long end = begin + w.v[8] < w.v[3] ? begin + w.v[8] : w.v[3];
  const int bit = 13 + 8 * (int)w.v[7];
  if (block == 0) scratch[kept] = 0;
  __global float* items = (__global float*)(scratch + w.v[10]) + kept * w.v[3];
  uint counts[256];
  for (int k = 0; k < 256; ++k) counts[k] = 0;
#pragma clang loop unroll(disable) vectorize(disable) interleave(disable)
  for (long i = begin; i < end; ++i) {
    const float x = isthmus_element(in0, w, i);
    ++counts[isthmus_digit_of(x, bit)];
    items[i] = x;
  }
  __global uint* to = (__global uint*)(scratch + w.v[9]) + unit * 256;
  for (int k = 0; k < 256; ++k) to[k] = counts[k];
}

__kernel __attribute__((reqd_work_group_size(1, 1, 1)))
#ifdef __has_attribute
#if __has_attribute(intel_vec_len_hint)
__attribute__((intel_vec_len_hint(1)))
#endif
#endif
void isthmus_count(__global long* scratch, const isthmus_words w) {
  const long unit = get_global_id(0);
  const long kept = unit % w.v[2], block = unit / w.v[2];
  const long begin = block * w.v[8];
  if (begin >= w.v[3]) return;
  const long end = begin + w.v[8] < w.v[3] ? begin + w.v[8] : w.v[3];
  const int bit = 13 + 8 * (int)w.v[7];
  const long side = scratch[w.v[7] * w.v[2] + kept];
  __global const float* from = (__global float*)(scratch + w.v[10]) + (side * w.v[2] * w.v[3] + kept * w.v[3]);
  uint counts[256];
  for (int k = 0; k < 256; ++k) counts[k] = 0;
#pragma clang loop unroll(disable) vectorize(disable) interleave(disable)
  for (long i = begin; i < end; ++i) ++counts[isthmus_digit_of(from[i], bit)];
  __global uint* to = (__global uint*)(scratch + w.v[9]) + unit * 256;
  for (int k = 0; k < 256; ++k) to[k] = counts[k];
}

__kernel __attribute__((reqd_work_group_size(1, 1, 1)))
#ifdef __has_attribute
#if __has_attribute(intel_vec_len_hint)
__attribute__((intel_vec_len_hint(1)))
#endif
#endif
void isthmus_place(__global long* scratch, const isthmus_words w) {
  const long kept = get_global_id(0);
  if (kept >= w.v[2]) return;
  const long side = scratch[w.v[7] * w.v[2] + kept];
  __global uint* counts = (__global uint*)(scratch + w.v[9]) + kept * 256;
  const long blocks = (w.v[3] + w.v[8] - 1) / w.v[8], step = w.v[2] * 256;
  uint next[256];
  for (int k = 0; k < 256; ++k) next[k] = 0;
  for (long block = 0; block < blocks; ++block)
    for (int k = 0; k < 256; ++k) next[k] += counts[block * step + k];
  int is_shared = 0;
  uint all = 0;
  for (int k = 0; k < 256; ++k) {
    const uint count = next[k];
    is_shared |= count == w.v[3];
    next[k] = all;
    all += count;
  }
  scratch[(w.v[7] + 1) * w.v[2] + kept] = is_shared ? side : 1 - side;
  if (is_shared) return;
  for (long block = 0; block < blocks; ++block)
    for (int k = 0; k < 256; ++k) {
      const uint count = counts[block * step + k];
      counts[block * step + k] = next[k];
      next[k] += count;
    }
}

__kernel __attribute__((reqd_work_group_size(1, 1, 1)))
#ifdef __has_attribute
#if __has_attribute(intel_vec_len_hint)
__attribute__((intel_vec_len_hint(1)))
#endif
#endif
void isthmus_move(__global long* scratch, const isthmus_words w) {
  const long unit = get_global_id(0);
  const long kept = unit % w.v[2], block = unit / w.v[2];
  const long begin = block * w.v[8];
  if (begin >= w.v[3]) return;
  const long end = begin + w.v[8] < w.v[3] ? begin + w.v[8] : w.v[3];
  const int bit = 13 + 8 * (int)w.v[7];
  const long side = scratch[w.v[7] * w.v[2] + kept];
  if (scratch[(w.v[7] + 1) * w.v[2] + kept] == side) return;
  __global const float* from = (__global float*)(scratch + w.v[10]) + (side * w.v[2] * w.v[3] + kept * w.v[3]);
  __global float* to = (__global float*)(scratch + w.v[10]) + ((1 - side) * w.v[2] * w.v[3] + kept * w.v[3]);
  __global const uint* counts = (__global uint*)(scratch + w.v[9]) + unit * 256;
  uint next[256];
  for (int k = 0; k < 256; ++k) next[k] = counts[k];
#pragma clang loop unroll(disable) vectorize(disable) interleave(disable)
  for (long i = begin; i < end; ++i) {
    const float x = from[i];
    const uint place = next[isthmus_digit_of(x, bit)]++;
    to[place] = x;
  }
}

__kernel __attribute__((reqd_work_group_size(1, 1, 1)))
#ifdef __has_attribute
#if __has_attribute(intel_vec_len_hint)
__attribute__((intel_vec_len_hint(1)))
#endif
#endif
void isthmus_finish(__global ushort* out0, __global long* scratch, const isthmus_words w) {
  const long unit = get_global_id(0);
  const long kept = unit % w.v[2], block = unit / w.v[2];
  const long begin = block * w.v[8];
  if (begin >= w.v[3]) return;
  const long end = begin + w.v[8] < w.v[3] ? begin + w.v[8] : w.v[3];
  const long side = scratch[w.v[7] * w.v[2] + kept];
  __global const float* from = (__global float*)(scratch + w.v[10]) + (side * w.v[2] * w.v[3] + kept * w.v[3]);
  for (long i = begin; i < end; ++i) {
    const long i0 = i;
    const float e0 = from[i];
    out0[w.v[6] + i0] = float_to_float16(e0);
  }
}
