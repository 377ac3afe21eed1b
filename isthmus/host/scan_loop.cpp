// scan_loop.cpp: what a reduction gives up to each element.
//
// An axis is cut into the chunks of fold.h. Behind each chunk stands the total of all chunks before
// it, which are combined in their order; within a chunk elements are combined one after another.
// So the bits do not depend on which thread had which chunk.
#include <cstring>
#include <vector>

#include "isthmus/host/along_axes.h"
#include "isthmus/host/fold.h"
#include "isthmus/threads/executor.h"

namespace isthmus::inline ISTHMUS_ABI::host {
namespace {

class Scan {
 public:
  Scan(const RowTable& rows, const Program& program, const Launch& launch)
      : all_(rows, program, launch, chunk_length),
        type_(held_type(program.accumulator)),
        bytes_(info(type_).bits / 8),
        fold_(rows.folds[static_cast<int>(program.reduction)][static_cast<int>(type_)]),
        combine_(rows.combines[static_cast<int>(program.reduction)][static_cast<int>(type_)]),
        scan_(rows.scans[static_cast<int>(program.reduction)][static_cast<int>(type_)]),
        chunks_(all_.pieces()) {}

  void run() {
    const std::int64_t count = all_.count, cost = all_.cost_of_piece(4);
    if (count == 0 || all_.length == 0) return;
    if (chunks_ == 1 || count >= 8 * thread_count() || thread_count() == 1) {
      const auto whole_rows = [&](std::int64_t first, std::int64_t last) {
        Worker worker(*this);
        for (std::int64_t row = first; row < last; ++row) worker.scan_row(row);
      };
      return parallel_for(count, grain_of(count, cost * chunks_), whole_rows);
    }
    // totals of chunks, those before each, then the elements
    const std::int64_t units = count * chunks_;
    std::vector<char> totals(static_cast<std::size_t>(units * bytes_));
    const auto total_at = [&](std::int64_t unit) { return totals.data() + unit * bytes_; };
    const auto fold_chunks = [&](std::int64_t first, std::int64_t last) {
      Worker worker(*this);
      for (std::int64_t unit = first; unit < last; ++unit)
        if (unit % chunks_ < chunks_ - 1)
          worker.fold(unit / chunks_, unit % chunks_, total_at(unit));
    };
    parallel_for(units, grain_of(units, cost), fold_chunks);
    for (std::int64_t unit = 1; unit < units; ++unit)
      if (unit % chunks_ != 0)
        combine_(total_at(unit), total_at(unit - 1), total_at(unit), nullptr, 1);
    const auto scan_chunks = [&](std::int64_t first, std::int64_t last) {
      Worker worker(*this);
      for (std::int64_t unit = first; unit < last; ++unit) {
        const bool is_first = unit % chunks_ == 0;
        worker.scan(unit / chunks_, unit % chunks_, is_first ? nullptr : total_at(unit - 1));
      }
    };
    parallel_for(units, grain_of(units, cost), scan_chunks);
  }

 private:
  /// What one thread needs.
  class Worker {
   public:
    explicit Worker(const Scan& scan)
        : scan_(scan), reader_(scan.all_, 3 * chunk_length * scan.bytes_) {}

    void scan_row(std::int64_t row) {
      alignas(16) char before[16], total[16];
      for (std::int64_t chunk = 0; chunk < scan_.chunks_; ++chunk) {
        const auto piece = reader_.read(row, chunk);
        if (chunk + 1 < scan_.chunks_) scan_.fold_(total, piece.elements, piece.size);
        write(row, piece, chunk > 0 ? before : nullptr);
        if (chunk == 0)
          std::memcpy(before, total, sizeof before);
        else
          scan_.combine_(before, before, total, nullptr, 1);
      }
    }
    void fold(std::int64_t row, std::int64_t chunk, void* total) {
      const auto piece = reader_.read(row, chunk);
      scan_.fold_(total, piece.elements, piece.size);
    }
    void scan(std::int64_t row, std::int64_t chunk, const void* before) {
      write(row, reader_.read(row, chunk), before);
    }

   private:
    void write(std::int64_t row, const AlongAxes::Reader::Piece& piece, const void* before) {
      char* const direct = scan_.all_.direct(row);
      char* const out = direct ? direct + piece.begin * scan_.bytes_ : reader_.spare();
      scan_.scan_(out, piece.elements, before, nullptr, piece.size);
      if (direct) return;
      const TypeId type = scan_.all_.program.accumulator;
      if (is_half(type))
        scan_.all_.rows.round[half_index(type)](out, out, nullptr, nullptr, piece.size);
      scan_.all_.write(row, piece.begin, piece.size, out, out + 2 * chunk_length * scan_.bytes_);
    }

    const Scan& scan_;
    AlongAxes::Reader reader_;
  };

  const AlongAxes all_;
  const TypeId type_;
  const std::int64_t bytes_;  ///< Of an accumulator.
  const Fold fold_;
  const Row combine_, scan_;
  const std::int64_t chunks_;
};

}  // namespace

void run_scan(const RowTable& rows, const Program& program, const Launch& launch) {
  Scan(rows, program, launch).run();
}

}  // namespace isthmus::inline ISTHMUS_ABI::host
