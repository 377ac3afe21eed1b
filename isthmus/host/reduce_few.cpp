// reduce_few.cpp: reductions that keep a few elements side by side, as sums of a table's columns.
#include <algorithm>
#include <cstring>

#include "isthmus/host/fold.h"
#include "isthmus/host/reduce.h"
#include "isthmus/host/reduce_counter.h"
#include "isthmus/threads/executor.h"

namespace isthmus::inline ISTHMUS_ABI::host {
namespace {

/// The elements of a block: a row for each lane, as often as it takes to make a call worth it.
std::int64_t rows_of_block(std::int64_t few) {
  constexpr std::int64_t wanted = 1024;
  return lane_count * std::max<std::int64_t>(wanted / (lane_count * few), 1);
}

/// Joins lanes that lie one after another, `few` values each, in the order of fold_lanes().
void join_lanes(const Combination& value, char* lanes, std::int64_t count, std::int64_t few) {
  while (count > 1) {
    const std::int64_t half = (count + 1) / 2;
    value.combine(lanes, lanes, lanes + half * few * value.bytes, nullptr, (count - half) * few);
    count = half;
  }
}

}  // namespace

/// Rows follow each other, so that one call calculates many of them, and one call takes a row for
/// each lane.
void reduce_few(const Job& job, std::int64_t few, const Walk& walk,
                std::span<const Operand> operands) {
  const Plan plan = make_plan(job.rows, job.tape, walk, operands);
  const std::int64_t block_rows = rows_of_block(few);
  const std::int64_t block = (block_rows * few + 127) / 128 * 128;
  const std::int64_t frame_bytes = to_lines(Frame::bytes(plan, block));
  const Rows rows(job, lane_count, few);
  const auto work = [&](std::int64_t first, std::int64_t last) {
    char* scratch = thread_scratch(frame_bytes + rows.bytes());
    Frame frame(job.rows, plan, job.tape, job.arguments, block, scratch);
    SmallVector<char*, 2> lanes;
    SmallVector<Counter, 2> counters;
    scratch += frame_bytes;
    for (const Combination& value : job.values) {
      lanes.push_back(scratch);
      char* const above = scratch + lane_count * few * value.bytes;
      counters.push_back(Counter(value.combine, above, value.bytes, few));
      scratch += rows.bytes_of(value);
    }
    SmallVector<std::int64_t, 8> offsets(operands.size());
    for (std::int64_t unit = first; unit < last; ++unit) {
      const std::int64_t outer = unit / job.groups(), group = unit % job.groups();
      for (std::size_t k = 0; k < operands.size(); ++k)
        offsets[k] = walk.outer_offset(operands[k], outer);
      for (Counter& counter : counters) counter.restart();
      const std::int64_t end = std::min(job.reduced, (group + 1) * job.group * chunk_length);
      for (std::int64_t begin = group * job.group * chunk_length; begin < end;
           begin += chunk_length) {
        const std::int64_t count = std::min(chunk_length, end - begin);
        for (std::int64_t row = 0; row < count; row += block_rows) {
          const std::int64_t here = std::min(block_rows, count - row);
          frame.read(walk, operands, offsets, (begin + row) * few, here * few);
          frame.run(here * few);
          for (std::size_t k = 0; k < lanes.size(); ++k) {
            const Combination& value = job.values[k];
            const char* elements = frame.at(plan.results[k]);
            for (std::int64_t i = 0; i < here; i += lane_count) {
              const std::int64_t n = std::min(lane_count, here - i) * few;
              if (row + i == 0)
                std::memcpy(lanes[k], elements, static_cast<std::size_t>(n * value.bytes));
              else
                value.combine(lanes[k], lanes[k], elements, nullptr, n);
              elements += n * value.bytes;
            }
          }
        }
        for (std::size_t k = 0; k < lanes.size(); ++k) {
          const Combination& value = job.values[k];
          join_lanes(value, lanes[k], std::min(count, lane_count), few);
          std::memcpy(counters[k].next(), lanes[k], static_cast<std::size_t>(few * value.bytes));
          counters[k].push();
        }
      }
      for (std::size_t k = 0; k < lanes.size(); ++k) {
        const Combination& value = job.values[k];
        std::memcpy(value.partial + (group * job.kept + outer * few) * value.bytes,
                    counters[k].finish(), static_cast<std::size_t>(few * value.bytes));
      }
    }
  };
  const std::int64_t units = job.kept / few * job.groups();
  const std::int64_t cost = plan.cost * few * std::min(job.reduced, job.group * chunk_length) / 4;
  parallel_for(units, grain_of(units, cost + 64), work);
}

/// A chunk of rows is calculated, then turned column by column: states take elements one by one.
void reduce_few_states(const Job& job, std::int64_t few, const Walk& walk,
                       std::span<const Operand> operands) {
  const Plan plan = make_plan(job.rows, job.tape, walk, operands);
  const Combination& value = job.values[0];
  const std::int64_t bytes = job.element_bytes(0), row_bytes = few * bytes;
  const std::int64_t block_rows = rows_of_block(few);
  const std::int64_t block = (block_rows * few + 127) / 128 * 128;
  const std::int64_t frame_bytes = to_lines(Frame::bytes(plan, block));
  const std::int64_t table_bytes = to_lines(chunk_length * row_bytes);
  const std::int64_t column_bytes = to_lines(chunk_length * bytes);
  const Rows rows(job, 0, 1);
  const auto work = [&](std::int64_t first, std::int64_t last) {
    char* scratch =
        thread_scratch(frame_bytes + table_bytes + column_bytes + few * rows.bytes_of(value));
    Frame frame(job.rows, plan, job.tape, job.arguments, block, scratch);
    char* const table = scratch + frame_bytes;
    char* const column = table + table_bytes;
    SmallVector<Counter, 16> counters;
    for (std::int64_t j = 0; j < few; ++j)
      counters.push_back(
          Counter(value.combine, column + column_bytes + j * rows.bytes_of(value), value.bytes, 1));
    SmallVector<std::int64_t, 8> offsets(operands.size());
    for (std::int64_t unit = first; unit < last; ++unit) {
      const std::int64_t outer = unit / job.groups(), group = unit % job.groups();
      for (std::size_t k = 0; k < operands.size(); ++k)
        offsets[k] = walk.outer_offset(operands[k], outer);
      for (Counter& counter : counters) counter.restart();
      const std::int64_t end = std::min(job.reduced, (group + 1) * job.group * chunk_length);
      for (std::int64_t begin = group * job.group * chunk_length; begin < end;
           begin += chunk_length) {
        const std::int64_t count = std::min(chunk_length, end - begin);
        for (std::int64_t row = 0; row < count; row += block_rows) {
          const std::int64_t n = std::min(block_rows, count - row) * few;
          frame.read(walk, operands, offsets, (begin + row) * few, n);
          frame.run(n);
          std::memcpy(table + row * row_bytes, frame.at(plan.results[0]),
                      static_cast<std::size_t>(n * bytes));
        }
        for (std::int64_t j = 0; j < few; ++j) {
          Counter& counter = counters[static_cast<std::size_t>(j)];
          job.rows.gathers[log2_bytes(bytes)](column, table + j * bytes, row_bytes, count);
          value.fold(counter.next(), column, count, begin, counter.known(), false);
          counter.push();
        }
      }
      for (std::int64_t j = 0; j < few; ++j)
        std::memcpy(value.partial + (group * job.kept + outer * few + j) * value.bytes,
                    counters[static_cast<std::size_t>(j)].finish(),
                    static_cast<std::size_t>(value.bytes));
    }
  };
  const std::int64_t units = job.kept / few * job.groups();
  const std::int64_t cost = plan.cost * few * std::min(job.reduced, job.group * chunk_length) / 2;
  parallel_for(units, grain_of(units, cost + 64), work);
}

}  // namespace isthmus::inline ISTHMUS_ABI::host
