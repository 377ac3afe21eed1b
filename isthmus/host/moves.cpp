// moves.cpp: elements at strides or positions to dense ones and back.
#include <cstring>

#include "isthmus/host/rows.h"

namespace isthmus::inline ISTHMUS_ABI::host::ISTHMUS_ISA {
namespace {

struct Sixteen {
  std::uint64_t low, high;
};

template <class T>
void gather(void* out_memory, const void* in, std::int64_t stride, std::int64_t n) {
  auto* out = static_cast<T*>(out_memory);
  const auto* from = static_cast<const char*>(in);
  if (stride == static_cast<std::int64_t>(sizeof(T))) {
    std::memcpy(out, from, static_cast<std::size_t>(n) * sizeof(T));
  } else if (stride == 0) {
    T value;
    std::memcpy(&value, from, sizeof value);
    for (std::int64_t i = 0; i < n; ++i) out[i] = value;
  } else {
    for (std::int64_t i = 0; i < n; ++i) std::memcpy(out + i, from + i * stride, sizeof(T));
  }
}

template <class T>
void scatter(void* out, const void* in_memory, std::int64_t stride, std::int64_t n) {
  const auto* in = static_cast<const T*>(in_memory);
  auto* to = static_cast<char*>(out);
  if (stride == static_cast<std::int64_t>(sizeof(T)))
    std::memcpy(to, in, static_cast<std::size_t>(n) * sizeof(T));
  else
    for (std::int64_t i = 0; i < n; ++i) std::memcpy(to + i * stride, in + i, sizeof(T));
}

template <class T>
void load(void* out_memory, const void* base, const void* positions, const void*, std::int64_t n) {
  auto* out = static_cast<T*>(out_memory);
  const auto* from = static_cast<const char*>(base);
  const auto* at = static_cast<const std::int64_t*>(positions);
  for (std::int64_t i = 0; i < n; ++i)
    std::memcpy(out + i, from + at[i] * static_cast<std::int64_t>(sizeof(T)), sizeof(T));
}

template <class T>
void store(void* base, const void* positions, const void* values, const void*, std::int64_t n) {
  auto* to = static_cast<char*>(base);
  const auto* at = static_cast<const std::int64_t*>(positions);
  const auto* from = static_cast<const T*>(values);
  for (std::int64_t i = 0; i < n; ++i)
    if (at[i] >= 0)
      std::memcpy(to + at[i] * static_cast<std::int64_t>(sizeof(T)), from + i, sizeof(T));
}

template <class T>
void fill(RowTable& table, int log2_bytes) {
  table.gathers[log2_bytes] = gather<T>;
  table.scatters[log2_bytes] = scatter<T>;
  table.loads[log2_bytes] = load<T>;
  table.stores[log2_bytes] = store<T>;
}

}  // namespace

void fill_moves(RowTable& table) {
  fill<std::uint8_t>(table, 0);
  fill<std::uint16_t>(table, 1);
  fill<std::uint32_t>(table, 2);
  fill<std::uint64_t>(table, 3);
  fill<Sixteen>(table, 4);
}

}  // namespace isthmus::inline ISTHMUS_ABI::host::ISTHMUS_ISA
