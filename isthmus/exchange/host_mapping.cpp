// host_mapping.cpp: copies in both directions, before and after operations on mapped memory.
#include "isthmus/exchange/host_mapping.h"

#include <atomic>
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

/// A program may write to its side of a mapping at any time, so that each of its words is read and
/// written once.
template <class T>
T load(const char* host) {
  return std::atomic_ref(*reinterpret_cast<T*>(const_cast<char*>(host)))
      .load(std::memory_order_relaxed);
}

template <class T>
void store(char* host, T value) {
  std::atomic_ref(*reinterpret_cast<T*>(host)).store(value, std::memory_order_relaxed);
}

template <class T>
T word(const char* bytes) {
  T value;
  std::memcpy(&value, bytes, sizeof(T));
  return value;
}

template <class T>
bool is_same(const char* host, const char* base, std::size_t item) {
  for (std::size_t at = 0; at < item; at += sizeof(T))
    if (load<T>(host + at) != word<T>(base + at)) return false;
  return true;
}

/// Replaces the elements of `host` that equal those of `base` by those of `device`: the rest are
/// the host's changes. Equal values are not written, as the host may write another one meanwhile.
template <class T>
void merge(char* host, const char* base, const char* device, std::size_t bytes, std::size_t item) {
  for (std::size_t first = 0; first < bytes; first += item) {
    if (!is_same<T>(host + first, base + first, item)) continue;
    for (std::size_t at = first; at < first + item; at += sizeof(T)) {
      const T now = word<T>(device + at);
      if (now != word<T>(base + at)) store(host + at, now);
    }
  }
}

/// Calls f with a zero of the largest integer type of which elements are made up.
template <class F>
auto with_word(std::size_t item, F f) {
  if (item % 8 == 0) return f(std::uint64_t());
  if (item % 4 == 0) return f(std::uint32_t());
  if (item % 2 == 0) return f(std::uint16_t());
  return f(std::uint8_t());
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
      if (!is_writable_) return;
      const auto [first, last] = changed();
      if (first == last) return;
      read_device();
      read_host(first, last);
      finish(copy(*staging_, first, device_, bytes_.first + first, last - first));
      std::memcpy(at(base_) + first, at(staging_) + first, last - first);
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
    with_word(bytes_.item, [&]<class T>(T) {
      if (is_writable_) {
        merge<T>(at(host_), at(base_), at(staging_), bytes_.count, bytes_.item);
      } else {
        for (std::size_t byte = 0; byte < bytes_.count; byte += sizeof(T))
          store(at(host_) + byte, word<T>(at(staging_) + byte));
      }
    });
    std::memcpy(at(base_), at(staging_), bytes_.count);
  }

  /// Copies the host's bytes from `first` up to `last` to those of `staging_`.
  void read_host(std::size_t first, std::size_t last) {
    with_word(bytes_.item, [&]<class T>(T) {
      for (std::size_t byte = first; byte < last; byte += sizeof(T)) {
        const T now = load<T>(at(host_) + byte);
        std::memcpy(at(staging_) + byte, &now, sizeof(T));
      }
    });
  }

  /// The bytes from the first element that the host has changed up to the end of the last one;
  /// none where it has changed nothing.
  std::pair<std::size_t, std::size_t> changed() const {
    return with_word(bytes_.item, [&]<class T>(T) {
      const auto is_same_at = [&](std::size_t byte) {
        return is_same<T>(at(host_) + byte, at(base_) + byte, bytes_.item);
      };
      std::size_t first = 0, last = bytes_.count;
      while (first < last && is_same_at(first)) first += bytes_.item;
      while (first < last && is_same_at(last - bytes_.item)) last -= bytes_.item;
      return std::pair(first, last);
    });
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
