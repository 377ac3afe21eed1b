// moves.cpp: elements at strides or positions to dense ones and back.
#include <cstring>

#include "isthmus/host/element_sizes.h"
#include "isthmus/host/rows.h"
#include "isthmus/host/vector.h"

namespace isthmus::inline ISTHMUS_ABI::host::ISTHMUS_ISA {
namespace {

/// Every `apart`th element: a constant, so that compilers read vectors and choose from them.
template <int apart, class T>
void gather_apart(T* out, const char* from, std::int64_t n) {
  for (std::int64_t i = 0; i < n; ++i)
    std::memcpy(out + i, from + i * apart * static_cast<std::int64_t>(sizeof(T)), sizeof(T));
}

template <class T>
void gather(void* out_memory, const void* in, std::int64_t stride, std::int64_t n) {
  constexpr auto bytes = static_cast<std::int64_t>(sizeof(T));
  auto* out = static_cast<T*>(out_memory);
  const auto* from = static_cast<const char*>(in);
  switch (stride) {
    case 0: {
      T value;
      std::memcpy(&value, from, sizeof value);
      for (std::int64_t i = 0; i < n; ++i) out[i] = value;
      return;
    }
    case bytes: std::memcpy(out, from, static_cast<std::size_t>(n) * sizeof(T)); return;
    case -bytes: return gather_apart<-1>(out, from, n);
    case 2 * bytes: return gather_apart<2>(out, from, n);
    case 3 * bytes: return gather_apart<3>(out, from, n);
    case 4 * bytes: return gather_apart<4>(out, from, n);
    default:
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

template <int times, class T>
void repeat_by(T* out, const T* in, std::int64_t n) {
  for (std::int64_t i = 0; i < n; ++i)
    for (int k = 0; k < times; ++k) out[i * times + k] = in[i];
}

template <class T>
void repeat(void* out_memory, const void* in_memory, std::int64_t times, std::int64_t n) {
  auto* out = static_cast<T*>(out_memory);
  const auto* in = static_cast<const T*>(in_memory);
  switch (times) {  // with loops that compilers see through
    case 2: return repeat_by<2>(out, in, n);
    case 3: return repeat_by<3>(out, in, n);
    case 4: return repeat_by<4>(out, in, n);
    default: break;
  }
  for (std::int64_t i = 0; i < n; ++i)
    for (std::int64_t k = 0; k < times; ++k) *out++ = in[i];
}

/// Elements at any position are prefetched so many before their turn: more than the
/// processor begins by itself.
constexpr std::int64_t ahead = 32;

template <class T>
void load(void* out_memory, const void* base, const void* positions, const void*, std::int64_t n) {
  auto* out = static_cast<T*>(out_memory);
  const auto* from = static_cast<const char*>(base);
  const auto* at = static_cast<const std::int64_t*>(positions);
  const auto element = [=](std::int64_t i) {
    return from + at[i] * static_cast<std::int64_t>(sizeof(T));
  };
  const auto move = [=](std::int64_t i) { std::memcpy(out + i, element(i), sizeof(T)); };
  std::int64_t i = 0;
  for (; i < n - ahead; ++i) {
    __builtin_prefetch(element(i + ahead));
    move(i);
  }
  for (; i < n; ++i) move(i);
}

/// Few bytes, without a call: by vectors, of which the last one may overlap the one before.
template <int width>
void copy_by(char* to, const char* from, std::int64_t bytes) {
  std::int64_t at = 0;
  for (; at + width <= bytes; at += width) std::memcpy(to + at, from + at, width);
  if (at < bytes) std::memcpy(to + bytes - width, from + bytes - width, width);
}

/// Dense runs of `bytes` bytes each, `count` of them, to other dense ones. Those of several lines
/// are prefetched: the processor cannot know where the next one begins.
template <int width>
void copy_runs(char* to, const char* from, const std::int64_t* at, std::int64_t element,
               std::int64_t bytes, std::int64_t count) {
  constexpr std::int64_t runs_ahead = 8, lines = 8;
  for (std::int64_t i = 0; i < count; ++i, to += bytes) {
    if (width == vector_bytes && bytes >= 64 && i + runs_ahead < count)
      for (std::int64_t line = 0; line < lines && line * 64 < bytes; ++line)
        __builtin_prefetch(from + at[i + runs_ahead] * element + line * 64);
    copy_by<width>(to, from + at[i] * element, bytes);
  }
}

/// From so many bytes on a run is worth a call.
constexpr std::int64_t long_run = 2048;

void copy_runs(char* to, const char* from, const std::int64_t* at, std::int64_t element,
               std::int64_t bytes, std::int64_t count) {
  if (bytes >= long_run)
    for (std::int64_t i = 0; i < count; ++i, to += bytes)
      std::memcpy(to, from + at[i] * element, static_cast<std::size_t>(bytes));
  else if (bytes >= vector_bytes)
    copy_runs<vector_bytes>(to, from, at, element, bytes, count);
  else if (bytes >= 32)
    copy_runs < vector_bytes<32 ? 16 : 32>(to, from, at, element, bytes, count);
  else if (bytes >= 16)
    copy_runs<16>(to, from, at, element, bytes, count);
  else if (bytes >= 8)
    copy_runs<8>(to, from, at, element, bytes, count);
  else if (bytes >= 4)
    copy_runs<4>(to, from, at, element, bytes, count);
  else
    copy_runs<1>(to, from, at, element, bytes, count);
}

/// Calls part(position, elements) for each run or part of one.
template <class F>
void each_part(RunPositions& runs, std::int64_t end, F part) {
  std::int64_t skipped = runs.begin % runs.length;
  while (runs.n > end) {
    const std::int64_t left = runs.length - skipped, count = runs.n < left ? runs.n : left;
    part(*runs.at++ + skipped * runs.slope, count);
    runs.begin += count;
    runs.n -= count;
    skipped = 0;
  }
}

template <class T>
void load_runs(void* out_memory, const void* base, RunPositions runs) {
  constexpr auto bytes = static_cast<std::int64_t>(sizeof(T));
  auto* out = static_cast<T*>(out_memory);
  const auto* from = static_cast<const char*>(base);
  const auto part = [&](std::int64_t position, std::int64_t count) {
    gather<T>(out, from + position * bytes, runs.slope * bytes, count);
    out += count;
  };
  if (runs.slope == 1) {
    // whole runs at once, behind the rest of one
    const std::int64_t rest = (runs.length - runs.begin % runs.length) % runs.length;
    each_part(runs, runs.n > rest ? runs.n - rest : 0, part);
    const std::int64_t whole = runs.n / runs.length;
    copy_runs(reinterpret_cast<char*>(out), from, runs.at, bytes, runs.length * bytes, whole);
    out += whole * runs.length;
    runs.at += whole;
    runs.n -= whole * runs.length;
  }
  each_part(runs, 0, part);
}

template <class T>
void store_runs(void* base, const void* values, RunPositions runs) {
  constexpr auto bytes = static_cast<std::int64_t>(sizeof(T));
  auto* to = static_cast<char*>(base);
  const auto* from = static_cast<const T*>(values);
  const std::int64_t slope = runs.slope;
  each_part(runs, 0, [&](std::int64_t position, std::int64_t count) {
    if (slope == 1 && position >= 0)
      std::memcpy(to + position * bytes, from, static_cast<std::size_t>(count * bytes));
    else
      for (std::int64_t i = 0; i < count; ++i)
        if (position + i * slope >= 0)
          std::memcpy(to + (position + i * slope) * bytes, from + i, sizeof(T));
    from += count;
  });
}

template <class T>
void store(void* base, const void* positions, const void* values, const void*, std::int64_t n) {
  auto* to = static_cast<char*>(base);
  const auto* at = static_cast<const std::int64_t*>(positions);
  const auto* from = static_cast<const T*>(values);
  const auto element = [=](std::int64_t i) {
    return to + at[i] * static_cast<std::int64_t>(sizeof(T));
  };
  const auto move = [=](std::int64_t i) {
    if (at[i] >= 0) std::memcpy(element(i), from + i, sizeof(T));
  };
  std::int64_t i = 0;
  for (; i < n - ahead; ++i) {
    __builtin_prefetch(element(i + ahead), 1);
    move(i);
  }
  for (; i < n; ++i) move(i);
}

}  // namespace

void fill_moves(RowTable& table) {
  for_each_size([&]<class T>(int log2_bytes) {
    table.gathers[log2_bytes] = gather<T>;
    table.scatters[log2_bytes] = scatter<T>;
    table.repeats[log2_bytes] = repeat<T>;
    table.loads[log2_bytes] = load<T>;
    table.stores[log2_bytes] = store<T>;
    table.load_runs[log2_bytes] = load_runs<T>;
    table.store_runs[log2_bytes] = store_runs<T>;
  });
}

}  // namespace isthmus::inline ISTHMUS_ABI::host::ISTHMUS_ISA
