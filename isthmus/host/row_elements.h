// row_elements.h: elements as sorts read them: those of a row, or in memory.
#pragma once

#include <algorithm>
#include <cstdint>

#include "isthmus/host/along_axes.h"
#include "isthmus/threads/executor.h"

namespace isthmus::inline ISTHMUS_ABI::host {

/// Numbers that no pattern of elements foresees.
class Places {
 public:
  explicit Places(std::int64_t seed) : state_(static_cast<std::uint64_t>(seed)) {}
  /// Below `n`, which is at most 2^31.
  std::int64_t below(std::int64_t n) {
    state_ = state_ * 6364136223846793005u + 1442695040888963407u;
    return static_cast<std::int64_t>((state_ >> 33) * static_cast<std::uint64_t>(n) >> 31);
  }

 private:
  std::uint64_t state_;
};

/// Elements of a row that are calculated at a time.
inline constexpr std::int64_t piece_length = 4096;

/// Calls f(begin, size, elements) for pieces of a row.
template <class F>
void visit(const AlongAxes& rows, std::int64_t row, std::int64_t first, std::int64_t last, F& f) {
  AlongAxes::Reader reader(rows);
  for (std::int64_t k = first; k < last; ++k) {
    const auto piece = reader.read(row, k);
    f(piece.begin, piece.size, piece.elements);
  }
}

/// The elements of a row.
struct RowElements {
  const AlongAxes& rows;
  const std::int64_t row, n, bytes;  ///< Of an element.
  std::int64_t piece() const { return piece_length; }
  /// Calls f(begin, count, elements) for pieces.
  template <class F>
  void visit(std::int64_t first, std::int64_t last, F f) const {
    host::visit(rows, row, first, last, f);
  }
  /// Calls f(element) for `count` of them.
  template <class F>
  void sample(std::int64_t count, F f) const {
    const std::int64_t parts = std::min(rows.pieces(), count / 8);  // since pieces are read whole
    AlongAxes::Reader reader(rows);
    Places places(n);
    for (std::int64_t part = 0; part < parts; ++part) {
      const auto piece = reader.read(row, part * rows.pieces() / parts);
      for (std::int64_t i = part * count / parts; i < (part + 1) * count / parts; ++i)
        f(piece.elements + places.below(piece.size) * bytes);
    }
  }
};

/// Elements in memory.
struct DenseElements {
  const char* elements;
  std::int64_t n, bytes;  ///< Of an element.
  std::int64_t piece() const { return 1; }
  /// Calls f(begin, count, elements) for pieces.
  template <class F>
  void visit(std::int64_t first, std::int64_t last, F f) const {
    f(first, last - first, elements + first * bytes);
  }
  /// Called with the KeyFlags of the elements from `begin` on, by the thread that scans them.
  void note(std::int64_t, int) const {}
  /// Calls f(element) for `count` of them.
  template <class F>
  void sample(std::int64_t count, F f) const {
    Places places(n);
    const std::int64_t apart = n / count;
    for (std::int64_t i = 0; i < count; ++i)
      f(elements + (i * apart + places.below(std::min(apart, std::int64_t{1} << 31))) * bytes);
  }
};

/// Parts of elements that threads share: pieces, not all of them at once, so that an interrupt is
/// heard between parts.
struct ElementParts {
  template <class Elements>
  explicit ElementParts(const Elements& elements) {
    constexpr std::int64_t least = 1 << 15, most = 1 << 22;
    const std::int64_t piece = elements.piece();
    pieces = (elements.n + piece - 1) / piece;
    size = (std::clamp(elements.n / (2 * thread_count()), least, most) + piece - 1) / piece;
    count = (pieces + size - 1) / size;
  }
  /// Calls f(part, first piece, last piece) on all threads.
  template <class F>
  void each(F f) const {
    const auto work = [&](std::int64_t first, std::int64_t last) {
      for (std::int64_t p = first; p < last; ++p) f(p, p * size, std::min(pieces, (p + 1) * size));
    };
    parallel_for(count, 1, work);
  }
  std::int64_t pieces, size, count;  ///< Pieces in all, those of a part, and parts.
};

}  // namespace isthmus::inline ISTHMUS_ABI::host
