// host_mapping.cpp: copies in both directions, before and after operations on mapped memory.
#include "isthmus/exchange/host_mapping.h"

#include <cstring>
#include <mutex>
#include <utility>

#include "isthmus/array/apply.h"
#include "isthmus/base/log.h"
#include "isthmus/exchange/share.h"
#include "isthmus/hazards/hazards.h"
#include "isthmus/runtime/call.h"
#include "isthmus/runtime/devices/registry.h"
#include "isthmus/runtime/memory/memory_pool.h"
#include "isthmus/runtime/observe/counting.h"
#include "isthmus/runtime/submit/foreign_work.h"
#include "isthmus/runtime/submit/queues.h"
#include "isthmus/runtime/submit/submission.h"
#include "isthmus/runtime/unblocked.h"

namespace isthmus::inline ISTHMUS_ABI {

namespace {

/// Whether this thread copies for a mapping. Such a copy is an operation on the mapped memory, too,
/// for which mappings do nothing: else two of them would call each other without end.
thread_local bool is_copying = false;

class Copying {
 public:
  Copying() { is_copying = true; }
  ~Copying() { is_copying = false; }
  Copying(const Copying&) = delete;
};

/// Replaces the elements of `host` that equal those of `base` by those of `device`: the rest are
/// the host's changes.
template <class T>
void merge(char* host, const char* base, const char* device, std::size_t bytes) {
  for (std::size_t at = 0; at < bytes; at += sizeof(T)) {
    T mine, before, now;
    std::memcpy(&mine, host + at, sizeof(T));
    std::memcpy(&before, base + at, sizeof(T));
    std::memcpy(&now, device + at, sizeof(T));
    const T merged = mine == before ? now : mine;
    std::memcpy(host + at, &merged, sizeof(T));
  }
}

void merge(char* host, const char* base, const char* device, std::size_t bytes, std::size_t item) {
  switch (item) {
    case 1: return merge<std::uint8_t>(host, base, device, bytes);
    case 2: return merge<std::uint16_t>(host, base, device, bytes);
    case 4: return merge<std::uint32_t>(host, base, device, bytes);
    case 8: return merge<std::uint64_t>(host, base, device, bytes);
    default: break;
  }
  for (std::size_t at = 0; at < bytes; at += item)
    if (std::memcmp(host + at, base + at, item) == 0) std::memcpy(host + at, device + at, item);
}

}  // namespace

/// The bytes of a mapping on both sides. Registered with the memory as a shared list of events is,
/// so that it is called before and after each operation. The changes of the host are found by
/// comparison with the last known contents of the device; only they are copied there, since another
/// mapping may have changed other elements.
class MappedBytes final : public SharedEvents {
 public:
  struct Reach {
    std::size_t first, count, item;  ///< Bytes.
  };

  /// `host`: of as many bytes, which become zeros until refresh().
  MappedBytes(BackendMemory& device, Reach bytes, Ref<BackendMemory> host, bool is_writable)
      : device_(device), bytes_(bytes), host_(std::move(host)), is_writable_(is_writable) {
    if (bytes_.count == 0) return;
    base_ = allocate(Device(), bytes_.count);
    staging_ = allocate(Device(), bytes_.count);
    std::memset(host_->host, 0, bytes_.count);
    std::memset(base_->host, 0, bytes_.count);
  }

  /// Copies the changes of the host to the device.
  void take_new(Events&) override {
    exclusively([&] {
      if (!is_writable_ || std::memcmp(at(host_), at(base_), bytes_.count) == 0) return;
      const auto [first, last] = changed();
      read_device();
      std::memcpy(at(staging_), at(host_), bytes_.count);
      finish(copy(*staging_, first, device_, bytes_.first + first, last - first));
      std::memcpy(at(base_), at(staging_), bytes_.count);
    });
  }

  /// Refreshes the host's side after an operation. An error is the operation's, or the device's:
  /// the next wait for the memory throws it.
  void add(const Ref<Event>& operation) noexcept override try {
    if (is_copying) return;
    const Unblocked unblocked;
    if (operation) operation->settle();
    refresh();
  } catch (const std::exception& problem) {
    detail::log(Channel::exchange, Level::warning, "mapped memory was not read again: {}",
                problem.what());
  }

  /// Changes that the host makes meanwhile are kept for the next take_new().
  void refresh() {
    exclusively([&] { read_device(); });
  }

  /// Waits for other threads that copy.
  void end() noexcept {
    const Unblocked unblocked;
    const std::unique_lock lock = locked();
    has_ended_ = true;
  }

 private:
  static char* at(const Ref<BackendMemory>& memory) { return static_cast<char*>(memory->host); }

  /// Ignores interrupts, after which the two sides would differ.
  static void finish(const Ref<Event>& copied) {
    if (!copied) return;
    copied->settle();
    copied->join();
  }

  /// Copies the device's bytes to base, and to the host where that has not changed them.
  void read_device() {
    finish(copy(device_, bytes_.first, *staging_, 0, bytes_.count));
    if (is_writable_)
      merge(at(host_), at(base_), at(staging_), bytes_.count, bytes_.item);
    else
      std::memcpy(at(host_), at(staging_), bytes_.count);
    std::memcpy(at(base_), at(staging_), bytes_.count);
  }

  /// The bytes from the first element that the host has changed up to the end of the last one.
  /// Needs one.
  std::pair<std::size_t, std::size_t> changed() const {
    const auto is_same = [&](std::size_t byte) {
      return std::memcmp(at(host_) + byte, at(base_) + byte, bytes_.item) == 0;
    };
    std::size_t first = 0, last = bytes_.count;
    while (is_same(first)) first += bytes_.item;
    while (is_same(last - bytes_.item)) last -= bytes_.item;
    return {first, last};
  }

  /// The lock of all mappings, of which several may be of one memory. A forked child has one
  /// thread, and a lock that another thread of its parent may hold for ever.
  static std::unique_lock<std::mutex> locked() {
    return is_orphaned() ? std::unique_lock(mutex_, std::defer_lock) : std::unique_lock(mutex_);
  }

  /// Runs f under that lock. Does nothing in a copy of a mapping's own, and after the end.
  template <class F>
  void exclusively(F f) {
    if (bytes_.count == 0 || is_copying) return;
    const Unblocked unblocked;  // the holder of the lock may need Python's
    const std::unique_lock lock = locked();
    if (has_ended_) return;
    const Copying copying;
    f();
  }

  Ref<Event> copy(BackendMemory& from, std::size_t from_byte, BackendMemory& to,
                  std::size_t to_byte, std::size_t bytes) const {
    const Unblocked unblocked;  // the queue's lock is held during calls of the driver
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
  const bool is_writable_;
  Ref<BackendMemory> base_;     ///< The device's contents when they were copied last.
  Ref<BackendMemory> staging_;  ///< Of copies in both directions.
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

HostMapping::HostMapping(const Array& array, bool is_writable) : array_(array), host_(array) {
  array_.eval();
  const MappedBytes::Reach bytes = reach_of(array_);
  BackendMemory& memory = *array_.storage()->memory();
  Ref<BackendMemory> host = allocate(Device(), bytes.count);
  Layout layout = array_.layout();
  layout.offset -= static_cast<std::int64_t>(bytes.first) / array_.dtype().bytes();
  host_ = from_view({host, array_.dtype(), layout});
  const auto mapped = make_ref<MappedBytes>(memory, bytes, std::move(host), is_writable);
  begin_export(array_);
  try {
    const std::lock_guard lock(graph_lock());
    memory.activity().borrowers_events.push_back(mapped);
  } catch (...) {
    end_export(memory);
    throw;
  }
  bytes_ = mapped;
  try {
    bytes_->refresh();
  } catch (...) {
    detach();
    throw;
  }
}

HostMapping::~HostMapping() {
  try {
    end();
  } catch (const std::exception&) {
    detach();
  }
}

void HostMapping::end() {
  if (!bytes_) return;
  Events none;
  bytes_->take_new(none);
  detach();
  share_event(*array_.storage()->memory(), nullptr);  // refreshes other mappings
}

void HostMapping::detach() noexcept {
  BackendMemory& memory = *array_.storage()->memory();
  const Ref<MappedBytes> mapped = std::exchange(bytes_, nullptr);  // destroyed after the lock
  mapped->end();
  {
    const std::lock_guard lock(graph_lock());
    std::erase(memory.activity().borrowers_events, Ref<SharedEvents>(mapped));
  }
  end_export(memory);
}

}  // namespace isthmus::inline ISTHMUS_ABI
