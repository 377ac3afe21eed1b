// test_types.cpp: limits, kinds and promotion of dtypes, as a C++ program asks for them.
#include "isthmus/array/types.h"

#include <gtest/gtest.h>

#include "isthmus/array/arrange/manipulate.h"
#include "isthmus/array/create/create.h"
#include "tests/unit/errors.h"

namespace isthmus {
namespace {

TEST(Finfo, HasTheLimitsOfEachFloatingDtype) {
  EXPECT_EQ(finfo(TypeId::float32).eps, std::numeric_limits<float>::epsilon());
  EXPECT_EQ(finfo(TypeId::complex128).dtype, DType(TypeId::float64));
  EXPECT_EQ(finfo(TypeId::complex128).max, std::numeric_limits<double>::max());
  EXPECT_EQ(finfo(full({2}, 1, TypeId::float16)).max, 65504.0);
  for (const TypeId id : {TypeId::float16, TypeId::bfloat16, TypeId::float32, TypeId::float64}) {
    const FInfo limits = finfo(id);
    EXPECT_EQ(limits.bits, DType(id).bits);
    EXPECT_EQ(limits.min, -limits.max);
    // a half of eps beside 1 is lost, eps is not; past the largest there is nothing finite
    const auto as = [&](double x) {
      return item<double>(astype(astype(full({}, x), id), TypeId::float64));
    };
    EXPECT_EQ(as(1 + limits.eps), 1 + limits.eps);
    EXPECT_EQ(as(1 + limits.eps / 2), 1.0);
    EXPECT_EQ(as(limits.max), limits.max);
    if (id != TypeId::float64) EXPECT_EQ(as(limits.max * (1 + limits.eps)), inf);
    EXPECT_EQ(as(limits.smallest_normal), limits.smallest_normal);
  }
  EXPECT_EQ(code_of([] { finfo(TypeId::int32); }), Errc::type);
}

TEST(Iinfo, HasTheLimitsOfEachIntegerDtype) {
  EXPECT_EQ(iinfo(TypeId::int8).min, -128);
  EXPECT_EQ(iinfo(TypeId::int8).max, 127u);
  EXPECT_EQ(iinfo(TypeId::int64).min, INT64_MIN);
  EXPECT_EQ(iinfo(TypeId::int64).max, static_cast<std::uint64_t>(INT64_MAX));
  EXPECT_EQ(iinfo(TypeId::uint64).max, UINT64_MAX);
  EXPECT_EQ(iinfo(TypeId::uint16).min, 0);
  EXPECT_EQ(iinfo(full({1}, 1, TypeId::uint32)).max, UINT32_MAX);
  EXPECT_EQ(code_of([] { iinfo(TypeId::bool_); }), Errc::type);
  EXPECT_EQ(code_of([] { iinfo(TypeId::float64); }), Errc::type);
}

TEST(CanCast, FollowsPromotion) {
  EXPECT_TRUE(can_cast(TypeId::int32, TypeId::int64));
  EXPECT_FALSE(can_cast(TypeId::int64, TypeId::int32));
  EXPECT_FALSE(can_cast(TypeId::float64, TypeId::int64));
  EXPECT_TRUE(can_cast(full({}, 1, TypeId::uint8), TypeId::int16));
  const DType record(intern({"", 4, 1, false, {{"a", "<i4", 0, {}}}}));
  EXPECT_FALSE(can_cast(record, TypeId::int32));
  EXPECT_TRUE(can_cast(record, record));
}

TEST(Isdtype, KnowsTheWordsOfTheStandard) {
  EXPECT_TRUE(isdtype(TypeId::bool_, "bool"));
  EXPECT_FALSE(isdtype(TypeId::bool_, "numeric"));
  EXPECT_TRUE(isdtype(TypeId::uint8, "integral"));
  EXPECT_FALSE(isdtype(TypeId::uint8, "signed integer"));
  EXPECT_TRUE(isdtype(TypeId::bfloat16, "real floating"));
  EXPECT_TRUE(isdtype(TypeId::complex64, {"bool", "complex floating"}));
  EXPECT_TRUE(isdtype(TypeId::int8, TypeId::int8));
  EXPECT_EQ(code_of([] { isdtype(TypeId::int8, "float"); }), Errc::value);
}

TEST(ResultType, TakesArraysDtypesAndNumbers) {
  const Array x = full({2}, 1, TypeId::float32);
  EXPECT_EQ(result_type({x, TypeId::int8}), DType(TypeId::float32));
  EXPECT_EQ(result_type({TypeId::int8, TypeId::uint8}), DType(TypeId::int16));
  EXPECT_EQ(result_type({x, 2.5, 3}), DType(TypeId::float32));
  EXPECT_EQ(result_type({TypeId::int8, 2.5}), DType(TypeId::float64));
  EXPECT_EQ(result_type({TypeId::bool_, 300}), DType(TypeId::int64));
  EXPECT_EQ(code_of([] { result_type({1, 2.5}); }), Errc::value);
}

TEST(ResultType, IsThatOfEveryOrder) {
  // NumPy's; int8 and uint16 alone have int32, which with float32 would be float64
  EXPECT_EQ(result_type({TypeId::int8, TypeId::uint16, TypeId::float32}), DType(TypeId::float32));
  EXPECT_EQ(result_type({TypeId::float32, TypeId::int8, TypeId::uint16}), DType(TypeId::float32));
  EXPECT_EQ(result_type({TypeId::uint16, TypeId::float32, TypeId::int8, 2}),
            DType(TypeId::float32));
  EXPECT_EQ(result_type({TypeId::int16, TypeId::uint16, TypeId::complex64}),
            DType(TypeId::complex64));
  const Array parts[] = {full({1}, 1, TypeId::int8), full({1}, 2, TypeId::uint16),
                         full({1}, 3, TypeId::float32)};
  EXPECT_EQ(concat(parts, 0).dtype(), DType(TypeId::float32));
}

}  // namespace
}  // namespace isthmus
