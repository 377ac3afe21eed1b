// memory_pool.cpp: bins of idle blocks.
#include "isthmus/runtime/memory/memory_pool.h"

#include <pthread.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <memory>
#include <mutex>
#include <vector>

#include "isthmus/base/error.h"
#include "isthmus/base/log.h"
#include "isthmus/runtime/devices/registry.h"
#include "isthmus/runtime/submit/queues.h"
#include "isthmus/runtime/unblocked.h"

namespace isthmus::inline ISTHMUS_ABI {

using detail::format;

namespace {

// Four bins to a power of two, so that at most a fifth of a block is unused; from 2 MiB on whole
// huge pages.
constexpr std::size_t smallest = 64, huge = std::size_t{2} << 20;

std::size_t rounded(std::size_t bytes) {
  if (bytes <= smallest) return smallest;
  if (bytes >= huge) return (bytes + huge - 1) / huge * huge;
  const std::size_t quarter = std::bit_floor(bytes - 1) / 4;
  return (bytes + quarter - 1) / quarter * quarter;
}

int bin_of(std::size_t size) {
  const int power = std::bit_width(size - 1);
  return std::min(4 * power + static_cast<int>((size - 1) >> std::max(power - 3, 0) & 3), 255);
}

/// One context's memory of one kind. Leaked with the pools, since blocks may outlive everything.
struct Pool {
  Device device;
  bool is_of_host;  ///< The device allocates the host's memory.
  MemoryKind kind;
  /// Not held; its blocks hold it. Without any, a context that is new may be at this address.
  const BackendContext* context;
  bool is_default;  ///< The context is the device's own, not a user's.
  /// Threads that want a block of the context, and may not have put it down here yet. Grows under
  /// the pools' lock.
  std::atomic<int> askers{0};
  Mutex lock;
  std::vector<BackendMemory*> bins[256];
  PoolStatistics statistics;
  /// The driver's way to give a block back, which allocate() replaced by the pool's.
  struct Block {
    BackendMemory::Release release;
    void* owner;
    Pool* pool;
  };
};

struct Pools {
  Mutex lock;
  std::vector<Pool*> all;
  std::vector<std::pair<Device, std::int64_t>> caps;  ///< For pools that are still to come too.
};

Pools& pools() {
  static Pools& p = *new Pools;
  return p;
}

/// A child must not inherit a bin in the middle of a change.
[[maybe_unused]] const int pool_at_fork = pthread_atfork(
    [] {
      pools().lock.lock();
      for (Pool* pool : pools().all) pool->lock.lock();
    },
    [] {
      for (Pool* pool : pools().all) pool->lock.unlock();
      pools().lock.unlock();
    },
    [] {
      for (Pool* pool : pools().all) pool->lock.unlock();
      pools().lock.unlock();
    });

std::atomic<Pool*> cpu_pool{nullptr};  // the one that every small array asks

/// Needs the pools' lock.
Pool& make_pool(const Device& device, const DeviceInfo& info) {
  for (Pool* pool : pools().all) {
    if (pool->device != device || pool->is_default) continue;
    const std::lock_guard guard(pool->lock);
    const PoolStatistics& s = pool->statistics;
    const bool is_empty = s.blocks_in_use == 0 && s.bytes_idle == 0;
    if (is_empty && pool->askers.load(std::memory_order_acquire) == 0) return *pool;
  }
  auto pool = std::make_unique<Pool>();
  pool->device = device;
  pool->is_of_host = info.has_unified_memory;
  // Where memory is overcommitted no driver ever says that there is no more, and so nothing would
  // make a pool give anything back: as much as this may lie idle unless somebody says otherwise.
  pool->statistics.cap_bytes = static_cast<std::int64_t>(info.memory_bytes / 2);
  for (const auto& [of, cap_bytes] : pools().caps)
    if (of == device) pool->statistics.cap_bytes = cap_bytes;
  pools().all.push_back(pool.get());
  return *pool.release();
}

/// Needs the pools' lock.
Pool* find_pool(const BackendContext& context, MemoryKind kind) {
  for (Pool* pool : pools().all)
    if (pool->context == &context && pool->kind == kind && pool->device == context.device)
      return pool;
  return nullptr;
}

/// Gives a block back to the driver, or to the reaper while there is work on it. Without locks.
void release_to_driver(BackendMemory* memory) {
  leave_timeline(*memory);
  std::unique_ptr<Pool::Block> block(static_cast<Pool::Block*>(memory->owner));
  memory->release = block->release;
  memory->owner = block->owner;
  memory->is_pooled = false;
  memory->drop();
}

/// The next block to give back, the largest first; null if no more than `keep` bytes are idle.
BackendMemory* take_largest(Pool& pool, std::int64_t keep) noexcept {
  const std::lock_guard lock(pool.lock);
  if (pool.statistics.bytes_idle <= keep) return nullptr;
  for (std::size_t b = std::size(pool.bins); b-- > 0;) {
    if (pool.bins[b].empty()) continue;
    BackendMemory* memory = pool.bins[b].back();
    pool.bins[b].pop_back();
    pool.statistics.bytes_idle -= static_cast<std::int64_t>(memory->bytes);
    return memory;
  }
  return nullptr;
}

std::int64_t trim(Pool& pool, std::int64_t keep) noexcept {
  std::int64_t freed = 0;
  while (BackendMemory* memory = take_largest(pool, keep)) {
    freed += static_cast<std::int64_t>(memory->bytes);
    release_to_driver(memory);
  }
  return freed;
}

/// Gives back what is idle in other contexts of users, if nobody uses memory there. Until then it
/// stays, since a function that makes arrays in a user's context and drops them may be called
/// again.
void trim_unused(const BackendContext& context) {
  std::vector<Pool*> unused;
  {
    const std::lock_guard lock(pools().lock);
    for (Pool* pool : pools().all) {
      if (pool->is_default || pool->context == &context) continue;
      const std::lock_guard guard(pool->lock);
      if (pool->statistics.blocks_in_use == 0) unused.push_back(pool);
    }
  }
  for (Pool* pool : unused) trim(*pool, 0);
}

/// A pool that stays that of its context. Made under the pools' lock.
class AskedPool {
 public:
  explicit AskedPool(Pool& pool) : pool(pool) {
    pool.askers.fetch_add(1, std::memory_order_relaxed);
  }
  ~AskedPool() { pool.askers.fetch_sub(1, std::memory_order_release); }
  AskedPool(const AskedPool&) = delete;

  Pool& pool;
};

AskedPool pool_of(const BackendContext& context, MemoryKind kind) {
  {
    const std::lock_guard lock(pools().lock);
    if (Pool* pool = find_pool(context, kind)) return AskedPool(*pool);
  }
  Backend& b = backend(context.device);
  const bool is_default = b.default_context(context.device.index()).get() == &context;
  const DeviceInfo& info = b.describe(context.device.index());
  trim_unused(context);
  const std::lock_guard lock(pools().lock);
  if (Pool* pool = find_pool(context, kind)) return AskedPool(*pool);
  Pool& pool = make_pool(context.device, info);
  pool.kind = kind, pool.context = &context, pool.is_default = is_default;
  if (context.device.is_host()) cpu_pool.store(&pool, std::memory_order_release);
  return AskedPool(pool);
}

/// The lists keep their room, since the next work on the block needs it again.
void forget_work(BackendMemory& memory) noexcept {
  if (memory.is_quiet.load(std::memory_order_relaxed)) return;
  Hazards& hazards = memory.activity().hazards;
  hazards.writes.clear(), hazards.reads.clear();
  memory.is_quiet.store(true, std::memory_order_relaxed);
}

[[gnu::hot]] bool release_to_pool(BackendMemory& memory) noexcept {
  Pool& pool = *static_cast<Pool::Block*>(memory.owner)->pool;
  memory.is_read_only = false;
  // an address that is known for ever: nobody else may get it
  Activity& activity = memory.activity();
  const bool is_told = std::exchange(activity.is_foreign, false);
  activity.exports = 0;
  activity.borrowers.clear();
  activity.borrowers_events.clear();
  if (!activity.checks.empty()) LateChecks().swap(activity.checks);
  if (!memory.timeline) forget_work(memory);
  memory.revive();
  bool is_kept = false;
  {
    std::lock_guard lock(pool.lock);
    PoolStatistics& s = pool.statistics;
    const auto bytes = static_cast<std::int64_t>(memory.bytes);
    s.bytes_in_use -= bytes;
    --s.blocks_in_use;
    if (!is_told && (!s.cap_bytes || s.bytes_idle + bytes <= s.cap_bytes)) {
      try {
        pool.bins[bin_of(memory.bytes)].push_back(&memory);
        s.bytes_idle += bytes;
        is_kept = true;
      } catch (const std::bad_alloc&) {
        is_kept = false;  // no room to remember it: the driver takes it back
      }
    }
  }
  if (!is_kept) release_to_driver(&memory);
  return true;
}

/// An idle block, on which there is no unfinished work but on `timeline`.
[[gnu::hot]] BackendMemory* take_idle(Pool& pool, std::size_t size, std::uint64_t timeline = 0) {
  std::lock_guard lock(pool.lock);
  auto& bin = pool.bins[bin_of(size)];
  // the last bin has blocks of many sizes: take one that is not much too large
  const auto fits = [&](const BackendMemory* memory) {
    return memory->bytes >= size && memory->bytes <= size + size / 4;
  };
  const auto is_free = [&](const BackendMemory* memory) {
    return fits(memory) && (!memory->timeline || memory->timeline == timeline);
  };
  const auto newest = std::find_if(bin.rbegin(), bin.rend(), is_free);
  auto found = newest.base();  // behind it
  if (newest != bin.rend()) {
    --found;
  } else {  // the work on the oldest ends first
    found = std::ranges::find_if(bin, fits);
    if (found == bin.end() || !(*found)->activity().hazards.reads.back()->is_done()) return nullptr;
  }
  BackendMemory* memory = *found;
  bin.erase(found);
  leave_timeline(*memory);
  memory->has_any_bytes.store(false, std::memory_order_relaxed);
  PoolStatistics& s = pool.statistics;
  const auto bytes = static_cast<std::int64_t>(memory->bytes);
  s.bytes_idle -= bytes;
  s.bytes_in_use += bytes;
  s.peak_bytes = std::max(s.peak_bytes, s.bytes_in_use);
  ++s.blocks_in_use;
  ++s.hits;
  return memory;
}

/// The devices whose pools take from the same memory: this one's, and if it is the host's, all
/// those that allocate there.
std::vector<Device> devices_beside(const Pool& pool) {
  std::vector<Device> found{pool.device};
  std::lock_guard lock(pools().lock);
  for (const Pool* other : pools().all)
    if (pool.is_of_host && other->is_of_host &&
        std::ranges::find(found, other->device) == found.end())
      found.push_back(other->device);
  return found;
}

/// Gives what is idle back, also what unfinished work is on; how many bytes that is.
std::int64_t trim_all(const std::vector<Device>& devices) {
  std::int64_t freed = 0;
  const auto trim_each = [&] {
    for (const Device& device : devices) freed += trim_pool(device, 0);
  };
  trim_each();
  {
    const Unblocked unblocked;
    wait_for_reaper(0);
  }
  trim_each();
  return freed;
}

/// "cpu hold 80 bytes in 1 blocks, on opencl:0 400 bytes in 2 blocks"
std::string holdings(const std::vector<Device>& devices) {
  std::string text;
  for (const Device& device : devices) {
    const PoolStatistics s = pool_statistics(device);
    if (!text.empty() && s.blocks_in_use == 0) continue;
    text += format("{}{}{} {} bytes in {} blocks", text.empty() ? "" : ", on ", device,
                   text.empty() ? " hold" : "", s.bytes_in_use, s.blocks_in_use);
  }
  return text;
}

Ref<BackendMemory> from_driver(Pool& pool, const Ref<BackendContext>& context, std::size_t size) {
  Backend& b = backend(pool.device);
  const auto ask = [&] { return b.allocate(context, pool.device.index(), size, pool.kind); };
  const auto ask_again = [&](const Error& error) {
    if (error.code() != Errc::out_of_memory) error.raise();
    const std::vector<Device> devices = devices_beside(pool);
    const std::int64_t freed = trim_all(devices);
    detail::log(Channel::mem, Level::warning, "{}: {}; returned {} idle bytes, and ask again",
                pool.device, error.what(), freed);
    try {
      return ask();
    } catch (const Error& last) {
      if (last.code() != Errc::out_of_memory) throw;
      fail(Errc::out_of_memory,
           "{}; arrays on {}, including those that unfinished work needs, and nothing is idle; "
           "delete some, or process smaller pieces",
           last.what(), holdings(devices));
    }
  };
  const auto made = [&] {
    try {
      return ask();
    } catch (const Error& error) {
      return ask_again(error);
    }
  };
  auto block = std::make_unique<Pool::Block>();
  Ref<BackendMemory> memory = made();
  detail::log(Channel::mem, Level::debug, "{}: {} bytes of {} memory from the driver", pool.device,
              size, to_string(pool.kind));
  *block = {memory->release, memory->owner, &pool};
  memory->release = release_to_pool;
  memory->owner = block.release();
  memory->is_pooled = true;
  memory->has_any_bytes.store(false, std::memory_order_relaxed);
  std::lock_guard lock(pool.lock);
  PoolStatistics& s = pool.statistics;
  s.bytes_in_use += static_cast<std::int64_t>(memory->bytes);
  s.peak_bytes = std::max(s.peak_bytes, s.bytes_in_use);
  ++s.blocks_in_use;
  ++s.misses;
  return memory;
}

/// A program that drops arrays faster than a queue works on them holds all their memory. From so
/// many bytes on, whoever wants more waits for some. Whether it did.
bool wait_for_dropped(std::size_t size) {
  static std::atomic<std::int64_t> most{std::int64_t{256} << 20};
  const std::int64_t allowed = std::max(most.load(), 4 * static_cast<std::int64_t>(size));
  if (reaper_bytes() <= allowed) return false;
  const Unblocked unblocked;
  if (wait_for_reaper(allowed / 2)) return true;
  most.store(2 * allowed);  // it stands still, perhaps until our caller goes on
  return false;
}

/// Nothing but the host's own pool is asked often enough to save the search for it.
Ref<BackendMemory> allocate_in(const Ref<BackendContext>& context, std::size_t bytes,
                               MemoryKind kind, std::uint64_t timeline = 0) {
  check(bytes <= PTRDIFF_MAX / 2, Errc::out_of_memory, "allocate: {} bytes on {}", bytes,
        context->device);
  const std::size_t size = rounded(bytes);
  const AskedPool asked = pool_of(*context, kind);
  Pool& pool = asked.pool;
  if (BackendMemory* memory = take_idle(pool, size, timeline))
    return Ref<BackendMemory>::take(memory);
  if (wait_for_dropped(size))
    if (BackendMemory* memory = take_idle(pool, size, timeline))
      return Ref<BackendMemory>::take(memory);
  return from_driver(pool, context, size);
}

MemoryKind default_kind(const Device& device) {
  return backend(device).describe(device.index()).kinds.at(0);
}

}  // namespace

Ref<BackendMemory> allocate(const Device& device, std::size_t bytes, MemoryKind kind) {
  return allocate_in(current_backend_queue(device)->context, bytes, kind);
}

Ref<BackendMemory> allocate(const BackendQueue& queue, std::size_t bytes, bool is_for_its_work) {
  return allocate_in(queue.context, bytes, default_kind(queue.context->device),
                     is_for_its_work ? queue.timeline : 0);
}

Ref<BackendMemory> allocate_for_host(const BackendQueue& queue, std::size_t bytes) {
  const Device& device = queue.context->device;
  const auto& kinds = backend(device).describe(device.index()).kinds;
  const bool has_host = std::ranges::find(kinds, MemoryKind::host) != kinds.end();
  return allocate_in(queue.context, bytes, has_host ? MemoryKind::host : kinds.at(0));
}

[[gnu::hot]] Ref<BackendMemory> allocate(const Device& device, std::size_t bytes) {
  Pool* fast = device.is_host() ? cpu_pool.load(std::memory_order_acquire) : nullptr;
  if (fast && bytes <= PTRDIFF_MAX / 2)
    if (BackendMemory* memory = take_idle(*fast, rounded(bytes)))
      return Ref<BackendMemory>::take(memory);
  return allocate(device, bytes, default_kind(device));
}

/// Needs the pool's lock.
static std::int64_t idle_blocks_of(const Pool& pool) {
  std::int64_t count = 0;
  for (const auto& bin : pool.bins) count += static_cast<std::int64_t>(bin.size());
  return count;
}

PoolStatistics pool_statistics(const Device& device) {
  PoolStatistics sum;
  std::lock_guard lock(pools().lock);
  for (Pool* pool : pools().all) {
    if (pool->device != device) continue;
    std::lock_guard guard(pool->lock);
    const PoolStatistics& s = pool->statistics;
    sum.cap_bytes = s.cap_bytes;
    sum.bytes_in_use += s.bytes_in_use, sum.bytes_idle += s.bytes_idle;
    sum.peak_bytes += s.peak_bytes, sum.blocks_in_use += s.blocks_in_use;
    sum.hits += s.hits, sum.misses += s.misses;
    sum.blocks_idle += idle_blocks_of(*pool);
  }
  return sum;
}

std::int64_t idle_blocks() {
  std::int64_t count = 0;
  std::lock_guard lock(pools().lock);
  for (Pool* pool : pools().all) {
    std::lock_guard guard(pool->lock);
    count += idle_blocks_of(*pool);
  }
  return count;
}

std::int64_t trim_pool(const Device& device, std::int64_t keep) {
  check(keep >= 0, Errc::value, "trim_pool: keep: {} bytes; it must be 0 or more", keep);
  std::vector<Pool*> of_device;
  {
    std::lock_guard lock(pools().lock);
    for (Pool* pool : pools().all)
      if (pool->device == device) of_device.push_back(pool);
  }
  std::int64_t freed = 0;
  for (Pool* pool : of_device) freed += trim(*pool, keep);
  return freed;
}

void set_pool_cap(const Device& device, std::int64_t cap_bytes) {
  check(cap_bytes >= 0, Errc::value, "pool cap: {} bytes is negative", cap_bytes);
  {
    std::lock_guard lock(pools().lock);
    std::erase_if(pools().caps, [&](const auto& cap) { return cap.first == device; });
    pools().caps.emplace_back(device, cap_bytes);
    for (Pool* pool : pools().all) {
      if (pool->device != device) continue;
      std::lock_guard guard(pool->lock);
      pool->statistics.cap_bytes = cap_bytes;
    }
  }
  if (cap_bytes) trim_pool(device, cap_bytes);
}

}  // namespace isthmus::inline ISTHMUS_ABI
