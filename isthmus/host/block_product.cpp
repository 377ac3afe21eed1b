// block_product.cpp: products of matrices in blocks that caches hold, on several threads.
#include "isthmus/host/block_product.h"

#include <algorithm>

#include "isthmus/host/along_axes.h"
#include "isthmus/host/host_executor.h"
#include "isthmus/threads/executor.h"

namespace isthmus::inline ISTHMUS_ABI::host {
namespace {

/// Numbers of the inner axis that are packed at a time, so that a strip of y stays in the
/// first-level cache; and rows and columns, so that what is packed takes some megabytes.
constexpr std::int64_t most_inner = 192, most_at_once = 2048;
constexpr std::int64_t most_scratch = std::int64_t{1} << 23;
/// Rows and columns that one thread takes at a time; a multiple of all tiles.
constexpr std::int64_t block_rows = 64, block_columns = 256;
/// Multiplications, and packed numbers, that are worth a thread's turn.
constexpr std::int64_t least_work = 1 << 17, least_packed = 1 << 15;

constexpr std::int64_t rounded_up(std::int64_t n, std::int64_t unit) {
  return divided_up(n, unit) * unit;
}
const char* moved(const void* start, std::int64_t elements, std::int64_t bytes) {
  return static_cast<const char*>(start) + elements * bytes;
}

/// Part of an axis.
struct Range {
  std::int64_t begin, count;
};

/// Calls f for parts of an axis of at most `most`.
template <class F>
void each_part(std::int64_t length, std::int64_t most, F f) {
  for (std::int64_t begin = 0; begin < length; begin += most)
    f(Range{begin, std::min(most, length - begin)});
}

/// Some products at once, with memory for their packed operands.
class Group {
 public:
  /// How many products fit the scratch.
  static std::int64_t fitting(const BlockTable& table, const ProductShape& shape) {
    const std::int64_t length = rounded_up(std::min(shape.rows, most_at_once), table.height) +
                                rounded_up(std::min(shape.columns, most_at_once), table.width);
    const std::int64_t bytes = length * std::min(shape.inner, most_inner) * table.bytes;
    return std::max(most_scratch / bytes, std::int64_t{1});
  }

  Group(const BlockTable& table, std::int64_t bytes, const StridedProduct& product,
        std::int64_t count)
      : table_(table),
        bytes_(bytes),
        product_(product),
        rows_(side(&ProductPlace::x, table.pack_rows, table.height, product.shape.rows,
                   product.x_row, product.x_column, count)),
        columns_(side(&ProductPlace::y, table.pack_columns, table.width, product.shape.columns,
                      product.y_column, product.y_row, count)) {}

  void run(std::span<const ProductPlace> places) const {
    const ProductShape& shape = product_.shape;
    each_part(shape.columns, most_at_once, [&](Range columns) {
      each_part(shape.inner, most_inner, [&](Range inner) {
        pack(columns_, places, columns, inner);
        each_part(shape.rows, most_at_once, [&](Range rows) {
          pack(rows_, places, rows, inner);
          multiply(places, rows, inner, columns);
        });
      });
    });
  }

 private:
  /// One of the operands, and where it is packed.
  struct Side {
    const void* ProductPlace::* start;
    decltype(BlockTable::pack_rows) pack;
    std::int64_t strip;                 ///< Places of its axis that are packed together.
    std::int64_t stride, inner_stride;  ///< Along its axis, and along the inner one.
    std::int64_t bytes;                 ///< Of one packed operand.
    Bytes packed;

    const char* at(std::int64_t product) const { return packed.get() + product * bytes; }
  };

  Side side(const void* ProductPlace::* start, decltype(BlockTable::pack_rows) pack,
            std::int64_t strip, std::int64_t length, std::int64_t stride, std::int64_t inner_stride,
            std::int64_t count) const {
    const std::int64_t bytes = rounded_up(std::min(length, most_at_once), strip) *
                               std::min(product_.shape.inner, most_inner) * table_.bytes;
    return {start, pack, strip, stride, inner_stride, bytes, allocate(count * bytes)};
  }

  /// Calls pack(product, first, count) for all strips of so many places each.
  template <class Pack>
  static void each_strip(std::size_t products, std::int64_t length, std::int64_t strip,
                         std::int64_t inner, Pack pack) {
    const std::int64_t strips = divided_up(length, strip);
    const auto work = [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t i = begin; i < end; ++i) {
        const std::int64_t first = i % strips * strip;
        pack(i / strips, first, std::min(strip, length - first));
      }
    };
    parallel_for(static_cast<std::int64_t>(products) * strips,
                 divided_up(least_packed, strip * inner), work);
  }

  void pack(const Side& side, std::span<const ProductPlace> places, Range range,
            Range inner) const {
    each_strip(places.size(), range.count, side.strip, inner.count,
               [&](std::int64_t at, std::int64_t first, std::int64_t count) {
                 const std::int64_t start =
                     (range.begin + first) * side.stride + inner.begin * side.inner_stride;
                 const void* from =
                     moved(places[static_cast<std::size_t>(at)].*side.start, start, bytes_);
                 char* to = side.packed.get() + at * side.bytes;
                 side.pack(to + first * inner.count * table_.bytes, from, count, inner.count,
                           side.stride, side.inner_stride);
               });
  }

  void multiply(std::span<const ProductPlace> places, Range rows, Range inner,
                Range columns) const {
    const std::int64_t high = divided_up(rows.count, block_rows);
    const std::int64_t wide = divided_up(columns.count, block_columns);
    const auto work = [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t i = begin; i < end; ++i) {
        const std::int64_t at = i / (high * wide);
        const std::int64_t row = i / wide % high * block_rows, column = i % wide * block_columns;
        const std::int64_t start =
            (rows.begin + row) * product_.shape.columns + columns.begin + column;
        PackedProduct part;
        part.rows = rows_.at(at) + row * inner.count * table_.bytes;
        part.columns = columns_.at(at) + column * inner.count * table_.bytes;
        part.row_count = std::min(block_rows, rows.count - row);
        part.column_count = std::min(block_columns, columns.count - column);
        part.inner = inner.count;
        part.out = static_cast<char*>(places[static_cast<std::size_t>(at)].out) + start * bytes_;
        part.out_step = product_.shape.columns;
        part.is_new = inner.begin == 0;
        table_.multiply(part);
      }
    };
    const std::int64_t size =
        std::min(block_rows, rows.count) * std::min(block_columns, columns.count) * inner.count;
    parallel_for(static_cast<std::int64_t>(places.size()) * high * wide,
                 divided_up(least_work, size), work);
  }

  const BlockTable& table_;
  const std::int64_t bytes_;  ///< Of an element.
  const StridedProduct& product_;
  const Side rows_, columns_;
};

}  // namespace

void run_products(const ProductTable& products, TypeId type, const StridedProduct& product,
                  std::span<const ProductPlace> places) {
  const auto index = static_cast<std::size_t>(type);
  const bool is_narrow = product.shape.columns <= products.narrow[index].width;
  const BlockTable& table = is_narrow ? products.narrow[index] : products.wide[index];
  const std::int64_t most = Group::fitting(table, product.shape);
  const auto count = static_cast<std::int64_t>(places.size());
  const Group group(table, info(type).bits / 8, product, std::min(most, count));
  each_part(count, most, [&](Range part) {
    group.run(
        places.subspan(static_cast<std::size_t>(part.begin), static_cast<std::size_t>(part.count)));
  });
}

}  // namespace isthmus::inline ISTHMUS_ABI::host
