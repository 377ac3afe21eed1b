// test_manipulate.cpp: which changes of shape are views, and what is written through them.
#include "isthmus/array/arrange/manipulate.h"

#include "isthmus/array/index/index.h"
#include "isthmus/array/text/format.h"
#include "support.h"
#include "tests/unit/errors.h"

namespace isthmus {

using detail::format;
namespace {

class Manipulate : public EachDevice {
 protected:
  /// 0 to 11 in three rows, ready.
  Array rows() const { return reshape(arange(12, TypeId::float32, device), {3, 4}).eval(); }
};

INSTANTIATE_TEST_SUITE_P(, Manipulate, ::testing::Values(-1, 1, 2), device_name);

bool is_view(const Array& x, const Array& of) {
  return !x.is_pending() && x.storage()->memory() == of.storage()->memory();
}

TEST_P(Manipulate, ravel_is_a_view_where_elements_follow_each_other) {
  const Array x = rows();
  for (const Array& part : {x, x[slice(1)], x[1], x[{slice(1, 2), slice(2)}], expand_dims(x, {1}),
                            x[{slice(), newaxis}], broadcast_to(x, {1, 3, 4})}) {
    const Array row = ravel(part);
    EXPECT_TRUE(is_view(row, x)) << part.shape() << part.layout().strides;
    EXPECT_EQ(row.shape(), Dims{part.size()});
    EXPECT_EQ(row.layout().offset, part.layout().offset);
  }
  ravel(x[slice(1)])[{slice({}, 2)}] = -1;
  EXPECT_EQ(to_string(x), "[[ 0.  1.  2.  3.]\n [-1. -1.  6.  7.]\n [ 8.  9. 10. 11.]]");
}

TEST_P(Manipulate, ravel_copies_in_row_major_order_where_they_do_not) {
  const Array x = rows();
  const std::pair<Array, const char*> cases[] = {
      {transpose(x), "[ 0.  4.  8.  1.  5.  9.  2.  6. 10.  3.  7. 11.]"},
      {x[{slice(), slice({}, 2)}], "[0. 1. 4. 5. 8. 9.]"},
      {flip(x[0]), "[3. 2. 1. 0.]"},
      {broadcast_to(x[0], {2, 4}), "[0. 1. 2. 3. 0. 1. 2. 3.]"},
      // one stride would do, but NumPy copies
      {x[{1, slice({}, {}, 2)}], "[4. 6.]"},
  };
  for (const auto& [part, text] : cases) {
    const Array row = ravel(part);
    EXPECT_NE(row.storage(), x.storage()) << text;
    EXPECT_FALSE(row.is_read_only()) << text;
    assign(x, x);
    row.eval();
    EXPECT_FALSE(is_view(row, x)) << text;
    EXPECT_EQ(to_string(row), text);
    assign(row, -5);
  }
  EXPECT_EQ(to_string(x), "[[ 0.  1.  2.  3.]\n [ 4.  5.  6.  7.]\n [ 8.  9. 10. 11.]]");
}

TEST_P(Manipulate, ravel_of_one_element_or_none_has_one_axis) {
  EXPECT_EQ(to_string(ravel(full({}, 3, TypeId::int32, device))), "[3]");
  EXPECT_EQ(ravel(zeros({2, 0, 3}, TypeId::int32, device)).shape(), Dims{0});
  EXPECT_EQ(ravel(zeros({0}, TypeId::int32, device)).shape(), Dims{0});
}

TEST_P(Manipulate, ravel_and_swapaxes_evaluate_nothing) {
  const Array x = rows(), y = apply(Op::add, {x, 1});
  const Array row = ravel(y), turned = swapaxes(y, 0, 1), copied = ravel(turned);
  EXPECT_TRUE(y.is_pending());
  EXPECT_EQ(row.storage(), y.storage());
  EXPECT_EQ(turned.storage(), y.storage());
  EXPECT_TRUE(copied.is_pending());
  EXPECT_EQ(to_string(copied), "[ 1.  5.  9.  2.  6. 10.  3.  7. 11.  4.  8. 12.]");
}

TEST_P(Manipulate, flatten_copies_always) {
  const Array x = rows();
  const Array row = flatten(x);
  assign(row, 7);
  EXPECT_EQ(to_string(x[0]), "[0. 1. 2. 3.]");
}

TEST_P(Manipulate, swapaxes_is_a_view_that_is_written_through) {
  const Array x = reshape(arange(24, TypeId::int32, device), {2, 3, 4}).eval();
  const Array y = swapaxes(x, 0, -1);
  EXPECT_TRUE(is_view(y, x));
  EXPECT_EQ(y.shape(), (Dims{4, 3, 2}));
  EXPECT_EQ(y.layout().strides, (Dims{1, 4, 12}));
  EXPECT_EQ(y.layout(), permute_dims(x, {2, 1, 0}).layout());
  EXPECT_EQ(swapaxes(x, -1, 0).layout(), y.layout());
  EXPECT_EQ(swapaxes(y, 0, 2).layout(), x.layout());
  EXPECT_EQ(swapaxes(x, 1, -2).layout(), x.layout());
  y[{3, 1, 0}] = 100;
  EXPECT_EQ(item<int>(x[{0, 1, 3}]), 100);
  EXPECT_TRUE(swapaxes(broadcast_to(x, {2, 2, 3, 4}), 0, 1).is_read_only());
}

TEST(Swapaxes, names_an_axis_that_there_is_not) {
  const Array x = zeros({2, 3});
  for (const auto& [first, second] : {std::pair{2, 0}, {0, 2}, {-3, 0}, {0, -3}}) try {
      swapaxes(x, first, second);
      ADD_FAILURE() << first << ", " << second;
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), Errc::index);
      const std::string wrong =
          format("swapaxes: axis {} is out of bounds", first == 0 ? second : first);
      EXPECT_EQ(std::string(error.what()).find(wrong), 0u) << error.what();
    }
  EXPECT_THROW(swapaxes(zeros({}), 0, 0), Error);
}

TEST_P(Manipulate, a_view_of_another_dtype_is_of_the_same_memory) {
  const Array x = rows() + 0;
  const Array bits = x.view<std::uint32_t>();
  EXPECT_TRUE(is_view(bits, x));
  EXPECT_EQ(bits.shape(), x.shape());
  bits[{0, 1}] = 0x3F800000u;
  EXPECT_EQ(item<float>((x[{0, 1}])), 1);
  const Array later = bits + 0u;
  x[{0, 1}] = 2;
  EXPECT_EQ(item<std::uint32_t>((later[{0, 1}])), 0x3F800000u);
  EXPECT_EQ(item<std::uint32_t>((bits[{0, 1}])), 0x40000000u);

  const Array halves = x[{slice(1, 3), slice(0, 2)}].view(TypeId::uint16);
  EXPECT_EQ(halves.shape(), (Dims{2, 4}));
  EXPECT_EQ(halves.layout().strides, (Dims{8, 1}));
  EXPECT_EQ(halves.layout().offset, 8);
  EXPECT_EQ(x.view<double>().shape(), (Dims{3, 2}));
  EXPECT_EQ(transpose(x).view<int>().layout(), transpose(x).layout());
  EXPECT_TRUE(broadcast_to(x, {2, 3, 4}).view<int>().is_read_only());
  EXPECT_EQ(x[{slice(0, 0)}].view<double>().shape(), (Dims{0, 2}));
}

TEST_P(Manipulate, a_view_of_the_same_dtype_is_not_evaluated) {
  const Array x = rows() + 1;
  const Array same = x.view(TypeId::float32);
  EXPECT_TRUE(same.is_pending());
  EXPECT_EQ(same.storage(), x.storage());
}

TEST_P(Manipulate, views_of_elements_of_another_size_are_refused_where_they_do_not_fit) {
  const Array x = rows();
  const auto text = [](const Array& of, DType dtype) {
    return error_of(Errc::value, [&] { of.view(dtype); });
  };
  const std::string copied = "copy it row by row first, by x.flatten().reshape(shape)";
  EXPECT_EQ(text(x[{0, 0}], TypeId::uint8),
            "view: one float32 is not one uint8, which has another size; an array with an axis "
            "could be viewed, such as x.ravel()");
  EXPECT_EQ(text(transpose(x), TypeId::uint8),
            "view: the last axis has stride 4; to view float32 as uint8, of another size, its "
            "elements must be contiguous: " +
                copied);
  EXPECT_EQ(text(x[{slice(), slice(1)}], TypeId::float64),
            "view: the last axis of length 3 has 12 bytes as float32, which is not a multiple of "
            "the 8 bytes of float64");
  EXPECT_EQ(text(x[{slice(), slice(1, 3)}], TypeId::float64),
            "view: the first element is at byte 4 of its memory, which is not a multiple of the 8 "
            "bytes of float64; " +
                copied);
  EXPECT_EQ(text(reshape(x, {4, 3})[{slice(), slice(0, 2)}], TypeId::float64),
            "view: the stride of axis 0 is 12 in bytes, which is not a multiple of the 8 bytes of "
            "float64; " +
                copied);
}

}  // namespace
}  // namespace isthmus
