// bound_passes.cpp: arguments of kernels, scratch and words.
#include "isthmus/runtime/submit/bound_passes.h"

#include <cstring>

#include "isthmus/runtime/devices/registry.h"
#include "isthmus/runtime/memory/memory_pool.h"
#include "isthmus/runtime/submit/submission.h"

namespace isthmus::inline ISTHMUS_ABI {

using detail::format;

static bool has_words_in_memory(const Pass& pass) {
  return !pass.pointers.empty() && pass.pointers.back().of == Pointer::Of::words;
}

BoundPasses::BoundPasses(Ref<LaunchPlan> plan, const Launch& launch, const Ref<BackendQueue>& queue,
                         Memories& reads, Memories& writes)
    : plan_(std::move(plan)), queue_(queue) {
  const Passes& passes = plan_->passes;
  if (passes.scratch_bytes) scratch_ = &keep(allocate(*queue, passes.scratch_bytes, true), writes);
  std::size_t count = 0;
  for (const Pass& pass : passes.passes) count += pass.pointers.size() + 1;
  arguments_.reserve(count);  // calls point there
  for (const Pass& pass : passes.passes) {
    const std::size_t first = arguments_.size();
    if (has_words_in_memory(pass)) place_words(pass, reads);
    for (const Pointer pointer : pass.pointers)
      arguments_.emplace_back().memory = memory_of(pointer, launch);
    if (!has_words_in_memory(pass) && !pass.words.empty())
      arguments_.emplace_back().value = std::as_bytes(std::span(pass.words));
    KernelCall call;
    call.entry = pass.entry, call.dimensions = pass.dimensions;
    std::copy_n(pass.global, 3, call.global);
    std::copy_n(pass.local, 3, call.local);
    call.arguments = std::span(arguments_.begin() + first, arguments_.size() - first);
    calls_.push_back(call);
  }
}

BackendMemory* BoundPasses::memory_of(Pointer pointer, const Launch& launch) const {
  using Of = Pointer::Of;
  switch (pointer.of) {
    case Of::input: return launch.inputs[pointer.index].memory;
    case Of::epilogue_input: return launch.epilogue_inputs[pointer.index].memory;
    case Of::output: return launch.outputs[pointer.index].memory;
    case Of::scratch: return scratch_;
    case Of::words: return words_;
  }
  return nullptr;
}

BackendMemory& BoundPasses::keep(Ref<BackendMemory> memory, Memories& list) {
  owned_.push_back(std::move(memory));
  list.push_back(owned_.back().get());
  return *owned_.back();
}

/// Most passes have the words of the one before.
void BoundPasses::place_words(const Pass& pass, Memories& reads) {
  if (placed_ && placed_->words == pass.words) return;
  const std::size_t bytes = pass.words.size() * sizeof(std::int64_t);
  words_ = &keep(allocate_for_host(*queue_, bytes), reads);
  placed_ = &pass;
  if (words_->host) {
    std::memcpy(words_->host, pass.words.data(), bytes);
    return;
  }
  const Ref<BackendMemory> staged = allocate(Device(), bytes);
  std::memcpy(staged->host, pass.words.data(), bytes);
  BackendMemory *const from = staged.get(), *const to = words_;
  Submission(queue_, {&from, 1}, {&to, 1})
      .run(
          [&](const Events& waits) {
            return backend(queue_->context->device).copy(*queue_, *from, 0, *to, 0, bytes, waits);
          },
          [bytes] { return format("copy of {} bytes of a kernel's extents and strides", bytes); },
          static_cast<std::int64_t>(bytes), [] {});
}

}  // namespace isthmus::inline ISTHMUS_ABI
