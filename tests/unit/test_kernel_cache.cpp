// test_kernel_cache.cpp: kernels in memory and on disk.
#include "isthmus/runtime/kernels/kernel_cache.h"

#include <sys/stat.h>
#include <unistd.h>

#include <fstream>

#include "isthmus/runtime/kernels/build.h"
#include "support.h"

namespace isthmus {

using detail::format;
namespace {

namespace fs = std::filesystem;

Program program(int steps, TypeId type = TypeId::float32) {
  Program p;
  p.map.inputs = {{Input::Kind::memory, type, 0}, {Input::Kind::scalar, type, 0}};
  for (int i = 0; i < steps; ++i)
    p.map.steps.push_back({Op::add, type, type, {static_cast<std::uint16_t>(i ? i + 1 : 0), 1, 0}});
  p.map.outputs = {static_cast<std::uint16_t>(steps + 1)};
  return p;
}

/// Each test has a folder of its own.
class KernelCache : public ::testing::Test {
 protected:
  void SetUp() override {
    folder = fs::temp_directory_path() / format("isthmus-cache-test-{}", getpid());
    fs::remove_all(folder);
    setenv("ISTHMUS_CACHE_DIR", folder.c_str(), 1);
    unsetenv("ISTHMUS_CACHE");
    unsetenv("ISTHMUS_CACHE_SIZE");
    cache::clear(false);
    before = cache_statistics();
  }
  void TearDown() override {
    control().set_fail_at(0, false, 0);
    cache::clear(false);
    unsetenv("ISTHMUS_CACHE_DIR");
    unsetenv("ISTHMUS_CACHE");
    unsetenv("ISTHMUS_CACHE_SIZE");
    fs::remove_all(folder);
  }
  Ref<ProgramKernel> find(const Program& p, int device = 1) {
    Backend& b = backend("null");
    return find_kernel(b, *b.default_context(device), device, p);
  }
  CacheStatistics since() const {
    const auto now = cache_statistics();
    return {now.hits - before.hits, now.disk_hits - before.disk_hits,
            now.compiled - before.compiled, now.rejected - before.rejected};
  }
  std::vector<fs::path> files() const {
    std::vector<fs::path> found;
    for (const auto& file : fs::recursive_directory_iterator(folder))
      if (!file.is_directory()) found.push_back(file.path());
    return found;
  }

  fs::path folder;
  CacheStatistics before;
};

TEST_F(KernelCache, compiles_once_and_finds_in_memory_after) {
  const auto first = find(program(3)), second = find(program(3));
  EXPECT_EQ(first, second);
  EXPECT_EQ(since().compiled, 1);
  EXPECT_EQ(since().hits, 1);
  find(program(4));
  EXPECT_EQ(since().compiled, 2);
}

TEST_F(KernelCache, keeps_devices_and_contexts_apart) {
  const auto a = find(program(3), 1), b = find(program(3), 2);
  EXPECT_NE(a, b);
  const auto native = control().make_context(1);
  const auto context = backend("null").adopt_context(native);
  EXPECT_NE(find_kernel(backend("null"), *context, 1, program(3)), a);
  control().drop_context(native);
}

TEST_F(KernelCache, keeps_so_many_in_memory_and_those_used_last) {
  const auto first = find(program(1));
  std::vector<Ref<ProgramKernel>> all;
  for (int steps = 2; steps <= static_cast<int>(most_kernels) + 1; ++steps) {
    all.push_back(find(program(steps)));
    EXPECT_EQ(find(program(1)), first);
  }
  const auto made = since();
  EXPECT_EQ(made.compiled, static_cast<std::int64_t>(most_kernels) + 1);
  EXPECT_EQ(find(program(1)), first) << "it is used all the time";
  EXPECT_EQ(find(program(static_cast<int>(most_kernels))), all[most_kernels - 2]);
  EXPECT_EQ(since().hits, made.hits + 2);
  EXPECT_EQ(all.front()->references(), 1) << "the cache let go of it";
  EXPECT_NE(find(program(2)), all.front());
  EXPECT_EQ(since().disk_hits, 1);
}

TEST_F(KernelCache, tells_programs_apart_by_every_field) {
  std::vector<Program> programs(19, program(2));
  programs[1].map.steps[0].op = Op::subtract;
  programs[2].map.steps[1].operands[1] = 0;
  programs[3].map.inputs[0].type = TypeId::float64;
  programs[4].map.outputs.push_back(2);
  programs[5].record_bytes = 12;
  for (const int i : {6, 7, 10, 15, 16, 17}) {
    programs[i].shape = KernelShape::reduce;
    programs[i].reduction = Reduction::sum;
  }
  programs[7].accumulator = TypeId::float64;
  programs[8].map.inputs[1].axis = 1;
  programs[9].epilogue.inputs.push_back({Input::Kind::result, TypeId::float32, 0});
  programs[10].shape = KernelShape::scan;
  programs[11].shape = programs[12].shape = programs[18].shape = KernelShape::store;
  programs[11].store = Store::any_order;
  programs[12].store = Store::in_order;
  programs[18].store = Store::sum;
  programs[13].shape = programs[14].shape = KernelShape::sort;
  programs[14].sorting.gives_indices = true;
  programs[15].beside = {{Reduction::max, TypeId::float32}};
  programs[16].beside = {{Reduction::min, TypeId::float32}};
  programs[17].beside = {{Reduction::max, TypeId::float64}};
  for (std::size_t i = 0; i < programs.size(); ++i)
    for (std::size_t j = 0; j < programs.size(); ++j)
      EXPECT_EQ(key_of(programs[i]) == key_of(programs[j]), i == j) << i << " and " << j;
}

TEST_F(KernelCache, loads_from_disk_what_an_earlier_process_compiled) {
  find(program(3));
  ASSERT_EQ(files().size(), 1u);
  cache::clear(false);
  find(program(3));
  EXPECT_EQ(since().compiled, 1);
  EXPECT_EQ(since().disk_hits, 1);
}

TEST_F(KernelCache, folder_and_files_are_for_their_owner_alone) {
  const mode_t mask = umask(0);
  find(program(3));
  umask(mask);
  struct stat status;
  ASSERT_EQ(stat(folder.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0700u);
  ASSERT_EQ(stat(files().at(0).c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0600u);
}

TEST_F(KernelCache, uses_no_folder_that_others_may_write_to) {
  fs::create_directories(folder);
  chmod(folder.c_str(), 0777);
  EXPECT_TRUE(cache_folder().empty());
  find(program(3));
  EXPECT_TRUE(files().empty());
  chmod(folder.c_str(), 0700);
  EXPECT_EQ(cache_folder().parent_path(), folder);
}

TEST_F(KernelCache, rebuilds_files_that_are_cut_changed_empty_or_foreign) {
  find(program(3));
  const fs::path file = files().at(0);
  const auto good = fs::file_size(file);
  std::string text(good, '\0');
  std::ifstream(file, std::ios::binary).read(text.data(), static_cast<std::streamsize>(good));
  std::vector<std::string> damaged = {"",
                                      "x",
                                      text.substr(0, good / 2),
                                      text.substr(0, good - 1),
                                      text + "x",
                                      std::string(good, 'z')};
  for (std::size_t at = 0; at < good; at += 13) {
    damaged.push_back(text);
    damaged.back()[at] ^= 1;
  }
  std::int64_t rejected = 0;
  for (const std::string& bad : damaged) {
    std::ofstream(file, std::ios::binary | std::ios::trunc) << bad;
    cache::clear(false);
    ASSERT_TRUE(find(program(3)));
    ASSERT_EQ(since().rejected, ++rejected);
    ASSERT_EQ(fs::file_size(file), good) << "it was not rebuilt";
  }
  EXPECT_EQ(since().disk_hits, 0);
}

TEST_F(KernelCache, does_not_follow_links_or_wait_for_pipes) {
  find(program(3));
  const fs::path file = files().at(0);
  const fs::path moved = folder / "elsewhere";
  fs::rename(file, moved);
  fs::create_symlink(moved, file);
  cache::clear(false);
  find(program(3));
  EXPECT_EQ(since().rejected, 1);
  EXPECT_TRUE(fs::is_regular_file(fs::symlink_status(file)));
  fs::remove(file);
  ASSERT_EQ(mkfifo(file.c_str(), 0600), 0);
  cache::clear(false);
  find(program(3));
  EXPECT_EQ(since().rejected, 2);
  fs::remove_all(file);
  fs::create_directory(file);
  cache::clear(false);
  find(program(3));
  EXPECT_EQ(since().rejected, 3);
}

TEST_F(KernelCache, never_fails_for_a_folder_that_cannot_be) {
  const fs::path here = fs::current_path();
  fs::create_directories(folder);
  fs::current_path(folder);  // what the relative path leaves behind goes with it
  for (const char* path : {"/proc/isthmus/no", "/dev/null/x", "relative/../\x01"}) {
    setenv("ISTHMUS_CACHE_DIR", path, 1);
    cache::clear(false);
    EXPECT_TRUE(find(program(5)));
  }
  fs::current_path(here);
}

TEST_F(KernelCache, is_off_with_0_and_writes_nothing_with_ro) {
  setenv("ISTHMUS_CACHE", "0", 1);
  find(program(3));
  EXPECT_FALSE(fs::exists(folder));
  EXPECT_TRUE(cache_folder().empty());
  unsetenv("ISTHMUS_CACHE");
  cache::clear(false);
  find(program(3));
  setenv("ISTHMUS_CACHE", "ro", 1);
  cache::clear(false);
  find(program(3));
  EXPECT_EQ(since().disk_hits, 1);
  find(program(4));
  cache::clear(true);
  EXPECT_EQ(files().size(), 1u);
}

TEST_F(KernelCache, uses_the_users_cache_folder_where_none_is_named) {
  unsetenv("ISTHMUS_CACHE_DIR");
  const std::string old = std::getenv("XDG_CACHE_HOME") ? std::getenv("XDG_CACHE_HOME") : "";
  setenv("XDG_CACHE_HOME", folder.c_str(), 1);
  EXPECT_EQ(cache_folder().parent_path(), folder / "isthmus");
  old.empty() ? unsetenv("XDG_CACHE_HOME") : setenv("XDG_CACHE_HOME", old.c_str(), 1);
}

TEST_F(KernelCache, removes_what_was_not_used_for_longest_when_it_is_full) {
  find(program(1));
  const auto oldest = files().at(0);
  const auto size = fs::file_size(oldest);
  find(program(2));
  const auto now = fs::file_time_type::clock::now();
  for (const auto& file : files())
    fs::last_write_time(file, now - std::chrono::hours(file == oldest ? 3 : 2));
  cache::clear(false);
  find(program(1));  // used: now the younger one
  setenv("ISTHMUS_CACHE_SIZE", std::to_string(3 * size).c_str(), 1);
  find(program(3));
  std::uintmax_t sum = 0;
  for (const auto& file : files()) sum += fs::file_size(file);
  EXPECT_LE(sum, 3 * size);
  EXPECT_TRUE(fs::exists(oldest));
  setenv("ISTHMUS_CACHE_SIZE", "0", 1);
  find(program(6));
  EXPECT_TRUE(find(program(7)));
}

// A folder that is filled to its limit again would be listed by every store.
TEST_F(KernelCache, makes_room_for_more_than_one_kernel_when_it_is_full) {
  find(program(1));
  const auto size = fs::file_size(files().at(0));
  setenv("ISTHMUS_CACHE_SIZE", std::to_string(24 * size).c_str(), 1);
  std::uintmax_t sum = size, before = 0;
  for (int steps = 2; sum > before; ++steps) {
    ASSERT_LT(steps, 50);
    find(program(steps));
    before = sum;
    sum = 0;
    for (const auto& file : files()) sum += fs::file_size(file);
  }
  EXPECT_GT(before, 20 * size);
  EXPECT_LE(sum, 21 * size);
  EXPECT_GT(sum, 17 * size);
}

TEST_F(KernelCache, counts_what_other_versions_left_behind) {
  find(program(1));
  const auto old = folder / "0.0.1-1" / files().at(0).filename();
  fs::create_directories(old.parent_path());
  fs::copy_file(files().at(0), old);
  cache::clear(true);
  EXPECT_FALSE(fs::exists(old));
}

TEST_F(KernelCache, clears_its_own_files_and_no_others) {
  find(program(1));
  std::ofstream(folder / "letter.txt") << "keep";
  cache::clear(true);
  ASSERT_EQ(files().size(), 1u);
  EXPECT_EQ(files()[0].filename(), "letter.txt");
}

TEST_F(KernelCache, does_not_remember_failures) {
  control().set_fail_at(3, false, static_cast<int>(Errc::launch));  // context, cache key, compile
  EXPECT_THROW(find(program(3)), Error);
  EXPECT_TRUE(find(program(3)));
  EXPECT_EQ(since().compiled, 1);
  EXPECT_THROW(find(program(3, TypeId::float64), 2), Error);
  EXPECT_THROW(find(program(3, TypeId::float64), 2), Error);
}

TEST_F(KernelCache, says_which_kernel_did_not_build) {
  try {
    find(program(3, TypeId::float64), 2);
    FAIL();
  } catch (const Error& error) {
    ASSERT_TRUE(error.compile_details());
    EXPECT_EQ(error.compile_details()->device, "null:2");
    EXPECT_EQ(error.compile_details()->key.size(), 64u);
  }
}

TEST_F(KernelCache, compiles_anew_when_a_driver_refuses_a_binary) {
  find(program(3));
  cache::clear(false);
  control().set_fail_at(3, false, static_cast<int>(Errc::launch));  // context, cache key, load
  EXPECT_TRUE(find(program(3)));
  EXPECT_EQ(since().rejected, 1);
  EXPECT_EQ(since().compiled, 2);
}

TEST_F(KernelCache, compiles_once_for_sixteen_threads_that_ask_at_once) {
  setenv("ISTHMUS_CACHE", "0", 1);
  for (int round = 0; round < 20; ++round) {
    const auto start = cache_statistics().compiled;
    std::vector<std::thread> threads;
    std::vector<Ref<ProgramKernel>> found(16);
    std::atomic<int> ready{0};
    for (auto& place : found)
      threads.emplace_back([&, this] {
        ++ready;
        while (ready < 16) std::this_thread::yield();
        place = find(program(10 + round));
      });
    for (auto& thread : threads) thread.join();
    for (const auto& kernel : found) EXPECT_EQ(kernel, found[0]);
    EXPECT_EQ(cache_statistics().compiled - start, 1);
  }
}

TEST_F(KernelCache, on_disk_is_written_whole_by_many_threads) {
  std::vector<std::thread> threads;
  for (int t = 0; t < 8; ++t)
    threads.emplace_back([this] {
      for (int i = 0; i < 30; ++i) {
        cache::clear(false);
        find(program(1 + i % 3));
      }
    });
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(since().rejected, 0);
  EXPECT_EQ(files().size(), 3u);
}

}  // namespace
}  // namespace isthmus
