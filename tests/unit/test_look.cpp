// test_look.cpp: what a pending array waits for, as text.
#include "isthmus/array/text/look.h"

#include <gtest/gtest.h>

#include "isthmus/array/create/create.h"
#include "isthmus/array/functions.h"

namespace isthmus {
namespace {

TEST(Show, ListsTheOperations) {
  const Array x = arange(6, TypeId::float32).eval();
  const Array y = sum(sin(x) * 2 + x);
  EXPECT_EQ(show(y),
            "%0 = a value that is there: float32 (6,) on cpu\n"
            "%1 = sin(%0): float32 (6,) on cpu\n"
            "%2 = multiply(%1, 2): float32 (6,) on cpu\n"
            "%3 = add(%2, %0): float32 (6,) on cpu\n"
            "%4 = sum(%3): float32 () on cpu");
  EXPECT_TRUE(y.is_pending());
  EXPECT_EQ(show(x), "%0 = a value that is there: float32 (6,) on cpu");
  EXPECT_EQ(show(full({}, true)), "%0 = astype(true): bool () on cpu");
}

TEST(Show, DrawsAGraph) {
  const Array x = arange(6, TypeId::float32).eval();
  EXPECT_EQ(show(x * 2, "dot"),
            "digraph isthmus {\n"
            "  n0 [shape=ellipse, label=\"value\\nfloat32 (6,)\"];\n"
            "  n1 [shape=box, label=\"multiply, 2\\nfloat32 (6,)\"];\n"
            "  n0 -> n1;\n"
            "}");
  EXPECT_THROW(show(x, "svg"), Error);
}

}  // namespace
}  // namespace isthmus
