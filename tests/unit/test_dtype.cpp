// test_dtype.cpp: tests of core/dtype.h against facts of IEEE 754 and NumPy.
#include "isthmus/core/dtype.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <thread>
#include <vector>

#include "isthmus/base/error.h"

namespace isthmus {
namespace {

/// The value of a finite half, by the definition.
double value_of_half(unsigned bits) {
  const int exponent = static_cast<int>(bits >> 10 & 31), mantissa = static_cast<int>(bits & 0x3ff);
  const double magnitude =
      exponent == 0 ? std::ldexp(mantissa, -24) : std::ldexp(1024 + mantissa, exponent - 25);
  return bits & 0x8000 ? -magnitude : magnitude;
}

TEST(Half, of_every_bit_pattern_has_the_value_of_the_standard) {
  for (unsigned bits = 0; bits < 0x10000; ++bits) {
    const float value = half_to_float(static_cast<std::uint16_t>(bits));
    ASSERT_EQ(std::signbit(value), (bits & 0x8000) != 0) << bits;
    if ((bits >> 10 & 31) != 31)
      ASSERT_EQ(static_cast<double>(value), value_of_half(bits)) << bits;
    else if (bits & 0x3ff)
      ASSERT_TRUE(std::isnan(value)) << bits;
    else
      ASSERT_TRUE(std::isinf(value)) << bits;
  }
}

TEST(Half, comes_back_from_float_and_double_bit_for_bit) {
  for (unsigned bits = 0; bits < 0x10000; ++bits) {
    const auto half = static_cast<std::uint16_t>(bits);
    const bool is_nan = (bits & 0x7c00) == 0x7c00 && (bits & 0x3ff);
    const unsigned expected = is_nan ? bits | 0x200 : bits;  // a NaN becomes quiet
    ASSERT_EQ(float_to_half(half_to_float(half)), expected) << bits;
    ASSERT_EQ(double_to_half(half_to_float(half)), expected) << bits;
  }
}

TEST(Half, rounds_every_midpoint_to_even_and_its_neighbours_to_the_nearest) {
  for (unsigned bits = 0; bits < 0x7bff; ++bits) {
    const double low = value_of_half(bits), high = value_of_half(bits + 1),
                 middle = (low + high) / 2;
    const unsigned even = bits & 1 ? bits + 1 : bits;
    ASSERT_EQ(double_to_half(middle), even) << bits;
    ASSERT_EQ(double_to_half(std::nextafter(middle, 0)), bits) << bits;
    ASSERT_EQ(double_to_half(std::nextafter(middle, 1e9)), bits + 1) << bits;
    ASSERT_EQ(double_to_half(-middle), even | 0x8000) << bits;
    const auto single = static_cast<float>(middle);  // exact
    ASSERT_EQ(float_to_half(single), even) << bits;
    ASSERT_EQ(float_to_half(std::nextafterf(single, 0)), bits) << bits;
    ASSERT_EQ(float_to_half(std::nextafterf(single, 1e9f)), bits + 1) << bits;
  }
}

TEST(Half, overflows_to_infinity_from_half_a_step_past_the_largest) {
  EXPECT_EQ(double_to_half(65504), 0x7bff);
  EXPECT_EQ(double_to_half(std::nextafter(65520.0, 0)), 0x7bff);
  EXPECT_EQ(double_to_half(65520), 0x7c00);
  EXPECT_EQ(float_to_half(1e10f), 0x7c00);
  EXPECT_EQ(float_to_half(-INFINITY), 0xfc00);
  EXPECT_EQ(double_to_half(0x1p-25), 0);
  EXPECT_EQ(double_to_half(std::nextafter(0x1p-25, 1)), 1);
  EXPECT_EQ(double_to_half(-0.0), 0x8000);
}

TEST(Half, of_a_double_is_rounded_once_not_by_way_of_float) {
  // just above a midpoint by less than a float can tell: twice rounded, it would go down to even
  EXPECT_EQ(double_to_half(1 + 0x1p-11 + 0x1p-40), 0x3c01);
  EXPECT_EQ(float_to_half(static_cast<float>(1 + 0x1p-11 + 0x1p-40)), 0x3c00);
}

TEST(Bfloat, of_every_bit_pattern_comes_back) {
  for (unsigned bits = 0; bits < 0x10000; ++bits) {
    const bool is_nan = (bits & 0x7f80) == 0x7f80 && (bits & 0x7f);
    const unsigned expected = is_nan ? bits | 0x40 : bits;
    ASSERT_EQ(float_to_bfloat(bfloat_to_float(static_cast<std::uint16_t>(bits))), expected);
  }
}

TEST(Bfloat, rounds_to_nearest_even_and_keeps_nan_a_nan) {
  for (unsigned bits = 0; bits < 0x7f80; ++bits) {
    const std::uint32_t middle = bits << 16 | 0x8000;
    ASSERT_EQ(float_to_bfloat(std::bit_cast<float>(middle)), bits & 1 ? bits + 1 : bits);
    ASSERT_EQ(float_to_bfloat(std::bit_cast<float>(middle - 1)), bits);
    ASSERT_EQ(float_to_bfloat(std::bit_cast<float>(middle + 1)), bits + 1);
  }
  const float nan = std::bit_cast<float>(0x7f800001u);  // its payload is all in the bits that go
  EXPECT_TRUE(std::isnan(bfloat_to_float(float_to_bfloat(nan))));
}

TEST(Promotion, is_that_of_numpy_and_ml_dtypes_for_every_pair) {
  // numpy.promote_types of NumPy 2 with ml_dtypes, in the order of dtypes.def
  constexpr std::string_view code = "b1248ABCDhgfdFZ";
  constexpr std::string_view table[] = {
      "b1248ABCDhgfdFZ", "11248248dhgfdFZ", "22248248df?fdFZ", "44448448dd?ddZZ", "88888888dd?ddZZ",
      "A2248ABCDhgfdFZ", "B4448BBCDf?fdFZ", "C8888CCCDd?ddZZ", "DddddDDDDd?ddZZ", "hhfddhfddh?fdFZ",
      "gg???g????gfdFZ", "fffddffddfffdFZ", "dddddddddddddZZ", "FFFZZFFZZFFFZFZ", "ZZZZZZZZZZZZZZZ",
  };
  for (std::size_t a = 0; a < code.size(); ++a)
    for (std::size_t b = 0; b < code.size(); ++b) {
      const DType x = static_cast<TypeId>(a), y = static_cast<TypeId>(b);
      EXPECT_EQ(promote(x, y), promote(y, x));
      if (table[a][b] == '?') continue;  // NumPy refuses bfloat16 with what it cannot hold
      const auto expected = static_cast<TypeId>(code.find(table[a][b]));
      EXPECT_EQ(promote(x, y), DType(expected))
          << to_string(x) << " and " << to_string(y) << ": " << to_string(promote(x, y));
    }
}

TEST(Promotion, of_a_record_exists_only_with_itself) {
  RecordType type;
  type.bytes = 12;
  const DType record(intern(type));
  EXPECT_EQ(promote(record, record), record);
  try {
    promote(record, TypeId::float32);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Errc::promotion);
  }
}

TEST(Promotion, of_integers_to_reals_widens_as_numpy_does) {
  EXPECT_EQ(floating_for(TypeId::bool_), DType(TypeId::float16));
  EXPECT_EQ(floating_for(TypeId::int8), DType(TypeId::float16));
  EXPECT_EQ(floating_for(TypeId::uint16), DType(TypeId::float32));
  EXPECT_EQ(floating_for(TypeId::int32), DType(TypeId::float64));
  EXPECT_EQ(floating_for(TypeId::complex64), DType(TypeId::complex64));
}

TEST(Record, that_is_interned_twice_is_one_object_on_every_thread) {
  std::vector<const RecordType*> seen(8);
  std::vector<std::thread> threads;
  for (auto& place : seen)
    threads.emplace_back([&place] {
      RecordType type;
      type.bytes = 24;
      type.fields.push_back({"x", "<f4", 0, {}, nullptr});
      place = intern(type);
    });
  for (auto& thread : threads) thread.join();
  for (const auto* type : seen) EXPECT_EQ(type, seen[0]);
  RecordType other;
  other.bytes = 24;
  other.fields.push_back({"y", "<f4", 0, {}, nullptr});
  EXPECT_NE(intern(other), seen[0]);
}

template <class T>
T stored(const Scalar& value, TypeId type) {
  unsigned char memory[16];
  store(value, type, memory);
  T result;
  std::memcpy(&result, memory, sizeof result);
  return result;
}

TEST(Scalar, is_cast_as_numpy_casts_where_c_leaves_it_undefined) {
  EXPECT_EQ(stored<std::uint8_t>(Scalar::of(std::int64_t{300}), TypeId::uint8), 44);
  EXPECT_EQ(stored<std::int8_t>(Scalar::of(std::int64_t{-129}), TypeId::int8), 127);
  EXPECT_EQ(stored<std::uint8_t>(Scalar::of(2.0), TypeId::bool_), 1);
  EXPECT_EQ(stored<std::uint8_t>(Scalar::of(std::nan("")), TypeId::bool_), 1);
  EXPECT_EQ(stored<std::uint8_t>(Scalar::of(Complex<double>{0, 1}), TypeId::bool_), 1);
  EXPECT_EQ(stored<std::int64_t>(Scalar::of(-1.9), TypeId::int64), -1);
  EXPECT_EQ(stored<std::uint64_t>(Scalar::of(0x1p63), TypeId::uint64), std::uint64_t{1} << 63);
  for (double x : {std::nan(""), double{INFINITY}, -double{INFINITY}, 1e300, -1e300})
    EXPECT_NO_FATAL_FAILURE(stored<std::int32_t>(Scalar::of(x), TypeId::int32));
}

TEST(Scalar, comes_back_from_memory_of_every_dtype) {
  for (int id = 0; id < builtin_type_count; ++id) {
    const DType dtype = static_cast<TypeId>(id);
    unsigned char memory[16], again[16];
    std::memset(memory, 0, sizeof memory), std::memset(again, 0, sizeof again);
    store(Scalar::of(std::int64_t{1}), dtype, memory);
    const Scalar read = load(dtype, memory);
    EXPECT_EQ(read.dtype, dtype);
    store(read, dtype, again);
    EXPECT_EQ(std::memcmp(memory, again, sizeof memory), 0) << to_string(dtype);
  }
}

TEST(Scalar, keeps_every_bit_of_large_integers) {
  const auto large = std::numeric_limits<std::int64_t>::max() - 1;
  EXPECT_EQ(stored<std::int64_t>(Scalar::of(large), TypeId::int64), large);
  const auto natural = std::numeric_limits<std::uint64_t>::max() - 2;
  EXPECT_EQ(stored<std::uint64_t>(Scalar::of(natural), TypeId::uint64), natural);
  EXPECT_EQ(load(TypeId::uint64, &natural).natural, natural);
}

}  // namespace
}  // namespace isthmus
