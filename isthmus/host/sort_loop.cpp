// sort_loop.cpp: rows of elements in order.
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include "isthmus/host/along_axes.h"
#include "isthmus/host/keys.h"
#include "isthmus/host/partition_rows.h"
#include "isthmus/host/sort_cells.h"
#include "isthmus/host/sort_keys.h"
#include "isthmus/host/sort_ordered.h"
#include "isthmus/threads/executor.h"

namespace isthmus::inline ISTHMUS_ABI::host {
namespace {

/// The type of the keys of T.
template <class T>
constexpr TypeId key_type() {
  constexpr TypeId types[] = {TypeId::uint8, TypeId::uint16, TypeId::uint32, TypeId::uint64};
  return types[std::bit_width(sizeof(T)) - 1];
}

/// All pieces, on several threads.
template <class F>
void each_piece(const AlongAxes& rows, std::int64_t row, F f) {
  const auto work = [&](std::int64_t first, std::int64_t last) {
    visit(rows, row, first, last, f);
  };
  parallel_for(rows.pieces(), grain_of(rows.pieces(), rows.cost_of_piece(2)), work);
}

/// The KeyFlags of each piece of a row.
using Marks = SmallVector<char, 64>;

/// Puts back zeros and NaNs, whose keys forget what they were, as the input has them, in its order.
template <class T>
class Forgotten {
 public:
  Forgotten(T* sorted, std::int64_t n, bool is_descending) {
    T* const end = sorted + n;
    next_nan_ = std::partition_point(sorted, end, [](T x) { return x == x; });
    next_zero_ =
        std::partition_point(sorted, next_nan_, [&](T x) { return is_descending ? x > 0 : x < 0; });
  }
  void put_back(std::int64_t count, const char* elements) {
    for (std::int64_t i = 0; i < count; ++i) {
      T x;
      std::memcpy(&x, elements + i * static_cast<std::int64_t>(sizeof(T)), sizeof x);
      if (x == 0) *next_zero_++ = x;
      if (x != x) *next_nan_++ = x;
    }
  }

 private:
  T *next_zero_, *next_nan_;
};

/// For a row in pieces.
template <class T>
void restore(const AlongAxes& rows, std::int64_t row, T* sorted, bool is_descending,
             const Marks& marks) {
  if (std::ranges::none_of(marks, [](char mark) { return mark & has_forgotten; })) return;
  Forgotten<T> forgotten(sorted, rows.length, is_descending);
  auto put_back = [&](std::int64_t, std::int64_t count, const char* elements) {
    forgotten.put_back(count, elements);
  };
  for (std::int64_t piece = 0; piece < rows.pieces(); ++piece)
    if (marks[static_cast<std::size_t>(piece)] & has_zero_or_nan)
      visit(rows, row, piece, piece + 1, put_back);
}

/// Calls f(begin, count) for runs of n places, on several threads.
template <class F>
void each_run(std::int64_t n, F f) {
  constexpr std::int64_t grain = 1 << 16;
  const auto work = [&](std::int64_t begin, std::int64_t end) { f(begin, end - begin); };
  parallel_for(n, grain, work);
}

/// The elements of a row, for sort_in_cells.
struct MarkedElements : RowElements {
  Marks& marks;
  void note(std::int64_t begin, int flags) const {
    marks[static_cast<std::size_t>(begin / piece_length)] = static_cast<char>(flags);
  }
};

/// By vectors, where the instruction set has a way: in the memory of the result alone, if that is
/// dense.
template <class T>
void sort_by_vectors(const AlongAxes& rows, std::int64_t row, bool is_descending,
                     const KeyTable& order) {
  using K = KeyOf<T>;
  constexpr auto bytes = static_cast<std::int64_t>(sizeof(K));
  // so many are worth several threads; so many one thread sorts in memory that it keeps
  constexpr std::int64_t many = 1 << 17, most = (1 << 22) / bytes;
  const std::int64_t n = rows.length;
  char* const out = rows.direct(row);
  const Bytes own = out ? Bytes(nullptr, std::free) : allocate(n * bytes);
  K* const keys = reinterpret_cast<K*>(out ? out : own.get());
  T* const elements = reinterpret_cast<T*>(keys);
  const auto finish = [&](std::int64_t begin, std::int64_t count) {
    order.from_keys(elements + begin, keys + begin, count, is_descending);
  };
  Marks marks(static_cast<std::size_t>(rows.pieces()));
  const MarkedElements input{{rows, row, n, bytes}, marks};
  if (n > (thread_count() > 1 ? many : most)) {
    sort_in_cells(input, keys, is_descending, order,
                  rows.rows.keys[static_cast<int>(key_type<T>())], finish);
  } else {
    input.visit(0, rows.pieces(), [&](std::int64_t begin, std::int64_t count, const char* some) {
      input.note(begin, order.to_keys(keys + begin, some, count, is_descending));
    });
    order.sort(keys, thread_scratch(n * bytes), n, false);
    finish(0, n);
  }
  restore(rows, row, elements, is_descending, marks);
  if (out) return;
  const Bytes stored =
      is_half(rows.program.accumulator) ? allocate(2 * n) : Bytes(nullptr, std::free);
  rows.write(row, 0, n, reinterpret_cast<const char*>(elements), stored.get());
}

/// Whether so many elements are more than there are different ones, or not much fewer.
template <class T>
constexpr bool is_counted(std::int64_t n) {
  return sizeof(T) <= 2 && n >= std::int64_t{1} << (8 * sizeof(T) - 1);
}

/// By how many there are of each key.
template <class K>
void sort_by_counts(K* keys, std::int64_t n) {
  constexpr std::int64_t block = 1 << 22;  // between which an interrupt is heard
  std::vector<std::int64_t> counts(std::size_t{std::numeric_limits<K>::max()} + 1);
  for (std::int64_t begin = 0; begin < n; begin += block) {
    const auto count = [&](std::int64_t, std::int64_t) {
      for (std::int64_t i = begin; i < std::min(n, begin + block); ++i) ++counts[keys[i]];
    };
    parallel_for(1, 1, count);
  }
  for (std::size_t key = 0; key < counts.size(); ++key)
    keys = std::fill_n(keys, counts[key], static_cast<K>(key));
}

/// Says which of `keys` and `spare` has them in order.
template <class K>
K* sort_keys(K* keys, K* spare, std::int64_t n) {
  if constexpr (sizeof(K) <= 2)
    if (is_counted<K>(n)) return sort_by_counts(keys, n), keys;
  return sort_items(keys, spare, n);
}

template <class T>
void sort_elements(const AlongAxes& rows, std::int64_t row, bool is_descending,
                   const KeyTable& order) {
  using K = KeyOf<T>;
  if constexpr (sizeof(T) >= 4)
    if (order.sort) return sort_by_vectors<T>(rows, row, is_descending, order);
  const std::int64_t n = rows.length, bytes = n * static_cast<std::int64_t>(sizeof(K));
  char* const out = rows.direct(row);
  const Bytes first = out ? Bytes(nullptr, std::free) : allocate(bytes);
  const Bytes second = allocate(bytes);
  K* keys = reinterpret_cast<K*>(out ? out : first.get());
  K* spare = reinterpret_cast<K*>(second.get());
  Marks marks(static_cast<std::size_t>(rows.pieces()));
  each_piece(rows, row, [&](std::int64_t begin, std::int64_t count, const char* elements) {
    marks[static_cast<std::size_t>(begin / piece_length)] =
        static_cast<char>(order.to_keys(keys + begin, elements, count, is_descending));
  });
  K* const sorted = sort_keys(keys, spare, n);
  T* const elements = reinterpret_cast<T*>(keys);
  each_run(n, [&](std::int64_t begin, std::int64_t count) {
    order.from_keys(elements + begin, sorted + begin, count, is_descending);
  });
  restore(rows, row, elements, is_descending, marks);
  if (!out) rows.write(row, 0, n, reinterpret_cast<const char*>(elements), second.get());
}

template <class T, class Index>
void sort_indices(const AlongAxes& rows, std::int64_t row, bool is_descending) {
  using Item = Keyed<KeyOf<T>, Index>;
  const std::int64_t n = rows.length, bytes = n * static_cast<std::int64_t>(sizeof(Item));
  char* const out = sizeof(Item) == sizeof(std::int64_t) ? rows.direct(row) : nullptr;
  const Bytes first = out ? Bytes(nullptr, std::free) : allocate(bytes);
  const Bytes second = allocate(bytes);
  Item* items = reinterpret_cast<Item*>(out ? out : first.get());
  Item* spare = reinterpret_cast<Item*>(second.get());
  each_piece(rows, row, [&](std::int64_t begin, std::int64_t count, const char* elements) {
    for (std::int64_t i = 0; i < count; ++i) {
      T x;
      std::memcpy(&x, elements + i * static_cast<std::int64_t>(sizeof(T)), sizeof x);
      items[begin + i] = {key_of(x, is_descending), static_cast<Index>(begin + i)};
    }
  });
  const Item* const sorted = sort_items(items, spare, n);
  char* const direct = rows.direct(row);
  if (direct) {  // over the items, from the first on: an item is no smaller than an index
    return each_run(n, [&](std::int64_t begin, std::int64_t count) {
      for (std::int64_t i = begin; i < begin + count; ++i) {
        const auto index = static_cast<std::int64_t>(sorted[i].index);
        std::memcpy(direct + i * 8, &index, sizeof index);
      }
    });
  }
  std::vector<std::int64_t> indices(static_cast<std::size_t>(n));
  for (std::int64_t i = 0; i < n; ++i)
    indices[static_cast<std::size_t>(i)] = static_cast<std::int64_t>(sorted[i].index);
  rows.write(row, 0, n, reinterpret_cast<const char*>(indices.data()), nullptr);
}

/// Which places of a row have to be right: all that are named, or all of them.
using WantedPlaces = SmallVector<std::int64_t, 4>;
WantedPlaces wanted_places(const Program& program, const Launch& launch) {
  WantedPlaces places;
  for (std::size_t i = 0; program.sorting.is_partial && i < launch.inputs.size(); ++i)
    if (program.map.inputs[i].kind == Input::Kind::scalar)
      places.push_back(launch.inputs[i].scalar.integer);
  return places;
}

/// Rows of so many elements take less time to sort than to select from.
std::int64_t most_to_sort(const KeyTable& order_of_keys, bool gives_indices) {
  if (!order_of_keys.sort) return 1 << 14;
  return gives_indices ? 300 : 4096;
}

/// The indices of short rows.
template <class T>
void rank_rows(const AlongAxes& rows, bool is_descending, const KeyTable& order) {
  const std::int64_t n = rows.length;
  const auto work = [&](std::int64_t first, std::int64_t last) {
    AlongAxes::Reader reader(rows);
    std::int64_t indices[KeyTable::most_ranked];
    for (std::int64_t row = first; row < last; ++row) {
      char* const out = rows.direct(row);
      order.rank(out ? static_cast<void*>(out) : indices, reader.read(row, 0).elements, n,
                 is_descending);
      if (!out) rows.write(row, 0, n, reinterpret_cast<const char*>(indices), nullptr);
    }
  };
  parallel_for(rows.count, grain_of(rows.count, (20 + n / 4) * n), work);
}

/// Rows of few elements, which lie in one piece.
template <class T>
void sort_short_rows(const AlongAxes& rows, bool is_descending, const KeyTable& order) {
  const std::int64_t n = rows.length, bytes = n * static_cast<std::int64_t>(sizeof(T));
  const auto work = [&](std::int64_t first, std::int64_t last) {
    AlongAxes::Reader reader(rows, bytes + 2 * n);
    for (std::int64_t row = first; row < last; ++row) {
      const char* const elements = reader.read(row, 0).elements;
      char* const direct = rows.direct(row);
      char* const out = direct ? direct : reader.spare();
      if (order.sort_row(out, elements, n, is_descending) & has_forgotten)
        Forgotten<T>(reinterpret_cast<T*>(out), n, is_descending).put_back(n, elements);
      if (!direct) rows.write(row, 0, n, out, out + bytes);
    }
  };
  parallel_for(rows.count, grain_of(rows.count, 20 * n), work);
}

template <class T>
void sort_rows(const AlongAxes& rows, const Sorting& sorting, const WantedPlaces& places,
               const KeyTable& order, const KeyTable& order_of_keys) {
  const bool selects = !places.empty() && places.size() <= KeyParts::most &&
                       rows.length > most_to_sort(order_of_keys, sorting.gives_indices) &&
                       (sorting.gives_indices || !is_counted<T>(rows.length));
  if (!selects && sorting.gives_indices && rows.length <= KeyTable::most_ranked)
    return rank_rows<T>(rows, sorting.is_descending, order);
  if (!selects && !sorting.gives_indices && rows.length <= order.most_in_row &&
      !is_counted<T>(rows.length))
    return sort_short_rows<T>(rows, sorting.is_descending, order);
  const auto one = [&](std::int64_t row) {
    if (!selects && rows.length > few_items) {
      const RowElements elements{rows, row, rows.length, sizeof(T)};
      if (const int orders = orders_of<T>(elements, order, sorting.is_descending))
        return put_ordered<T>(rows, row, orders, sorting.gives_indices);
    }
    if (selects)
      partition_row<T>(rows, row, sorting, places, order, order_of_keys);
    else if (!sorting.gives_indices)
      sort_elements<T>(rows, row, sorting.is_descending, order);
    else if (rows.length < std::int64_t{1} << 31)
      sort_indices<T, std::uint32_t>(rows, row, sorting.is_descending);
    else
      sort_indices<T, std::uint64_t>(rows, row, sorting.is_descending);
  };
  if (rows.count < 2 * thread_count()) {  // threads share a row
    for (std::int64_t row = 0; row < rows.count; ++row) one(row);
    return;
  }
  const auto work = [&](std::int64_t first, std::int64_t last) {
    for (std::int64_t row = first; row < last; ++row) one(row);
  };
  parallel_for(rows.count, grain_of(rows.count, 20 * rows.length), work);
}

}  // namespace

void run_sort(const RowTable& table, const Program& program, const Launch& launch) {
  for (const std::int64_t extent : launch.shape)
    if (extent == 0) return;
  const AlongAxes rows(table, program, launch, piece_length);
  const TypeId held = held_type(program.map.type_of(program.map.outputs[0]));
  const TypeId type = held == TypeId::bool_ ? TypeId::uint8 : held;
  const KeyTable& order = table.keys[static_cast<int>(type)];
  const WantedPlaces places = wanted_places(program, launch);
  const auto sort = [&]<class T>(T) {
    const KeyTable& order_of_keys = table.keys[static_cast<int>(key_type<T>())];
    sort_rows<T>(rows, program.sorting, places, order, order_of_keys);
  };
  switch (type) {
    case TypeId::uint8: return sort(std::uint8_t{});
    case TypeId::int8: return sort(std::int8_t{});
    case TypeId::int16: return sort(std::int16_t{});
    case TypeId::int32: return sort(std::int32_t{});
    case TypeId::int64: return sort(std::int64_t{});
    case TypeId::uint16: return sort(std::uint16_t{});
    case TypeId::uint32: return sort(std::uint32_t{});
    case TypeId::uint64: return sort(std::uint64_t{});
    case TypeId::float32: return sort(float{});
    case TypeId::float64: return sort(double{});
    default: fail(Errc::type, "sort: does not accept {}", DType(program.accumulator));
  }
}

}  // namespace isthmus::inline ISTHMUS_ABI::host
