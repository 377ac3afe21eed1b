// evaluation.cpp: lower a plan, run its kernels in order, settle what they calculate.
#include "isthmus/runtime/evaluate/evaluation.h"

#include <algorithm>
#include <mutex>

#include "isthmus/runtime/evaluate/failure.h"
#include "isthmus/runtime/evaluate/running.h"
#include "isthmus/runtime/observe/counting.h"
#include "isthmus/runtime/submit/foreign_work.h"
#include "isthmus/runtime/submit/queues.h"
#include "isthmus/runtime/unblocked.h"
#include "isthmus/threads/interrupts.h"

namespace isthmus::inline ISTHMUS_ABI {

namespace {

using Trash = SmallVector<Node*, 8>;

void empty(Trash& trash) {
  for (Node* node : trash) delete node;
  trash.clear();
}

Failure error_of(const Ref<Storage>& storage) {
  if (storage && storage->state() == Storage::State::failed) try {
      storage->raise_if_failed();
    } catch (const Error& e) {
      return e.share();
    }
  return nullptr;
}

Failure error_below(const Lowered& kernel) {
  for (const auto* sources : {&kernel.inputs, &kernel.epilogue_inputs})
    for (const Source& source : *sources)
      if (Failure failure = error_of(source.storage)) return failure;
  for (const Relied& relied : kernel.checks)
    if (Failure failure = error_of(relied.storage)) return failure;
  return nullptr;
}

/// Whether an earlier kernel of the plan has left pending what this one reads.
bool lacks_input(const Lowered& kernel) {
  const auto is_pending = [](const auto& source) {
    return source.storage && source.storage->state() == Storage::State::pending;
  };
  return std::ranges::any_of(kernel.inputs, is_pending) ||
         std::ranges::any_of(kernel.epilogue_inputs, is_pending) ||
         std::ranges::any_of(kernel.checks, is_pending);
}

}  // namespace

Evaluation::Evaluation(const Plan& plan, const View* target) : target_(target) {
  kernels_.reserve(plan.groups.size());
  for (const Group& group : plan.groups) lower(group, kernels_.emplace_back());
  // Values inside a kernel are running too: who asks for one must wait until the kernel is noted
  // as a reader of what it reads, even though the value itself will not be kept.
  for (std::size_t i = 0; i < plan.groups.size(); ++i)
    for (const Node* node : plan.groups[i].nodes) running_.push_back({node->storage, i});
  for (const Running& running : running_) running.storage->start();
  for (const Lowered& kernel : kernels_)
    for (const auto* sources : {&kernel.inputs, &kernel.epilogue_inputs})
      for (const Source& source : *sources)
        if (source.storage && source.storage->is_ready() && is_open(*source.storage->memory()))
          reads_open_ = true;
  count_stops(plan);
  profiled_.note_stops(plan);
}

/// Whether it calls a driver, or takes so long that others should run meanwhile.
bool Evaluation::is_long() const {
  std::int64_t work = 0;
  for (const Lowered& kernel : kernels_) {
    if (!kernel.outputs[0].storage->device.is_host()) return true;
    const std::int64_t elements = product_of({kernel.shape.begin(), kernel.shape.end()});
    const auto steps = static_cast<std::int64_t>(1 + kernel.program.map.steps.size());
    if (!sum_fits(work, product_at_most(elements, steps), work)) return true;
  }
  return work > long_work;
}

void Evaluation::run(Shortage shortage) {
  const Unblocked unblocked(is_long());
  for (std::size_t i = 0; i < kernels_.size(); ++i) {
    try {
      if (i) poll_interrupt();
      run(kernels_[i], target_ && i + 1 == kernels_.size() ? target_ : nullptr, shortage);
    } catch (...) {
      give_back(i);
      throw;
    }
  }
}

/// Into the memory that the first part of a concat has got.
Memories Evaluation::launch_part(Lowered& kernel) {
  Ref<BackendMemory>& whole = kernels_[static_cast<std::size_t>(kernel.concat)].whole;
  if (whole) {
    const Source& part = kernel.outputs[kernel.outputs.size() - 1];
    const View place{whole, part.storage->dtype, part.layout};
    return launch(kernel, &place);
  }
  Memories memories = launch(kernel, nullptr);
  whole = memories[memories.size() - 1];
  return memories;
}

void Evaluation::run(Lowered& kernel, const View* target, Shortage shortage) {
  Trash trash;
  trash.reserve(kernel.outputs.size());  // from the launch on nothing but the kernel may fail
  Memories memories;
  Failure failure = error_below(kernel);
  const bool is_from_below = failure != nullptr;
  if (!failure && lacks_input(kernel)) return give_back(kernel);
  if (!failure) try {
      if (kernel.is_concat)
        memories.push_back(std::move(kernel.whole));
      else
        memories = kernel.is_part() ? launch_part(kernel) : launch(kernel, target);
    } catch (const std::exception&) {
      failure = current_failure([&] { return describe(kernel)(); });
      const bool may_retry = shortage == Shortage::retry && !target;
      if (failure->code() == Errc::interrupted) throw;  // while it waited; it has not begun
      if (failure->code() == Errc::out_of_memory && may_retry) failure->raise();
    }
  {
    std::lock_guard lock(graph_lock());
    const std::size_t first = next_;
    restart(index_of(kernel));
    const bool is_of_text = failure && !is_from_below && failure->code() == Errc::compile;
    const bool is_of_some = (is_from_below || is_of_text) && mark_failing(first, is_of_text);
    for (std::size_t i = 0; i < kernel.outputs.size(); ++i) {
      Storage& storage = *kernel.outputs[i].storage;
      if (is_of_some && !storage.node()->is_failing) continue;
      auto node = failure ? storage.finish(failure) : storage.finish(std::move(memories[i]));
      trash.push_back(node.release());
    }
  }
  tell_settled();
  empty(trash);
}

/// Marks, of the values from `first` on that have just been restarted, those that the error is of;
/// whether there are any. They read what has failed or, if the kernel did not build for users'
/// texts, need such a text. The others can be had by another kernel. Needs graph_lock.
bool Evaluation::mark_failing(std::size_t first, bool is_of_text) {
  bool are_there = false;
  for (; first < next_; ++first) {
    Node& node = *running_[first].storage->node();
    node.is_failing =
        is_of_text && node.ask([](const auto& work) { return work.user() != nullptr; });
    for (int i = 0; i < node.operand_count; ++i) {
      const Storage* const below = node.operands[i].storage.get();
      if (!below) continue;
      // what is pending is of this kernel, where producers come first
      node.is_failing |=
          below->node() ? below->node()->is_failing : below->state() == Storage::State::failed;
    }
    are_there |= node.is_failing;
  }
  return are_there;
}

void Evaluation::give_back(const Lowered& kernel) {
  {
    std::lock_guard lock(graph_lock());
    restart(index_of(kernel));
  }
  tell_settled();
}

void Evaluation::give_back(std::size_t first) {
  {
    std::lock_guard lock(graph_lock());
    for (std::size_t i = first; i < kernels_.size(); ++i) restart(i);
  }
  tell_settled();
}

/// All values of a kernel are pending again; its outputs then finish. Needs graph_lock.
void Evaluation::restart(std::size_t kernel) {
  for (; next_ < running_.size() && running_[next_].kernel == kernel; ++next_)
    running_[next_].storage->restart();
}

}  // namespace isthmus::inline ISTHMUS_ABI
