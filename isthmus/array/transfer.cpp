// transfer.cpp: arrays between devices, and elements to the host.
#include "isthmus/array/transfer.h"

#include <cstring>
#include <mutex>
#include <vector>

#include "isthmus/array/apply.h"
#include "isthmus/array/array.h"
#include "isthmus/array/infer/literal.h"
#include "isthmus/base/log.h"
#include "isthmus/hazards/hazards.h"
#include "isthmus/runtime/devices/registry.h"
#include "isthmus/runtime/memory/memory_pool.h"
#include "isthmus/runtime/observe/counting.h"
#include "isthmus/runtime/submit/foreign_work.h"
#include "isthmus/runtime/submit/launch.h"
#include "isthmus/runtime/submit/queues.h"
#include "isthmus/runtime/submit/submission.h"
#include "isthmus/runtime/submit/waiting.h"
#include "isthmus/runtime/unblocked.h"

namespace isthmus::inline ISTHMUS_ABI {

using detail::format;

namespace {

std::size_t bytes_of(const Array& x) {
  return static_cast<std::size_t>(x.size() * x.dtype().bytes());
}

std::size_t first_byte_of(const Array& x) {
  return static_cast<std::size_t>(x.layout().offset * x.dtype().bytes());
}

/// Copies all bytes of a row-major array to memory on `device`; `driver` knows both sides.
void copy_bytes(const Array& x, const Ref<BackendMemory>& to, std::size_t to_byte,
                const Device& device, const Device& driver) {
  const Ref<BackendMemory>& from = x.storage()->memory();
  const std::size_t bytes = bytes_of(x);
  if (!bytes) return;
  const Unblocked unblocked;
  BackendMemory *const read = from.get(), *const written = to.get();
  const Ref<BackendQueue> queue = queue_reaching(current_backend_queue(driver), {&read, 1});
  bool is_exposed = false;
  const Ref<Event> event =
      Submission(queue, {&read, 1}, {&written, 1})
          .run(
              [&](const Events& waits) {
                return backend(driver).copy(*queue, *from, first_byte_of(x), *to, to_byte, bytes,
                                            waits);
              },
              [bytes, from = x.device(), to = device] {
                return format("copy of {} bytes from {} to {}", bytes, from, to);
              },
              static_cast<std::int64_t>(bytes), [&] { is_exposed = is_open(*from); });
  count_copy();
  detail::log(Channel::exchange, Level::info, "copy of {} bytes from {} to {}", bytes, x.device(),
              device);
  if (is_exposed) wait_for(event);  // who may write what it reads may do so when this returns
}

/// The same to new memory.
Array copy_bytes(const Array& x, const Device& device, const Device& driver) {
  Ref<BackendMemory> to = allocate(device, bytes_of(x));
  to->has_any_bytes = x.storage()->memory()->has_any_bytes.load();
  copy_bytes(x, to, 0, device, driver);
  return Array(
      make_ref<Storage>(x.dtype(), row_major({x.shape().begin(), x.shape().end()}), std::move(to)));
}

}  // namespace

Array to_device(const Array& x, const Device& device) {
  if (x.device() == device) return x;
  check(has_dtype(device, x.dtype()), Errc::type, "to_device: {} has no {}; use float32", device,
        x.dtype());
  const Array whole = contiguous(x);
  whole.eval();
  const Device host;
  if (whole.device().is_host()) return copy_bytes(whole, device, device);
  const Array here = copy_bytes(whole, host, whole.device());
  if (device.is_host()) return here;
  return copy_bytes(here, device, device);
}

void begin_copy(const Array& from, const Array& to) {
  from.eval();
  to.eval();
  check(!from.device().is_host() && to.device().is_host() && bytes_of(from) == bytes_of(to) &&
            is_row_major(from.layout()) && is_row_major(to.layout()),
        Errc::value, "begin_copy: from {} to {}, {} to {} bytes", from.device(), to.device(),
        bytes_of(from), bytes_of(to));
  check(!to.is_read_only(), Errc::value, "begin_copy: the target is read-only");
  copy_bytes(from, to.storage()->memory(), first_byte_of(to), to.device(), from.device());
}

std::optional<std::vector<std::byte>> bytes_at_rest(const Array& x) {
  constexpr std::size_t most = 131072;  // others wait for the lock meanwhile
  if (bytes_of(x) > most || !is_row_major(x.layout())) return {};
  if (!x.storage()->is_ready() && !run_alone(*x.storage())) return {};
  x.eval();  // its error, if it was calculated in vain
  BackendMemory& memory = *x.storage()->memory();
  if (!memory.host) return {};
  std::vector<std::byte> bytes(bytes_of(x));
  const std::lock_guard lock(graph_lock());
  if (!is_free(memory)) return {};
  if (!bytes.empty())
    std::memcpy(bytes.data(), static_cast<const char*>(memory.host) + first_byte_of(x),
                bytes.size());
  return bytes;
}

[[gnu::hot]] Array to_host(const Array& x) {
  x.eval();
  const Array here = x.storage()->memory()->is_host_accessible() ? x : to_device(x, Device());
  wait(here.storage());
  return here;
}

void detail::copy_elements(const Array& x, DType as, void* to) {
  const DType from = x.dtype();
  const bool is_whole = from.family == Family::boolean || from.family == Family::integer ||
                        from.family == Family::natural;
  check(detail::holds(as.family, from.family), Errc::type,
        "to_vector: asked for {}, which does not hold a {}; use astype", as, from);
  const bool is_narrowed = as != from && is_whole && as.family != Family::real &&
                           as.family != Family::complex && from.family != Family::boolean;
  Array here = as == from ? contiguous(x) : contiguous(isthmus::to_device(x, Device()));
  if (as != from && !is_narrowed) here = contiguous(isthmus::astype(here, as));
  here = to_host(here);
  const auto count = static_cast<std::size_t>(here.size());
  if (count == 0) return;
  const auto item = static_cast<std::size_t>(here.dtype().bytes());
  const auto* start = static_cast<const char*>(here.storage()->memory()->host) +
                      static_cast<std::size_t>(here.layout().offset) * item;
  if (!is_narrowed) {
    std::memcpy(to, start, count * item);
    return;
  }
  for (std::size_t i = 0; i < count; ++i) {
    const Scalar number = load(from, start + i * item);
    check_fits("to_vector", Value(number, true), as);
    store(number, as, static_cast<char*>(to) + i * static_cast<std::size_t>(as.bytes()));
  }
}

[[gnu::hot]] Scalar item(const Array& x) {
  check(x.size() == 1, Errc::value, "item: the array has {} elements; only one can be a number",
        x.size());
  check(x.dtype().is_builtin(), Errc::type, "item: a {} is not a number; its fields are",
        x.dtype());
  const Array here = to_host(x);
  // an index of zeros, whatever the strides
  const auto* start = static_cast<const char*>(here.storage()->memory()->host);
  return load(here.dtype(), start + here.layout().offset * here.dtype().bytes());
}

}  // namespace isthmus::inline ISTHMUS_ABI
