// fusing.cpp: what was put off on the strength of a promise, and its end.
#include "isthmus/runtime/evaluate/fusing.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>

#include "isthmus/base/per_thread.h"
#include "isthmus/graph/concat.h"
#include "isthmus/runtime/evaluate/evaluate.h"
#include "isthmus/runtime/evaluate/put_off.h"
#include "isthmus/runtime/submit/foreign_work.h"
#include "isthmus/runtime/submit/waiting.h"
#include "isthmus/runtime/unblocked.h"
#include "isthmus/threads/interrupts.h"

namespace isthmus::inline ISTHMUS_ABI {

namespace {

/// Memories that pending values read on the strength of a promise. Under graph_lock; leaked.
std::vector<Ref<BackendMemory>>& put_off() {
  static auto& memories = *new std::vector<Ref<BackendMemory>>;
  return memories;
}

/// The end of the kernels that read memory to which somebody may write now without our knowing.
void wait_for_readers(BackendMemory& memory) {
  if (!is_open(memory)) return;
  Events readers;
  {
    const std::lock_guard lock(graph_lock());
    add_waits_for_writing(memory, readers);
  }
  const Unblocked unblocked;
  for (const Ref<Event>& event : readers) try {
      wait_for(event);
    } catch (const Error&) {
      continue;  // concerns whoever wants the result
    }
}

}  // namespace

void note_put_off(const Ref<Storage>& storage) {
  std::lock_guard lock(graph_lock());
  Node* node = storage->node();
  if (!node) return;
  for_each_read(*node, [](const Operand& operand) {
    const Ref<Storage>& source = operand.storage;
    if (!source || !source->is_ready() || !source->memory()->is_shared()) return;
    const auto& known = put_off();
    if (std::find(known.begin(), known.end(), source->memory()) == known.end())
      put_off().push_back(source->memory());
  });
}

void end_fusing() noexcept {
  std::vector<Ref<BackendMemory>> memories;
  {
    std::lock_guard lock(graph_lock());
    memories.swap(put_off());
  }
  const Uninterruptible whole;  // what stayed pending would see what the host writes from now on
  for (const Ref<BackendMemory>& memory : memories) {
    // An error belongs to the array whose value failed, and is thrown when somebody looks at it.
    try {
      evaluate_readers(*memory);
      wait_for_readers(*memory);
    } catch (const std::exception&) {
      continue;
    }
  }
}

static std::atomic<bool (*)()> fusing_hook{nullptr};

void set_fusing_hook(bool (*is_fusing)()) { fusing_hook.store(is_fusing); }

namespace {
/// How many promises of a thread have not ended. The last of them may end on another one.
struct Promises {
  std::shared_ptr<std::atomic<int>> count = std::make_shared<std::atomic<int>>(0);
};
}  // namespace
static constinit thread_local detail::PerThread<Promises> promises;

Fusing::Fusing() {
  promises_ = promises->count;
  promises_->fetch_add(1, std::memory_order_relaxed);
}
Fusing::~Fusing() {
  if (promises_->fetch_sub(1, std::memory_order_acq_rel) == 1 && !is_on()) end_fusing();
}

bool Fusing::is_on() {
  const Promises* const here = promises.get();
  if (here && here->count->load(std::memory_order_relaxed) > 0) return true;
  const auto hook = fusing_hook.load(std::memory_order_acquire);
  return hook && hook();
}

static thread_local int written_depth = 0;

WrittenAtOnce::WrittenAtOnce() { ++written_depth; }
WrittenAtOnce::~WrittenAtOnce() { --written_depth; }
bool WrittenAtOnce::is_on() { return written_depth > 0; }

}  // namespace isthmus::inline ISTHMUS_ABI
