// test_operands.cpp: arrays without a name, as operands and by their shape.
#include <gtest/gtest.h>

#include <cstdint>
#include <span>
#include <vector>

#include "isthmus/isthmus.h"
#include "tests/unit/errors.h"

namespace isthmus {
namespace {

TEST(Operands, WithANameKeepAnArrayWithoutOne) {
  const Array x = ones<float>({3}), y = zeros<float>({3});
  const Value operand = x + 1;
  assign(y, operand);
  EXPECT_EQ(y.to_vector<float>(), std::vector<float>(3, 2));
  EXPECT_EQ(add(operand, x).to_vector<float>(), std::vector<float>(3, 3));
  EXPECT_EQ(
      error_of(Errc::value, [&] { add(operand, x); }),
      "Array: it is empty: default-constructed, moved from, or consumed by a calculation with the "
      "Value that held it; assign an array to it first");

  std::vector<Value> operands{x + 2, 5};  // copies of those in the list
  operands.push_back(x * 4);
  operands.insert(operands.begin(), x * 3);
  const Value copy = operands[1];
  for (int i = 0; i < 2; ++i) {
    assign(y, copy);
    EXPECT_EQ(y.to_vector<float>(), std::vector<float>(3, 3));
  }
  operands[0] = operands[3];
  for (const Value& each : operands) assign(y, each);
  EXPECT_EQ(y.to_vector<float>(), std::vector<float>(3, 4));
  const TypeSource source = x + 0.5;
  EXPECT_EQ(result_type({source, 1}), DType(TypeId::float32));
}

TEST(Operands, WithoutANameTakeNoKernelOfTheirOwn) {
  const Array x = ones<float>({300}), y = zeros<float>({300});
  (x + y).eval();
  const auto before = statistics().kernels;
  assign(y, x * 2 + 1);
  y += x * 3;
  where(x > 0, x + 1, x * 2).eval();
  EXPECT_EQ(statistics().kernels - before, 3);
}

TEST(Linspace, TakesADeviceAsOtherFunctionsDo) {
  const Device device("null", 2);
  EXPECT_EQ(linspace(0, 1, 3, "null:2").device(), device);
  EXPECT_EQ(linspace(0, 1, 3, TypeId::float32, "null:2").device(), device);
  EXPECT_EQ(linspace(0, 1, 3, TypeId::float32, device).device(), device);
  EXPECT_EQ(linspace<float>(0, 1, 3, "null:2").device(), device);
  EXPECT_EQ(linspace<float>(0, 1, 3, "null:2").dtype(), DType(TypeId::float32));
  EXPECT_EQ(linspace<float>(0, 1, 2, false).to_vector<float>(), (std::vector<float>{0, 0.5}));
}

TEST(Shapes, OfArraysWithoutANameAreValues) {
  const Array x = ones({2, 3});
  const auto shape = (x + 1).shape();
  const std::span<const std::int64_t> lengths = shape;
  EXPECT_EQ(lengths[1], 3);
  EXPECT_EQ((x + 1).shape(), x.shape());
  std::int64_t count = 1;
  for (const std::int64_t length : (x + 1).shape()) count *= length;
  EXPECT_EQ(count, 6);
  EXPECT_EQ(std::vector<std::int64_t>(shape.begin(), shape.end()),
            (std::vector<std::int64_t>{2, 3}));
  EXPECT_EQ(row_major({2, 3}), row_major(shape));
  EXPECT_EQ(column_major({2, 3}), column_major((x + 1).shape()));
  EXPECT_EQ(row_major({2, 3}).strides, (Dims{3, 1}));
  EXPECT_EQ(transpose(x, {1, 0}).shape(), (Dims{3, 2}));
}

}  // namespace
}  // namespace isthmus
