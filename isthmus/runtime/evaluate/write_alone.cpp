// write_alone.cpp: the short way for one small write that the host does.
#include <cstring>
#include <mutex>

#include "isthmus/hazards/hazards.h"
#include "isthmus/runtime/evaluate/alone.h"
#include "isthmus/runtime/evaluate/failure.h"
#include "isthmus/runtime/evaluate/small_kernels.h"
#include "isthmus/runtime/observe/counting.h"

namespace isthmus::inline ISTHMUS_ABI {

namespace {

/// What is done while the lock is held, so that nobody else touches the memory: elements times
/// operations, and bytes that are copied.
constexpr std::int64_t most_work = 4096;
constexpr std::int64_t most_bytes = 32768;

/// What is written to.
struct Written {
  BackendMemory& memory;
  const Layout& layout;
  std::int64_t bytes;  ///< Of an element.

  char* first() const { return static_cast<char*>(memory.host) + layout.offset * bytes; }
};

/// Calls f(address, step) with the first of each row along the last axis, and the bytes between its
/// elements.
template <class F>
void each_row(char* at, const Layout& layout, std::int64_t bytes, const F& f, int axis = 0) {
  if (layout.ndim() == 0) return f(at, bytes);
  const auto k = static_cast<std::size_t>(axis);
  const std::int64_t step = layout.strides[k] * bytes;
  if (axis + 1 == layout.ndim()) return f(at, step);
  for (std::int64_t i = 0; i < layout.shape[k]; ++i)
    each_row(at + i * step, layout, bytes, f, axis + 1);
}

template <std::size_t bytes>
void copy_each(char* to, std::int64_t to_step, const char* from, std::int64_t from_step,
               std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i)
    std::memmove(to + i * to_step, from + i * from_step, bytes);
}

void copy_row(std::int64_t bytes, char* to, std::int64_t to_step, const char* from,
              std::int64_t from_step, std::int64_t count) {
  switch (bytes) {
    case 1: return copy_each<1>(to, to_step, from, from_step, count);
    case 2: return copy_each<2>(to, to_step, from, from_step, count);
    case 4: return copy_each<4>(to, to_step, from, from_step, count);
    case 8: return copy_each<8>(to, to_step, from, from_step, count);
    default: return copy_each<16>(to, to_step, from, from_step, count);
  }
}

std::int64_t row_length(const Layout& layout) {
  return layout.ndim() ? layout.shape[layout.shape.size() - 1] : 1;
}

/// One number to each element.
void put_number(const Written& target, const void* number) {
  each_row(target.first(), target.layout, target.bytes, [&](char* row, std::int64_t step) {
    copy_row(target.bytes, row, step, static_cast<const char*>(number), 0,
             row_length(target.layout));
  });
}

/// Elements that are there, which may be those of the target; false if they are too many.
bool copy(const Written& target, const Operand& value) {
  const Layout& seen = value.seen();
  const std::int64_t count = target.layout.count(), bytes = target.bytes;
  const auto* const from = static_cast<const char*>(address_of(value));
  if (count == 1) return std::memmove(target.first(), from, static_cast<std::size_t>(bytes)), true;
  if (seen.shape != target.layout.shape) return false;
  if (count * bytes <= most_bytes && is_row_major(seen) && is_row_major(target.layout)) {
    std::memmove(target.first(), from, static_cast<std::size_t>(count * bytes));
    return true;
  }
  if (count > few_elements) return false;
  alignas(16) char between[few_elements * 16];
  const std::int64_t length = row_length(seen);
  char* next = between;
  each_row(const_cast<char*>(from), seen, bytes, [&](const char* row, std::int64_t step) {
    copy_row(bytes, next, bytes, row, step, length);
    next += length * bytes;
  });
  const char* made = between;
  each_row(target.first(), target.layout, bytes, [&](char* row, std::int64_t step) {
    copy_row(bytes, row, step, made, bytes, length);
    made += length * bytes;
  });
  return true;
}

/// Whether a row reads what is written, but for each element at its own place.
bool reads_beside(const Node& node, const Written& target) {
  const Extent out = extent_of(target.layout);
  const auto begin = static_cast<const char*>(target.memory.host) + out.begin * target.bytes;
  const auto end = static_cast<const char*>(target.memory.host) + out.end * target.bytes;
  for (int i = 0; i < node.operand_count; ++i) {
    const Operand& operand = node.operands[i];
    if (operand.kind != Operand::Kind::storage || !operand.storage->is_ready()) continue;
    const Layout& seen = operand.seen();
    const Extent in = extent_of(seen);
    const std::int64_t bytes = operand.storage->dtype.bytes();
    const auto* const host = static_cast<const char*>(operand.storage->memory()->host);
    if (host + in.begin * bytes >= end || host + in.end * bytes <= begin) continue;
    const bool is_same = !std::holds_alternative<work::Read>(node.work) && bytes == target.bytes &&
                         seen.shape == target.layout.shape &&
                         seen.strides == target.layout.strides &&
                         address_of(operand) == target.first();
    if (!is_same) return true;
  }
  return false;
}

/// Finds what a pending value is calculated of, if it can be calculated into the target.
bool find_kernel(const Written& target, const Operand& value, Kernels& kernels) {
  const Storage& result = *value.storage;
  const bool is_pending = result.state() == Storage::State::pending;
  // what others have must come to memory of its own
  if (!is_pending || result.references() > 1 || result.layout.shape != target.layout.shape)
    return false;
  if (value.layout && *value.layout != result.layout) return false;
  Node& node = *result.node();
  if (node.is_concat() || target.layout.count() * node.weight > most_work) return false;
  find_kernels(node, kernels);
  if (kernels.size() != 1 || target.layout.count() * steps_of(kernels[0]) > most_work) return false;
  for (const Reader* reader = target.memory.activity().readers; reader; reader = reader->next)
    if (!kernels.holds(reader->node)) return false;
  return std::ranges::none_of(kernels[0],
                              [&](const Node* one) { return reads_beside(*one, target); });
}

/// Returns the steps it took.
std::int64_t calculate(const Written& target, Rows kernel) {
  const Node& last = *kernel.back();
  const work::Map* const map = kernel.size() == 1 ? map_of(last) : nullptr;
  const bool lies_alike = target.layout.strides == last.storage->layout.strides;
  if (map && lies_alike && run_row(last, *map, target.first(), target.layout.count())) return 1;
  std::int64_t steps = 0;
  Failure failure;
  try {
    steps = run_program(kernel, target.first(), target.layout.strides);
  } catch (const std::exception&) {
    const Dims& shape = target.layout.shape;
    failure = current_failure(
        [&] { return detail::format("{} of shape {}", list_of(names_of(kernel)), shape); });
  }
  if (failure) failure->raise();
  return steps;
}

}  // namespace

bool write_alone(const Storage& storage, const Layout& target, const Operand& value) {
  const std::int64_t count = target.count();
  const bool is_number = value.kind == Operand::Kind::scalar;
  if (!storage.dtype.is_builtin() || !is_done_here(storage.device, count) ||
      count > (is_number ? few_elements : most_bytes))
    return false;
  if (!is_number && (value.kind != Operand::Kind::storage || value.storage->dtype != storage.dtype))
    return false;
  const std::int64_t begin = profiled_now();
  alignas(16) char number[16];
  if (is_number) store(value.scalar, storage.dtype, number);
  const std::lock_guard lock(graph_lock());
  if (!storage.is_ready()) return false;
  BackendMemory& memory = *storage.memory();
  if (!memory.host || !is_free(memory) || memory.is_read_only) return false;
  const Written to{memory, target, storage.dtype.bytes()};
  Kernels kernels(memory.context);
  const bool is_there = !is_number && value.storage->is_ready();
  if (is_number || is_there) {
    if (memory.activity().readers || (is_there && !has_value(value, memory.context))) return false;
  } else if (!find_kernel(to, value, kernels)) {
    return false;
  }
  std::int64_t steps = is_number ? 1 : 0;
  if (!count) return true;
  if (is_number)
    put_number(to, number);
  else if (!is_there)
    steps = calculate(to, kernels[0]);
  else if (!copy(to, value))
    return false;
  if (begin) {
    Names names;  // none: a copy, as profiles have it
    if (is_number) names.push_back("fill");
    if (kernels.size()) names = names_of(kernels[0]);
    note_alone({0,
                std::move(names),
                target.shape,
                storage.device,
                place_of(storage.device),
                {begin, now_in_nanoseconds()},
                nullptr});
  }
  count_kernel(steps, !storage.device.is_host());
  return true;
}

}  // namespace isthmus::inline ISTHMUS_ABI
