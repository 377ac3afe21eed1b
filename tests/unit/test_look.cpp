// test_look.cpp: what a pending array waits for, as text.
#include "isthmus/array/text/look.h"

#include <gtest/gtest.h>

#include "isthmus/array/arrange/manipulate.h"
#include "isthmus/array/functions.h"
#include "isthmus/array/index/index.h"
#include "isthmus/array/index/take.h"
#include "isthmus/array/sort/sort.h"
#include "isthmus/array/text/svg.h"

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

TEST(Show, EndsWithTheShapeOfAView) {
  const Array x = arange(6, TypeId::float32).eval();
  EXPECT_EQ(show((x * 2)[{slice(1, 3)}]),
            "%0 = a value that is there: float32 (6,) on cpu\n"
            "%1 = multiply(%0, 2): float32 (6,) on cpu\n"
            "%2 = view(%1): float32 (2,) on cpu");
  EXPECT_EQ(show(x[{slice(1, 3)}]), "%0 = a value that is there: float32 (2,) on cpu");
}

TEST(Show, TakesSeveralArrays) {
  const Array x = arange(6, TypeId::float32).eval();
  const Array twice = x * 2, more = twice + 1;
  EXPECT_EQ(show({twice, more}),
            "%0 = a value that is there: float32 (6,) on cpu\n"
            "%1 = multiply(%0, 2): float32 (6,) on cpu\n"
            "%2 = add(%1, 1): float32 (6,) on cpu");
  EXPECT_NE(source({twice, more}).find("__kernel"), std::string::npos);
  EXPECT_THROW(show(std::span<const Array>()), ValueError);
  EXPECT_THROW(source(std::span<const Array>()), ValueError);
}

TEST(Show, DrawsAGraph) {
  const Array x = arange(6, TypeId::float32).eval();
  EXPECT_EQ(show(x * 2, "dot"),
            "digraph isthmus {\n"
            "  n0 [shape=ellipse, label=\"value\\nfloat32 (6,)\"];\n"
            "  n1 [shape=box, label=\"multiply, 2\\nfloat32 (6,)\"];\n"
            "  n0 -> n1;\n"
            "}");
  EXPECT_THROW(show(x, "png"), Error);
}

TEST(Show, ListsTheArraysOfAConcat) {
  const Array x = arange(3, TypeId::float32).eval();
  EXPECT_EQ(show(concat({x * 2, x, arange(2, TypeId::int16).eval()})),
            "%0 = a value that is there: float32 (3,) on cpu\n"
            "%1 = multiply(%0, 2): float32 (3,) on cpu\n"
            "%2 = a value that is there: int16 (2,) on cpu\n"
            "%3 = astype(%2): float32 (2,) on cpu\n"
            "%4 = concat(%1, %0, %3): float32 (8,) on cpu");
}

TEST(Show, DrawsAPicture) {
  const Array x = arange(6, TypeId::float32).eval();
  const std::string picture = show(sum(take(sort(x), arange(2)) + x[{slice(0, 2)}] * 2), "svg");
  EXPECT_TRUE(picture.starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\" width="));
  EXPECT_TRUE(picture.ends_with("</svg>\n"));
  for (const char* text : {">%0 = value</text>", ">float32 (6,)</text>", ">sort: float32 (6,)<",
                           ">read by position: float32 (2,)<", ">map: float32 (2,)<",
                           ">reduction: float32 ()<", "= multiply(%0, 2)<"})
    EXPECT_NE(picture.find(text), std::string::npos) << text << " in\n" << picture;
}

TEST(Show, WritesNothingThatXmlDoesNotAllow) {
  const GraphRow row{"a<b>&\x01\xff\xc3\xbc\xe2\x82\xac\xed\xa0\x80\xc0\xaf\xe2\x82",
                     "map",
                     TypeId::float32,
                     Device(),
                     {},
                     {}};
  const std::string picture = as_svg(std::span(&row, 1));
  EXPECT_NE(picture.find(">%0 = a&lt;b&gt;&amp;?"
                         "?\xc3\xbc\xe2\x82\xac?"
                         "?"
                         "?"
                         "?"
                         "?"
                         "?"
                         "?()<"),
            std::string::npos)
      << picture;
}

}  // namespace
}  // namespace isthmus
