// test_late_indices.cpp: indices that a queue has yet to calculate, and errors that come with the
// wait.
#include <gtest/gtest.h>

#include "isthmus/exchange/share.h"
#include "isthmus/isthmus.h"
#include "tests/unit/errors.h"
#include "tests/unit/support.h"

namespace isthmus {
namespace {

using Ints = std::vector<int>;

/// A call that waited for what is held would never return.
class LateIndices : public EachDevice {
 protected:
  Array x() const {
    Array made = arange(10, TypeId::int32, device).eval();
    wait(made.storage());
    return made;
  }
  Array row(const std::vector<std::int64_t>& numbers, DType dtype = TypeId::int64) const {
    return astype(Array(numbers).to_device(device), dtype, false);
  }
  /// What reads the elements from now on has to wait until `gate` has ended.
  Array behind(const Array& elements) {
    elements.eval();
    wait(elements.storage());
    if (gate->is_done()) gate = make_ref<ManualEvent>();
    Events trash;
    const std::lock_guard lock(graph_lock());
    note_write(*elements.storage()->memory(), gate, trash);
    return elements;
  }
  Array held(const std::vector<std::int64_t>& numbers) { return behind(row(numbers)); }

  static Ints of(const Array& x) { return x.to_vector<int>(); }
  /// Of what is read with indices that are outside.
  std::string error(const Array& read) {
    read.eval();
    gate->end();
    return error_of(Errc::index, [&] { of(astype(read, TypeId::int32)); });
  }
  void TearDown() override {
    gate->end();
    EachDevice::TearDown();
  }

  Ref<ManualEvent> gate = make_ref<ManualEvent>();
};
INSTANTIATE_TEST_SUITE_P(Devices, LateIndices, ::testing::Values(1, 2), device_name);

TEST_P(LateIndices, are_not_waited_for) {
  const Array a = x(), at = held({1, -1, 3});
  const Array read = a[at + 1] * 2;
  const Array some = take(a, at);
  read.eval(), some.eval();
  EXPECT_FALSE(gate->is_done());
  gate->end();
  EXPECT_EQ(of(read), (Ints{4, 0, 8}));
  EXPECT_EQ(of(some), (Ints{1, 9, 3}));
}

TEST_P(LateIndices, give_an_error_to_all_that_read_them) {
  const Array a = x(), at = held({1, 12, 3, -40});
  const Array read = a[at], next = read.eval() + 1, last = next.eval() * 2;
  last.eval();
  const Array other = (a + 1).eval();
  EXPECT_FALSE(gate->is_done());
  gate->end();
  const std::string cause =
      "load of shape (4,): index: 12 is out of bounds for axis 0 of length 10, at (1,) of the "
      "indices";
  const bool is_near = device == shared_null;  // else what is waited for is a copy
  for (int i = 0; i < 2; ++i) {
    for (const Array& one : {read, next, last, next * 3})
      EXPECT_TRUE(error_of(Errc::index, [&] { of(one); }).ends_with(cause));
    const std::string who = is_near ? "multiply of shape (4,): " : "copy of 16 bytes from null:2";
    EXPECT_TRUE(error_of(Errc::index, [&] { of(last); }).starts_with(who));
  }
  EXPECT_EQ(of(other)[9], 10);
  EXPECT_EQ(of(a[row({9, 0})]), (Ints{9, 0}));
}

TEST_P(LateIndices, that_are_wrong_since_others_are_are_not_named) {
  const Array a = x(), at = held({1, 12, 3}), inner = a[at], b = x();
  const Array outer = a[inner + 100];
  b[inner - 100] = 3;
  EXPECT_TRUE(error(outer).ends_with(
      "12 is out of bounds for axis 0 of length 10, at (1,) of the indices"));
  EXPECT_EQ(code_of([&] { of(b); }), Errc::index);
  EXPECT_EQ(of(b), of(x()));
}

TEST_P(LateIndices, say_which_is_outside) {
  EXPECT_TRUE(
      error(x()[held({0, 10})])
          .ends_with("index: 10 is out of bounds for axis 0 of length 10, at (1,) of the indices"));
  EXPECT_TRUE(
      error(x()[held({-11})])
          .ends_with(
              "index: -11 is out of bounds for axis 0 of length 10, at (0,) of the indices"));
  const std::int64_t large = std::int64_t{1} << 62;
  EXPECT_TRUE(error(take(x(), held({-large, large}), 0))
                  .ends_with("take: -4611686018427387904 is out of bounds for axis 0 of length 10, "
                             "at (0,) of the indices"));
  const Array natural = full({2}, UINT64_MAX, TypeId::uint64, device);
  EXPECT_TRUE(error(x()[behind(natural)])
                  .ends_with("18446744073709551615 is out of bounds for axis 0 of length 10, at "
                             "(0,) of the indices"));
  const Array grid = reshape(row({0, 1, 2, 3, 77, 5}, TypeId::int8), {2, 3});
  EXPECT_TRUE(
      error(x()[behind(grid)])
          .ends_with("77 is out of bounds for axis 0 of length 10, at (1, 1) of the indices"));
  EXPECT_TRUE(
      error(permute_dims(x()[behind(permute_dims(grid, {1, 0}))], {1, 0}))
          .ends_with("77 is out of bounds for axis 0 of length 10, at (1, 1) of the indices"));
  const Array table = reshape(x(), {2, 5});
  EXPECT_TRUE(error(table[{slice(), held({4, 5})}])
                  .ends_with("5 is out of bounds for axis 1 of length 5, at (1,) of the indices"));
  EXPECT_TRUE(
      error(take(table, held({10})))
          .ends_with("10 is out of bounds for an array of 10 elements, at (0,) of the indices"));
  EXPECT_TRUE(
      error(take_along_axis(table, behind(reshape(row({0, 9}), {2, 1})), 1))
          .ends_with("9 is out of bounds for axis 1 of length 5, at (1, 0) of the indices"));
  EXPECT_TRUE(error(sum(table[{held({1, 0}), held({4, -6})}]))
                  .ends_with("-6 is out of bounds for axis 1 of length 5, at (1,) of the indices"));
}

TEST_P(LateIndices, are_named_as_they_were) {
  const Array a = x(), at = held({1, 12, 3});
  const Array read = a[at];
  std::move(at)[ellipsis] = 0;
  EXPECT_TRUE(
      error(read).ends_with("12 is out of bounds for axis 0 of length 10, at (1,) of the indices"));
  EXPECT_EQ(of(at), (Ints{0, 0, 0}));
}

TEST_P(LateIndices, write_where_they_are_inside) {
  const Array a = x(), at = held({1, 9, 1});
  a[at] = row({5, 6, 7}, TypeId::int32);
  a[at + 1 - 2] = 8;
  EXPECT_FALSE(gate->is_done());
  gate->end();
  EXPECT_EQ(of(a), (Ints{8, 7, 2, 3, 4, 5, 6, 7, 8, 6}));
}

TEST_P(LateIndices, write_nothing_if_one_is_outside) {
  const Array a = x(), first = row({0}).eval(), at = held({1, 10, 3});
  a[at] = row({50, 60, 70}, TypeId::int32);
  const Array later = (a + 1).eval();
  put(a, first, 4);
  EXPECT_FALSE(gate->is_done());
  gate->end();
  const std::string cause =
      "store of shape (3,): index: 10 is out of bounds for axis 0 of length 10, at (1,) of the "
      "indices";
  for (int i = 0; i < 2; ++i)
    EXPECT_TRUE(error_of(Errc::index, [&] { of(later); }).ends_with(cause));
  EXPECT_EQ(of(a), (Ints{4, 1, 2, 3, 4, 5, 6, 7, 8, 9}));  // somebody has been told
}

TEST_P(LateIndices, leave_what_they_should_have_written) {
  const Array a = x();
  put(a, held({-1, -11}), 4);
  gate->end();
  EXPECT_TRUE(
      error_of(Errc::index, [&] {
        of(a);
      }).ends_with("put: -11 is out of bounds for axis 0 of length 10, at (1,) of the indices"));
  EXPECT_EQ(of(a), of(x()));
  a[0] = 3;
  EXPECT_EQ(of(a[slice(0, 2)]), (Ints{3, 1}));
}

TEST_P(LateIndices, are_known_before_others_see_the_result) {
  const Array a = x(), read = a[held({10})].eval();
  gate->end();
  for (int i = 0; i < 2; ++i) EXPECT_EQ(code_of([&] { begin_export(read); }), Errc::index);
  EXPECT_EQ(code_of([&] { lend_briefly(read); }), Errc::index);
}

TEST_P(LateIndices, of_other_dtypes_are_refused_at_once) {
  const Array a = x();
  EXPECT_EQ(code_of([&] { a[behind(row({1}, TypeId::float32))]; }), Errc::index);
  EXPECT_EQ(code_of([&] { take(a, behind(row({1}, TypeId::float32))); }), Errc::type);
  EXPECT_EQ(a[behind(row({}))].shape(), Dims{0});
  EXPECT_EQ(code_of([&] { a[slice(0, 0)][held({0})]; }), Errc::index);
}

TEST_P(LateIndices, leave_little_behind) {
  const Array a = x();
  Array chain = a;
  const Array at = held({0, 2, 1, 3, 4, 5, 6, 7, 9, 8});
  for (int i = 0; i < 300; ++i) chain = chain[at].eval();
  gate->end();
  EXPECT_EQ(of(chain), of(a));
}

TEST_P(LateIndices, in_reach_are_checked_by_the_call) {
  const Array a = x(), at = row({1, 10}).eval();
  wait(at.storage());
  const auto call = [&] { a[at]; };
  if (device == shared_null)
    EXPECT_EQ(error_of(Errc::index, call),
              "index: 10 is out of bounds for axis 0 of length 10, at (1,) of the indices");
  else
    EXPECT_NO_THROW(call());
}

}  // namespace
}  // namespace isthmus
