// test_recent.cpp: which wrappers are known again, and when they are let go.
#include "isthmus/runtime/devices/recent.h"

#include <gtest/gtest.h>

#include <set>

namespace isthmus {
namespace {

std::set<int> alive;

struct Wrapper : Counted<Wrapper> {
  explicit Wrapper(int number) : number(number) { alive.insert(number); }
  ~Wrapper() { alive.erase(number); }
  const int number;
};

Ref<Wrapper> get(Recent<int, Wrapper>& recent, int number) {
  return recent.get(number, [&] { return make_ref<Wrapper>(number); });
}

TEST(Recent, knows_the_last_four_and_holds_nothing_else) {
  Recent<int, Wrapper> recent;
  const Wrapper* first = get(recent, 1).get();
  EXPECT_EQ(get(recent, 1).get(), first);
  for (int number = 2; number <= 4; ++number) get(recent, number);
  EXPECT_EQ(get(recent, 1).get(), first);
  get(recent, 5);
  EXPECT_EQ(alive, (std::set{2, 3, 4, 5}));
}

TEST(Recent, holds_nothing_of_what_could_not_be_made) {
  Recent<int, Wrapper> recent;
  const auto fails = [&]() -> Ref<Wrapper> { fail(Errc::exchange, "no"); };
  EXPECT_THROW(recent.get(1, fails), Error);
  EXPECT_EQ(get(recent, 1)->number, 1);
}

}  // namespace
}  // namespace isthmus
