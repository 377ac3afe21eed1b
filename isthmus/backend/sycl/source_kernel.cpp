// source_kernel.cpp: the kernel compiler of sycl_ext_oneapi_kernel_compiler, and its launches.
#include "isthmus/backend/sycl/source_kernel.h"

#include "isthmus/base/environment.h"
#include "isthmus/base/error.h"

namespace isthmus::sycl_usm {

using detail::format;

namespace {

namespace syclex = sycl::ext::oneapi::experimental;

sycl::event enqueue_one(SyclQueue& queue, const SourceKernel& kernel, const KernelCall& call,
                        const std::vector<sycl::event>& waits) {
  // SYCL's first dimension is the slowest
  const auto reversed = [](const std::size_t (&of)[3]) {
    return sycl::range<3>(of[2], of[1], of[0]);
  };
  const sycl::nd_range<3> range(reversed(call.global), reversed(call.local));
  return sycl_call("sycl::queue::submit", [&] {
    const Compiling compiling("sycl::queue::submit");
    sycl::kernel_bundle bundle = kernel.bundle;
    const sycl::kernel object = bundle.ext_oneapi_get_kernel(std::string(call.entry));
    return queue.object.submit([&](sycl::handler& handler) {
      handler.depends_on(waits);
      int index = 0;
      for (const CallArgument& argument : call.arguments)
        handler.set_arg(index++, reinterpret_cast<void*>(argument.memory->handle + argument.byte));
      handler.parallel_for(range, object);
    });
  });
}

}  // namespace

bool uses_source(const SyclDevice& device) {
  static const bool is_wanted = choose("ISTHMUS_SYCL_KERNELS", {"auto", "source"}) == 1;
  return !device.below || is_wanted;
}

Compiled compile_source(SyclContext& context, const KernelText& text) {
  std::string log;
  try {
    return call_compiler("sycl::build", [&]() -> Compiled {
      auto source = syclex::create_kernel_bundle_from_source(
          context.object, syclex::source_language::sycl, text.text);
      const std::vector<std::string> options{"-ffp-contract=off"};
      auto kernel = make_ref<SourceKernel>(syclex::build(
          source, syclex::properties{syclex::build_options{options}, syclex::save_log{&log}}));
      return {std::move(kernel), std::move(log)};
    });
  } catch (const sycl::exception& error) {
    raise_error(Errc::compile,
                format("sycl::build: on {}: {}\n{}", context.device, error.what(), log),
                std::make_shared<const CompileDetails>(CompileDetails{{}, log, {}, {}}));
  }
}

Ref<Event> enqueue_source(SyclQueue& queue, const SourceKernel& kernel,
                          std::span<const KernelCall> calls, std::span<const Ref<Event>> given) {
  if (calls.empty()) return nullptr;
  for (const KernelCall& call : calls)
    for (const CallArgument& argument : call.arguments)
      check(argument.memory, Errc::launch, "sycl: '{}' has an argument that is not memory",
            call.entry);  // handler::set_arg takes no struct of a size known at run time
  std::vector<sycl::event> waits = wait_list(queue.sycl_context(), given);
  auto event = make_ref<SyclEvent>(sycl::event());  // first: nobody could wait for the work else
  try {
    for (const KernelCall& call : calls) {
      event->object = enqueue_one(queue, kernel, call, waits);
      waits.assign(1, event->object);
    }
  } catch (...) {
    event->settle();  // the memory of those before goes back to its owners now
    throw;
  }
  return event;
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
