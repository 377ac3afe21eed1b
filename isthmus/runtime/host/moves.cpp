// moves.cpp: strided elements to dense ones and back.
#include <cstring>

#include "isthmus/runtime/host/rows.h"

namespace isthmus::host::ISTHMUS_ISA {
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

}  // namespace

void fill_moves(RowTable& table) {
  table.gathers[0] = gather<std::uint8_t>;
  table.gathers[1] = gather<std::uint16_t>;
  table.gathers[2] = gather<std::uint32_t>;
  table.gathers[3] = gather<std::uint64_t>;
  table.gathers[4] = gather<Sixteen>;
  table.scatters[0] = scatter<std::uint8_t>;
  table.scatters[1] = scatter<std::uint16_t>;
  table.scatters[2] = scatter<std::uint32_t>;
  table.scatters[3] = scatter<std::uint64_t>;
  table.scatters[4] = scatter<Sixteen>;
}

}  // namespace isthmus::host::ISTHMUS_ISA
