#include "isthmus/base/free_list.h"

#include <gtest/gtest.h>

#include <set>
#include <thread>
#include <vector>

using isthmus::detail::FreeList;

namespace {

/// Lists are of a type: each test has its own.
template <int test>
struct Item {
  std::byte bytes[48];
};

template <class T>
std::vector<void*> take(int count) {
  std::vector<void*> blocks;
  for (int i = 0; i < count; ++i) blocks.push_back(FreeList<T>::take());
  return blocks;
}

template <class T>
void put(const std::vector<void*>& blocks) {
  for (void* block : blocks) FreeList<T>::put(block);
}

TEST(FreeListTest, WhatWasFreedLastIsTakenFirst) {
  using T = Item<0>;
  if (FreeList<T>::most == 0) GTEST_SKIP() << "AddressSanitizer sees each block freed";
  const std::vector<void*> blocks = take<T>(5);
  EXPECT_EQ(std::set<void*>(blocks.begin(), blocks.end()).size(), 5U);
  put<T>(blocks);
  std::vector<void*> again = take<T>(5);
  EXPECT_EQ(again, std::vector<void*>(blocks.rbegin(), blocks.rend()));
  put<T>(again);
}

TEST(FreeListTest, MoreThanItKeepsGoBackToMalloc) {
  using T = Item<1>;
  const int count = FreeList<T>::most + 100;
  std::vector<void*> blocks = take<T>(count);
  put<T>(blocks);
  blocks = take<T>(count);
  EXPECT_EQ(std::set<void*>(blocks.begin(), blocks.end()).size(), static_cast<std::size_t>(count));
  put<T>(blocks);
}

TEST(FreeListTest, ThreadsFreeWhatOthersMade) {
  using T = Item<2>;
  std::vector<void*> of_thread;
  const std::vector<void*> ours = take<T>(10);
  // LeakSanitizer and valgrind see what a thread's list leaves behind
  std::thread([&] {
    put<T>(ours);  // it has made none yet, and keeps none
    of_thread = take<T>(10);
    put<T>(take<T>(10));
  }).join();
  put<T>(of_thread);
}

/// Freed by a destructor that runs behind those of the thread's list.
struct Late {
  void* block = nullptr;
  ~Late() { FreeList<Item<3>>::put(block); }
};

TEST(FreeListTest, WhatIsFreedWhileAThreadEndsIsFreed) {
  std::thread([] {
    static thread_local Late late;
    late.block =
        FreeList<Item<3>>::take();  // the list's own destructor is registered behind, so first
  }).join();
}

}  // namespace
