// write_alone.cpp: the short way for one small write that the host does.
#include <cstring>
#include <mutex>

#include "isthmus/hazards/hazards.h"
#include "isthmus/runtime/evaluate/alone.h"
#include "isthmus/runtime/observe/counting.h"
#include "isthmus/runtime/submit/launch.h"

namespace isthmus::inline ISTHMUS_ABI {

/// The one element of an operand, as it lies in memory; null if it is not there. Needs graph_lock.
static const void* only_element(const Operand& operand, DType dtype) {
  const bool is_there = operand.kind == Operand::Kind::storage && operand.storage->is_ready() &&
                        operand.storage->dtype == dtype && !has_foreign_bools(*operand.storage) &&
                        operand.storage->memory()->host && is_free(*operand.storage->memory());
  return is_there ? address_of(operand) : nullptr;
}

/// Writes `bytes` from `from` to each element of a layout from an axis on.
static void put_to_each(char* at, const Layout& target, int axis, const void* from,
                        std::size_t bytes) {
  if (axis == target.ndim()) {
    std::memmove(at, from, bytes);
    return;
  }
  const auto k = static_cast<std::size_t>(axis);
  for (std::int64_t i = 0; i < target.shape[k]; ++i)
    put_to_each(at + i * target.strides[k] * static_cast<std::int64_t>(bytes), target, axis + 1,
                from, bytes);
}

bool write_alone(const Storage& storage, const Layout& target, const Operand& value) {
  const std::int64_t count = target.count();
  if (!storage.dtype.is_builtin() || count > few_elements || !is_done_here(storage.device, count))
    return false;
  if (value.kind != Operand::Kind::scalar && count != 1) return false;
  const std::int64_t begin = profiled_now();
  const auto bytes = static_cast<std::size_t>(storage.dtype.bytes());
  alignas(16) char number[16];
  if (value.kind == Operand::Kind::scalar) store(value.scalar, storage.dtype, number);
  const std::lock_guard lock(graph_lock());
  if (!storage.is_ready()) return false;
  BackendMemory& memory = *storage.memory();
  if (!memory.host || !is_free(memory) || memory.is_read_only || memory.activity().readers)
    return false;
  const bool is_number = value.kind == Operand::Kind::scalar;
  const void* const from = is_number ? number : only_element(value, storage.dtype);
  if (!from) return false;
  if (!count) return true;
  char* const start = static_cast<char*>(memory.host) + target.offset * storage.dtype.bytes();
  put_to_each(start, target, 0, from, bytes);
  if (begin) {
    Names names;  // none: a copy, as profiles have it
    if (is_number) names.push_back("fill");
    note_alone({0,
                std::move(names),
                target.shape,
                storage.device,
                place_of(storage.device),
                {begin, now_in_nanoseconds()},
                nullptr});
  }
  count_kernel(1, !storage.device.is_host());
  return true;
}

}  // namespace isthmus::inline ISTHMUS_ABI
