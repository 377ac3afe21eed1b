// test_explain.cpp: what the library says of arrays, of its cache and of itself.
#include "isthmus/exchange/explain.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <sstream>
#include <vector>

#include "isthmus/array/create/create.h"
#include "isthmus/exchange/asarray.h"
#include "isthmus/runtime/kernels/cache.h"
#include "isthmus/runtime/observe/show_config.h"
#include "isthmus/version.h"
#include "tests/unit/support.h"

namespace isthmus {
namespace {

using Verdict = Explanation::Verdict;

TEST(Explain, says_whether_memory_is_shared_and_why) {
  std::vector<float> mine(10);
  const Array shared = from_span(mine), own = ones({10});
  EXPECT_EQ(explain(shared).verdict, Verdict::zero_copy);
  EXPECT_NE(explain(shared).reason.find("shared"), std::string::npos);
  EXPECT_NE(explain(own).reason.find("pending"), std::string::npos);
  EXPECT_TRUE(own.is_pending()) << "it evaluates nothing";
  own.eval();
  EXPECT_NE(explain(own).reason.find("private"), std::string::npos);
}

TEST(Explain, agrees_with_asarray) {
  const Array x = ones({10});
  for (const Device& device : {cpu, discrete_null, Device("null", 1)}) {
    const bool is_copied = explain(x, device).verdict == Verdict::copy;
    const Wanted wanted{.device = device, .copy = false};
    if (is_copied)
      EXPECT_THROW(asarray(x, wanted), CopyRefusedError) << to_string(device);
    else
      EXPECT_EQ(asarray(x, wanted).device(), device);
  }
  std::ostringstream text;
  text << explain(x, discrete_null);
  EXPECT_EQ(text.str().substr(0, 5), "copy:");
}

TEST(Cache, says_what_it_holds) {
  const cache::Info info = cache::info();
  if (!info.folder.empty()) EXPECT_TRUE(std::filesystem::is_directory(info.folder));
  EXPECT_GT(info.limit_nbytes, 0);
  EXPECT_GE(info.nbytes, info.files);
  cache::clear(false);
  // others, which run beside this test, may add some
  EXPECT_GE(cache::info().files, info.files) << "those on disk stay";
}

TEST(ShowConfig, names_version_devices_and_variables) {
  setenv("ISTHMUS_TEST_OF_SHOW_CONFIG", "here", 1);
  const std::string text = show_config();
  unsetenv("ISTHMUS_TEST_OF_SHOW_CONFIG");
  for (const std::string& word :
       {std::string(version()), std::string("cpu: "), std::string("threads: "),
        std::string("kernels: "), std::string("ISTHMUS_TEST_OF_SHOW_CONFIG=here")})
    EXPECT_NE(text.find(word), std::string::npos) << word << " in\n" << text;
}

}  // namespace
}  // namespace isthmus
