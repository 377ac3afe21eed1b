#pragma OPENCL FP_CONTRACT OFF

typedef struct {
  long v[5];
} Words;

typedef struct {
  float re, im;
} complex64;

static __attribute__((overloadable)) complex64 c_make(float re, float im) {
  complex64 z;
  z.re = re;
  z.im = im;
  return z;
}

static __attribute__((overloadable)) int c_is_infinite(complex64 x) {
  return (fabs(x.re) == (float)INFINITY) | (fabs(x.im) == (float)INFINITY);
}

static __attribute__((overloadable)) int c_is_finite(complex64 x) {
  return (fabs(x.re) < (float)INFINITY) & (fabs(x.im) < (float)INFINITY);
}

static __attribute__((overloadable)) float c_box(float part) {
  return copysign(fabs(part) == (float)INFINITY ? (float)1 : (float)0, part);
}

static __attribute__((overloadable)) complex64 c_div(complex64 x, complex64 y) {
  float e = logb(fmax(fabs(y.re), fabs(y.im)));
  int shift = fabs(e) < (float)INFINITY ? -(int)e : 0;
  float c = ldexp(y.re, shift), d = ldexp(y.im, shift);
  float size = c * c + d * d;
  complex64 q = c_make(ldexp((x.re * c + x.im * d) / size, shift),
               ldexp((x.im * c - x.re * d) / size, shift));
  if (!((q.re != q.re) & (q.im != q.im))) return q;
  if (size == 0 && (x.re == x.re || x.im == x.im))
    return c_make(copysign((float)INFINITY, c) * x.re, copysign((float)INFINITY, c) * x.im);
  if (c_is_infinite(x) && c_is_finite(y)) {
    float a = c_box(x.re), b = c_box(x.im);
    return c_make((float)INFINITY * (a * c + b * d), (float)INFINITY * (b * c - a * d));
  }
  if (e == (float)INFINITY && c_is_finite(x)) {
    float f = c_box(c), g = c_box(d);
    return c_make((x.re * f + x.im * g) * 0, (x.im * f - x.re * g) * 0);
  }
  return q;
}

static __attribute__((overloadable)) complex64 divide_complex64(complex64 x, complex64 y) { return c_div(x, y); }

__kernel void map(__global const complex64* in0, __global const complex64* in1, __global complex64* out0, const Words w) {
  const long i0 = get_global_id(0);
  if (i0 >= w.v[0]) return;
  const complex64 v0 = in0[w.v[2] + i0];
  const complex64 v1 = in1[w.v[3]];
  const complex64 v2 = divide_complex64(v0, v1);
  out0[w.v[4] + i0] = v2;
}
