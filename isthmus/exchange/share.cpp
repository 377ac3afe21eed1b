// share.cpp: imports of the same memory are one memory, and exports are counted.
#include "isthmus/exchange/share.h"

#include <cstdlib>
#include <mutex>

#include "isthmus/runtime/devices/registry.h"
#include "isthmus/runtime/submit/foreign_work.h"
#include "isthmus/runtime/submit/launch_check.h"

namespace isthmus::inline ISTHMUS_ABI {

namespace {

/// Where arrays without elements lie: their address is never read, but the host may have it.
alignas(64) char nothing[64];

/// Whether somebody must wait before others look at the memory. Needs graph_lock.
[[gnu::hot]] bool has_work(BackendMemory& memory) {
  const Activity& a = memory.activity();
  const auto is_over = [](const Ref<Event>& e) { return e->is_done() && !e->has_failed(); };
  for (const Ref<Event>& write : a.hazards.writes)
    if (!is_over(write)) return true;
  for (const Ref<Event>& read : a.hazards.reads)
    if (!is_over(read)) return true;
  return a.readers != nullptr;
}

void settle(const Array& array) {
  evaluate_readers(*array.storage()->memory());
  wait(array.storage(), true);
}

}  // namespace

[[gnu::hot]] bool has_plain_strides(const Layout& layout) {
  return std::ranges::all_of(layout.shape, [](std::int64_t extent) { return extent > 1; });
}

Layout with_plain_strides(const Layout& layout) {
  Layout plain = layout;
  const bool is_empty = layout.count() == 0;
  std::int64_t dense = 1;
  for (int axis = layout.ndim() - 1; axis >= 0; --axis) {
    const std::int64_t extent = std::max<std::int64_t>(layout.shape[axis], 1);
    std::int64_t& stride = plain.strides[axis];
    if (is_empty || layout.shape[axis] <= 1) stride = dense;
    // an overflow is possible only where there are no elements, and any number will do
    if (!product_fits(extent, std::max<std::int64_t>(std::abs(stride), 1), dense)) dense = 1;
  }
  return plain;
}

[[gnu::hot]] Dims byte_strides_of(const Array& array) {
  const Layout& layout = array.layout();
  Dims strides = has_plain_strides(layout) ? layout.strides : with_plain_strides(layout).strides;
  const std::int64_t item = array.dtype().bytes();
  for (std::int64_t& stride : strides)
    if (!product_fits(stride, item, stride)) stride = item;
  return strides;
}

[[gnu::hot]] bool check_extents(std::string_view who, DType dtype, const Layout& layout) {
  check(layout.shape.size() <= max_dimensions, Errc::exchange, "{}: ndim: {} axes; at most {}", who,
        layout.shape.size(), max_dimensions);
  check(layout.strides.size() == layout.shape.size(), Errc::exchange, "{}: strides: {} for {} axes",
        who, layout.strides.size(), layout.shape.size());
  std::int64_t bytes = dtype.bytes();
  bool is_empty = false, fits = true;
  for (std::int64_t extent : layout.shape) {
    check(extent >= 0, Errc::exchange, "{}: shape: the extent {} is negative", who, extent);
    is_empty = is_empty || extent == 0;
  }
  for (std::int64_t extent : layout.shape)
    fits = fits && (is_empty || product_fits(bytes, extent, bytes));
  check(fits, Errc::exchange, "{}: shape: {} of {} is more than 2^63-1 bytes", who, layout.shape,
        dtype);
  return !is_empty;
}

/// What check_foreign checks, and the elements that the layout reaches.
[[gnu::hot]] static Extent checked_extent(std::string_view who, std::string_view field,
                                          const void* address, DType dtype, const Layout& layout) {
  if (!check_extents(who, dtype, layout)) return {0, 0};
  check(address != nullptr, Errc::exchange,
        "{}: {}: the address is null, but there are {} elements", who, field, layout.count());
  const auto start = reinterpret_cast<std::uintptr_t>(address);
  const auto alignment = static_cast<std::uintptr_t>(alignment_of(dtype));
  check((start & (alignment - 1)) == 0, Errc::exchange,
        "{}: {}: {} is misaligned; {} needs a multiple of {} bytes; copy it first", who, field,
        address, dtype, alignment);
  std::int64_t skipped;
  std::uintptr_t first_element;
  check(product_fits(layout.offset, dtype.bytes(), skipped) &&
            sum_fits(start, skipped, first_element),
        Errc::exchange, "{}: offset: {} elements of {} are past the address space", who,
        layout.offset, dtype);
  Extent extent{layout.offset, layout.offset};
  for (int axis = 0; axis < layout.ndim(); ++axis) {
    std::int64_t reach;
    const std::int64_t stride = layout.strides[axis];
    std::int64_t& end = stride < 0 ? extent.begin : extent.end;
    check(product_fits(layout.shape[axis] - 1, stride, reach) && sum_fits(end, reach, end),
          Errc::exchange, "{}: strides: {} over {} reach past 2^63-1 elements", who, layout.strides,
          layout.shape);
  }
  std::int64_t first, last;
  std::uintptr_t below, above;
  const bool fits = sum_fits(extent.end, 1, extent.end) &&
                    product_fits(extent.begin, dtype.bytes(), first) &&
                    product_fits(extent.end, dtype.bytes(), last) &&
                    sum_fits(start, first, below) && sum_fits(start, last, above);
  check(fits, Errc::exchange, "{}: strides: {} over {} reach past the address space", who,
        layout.strides, layout.shape);
  return extent;
}

void check_foreign(std::string_view who, const void* address, DType dtype, const Layout& layout) {
  checked_extent(who, "data", address, dtype, layout);
}

std::int64_t elements_in(std::string_view who, std::string_view field, std::int64_t bytes,
                         DType dtype) {
  check(bytes % dtype.bytes() == 0, Errc::exchange,
        "{}: {}: {} bytes are not a whole number of {}-byte elements; copy it first", who, field,
        bytes, dtype.bytes());
  return bytes / dtype.bytes();
}

static PointerInfo query_buffer(const Foreign& foreign, std::uintptr_t handle) {
  try {
    return backend(foreign.context->device).query_buffer(*foreign.context, handle);
  } catch (const Error& error) {
    if (error.code() != Errc::exchange) throw;
    fail(Errc::exchange, "{}: {}: {}", foreign.who, foreign.field, error.text());
  }
}

/// The memory of a device that a driver's pointer lies in. Throws exchange if it does not.
static Ref<BackendMemory> device_memory(const Foreign& foreign, std::uintptr_t begin,
                                        std::size_t bytes) {
  const Device& device = foreign.context->device;
  Backend& b = backend(device);
  PointerInfo info;
  info.kind = foreign.kind;
  const auto given = reinterpret_cast<std::uintptr_t>(foreign.address);
  if (info.kind == MemoryKind::unknown)
    info = foreign.is_buffer ? query_buffer(foreign, begin) : b.query(*foreign.context, given);
  // an offset may lead from an address outside into the allocation, as one to its end does
  if (info.kind == MemoryKind::unknown && !foreign.is_buffer && begin != given)
    info = b.query(*foreign.context, begin);
  const bool is_taken_on_trust = info.kind == MemoryKind::unknown && foreign.is_svm;
  if (is_taken_on_trust) info.kind = MemoryKind::shared;
  check(info.kind != MemoryKind::unknown, Errc::exchange,
        "{}: {}: {} is not memory of {}; the array is of another context, or was freed",
        foreign.who, foreign.field, begin, foreign.context->name);
  if (foreign.is_buffer) bytes = info.bytes;
  const bool fits = foreign.is_buffer || info.bytes == 0 ||
                    (info.base <= begin && begin + bytes <= info.base + info.bytes);
  check(fits, Errc::exchange,
        "{}: {}: bytes {} to {} of an allocation of {} on {}; check shape, strides and offset",
        foreign.who, foreign.field, static_cast<std::int64_t>(begin - info.base),
        static_cast<std::int64_t>(begin - info.base + bytes), info.bytes, device);
  auto memory = make_ref<BackendMemory>(device, info.kind, begin, bytes);
  memory->context = foreign.context;
  memory->foreign_queue = foreign.queue;
  if (foreign.queue) foreign.queue->is_private = false;
  const DeviceInfo& facts = b.describe(device.index());
  const bool is_usm = info.kind == MemoryKind::host || info.kind == MemoryKind::shared;
  // coarse-grained SVM is the host's only while it is mapped
  const bool is_near =
      is_taken_on_trust ? facts.has_system_memory : is_usm || facts.has_unified_memory;
  if (is_near && !foreign.is_buffer) memory->host = reinterpret_cast<void*>(begin);
  return memory;
}

/// A buffer whose owner may give it back in spite of what its objects hold: a reference of ours.
struct HeldHandle {
  BackendMemory::Release release;
  void* owner;
};

static bool release_held(BackendMemory& memory) noexcept {
  const std::unique_ptr<HeldHandle> held(static_cast<HeldHandle*>(memory.owner));
  backend(memory.device).drop_buffer(memory.handle);
  memory.owner = held->owner;
  return held->release && held->release(memory);
}

/// Nothing is released if this throws.
static void own(BackendMemory& memory, const Foreign& foreign, bool is_handle) {
  if (is_handle) {
    auto held = std::make_unique<HeldHandle>(HeldHandle{foreign.release, foreign.owner});
    backend(memory.device).hold_buffer(memory.handle);
    memory.owner = held.release();
    memory.release = release_held;
  } else {
    memory.owner = foreign.owner;
    memory.release = foreign.release;
  }
}

[[gnu::hot]] void* owner_of(const BackendMemory& memory, BackendMemory::Release release) noexcept {
  if (memory.release == release) return memory.owner;
  if (memory.release != release_held) return nullptr;
  const auto* held = static_cast<const HeldHandle*>(memory.owner);
  return held->release == release ? held->owner : nullptr;
}

[[gnu::hot]] Array adopt(const Foreign& foreign) {
  const Extent extent =
      checked_extent(foreign.who, foreign.field, foreign.address, foreign.dtype, foreign.layout);
  const std::int64_t item = foreign.dtype.bytes();
  const bool is_empty = extent.begin == extent.end;
  char* const start = is_empty ? nothing
                      : foreign.is_buffer
                          ? static_cast<char*>(foreign.address)
                          : static_cast<char*>(foreign.address) + extent.begin * item;
  const auto begin = reinterpret_cast<std::uintptr_t>(start);
  const auto bytes = static_cast<std::size_t>((extent.end - extent.begin) * item);
  Ref<BackendMemory> owned;
  Layout layout = foreign.layout;
  if (foreign.context && !is_empty) {
    owned = device_memory(foreign, begin, bytes);
    const auto last = static_cast<std::size_t>(extent.end * item);
    check(!foreign.is_buffer || (extent.begin >= 0 && last <= owned->bytes), Errc::exchange,
          "{}: {}: bytes {} to {} of a buffer of {}", foreign.who, foreign.field,
          extent.begin * item, last, owned->bytes);
  } else {
    const Device device = foreign.context ? foreign.context->device : Device();
    owned = make_ref<BackendMemory>(device, MemoryKind::host, begin, bytes);
    owned->host = start;
  }
  BackendMemory* const memory = owned.get();  // the storage will have it
  memory->is_read_only = foreign.is_read_only;
  memory->owners_events = foreign.events;
  if (!foreign.is_buffer || is_empty) layout.offset = is_empty ? 0 : layout.offset - extent.begin;
  Array array(make_ref<Storage>(foreign.dtype, std::move(layout), std::move(owned)),
              foreign.is_read_only);
  if (!foreign.is_private && bytes) {
    bool must_wait;
    {
      std::lock_guard lock(graph_lock());
      const bool is_known = track(*memory);
      Activity& activity = memory->activity();
      // what lies within memory of ours that is lent now has come back, and nobody else has it
      if (!is_known || activity.exports == 0) activity.is_foreign = true;
      must_wait = has_work(*memory);
    }
    if (must_wait && foreign.queue) {
      evaluate_readers(*memory);
      put_behind(*memory, foreign.queue);
    } else if (must_wait) {
      settle(array);
    }
  }
  if (foreign.events && bytes) learn_of_foreign_work(*memory);
  own(*memory, foreign, foreign.is_buffer && !is_empty);
  return array;
}

static bool drop_owner(BackendMemory& memory) noexcept {
  delete static_cast<std::shared_ptr<void>*>(memory.owner);
  return false;
}

Array adopt(Foreign foreign, std::shared_ptr<void> owner) {
  auto held = owner ? std::make_unique<std::shared_ptr<void>>(std::move(owner)) : nullptr;
  foreign.owner = held.get();
  if (held) foreign.release = drop_owner;
  Array array = adopt(foreign);
  held.release();  // the memory has it
  return array;
}

[[gnu::hot]] void begin_export(const Array& array, const Borrower& borrower) {
  array.eval();
  BackendMemory& memory = *array.storage()->memory();
  memory.has_any_bytes.store(true, std::memory_order_relaxed);
  learn_of_foreign_work(memory);
  bool must_wait, is_doubtful;
  {
    std::lock_guard lock(graph_lock());
    track(memory);
    ++memory.activity().exports;  // first, so that nothing becomes pending on it any more
    must_wait = has_work(memory) || has_foreign_queue(memory);
    is_doubtful = !memory.activity().checks.empty();
  }
  if (!must_wait && !is_doubtful && !borrower.queue) return;
  try {
    if (is_doubtful) wait(array.storage());  // the borrower would not hear of the error
    if (!borrower.queue && !borrower.is_ordered) return settle(array);
    evaluate_readers(memory);
    if (borrower.queue) begin_borrowing(memory, borrower.queue);
  } catch (...) {
    end_export(memory, borrower);
    throw;
  }
}

[[gnu::hot]] void end_export(BackendMemory& memory, const Borrower& borrower) noexcept {
  if (borrower.queue) end_borrowing(memory, borrower.queue);
  std::lock_guard lock(graph_lock());
  --memory.activity().exports;
}

[[gnu::hot]] void lend_briefly(const Array& array, const Borrower& borrower) {
  array.eval();
  BackendMemory& memory = *array.storage()->memory();
  memory.has_any_bytes.store(true, std::memory_order_relaxed);
  if (borrower.queue) {
    if (has_checks(memory)) wait(array.storage());
    evaluate_readers(memory);
    return borrow_briefly(memory, borrower.queue);
  }
  learn_of_foreign_work(memory);
  bool must_wait, is_doubtful;
  {
    std::lock_guard lock(graph_lock());
    must_wait = has_work(memory) || has_foreign_queue(memory);
    is_doubtful = !memory.activity().checks.empty();
  }
  if (is_doubtful) wait(array.storage());
  if (must_wait) settle(array);
}

/// A memory under another name, which a borrower of it goes by.
struct Owned {
  Ref<BackendMemory> memory;
  Borrower borrower;
};

static bool end_owned(BackendMemory& memory) noexcept {
  const std::unique_ptr<Owned> owned(static_cast<Owned*>(memory.owner));
  end_export(*owned->memory, owned->borrower);
  return false;
}

/// The same bytes of the same context, as a memory of its own.
static Ref<BackendMemory> another_name_of(const BackendMemory& of) {
  auto memory = make_ref<BackendMemory>(of.device, of.kind, of.handle, of.bytes);
  memory->host = of.host;
  memory->context = of.context;
  memory->takes_turns = of.takes_turns;
  return memory;
}

Array owned_through(const Array& array, const Ref<BackendQueue>& queue) {
  const Ref<BackendMemory>& of = array.eval().storage()->memory();
  auto owned = std::make_unique<Owned>(Owned{of, {queue}});
  const Ref<BackendMemory> memory = another_name_of(*of);
  memory->foreign_queue = queue;
  auto storage =
      make_ref<Storage>(array.dtype(), array.layout(), Ref<BackendMemory>::share(memory.get()));
  begin_export(array, owned->borrower);
  memory->owner = owned.release();
  memory->release = end_owned;
  const std::lock_guard lock(graph_lock());
  track(*memory);
  return Array(std::move(storage), array.layout(), array.is_read_only());
}

Array owned_by(const Array& array, BackendMemory::Release release, void* owner) {
  const Ref<BackendMemory>& of = array.eval().storage()->memory();
  const Ref<BackendMemory> memory = another_name_of(*of);
  auto storage =
      make_ref<Storage>(array.dtype(), array.layout(), Ref<BackendMemory>::share(memory.get()));
  {
    const std::lock_guard lock(graph_lock());
    if (of->is_tracked || of->is_shared()) track(*memory);  // others may name its addresses
  }
  Array made(std::move(storage), array.layout(), array.is_read_only());
  memory->owner = owner;
  memory->release = release;
  return made;
}

}  // namespace isthmus::inline ISTHMUS_ABI
