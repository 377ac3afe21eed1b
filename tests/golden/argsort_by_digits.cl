#pragma OPENCL FP_CONTRACT OFF

typedef struct {
  long v[15];
} isthmus_words;


static __attribute__((overloadable)) float isthmus_element(__global const float* in0, const isthmus_words w, const long i0, long rest) {
  const long i1 = rest;
  const float v0 = in0[w.v[6] + i0 * w.v[7] + i1];
  return v0;
}

static __attribute__((overloadable)) uint isthmus_key_of(const float x) {
  const uint bits = as_uint(x), size = bits & ~((uint)1 << 31);
  const uint key = size == 0 || bits == size ? size | (uint)1 << 31 : ~bits;
  return size > 0x7f800000 ? ~(uint)0 : key;
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
void isthmus_begin(__global const float* in0, __global long* scratch, const isthmus_words w) {
  const long unit = get_global_id(0);
  const long kept = unit % w.v[4], block = unit / w.v[4];
  const long begin = block * w.v[11];
  if (begin >= w.v[5]) return;
  const long end = begin + w.v[11] < w.v[5] ? begin + w.v[11] : w.v[5];
  long rest = kept;
  const long i0 = rest;
  const int bit = 8 * (int)w.v[10];
  if (block == 0) scratch[kept] = 0;
  __global float* items = (__global float*)(scratch + w.v[13]) + kept * w.v[5];
  __global uint* indices = (__global uint*)(scratch + w.v[14]) + kept * w.v[5];
  uint counts[256];
  for (int k = 0; k < 256; ++k) counts[k] = 0;
#pragma clang loop unroll(disable) vectorize(disable) interleave(disable)
  for (long i = begin; i < end; ++i) {
    const float x = isthmus_element(in0, w, i0, i);
    ++counts[isthmus_digit_of(x, bit)];
    items[i] = x;
    indices[i] = (uint)i;
  }
  __global uint* to = (__global uint*)(scratch + w.v[12]) + unit * 256;
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
  const long kept = unit % w.v[4], block = unit / w.v[4];
  const long begin = block * w.v[11];
  if (begin >= w.v[5]) return;
  const long end = begin + w.v[11] < w.v[5] ? begin + w.v[11] : w.v[5];
  const int bit = 8 * (int)w.v[10];
  const long side = scratch[w.v[10] * w.v[4] + kept];
  __global const float* from = (__global float*)(scratch + w.v[13]) + (side * w.v[4] * w.v[5] + kept * w.v[5]);
  uint counts[256];
  for (int k = 0; k < 256; ++k) counts[k] = 0;
#pragma clang loop unroll(disable) vectorize(disable) interleave(disable)
  for (long i = begin; i < end; ++i) ++counts[isthmus_digit_of(from[i], bit)];
  __global uint* to = (__global uint*)(scratch + w.v[12]) + unit * 256;
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
  if (kept >= w.v[4]) return;
  const long side = scratch[w.v[10] * w.v[4] + kept];
  __global uint* counts = (__global uint*)(scratch + w.v[12]) + kept * 256;
  const long blocks = (w.v[5] + w.v[11] - 1) / w.v[11], step = w.v[4] * 256;
  uint next[256];
  for (int k = 0; k < 256; ++k) next[k] = 0;
  for (long block = 0; block < blocks; ++block)
    for (int k = 0; k < 256; ++k) next[k] += counts[block * step + k];
  int is_shared = 0;
  uint all = 0;
  for (int k = 0; k < 256; ++k) {
    const uint count = next[k];
    is_shared |= count == w.v[5];
    next[k] = all;
    all += count;
  }
  scratch[(w.v[10] + 1) * w.v[4] + kept] = is_shared ? side : 1 - side;
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
  const long kept = unit % w.v[4], block = unit / w.v[4];
  const long begin = block * w.v[11];
  if (begin >= w.v[5]) return;
  const long end = begin + w.v[11] < w.v[5] ? begin + w.v[11] : w.v[5];
  const int bit = 8 * (int)w.v[10];
  const long side = scratch[w.v[10] * w.v[4] + kept];
  if (scratch[(w.v[10] + 1) * w.v[4] + kept] == side) return;
  __global const float* from = (__global float*)(scratch + w.v[13]) + (side * w.v[4] * w.v[5] + kept * w.v[5]);
  __global float* to = (__global float*)(scratch + w.v[13]) + ((1 - side) * w.v[4] * w.v[5] + kept * w.v[5]);
  __global const uint* from_index = (__global uint*)(scratch + w.v[14]) + (side * w.v[4] * w.v[5] + kept * w.v[5]);
  __global uint* to_index = (__global uint*)(scratch + w.v[14]) + ((1 - side) * w.v[4] * w.v[5] + kept * w.v[5]);
  __global const uint* counts = (__global uint*)(scratch + w.v[12]) + unit * 256;
  uint next[256];
  for (int k = 0; k < 256; ++k) next[k] = counts[k];
#pragma clang loop unroll(disable) vectorize(disable) interleave(disable)
  for (long i = begin; i < end; ++i) {
    const float x = from[i];
    const uint place = next[isthmus_digit_of(x, bit)]++;
    to[place] = x;
    to_index[place] = from_index[i];
  }
}

__kernel __attribute__((reqd_work_group_size(1, 1, 1)))
#ifdef __has_attribute
#if __has_attribute(intel_vec_len_hint)
__attribute__((intel_vec_len_hint(1)))
#endif
#endif
void isthmus_finish(__global long* out0, __global long* scratch, const isthmus_words w) {
  const long unit = get_global_id(0);
  const long kept = unit % w.v[4], block = unit / w.v[4];
  const long begin = block * w.v[11];
  if (begin >= w.v[5]) return;
  const long end = begin + w.v[11] < w.v[5] ? begin + w.v[11] : w.v[5];
  const long side = scratch[w.v[10] * w.v[4] + kept];
  long rest = kept;
  const long i0 = rest;
  __global const uint* from = (__global uint*)(scratch + w.v[14]) + (side * w.v[4] * w.v[5] + kept * w.v[5]);
  for (long i = begin; i < end; ++i) {
    const long i1 = i;
    const long e0 = from[i];
    out0[w.v[8] + i0 * w.v[9] + i1] = e0;
  }
}
