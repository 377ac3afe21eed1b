// test_format.cpp: tests of base/format.h, base/error.h and base/hash.h.
#include "isthmus/base/format.h"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

#include "isthmus/base/error.h"
#include "isthmus/base/hash.h"
#include "isthmus/core/internal.h"

namespace isthmus {

using detail::format;
namespace {

TEST(Format, fills_places_in_turn) {
  EXPECT_EQ(format("{} and {}", 1, "two"), "1 and two");
  EXPECT_EQ(format("{}{}{}", 'c', true, std::string("s")), "ctrues");
  EXPECT_EQ(format("nothing"), "nothing");
  EXPECT_EQ(format(""), "");
}

TEST(Format, keeps_places_without_arguments_and_drops_nothing_of_the_text) {
  EXPECT_EQ(format("{} {}", 1), "1 {}");
  EXPECT_EQ(format("{", 1), "{1");
  EXPECT_EQ(format("a", 1), "a1");
}

TEST(Format, does_not_read_places_inside_arguments) { EXPECT_EQ(format("{} {}", "{}", 2), "{} 2"); }

TEST(Format, writes_the_ends_of_number_ranges) {
  EXPECT_EQ(format("{}", std::numeric_limits<std::int64_t>::min()), "-9223372036854775808");
  EXPECT_EQ(format("{}", std::numeric_limits<std::uint64_t>::max()), "18446744073709551615");
  EXPECT_EQ(format("{}", 0.1), "0.1");
  EXPECT_EQ(format("{}", -1e300), "-1e+300");
  EXPECT_EQ(format("{}", std::int8_t{-3}), "-3");
  EXPECT_EQ(format("{}", std::uint8_t{65}), "65");
}

TEST(Format, writes_ranges_as_python_tuples) {
  EXPECT_EQ(format("{}", std::vector<int>{}), "()");
  EXPECT_EQ(format("{}", std::vector<int>{5}), "(5,)");
  EXPECT_EQ(format("{}", std::vector<int>{3, 4}), "(3, 4)");
  EXPECT_EQ(format("{}", std::vector<std::string>{"cpu", "null"}), "(cpu, null)");
}

TEST(Format, takes_a_null_text) {
  const char* none = nullptr;
  EXPECT_EQ(format("{}", none), "(null)");
  EXPECT_EQ(format("{}", static_cast<const void*>(nullptr)), "0x0");
}

TEST(ErrorFormat, carries_its_code_and_its_text) {
  try {
    fail(Errc::value, "add: {} is not {}", 1, 2);
  } catch (const std::runtime_error& error) {
    EXPECT_STREQ(error.what(), "add: 1 is not 2");
    EXPECT_EQ(dynamic_cast<const Error&>(error).code(), Errc::value);
  }
  EXPECT_NO_THROW(check(true, Errc::type, "never"));
  EXPECT_THROW(check(false, Errc::type, "always"), Error);
}

TEST(Hash, is_sha256_by_the_vectors_of_the_standard) {
  EXPECT_EQ(to_hex(sha256("")), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(to_hex(sha256("abc")),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(to_hex(sha256("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq")),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  EXPECT_EQ(to_hex(sha256(std::string(1000000, 'a'))),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST(Hash, differs_for_every_length_around_a_block) {
  std::vector<std::string> seen;
  for (std::size_t n = 50; n < 140; ++n) {
    const std::string digest = to_hex(sha256(std::string(n, '\0')));
    for (const std::string& other : seen) ASSERT_NE(digest, other);
    seen.push_back(digest);
  }
}

}  // namespace
}  // namespace isthmus
