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

typedef struct {
  float value;
  long index;
} state_argmax_float32;
static __attribute__((overloadable)) state_argmax_float32 make_argmax_float32(float value, long index) {
  const state_argmax_float32 made = {value, index};
  return made;
}
static __attribute__((overloadable)) state_argmax_float32 lift_argmax_float32(float x, long i) { return make_argmax_float32(x, i); }
static __attribute__((overloadable)) state_argmax_float32 combine_argmax_float32(state_argmax_float32 x, state_argmax_float32 y) { return (x.value == y.value || (x.value != x.value && y.value != y.value) ? x.index < y.index : x.value > y.value || x.value != x.value) ? x : y; }
static __attribute__((overloadable)) long finish_argmax_float32(state_argmax_float32 x) { return x.index; }
static __attribute__((overloadable)) float square_float32(float x) { return x * x; }
static __attribute__((overloadable)) long add_int64(long x, long y) { return (long)((ulong)x + (ulong)y); }

static __attribute__((overloadable)) float isthmus_element(__global const ushort* in0, const isthmus_words w, long rest) {
  const long i0 = rest;
  const float v0 = float16_to_float(in0[w.v[3] + i0]);
  const float v1 = round_float16(square_float32(v0));
  return v1;
}

__kernel void isthmus_fold(__global const ushort* in0, __global state_argmax_float32* scratch, const isthmus_words w) {
  __local state_argmax_float32 lanes[8][32];
  const int lane = get_local_id(0), team = get_local_id(1);
  const long unit = get_global_id(1);
  const long chunks = (w.v[2] + 1023) / 1024;
  const long kept = unit / chunks, chunk = unit % chunks;
  const int is_active = kept < w.v[1];
  const long begin = chunk * 1024;
  const long left = w.v[2] - begin;
  const int count = left < 1024 ? (int)left : 1024;
  if (is_active && lane < count) {
    long i = lane;
    state_argmax_float32 value = lift_argmax_float32(isthmus_element(in0, w, begin + i), begin + i);
#pragma clang loop unroll(disable) vectorize(disable) interleave(disable)
    for (i = lane + 32; i < count; i += 32) value = combine_argmax_float32(value, lift_argmax_float32(isthmus_element(in0, w, begin + i), begin + i));
    lanes[team][lane] = value;
  }
  int width = count < 32 ? count : 32;
  for (int level = 0; level < 5; ++level) {
    barrier(CLK_LOCAL_MEM_FENCE);
    const int next = (width + 1) / 2;
    if (width > 1 && lane + next < width)
      lanes[team][lane] = combine_argmax_float32(lanes[team][lane], lanes[team][lane + next]);
    width = next;
  }
  if (!is_active || lane > 0) return;
  const state_argmax_float32 total = lanes[team][0];
  scratch[chunk * w.v[1] + kept] = total;
}

__kernel void isthmus_combine(__global long* out0, __global state_argmax_float32* scratch, const isthmus_words w) {
  const long kept = get_global_id(0);
  const long lane = get_local_id(1), lanes = get_local_size(1);
  const long chunks = (w.v[2] + 1023) / 1024;
  for (long step = 1; step < chunks; step *= 2) {
    if (kept < w.v[1])
      for (long i = lane * 2 * step; i + step < chunks; i += lanes * 2 * step)
      scratch[i * w.v[1] + kept] = combine_argmax_float32(scratch[i * w.v[1] + kept], scratch[(i + step) * w.v[1] + kept]);
    barrier(CLK_GLOBAL_MEM_FENCE);
  }
  if (kept >= w.v[1] || lane > 0) return;
  const state_argmax_float32 total = scratch[kept];
  const long e0 = finish_argmax_float32(total);
  const long e1 = (long)w.v[5];
  const long e2 = add_int64(e0, e1);
  out0[w.v[4]] = e2;
}
