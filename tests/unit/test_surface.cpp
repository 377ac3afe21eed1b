// test_surface.cpp: programs as a C++ user writes them, with the public header alone.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <complex>
#include <limits>
#include <list>
#include <memory_resource>
#include <sstream>
#include <type_traits>
#include <vector>

#include "isthmus/hazards/hazards.h"
#include "isthmus/isthmus.h"
#include "surface_program.h"
#include "tests/unit/errors.h"

namespace {

namespace xp = isthmus;
using xp::Array;
using xp::Dims;
using xp::DType;
using xp::Errc;
using xp::error_of;
using xp::TypeId;

const void* address_of(const Array& x) { return xp::host_address(x); }

TEST(Surface, TheProgramOfTheFrontPageRuns) {
  for (const char* device : {"cpu", "null:1", "null:2"}) surface::run(device);
}

TEST(Literal, HasTheShapeOfItsBraces) {
  EXPECT_EQ(Array({1, 2, 3}).shape(), Dims{3});
  EXPECT_EQ(Array({{1, 2, 3}}).shape(), (Dims{1, 3}));
  EXPECT_EQ(Array({{1}, {2}}).shape(), (Dims{2, 1}));
  EXPECT_EQ(Array({{{1, 2}}, {{3, 4}}, {{5, 6}}}).shape(), (Dims{3, 1, 2}));
  const Array deep({{{{1, 2}, {3, 4}}, {{5, 6}, {7, 8}}}});
  EXPECT_EQ(deep.shape(), (Dims{1, 2, 2, 2}));
  EXPECT_EQ(deep.to_vector<int>(), (std::vector<int>{1, 2, 3, 4, 5, 6, 7, 8}));
  EXPECT_EQ(Array({}).shape(), Dims{0});
  EXPECT_EQ(Array({{}, {}}).shape(), (Dims{2, 0}));
  EXPECT_EQ(Array(7).ndim(), 0);
  EXPECT_EQ(Array{7}.shape(), Dims{1});  // as of std::vector
  const Array copied = {{1., 2.}, {3., 4.}};
  EXPECT_EQ(copied.shape(), (Dims{2, 2}));
}

TEST(Literal, RefusesRaggedLists) {
  EXPECT_EQ(
      error_of(Errc::value, [] { Array({{1, 2, 3}, {4, 5}}); }),
      "Array: the items of a list have the shapes (3,) and (2,); they must have the same shape");
  const std::string mixed =
      "Array: a list mixes numbers and lists; its items must be all numbers or all lists";
  EXPECT_EQ(error_of(Errc::value, [] { Array({{1, 2}, 3}); }), mixed);
  EXPECT_EQ(error_of(Errc::value, [] { Array({3, {1, 2}}); }), mixed);
  error_of(Errc::value, [] { Array({{{1}}, {{2}, {3}}}); });
  error_of(Errc::value, [] { Array({{}, {1}}); });
}

TEST(Literal, HasTheDtypeThatAllNumbersHaveInCommon) {
  EXPECT_EQ(Array({1, 2}).dtype(), TypeId::int64);
  EXPECT_EQ(Array({1, 2.5}).dtype(), TypeId::float64);
  EXPECT_EQ(Array({1.f, 2.f}).dtype(), TypeId::float32);
  EXPECT_EQ(Array({1.f, 2.}).dtype(), TypeId::float64);
  EXPECT_EQ(Array({1e300, 1.f})[0].item<double>(), 1e300);
  EXPECT_EQ(Array({std::complex(1.f, 2.f), std::complex<float>(0.5)}).dtype(), TypeId::complex64);
  EXPECT_EQ(Array({1.f, 2}).dtype(), TypeId::float32);
  EXPECT_EQ(Array({true, false}).dtype(), TypeId::bool_);
  EXPECT_EQ(Array({true, false}).to_vector<bool>(), (std::vector<bool>{true, false}));
  EXPECT_EQ(Array({std::int8_t{1}, std::int16_t{2}}).dtype(), TypeId::int16);
  EXPECT_EQ(Array({std::complex(1., 2.)}).dtype(), TypeId::complex128);
  EXPECT_EQ(Array({std::complex(1.f, 2.f)}).dtype(), TypeId::complex64);
  EXPECT_EQ(Array({1., std::complex(1., 2.)}).dtype(), TypeId::complex128);
  EXPECT_EQ(Array({}).dtype(), TypeId::float64);
  EXPECT_EQ(Array({1, 2}, TypeId::uint8).dtype(), TypeId::uint8);
  EXPECT_EQ(Array(2.5f).dtype(), TypeId::float32);
  EXPECT_EQ(Array(2.5).dtype(), TypeId::float64);
  error_of(Errc::overflow, [] { Array({1, 300}, TypeId::uint8); });
  error_of(Errc::overflow, [] { Array({std::int8_t{1}, std::int8_t{2}}, TypeId::int8) + 300; });
}

TEST(Literal, GoesToTheDeviceThatIsNamed) {
  const Array x({{1.f, 2.f}}, "null:2");
  EXPECT_EQ(x.device(), "null:2");
  EXPECT_EQ(x.to_device("cpu").to_vector<float>(), (std::vector<float>{1, 2}));
  EXPECT_EQ(Array({1., 2.}, {}, "null:2").dtype(), TypeId::float32);  // which has no doubles
  const xp::Device device("null:1");
  EXPECT_EQ(Array({1, 2}, device).device(), device);
  EXPECT_EQ(Array({1, 2}, {}, device).device(), device);
}

TEST(Vector, IsAdoptedWhereItLies) {
  const std::int64_t before = xp::live_memories();
  {
    std::vector<float> mine{1, 2, 3, 4};
    const void* const where = mine.data();
    Array x(std::move(mine));
    EXPECT_EQ(address_of(x), where);
    EXPECT_EQ(x.shape(), Dims{4});
    EXPECT_FALSE(x.storage()->memory()->is_shared());  // nobody else has it: reading may wait
    const Array view = x.reshape({2, 2})[1];
    x = {};
    EXPECT_EQ(view.to_vector<float>(), (std::vector<float>{3, 4}));
  }
  EXPECT_EQ(xp::live_memories(), before);
}

TEST(Vector, WithAnAllocatorOfItsOwnIsAdopted) {
  std::pmr::monotonic_buffer_resource pool;
  std::pmr::vector<double> mine({1, 2}, &pool);
  const void* const where = mine.data();
  const Array x(std::move(mine));
  EXPECT_EQ(address_of(x), where);
}

TEST(Vector, OfOthersIsCopied) {
  std::vector<int> mine{1, 2};
  const Array x(mine), empty(std::vector<double>{});
  mine[0] = 5;
  EXPECT_EQ(x.to_vector<int>(), (std::vector<int>{1, 2}));
  EXPECT_EQ(empty.shape(), Dims{0});
  EXPECT_EQ(Array(std::array<std::uint8_t, 2>{1, 2}).dtype(), TypeId::uint8);
  const std::int16_t plain[] = {1, 2, 3};
  EXPECT_EQ(Array(plain).shape(), Dims{3});
  EXPECT_EQ(Array(std::vector<bool>{true, false}).to_vector<bool>(),
            (std::vector<bool>{true, false}));
  std::vector<bool> bits{false, true};
  EXPECT_EQ(Array(std::move(bits)).dtype(), TypeId::bool_);
  static_assert(!std::is_constructible_v<Array, std::vector<std::string>>);
  static_assert(!std::is_constructible_v<Array, std::vector<long double>>);
  static_assert(!std::is_constructible_v<Array, const char*>);
  static_assert(!std::is_constructible_v<Array, Dims>);
  static_assert(!std::is_convertible_v<double, Array>);
}

TEST(Empty, IsWhatADefaultArrayIsAndWhatAMoveLeaves) {
  std::vector<Array> four(4);
  for (const Array& x : four) EXPECT_FALSE(x.has_value());
  four[0] = xp::ones({2});
  Array taken = std::move(four[0]);
  EXPECT_TRUE(taken.has_value());
  EXPECT_FALSE(four[0].has_value());
  Array view = taken[xp::slice(1)], other = std::move(view);
  EXPECT_FALSE(view.has_value());
  EXPECT_EQ(other.shape(), Dims{1});
  view = other;
  EXPECT_EQ(view.to_vector<double>(), std::vector<double>{1});
  EXPECT_TRUE(xp::zeros({0}).has_value());
}

TEST(Empty, SaysSoInEachUse) {
  const std::string wanted =
      "Array: it is empty: default-constructed, moved from, or consumed by a calculation with the "
      "Value that held it; assign an array to it first";
  const Array nothing, x = xp::ones({2});
  Array moved = x[xp::slice(1)];
  const Array taken = std::move(moved);
  for (const Array* e : {&nothing, static_cast<const Array*>(&moved)}) {
    const auto refuses = [&](auto f) { EXPECT_EQ(error_of(Errc::value, f), wanted); };
    refuses([&] { (void)e->dtype(); });
    refuses([&] { (void)e->device(); });
    refuses([&] { (void)e->shape(); });
    refuses([&] { (void)e->shape(0); });
    refuses([&] { (void)e->layout(); });
    refuses([&] { (void)e->ndim(); });
    refuses([&] { (void)e->size(); });
    refuses([&] { (void)e->nbytes(); });
    refuses([&] { (void)e->storage(); });
    refuses([&] { (void)e->is_pending(); });
    refuses([&] { (void)(*e)[0]; });
    refuses([&] { e->eval(); });
    refuses([&] { (void)e->item<double>(); });
    refuses([&] { (void)e->to_vector<double>(); });
    refuses([&] { (void)(*e + x); });
    refuses([&] { (void)(x + *e); });
    refuses([&] { (void)(2 * *e); });
    refuses([&] { (void)sin(*e); });
    refuses([&] { (void)xp::sum(*e); });
    refuses([&] { (void)xp::mean(*e, 0); });
    refuses([&] { (void)e->reshape({1}); });
    refuses([&] { (void)xp::concat({x, *e}); });
    refuses([&] { (void)xp::concat({*e, x}); });
    refuses([&] { (void)xp::where(*e, x, x); });
    refuses([&] { (void)xp::zeros_like(*e); });
    refuses([&] { e->fill(1); });
    refuses([&] { x[0] = *e; });
    refuses([&] { x += *e; });
    refuses([&] { *e += x; });
    refuses([&] { (void)e->astype<float>(); });
    refuses([&] { (void)e->to_device("cpu"); });
    refuses([&] { (void)to_string(*e); });
    refuses([&] { std::ostringstream() << *e; });
    refuses([&] { (void)xp::to_dlpack(*e); });
    refuses([&] { (void)xp::to_span<double>(*e); });
  }
}

TEST(Device, IsNamedByATextWhereverOneIsTaken) {
  const std::string name = "null:2";
  EXPECT_EQ(xp::zeros<float>({2}, name).device(), xp::Device("null", 2));
  EXPECT_EQ(xp::zeros({2}, name).device(), "null:2");
  EXPECT_EQ(xp::ones({2}, TypeId::int32, "null:2").device(), "null:2");
  EXPECT_EQ(xp::full<float>({2}, 1, "null:2").device(), "null:2");
  EXPECT_EQ(xp::full({2}, 1, "null:2").device(), "null:2");
  EXPECT_EQ(xp::arange<float>(3, "null:2").device(), "null:2");
  EXPECT_EQ(xp::ones<float>({2}).to_device("null:2").device(), "null:2");
  EXPECT_NE(xp::Device(), "null:2");
  xp::synchronize("null:2");
  const std::string text = error_of(Errc::device_not_found, [] { xp::zeros({2}, "nowhere:0"); });
  EXPECT_EQ(text.rfind("device 'nowhere:0': there is no backend 'nowhere'", 0), 0u) << text;
  error_of(Errc::device_not_found, [] { xp::Device("null:9"); });
  static_assert(!std::is_constructible_v<xp::Device, std::nullptr_t>);
  static_assert(!std::is_constructible_v<xp::Device, int>);
}

TEST(Shape, TakesIntegersOfAnyTypesAtOnce) {
  const std::size_t n = 2;
  const unsigned char m = 3;
  EXPECT_EQ(xp::zeros({n, m, 4, 1L}).shape(), (Dims{2, 3, 4, 1}));
  EXPECT_EQ(xp::zeros(n).shape(), Dims{2});
  EXPECT_EQ(xp::zeros(std::vector<std::size_t>{2, 3}).shape(), (Dims{2, 3}));
  EXPECT_EQ(xp::arange(6).reshape({n, -1}).shape(), (Dims{2, 3}));
  EXPECT_EQ(xp::arange(6)[n].item<int>(), 2);
  const std::size_t huge = std::numeric_limits<std::size_t>::max();
  EXPECT_EQ(error_of(Errc::overflow, [&] { xp::zeros({n, huge}); }),
            "18446744073709551615 is past 2^63-1, the largest number of a length or an axis");
  error_of(Errc::overflow, [&] { xp::zeros(std::vector<std::size_t>{huge}); });
  error_of(Errc::overflow, [&] { (void)xp::arange(6)[huge]; });
  error_of(Errc::value, [] { xp::zeros({2, -1}); });
}

TEST(Create, TakesTheDtypeAsAType) {
  EXPECT_EQ(xp::zeros<std::int8_t>({2}).dtype(), TypeId::int8);
  EXPECT_EQ(xp::ones<bool>({2}).dtype(), TypeId::bool_);
  EXPECT_EQ(xp::empty<std::complex<float>>({2}).dtype(), TypeId::complex64);
  EXPECT_EQ(xp::full<double>({2}, 1).dtype(), TypeId::float64);
  EXPECT_EQ(xp::arange<float>(2, 5).to_vector<float>(), (std::vector<float>{2, 3, 4}));
  EXPECT_EQ(xp::linspace<float>(0, 1, 3).dtype(), TypeId::float32);
  EXPECT_EQ(xp::eye<int>(2).dtype(), TypeId::int32);
  EXPECT_EQ(xp::zeros_like<float>(xp::ones({3})).dtype(), TypeId::float32);
  error_of(Errc::overflow, [] { xp::full<std::int8_t>({2}, 300); });
}

TEST(Numbers, MakeTheirOwnDtypeAloneAndAreWeakBesideArrays) {
  const Array half = xp::ones({1}, TypeId::float16), bytes = xp::ones<std::uint8_t>({1});
  const double variable = 2;
  const std::int64_t integer = 2;
  EXPECT_EQ((half * 2.f).dtype(), TypeId::float16);
  EXPECT_EQ((half * variable).dtype(), TypeId::float16);
  EXPECT_EQ((bytes + integer).dtype(), TypeId::uint8);
  EXPECT_EQ((bytes + 0.5f).dtype(), TypeId::float64);
  EXPECT_EQ((half * Array(2.f)).dtype(), TypeId::float32);  // strong
  EXPECT_EQ(xp::full({2}, 1.f).dtype(), TypeId::float32);
  EXPECT_EQ(xp::full({2}, 1.).dtype(), TypeId::float64);
  EXPECT_EQ(xp::full({2}, integer).dtype(), TypeId::int64);
  EXPECT_EQ(xp::full({2}, std::int16_t{1}).dtype(), TypeId::int16);
  EXPECT_EQ(xp::full({2}, 1u).dtype(), TypeId::uint32);
  EXPECT_EQ(xp::full({2}, std::int16_t{-7}).to_vector<int>(), (std::vector<int>{-7, -7}));
  EXPECT_EQ(xp::linspace(0.f, 1, 3).dtype(), TypeId::float32);
  EXPECT_EQ(xp::linspace(0, 1, 3).dtype(), TypeId::float64);
  EXPECT_EQ(xp::arange(2.5f).dtype(), TypeId::float32);
  EXPECT_EQ(xp::arange(0, 2.5).dtype(), TypeId::float64);
}

TEST(Members, AreThoseOfPython) {
  const Array x({{1., 2., 3.}, {4., 5., 6.}});
  EXPECT_EQ(x.shape(-1), 3);
  error_of(Errc::index, [&] { (void)x.shape(2); });
  EXPECT_EQ(x.nbytes(), 48);
  EXPECT_EQ(x.T().shape(), (Dims{3, 2}));
  EXPECT_EQ(x.mT().shape(), (Dims{3, 2}));
  EXPECT_EQ(x.reshape(-1).shape(), Dims{6});
  EXPECT_EQ(x.transpose({1, 0}).shape(), (Dims{3, 2}));
  EXPECT_EQ(x.swapaxes(0, 1).shape(), (Dims{3, 2}));
  EXPECT_EQ(xp::ones({1, 2, 1}).squeeze().shape(), Dims{2});
  EXPECT_EQ(xp::ones({1, 2, 1}).squeeze(0).shape(), (Dims{2, 1}));
  EXPECT_EQ(x.sum().item<double>(), 21);
  EXPECT_EQ(x.sum(0).to_vector<double>(), (std::vector<double>{5, 7, 9}));
  EXPECT_EQ(x.prod(-1).to_vector<double>(), (std::vector<double>{6, 120}));
  EXPECT_EQ((x.mean({0, 1}, true).shape()), (Dims{1, 1}));
  EXPECT_EQ(x.max().item<double>(), 6);
  EXPECT_EQ(x.min(1).to_vector<double>(), (std::vector<double>{1, 4}));
  EXPECT_TRUE((x > 0).all().item<bool>());
  EXPECT_FALSE((x > 6).any().item<bool>());
  EXPECT_EQ(x.clip(2, 4).sum().item<double>(), 19);
  EXPECT_EQ(x.clip({}, 4).max().item<double>(), 4);
  EXPECT_EQ(x.astype<int>().dtype(), TypeId::int32);
  EXPECT_EQ((x / 4).round().to_vector<double>(), (std::vector<double>{0, 0, 1, 1, 1, 2}));
  EXPECT_EQ(((x / 4).round(1)[{0, 2}].item<double>()), 0.8);
  const Array z({std::complex(1., 2.)});
  EXPECT_EQ(z.conj().item<std::complex<double>>(), std::complex(1., -2.));
  z.imag().fill(5);
  EXPECT_EQ(z.item<std::complex<double>>(), std::complex(1., 5.));
  const Array other = x.copy();
  other.fill(0);
  EXPECT_EQ(x.sum().item<double>(), 21);
}

TEST(ToVector, HoldsWhatTheTypeHolds) {
  const Array x = xp::arange(6).reshape({2, 3});
  EXPECT_EQ(x.T().to_vector<int>(), (std::vector<int>{0, 3, 1, 4, 2, 5}));
  EXPECT_EQ((x[{1, xp::slice({}, {}, -1)}].to_vector<std::int64_t>()),
            (std::vector<std::int64_t>{5, 4, 3}));
  EXPECT_EQ(x.to_vector<double>().back(), 5);
  EXPECT_EQ(x.to_vector<std::complex<float>>()[4], std::complex(4.f, 0.f));
  EXPECT_EQ(xp::zeros({0}).to_vector<double>().size(), 0u);
  EXPECT_EQ(xp::broadcast_to(Array(1.5), {3}).to_vector<float>(),
            (std::vector<float>{1.5f, 1.5f, 1.5f}));
  EXPECT_EQ(error_of(Errc::type, [] { xp::ones({2}).to_vector<int>(); }),
            "to_vector: asked for int32, which does not hold a float64; use astype");
  EXPECT_EQ(error_of(Errc::overflow, [] { (xp::arange(3) * 100).to_vector<std::int8_t>(); }),
            "to_vector: 200 does not fit int8");
  error_of(Errc::overflow, [] { (-xp::arange(3)).to_vector<unsigned>(); });
  error_of(Errc::type, [] { xp::arange(3).to_vector<bool>(); });
  EXPECT_EQ(xp::ones<bool>({2}).to_vector<int>(), (std::vector<int>{1, 1}));
  const Array there = xp::ones<float>({2, 2}, "null:2") * 2;
  EXPECT_EQ(there.to_vector<float>(), std::vector<float>(4, 2));
  EXPECT_EQ(there.to_vector<double>(), std::vector<double>(4, 2));  // a dtype that it has not
}

}  // namespace
