// source_kernel.cpp: the kernel compiler of sycl_ext_oneapi_kernel_compiler, and its launches.
#include "isthmus/backend/sycl/source_kernel.h"

#include <cstring>

#include "isthmus/backend/sycl/memory.h"
#include "isthmus/base/environment.h"
#include "isthmus/base/error.h"
#include "isthmus/codegen/emit.h"

namespace isthmus::sycl_usm {

using detail::format;

namespace {

namespace syclex = sycl::ext::oneapi::experimental;

Traits traits_of(const SyclDevice& on) {
  Traits traits;
  traits.has_fp64 = on.info.has_fp64;
  traits.compute_units =
      static_cast<int>(on.device.get_info<sycl::info::device::max_compute_units>());
  traits.largest_group =
      static_cast<int>(on.device.get_info<sycl::info::device::max_work_group_size>());
  traits.is_cpu = true;  // kernels of one work-item a group, without memory that a group shares
  traits.words = 0;      // handler::set_arg takes no struct of a size known at run time
  return traits;
}

/// One launch: its passes, and the memory that only it uses.
class Launching {
 public:
  Launching(SyclQueue& queue, const SourceKernel& kernel, const Program& program,
            const isthmus::Launch& launch)
      : queue_(queue),
        kernel_(kernel),
        launch_(launch),
        plan_(plan_passes(program, launch, traits_of(queue.sycl_context().on))),
        event_(make_ref<SyclEvent>(sycl::event())) {}

  Ref<Event> run(std::span<const Ref<Event>> given) {
    if (plan_.passes.empty()) return nullptr;
    std::vector<sycl::event> waits = wait_list(queue_.sycl_context(), given);
    if (plan_.scratch_bytes) scratch_ = temporary(plan_.scratch_bytes, MemoryKind::device);
    try {
      for (const Pass& pass : plan_.passes) {
        event_->object = enqueue(pass, waits);
        waits.assign(1, event_->object);
      }
    } catch (...) {
      event_->settle();  // the memory of the passes before goes back to its owners now
      throw;
    }
    return event_;
  }

 private:
  void* temporary(std::size_t bytes, MemoryKind kind) {
    Ref<BackendMemory> memory = allocate(queue_.context, bytes, kind);
    void* const place = reinterpret_cast<void*>(memory->handle);
    event_->keep(std::move(memory));
    return place;
  }

  void* words_of(const Pass& pass) {
    const std::size_t bytes = pass.words.size() * sizeof(std::int64_t);
    void* place = temporary(bytes, MemoryKind::host);
    if (bytes) std::memcpy(place, pass.words.data(), bytes);
    return place;
  }

  void* address_of(Pointer pointer, const Pass& pass) {
    using Of = Pointer::Of;
    switch (pointer.of) {
      case Of::input: return launch_.inputs[pointer.index].address;
      case Of::epilogue_input: return launch_.epilogue_inputs[pointer.index].address;
      case Of::output: return launch_.outputs[pointer.index].address;
      case Of::scratch: return scratch_;
      case Of::words: return words_of(pass);
    }
    return nullptr;
  }

  sycl::event enqueue(const Pass& pass, const std::vector<sycl::event>& waits) {
    std::vector<void*> addresses;
    for (const Pointer pointer : pass.pointers) addresses.push_back(address_of(pointer, pass));
    // SYCL's first dimension is the slowest; work-items beyond the loop return at once
    std::size_t global[3] = {1, 1, 1}, local[3] = {1, 1, 1};
    for (int i = 0; i < pass.dimensions; ++i) {
      const std::size_t wanted = i == 0 && pass.local[0] == 0 ? 64 : pass.local[i];
      local[2 - i] = std::max<std::size_t>(wanted, 1);
      global[2 - i] = (pass.global[i] + local[2 - i] - 1) / local[2 - i] * local[2 - i];
    }
    const sycl::nd_range<3> range({global[0], global[1], global[2]},
                                  {local[0], local[1], local[2]});
    return sycl_call("sycl::queue::submit", [&] {
      const Compiling compiling("sycl::queue::submit");
      sycl::kernel_bundle bundle = kernel_.bundle;
      const sycl::kernel kernel = bundle.ext_oneapi_get_kernel(std::string(pass.entry));
      return queue_.object.submit([&](sycl::handler& handler) {
        handler.depends_on(waits);
        for (std::size_t i = 0; i < addresses.size(); ++i)
          handler.set_arg(static_cast<int>(i), addresses[i]);
        handler.parallel_for(range, kernel);
      });
    });
  }

  SyclQueue& queue_;
  const SourceKernel& kernel_;
  const isthmus::Launch& launch_;
  const Passes plan_;
  void* scratch_ = nullptr;
  const Ref<SyclEvent> event_;  ///< Of the last pass so far; made first, and holds the memory.
};

}  // namespace

bool uses_source(const SyclDevice& device) {
  static const bool is_wanted = choose("ISTHMUS_SYCL_KERNELS", {"auto", "source"}) == 1;
  return !device.below || is_wanted;
}

Ref<Kernel> compile_source(SyclContext& context, const Program& program) {
  const std::string text = emit(program, traits_of(context.on), Dialect::sycl);
  std::string log;
  try {
    return call_compiler("sycl::build", [&] {
      auto source = syclex::create_kernel_bundle_from_source(context.object,
                                                             syclex::source_language::sycl, text);
      const std::vector<std::string> options{"-ffp-contract=off"};
      return make_ref<SourceKernel>(syclex::build(
          source, syclex::properties{syclex::build_options{options}, syclex::save_log{&log}}));
    });
  } catch (const sycl::exception& error) {
    raise_error(Errc::compile,
                format("sycl::build: on {}: {}\n{}\n{}", context.device, error.what(), log, text),
                std::make_shared<const CompileDetails>(
                    CompileDetails{text, log, to_string(context.device), {}}));
  }
}

Ref<Event> launch_source(SyclQueue& queue, const SourceKernel& kernel, const Program& program,
                         const isthmus::Launch& launch, std::span<const Ref<Event>> waits) {
  return Launching(queue, kernel, program, launch).run(waits);
}

Ref<Event> copy_by_sycl(SyclQueue& queue, BackendMemory& from, std::size_t from_byte,
                        BackendMemory& to, std::size_t to_byte, std::size_t bytes,
                        std::span<const Ref<Event>> waits) {
  if (bytes == 0) return nullptr;
  const std::vector<sycl::event> list = wait_list(queue.sycl_context(), waits);
  auto* target = reinterpret_cast<char*>(to.handle) + to_byte;
  const auto* source = reinterpret_cast<const char*>(from.handle) + from_byte;
  auto event = make_ref<SyclEvent>(sycl::event());  // first: nobody could wait for the copy else
  event->object = sycl_call("sycl::queue::memcpy",
                            [&] { return queue.object.memcpy(target, source, bytes, list); });
  return event;
}

}  // namespace isthmus::sycl_usm
