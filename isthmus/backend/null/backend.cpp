// backend.cpp: three devices without hardware: one records, one executes, one is discrete.
#include "isthmus/runtime/backend.h"

#include <cstring>

#include "isthmus/backend/null/blocks.h"
#include "isthmus/backend/null/kernel.h"
#include "isthmus/backend/null/native.h"
#include "isthmus/backend/null/recorder.h"
#include "isthmus/runtime/kernels/build.h"

namespace isthmus::null {

using detail::format;

static int index_of(const BackendQueue& queue) { return queue.context->device.index(); }

/// A call that a lost device refuses.
template <class F>
static auto call_on(int device, const char* name, F f) {
  return call(name, [&] {
    require_device(device);
    return f();
  });
}

/// Bytes that a copy reads or writes, found when it runs.
static std::function<char*()> place_of(const char* which, const BackendMemory& memory,
                                       std::size_t at, std::size_t bytes) {
  check(at <= memory.bytes && bytes <= memory.bytes - at, Errc::launch,
        "null_copy: bytes {} to {} of {} memory of {}", at, at + bytes, which, memory.bytes);
  if (memory.host) return [place = static_cast<char*>(memory.host) + at] { return place; };
  return [address = memory.handle + at, bytes] { return translate(address, bytes); };
}

static DeviceInfo describe_one(int device) {
  constexpr const char* names[] = {"recording", "executing", "discrete"};
  DeviceInfo info;
  info.name = format("null device that is {}", names[device]);
  info.driver = "null 1";
  info.memory_bytes = info.largest_allocation = std::size_t{1} << 40;
  info.has_fp64 = device == executing;
  info.has_unified_memory = info.has_system_memory = device == executing;
  info.kinds = {kind_of(device)};
  return info;
}

class NullBackend final : public Backend {
 public:
  std::string_view name() const override { return "null"; }
  int device_count() override {
    return call("null_device_count", [] { return null::device_count; });
  }

  const DeviceInfo& describe(int device) override {
    return call("null_describe", [&]() -> const DeviceInfo& {
      null::default_context(device);  // refuses a device that is not there
      static const std::vector<DeviceInfo>& all = *new std::vector<DeviceInfo>{
          describe_one(recording), describe_one(executing), describe_one(discrete)};
      return all[static_cast<std::size_t>(device)];
    });
  }

  std::string cache_key(int device) override {
    return call("null_cache_key", [&] { return format("null 1 device {}", device); });
  }

  Ref<BackendContext> default_context(int device) override {
    return call("null_default_context", [&] { return null::default_context(device); });
  }
  Ref<BackendQueue> default_queue(int device) override {
    return call("null_default_queue", [&] { return null::default_queue(device); });
  }
  Ref<BackendQueue> make_queue(const Ref<BackendContext>& context) override {
    return call("null_make_queue", [&]() -> Ref<BackendQueue> {
      const auto& own = static_cast<const NullContext&>(*context);
      return make_ref<NullQueue>(context, std::make_shared<NativeQueue>(own.driver, true));
    });
  }
  Ref<BackendContext> adopt_context(std::uintptr_t native) override {
    return call("null_adopt_context",
                [&] { return context_of(contexts().find(native, "context")); });
  }
  Ref<BackendQueue> adopt_queue(std::uintptr_t native) override {
    return call("null_adopt_queue", [&]() -> Ref<BackendQueue> {
      auto driver = queues().find(native, "queue");
      auto context = context_of(driver->context);
      return make_ref<NullQueue>(std::move(context), std::move(driver));
    });
  }
  Ref<Event> adopt_event(std::uintptr_t native) override {
    return call("null_adopt_event", [&] {
      check(native != 0, Errc::exchange, "null: 0 is not an event");
      return Ref<Event>::share(reinterpret_cast<NullEvent*>(native));
    });
  }
  std::uintptr_t export_event(Event& event) override {
    return call("null_export_event", [&]() -> std::uintptr_t {
      auto* own = dynamic_cast<NullEvent*>(&event);
      check(own, Errc::exchange, "null: the event is of another backend");
      if (own->is_done() && !own->has_failed()) return 0;
      return reinterpret_cast<std::uintptr_t>(Ref<NullEvent>::share(own).release());
    });
  }

  Ref<BackendMemory> allocate(const Ref<BackendContext>& context, int device, std::size_t bytes,
                              MemoryKind kind) override {
    return call_on(device, "null_allocate",
                   [&] { return null::allocate(context, device, bytes, kind); });
  }
  PointerInfo query(BackendContext&, std::uintptr_t address) override {
    return call("null_query", [&] { return null::query(address); });
  }
  bool can_adopt(BackendContext& context, const BackendMemory& memory) override {
    return call("null_can_adopt", [&] {
      if (context.device.index() == executing) return memory.is_host_accessible();
      return memory.context && memory.context->native == context.native;
    });
  }

  const Traits& traits(int device) override {
    static constexpr Traits with{.dialect = Dialect::tape};
    static constexpr Traits without{.dialect = Dialect::tape, .has_fp64 = false};
    return device == executing ? with : without;
  }
  Compiled compile(BackendContext&, int device, const KernelText& text) override {
    return call_on(device, "null_compile", [&]() -> Compiled {
      if (device == recording) record("compile");
      return {make_ref<NullKernel>(text.text), {}};
    });
  }
  Ref<Kernel> load(BackendContext&, int device, const KernelText& text,
                   std::string_view binary) override {
    return call("null_load", [&]() -> Ref<Kernel> {
      auto kernel = make_ref<NullKernel>(text.text);
      if (kernel->binary() != binary) return nullptr;
      if (device == recording) record("load");
      return kernel;
    });
  }
  Ref<Event> launch(BackendQueue& queue, Kernel* kernel, const Program& program,
                    const Launch& launch, std::span<const Ref<Event>> waits) override {
    return call_on(index_of(queue), "null_launch", [&]() -> Ref<Event> {
      const int device = index_of(queue);
      if (device == recording) return record("launch " + null::describe(program, launch)), nullptr;
      auto* own = dynamic_cast<NullKernel*>(kernel);
      check(own && own->text == key_of(program), Errc::launch,
            "null_launch: the kernel is of another program");
      return put(queue, make_run(program, launch, device), waits);
    });
  }

  Ref<Event> copy(BackendQueue& queue, BackendMemory& from, std::size_t from_byte,
                  BackendMemory& to, std::size_t to_byte, std::size_t bytes,
                  std::span<const Ref<Event>> waits) override {
    return call_on(index_of(queue), "null_copy", [&]() -> Ref<Event> {
      const auto source = place_of("source", from, from_byte, bytes);
      const auto target = place_of("target", to, to_byte, bytes);
      if (index_of(queue) == recording) return record(format("copy {} bytes", bytes)), nullptr;
      if (bytes == 0) return put(queue, nullptr, waits);
      return put(queue, [=] { std::memmove(target(), source(), bytes); }, waits);
    });
  }

  Ref<Event> barrier(BackendQueue& queue, std::span<const Ref<Event>> waits) override {
    return call_on(index_of(queue), "null_barrier", [&]() -> Ref<Event> {
      if (index_of(queue) == recording) return record("barrier"), nullptr;
      Ref<Event> event = native(queue).barrier(waits);
      event->timeline = queue.timeline;
      return event;
    });
  }
  void finish(BackendQueue& queue) noexcept override {
    if (index_of(queue) != recording) native(queue).finish();
  }

  const void* library(int, std::string_view capability) override {
    return capability == "null.control" ? &control() : nullptr;
  }

 private:
  static Ref<Event> put(BackendQueue& queue, std::function<void()> run,
                        std::span<const Ref<Event>> waits) {
    Ref<Event> event = native(queue).enqueue(std::move(run), waits);
    event->timeline = queue.timeline;
    return event;
  }
};

}  // namespace isthmus::null

extern "C" const isthmus::BackendModule isthmus_backend = {
    isthmus::backend_interface,
    []() -> isthmus::Backend* { return new isthmus::null::NullBackend; }};
