// nonzero.cpp: from a mask to a list of places.
#include "isthmus/array/index/nonzero.h"

#include <cstring>

#include "isthmus/array/apply.h"
#include "isthmus/array/arrange/manipulate.h"
#include "isthmus/array/create/create.h"
#include "isthmus/array/functions.h"
#include "isthmus/array/index/positions.h"
#include "isthmus/array/index/seen.h"
#include "isthmus/array/place.h"
#include "isthmus/array/reduce/extremes.h"
#include "isthmus/array/reduce/reduced.h"
#include "isthmus/array/sort/scan.h"
#include "isthmus/runtime/observe/records.h"
#include "isthmus/runtime/submit/run_here.h"
#include "isthmus/runtime/unblocked.h"
#include "isthmus/threads/executor.h"
#include "isthmus/threads/interrupts.h"

namespace isthmus::inline ISTHMUS_ABI {

namespace {

/// Bytes that are looked at together: what is false for long is skipped.
constexpr std::int64_t stretch = 64;

bool has_true(const std::uint8_t* bytes) {
  std::uint64_t words[stretch / 8], any = 0;
  std::memcpy(words, bytes, sizeof words);
  for (const std::uint64_t word : words) any |= word;
  return any != 0;
}

/// How many of `size` bytes are true, in counts of one byte each, so that there are vectors of
/// them.
std::int64_t count_true(const std::uint8_t* bytes, std::int64_t size) {
  constexpr std::int64_t most = 255;  // that a byte counts to
  std::int64_t sum = 0, i = 0;
  while (i + stretch <= size) {
    std::uint8_t counts[stretch] = {};
    for (std::int64_t row = 0; row < most && i + stretch <= size; ++row, i += stretch)
      for (std::int64_t k = 0; k < stretch; ++k)
        counts[k] = static_cast<std::uint8_t>(counts[k] + (bytes[i + k] != 0));
    for (const std::uint8_t count : counts) sum += count;
  }
  for (; i < size; ++i) sum += bytes[i] != 0;
  return sum;
}

/// Writes the positions of what is true from `begin` to `end` to places[at] and on, none to
/// places[stop]. Gives where the next one would go.
std::int64_t list_true(std::int64_t* places, std::int64_t at, std::int64_t stop,
                       const std::uint8_t* bytes, std::int64_t begin, std::int64_t end) {
  std::int64_t i = begin;
  // as long as a place for each of them is there nobody has to look at the last one
  while (i + stretch <= end && at + stretch <= stop) {
    if (has_true(bytes + i))
      for (std::int64_t k = i; k < i + stretch; ++k) {
        places[at] = k;
        at += bytes[k] != 0;
      }
    i += stretch;
  }
  while (i < end && at < stop) {
    if (i + stretch <= end && !has_true(bytes + i)) {
      i += stretch;
      continue;
    }
    places[at] = i;
    at += bytes[i++] != 0;
  }
  return at;
}

/// On the host in two passes over the mask, which needs a byte for each element where a running
/// count needs eight: the first counts what is true in each part. Nothing if it does not reach the
/// memory.
std::optional<Array> listed(const Array& row) {
  row.eval();
  if (!row.storage()->memory()->is_host_accessible()) return std::nullopt;
  wait(row.storage());
  const std::int64_t begin = profiled_now();
  const std::int64_t size = row.size(), part = 1 << 16, parts = (size + part - 1) / part;
  const auto* bytes =
      static_cast<const std::uint8_t*>(row.storage()->memory()->host) + row.layout().offset;
  std::vector<std::int64_t> before(static_cast<std::size_t>(parts) + 1);
  const auto each_part = [&](auto f) {
    const auto work = [&](std::int64_t first, std::int64_t last) {
      for (std::int64_t k = first; k < last; ++k)
        f(static_cast<std::size_t>(k), k * part, std::min(size, (k + 1) * part));
    };
    const Unblocked unblocked(parts > 1);
    const Interruptible interruptible(true);  // what is written is new memory
    parallel_for(parts, 1, work);
  };
  each_part([&](std::size_t k, std::int64_t from, std::int64_t to) {
    before[k + 1] = count_true(bytes + from, to - from);
  });
  for (std::size_t k = 0; k < static_cast<std::size_t>(parts); ++k) before[k + 1] += before[k];
  Array found = empty({before.back()}, TypeId::int64, row.device());
  if (!found.storage()->memory()->is_host_accessible()) return std::nullopt;
  auto* const places = reinterpret_cast<std::int64_t*>(found.storage()->memory()->host);
  each_part([&](std::size_t k, std::int64_t from, std::int64_t to) {
    const std::int64_t stop = before[k + 1];
    std::int64_t at = list_true(places, before[k], stop, bytes, from, to);
    for (; at < stop; ++at) places[at] = from;  // others have written to the mask meanwhile
  });
  note_host_work("nonzero", {size}, row.device(), begin);
  return found;
}

}  // namespace

Array detail::true_positions(const Array& mask) {
  const InContextOf meanwhile(mask);
  const std::int64_t size = mask.size();
  const Array row = contiguous(reshape(mask, {size}));
  if (size == 0) return zeros({0}, TypeId::int64, mask.device());
  if (host_works_for(mask.device()))
    if (std::optional<Array> found = listed(row)) return *std::move(found);
  // half the memory, where so many can be counted
  const TypeId counted_in = size <= INT32_MAX ? TypeId::int32 : TypeId::int64;
  const Array count = cumulative_sum(row, 0, counted_in).eval();
  const Array last = seen_as(count, {Dims(), Dims(), count.layout().offset + size - 1});
  const Array found = empty({last.item<std::int64_t>()}, TypeId::int64, mask.device());
  Array at = where(row, count - 1, -1);
  detail::store("nonzero", found, std::move(at), index_along({size}, 0, mask.device()), true);
  return found;
}

static Array true_positions_of(std::string_view who, const Array& x) {
  check_has_numbers(who, x);
  return detail::true_positions(astype(x, TypeId::bool_, false));
}

static std::vector<Array> indices_of_true(std::string_view who, const Array& x) {
  check(x.ndim() > 0, Errc::value, "{}: an array without axes has no indices", who);
  const Array flat = true_positions_of(who, x);
  return detail::indices_of_axes(flat, x.shape());
}

std::vector<Array> nonzero(const Array& x) { return indices_of_true("nonzero", x); }
std::vector<Array> where(const Array& condition) { return indices_of_true("where", condition); }

std::vector<Array> Array::nonzero() const { return isthmus::nonzero(*this); }

Array argwhere(const Array& x) {
  check_has_numbers("argwhere", x);
  if (x.ndim() > 0) return stack(nonzero(x), 1);
  const bool is_true = astype(x, TypeId::bool_, false).item<bool>();
  const InContextOf meanwhile(x);
  return zeros({is_true ? 1 : 0, 0}, TypeId::int64, x.device());
}

Array flatnonzero(const Array& x) { return true_positions_of("flatnonzero", x); }

}  // namespace isthmus::inline ISTHMUS_ABI
