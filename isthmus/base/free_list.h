// free_list.h: FreeList, the blocks that a thread freed last, for what it makes next.
#pragma once

#include <cstddef>
#include <new>

#include "isthmus/base/export.h"

namespace isthmus::inline ISTHMUS_ABI::detail {

/// Memory for objects of type T that come and go by the hundred: malloc keeps seven blocks of a
/// size at hand for a thread, and what it does beyond them costs more than a node of a graph does.
/// For `operator new` and `operator delete` of T, in one source file, so that there is one list.
template <class T>
class FreeList {
 public:
  /// The most blocks that a thread keeps: those of a graph of the greatest depth, and some.
#if defined(__SANITIZE_ADDRESS__)
  static constexpr int most = 0;  // it is to see each of them freed
#else
  static constexpr int most = 256;
#endif

  static void* take() {
    Block* const block = mine.first;
    if (!block) [[unlikely]]
      return make();
    mine.first = block->next;
    ++mine.room;
    return block;
  }
  static void put(void* memory) noexcept {
    if (mine.room == 0) return ::operator delete(memory);
    --mine.room;
    mine.first = ::new (memory) Block{mine.first};
  }

 private:
  struct Block {
    Block* next;
  };
  /// A thread's. Without a destructor, so that using it asks for nothing.
  struct List {
    Block* first = nullptr;
    int room = 0;  ///< How many more it takes. It is 0 until the thread makes one.
  };
  struct Closing {
    Closing() { mine.room = most; }
    ~Closing() {
      mine.room = 0;
      while (Block* const block = mine.first) {
        mine.first = block->next;
        ::operator delete(block);
      }
    }
  };
  static_assert(sizeof(T) >= sizeof(Block) && alignof(T) <= __STDCPP_DEFAULT_NEW_ALIGNMENT__);

  [[gnu::noinline]] static void* make() {
    static thread_local Closing closing;
    return ::operator new(sizeof(T));
  }

  static inline thread_local constinit List mine;
};

}  // namespace isthmus::inline ISTHMUS_ABI::detail
