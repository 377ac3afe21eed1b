// scan_loop.cpp: what a reduction gives up to each element.
//
// An axis is cut into the chunks of fold.h. Behind each chunk stands the total of all chunks before
// it, which are combined in their order; within a chunk elements are combined one after another.
// So the bits do not depend on which thread had which chunk.
#include <cstring>
#include <vector>

#include "isthmus/runtime/executor.h"
#include "isthmus/runtime/host/fold.h"
#include "isthmus/runtime/host/loops.h"

namespace isthmus::host {
namespace {

class Scan {
 public:
  Scan(const RowTable& rows, const Program& program, const Launch& launch)
      : rows_(rows),
        program_(program),
        launch_(launch),
        type_(held_type(program.accumulator)),
        reduction_(static_cast<int>(*program.reduction)),
        bytes_(info(type_).bits / 8),
        all_(launch.shape.size()) {
    const auto rank = static_cast<int>(launch.shape.size());
    for (int axis = 0; axis < rank; ++axis)
      (axis < launch.kept ? kept_ : length_) *= launch.shape[axis];
    all_.add_inputs(program.map, launch.inputs, launch.shape, nullptr);
    all_.add(launch.outputs[0].address, info(program.accumulator).bits / 8,
             launch.outputs[0].strides);
    operands_ = all_.get();
    walk_.emplace(launch.shape, rank - launch.kept, operands_);
    for (const Operand& operand : operands_.first(operands_.size() - 1))
      reach_.push_back({walk_->is_dense(operand), operand.base});
    plan_ = make_plan(rows, program.map, reach_);
    chunks_ = divided_up(length_, chunk_length);
    block_ = (std::min(chunk_length, length_) + 127) / 128 * 128;
  }

  void run() {
    if (kept_ == 0 || length_ == 0) return;
    const std::int64_t cost = (plan_.cost + 4) * std::min(length_, chunk_length);
    if (chunks_ == 1 || kept_ >= 8 * thread_count() || thread_count() == 1) {
      const auto whole_rows = [&](std::int64_t first, std::int64_t last) {
        Worker worker(*this);
        for (std::int64_t row = first; row < last; ++row) worker.scan_row(row);
      };
      return parallel_for(kept_, grain_of(kept_, cost * chunks_), whole_rows);
    }
    // totals of chunks, those before each, then the elements
    std::vector<char> totals(static_cast<std::size_t>(kept_ * chunks_ * bytes_));
    const auto total_at = [&](std::int64_t unit) { return totals.data() + unit * bytes_; };
    const std::int64_t units = kept_ * chunks_;
    const auto fold_chunks = [&](std::int64_t first, std::int64_t last) {
      Worker worker(*this);
      for (std::int64_t unit = first; unit < last; ++unit)
        if (unit % chunks_ < chunks_ - 1)
          worker.fold(unit / chunks_, unit % chunks_, total_at(unit));
    };
    parallel_for(units, grain_of(units, cost), fold_chunks);
    for (std::int64_t unit = 1; unit < units; ++unit)
      if (unit % chunks_ != 0)
        rows_.combines[reduction_][static_cast<int>(type_)](total_at(unit), total_at(unit - 1),
                                                            total_at(unit), nullptr, 1);
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
        : scan_(scan),
          scratch_(thread_scratch(frame_bytes() + 3 * scan.block_ * scan.bytes_ + 64)),
          frame_(scan.rows_, scan.plan_, scan.program_.map, scan.launch_.inputs, scan.block_,
                 scratch_),
          offsets_(scan.operands_.size()) {}

    void scan_row(std::int64_t row) {
      alignas(16) char before[16], total[16];
      for (std::int64_t chunk = 0; chunk < scan_.chunks_; ++chunk) {
        const std::int64_t n = read(row, chunk);
        if (chunk + 1 < scan_.chunks_) fold_values(total, n);
        write(chunk, chunk > 0 ? before : nullptr, n);
        if (chunk == 0)
          std::memcpy(before, total, sizeof before);
        else
          combine()(before, before, total, nullptr, 1);
      }
    }
    void fold(std::int64_t row, std::int64_t chunk, void* total) {
      fold_values(total, read(row, chunk));
    }
    void scan(std::int64_t row, std::int64_t chunk, const void* before) {
      const std::int64_t n = read(row, chunk);
      write(chunk, before, n);
    }

   private:
    std::int64_t frame_bytes() const {
      return (Frame::bytes(scan_.plan_, scan_.block_) + 63) / 64 * 64;
    }
    Row combine() const {
      return scan_.rows_.combines[scan_.reduction_][static_cast<int>(scan_.type_)];
    }
    void fold_values(void* total, std::int64_t n) {
      scan_.rows_.folds[scan_.reduction_][static_cast<int>(scan_.type_)](
          total, frame_.at(scan_.plan_.results[0]), n);
    }

    /// Calculates the elements of a chunk; says how many there are.
    std::int64_t read(std::int64_t row, std::int64_t chunk) {
      for (std::size_t k = 0; k < offsets_.size(); ++k)
        offsets_[k] = scan_.walk_->outer_offset(scan_.operands_[k], row);
      const std::int64_t begin = chunk * chunk_length;
      const std::int64_t n = std::min(chunk_length, scan_.length_ - begin);
      frame_.read(*scan_.walk_, scan_.operands_, offsets_, begin, n);
      frame_.run(n);
      return n;
    }

    void write(std::int64_t chunk, const void* before, std::int64_t n) {
      const Operand& output = scan_.operands_.back();
      const std::int64_t begin = chunk * chunk_length;
      const TypeId type = scan_.program_.accumulator;
      const bool is_direct = !is_half(type) && scan_.walk_->is_dense(output);
      char* out = scratch_ + frame_bytes();
      if (is_direct) out = output.base + offsets_.back() + begin * output.bytes;
      scan_.rows_.scans[scan_.reduction_][static_cast<int>(scan_.type_)](
          out, frame_.at(scan_.plan_.results[0]), before, nullptr, n);
      if (is_direct) return;
      if (is_half(type)) {
        char* const narrow = out + 2 * scan_.block_ * scan_.bytes_;
        scan_.rows_.round[half_index(type)](out, out, nullptr, nullptr, n);
        scan_.rows_.narrow[half_index(type)](narrow, out, nullptr, nullptr, n);
        out = narrow;
      }
      scan_.walk_->scatter(scan_.rows_, output, offsets_.back(), begin, n, out);
    }

    const Scan& scan_;
    char* scratch_;
    Frame frame_;
    SmallVector<std::int64_t, 8> offsets_;
  };

  const RowTable& rows_;
  const Program& program_;
  const Launch& launch_;
  const TypeId type_;
  const int reduction_;
  const std::int64_t bytes_;  ///< Of an accumulator.
  std::int64_t kept_ = 1, length_ = 1, chunks_ = 0, block_ = 0;
  Operands all_;
  std::span<Operand> operands_;  ///< The inputs, then the output.
  std::optional<Walk> walk_;
  SmallVector<Reach, 8> reach_;
  Plan plan_;
};

}  // namespace

void run_scan(const RowTable& rows, const Program& program, const Launch& launch) {
  Scan(rows, program, launch).run();
}

}  // namespace isthmus::host
