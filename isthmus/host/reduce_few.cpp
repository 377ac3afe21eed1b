// reduce_few.cpp: reductions that keep a few elements side by side, as sums of a table's columns.
#include <algorithm>
#include <cstring>

#include "isthmus/host/fold.h"
#include "isthmus/host/reduce.h"
#include "isthmus/host/reduce_counter.h"
#include "isthmus/threads/executor.h"

namespace isthmus::inline ISTHMUS_ABI::host {
namespace {

/// Tables of `few` columns, whose rows follow each other: one call calculates many of them. A unit
/// is one group of the chunks of one table.
class Tables {
 public:
  Tables(const Job& job_, std::int64_t few_, const Walk& walk_, std::span<const Operand> operands_)
      : job(job_),
        few(few_),
        walk(walk_),
        operands(operands_),
        plan(make_plan(job_.rows, job_.tape, walk_, operands_)) {}

  std::int64_t block() const { return (block_rows() * few + 127) / 128 * 128; }
  std::int64_t frame_bytes() const { return to_lines(Frame::bytes(plan, block())); }

  /// Calls work(first, last) for ranges of units, with `cost` simple operations on each element.
  template <class Work>
  void run(std::int64_t cost, Work work) const {
    const std::int64_t units = job.kept / few * job.groups();
    const std::int64_t elements = few * std::min(job.reduced, job.group * chunk_length);
    parallel_for(units, grain_of(units, (plan.cost + cost) * elements / 4 + 64), work);
  }

  /// Where a value of a unit's first column goes.
  char* partial(const Combination& value, std::int64_t unit) const {
    const std::int64_t table = unit / job.groups(), group = unit % job.groups();
    return value.partial + (group * job.kept + table * few) * value.bytes;
  }

  /// Calculates elements, on one thread.
  class Reader {
   public:
    Reader(const Tables& tables, char* scratch)
        : tables_(tables),
          frame_(tables.job.rows, tables.plan, tables.job.tape, tables.job.arguments,
                 tables.block(), scratch),
          offsets_(tables.operands.size()) {}

    /// For each chunk of a unit, which is `count` rows from `begin` on: take(row, rows) for each
    /// block of its rows, counted from `begin`, then close(begin, count).
    template <class Take, class Close>
    void read(std::int64_t unit, Take take, Close close) {
      const Job& job = tables_.job;
      const Walk& walk = tables_.walk;
      const std::int64_t few = tables_.few;
      const std::span<const Operand> operands = tables_.operands;
      const std::int64_t table = unit / job.groups(), group = unit % job.groups();
      for (std::size_t k = 0; k < operands.size(); ++k)
        offsets_[k] = walk.outer_offset(operands[k], table);
      const std::int64_t end = std::min(job.reduced, (group + 1) * job.group * chunk_length);
      for (std::int64_t begin = group * job.group * chunk_length; begin < end;
           begin += chunk_length) {
        const std::int64_t count = std::min(chunk_length, end - begin);
        for (std::int64_t row = 0; row < count; row += tables_.block_rows()) {
          const std::int64_t rows = std::min(tables_.block_rows(), count - row);
          frame_.read(walk, operands, offsets_, (begin + row) * few, rows * few);
          frame_.run(rows * few);
          take(row, rows);
        }
        close(begin, count);
      }
    }
    /// Those of value k in the block that was calculated last.
    const char* elements(std::size_t k) { return frame_.at(tables_.plan.results[k]); }

   private:
    const Tables& tables_;
    Frame frame_;
    SmallVector<std::int64_t, 8> offsets_;
  };

  const Job& job;
  const std::int64_t few;
  const Walk& walk;
  const std::span<const Operand> operands;
  const Plan plan;

 private:
  /// A row for each lane, as often as it takes to make a call worth it.
  std::int64_t block_rows() const {
    constexpr std::int64_t wanted = 1024;  // elements
    return lane_count * std::max<std::int64_t>(wanted / (lane_count * few), 1);
  }
};

/// Joins lanes that lie one after another, `few` values each, in the order of fold_lanes().
void join_lanes(const Combination& value, char* lanes, std::int64_t count, std::int64_t few) {
  while (count > 1) {
    const std::int64_t half = (count + 1) / 2;
    value.combine(lanes, lanes, lanes + half * few * value.bytes, nullptr, (count - half) * few);
    count = half;
  }
}

}  // namespace

/// One call combines a row for each lane.
void reduce_few(const Job& job, std::int64_t few, const Walk& walk,
                std::span<const Operand> operands) {
  const Tables tables(job, few, walk, operands);
  const Rows rows(job, lane_count, few);
  tables.run(0, [&](std::int64_t first, std::int64_t last) {
    char* scratch = thread_scratch(tables.frame_bytes() + rows.bytes());
    Tables::Reader reader(tables, scratch);
    SmallVector<char*, 2> lanes;
    SmallVector<Counter, 2> counters;
    scratch += tables.frame_bytes();
    for (const Combination& value : job.values) {
      lanes.push_back(scratch);
      char* const above = scratch + lane_count * few * value.bytes;
      counters.push_back(Counter(value.combine, above, value.bytes, few));
      scratch += rows.bytes_of(value);
    }
    const auto take = [&](std::int64_t row, std::int64_t count) {
      for (std::size_t k = 0; k < lanes.size(); ++k) {
        const Combination& value = job.values[k];
        const char* elements = reader.elements(k);
        for (std::int64_t i = 0; i < count; i += lane_count) {
          const std::int64_t n = std::min(lane_count, count - i) * few;
          if (row + i == 0)
            std::memcpy(lanes[k], elements, static_cast<std::size_t>(n * value.bytes));
          else
            value.combine(lanes[k], lanes[k], elements, nullptr, n);
          elements += n * value.bytes;
        }
      }
    };
    const auto close = [&](std::int64_t, std::int64_t count) {
      for (std::size_t k = 0; k < lanes.size(); ++k) {
        const Combination& value = job.values[k];
        join_lanes(value, lanes[k], std::min(count, lane_count), few);
        std::memcpy(counters[k].next(), lanes[k], static_cast<std::size_t>(few * value.bytes));
        counters[k].push();
      }
    };
    for (std::int64_t unit = first; unit < last; ++unit) {
      for (Counter& counter : counters) counter.restart();
      reader.read(unit, take, close);
      for (std::size_t k = 0; k < lanes.size(); ++k)
        std::memcpy(tables.partial(job.values[k], unit), counters[k].finish(),
                    static_cast<std::size_t>(few * job.values[k].bytes));
    }
  });
}

/// A chunk of rows is turned column by column: states take elements one by one.
void reduce_few_states(const Job& job, std::int64_t few, const Walk& walk,
                       std::span<const Operand> operands) {
  const Tables tables(job, few, walk, operands);
  const Combination& value = job.values[0];
  const std::int64_t bytes = job.element_bytes(0), row_bytes = few * bytes;
  const std::int64_t table_bytes = to_lines(chunk_length * row_bytes);
  const std::int64_t column_bytes = to_lines(chunk_length * bytes);
  const Rows rows(job, 0, 1);
  tables.run(1, [&](std::int64_t first, std::int64_t last) {
    char* const scratch = thread_scratch(tables.frame_bytes() + table_bytes + column_bytes +
                                         few * rows.bytes_of(value));
    Tables::Reader reader(tables, scratch);
    char* const table = scratch + tables.frame_bytes();
    char* const column = table + table_bytes;
    SmallVector<Counter, 16> counters;
    for (std::int64_t j = 0; j < few; ++j) {
      char* const above = column + column_bytes + j * rows.bytes_of(value);
      counters.push_back(Counter(value.combine, above, value.bytes, 1));
    }
    const auto take = [&](std::int64_t row, std::int64_t count) {
      std::memcpy(table + row * row_bytes, reader.elements(0),
                  static_cast<std::size_t>(count * row_bytes));
    };
    const auto close = [&](std::int64_t begin, std::int64_t count) {
      const char* next = table;
      for (Counter& counter : counters) {
        job.rows.gathers[log2_bytes(bytes)](column, next, row_bytes, count);
        value.fold(counter.next(), column, count, begin, counter.known());
        counter.push();
        next += bytes;
      }
    };
    for (std::int64_t unit = first; unit < last; ++unit) {
      for (Counter& counter : counters) counter.restart();
      reader.read(unit, take, close);
      char* partial = tables.partial(value, unit);
      for (Counter& counter : counters) {
        std::memcpy(partial, counter.finish(), static_cast<std::size_t>(value.bytes));
        partial += value.bytes;
      }
    }
  });
}

}  // namespace isthmus::inline ISTHMUS_ABI::host
