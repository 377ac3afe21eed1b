// test_source.cpp: the text of the kernels that a pending value waits for; nothing runs.
#include "isthmus/runtime/evaluate/source.h"

#include "isthmus/array/text/look.h"
#include "support.h"

namespace isthmus {

using detail::format;
namespace {

class SourceText : public EachDevice {};
INSTANTIATE_TEST_SUITE_P(, SourceText, ::testing::Values(-1, 1, 2), device_name);

std::size_t occurrences(const std::string& text, std::string_view of) {
  std::size_t count = 0;
  for (std::size_t at = text.find(of); at != text.npos; at = text.find(of, at + 1)) ++count;
  return count;
}

TEST_P(SourceText, of_a_fused_value_is_one_kernel_with_its_operations) {
  const auto x = filled(device, 10, 3);
  const auto y = add(times(x, number(2)), number(1));
  const std::string text = source(Array(y));
  EXPECT_EQ(text.find(format("// multiply, add of shape (10,) on {}\n", device)), 0u) << text;
  EXPECT_EQ(occurrences(text, "kernel void "), 1u) << text;
  EXPECT_EQ(values(y), std::vector<float>(10, 7)) << "as before it was looked at";
}

TEST_P(SourceText, runs_nothing_and_leaves_the_value_pending) {
  const auto x = filled(device, 10, 3);
  const auto y = add(x, number(1));
  const auto before = statistics();
  const std::string text = source_of(y);
  EXPECT_FALSE(text.empty());
  EXPECT_EQ(source_of(y), text) << "looking changes nothing";
  EXPECT_EQ(statistics().kernels, before.kernels);
  EXPECT_EQ(y->state(), Storage::State::pending);
}

TEST_P(SourceText, of_what_cannot_fuse_has_the_kernels_in_the_order_in_which_they_run) {
  const auto x = floats(device, {4, 3}, std::vector<float>(12, 2));
  const auto total = sum_last(times(x, number(5)));
  const auto y = map(Op::subtract, device, {4, 3}, {whole(x), view(total, {{4, 3}, {1, 0}, 0})});
  const std::string text = source_of(y);
  const auto first = text.find("// multiply, sum of shape (4, 3) on ");
  const auto second = text.find("// subtract of shape (4, 3) on ");
  EXPECT_EQ(first, 0u) << text;
  EXPECT_NE(second, text.npos) << text;
  EXPECT_EQ(occurrences(text, format(" on {}\n", device)), 2u) << text;
  const auto before = statistics().kernels;
  EXPECT_EQ(values(y), std::vector<float>(12, -28));
  EXPECT_EQ(statistics().kernels - before, 2) << "as many as were shown";
}

TEST_P(SourceText, of_a_value_that_is_there_is_empty) {
  const auto x = filled(device, 10, 3);
  EXPECT_EQ(source_of(x), "");
  const auto y = add(x, number(1));
  evaluate(y);
  EXPECT_EQ(source_of(y), "");
  EXPECT_EQ(source_of(add(y, number(1))).find("// add of"), 0u) << "of what is left to do";
}

TEST_P(SourceText, of_a_value_that_failed_is_its_error) {
  if (device.is_host()) GTEST_SKIP() << "nothing fails there but for want of memory";
  const auto x = filled(device, 10, 3);
  const auto y = add(x, number(1));
  control().set_fail_at(1, true, static_cast<int>(Errc::launch));
  EXPECT_THROW(evaluate(y), Error);
  control().set_fail_at(0, false, 0);
  try {
    source_of(y);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Errc::launch) << error.what();
  }
}

}  // namespace
}  // namespace isthmus
