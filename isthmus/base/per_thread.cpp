// per_thread.cpp: what a thread destroys at its end.
#include "isthmus/base/per_thread.h"

#include <vector>

namespace isthmus::inline ISTHMUS_ABI::detail {

namespace {

struct Ended {
  void (*end)(void*);
  void* object;
};

/// Without a destructor, so that it can be read for as long as the thread runs.
constinit thread_local bool is_ending = false;

struct Objects {
  std::vector<Ended> all;
  ~Objects() {
    is_ending = true;
    for (auto one = all.rbegin(); one != all.rend(); ++one) one->end(one->object);
  }
};

}  // namespace

void at_thread_end(void (*end)(void*), void* object) {
  if (is_ending) return;
  static thread_local Objects objects;
  objects.all.push_back({end, object});
}

}  // namespace isthmus::inline ISTHMUS_ABI::detail
