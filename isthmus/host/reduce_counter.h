// reduce_counter.h: values of chunks on their way to the value of a group.
#pragma once

#include "isthmus/host/reduce.h"

namespace isthmus::inline ISTHMUS_ABI::host {

/// Values of neighbouring chunks waiting for their partners: rows of `width` values, one per
/// level, combined like the carries of a binary counter.
class Counter {
 public:
  static constexpr int levels = 56;
  Counter(Row combine, char* memory, std::int64_t bytes, std::int64_t width)
      : combine_(combine), memory_(memory), row_bytes_(bytes * width), width_(width) {}

  /// Values of the first chunks; null if there are none yet.
  const char* known() const { return depth_ > 0 ? memory_ : nullptr; }
  /// Where the next chunk's values are to be written before push().
  char* next() { return memory_ + depth_ * row_bytes_; }
  void push() {
    ++depth_;
    for (std::int64_t bits = count_++; bits & 1; bits >>= 1) merge();
  }
  /// All chunks combined.
  const char* finish() {
    while (depth_ > 1) merge();
    return memory_;
  }
  void restart() { depth_ = 0, count_ = 0; }

 private:
  void merge() {
    char* left = memory_ + (depth_ - 2) * row_bytes_;
    combine_(left, left, left + row_bytes_, nullptr, width_);
    --depth_;
  }

  Row combine_;
  char* memory_;
  std::int64_t row_bytes_, width_;
  std::int64_t depth_ = 0, count_ = 0;
};

inline std::int64_t levels_of(std::int64_t group) {
  std::int64_t levels = 2;
  while (group > 1) group = (group + 1) / 2, ++levels;
  return levels;
}

/// Scratch of a thread behind its frame: for each of the values `lanes` rows, and those of its
/// counter, of `width` values.
struct Rows {
  Rows(const Job& job_, std::int64_t lanes_, std::int64_t width_)
      : job(job_), lanes(lanes_), width(width_), levels(levels_of(job_.group)) {}
  std::int64_t bytes_of(const Combination& value) const {
    return to_lines((lanes + levels) * width * value.bytes);
  }
  std::int64_t bytes() const {
    std::int64_t sum = 0;
    for (const Combination& value : job.values) sum += bytes_of(value);
    return sum;
  }
  const Job& job;
  std::int64_t lanes, width, levels;
};

}  // namespace isthmus::inline ISTHMUS_ABI::host
