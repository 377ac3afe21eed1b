// test_vendor.cpp: where libraries of vendors are looked for, and the environment that others read.
#include "isthmus/runtime/libraries/vendor.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include "isthmus/base/environment.h"
#include "isthmus/base/error.h"
#include "isthmus/runtime/libraries/vendor_libraries.h"

namespace isthmus {

namespace fs = std::filesystem;

/// A folder with one file of that name.
static fs::path make_folder(const std::string& name, const std::string& file) {
  const fs::path folder = fs::path(testing::TempDir()) / "isthmus-vendor" / name;
  fs::create_directories(folder);
  std::ofstream(folder / file) << "x";
  return folder;
}

// In one test, since folders that were added stay.
TEST(Vendor, a_file_is_found_in_the_usual_places_until_the_program_names_its_own) {
  const std::string file = "libisthmus-test-vendor.so";
  const fs::path home = make_folder("home/.local/lib", file);
  const fs::path active = make_folder("active/lib", file);
  const fs::path added = make_folder("added", file);
  const fs::path wanted = make_folder("wanted", file);
  for (const char* name : {"CONDA_PREFIX", "CMPLR_ROOT", "ONEAPI_ROOT", "VIRTUAL_ENV"})
    set_process_variable(name, "");
  set_process_variable("HOME", home.parent_path().parent_path().string());
  EXPECT_EQ(find_vendor_file("libisthmus-test-nowhere.so"), "");
  EXPECT_EQ(find_vendor_file(file), home / file);
  set_process_variable("VIRTUAL_ENV", active.parent_path().string());
  EXPECT_EQ(find_vendor_file(file), active / file);
  EXPECT_THROW(add_vendor_folder(added.string() + '\0' + "x"), ValueError);
  EXPECT_EQ(find_vendor_file(file), active / file);
  add_vendor_folder(added);
  EXPECT_EQ(find_vendor_file(file), added / file);
  set_variable("ISTHMUS_RUNTIME_DIR", wanted.string());
  EXPECT_EQ(find_vendor_file(file), wanted / file);

  fs::remove(added / file);
  set_variable("ISTHMUS_RUNTIME_DIR", "");
  EXPECT_EQ(find_vendor_file(file), "") << "the program named a folder: others are not looked at";
}

TEST(Vendor, a_library_that_is_none_gives_the_loaders_reason) {
  const fs::path folder = make_folder("none", "libisthmus-test-none.so");
  std::string reason;
  EXPECT_EQ(open_library(folder / "libisthmus-test-none.so", reason), nullptr);
  EXPECT_NE(reason.find("file too short"), reason.npos) << reason;
  EXPECT_EQ(open_library(folder / "libisthmus-test-absent.so", reason), nullptr);
  EXPECT_NE(reason.find("No such file"), reason.npos) << reason;
}

TEST(Vendor, the_setup_is_done_once_by_whichever_thread_is_first) {
  const fs::path intel = make_folder("intel", "libintelocl.so") / "libintelocl.so";
  add_vendor_folder(intel.parent_path());
  set_process_variable("OCL_ICD_FILENAMES", "/theirs.so");
  set_process_variable("OCL_ICD_VENDORS", "/theirs");
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i) threads.emplace_back(set_up_vendor_runtimes);
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(std::getenv("OCL_ICD_FILENAMES"), "/theirs.so:" + intel.string());
  EXPECT_STREQ(std::getenv("OCL_ICD_VENDORS"), "/theirs") << "the user's own stays";
  set_process_variable("OCL_ICD_FILENAMES", "/theirs.so");
  set_up_vendor_runtimes();
  EXPECT_STREQ(std::getenv("OCL_ICD_FILENAMES"), "/theirs.so") << "it was done once";
}

TEST(Environment, a_variable_of_the_process_is_replaced_while_others_read_it) {
#ifdef __SANITIZE_THREAD__
  GTEST_SKIP() << "getenv reads `environ` without a mark of order that ThreadSanitizer would see";
#endif
  set_process_variable("ISTHMUS_TEST_CHANGED", "0");
  std::atomic<bool> is_over{false};
  std::atomic<int> wrong{0};
  std::thread reader([&] {
    while (!is_over) {
      const char* const found = std::getenv("ISTHMUS_TEST_CHANGED");
      if (!found || std::string(found).find_first_not_of("0123456789") != std::string::npos)
        ++wrong;
    }
  });
  for (int i = 0; i < 500; ++i) set_process_variable("ISTHMUS_TEST_CHANGED", std::to_string(i));
  is_over = true;
  reader.join();
  EXPECT_EQ(wrong, 0);
  EXPECT_STREQ(std::getenv("ISTHMUS_TEST_CHANGED"), "499");
  ASSERT_EQ(setenv("ISTHMUS_TEST_CHANGED", "again", 1), 0) << "setenv still works on the new list";
  EXPECT_STREQ(std::getenv("ISTHMUS_TEST_CHANGED"), "again");
  int count = 0;
  for (char** entry = environ; *entry; ++entry)
    count += std::string(*entry).starts_with("ISTHMUS_TEST_CHANGED=");
  EXPECT_EQ(count, 1);
}

}  // namespace isthmus
