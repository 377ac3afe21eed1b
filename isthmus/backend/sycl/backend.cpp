// backend.cpp: SYCL devices behind the backend interface.
#include "isthmus/runtime/backend.h"

#include "isthmus/backend/sycl/memory.h"
#include "isthmus/backend/sycl/products.h"
#include "isthmus/backend/sycl/source_kernel.h"
#include "isthmus/base/error.h"
#include "isthmus/opencl_driver/kernel.h"
#include "isthmus/opencl_driver/lend_context.h"
#include "isthmus/runtime/devices/recent.h"

namespace isthmus::sycl_usm {

using detail::format;

/// For the backend that is OpenCL: it works in our default context, so that both share.
static cl_context lend_context(cl_device_id device) {
  for (std::size_t i = 0; i < devices().size(); ++i)
    if (devices()[i]->below && devices()[i]->below->id == device)
      return default_context(static_cast<int>(i))->below->handle;
  return nullptr;
}

class SyclBackend final : public Backend {
 public:
  std::string_view name() const override { return "sycl"; }
  int device_count() override { return static_cast<int>(devices().size()); }
  const DeviceInfo& describe(int device) override { return device_at(device).info; }
  int find_device(std::string_view selector) override { return sycl_usm::find_device(selector); }
  int dlpack_type() const override { return 14; }
  int dlpack_number(int device) override { return sycl_usm::dlpack_number(device); }
  int device_of_dlpack_number(int number) override {
    return sycl_usm::device_of_dlpack_number(number);
  }
  std::string cache_key(int device) override {
    const SyclDevice& on = device_at(device);
    return uses_source(on) ? format("source\n{}", on.info.driver) : driver::cache_key(*on.below);
  }

  Ref<BackendContext> default_context(int device) override {
    return sycl_usm::default_context(device);
  }
  Ref<BackendQueue> default_queue(int device) override { return sycl_usm::default_queue(device); }
  Ref<BackendQueue> make_queue(const Ref<BackendContext>& context) override {
    return make_ref<SyclQueue>(Ref<SyclContext>::share(&native(*context)));
  }
  Ref<BackendContext> adopt_context(std::uintptr_t handle) override {
    check(handle != 0, Errc::exchange, "sycl: 0 is not a context");
    const auto& context = *reinterpret_cast<const sycl::context*>(handle);
    return contexts_.get(context, [&] { return context_of(context, -1); });
  }
  Ref<BackendQueue> adopt_queue(std::uintptr_t handle) override {
    check(handle != 0, Errc::exchange, "sycl: 0 is not a queue");
    const auto& queue = *reinterpret_cast<const sycl::queue*>(handle);
    // also one of ours that comes back: what its holder has put there, SYCL may not have passed on
    return queues_.get(queue, [&] { return wrap_foreign(queue); });
  }
  void check_queue(std::uintptr_t handle) override { check_object("a sycl::queue", handle); }
  Ref<Event> adopt_event(std::uintptr_t handle) override {
    check(handle != 0, Errc::exchange, "sycl: 0 is not an event");
    return make_ref<SyclEvent>(*reinterpret_cast<const sycl::event*>(handle));
  }
  std::uintptr_t export_event(Event& event) override {
    if (auto* own = dynamic_cast<SyclEvent*>(&event))
      return reinterpret_cast<std::uintptr_t>(new sycl::event(own->object));
    fail(Errc::exchange, "sycl: the event is OpenCL's; put a barrier after it on a queue");
  }
  std::uintptr_t export_context(BackendContext& context) override {
    return reinterpret_cast<std::uintptr_t>(new sycl::context(native(context).object));
  }
  std::uintptr_t export_queue(BackendQueue& queue) override {
    return reinterpret_cast<std::uintptr_t>(new sycl::queue(exposed(queue).object));
  }
  std::uintptr_t queue_handle(BackendQueue& queue) override {
    return reinterpret_cast<std::uintptr_t>(&exposed(queue).object);
  }
  void drop_context(std::uintptr_t handle) noexcept override {
    call_to_release([&] { delete reinterpret_cast<sycl::context*>(handle); });
  }
  void drop_queue(std::uintptr_t handle) noexcept override {
    call_to_release([&] { delete reinterpret_cast<sycl::queue*>(handle); });
  }

  Ref<BackendMemory> allocate(const Ref<BackendContext>& context, int, std::size_t bytes,
                              MemoryKind kind) override {
    native(*context);
    return sycl_usm::allocate(context, bytes, kind);
  }
  PointerInfo query(BackendContext& context, std::uintptr_t address) override {
    return sycl_usm::query(native(context), address);
  }
  bool can_adopt(BackendContext& context, const BackendMemory& memory) override {
    return sycl_usm::can_adopt(native(context), memory);
  }

  const Traits& traits(int device) override {
    const SyclDevice& on = device_at(device);
    return uses_source(on) ? on.traits : on.below->traits;
  }
  Compiled compile(BackendContext& context, int, const KernelText& text) override {
    SyclContext& own = native(context);
    return uses_source(own.on) ? compile_source(own, text) : driver::compile(own.below, text);
  }
  Ref<Kernel> load(BackendContext& context, int, const KernelText& text,
                   std::string_view binary) override {
    SyclContext& own = native(context);
    return uses_source(own.on) ? nullptr : driver::load(own.below, text, binary);
  }
  Ref<Event> enqueue(BackendQueue& queue, Kernel& kernel, std::span<const KernelCall> calls,
                     std::span<const Ref<Event>> waits) override {
    SyclQueue& own = native(queue);
    if (own.below && driver::is_cl_kernel(kernel))
      return on_queue(own, waits, [&](std::span<const Ref<Event>> all) {
        return driver::enqueue(*own.below, static_cast<driver::ClKernel&>(kernel), calls, all);
      });
    const auto* source = dynamic_cast<const SourceKernel*>(&kernel);
    check(source, Errc::launch, "sycl: the kernel is of another backend");
    return enqueue_source(own, *source, calls, waits);
  }
  Ref<Event> copy(BackendQueue& queue, BackendMemory& from, std::size_t from_byte,
                  BackendMemory& to, std::size_t to_byte, std::size_t bytes,
                  std::span<const Ref<Event>> waits) override {
    SyclQueue& own = native(queue);
    if (!own.below) return copy_by_sycl(own, from, from_byte, to, to_byte, bytes, waits);
    return on_queue(own, waits, [&](std::span<const Ref<Event>> all) {
      return driver::copy(*own.below, from, from_byte, to, to_byte, bytes, all);
    });
  }
  Ref<Event> barrier(BackendQueue& queue, std::span<const Ref<Event>> waits) override {
    return sycl_usm::barrier(native(queue), waits);
  }
  void finish(BackendQueue& queue) noexcept override {
    SyclQueue& own = native(queue);
    if (own.below && !own.has_users) return driver::finish(*own.below);
    call_to_release([&] {
      try {
        own.object.wait();
      } catch (const sycl::exception&) {
        return;  // a driver that cannot wait for it runs nothing
      }
    });
  }
  const void* library(int, std::string_view capability) override {
    static constexpr driver::LendsContexts lender{lend_context};
    if (capability == device_blas_capability) return &mkl;
    return capability == driver::lends_contexts ? &lender : nullptr;
  }

 private:
  static Ref<SyclQueue> wrap_foreign(const sycl::queue& queue) {
    const int index =
        sycl_call("sycl::queue::get_device", [&] { return index_of(queue.get_device()); });
    check(index >= 0, Errc::exchange,
          "sycl: the queue's device is a sub-device, or has no USM; use a queue of the whole one");
    return make_ref<SyclQueue>(context_of(queue.get_context(), index), queue);
  }

  Recent<sycl::context, SyclContext> contexts_;
  Recent<sycl::queue, SyclQueue> queues_;

  /// The queue, whose handle somebody is given.
  static SyclQueue& exposed(BackendQueue& queue) {
    SyclQueue& own = native(queue);
    own.is_private = false;
    own.has_users = true;
    return own;
  }

  /// Work of ours in a user's queue: behind all that is in it, and before all that will be.
  template <class F>
  static Ref<Event> on_queue(SyclQueue& queue, std::span<const Ref<Event>> waits, F enqueue) {
    if (!queue.is_foreign) return enqueue(waits);
    std::vector<Ref<Event>> all(waits.begin(), waits.end());
    all.push_back(sycl_usm::barrier(queue, {}));
    Ref<Event> event = enqueue(all);
    if (event) try {
        sycl_usm::barrier(queue, std::span(&event, 1));
      } catch (...) {
        event->settle();  // its memory goes back to its owners now
        throw;
      }
    return event;
  }
};

}  // namespace isthmus::sycl_usm

extern "C" const isthmus::BackendModule isthmus_backend = {
    isthmus::backend_interface,
    []() -> isthmus::Backend* { return new isthmus::sycl_usm::SyclBackend; }};
