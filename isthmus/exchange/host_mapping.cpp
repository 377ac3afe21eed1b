// host_mapping.cpp: the two copies of mapped memory, before and after work on it.
#include "isthmus/exchange/host_mapping.h"

#include <algorithm>
#include <mutex>
#include <thread>

#include "isthmus/array/apply.h"
#include "isthmus/base/log.h"
#include "isthmus/exchange/share.h"
#include "isthmus/hazards/hazards.h"
#include "isthmus/runtime/devices/registry.h"
#include "isthmus/runtime/memory/memory_pool.h"
#include "isthmus/runtime/observe/counting.h"
#include "isthmus/runtime/submit/queues.h"
#include "isthmus/runtime/submit/submission.h"
#include "isthmus/runtime/unblocked.h"

namespace isthmus::inline ISTHMUS_ABI {

/// Bytes of a device and their copy on the host. Told before and after work on the memory, as an
/// owner is who shares its list of events.
class MappedBytes final : public SharedEvents {
 public:
  struct Reach {
    std::size_t first, count;  ///< Bytes.
  };

  MappedBytes(BackendMemory& device, Reach bytes, Ref<BackendMemory> host, bool is_written)
      : device_(device), bytes_(bytes), host_(std::move(host)), is_written_(is_written) {}

  void take_new(Events&) override {
    if (!is_written_) return;
    alone([&] { finish(copy(*host_, 0, device_, bytes_.first)); });
  }

  /// What fails here is the work, or the device: whoever waits for the work hears of it.
  void add(const Ref<Event>& work) noexcept override try {
    alone([&] {
      if (work) work->settle();
      read_here();
    });
  } catch (const std::exception& problem) {
    detail::log(Channel::exchange, Level::warning, "mapped memory was not read again: {}",
                problem.what());
  }

  void read() {
    alone([&] { read_here(); });
  }

 private:
  /// Hears no interrupt: the host's copy would stay as it was, and nobody could be told.
  static void finish(const Ref<Event>& copied) {
    if (!copied) return;
    copied->settle();
    copied->join();
  }

  void read_here() { finish(copy(device_, bytes_.first, *host_, 0)); }

  /// One thread at a time; nothing for the copies themselves, which are work on the memory.
  template <class F>
  void alone(F f) {
    if (bytes_.count == 0 || copying_.load() == std::this_thread::get_id()) return;
    const Unblocked unblocked;  // who copies may want the lock that this thread lets go of
    const std::lock_guard lock(mutex_);
    copying_ = std::this_thread::get_id();
    struct Leave {
      std::atomic<std::thread::id>& id;
      ~Leave() { id = std::thread::id(); }
    } const leave{copying_};
    f();
  }

  Ref<Event> copy(BackendMemory& from, std::size_t from_byte, BackendMemory& to,
                  std::size_t to_byte) const {
    BackendMemory *const read = &from, *const written = &to, *const there = &device_;
    const Device device = device_.device;
    const Ref<BackendQueue> queue = queue_reaching(current_backend_queue(device), {&there, 1});
    const std::size_t bytes = bytes_.count;
    Ref<Event> event =
        Submission(queue, {&read, 1}, {&written, 1})
            .run(
                [&](const Events& waits) {
                  return backend(device).copy(*queue, from, from_byte, to, to_byte, bytes, waits);
                },
                [bytes, device] {
                  return detail::format("copy of {} bytes of {} that are mapped", bytes, device);
                },
                static_cast<std::int64_t>(bytes), [] {});
    count_copy();
    return event;
  }

  BackendMemory& device_;  // lives as long as any work on it that this is told of
  const Reach bytes_;
  const Ref<BackendMemory> host_;
  const bool is_written_;
  std::mutex mutex_;
  std::atomic<std::thread::id> copying_{};
};

static MappedBytes::Reach reach_of(const Array& array) {
  const Extent extent = extent_of(array.layout());
  const std::int64_t item = array.dtype().bytes();
  return {static_cast<std::size_t>(extent.begin * item),
          static_cast<std::size_t>((extent.end - extent.begin) * item)};
}

HostMapping::HostMapping(const Array& array, bool is_written) : array_(array), host_(array) {
  array_.eval();
  const MappedBytes::Reach bytes = reach_of(array_);
  BackendMemory& memory = *array_.storage()->memory();
  Ref<BackendMemory> host = allocate(Device(), bytes.count);
  Layout layout = array_.layout();
  layout.offset -= static_cast<std::int64_t>(bytes.first) / array_.dtype().bytes();
  host_ = from_view({host, array_.dtype(), layout});
  begin_export(array_);
  try {
    const auto mapped = make_ref<MappedBytes>(memory, bytes, std::move(host), is_written);
    mapped->read();
    const std::lock_guard lock(graph_lock());
    memory.activity().borrowers_events.push_back(mapped);
    bytes_ = mapped;
  } catch (...) {
    end_export(memory);
    throw;
  }
}

HostMapping::~HostMapping() {
  try {
    end();
  } catch (const std::exception&) {
    leave();
  }
}

void HostMapping::end() {
  if (!bytes_) return;
  Events none;
  bytes_->take_new(none);
  leave();
}

void HostMapping::leave() noexcept {
  BackendMemory& memory = *array_.storage()->memory();
  const Ref<SharedEvents> mapped = std::exchange(bytes_, nullptr);  // dropped after the lock
  {
    const std::lock_guard lock(graph_lock());
    auto& known = memory.activity().borrowers_events;
    if (const auto found = std::ranges::find(known, mapped); found != known.end())
      known.erase(found);
  }
  end_export(memory);
}

}  // namespace isthmus::inline ISTHMUS_ABI
