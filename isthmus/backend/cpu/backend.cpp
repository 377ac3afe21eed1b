// backend.cpp: the host itself: the host executor behind the backend interface.
#include "isthmus/runtime/backend.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <fstream>
#include <memory>

#include "isthmus/base/error.h"
#include "isthmus/host/host_executor.h"

namespace isthmus::cpu {

using detail::format;

constexpr std::size_t huge_page = std::size_t{2} << 20;

static bool free_block(BackendMemory& memory) noexcept {
  std::free(memory.host);
  return false;
}

static std::string processor_name() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);)
    if (line.starts_with("model name")) return line.substr(line.find(": ") + 2);
  return "a host processor";
}

static DeviceInfo describe_host() {
  DeviceInfo info;
  info.name = processor_name();
  info.driver = format("host executor, {}", host::instruction_set());
  info.memory_bytes = static_cast<std::size_t>(sysconf(_SC_PHYS_PAGES)) *
                      static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  info.largest_allocation = info.memory_bytes;
  info.has_unified_memory = info.has_system_memory = true;
  info.kinds = {MemoryKind::host};
  return info;
}

class CpuBackend : public Backend {
 public:
  std::string_view name() const override { return "cpu"; }
  int device_count() override { return 1; }

  const DeviceInfo& describe(int device) override {
    check_device(device);
    static const DeviceInfo& info = *new DeviceInfo(describe_host());
    return info;
  }

  std::string cache_key(int) override { return "cpu"; }

  Ref<BackendContext> default_context(int device) override {
    check_device(device);
    return context_;
  }
  Ref<BackendQueue> default_queue(int device) override {
    check_device(device);
    return queue_;
  }
  Ref<BackendContext> adopt_context(std::uintptr_t) override { refuse("context"); }
  Ref<BackendQueue> adopt_queue(std::uintptr_t) override { refuse("queue"); }
  Ref<Event> adopt_event(std::uintptr_t) override { refuse("event"); }
  std::uintptr_t export_event(Event&) override { return 0; }

  Ref<BackendMemory> allocate(const Ref<BackendContext>&, int, std::size_t bytes,
                              MemoryKind kind) override {
    check(kind == MemoryKind::host, Errc::value, "cpu: allocates host memory, not {}",
          to_string(kind));
    const std::size_t alignment = bytes >= huge_page ? huge_page : 64;
    std::unique_ptr<void, decltype(&std::free)> block(
        std::aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment), std::free);
    check(block != nullptr, Errc::out_of_memory, "cpu: the host has no {} bytes left", bytes);
    // pages of 4 KiB make the first touch of a large block several times as slow
    if (bytes >= huge_page) madvise(block.get(), bytes, MADV_HUGEPAGE);
    const auto address = reinterpret_cast<std::uintptr_t>(block.get());
    auto memory = make_ref<BackendMemory>(Device(), kind, address, bytes);
    memory->host = block.release();
    memory->release = free_block;
    return memory;
  }

  PointerInfo query(BackendContext&, std::uintptr_t address) override {
    return {MemoryKind::host, address, 0, 0};
  }
  bool can_adopt(BackendContext&, const BackendMemory& memory) override {
    return memory.is_host_accessible();
  }

  bool interprets() const override { return true; }
  Ref<Event> launch(BackendQueue&, Kernel*, const Program& program, const Launch& launch,
                    std::span<const Ref<Event>> waits) override {
    for (const Ref<Event>& event : waits) event->wait();
    host::run(program, launch);
    return nullptr;
  }

  Ref<Event> copy(BackendQueue&, BackendMemory& from, std::size_t from_byte, BackendMemory& to,
                  std::size_t to_byte, std::size_t bytes,
                  std::span<const Ref<Event>> waits) override {
    for (const Ref<Event>& event : waits) event->wait();
    std::memmove(static_cast<char*>(to.host) + to_byte,
                 static_cast<const char*>(from.host) + from_byte, bytes);
    return nullptr;
  }

  Ref<Event> barrier(BackendQueue&, std::span<const Ref<Event>> waits) override {
    for (const Ref<Event>& event : waits) event->wait();
    return nullptr;
  }
  void finish(BackendQueue&) noexcept override {}

  const void* library(int, std::string_view) override { return nullptr; }

 private:
  static void check_device(int device) {
    check(device == 0, Errc::device_not_found, "cpu: there is no device {}; cpu:0 is the only one",
          device);
  }
  [[noreturn]] static void refuse(const char* what) {
    fail(Errc::exchange, "cpu: the host has no {} to adopt", what);
  }

  const Ref<BackendContext> context_ =
      make_ref<BackendContext>(Device(), 0, "the host's address space");
  const Ref<BackendQueue> queue_ = make_ref<BackendQueue>(context_, 0, true);
};

}  // namespace isthmus::cpu

extern "C" const isthmus::BackendModule isthmus_backend = {
    isthmus::backend_interface, []() -> isthmus::Backend* { return new isthmus::cpu::CpuBackend; }};
