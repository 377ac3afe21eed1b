// host_mapping.cpp: the two copies of mapped memory, before and after work on it.
#include "isthmus/exchange/host_mapping.h"

#include <algorithm>
#include <cstring>
#include <mutex>
#include <utility>

#include "isthmus/array/apply.h"
#include "isthmus/base/log.h"
#include "isthmus/exchange/share.h"
#include "isthmus/hazards/hazards.h"
#include "isthmus/runtime/devices/registry.h"
#include "isthmus/runtime/memory/memory_pool.h"
#include "isthmus/runtime/observe/counting.h"
#include "isthmus/runtime/submit/foreign_work.h"
#include "isthmus/runtime/submit/queues.h"
#include "isthmus/runtime/submit/submission.h"
#include "isthmus/runtime/unblocked.h"

namespace isthmus::inline ISTHMUS_ABI {

namespace {

/// Whether this thread copies for a mapping. Its copies are work on the memory, too, of which no
/// mapping hears: two that told each other would wait for ever.
thread_local bool is_copying = false;

class Copying {
 public:
  Copying() { is_copying = true; }
  ~Copying() { is_copying = false; }
  Copying(const Copying&) = delete;
};

/// Elements of `here` that are still as they were `known` become those that are `there`.
template <class T>
void take_unchanged(char* here, const char* known, const char* there, std::size_t bytes) {
  for (std::size_t at = 0; at < bytes; at += sizeof(T)) {
    T mine, was, now;
    std::memcpy(&mine, here + at, sizeof(T));
    std::memcpy(&was, known + at, sizeof(T));
    std::memcpy(&now, there + at, sizeof(T));
    const T wanted = mine == was ? now : mine;
    std::memcpy(here + at, &wanted, sizeof(T));
  }
}

void take_unchanged(char* here, const char* known, const char* there, std::size_t bytes,
                    std::size_t item) {
  switch (item) {
    case 1: return take_unchanged<std::uint8_t>(here, known, there, bytes);
    case 2: return take_unchanged<std::uint16_t>(here, known, there, bytes);
    case 4: return take_unchanged<std::uint32_t>(here, known, there, bytes);
    case 8: return take_unchanged<std::uint64_t>(here, known, there, bytes);
    default: break;
  }
  for (std::size_t at = 0; at < bytes; at += item)
    if (std::memcmp(here + at, known + at, item) == 0) std::memcpy(here + at, there + at, item);
}

}  // namespace

/// Bytes of a device and their copy on the host. Told before and after work on the memory, as an
/// owner is who shares its list of events. It remembers what the device had, so that only elements
/// that the host has changed go there: another mapping may have changed others.
class MappedBytes final : public SharedEvents {
 public:
  struct Reach {
    std::size_t first, count, item;  ///< Bytes.
  };

  /// `host`: of as many bytes. Reads them. Throws what the driver throws.
  MappedBytes(BackendMemory& device, Reach bytes, Ref<BackendMemory> host, bool is_written)
      : device_(device), bytes_(bytes), host_(std::move(host)), is_written_(is_written) {
    if (bytes_.count == 0) return;
    known_ = allocate(Device(), bytes_.count);
    there_ = allocate(Device(), bytes_.count);
    read_device();
    std::memcpy(host_->host, there_->host, bytes_.count);
    std::memcpy(known_->host, there_->host, bytes_.count);
  }

  void take_new(Events&) override {
    alone([&] {
      if (!is_written_ || std::memcmp(host_->host, known_->host, bytes_.count) == 0) return;
      // what others write meanwhile outside of what has changed stays
      const auto [first, last] = changed();
      read_device();
      take_here();
      std::memcpy(there_->host, host_->host, bytes_.count);
      finish(copy(*there_, first, device_, bytes_.first + first, last - first));
      std::memcpy(known_->host, there_->host, bytes_.count);
    });
  }

  /// What fails here is the work, or the device: whoever waits for the work hears of it. What the
  /// host has changed since the work began stays, and goes to the device before the next.
  void add(const Ref<Event>& work) noexcept override try {
    alone([&] {
      if (work) work->settle();
      read_device();
      take_here();
      std::memcpy(known_->host, there_->host, bytes_.count);
    });
  } catch (const std::exception& problem) {
    detail::log(Channel::exchange, Level::warning, "mapped memory was not read again: {}",
                problem.what());
  }

  /// Waits for other threads that are at it.
  void end() noexcept {
    const Unblocked unblocked;
    const std::lock_guard lock(mutex_);
    has_ended_ = true;
  }

 private:
  /// Hears no interrupt: the host's copy would stay as it was, and nobody could be told.
  static void finish(const Ref<Event>& copied) {
    if (!copied) return;
    copied->settle();
    copied->join();
  }

  void read_device() { finish(copy(device_, bytes_.first, *there_, 0, bytes_.count)); }

  /// The bytes from the first element that the host has changed to the end of the last; there is
  /// one.
  std::pair<std::size_t, std::size_t> changed() const {
    const auto is_same = [&](std::size_t at) {
      return std::memcmp(static_cast<const char*>(host_->host) + at,
                         static_cast<const char*>(known_->host) + at, bytes_.item) == 0;
    };
    std::size_t first = 0, last = bytes_.count;
    while (is_same(first)) first += bytes_.item;
    while (is_same(last - bytes_.item)) last -= bytes_.item;
    return {first, last};
  }

  void take_here() {
    if (!is_written_)
      return static_cast<void>(std::memcpy(host_->host, there_->host, bytes_.count));
    const auto bytes_of = [](const Ref<BackendMemory>& memory) {
      return static_cast<char*>(memory->host);
    };
    take_unchanged(bytes_of(host_), bytes_of(known_), bytes_of(there_), bytes_.count, bytes_.item);
  }

  /// One thread at a time, of all mappings, since two may be of one memory; nothing once it has
  /// ended.
  template <class F>
  void alone(F f) {
    if (bytes_.count == 0 || is_copying) return;
    const Unblocked unblocked;  // who copies may want the lock that this thread lets go of
    const std::lock_guard lock(mutex_);
    if (has_ended_) return;
    const Copying copying;
    f();
  }

  Ref<Event> copy(BackendMemory& from, std::size_t from_byte, BackendMemory& to,
                  std::size_t to_byte, std::size_t bytes) const {
    const Unblocked unblocked;  // a queue's lock is held during calls of the driver
    BackendMemory *const read = &from, *const written = &to, *const there = &device_;
    const Device device = device_.device;
    const Ref<BackendQueue> queue = queue_reaching(current_backend_queue(device), {&there, 1});
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

  BackendMemory& device_;  // lives until this has ended
  const Reach bytes_;
  const Ref<BackendMemory> host_;
  const bool is_written_;
  Ref<BackendMemory> known_;  ///< What the device had when it was looked at last.
  Ref<BackendMemory> there_;  ///< What it has now, on its way.
  static inline std::mutex mutex_;
  bool has_ended_ = false;
};

static MappedBytes::Reach reach_of(const Array& array) {
  const Extent extent = extent_of(array.layout());
  const std::int64_t item = array.dtype().bytes();
  return {static_cast<std::size_t>(extent.begin * item),
          static_cast<std::size_t>((extent.end - extent.begin) * item),
          static_cast<std::size_t>(item)};
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
  share_event(*array_.storage()->memory(), nullptr);  // other mappings see it
}

void HostMapping::leave() noexcept {
  BackendMemory& memory = *array_.storage()->memory();
  const Ref<MappedBytes> mapped = std::exchange(bytes_, nullptr);  // dropped after the lock
  mapped->end();
  {
    const std::lock_guard lock(graph_lock());
    auto& known = memory.activity().borrowers_events;
    if (const auto found = std::ranges::find(known, Ref<SharedEvents>(mapped));
        found != known.end())
      known.erase(found);
  }
  end_export(memory);
}

}  // namespace isthmus::inline ISTHMUS_ABI
