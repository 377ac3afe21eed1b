// test_log.cpp: levels, sinks, and what is said where.
#include "isthmus/base/log.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <mutex>

#include "support.h"

namespace isthmus {

using detail::format;
namespace {

std::mutex records_lock;
std::vector<std::string> records;

/// Every test begins silent and ends so, with a sink that keeps what is said.
class Log : public Graph {
 protected:
  void SetUp() override {
    Graph::SetUp();
    records.clear();
    set_log_sink([](Channel channel, Level level, std::string_view text) noexcept {
      const std::lock_guard lock(records_lock);
      records.push_back(format("{} {} {}", to_string(channel), to_string(level), text));
    });
  }
  void TearDown() override {
    set_log_levels("off");
    set_log_sink(nullptr);
    Graph::TearDown();
  }
  static bool has_said(std::string_view beginning, std::string_view part) {
    const std::lock_guard lock(records_lock);
    return std::ranges::any_of(records, [&](const std::string& record) {
      return record.starts_with(beginning) && record.find(part) != record.npos;
    });
  }
};

struct Costly {
  static inline int asked = 0;
};
[[maybe_unused]] std::string to_string(const Costly&) {
  ++Costly::asked;
  return "costly";
}

TEST_F(Log, makes_no_text_for_what_nobody_wants) {
  Costly::asked = 0;
  detail::log(Channel::jit, Level::error, "{}", Costly());
  EXPECT_EQ(Costly::asked, 0);
  EXPECT_TRUE(records.empty());
  set_log_levels("jit=warning");
  detail::log(Channel::jit, Level::info, "{}", Costly());
  detail::log(Channel::mem, Level::error, "{}", Costly());
  EXPECT_EQ(Costly::asked, 0);
  detail::log(Channel::jit, Level::warning, "{}", Costly());
  EXPECT_EQ(records, std::vector<std::string>{"jit warning costly"});
}

TEST_F(Log, reads_levels_of_all_channels_and_of_one) {
  set_log_levels("info,jit=debug,mem=off");
  EXPECT_EQ(log_levels(), "jit=debug,mem=off,exchange=info,runtime=info");
  for (const char* wrong : {"loud", "jit=loud", "kernels=debug", "info;debug", "="}) {
    EXPECT_THROW(set_log_levels(wrong), Error) << wrong;
    EXPECT_EQ(log_levels(), "jit=debug,mem=off,exchange=info,runtime=info");
  }
  set_log_levels("");
  EXPECT_EQ(log_levels(), "jit=off,mem=off,exchange=off,runtime=off");
}

TEST_F(Log, says_when_kernels_are_built_loaded_and_rejected) {
  const std::string folder = ::testing::TempDir() + "isthmus_log";
  std::filesystem::remove_all(folder);
  setenv("ISTHMUS_CACHE_DIR", folder.c_str(), 1);
  set_log_levels("jit=debug");
  const auto calculate = [] {
    cache::clear(false);
    values(add(times(filled(shared_null, 8, 1), number(2)), number(1)));
  };
  calculate();
  EXPECT_TRUE(has_said("jit info multiply, add for null:1: built in ", " ms"));
  EXPECT_FALSE(has_said("jit debug", "loaded"));
  calculate();
  EXPECT_TRUE(has_said("jit debug multiply, add for null:1: loaded from disk", ""));
  for (const auto& file : std::filesystem::recursive_directory_iterator(folder))
    if (file.is_regular_file()) std::ofstream(file.path(), std::ios::app) << "damage";
  calculate();
  EXPECT_TRUE(has_said("jit warning multiply, add for null:1: ", "damaged"));
  unsetenv("ISTHMUS_CACHE_DIR");
  std::filesystem::remove_all(folder);
}

TEST_F(Log, says_when_memory_runs_out) {
  set_log_levels("mem=warning");
  trim_pool(shared_null);
  const std::size_t bytes = 123456;
  allocate(shared_null, bytes) = nullptr;
  // one of the next calls is the driver's allocation
  for (int nth = 1; nth < 8 && records.empty(); ++nth) {
    control().set_fail_at(nth, false, static_cast<int>(Errc::out_of_memory));
    try {
      allocate(shared_null, 2 * bytes);
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), Errc::out_of_memory);
    }
  }
  EXPECT_TRUE(has_said("mem warning null:1: ", "idle bytes"));
}

TEST_F(Log, says_why_a_backend_is_absent) {
  set_log_levels("runtime=info");
  EXPECT_THROW(backend("nowhere"), Error);
  EXPECT_TRUE(has_said("runtime info backend 'nowhere': absent: there is no ", "nowhere.so"));
}

}  // namespace
}  // namespace isthmus
