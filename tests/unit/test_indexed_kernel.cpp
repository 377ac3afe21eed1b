// test_indexed_kernel.cpp: texts about x[i] that the host does itself, and those it leaves alone.
#include "isthmus/kernels/indexed_kernel.h"

#include <gtest/gtest.h>

#include <array>
#include <vector>

#include "isthmus/isthmus.h"
#include "isthmus/runtime/settings.h"

namespace isthmus {
namespace {

using Parameters = std::vector<IndexedKernel::Parameter>;

const Parameters axpy_parameters{
    {"x", TypeId::float32, true}, {"y", TypeId::float32, true}, {"a", TypeId::float32, false}};

std::optional<IndexedKernel> read(std::string_view text) {
  return IndexedKernel::read(text, axpy_parameters);
}

Array ready(std::initializer_list<float> values) {
  return asarray(std::vector<float>(values)).eval();
}

bool run(const IndexedKernel& kernel, const Array& x, const Array& y, double a = 2) {
  const std::array<const Array*, 2> arrays{&x, &y};
  const std::array<Scalar, 1> numbers{to_scalar(a)};
  return kernel.run(*Queue(Device("cpu")).backend_queue(), x.size(), arrays, numbers);
}

TEST(IndexedKernel, reads_plain_arithmetic_on_elements_alone) {
  EXPECT_TRUE(read("y[i] = a * x[i] + y[i]"));
  EXPECT_TRUE(read("float t = x[ i ]; x[i] = y[i]; y[i] = t;"));
  EXPECT_TRUE(read("if (a > 0) { y[i] = x[i]; } else x[i] = max(y[i], x[i]); // and no more\n"));
  for (const char* text :
       {"", "y[i]", "y[i] = x[i", "y[i] = x", "y = x[i]", "y[0] = x[i]", "y[i + 1] = x[i]",
        "y[i] = i", "y[i] = n", "int i = 0; y[i] = x[i]", "y[i] = sin(x[i])",
        "y[i] = fmax(x[i], a)", "a = x[i]", "y[i] = before_y", "while (a > y[i]) y[i] = x[i]",
        "y[i]++", "y[i] == x[i]", "z[i] = x[i]"})
    EXPECT_FALSE(read(text)) << text;
}

TEST(IndexedKernel, writes_where_arrays_lie) {
  const Array x = ready({1, 2, 3}), y = ready({10, 20, 30});
  ASSERT_TRUE(run(*read("y[i] = a * x[i] + y[i]"), x, y));
  EXPECT_EQ(y.to_vector<float>(), (std::vector<float>{12, 24, 36}));
  ASSERT_TRUE(run(*read("y[i] = x[i] > 1 ? a : y[i]"), x, y));
  EXPECT_EQ(y.to_vector<float>(), (std::vector<float>{12, 2, 2}));
  ASSERT_TRUE(run(*read("float t = x[i]; x[i] = y[i]; y[i] = t"), x, y));
  EXPECT_EQ(x.to_vector<float>(), (std::vector<float>{12, 2, 2}));
  EXPECT_EQ(y.to_vector<float>(), (std::vector<float>{1, 2, 3}));
  ASSERT_TRUE(run(*read("if (y[i] < 2) y[i] = x[i]; else if (y[i] > a) x[i] = 0;"), x, y));
  EXPECT_EQ(x.to_vector<float>(), (std::vector<float>{12, 2, 0}));
  EXPECT_EQ(y.to_vector<float>(), (std::vector<float>{12, 2, 3}));
}

TEST(IndexedKernel, leaves_to_a_queue_what_it_must_not_do) {
  const IndexedKernel axpy = *read("y[i] = a * x[i] + y[i]");
  const Array x = ready({1, 2, 3, 4}), y = ready({10, 20, 30, 40});
  EXPECT_FALSE(run(axpy, x, x)) << "an order of elements would matter";
  EXPECT_FALSE(run(axpy, x[{slice(0, 3)}], x[{slice(1, 4)}]));
  EXPECT_TRUE(run(axpy, x[{slice(0, 2)}], x[{slice(2, 4)}]));
  EXPECT_FALSE(run(axpy, x, y[{slice(0, 3)}])) << "too short";
  EXPECT_FALSE(run(axpy, x, broadcast_to(y[{slice(0, 1)}], {4}))) << "read-only";
  {
    const Array pending = y + 1;
    EXPECT_FALSE(run(axpy, x, y)) << "somebody wants what is there";
    EXPECT_EQ(pending.to_vector<float>(), (std::vector<float>{11, 21, 31, 41}));
  }
  const Inline before = inline_policy();
  set_inline_policy(Inline::never);
  EXPECT_FALSE(run(axpy, x, y));
  set_inline_policy(before);
  EXPECT_EQ(y.to_vector<float>(), (std::vector<float>{10, 20, 30, 40}));
  EXPECT_TRUE(run(axpy, x + 0, y)) << "pending arguments are calculated first";
}

}  // namespace
}  // namespace isthmus
