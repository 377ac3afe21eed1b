// test_assign.cpp: elements written in place: from another device, from what is pending, and as an
// operation's own output.
#include <tuple>

#include "isthmus/array/arrange/manipulate.h"
#include "isthmus/array/create/create.h"
#include "isthmus/array/index/index.h"
#include "isthmus/array/index/seen.h"
#include "isthmus/array/operations.h"
#include "isthmus/array/text/format.h"
#include "support.h"
#include "tests/unit/errors.h"

namespace isthmus {

using detail::format;
namespace {

class Assign : public Graph, public ::testing::WithParamInterface<std::tuple<int, int>> {
 protected:
  const Device from = device_of(std::get<0>(GetParam())), to = device_of(std::get<1>(GetParam()));
  Array numbers(std::int64_t count) const { return arange(count, TypeId::float32, from); }
};

INSTANTIATE_TEST_SUITE_P(
    , Assign, ::testing::Combine(::testing::Values(-1, 1, 2), ::testing::Values(-1, 1, 2)),
    [](const auto& info) {
      const auto name = [](int n) { return n < 0 ? "cpu" : n == 1 ? "executing" : "discrete"; };
      return format("{}_to_{}", name(std::get<0>(info.param)), name(std::get<1>(info.param)));
    });

TEST_P(Assign, writes_what_is_ready_and_what_is_pending) {
  const Array target = zeros({4}, TypeId::float32, to), ready = numbers(4).eval();
  const auto memory = target.eval().storage()->memory();
  assign(target, ready);
  EXPECT_EQ(to_string(target), "[0. 1. 2. 3.]");
  const Array pending = apply(Op::multiply, {apply(Op::add, {ready, 1}), 10});
  ASSERT_TRUE(pending.is_pending());
  assign(target, pending);
  EXPECT_EQ(to_string(target), "[10. 20. 30. 40.]");
  EXPECT_EQ(to_string(pending), "[10. 20. 30. 40.]") << "it has its own value, too";
  EXPECT_EQ(target.storage()->memory(), memory) << "in place";
  EXPECT_EQ(target.device(), to);
}

TEST_P(Assign, leaves_no_tie_to_what_was_written) {
  const Array target = zeros({3}, TypeId::float32, to), value = numbers(3).eval();
  assign(target, value);
  assign(value, 9);
  EXPECT_EQ(to_string(target), "[0. 1. 2.]");
  assign(target, 5);
  EXPECT_EQ(to_string(value), "[9. 9. 9.]");
}

TEST_P(Assign, what_was_called_before_sees_what_was_there) {
  const Array target = full({3}, 2, TypeId::float32, to).eval();
  const Array before = apply(Op::multiply, {target, 10});
  const Array value = apply(Op::add, {numbers(3), 0.5});
  assign(target[slice(1)], value[slice(1)]);
  const Array after = apply(Op::multiply, {target, 10});
  assign(target, 0);
  EXPECT_EQ(to_string(before), "[20. 20. 20.]");
  EXPECT_EQ(to_string(after), "[20. 15. 25.]");
  EXPECT_EQ(to_string(target), "[0. 0. 0.]");
}

TEST_P(Assign, a_pending_target_is_calculated_first) {
  const Array target = apply(Op::add, {zeros({4}, TypeId::float32, to), 1});
  ASSERT_TRUE(target.is_pending());
  assign(target[slice({}, {}, 2)], apply(Op::add, {numbers(2), 7}));
  EXPECT_EQ(to_string(target), "[7. 1. 8. 1.]");
}

TEST_P(Assign, broadcasts_casts_and_writes_to_views) {
  const Array target = zeros({2, 3}, TypeId::float32, to);
  assign(target, numbers(3));
  EXPECT_EQ(to_string(target), "[[0. 1. 2.]\n [0. 1. 2.]]");
  assign(target[{slice(), slice({}, {}, -2)}], arange(4, TypeId::int16, from)[{slice(2), newaxis}]);
  EXPECT_EQ(to_string(target), "[[2. 1. 2.]\n [3. 1. 3.]]");
  assign(target[0], reshape(numbers(3), {1, 1, 3}));
  EXPECT_EQ(to_string(target), "[[0. 1. 2.]\n [3. 1. 3.]]");
  assign(transpose(target), flip(reshape(numbers(6), {3, 2})));
  EXPECT_EQ(to_string(target), "[[5. 3. 1.]\n [4. 2. 0.]]");
  const Array whole = zeros({3}, TypeId::int8, to);
  assign(whole, apply(Op::subtract, {numbers(3), 1.5}));
  EXPECT_EQ(to_string(whole), "[-1  0  0]") << "as a cast rounds";
}

TEST_P(Assign, casts_where_the_value_is_since_the_target_may_have_no_doubles) {
  if (!has_dtype(from, TypeId::float64)) GTEST_SKIP() << "nor has the value's device";
  const Array target = zeros({2}, TypeId::float32, to);
  assign(target, full({2}, 0.1, TypeId::float64, from));
  EXPECT_EQ(item<float>(target[1]), 0.1f);
}

TEST_P(Assign, what_is_refused_leaves_the_target) {
  const Array target = ones({3}, TypeId::float32, to);
  const Array complex = full({3}, Complex<double>{1, 2}, TypeId::complex64, from);
  error_of(Errc::type, [&] { assign(target, complex); });
  error_of(Errc::value, [&] { assign(target, numbers(2)); });
  error_of(Errc::value, [&] { assign(target, reshape(numbers(6), {2, 3})); });
  error_of(Errc::value, [&] { assign(broadcast_to(target, {2, 3}), numbers(3)); });
  error_of(Errc::value, [&] { assign(seen_as(target, target.layout(), true), numbers(3)); });
  EXPECT_EQ(to_string(target), "[1. 1. 1.]");
}

TEST_P(Assign, copies_between_devices_and_nowhere_else) {
  const Array target = zeros({3}, TypeId::float32, to).eval(), value = numbers(3).eval();
  const Statistics before = statistics();
  assign(target, value);
  const bool is_far = !from.is_host() && !to.is_host();
  EXPECT_EQ(statistics().copies - before.copies, from == to ? 0 : is_far ? 2 : 1);
  EXPECT_EQ(statistics().kernels - before.kernels, 1) << "the write";
}

TEST_P(Assign, a_copy_that_fails_leaves_the_target_and_works_later) {
  if (from == to) GTEST_SKIP() << "there is no copy";
  const Array target = ones({3}, TypeId::float32, to).eval(), value = numbers(3).eval();
  synchronize(from.is_host() ? to : from);
  control().set_fail_at(1, true, static_cast<int>(Errc::launch));
  error_of(Errc::launch, [&] {
    assign(target, value);
    wait(target.storage());
  });
  control().set_fail_at(0, false, 0);
  EXPECT_EQ(to_string(target), "[1. 1. 1.]");
  assign(target, value);
  EXPECT_EQ(to_string(target), "[0. 1. 2.]");
}

class WriteResult : public EachDevice {
 protected:
  Array numbers() const { return arange(3, TypeId::float32, device).eval(); }
};

INSTANTIATE_TEST_SUITE_P(, WriteResult, ::testing::Values(-1, 1, 2), device_name);

TEST_P(WriteResult, returns_the_target_with_the_result_in_it) {
  const Array target = zeros({3}, TypeId::float32, device).eval();
  const auto memory = target.storage()->memory();
  const Array& returned = write_result("add", target, apply(Op::add, {numbers(), 1}));
  EXPECT_EQ(&returned, &target);
  EXPECT_EQ(target.storage()->memory(), memory);
  EXPECT_EQ(to_string(target), "[1. 2. 3.]");
}

TEST_P(WriteResult, casts_to_a_greater_family_and_within_one) {
  const Array target = zeros({3}, TypeId::float32, device);
  write_result("add", target, arange(3, TypeId::int64, device));
  EXPECT_EQ(to_string(target), "[0. 1. 2.]");
  write_result("equal", target, apply(Op::equal, {numbers(), 1}));
  EXPECT_EQ(to_string(target), "[0. 1. 0.]");
  const Array small = zeros({3}, TypeId::int8, device);
  write_result("add", small, full({3}, 300, TypeId::int32, device));
  EXPECT_EQ(to_string(small), "[44 44 44]") << "as NumPy's same_kind casts wrap";
}

TEST_P(WriteResult, refuses_a_lesser_family_by_name) {
  const Array whole = zeros({3}, TypeId::int32, device), bools = zeros({3}, TypeId::bool_, device);
  EXPECT_EQ(
      error_of(Errc::type, [&] { write_result("sin", whole, numbers()); }),
      "sin: the result is float32 and does not fit the array's dtype int32; x = sin(x, ...) makes "
      "a new array");
  error_of(Errc::type, [&] { write_result("add", bools, whole); });
  error_of(Errc::type, [&] {
    write_result("add", numbers(), full({3}, Complex<double>{1, 2}, TypeId::complex64, device));
  });
  EXPECT_EQ(to_string(whole), "[0 0 0]");
}

TEST_P(WriteResult, refuses_another_shape_even_one_that_would_broadcast) {
  const Array target = zeros({2, 3}, TypeId::float32, device);
  EXPECT_EQ(error_of(Errc::value, [&] { write_result("sum", target, numbers()); }),
            "sum: the result has shape (3,) and does not fit the array's shape (2, 3)");
  error_of(Errc::value, [&] { write_result("sum", target[0], numbers()[0]); });
  EXPECT_EQ(to_string(target), "[[0. 0. 0.]\n [0. 0. 0.]]");
}

TEST_P(WriteResult, refuses_another_device_and_memory_that_is_read_only) {
  const Device other = device == discrete_null ? shared_null : discrete_null;
  const Array target = zeros({3}, TypeId::float32, other);
  EXPECT_EQ(error_of(Errc::device_mismatch, [&] { write_result("add", target, numbers()); }),
            format("add: out: the array is on {}, the result on {}", other, device));
  const Array x = numbers();
  EXPECT_EQ(error_of(Errc::value, [&] { write_result("add", broadcast_to(x[0], {3}), numbers()); }),
            "add: out: the array is read-only");
  EXPECT_EQ(to_string(x), "[0. 1. 2.]");
}

TEST_P(WriteResult, of_what_reads_the_target_is_as_if_it_were_elsewhere) {
  const Array x = numbers();
  write_result("flip", x, flip(x));
  EXPECT_EQ(to_string(x), "[2. 1. 0.]");
  write_result("add", x, apply(Op::add, {x, flip(x)}));
  EXPECT_EQ(to_string(x), "[2. 2. 2.]");
  const Array y = numbers(), shifted = y[slice(1)];
  write_result("add", shifted, apply(Op::add, {y[slice({}, -1)], shifted}));
  EXPECT_EQ(to_string(y), "[0. 1. 3.]");
}

TEST(AssignList, writes_the_elements_of_nested_braces_to_a_view) {
  for (const Device& device : {cpu, discrete_null}) {
    const Array x = zeros({2, 3}, TypeId::float32, device);
    x[0] = {1, 2, 3};
    x[{ellipsis, 2}] = {7, 8.5};
    x[{1, slice(0, 2)}] = {4};
    EXPECT_EQ(x.to_vector<float>(), (std::vector<float>{1, 2, 7, 4, 4, 8.5}));
    EXPECT_EQ(x.dtype(), TypeId::float32);
    EXPECT_THROW((x[0] = {1, 2}), ValueError);
    const Array bytes = zeros({2}, TypeId::uint8, device);
    EXPECT_THROW((bytes[ellipsis] = {300, 1}), OverflowError);
    EXPECT_THROW((bytes[ellipsis] = {-1, 1}), OverflowError);
    EXPECT_THROW((bytes[ellipsis] = {std::nan(""), 1}), ValueError);
    bytes[ellipsis] = {1.7, 255};
    EXPECT_EQ(bytes.to_vector<int>(), (std::vector<int>{1, 255}));
    x[ellipsis] = {{1, 2, 3}, {4, 5, 6}};
    EXPECT_EQ(x.sum().item<float>(), 21);
  }
}

TEST(AssignTemporary, is_written_to_its_place_alone) {
  for (const Device& device : {cpu, discrete_null}) {
    const Array a = ones({20'000}, TypeId::float32, device).eval();
    const Array x = zeros({20'000}, TypeId::float32, device).eval();
    const auto asked = [&] {
      const PoolStatistics now = pool_statistics(device);
      return now.hits + now.misses;
    };
    const auto before = asked();
    x[ellipsis] = a + a;
    assign(x[slice(1, 20'000)], a[slice(1, 20'000)] - x[slice(0, 19'999)]);
    EXPECT_EQ(asked() - before, 1) << "the second reads what it writes";
    EXPECT_EQ(x.sum().item<float>(), 2 - 19'999);
    const Array held = a * 3;
    x[ellipsis] = held;
    EXPECT_EQ(held.sum().item<float>(), 60'000);
  }
}

}  // namespace
}  // namespace isthmus
