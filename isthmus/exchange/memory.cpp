// memory.cpp: memory objects, allocated, seen otherwise and copied.
#include "isthmus/exchange/memory.h"

#include <cstring>
#include <utility>

#include "isthmus/array/index/seen.h"
#include "isthmus/array/place.h"
#include "isthmus/exchange/memory_bytes.h"
#include "isthmus/runtime/devices/registry.h"
#include "isthmus/runtime/memory/memory_pool.h"
#include "isthmus/runtime/submit/queues.h"
#include "isthmus/runtime/unblocked.h"

namespace isthmus::inline ISTHMUS_ABI {

static BackendMemory& memory_below(const Array& array) { return *array.eval().storage()->memory(); }

static Layout row_of(std::int64_t count, std::int64_t offset) {
  Layout layout = row_major(Dims{count});
  layout.offset = offset;
  return layout;
}

Array allocate_bytes(std::int64_t bytes, std::int64_t alignment, const Ref<BackendQueue>& queue,
                     std::optional<MemoryKind> kind) {
  check(bytes > 0, Errc::value, "memory: {} bytes; at least 1 is needed", bytes);
  const bool is_power = alignment >= 0 && (alignment & (alignment - 1)) == 0;
  check(is_power && alignment <= std::int64_t{1} << 40, Errc::value,
        "memory: alignment {}; a power of two up to 2^40, or 0 for 64", alignment);
  const Device& device = queue->context->device;
  const std::int64_t surplus = alignment > 64 ? alignment : 0;  // blocks are 64-byte aligned
  check(bytes <= PTRDIFF_MAX / 2, Errc::out_of_memory, "memory: {} bytes on {}", bytes, device);
  Ref<BackendMemory> memory = [&] {
    const Unblocked unblocked;
    const OnQueue meanwhile(queue);
    const auto size = static_cast<std::size_t>(bytes + surplus);
    return kind ? allocate(device, size, *kind) : allocate(device, size);
  }();
  const auto mask = static_cast<std::uintptr_t>(surplus ? surplus - 1 : 0);
  const auto past = static_cast<std::int64_t>(memory->handle & mask);
  Layout layout = row_of(bytes, past ? surplus - past : 0);
  const Array made = from_view({std::move(memory), TypeId::uint8, std::move(layout)});
  const bool is_ours = queue == backend(device).default_queue(device.index());
  return is_ours ? made : owned_through(made, queue);
}

Array bytes_of(const Array& array, bool is_whole) {
  const BackendMemory& memory = memory_below(array);
  const Extent extent = array.size() ? extent_of(array.layout()) : Extent{0, 0};
  const std::int64_t item = array.dtype().bytes();
  Layout layout = is_whole ? row_of(static_cast<std::int64_t>(memory.bytes), 0)
                           : row_of((extent.end - extent.begin) * item, extent.begin * item);
  return from_view(
      {array.storage()->memory(), TypeId::uint8, std::move(layout), array.is_read_only()});
}

Array over_bytes(const Array& bytes, const Dims& shape, DType dtype,
                 const std::optional<Dims>& strides, std::int64_t offset) {
  constexpr std::string_view who = "from_memory";
  const std::int64_t item = dtype.bytes(), start = bytes.layout().offset;
  const BackendMemory& memory = memory_below(bytes);
  Layout layout;
  layout.shape = shape;
  layout.strides = Dims(layout.shape.size(), 0);
  check_extents(who, dtype, layout);  // before they multiply
  if (!strides) {
    layout = row_major({layout.shape.begin(), layout.shape.end()});
  } else {
    layout.strides = *strides;
    check(layout.strides.size() == layout.shape.size(), Errc::value, "{}: strides: {} for {} axes",
          who, layout.strides.size(), layout.shape.size());
  }
  layout.offset = offset;
  if (memory.kind != MemoryKind::buffer)
    check_foreign(who,
                  reinterpret_cast<const void*>(memory.handle + static_cast<std::uintptr_t>(start)),
                  dtype, layout);
  if (layout.count()) {
    const Extent extent = extent_of(layout);
    check(extent.begin >= 0 && extent.end <= bytes.size() / item, Errc::exchange,
          "{}: elements {} to {} of {} are outside of {} bytes", who, extent.begin, extent.end,
          dtype, bytes.size());
  }
  layout.offset += elements_in(who, "the first byte's place in its allocation", start, dtype);
  return from_view({bytes.storage()->memory(), dtype, std::move(layout), bytes.is_read_only()});
}

std::uintptr_t address_of(const Array& array) {
  const BackendMemory& memory = memory_below(array);
  const auto start = static_cast<std::uintptr_t>(array.layout().offset * array.dtype().bytes());
  return memory.kind == MemoryKind::buffer ? memory.handle : memory.handle + start;
}

Ref<BackendContext> memory_context(const Array& array) {
  const BackendMemory& memory = memory_below(array);
  if (memory.context) return memory.context;
  return backend(memory.device).default_context(memory.device.index());
}

Ref<BackendQueue> memory_queue(const Array& array) {
  if (array.is_pending()) return queue_in(context_of(array), array.device());
  const BackendMemory& memory = memory_below(array);
  return memory.foreign_queue ? memory.foreign_queue : current_backend_queue(memory.device);
}

static Array new_bytes(std::size_t nbytes, const Device& device, const MemoryWanted& wanted) {
  check(std::in_range<std::int64_t>(nbytes), Errc::out_of_memory,
        "memory: {} bytes, or {}; 1 to 2^63-1 are possible", nbytes,
        static_cast<std::int64_t>(nbytes));
  check(std::in_range<std::int64_t>(wanted.alignment), Errc::out_of_memory,
        "memory: alignment {}, or {}; a power of two up to 2^40, or 0 for 64", wanted.alignment,
        static_cast<std::int64_t>(wanted.alignment));
  const Ref<BackendQueue> queue =
      wanted.queue ? wanted.queue->backend_queue() : current_backend_queue(device);
  check(queue->context->device == device, Errc::device_mismatch,
        "memory: a queue of {} for memory of {}", queue->context->device, device);
  return allocate_bytes(static_cast<std::int64_t>(nbytes),
                        static_cast<std::int64_t>(wanted.alignment), queue, wanted.kind);
}

Memory::Memory(std::size_t nbytes, const Device& device, const MemoryWanted& wanted)
    : bytes_(new_bytes(nbytes, device, wanted)) {}
Memory::Memory(const Array& array) : bytes_(bytes_of(array, true)) {}

MemoryKind Memory::kind() const { return memory_below(bytes_).kind; }
Context Memory::context() const { return Context(memory_context(bytes_)); }
Queue Memory::queue() const { return Queue(memory_queue(bytes_)); }
void* Memory::handle() const& { return reinterpret_cast<void*>(address_of(bytes_)); }

Memory Memory::operator()(std::size_t begin, std::size_t end) const {
  check(begin <= end && end <= nbytes(), Errc::index, "memory: bytes {} to {} of {}",
        static_cast<std::int64_t>(begin), static_cast<std::int64_t>(end), nbytes());
  Layout layout = bytes_.layout();
  layout.offset += static_cast<std::int64_t>(begin);
  layout.shape[0] = static_cast<std::int64_t>(end - begin);
  return {FromBytes(), seen_as(bytes_, std::move(layout))};
}

/// `source`, bytes too, into the first bytes of `target`.
static void write_bytes(std::string_view who, const Array& target, const Array& source) {
  check(source.size() <= target.size(), Errc::value, "{}: {} bytes into {}", who, source.size(),
        target.size());
  Array near = source;
  if (memory_context(source) != memory_context(target)) near = copy(to_host(source));
  Layout layout = target.layout();
  layout.shape[0] = source.size();
  assign(seen_as(target, std::move(layout)), to_device(near, target.device()));
  synchronize(target.device());
}

void Memory::copy_to_host(std::span<std::byte> target) const {
  check(target.size() >= nbytes(), Errc::value, "copy_to_host: {} bytes into {}", nbytes(),
        target.size());
  detail::copy_elements(bytes_, TypeId::uint8, target.data());
}

void Memory::copy_from_host(std::span<const std::byte> source) const {
  const Array bytes = detail::shared_elements(nullptr, source.data(), source.size(),
                                              Shape(source.size()), TypeId::uint8, true);
  write_bytes("copy_from_host", bytes_, bytes);
}

void Memory::copy_from_device(const Memory& source) const {
  write_bytes("copy_from_device", bytes_, source.bytes_);
}

void Memory::memset(std::uint8_t value) const {
  assign(bytes_, Value(std::int64_t{value}));
  synchronize(bytes_.device());
}

Memory as_memory(const Array& array) { return {Memory::FromBytes(), bytes_of(array, false)}; }

Array from_memory(const Memory& memory, const Shape& shape, DType dtype,
                  const std::optional<Dims>& strides, std::int64_t offset) {
  return over_bytes(memory.bytes(), shape, dtype, strides, offset);
}

}  // namespace isthmus::inline ISTHMUS_ABI
