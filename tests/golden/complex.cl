#pragma OPENCL FP_CONTRACT OFF

typedef struct {
  long v[5];
} isthmus_words;

typedef struct {
  float re, im;
} complex64;

static __attribute__((overloadable)) complex64 c_make(float re, float im) {
  complex64 z;
  z.re = re;
  z.im = im;
  return z;
}

static __attribute__((overloadable)) int c_nonzero(complex64 x) { return (x.re != 0) | (x.im != 0); }

static __attribute__((overloadable)) int c_is_infinite(complex64 x) {
  return (fabs(x.re) == (float)INFINITY) | (fabs(x.im) == (float)INFINITY);
}

static __attribute__((overloadable)) int c_is_finite(complex64 x) {
  return (fabs(x.re) < (float)INFINITY) & (fabs(x.im) < (float)INFINITY);
}

static __attribute__((overloadable)) complex64 c_scale(complex64 x, float by) { return c_make(x.re * by, x.im * by); }

static __attribute__((overloadable)) float c_larger(complex64 x) {
  float a = fabs(x.re), b = fabs(x.im);
  return a > b ? a : b;
}

static __attribute__((overloadable)) float c_lift(float like) {
  float step = (float)1152921504606846976.0f;
  return sizeof(like) == 4 ? (float)35184372088832.0f : step * step * step * step * step;
}

static __attribute__((overloadable)) int c_step(float size) {
  float step = (float)1152921504606846976.0f, far = sizeof(size) == 4 ? step : c_lift(size) * step * step;
  return (size * far < 1) - (size > far);
}

static __attribute__((overloadable)) float c_by(float like, int step) {
  float by = c_lift(like) * c_lift(like);
  return step > 0 ? by : step < 0 ? 1 / by : (float)1;
}

static __attribute__((overloadable)) complex64 c_move(complex64 x, int steps) {
  float by = c_by(x.re, steps);
  return c_scale(c_scale(x, by), steps == 2 || steps == -2 ? by : (float)1);
}

static __attribute__((overloadable)) float c_box(float part) {
  return copysign(fabs(part) == (float)INFINITY ? (float)1 : (float)0, part);
}

static __attribute__((overloadable)) complex64 c_plain_div(complex64 x, complex64 y) {
  float size = y.re * y.re + y.im * y.im, im = x.im * y.re - x.re * y.im;
  return c_make((x.re * y.re + x.im * y.im) / size, copysign(fabs(im) / size, im));
}

static __attribute__((overloadable)) complex64 c_div(complex64 x, complex64 y) {
  int up = c_step(c_larger(x)), down = c_step(c_larger(y));
  complex64 d = c_move(y, down), q = c_move(c_plain_div(c_move(x, up), d), down - up);
  if (!((q.re != q.re) & (q.im != q.im))) return q;
  if (!c_nonzero(y) && (x.re == x.re || x.im == x.im))
    return c_make(copysign((float)INFINITY, y.re) * x.re, copysign((float)INFINITY, y.re) * x.im);
  if (c_is_infinite(x) && c_is_finite(y)) {
    float a = c_box(x.re), b = c_box(x.im);
    return c_make((float)INFINITY * (a * d.re + b * d.im), (float)INFINITY * (b * d.re - a * d.im));
  }
  if (c_is_infinite(y) && c_is_finite(x)) {
    float f = c_box(y.re), g = c_box(y.im);
    return c_make((x.re * f + x.im * g) * 0, (x.im * f - x.re * g) * 0);
  }
  return q;
}

static __attribute__((overloadable)) complex64 divide_complex64(complex64 x, complex64 y) { return c_div(x, y); }

__kernel void isthmus_map(__global const complex64* in0, __global const complex64* in1, __global complex64* out0, const isthmus_words w) {
  const long i0 = get_global_id(0);
  if (i0 >= w.v[0]) return;
  const complex64 v0 = in0[w.v[2] + i0];
  const complex64 v1 = in1[w.v[3]];
  const complex64 v2 = divide_complex64(v0, v1);
  out0[w.v[4] + i0] = v2;
}
