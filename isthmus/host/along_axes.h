// along_axes.h: what scans and sorts work on, row by row.
#pragma once

#include <cstdlib>
#include <memory>
#include <optional>

#include "isthmus/base/error.h"
#include "isthmus/host/loops.h"

namespace isthmus::inline ISTHMUS_ABI::host {

/// Memory for one launch.
using Bytes = std::unique_ptr<char, decltype(&std::free)>;
/// 64-byte aligned. Throws OutOfMemoryError.
Bytes allocate(std::int64_t bytes);

/// Elements of a program that keeps some axes and works along the others, which make a row.
class AlongAxes {
 public:
  /// `piece`: the most elements of a row that are calculated at a time.
  AlongAxes(const RowTable& rows, const Program& program, const Launch& launch, std::int64_t piece);

  const RowTable& rows;
  const Program& program;
  std::int64_t count = 1;   ///< Of rows.
  std::int64_t length = 1;  ///< Of a row.
  std::int64_t pieces() const { return divided_up(length, piece_); }
  /// What a piece costs, with `work` simple operations on each of its elements.
  std::int64_t cost_of_piece(std::int64_t work) const {
    return (plan_.cost + work) * std::min(length, piece_);
  }

  /// Calculates elements, on one thread.
  class Reader {
   public:
    /// `spare`: bytes that the thread needs beside, at spare().
    explicit Reader(const AlongAxes& all, std::int64_t spare = 0);
    struct Piece {
      std::int64_t begin, size;
      const char* elements;  ///< As held; there until the next piece is read.
    };
    Piece read(std::int64_t row, std::int64_t piece);
    char* spare() const { return spare_; }

   private:
    const AlongAxes& all_;
    std::int64_t frame_bytes_;
    char* scratch_;
    char* spare_;
    Frame frame_;
    SmallVector<std::int64_t, 8> offsets_;
  };

  /// Where a row of the output lies, if its elements are dense and held as they are stored.
  char* direct(std::int64_t row) const;
  /// Puts elements, as held, where they go. `spare` has room for them as they are stored; it is
  /// used for half types only.
  void write(std::int64_t row, std::int64_t begin, std::int64_t size, const char* elements,
             char* spare) const;

 private:
  const Launch& launch_;
  const std::int64_t piece_;
  Operands all_;
  std::span<Operand> operands_;  ///< The inputs, then the output.
  std::optional<Walk> walk_;
  Plan plan_;
  std::int64_t block_ = 0;
};

}  // namespace isthmus::inline ISTHMUS_ABI::host
