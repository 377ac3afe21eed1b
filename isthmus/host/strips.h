// strips.h: rows that lie side by side in memory, for work along an axis whose elements do not.
#pragma once

#include <optional>

#include "isthmus/host/loops.h"

namespace isthmus::inline ISTHMUS_ABI::host {

/// Elements of a program that works along one axis, the length of a row. A strip is some rows whose
/// first elements are neighbours along another axis; their elements are read across the strip, so
/// that memory is read line by line.
class Strips {
 public:
  /// Whether memory favours them.
  static bool suits(const Program& program, const Launch& launch);
  /// `widest`: the most bytes of accumulators that a strip may be wide.
  Strips(const RowTable& rows, const Program& program, const Launch& launch, std::int64_t widest);

  const RowTable& rows;
  const Program& program;
  std::int64_t count = 1;   ///< Of strips.
  std::int64_t length = 1;  ///< Of a row.
  std::int64_t width = 1;   ///< Rows of a strip; the last one beside others may have fewer.
  /// What the elements of so many positions cost, with `work` simple operations on each.
  std::int64_t cost_of(std::int64_t positions, std::int64_t work) const {
    return (plan_.cost + work) * width * positions;
  }
  std::int64_t width_of(std::int64_t strip) const {
    return std::min(width, columns_ - strip % across_ * width);
  }

  /// Calculates elements, on one thread.
  class Reader {
   public:
    /// `spare`: bytes that the thread needs beside, at spare().
    Reader(const Strips& all, std::int64_t spare);
    void begin(std::int64_t strip);
    /// The elements of the strip at a position of its rows, as held; there until the next are read.
    const char* read(std::int64_t position);
    /// Where they go, if they are dense there and held as they are stored; else null.
    char* direct(std::int64_t position) const;
    /// Puts elements, as held, where they go. `stored` has room for them as they are stored; it is
    /// used for half types only.
    void write(std::int64_t position, const char* elements, char* stored) const;
    char* spare() const { return spare_; }

   private:
    std::int64_t offset_of(std::size_t operand, std::int64_t position) const {
      return starts_[operand] + position * all_.along_[operand];
    }

    const Strips& all_;
    std::int64_t frame_bytes_;
    char* scratch_;
    char* spare_;
    Frame frame_;
    std::int64_t begin_ = 0, size_ = 0;  ///< Of the strip, along the axis across it.
    SmallVector<std::int64_t, 8> starts_, offsets_;
  };

 private:
  const Launch& launch_;
  std::int64_t columns_ = 1;  ///< Rows that are neighbours.
  std::int64_t across_ = 1;   ///< Strips that they make.
  Operands all_;
  std::span<Operand> operands_;         ///< The inputs, then the output.
  SmallVector<std::int64_t, 8> along_;  ///< Their strides in bytes along a row.
  SmallVector<bool, 8> is_dense_;       ///< Across a strip.
  std::optional<Walk> walk_;            ///< Over all axes but that of the rows.
  Plan plan_;
};

}  // namespace isthmus::inline ISTHMUS_ABI::host
