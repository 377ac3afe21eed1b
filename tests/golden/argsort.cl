#pragma OPENCL FP_CONTRACT OFF

typedef struct {
  long v[13];
} isthmus_words;


static __attribute__((overloadable)) float isthmus_element(__global const float* in0, const isthmus_words w, const long i0, long rest) {
  const long i1 = rest;
  const float v0 = in0[w.v[4] + i0 * w.v[5] + i1];
  return v0;
}

static __attribute__((overloadable)) int isthmus_is_before(const float x, const float y) {
  return x < y || (y != y && x == x);
}

__kernel void isthmus_begin(__global const float* in0, __global long* scratch, const isthmus_words w) {
  const long unit = get_global_id(0);
  const long kept = unit % w.v[2];
  const long begin = unit / w.v[2] * 32;
  if (begin >= w.v[3]) return;
  long rest = kept;
  const long i0 = rest;
  __global long* to = scratch + kept * w.v[3];
  const long end = begin + 32 < w.v[3] ? begin + 32 : w.v[3];
  for (long i = begin; i < end; ++i) {
    const float x = isthmus_element(in0, w, i0, i);
    long k = i;
    for (; k > begin && isthmus_is_before(x, isthmus_element(in0, w, i0, to[k - 1])); --k) to[k] = to[k - 1];
    to[k] = i;
  }
}

__kernel void isthmus_merge(__global const float* in0, __global long* scratch, const isthmus_words w) {
  const long unit = get_global_id(0);
  const long kept = unit % w.v[2];
  const long begin = unit / w.v[2] * 32;
  if (begin >= w.v[3]) return;
  long rest = kept;
  const long i0 = rest;
  const __global long* from = scratch + w.v[9] + kept * w.v[3];
  __global long* to = scratch + (w.v[2] * w.v[3] - w.v[9]) + kept * w.v[3];
  const long first = begin / (2 * w.v[8]) * (2 * w.v[8]);
  const long middle = first + w.v[8] < w.v[3] ? first + w.v[8] : w.v[3];
  const long last = middle + w.v[8] < w.v[3] ? middle + w.v[8] : w.v[3];
  const long done = begin - first;
  long low = done > last - middle ? done - (last - middle) : 0;
  long high = done < middle - first ? done : middle - first;
  while (low < high) {
    const long split = (low + high) / 2;
    const long a = first + split, b = middle + done - 1 - split;
    if (isthmus_is_before(isthmus_element(in0, w, i0, from[b]), isthmus_element(in0, w, i0, from[a]))) high = split; else low = split + 1;
  }
  long a = first + low, b = middle + done - low;
  const long end = begin + 32 < last ? begin + 32 : last;
  for (long i = begin; i < end; ++i) {
    const int takes_b = b < last && (a >= middle || isthmus_is_before(isthmus_element(in0, w, i0, from[b]), isthmus_element(in0, w, i0, from[a])));
    to[i] = takes_b ? from[b++] : from[a++];
  }
}

__kernel void isthmus_finish(__global const float* in0, __global long* out0, __global long* scratch, const isthmus_words w) {
  const long unit = get_global_id(0);
  if (unit >= w.v[2] * w.v[3]) return;
  const long kept = unit / w.v[3], place = unit % w.v[3];
  long rest = kept;
  const long i0 = rest;
  const long i1 = place;
  const long index = scratch[w.v[9] + unit];
  const long e0 = index;
  out0[w.v[6] + i0 * w.v[7] + i1] = e0;
}
