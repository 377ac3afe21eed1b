// test_asarray.cpp: what is shared, what is copied, and what is refused.
#include "isthmus/array/create/create.h"
#include "isthmus/exchange/asarray.h"

#include <gtest/gtest.h>

#include <numeric>

#include "isthmus/array/functions.h"
#include "isthmus/runtime/observe/statistics.h"

namespace isthmus {
namespace {

const Device discrete("null", 2);

TEST(AsArray, RefusesAnEmptyArray) {
  Array x = arange(4);
  const Array taken = std::move(x);
  for (const Array& empty : {Array(), x}) {
    EXPECT_THROW(static_cast<void>(empty.is_read_only()), ValueError);
    EXPECT_THROW(asarray(empty), ValueError);
    EXPECT_THROW(asarray(empty, {TypeId::float32, Device(), {}}), ValueError);
  }
}

TEST(Asarray, IsTheArrayWhereNothingElseIsWanted) {
  const Array x = arange(4, TypeId::float32).eval();
  EXPECT_EQ(asarray(x).storage(), x.storage());
  EXPECT_EQ(asarray(x, {TypeId::float32, Device(), false}).storage(), x.storage());
  const Array copied = asarray(x, {.dtype = {}, .device = {}, .copy = true});
  assign(x, 7);
  EXPECT_EQ(copied.to_vector<float>(), (std::vector<float>{0, 1, 2, 3}));
}

TEST(Asarray, CopiesForAnotherDtypeOrDeviceUnlessThatIsRefused) {
  const Array x = arange(3, TypeId::int32).eval();
  EXPECT_EQ(asarray(x, {.dtype = TypeId::float64}).to_vector<double>(),
            (std::vector<double>{0, 1, 2}));
  const std::int64_t copies = statistics().copies;
  const Array there = asarray(x, {.dtype = {}, .device = discrete});
  EXPECT_EQ(there.device(), discrete);
  EXPECT_EQ(statistics().copies, copies + 1);
  EXPECT_THROW(asarray(x, {TypeId::float32, {}, false}), CopyRefusedError);
  EXPECT_THROW(asarray(x, {{}, discrete, false}), CopyRefusedError);
  EXPECT_THROW(asarray(1.5, {{}, {}, false}), CopyRefusedError);
}

TEST(Asarray, SharesRangesThatOutliveIt) {
  std::vector<float> elements(3);
  std::iota(elements.begin(), elements.end(), 1.f);
  const Array x = asarray(elements);
  (x *= 2).eval();
  EXPECT_EQ(elements, (std::vector<float>{2, 4, 6}));
  EXPECT_TRUE(asarray(std::as_const(elements)).is_read_only());
  const float* const place = elements.data();
  const Array owner = asarray(std::move(elements), {TypeId::float32, {}, false});
  EXPECT_EQ(host_address(owner), place);
  EXPECT_EQ(owner.to_vector<float>(), (std::vector<float>{2, 4, 6}));
}

TEST(Asarray, MakesArraysOfNumbers) {
  EXPECT_EQ(asarray(3).dtype(), DType(TypeId::int64));
  EXPECT_EQ(asarray(2.5f, {.dtype = TypeId::float32}).item<float>(), 2.5f);
  EXPECT_EQ(asarray(true, {{}, discrete, {}}).device(), discrete);
}

TEST(Asarray, TakesTensorsOver) {
  const Array x = arange(4, TypeId::float32).eval();
  const Array y = asarray(to_dlpack(x).release());
  EXPECT_EQ(y.storage()->memory(), x.storage()->memory());
  const Array z = asarray(to_dlpack(x).release(), {.dtype = TypeId::int8});
  EXPECT_EQ(z.to_vector<std::int8_t>(), (std::vector<std::int8_t>{0, 1, 2, 3}));
  EXPECT_THROW(asarray(to_dlpack(x).release(), {TypeId::int8, {}, false}), CopyRefusedError);
}

}  // namespace
}  // namespace isthmus
