// commands.h: what a launch and a copy are made of.
#pragma once

#include "isthmus/opencl_driver/kernel.h"

namespace isthmus::driver {

/// The commands of one piece of work, of which each waits for the one before. If a later one
/// cannot be enqueued the earlier are waited for, since their memory goes back to its owners then.
struct Commands {
  explicit Commands(ClQueue& queue)
      : queue(queue), first(queue.api().clReleaseEvent), last(queue.api().clReleaseEvent) {}
  Commands(const Commands&) = delete;
  ~Commands() {
    if (const cl_event event = last.get())
      call_to_release([&] { queue.api().clWaitForEvents(1, &event); });
  }
  /// `is_alone`: they wait for nothing but what is before them on the queue, all of it ours.
  Ref<Event> end(bool is_alone) {
    auto event = make_ref<ClEvent>(queue.api(), queue.context->space, std::move(last),
                                   queue.timeline, std::move(first));
    event->is_brief = is_alone;
    event->is_others_work = !queue.cl().on.waiters_work;
    flush(queue);
    return event;
  }

  void add(cl_event event) {
    if (last && !first && is_profiled()) first.reset(last.take());
    last.reset(event);
  }

  /// What was taken from the host goes back to it.
  void add_all(Handover& handover) {
    while (const cl_event over = handover.give_back(last.get())) add(over);
  }

  ClQueue& queue;
  Owned<cl_event> first;  ///< Kept for a profile, if there are several.
  Owned<cl_event> last;
};

}  // namespace isthmus::driver
