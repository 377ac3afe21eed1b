// sycl_objects.h: SYCL's queues and contexts in all the spellings that Python libraries have.
#pragma once

#include "python/src/object/array_object.h"

namespace isthmus::python {

/// What such an object names: a context, and the queue that it came with, if it is one.
struct SyclObject {
  Ref<BackendQueue> queue;
  Ref<BackendContext> context;
};

/// A dpctl.SyclQueue or dpctl.SyclContext, a capsule "SyclQueueRef" or "SyclContextRef", an object
/// whose _get_capsule() gives one, one of our own queues or contexts, a filter selector (the
/// default context of that device's platform), or the address of a sycl::queue as an int. What it
/// names is retained; capsules are not used up. Throws exchange for what is none of these, for a
/// capsule that somebody has used up, and where the process has SYCL twice; backend_unavailable
/// where there is no SYCL. `who` begins the text.
SyclObject sycl_object_of(std::string_view who, nb::handle object);
/// The same where only a queue will do. Throws exchange for a context.
Ref<BackendQueue> sycl_queue_of(std::string_view who, nb::handle object);
/// Of the address of a sycl::queue.
Ref<BackendQueue> sycl_queue_at(std::string_view who, std::uintptr_t address);

/// A new capsule "SyclQueueRef" or "SyclContextRef" that owns what it carries, also once a consumer
/// has put "used_" before its name. Throws exchange for what is not SYCL's.
nb::object sycl_capsule_of(BackendQueue& queue);
nb::object sycl_capsule_of(BackendContext& context);

}  // namespace isthmus::python
