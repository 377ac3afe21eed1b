#pragma OPENCL FP_CONTRACT OFF

typedef struct {
  long v[12];
} isthmus_words;

static __attribute__((overloadable)) void philox_halves(ulong counter, ulong key, ulong stream, ulong* low, ulong* high) {
  uint c0 = (uint)counter, c1 = (uint)(counter >> 32), c2 = (uint)stream;
  uint c3 = (uint)(stream >> 32), k0 = (uint)key, k1 = (uint)(key >> 32);
  int round;
  for (round = 0; round < 10; ++round) {
    ulong a = (ulong)c0 * 0xd2511f53ul, b = (ulong)c2 * 0xcd9e8d57ul;
    c0 = (uint)(b >> 32) ^ c1 ^ k0;
    c1 = (uint)b;
    c2 = (uint)(a >> 32) ^ c3 ^ k1;
    c3 = (uint)a;
    k0 += 0x9e3779b9u;
    k1 += 0xbb67ae85u;
  }
  *low = (ulong)c0 | (ulong)c1 << 32;
  *high = (ulong)c2 | (ulong)c3 << 32;
}

static __attribute__((overloadable)) ulong philox_half(ulong counter, ulong key, ulong stream, uint is_high) {
  ulong low, high;
  philox_halves(counter, key, stream, &low, &high);
  return is_high != 0 ? high : low;
}

static __attribute__((overloadable)) ulong random_word(ulong position, ulong key, ulong stream, ulong bytes) {
  ulong wide = bytes == 4 ? position >> 1 : position;
  ulong bits = philox_half(wide >> 1, key, stream, (uint)wide & 1u);
  return bytes == 4 ? bits >> (32 * ((uint)position & 1u)) & 0xfffffffful : bits;
}

static __attribute__((overloadable)) float real_of_bits(uint bits) {
  ulong wide = (ulong)bits;
  float high = (float)(int)(wide >> 32) * (float)4294967296.0f;
  float low = as_float((uint)((wide & 0xfffffffful) | 0x4330000000000000ul)) - (float)4503599627370496.0f;
  return sizeof(float) == 4 ? (float)(int)bits : high + low;
}

static __attribute__((overloadable)) float random_positive(uint bits) {
  return (real_of_bits(bits >> 1) + (float)0.5f) *
         (sizeof(float) == 4 ? (float)4.656612873077392578125e-10f : (float)1.0842021724855044340e-19f);
}

static __attribute__((overloadable)) float exact_log(float x) {
  uint one = (uint)(sizeof(float) == 4 ? 0x3f800000ul : 0x3ff0000000000000ul);
  uint half_root = (uint)(sizeof(float) == 4 ? 0x3f3504f3ul : 0x3fe6a09e667f3bcdul);
  uint places = (uint)(sizeof(float) == 4 ? 23 : 52);
  uint bits = as_uint(x) + (one - half_root);
  float k = (float)((int)(bits >> places) - (sizeof(float) == 4 ? 127 : 1023));
  float f = as_float((bits & (((uint)1 << places) - 1)) + half_root) - 1;
  float s = f / (f + 2), z = s * s, half_square = f * f * (float)0.5f;
  float series = sizeof(float) == 4
                 ? (float)0.66666685f + z * ((float)0.399887783f + z * (float)0.29580053f)
                 : (float)0.66666666666666697f +
                       z * ((float)0.39999999999899443f +
                            z * ((float)0.28571428626003269f +
                                 z * ((float)0.22222211130259877f +
                                      z * ((float)0.18182889455674946f +
                                           z * ((float)0.15331710618210772f +
                                                z * (float)0.14616585424888622f)))));
  float high = sizeof(float) == 4 ? (float)0.693145751953125f : (float)0.69314718036912381649f;
  float low = sizeof(float) == 4 ? (float)0.00000142860677f : (float)1.9082149292705877e-10f;
  return k * high - ((half_square - (s * (half_square + z * series) + k * low)) - f);
}

static __attribute__((overloadable)) float random_turn(uint angle, uint is_sine) {
  uint quarter = (uint)(angle >> (8 * sizeof(float) - 2)) + 3u * is_sine;
  float x = real_of_bits(angle << 2) *
        (sizeof(float) == 4 ? (float)2.3283064365386962890625e-10f : (float)5.421010862427522170e-20f);
  float y = x * x;
  float sine = sizeof(float) == 4
               ? (float)1.57079632f +
                     y * ((float)-0.645963478f + y * ((float)0.0796802176f + y * (float)-0.00460214921f))
               : (float)1.5707963267948966f +
                     y * ((float)-0.64596409750624432f +
                          y * ((float)0.079692626246043003f +
                               y * ((float)-0.004681754132340976f +
                                    y * ((float)0.00016044115074219091f +
                                         y * ((float)-3.5986433529823097e-6f +
                                              y * (float)5.633933781537854e-8f)))));
  float cosine = sizeof(float) == 4
                 ? (float)-1.23370055f +
                       y * ((float)0.25366941f + y * ((float)-0.0208615283f + y * (float)0.000906739898f))
                 : (float)-1.2337005501361698f +
                       y * ((float)0.25366950790104782f +
                            y * ((float)-0.020863480763340773f +
                                 y * ((float)0.00091926027454684462f +
                                      y * ((float)-2.5202039028029176e-5f +
                                           y * ((float)4.7106784055052271e-7f +
                                                y * (float)-6.3293963449674235e-9f)))));
  float turned = (quarter & 1u) != 0 ? x * sine : 1 + y * cosine;
  return ((quarter + 1u) & 2u) != 0 ? -turned : turned;
}

static __attribute__((overloadable)) float random_radius(uint bits) { return sqrt((float)-2 * exact_log(random_positive(bits))); }

static __attribute__((overloadable)) float random_normal(uint radius, uint angle, uint is_sine) {
  return random_radius(radius) * random_turn(angle, is_sine);
}

static __attribute__((overloadable)) float random_normal_float32(ulong x, ulong y, ulong z) { return random_normal((uint)random_word(x & ~1ul, y, z, sizeof(float)), (uint)random_word(x | 1ul, y, z, sizeof(float)), (uint)x & 1u); }
static __attribute__((overloadable)) float add_float32(float x, float y) { return x + y; }

__kernel void isthmus_map(__global const float* in3, __global float* out0, const isthmus_words w) {
  const long i1 = get_global_id(0);
  const long i0 = get_global_id(1);
  if (i1 >= w.v[1] || i0 >= w.v[0]) return;
  const ulong v0 = (ulong)(w.v[3] + i0 * w.v[4] + i1 * w.v[5]);
  const float v3 = in3[w.v[6] + i0 * w.v[7] + i1];
  const ulong v1 = (ulong)w.v[10];
  const ulong v2 = (ulong)w.v[11];
  const float v4 = random_normal_float32(v0, v1, v2);
  const float v5 = add_float32(v3, v4);
  out0[w.v[8] + i0 * w.v[9] + i1] = v5;
}
