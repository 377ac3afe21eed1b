// test_host_rows.cpp: every row and cast of the host executor against a plain evaluation.
#include <gtest/gtest.h>

#include <bit>

#include "tests/unit/host_reference.h"

namespace isthmus {
namespace {

class EveryRow : public testing::TestWithParam<int> {};

struct Case {
  Op op;
  TypeId type;
  std::int64_t n = 300;
  Bytes x, y, z, out;
  TypeId result;

  Case(Op op_, TypeId type_) : op(op_), type(type_), result(result_of(op_, type_)) {
    const double lo = info(op).lo, hi = std::min(info(op).hi, 60.0);
    x = random_elements(op == Op::where ? TypeId::bool_ : type, n, 1, lo, hi);
    y = random_elements(type, n, 2, lo, hi);
    z = random_elements(type, n, 3, lo, hi);
    out.resize(static_cast<std::size_t>(n * size_of(result)));
    const Bytes* in[] = {&x, &y, &z};
    run_dense(program_of(op, type, result), n, {in, info(op).arity}, out);
  }
  const void* at(const Bytes& bytes, std::int64_t i, TypeId of) const {
    return bytes.data() + i * size_of(of);
  }
};

/// Units in the last place of the type between the two.
Wide error_in_ulp(TypeId type, Wide got, Wide want) {
  if (std::isnan(want) && std::isnan(got)) {
    return 0;
  }
  if (got == want) {
    return 0;
  }
  const int digits = type == TypeId::float64    ? 53
                     : type == TypeId::float16  ? 11
                     : type == TypeId::bfloat16 ? 8
                                                : 24;
  int exponent;
  std::frexp(want, &exponent);
  return std::fabs(got - want) /
         std::ldexp(Wide(1), std::max(exponent, type == TypeId::float16 ? -13 : -14) - digits);
}

TEST_P(EveryRow, agrees_with_a_plain_evaluation_on_every_type) {
  const Op op = static_cast<Op>(GetParam());
  for (const TypeId type : all_types) {
    if (!info(op).accepts(info(type).family)) {
      continue;
    }
    SCOPED_TRACE(std::string(info(type).name));
    const Case test(op, type);
    const TypeId first = op == Op::where ? TypeId::bool_ : type;
    for (std::int64_t i = 0; i < test.n; ++i) {
      const void* got = test.at(test.out, i, test.result);
      const void *x = test.at(test.x, i, first), *y = test.at(test.y, i, type),
                 *z = test.at(test.z, i, type);
      switch (info(type).family) {
        case Family::boolean: {
          const bool a = *static_cast<const bool*>(x), b = *static_cast<const bool*>(y),
                     c = *static_cast<const bool*>(z);
          bool want =
              op == Op::add || op == Op::bitwise_or || op == Op::maximum || op == Op::fmax ? a || b
              : op == Op::multiply || op == Op::bitwise_and || op == Op::minimum || op == Op::fmin
                  ? a && b
              : op == Op::bitwise_xor    ? a != b
              : op == Op::bitwise_invert ? !a
                                         : real_reference(op, a, b, c) != 0;
          EXPECT_EQ(static_cast<const unsigned char*>(got)[0], want) << i;
          break;
        }
        case Family::integer:
        case Family::natural: {
          const __int128 want = integer_reference(op, integer_at(first, x), integer_at(type, y),
                                                  integer_at(type, z), info(type).bits);
          const auto low = static_cast<std::uint64_t>(want);
          EXPECT_EQ(std::memcmp(&low, got, static_cast<std::size_t>(size_of(test.result))), 0)
              << "at " << i << ": " << read(first, x) << ", " << read(type, y);
          break;
        }
        case Family::real: {
          if (op == Op::nextafter) {
            break;  // its own test
          }
          const Wide want = real_reference(op, read(first, x), read(type, y), read(type, z));
          const Wide error = error_in_ulp(test.result, read(test.result, got), want);
          const bool is_narrow = type == TypeId::float16 || type == TypeId::bfloat16;
          if (test.result == TypeId::bool_) {
            EXPECT_EQ(read(test.result, got), want);
          } else if (!(op == Op::floor_divide && is_narrow) &&
                     !(std::isinf(read(test.result, got)) && std::fabs(want) > 60000)) {
            EXPECT_LE(error, info(op).ulp + 0.51L)
                << read(first, x) << ", " << read(type, y) << " got " << read(test.result, got);
          }
          break;
        }
        case Family::complex: {
          const auto a =
              op == Op::where ? Complex<double>{read(first, x), 0} : load(type, x).number;
          const auto b = load(type, y).number, c = load(type, z).number;
          const WideComplex want =
              op == Op::where ? (a.re != 0 ? WideComplex(b.re, b.im) : WideComplex(c.re, c.im))
                              : complex_reference(op, {a.re, a.im}, {b.re, b.im});
          const Scalar result = load(test.result, got);
          WideComplex value(read(test.result, got), 0);
          if (info(test.result).family == Family::complex) {
            value.imag(result.number.im);
          }
          const Wide epsilon = type == TypeId::complex64 ? 1.2e-7L : 2.3e-16L;
          const Wide scale = std::max(info(op).complex_ulp, 1);
          if (std::abs(want) < 1e38L && std::abs(want) > 1e-30L) {
            EXPECT_LE(std::abs(value - want), scale * epsilon * std::abs(want))
                << a.re << "+" << a.im << "i; " << b.re << "+" << b.im << "i got " << value.real()
                << "+" << value.imag() << "i want " << want.real() << "+" << want.imag() << "i";
          }
          break;
        }
        default: break;
      }
      if (HasFailure()) {
        return;
      }
    }
  }
}

TEST_P(EveryRow, gives_the_same_bits_wherever_an_element_stands) {
  const Op op = static_cast<Op>(GetParam());
  for (const TypeId type : all_types) {
    if (!info(op).accepts(info(type).family)) {
      continue;
    }
    const Case test(op, type);
    const std::int64_t bytes = size_of(type), result_bytes = size_of(test.result);
    const std::int64_t first_bytes = op == Op::where ? 1 : bytes;
    for (std::int64_t n = 1; n < 200; n += n < 70 ? 1 : 37) {
      const std::int64_t begin = (n * 31) % (test.n - n);
      Bytes out(static_cast<std::size_t>(n * result_bytes));
      const Argument inputs[] = {memory(test.x.data() + begin * first_bytes, {1}),
                                 memory(test.y.data() + begin * bytes, {1}),
                                 memory(test.z.data() + begin * bytes, {1})};
      const Argument outputs[] = {memory(out.data(), {1})};
      host::run(program_of(op, type, test.result), {{n}, 0, {inputs, info(op).arity}, {}, outputs});
      ASSERT_EQ(std::memcmp(out.data(), test.out.data() + begin * result_bytes, out.size()), 0)
          << info(type).name << " n " << n;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Ops, EveryRow, testing::Range(0, static_cast<int>(Op::astype)),
                         [](const auto& p) { return std::string(op_table[p.param].name); });

TEST(HostRows, real_functions_keep_infinities_nans_and_signed_zeros) {
  const double inf = INFINITY, nan = NAN;
  const double special[] = {0.0,  -0.0, 1,      -1,    2,      -0.5, inf,
                            -inf, nan,  1e-310, 1e300, -1e300, 3,    -3};
  for (int k = 0; k < static_cast<int>(Op::astype); ++k) {
    const Op op = static_cast<Op>(k);
    // those of isthmus::special: tests/device/test_special.py
    if (!info(op).accepts(Family::real) || !info(op).space.empty() || op == Op::where ||
        op == Op::nextafter || op == Op::logaddexp || op == Op::floor_divide ||
        op == Op::remainder || op == Op::clip) {
      continue;
    }
    for (const double x : special) {
      for (const double y : special) {
        double out = 0;
        unsigned char flag = 0;
        const bool is_flag = result_of(op, TypeId::float64) == TypeId::bool_;
        const Argument inputs[] = {memory(&x, {}), memory(&y, {})};
        const Argument outputs[] = {memory(is_flag ? static_cast<void*>(&flag) : &out, {})};
        host::run(program_of(op, TypeId::float64, is_flag ? TypeId::bool_ : TypeId::float64),
                  {{}, 0, {inputs, info(op).arity}, {}, outputs});
        if (is_flag) {
          out = flag;
        }
        const double want = static_cast<double>(real_reference(op, x, y, 0));
        EXPECT_EQ(std::isnan(out), std::isnan(want)) << info(op).name << x << ", " << y;
        if (std::isnan(want)) {
          continue;
        }
        if (want == 0 || std::isinf(want)) {
          EXPECT_EQ(out, want) << info(op).name << "(" << x << ", " << y << ")";
          const bool free_sign = op == Op::maximum || op == Op::minimum;
          if (!free_sign) {
            EXPECT_EQ(std::signbit(out), std::signbit(want))
                << info(op).name << "(" << x << ", " << y << ")";
          }
        }
      }
    }
  }
}

TEST(HostRows, erf_of_float_is_less_than_one_and_a_half_units_off) {
  std::vector<float> x;  // each 997th float from 2^-30 to 8
  for (std::uint32_t bits = 0x30800000; bits < 0x41000000; bits += 997)
    x.push_back(std::bit_cast<float>(bits));
  std::vector<float> negated = x, out(x.size()), of_negated(x.size());
  for (float& value : negated) value = -value;
  const auto n = static_cast<std::int64_t>(x.size());
  const auto run = [&](const float* in, float* to) {
    const Argument input = memory(in, {1}), output = memory(to, {1});
    host::run(program_of(Op::erf, TypeId::float32, TypeId::float32),
              {{n}, 0, {&input, 1}, {}, {&output, 1}});
  };
  run(x.data(), out.data());
  run(negated.data(), of_negated.data());
  // where vectors choose their polynomial, which begins with AVX2
  const Wide most = host::instruction_set() < "x86-64-v3" ? 1.5L : 0.85L;
  for (std::size_t i = 0; i < x.size(); ++i) {
    ASSERT_LE(out[i], 1) << x[i];
    ASSERT_EQ(of_negated[i], -out[i]) << x[i];
    ASSERT_LE(error_in_ulp(TypeId::float32, out[i], std::erf(static_cast<double>(x[i]))), most)
        << x[i];
  }
  const float special[] = {0.0f, -0.0f, INFINITY, -INFINITY, 1e-40f, -1e-40f};
  for (const float value : special) {
    std::fill(x.begin(), x.end(), value);
    run(x.data(), out.data());
    for (const float got : out) {
      ASSERT_EQ(got, static_cast<float>(std::erf(static_cast<double>(value))));
      ASSERT_EQ(std::signbit(got), std::signbit(value));
    }
  }
  std::fill(x.begin(), x.end(), NAN);
  run(x.data(), out.data());
  for (const float got : out) ASSERT_TRUE(std::isnan(got));
}

TEST(HostRows, floor_divide_and_remainder_are_the_array_apis) {
  const double inf = INFINITY;
  const double rows[][4] = {
      {7, 2, 3, 1},          {-7, 2, -4, 1},       {7, -2, -4, -1},
      {-7, -2, 3, -1},       {0.0, 3, 0.0, 0.0},   {-0.0, 3, -0.0, 0.0},
      {0.0, -3, -0.0, -0.0}, {5, inf, 0, 5},       {-5, inf, -0.0, inf},
      {5, -inf, -0.0, -inf}, {inf, 2, inf, NAN},   {1, 0.0, inf, NAN},
      {-1, 0.0, -inf, NAN},  {0.0, 0.0, NAN, NAN}, {1, 0.1, 9, 0.09999999999999995}};
  for (const auto& row : rows) {
    for (int k = 0; k < 2; ++k) {
      double out = 0;
      const Argument inputs[] = {memory(&row[0], {}), memory(&row[1], {})},
                     output = memory(&out, {});
      host::run(program_of(k ? Op::remainder : Op::floor_divide, TypeId::float64, TypeId::float64),
                {{}, 0, inputs, {}, {&output, 1}});
      if (std::isnan(row[2 + k])) {
        EXPECT_TRUE(std::isnan(out)) << row[0] << " " << row[1];
      } else {
        EXPECT_DOUBLE_EQ(out, row[2 + k]) << row[0] << " " << row[1] << " " << k;
        EXPECT_EQ(std::signbit(out), std::signbit(row[2 + k]))
            << row[0] << " " << row[1] << " " << k;
      }
    }
  }
}

template <class T>
void expect_quotients_by_one_divisor(TypeId type) {
  std::vector<T> numbers = {0, 1, 2, 3, 5, 7, 10, static_cast<T>(641), static_cast<T>(1000)};
  constexpr int bits = 8 * sizeof(T);
  for (const T far : {std::numeric_limits<T>::min(), std::numeric_limits<T>::max(),
                      static_cast<T>(std::uint64_t{1} << bits / 2),
                      static_cast<T>(std::uint64_t{1} << (bits - 2))})
    for (const int step : {-2, -1, 0, 1, 2})
      numbers.push_back(static_cast<T>(static_cast<std::uint64_t>(far) + step));
  for (std::size_t k = 0, count = numbers.size(); k < count; ++k)
    numbers.push_back(static_cast<T>(-static_cast<std::uint64_t>(numbers[k])));
  std::mt19937_64 random(3);
  while (numbers.size() < 70) numbers.push_back(static_cast<T>(random() >> numbers.size() % 60));
  if (bits == 8)
    for (int k = 0; k < 256; ++k) numbers.push_back(static_cast<T>(k));
  for (const T divisor : numbers) {
    const std::vector<T> divisors(numbers.size(), divisor);
    for (const Op op : {Op::floor_divide, Op::remainder}) {
      const auto all = static_cast<std::int64_t>(numbers.size());
      for (std::int64_t n = 0; n <= all; n = n < 20 || n == all ? n + 1 : std::min(n + 50, all)) {
        std::vector<T> out(static_cast<std::size_t>(n));
        const Argument inputs[] = {memory(numbers.data(), {1}), memory(divisors.data(), {1})},
                       output = memory(out.data(), {1});
        host::run(program_of(op, type, type), {{n}, 0, inputs, {}, {&output, 1}});
        for (std::int64_t i = 0; i < n; ++i) {
          const __int128 x = numbers[i], y = divisor;
          __int128 quotient = y == 0 ? 0 : x / y;
          if (y != 0 && quotient * y != x && (x < 0) != (y < 0)) --quotient;
          const __int128 want = op == Op::floor_divide ? quotient : y == 0 ? 0 : x - quotient * y;
          ASSERT_EQ(out[i], static_cast<T>(want)) << numbers[i] << " by " << divisor;
        }
      }
    }
  }
}

TEST(HostRows, quotients_by_one_divisor_are_exact) {
  expect_quotients_by_one_divisor<std::int8_t>(TypeId::int8);
  expect_quotients_by_one_divisor<std::uint8_t>(TypeId::uint8);
  expect_quotients_by_one_divisor<std::int16_t>(TypeId::int16);
  expect_quotients_by_one_divisor<std::uint16_t>(TypeId::uint16);
  expect_quotients_by_one_divisor<std::int32_t>(TypeId::int32);
  expect_quotients_by_one_divisor<std::uint32_t>(TypeId::uint32);
  expect_quotients_by_one_divisor<std::int64_t>(TypeId::int64);
  expect_quotients_by_one_divisor<std::uint64_t>(TypeId::uint64);
}

template <class T, class I>
void expect_parts(TypeId type) {
  std::vector<T> x = {0, -T(0), 1, -1, std::numeric_limits<T>::denorm_min()};
  for (const T far : {std::numeric_limits<T>::min(), std::numeric_limits<T>::max(),
                      std::numeric_limits<T>::infinity(), std::numeric_limits<T>::quiet_NaN()})
    x.insert(x.end(), {far, -far});
  std::mt19937_64 random(5);
  while (x.size() < 4097) x.push_back(std::bit_cast<T>(static_cast<I>(random())));
  while (x.size() < 4200)  // too small to be normal
    x.push_back(std::bit_cast<T>(static_cast<I>(random() >> (45 + x.size() % 12))));
  const auto n = static_cast<std::int64_t>(x.size());
  std::vector<T> mantissa(x.size()), exponent(x.size());
  std::vector<std::uint8_t> sign(x.size());
  const auto run = [&](Op op, TypeId result, void* out) {
    const Argument input = memory(x.data(), {1}), output = memory(out, {1});
    host::run(program_of(op, type, result), {{n}, 0, {&input, 1}, {}, {&output, 1}});
  };
  run(Op::frexp_mantissa, type, mantissa.data());
  run(Op::frexp_exponent, type, exponent.data());
  run(Op::signbit, TypeId::bool_, sign.data());
  for (std::int64_t i = 0; i < n; ++i) {
    int power = 0;
    const T part = std::isfinite(x[i]) ? std::frexp(x[i], &power) : x[i];
    EXPECT_EQ(std::bit_cast<I>(mantissa[i]), std::bit_cast<I>(part)) << x[i];
    EXPECT_EQ(exponent[i], static_cast<T>(std::isfinite(x[i]) ? power : 0)) << x[i];
    EXPECT_EQ(sign[i], std::signbit(x[i])) << x[i];
  }
}

TEST(HostRows, parts_of_floats_are_those_of_the_c_library) {
  expect_parts<float, std::uint32_t>(TypeId::float32);
  expect_parts<double, std::uint64_t>(TypeId::float64);
}

// glibc's complex functions follow Annex G; parts whose sign it leaves open are not compared.
TEST(HostRows, complex_functions_follow_annex_g_at_special_values) {
  const double inf = INFINITY, nan = NAN;
  const double parts[] = {0.0, -0.0, 1, -2, inf, -inf, nan};
  const Op ops[] = {Op::sqrt, Op::exp,   Op::log,   Op::sinh,  Op::cosh,
                    Op::tanh, Op::asinh, Op::acosh, Op::atanh, Op::acos,
                    Op::sin,  Op::cos,   Op::tan,   Op::asin,  Op::atan};
  for (const Op op : ops) {
    for (const double re : parts) {
      for (const double im : parts) {
        const Complex<double> x{re, im};
        Complex<double> out{};
        const Argument input = memory(&x, {}), output = memory(&out, {});
        host::run(program_of(op, TypeId::complex128, TypeId::complex128),
                  {{}, 0, {&input, 1}, {}, {&output, 1}});
        const WideComplex want = complex_reference(op, {re, im}, 0);
        const double got[] = {out.re, out.im};
        const Wide wanted[] = {want.real(), want.imag()};
        for (int k = 0; k < 2; ++k) {
          const auto say = [&] {
            return testing::Message()
                   << info(op).name << "(" << re << ", " << im << ") = " << out.re << ", " << out.im
                   << " want " << static_cast<double>(want.real()) << ", "
                   << static_cast<double>(want.imag());
          };
          if (std::isnan(wanted[k])) {
            EXPECT_TRUE(std::isnan(got[k])) << say();
          } else if (std::isinf(wanted[k]) || wanted[k] == 0) {
            EXPECT_EQ(std::fabs(got[k]), std::fabs(wanted[k])) << say();
            if (!std::isnan(re) && !std::isnan(im) && std::isfinite(re) && std::isfinite(im)) {
              EXPECT_EQ(std::signbit(got[k]), std::signbit(wanted[k])) << say();
            }
          } else {
            EXPECT_NEAR(got[k], static_cast<double>(wanted[k]), 1e-14) << say();
          }
        }
      }
    }
  }
}

TEST(HostRows, nextafter_steps_on_the_grid_of_the_type) {
  for (const TypeId type : {TypeId::float16, TypeId::bfloat16}) {
    const std::uint16_t x[] = {0x3c00, 0xbc00, 0, 0x8000, 1, 0x3c00, 0x7bff};
    const double towards[] = {5, 5, -1, 1, -1, -5, 1e30};
    const std::uint16_t want[] = {0x3c01, 0xbbff, 0x8001, 1, 0, 0x3bff, 0x7c00};
    std::uint16_t y[7], out[7];
    for (int i = 0; i < 7; ++i) {
      store(Scalar::of(towards[i]), type, &y[i]);
    }
    const Argument inputs[] = {memory(x, {1}), memory(y, {1})}, output = memory(out, {1});
    host::run(program_of(Op::nextafter, type, type), {{7}, 0, inputs, {}, {&output, 1}});
    for (int i = 0; i < (type == TypeId::float16 ? 7 : 6); ++i) {
      EXPECT_EQ(out[i], want[i]) << i;
    }
  }
  const float one = 1, two = 2;
  float next;
  const Argument inputs[] = {memory(&one, {}), memory(&two, {})}, output = memory(&next, {});
  host::run(program_of(Op::nextafter, TypeId::float32, TypeId::float32),
            {{}, 0, inputs, {}, {&output, 1}});
  EXPECT_EQ(next, std::nextafter(1.0f, 2.0f));
}

TEST(HostRows, casts_all_pairs_as_numpy) {
  const double values[] = {0,        1,         -1,   2.7,   -2.7,  100,   200.9,
                           -100,     40000,     1e6,  65519, 65520, 1e-7,  NAN,
                           INFINITY, -INFINITY, 1e30, -1e30, 3e9,   1.8e19};
  for (const TypeId from : all_types) {
    for (const TypeId to : all_types) {
      const std::int64_t n = std::size(values);
      Bytes x(static_cast<std::size_t>(n * size_of(from))),
          out(static_cast<std::size_t>(n * size_of(to)));
      for (std::int64_t i = 0; i < n; ++i) {
        const bool is_real =
            info(from).family == Family::real || info(from).family == Family::complex;
        store(Scalar::of(is_real                       ? values[i]
                         : std::fabs(values[i]) < 1e18 ? std::trunc(values[i])
                                                       : 7),
              from, x.data() + i * size_of(from));
      }
      const Bytes* in[] = {&x};
      run_dense(program_of(Op::astype, from, to), n, in, out);
      for (std::int64_t i = 0; i < n; ++i) {
        const double value = read(from, x.data() + i * size_of(from));
        const double got = read(to, out.data() + i * size_of(to));
        const Family family = info(to).family;
        const int bits = info(to).bits;
        if (family == Family::boolean) {
          EXPECT_EQ(got, value != 0) << value;
        } else if (family == Family::integer || family == Family::natural) {
          const double top = std::ldexp(1.0, family == Family::integer ? bits - 1 : bits);
          if (value > (family == Family::integer ? -top : -1) && value < top) {
            EXPECT_EQ(got, std::trunc(value)) << info(from).name << " to " << info(to).name;
          }
        } else {
          Bytes want(16), value_bytes(16);
          store(Scalar::of(value), to, want.data());
          const double wanted = read(to, want.data());
          EXPECT_TRUE(got == wanted || (std::isnan(got) && std::isnan(wanted)))
              << info(from).name << " to " << info(to).name << " of " << value << ": " << got;
        }
      }
    }
  }
}

TEST(HostRows, halves_have_the_bits_of_the_portable_conversions) {
  std::vector<std::uint16_t> halves(65536);
  for (int i = 0; i < 65536; ++i) {
    halves[i] = static_cast<std::uint16_t>(i);
  }
  for (const TypeId type : {TypeId::float16, TypeId::bfloat16}) {
    std::vector<float> floats(65536);
    std::vector<std::uint16_t> back(65536);
    const Argument h = memory(halves.data(), {1}), f = memory(floats.data(), {1}),
                   b = memory(back.data(), {1});
    host::run(program_of(Op::astype, type, TypeId::float32), {{65536}, 0, {&h, 1}, {}, {&f, 1}});
    for (int i = 0; i < 65536; ++i) {
      const float want =
          type == TypeId::float16 ? half_to_float(halves[i]) : bfloat_to_float(halves[i]);
      if (!std::isnan(want)) {
        ASSERT_EQ(want, floats[i]) << i;
      }
    }
    std::mt19937 random(3);
    for (float& x : floats) {
      const std::uint32_t bits = random();
      std::memcpy(&x, &bits, 4);
      if (bits % 2) {
        x = std::ldexp(x, -static_cast<int>(bits % 200) + 60);
      }
    }
    host::run(program_of(Op::astype, TypeId::float32, type), {{65536}, 0, {&f, 1}, {}, {&b, 1}});
    for (int i = 0; i < 65536; ++i) {
      if (!std::isnan(floats[i])) {
        ASSERT_EQ(back[i],
                  type == TypeId::float16 ? float_to_half(floats[i]) : float_to_bfloat(floats[i]));
      }
    }
  }
}

}  // namespace
}  // namespace isthmus
