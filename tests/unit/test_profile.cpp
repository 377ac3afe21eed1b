// test_profile.cpp: what a C++ program sees of its kernels.
#include "isthmus/runtime/observe/profile.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <sstream>
#include <thread>

#include "isthmus/array/create/create.h"
#include "isthmus/array/functions.h"
#include "isthmus/base/file_error.h"
#include "isthmus/runtime/devices/registry.h"
#include "isthmus/runtime/observe/records.h"
#include "isthmus/runtime/settings.h"
#include "isthmus/runtime/submit/queues.h"

namespace isthmus {
namespace {

std::string text_of(const std::string& file) {
  std::ifstream in(file);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

std::string temporary_file() {
  std::string name = ::testing::TempDir() + "trace-XXXXXX";
  ::close(::mkstemp(name.data()));
  return name;
}

TEST(Profile, HasTheKernelsOfItsTime) {
  const Array x = full({2, 3}, 0.5, TypeId::float32).eval();
  (x - 1).eval();
  Profile profile;
  EXPECT_TRUE(profile.evaluations().empty());
  const Array total = sum(sin(x) * 2 + x);
  total.eval();
  std::thread([&] { (x * 3).eval(); }).join();
  profile.end();
  profile.end();  // nothing more
  (x + 1).eval();
  ASSERT_EQ(profile.evaluations().size(), 2u);
  const Profile::Evaluation& first = profile.evaluations()[0];
  ASSERT_EQ(first.kernels.size(), 1u);
  const std::vector<std::string_view> names{"sin", "multiply", "add", "sum"};
  EXPECT_EQ(first.kernels[0].operations, names);
  EXPECT_EQ(first.kernels[0].shape, (Dims{2, 3}));
  EXPECT_EQ(first.kernels[0].where, "host");
  EXPECT_GT(first.kernels[0].seconds.value(), 0);
  EXPECT_LE(first.kernels[0].call_seconds, first.seconds);
  EXPECT_NE(first.thread, profile.evaluations()[1].thread);
  const std::string text = to_string(profile);
  EXPECT_NE(text.find("evaluation of 1 kernel, "), text.npos) << text;
  EXPECT_NE(text.find("sin, multiply, add, sum of shape (2, 3) on cpu, host: "), text.npos);
  EXPECT_FALSE(is_profiled());
}

TEST(Profile, SeesOneKernelWhereNothingHasAName) {
  const Array x = full({6}, 0.5, TypeId::float32).eval();
  Profile profile;
  EXPECT_EQ(sum(-(2 * (x + 1) * (x - 1))).item<float>(), 9.f);
  EXPECT_EQ(sum(0.5 - sqrt(x * x), 0).item<double>(), 0.0);
  profile.end();
  ASSERT_EQ(profile.evaluations().size(), 2u);
  for (const Profile::Evaluation& one : profile.evaluations())
    EXPECT_EQ(one.kernels.size(), 1u) << to_string(one);
}

TEST(Profile, SaysWhyFusionEnded) {
  const Array x = full({6}, 0.5, TypeId::float32).eval();
  Profile profile;
  sum(exp(sum(x) + x)).eval();
  profile.end();
  EXPECT_NE(to_string(profile).find("not fused, 1: it is smaller than the loop"), std::string::npos)
      << to_string(profile);
}

TEST(Profile, TellsWhenKernelsOfQueuesRan) {
  const Device shared_null("null", 1);
  set_inline_policy(Inline::never);
  const Array x = full({1000}, 0.5, TypeId::float32, shared_null).eval();
  Profile profile;
  (x + 1).eval();
  profile.end();
  set_inline_policy(Inline::automatic);
  ASSERT_EQ(profile.evaluations().size(), 1u);
  const Profile::Kernel& kernel = profile.evaluations()[0].kernels.at(0);
  EXPECT_EQ(kernel.where, "launched");
  EXPECT_TRUE(kernel.begin && kernel.seconds);
}

TEST(Trace, HasATrackForEachThread) {
  Profile profile;
  full({3}, 1.0).eval();
  profile.end();
  const std::string file = temporary_file();
  profile.save(file);
  const std::string text = text_of(file);
  EXPECT_EQ(text.find(R"({"traceEvents": [{"name": "evaluate", "ph": "X", "pid": )"), 0u) << text;
  EXPECT_NE(text.find(R"("args": {"name": "thread )"), text.npos) << text;
  EXPECT_THROW(profile.save("/nowhere/at/all"), SystemFileError);
  EXPECT_THROW(profile.save(file + '\0' + ".json"), ValueError);
  EXPECT_THROW(set_profile_file(file + '\0' + ".json"), ValueError);
  std::remove(file.c_str());
}

TEST(Trace, OfAProcessIsWrittenAtItsEnd) {
  // in a process that is started anew: its end is one of a whole program
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const std::string file = ::testing::TempDir() + "trace-of-a-process.json";
  std::remove(file.c_str());
  EXPECT_EXIT(
      {
        set_profile_file(file);
        full({3}, 1.0).eval();
        std::exit(profile_file() == file ? 0 : 1);
      },
      testing::ExitedWithCode(0), "");
  EXPECT_NE(text_of(file).find("\"evaluate\""), std::string::npos) << text_of(file);
  EXPECT_THROW(set_profile_file("/nowhere/at/all"), Error);
  set_profile_file(file);  // a trace may be replaced
  set_profile_file("");
  std::ofstream(file, std::ios::trunc) << "somebody's letters";
  EXPECT_THROW(set_profile_file(file), Error);
  EXPECT_EQ(text_of(file), "somebody's letters");
  EXPECT_EQ(profile_file(), "");
  std::remove(file.c_str());
}

}  // namespace
}  // namespace isthmus
