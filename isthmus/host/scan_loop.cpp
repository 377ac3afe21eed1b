// scan_loop.cpp: what a reduction gives up to each element.
//
// An axis is cut into the chunks of fold.h. Behind each chunk stands the total of all chunks before
// it, which are combined in their order; within a chunk elements are combined one after another.
// So the bits do not depend on which thread had which chunk, nor on whether rows are scanned one by
// one or side by side.
#include <cstring>
#include <vector>

#include "isthmus/host/along_axes.h"
#include "isthmus/host/fold.h"
#include "isthmus/host/strips.h"
#include "isthmus/threads/executor.h"

namespace isthmus::inline ISTHMUS_ABI::host {
namespace {

/// What both ways share: functions on accumulators, which are `bytes` long each.
struct Steps {
  Steps(const RowTable& rows, const Program& program)
      : Steps(rows, static_cast<int>(program.reduction), held_type(program.accumulator)) {}
  Steps(const RowTable& rows, int reduction, TypeId type)
      : bytes(info(type).bits / 8),
        fold(rows.folds[reduction][static_cast<int>(type)]),
        combine(rows.combines[reduction][static_cast<int>(type)]),
        scan(rows.scans[reduction][static_cast<int>(type)]) {}

  std::int64_t bytes;
  Fold fold;
  Row combine, scan;
};

/// One row after another.
class OneByOne {
 public:
  using Rows = AlongAxes;
  OneByOne(const Rows& all, const Steps& steps)
      : all_(all), steps_(steps), reader_(all, (3 * chunk_length + 2) * steps.bytes) {}

  /// The total of a chunk.
  void fold(std::int64_t row, std::int64_t chunk, char* total) {
    const auto piece = reader_.read(row, chunk);
    steps_.fold(total, piece.elements, piece.size);
  }
  /// Its elements, behind the total of all chunks `before`, if there are any; and its total, if it
  /// is asked for.
  void scan(std::int64_t row, std::int64_t chunk, const char* before, char* total) {
    const auto piece = reader_.read(row, chunk);
    if (total) steps_.fold(total, piece.elements, piece.size);
    char* const direct = all_.direct(row);
    char* const out = direct ? direct + piece.begin * steps_.bytes : reader_.spare();
    steps_.scan(out, piece.elements, before, nullptr, piece.size);
    if (direct) return;
    const TypeId type = all_.program.accumulator;
    if (is_half(type)) all_.rows.round[half_index(type)](out, out, nullptr, nullptr, piece.size);
    all_.write(row, piece.begin, piece.size, out, out + 2 * chunk_length * steps_.bytes);
  }

  /// Memory for two totals of a row.
  char* totals() const { return reader_.spare() + 3 * chunk_length * steps_.bytes; }
  static std::int64_t width(const Rows&) { return 1; }
  static std::int64_t cost(const Rows& all) { return all.cost_of_piece(4); }

 private:
  const Rows& all_;
  const Steps& steps_;
  AlongAxes::Reader reader_;
};

/// A strip of rows side by side.
class SideBySide {
 public:
  using Rows = Strips;
  SideBySide(const Rows& all, const Steps& steps)
      : all_(all),
        steps_(steps),
        row_bytes_(to_lines(all.width * steps.bytes)),
        reader_(all, (lane_count + 4) * row_bytes_) {}

  void fold(std::int64_t strip, std::int64_t chunk, char* total) {
    begin(strip, chunk);
    for (std::int64_t i = 0; i < size_; ++i) add(i, reader_.read(first_ + i));
    finish(total);
  }
  void scan(std::int64_t strip, std::int64_t chunk, const char* before, char* total) {
    begin(strip, chunk);
    for (std::int64_t i = 0; i < size_; ++i) {
      const char* const elements = reader_.read(first_ + i);
      if (total) add(i, elements);
      char* const direct = reader_.direct(first_ + i);
      char* const out = direct ? direct : lane(lane_count);
      if (before)
        steps_.combine(out, before, elements, nullptr, width_);
      else if (out != elements)
        std::memcpy(out, elements, static_cast<std::size_t>(width_ * steps_.bytes));
      if (!direct) reader_.write(first_ + i, out, lane(lane_count + 1));
      before = out;
    }
    if (total) finish(total);
  }

  char* totals() const { return lane(lane_count + 2); }
  static std::int64_t width(const Rows& all) { return all.width; }
  static std::int64_t cost(const Rows& all) {
    return all.cost_of(std::min(all.length, chunk_length), 1);
  }

 private:
  void begin(std::int64_t strip, std::int64_t chunk) {
    reader_.begin(strip);
    width_ = all_.width_of(strip);
    first_ = chunk * chunk_length;
    size_ = std::min(chunk_length, all_.length - first_);
  }
  char* lane(std::int64_t i) const { return reader_.spare() + i * row_bytes_; }
  /// The order of fold.h.
  void add(std::int64_t i, const char* elements) {
    char* const to = lane(i % lane_count);
    if (i < lane_count)
      std::memcpy(to, elements, static_cast<std::size_t>(width_ * steps_.bytes));
    else
      steps_.combine(to, to, elements, nullptr, width_);
  }
  void finish(char* total) {
    fold_lanes(std::min(size_, lane_count), [&](std::int64_t i, std::int64_t k) {
      steps_.combine(lane(i), lane(i), lane(k), nullptr, width_);
    });
    std::memcpy(total, lane(0), static_cast<std::size_t>(width_ * steps_.bytes));
  }

  const Rows& all_;
  const Steps& steps_;
  const std::int64_t row_bytes_;
  Strips::Reader reader_;
  std::int64_t width_ = 0, first_ = 0, size_ = 0;
};

/// All rows or strips, by a worker for each thread.
template <class Worker>
void scan_all(const typename Worker::Rows& all, const Steps& steps) {
  const std::int64_t count = all.count, chunks = divided_up(all.length, chunk_length),
                     width = Worker::width(all), cost = Worker::cost(all),
                     bytes = width * steps.bytes;
  const auto whole_rows = [&](std::int64_t first, std::int64_t last) {
    Worker worker(all, steps);
    char *const before = worker.totals(), *const total = before + bytes;
    for (std::int64_t row = first; row < last; ++row)
      for (std::int64_t chunk = 0; chunk < chunks; ++chunk) {
        const bool is_last = chunk + 1 == chunks;
        worker.scan(row, chunk, chunk > 0 ? before : nullptr, is_last ? nullptr : total);
        if (is_last) break;
        if (chunk == 0)
          std::memcpy(before, total, static_cast<std::size_t>(bytes));
        else
          steps.combine(before, before, total, nullptr, width);
      }
  };
  if (chunks == 1 || count >= 8 * thread_count() || thread_count() == 1)
    return parallel_for(count, grain_of(count, cost * chunks), whole_rows);
  // totals of chunks, those before each, then the elements
  const std::int64_t units = count * chunks;
  std::vector<char> totals(static_cast<std::size_t>(units * bytes));
  const auto total_at = [&](std::int64_t unit) { return totals.data() + unit * bytes; };
  const auto fold_chunks = [&](std::int64_t first, std::int64_t last) {
    Worker worker(all, steps);
    for (std::int64_t unit = first; unit < last; ++unit)
      if (unit % chunks < chunks - 1) worker.fold(unit / chunks, unit % chunks, total_at(unit));
  };
  parallel_for(units, grain_of(units, cost), fold_chunks);
  for (std::int64_t unit = 1; unit < units; ++unit)
    if (unit % chunks != 0)
      steps.combine(total_at(unit), total_at(unit - 1), total_at(unit), nullptr, width);
  const auto scan_chunks = [&](std::int64_t first, std::int64_t last) {
    Worker worker(all, steps);
    for (std::int64_t unit = first; unit < last; ++unit) {
      const bool is_first = unit % chunks == 0;
      worker.scan(unit / chunks, unit % chunks, is_first ? nullptr : total_at(unit - 1), nullptr);
    }
  };
  parallel_for(units, grain_of(units, cost), scan_chunks);
}

}  // namespace

void run_scan(const RowTable& rows, const Program& program, const Launch& launch) {
  for (const std::int64_t extent : launch.shape)
    if (extent == 0) return;
  const Steps steps(rows, program);
  if (Strips::suits(program, launch)) {
    // with more than one chunk the lanes of a strip fill half of the first-level cache
    const bool is_cut = launch.shape[launch.kept] > chunk_length;
    return scan_all<SideBySide>(Strips(rows, program, launch, is_cut ? 1024 : 8192), steps);
  }
  scan_all<OneByOne>(AlongAxes(rows, program, launch, chunk_length), steps);
}

}  // namespace isthmus::inline ISTHMUS_ABI::host
