// walk.cpp: where the elements of a block of the loop lie, for every operand.
#include "isthmus/host/walk.h"

#include <cstring>

namespace isthmus::inline ISTHMUS_ABI::host {
namespace {

/// Elements that are repeated more often are written one run after another.
constexpr std::int64_t shortest_repetition = 32;

/// Longer rows are worth a call each, which knows more strides.
constexpr std::int64_t longest_row = 64;

/// Positions, of which most are neighbours or all the same: no product of 64 bits for each.
void number(std::int64_t* out, std::int64_t first, std::int64_t stride, std::int64_t n) {
  if (stride == 0) return static_cast<void>(std::fill_n(out, n, first));
  if (stride == 1)
    for (std::int64_t i = 0; i < n; ++i) out[i] = first + i;
  else
    for (std::int64_t i = 0; i < n; ++i) out[i] = first + i * stride;
}

}  // namespace

Walk::Walk(std::span<const std::int64_t> shape, int inner, std::span<Operand> operands) {
  const int ndim = static_cast<int>(shape.size());
  int axes = 0;  // axes kept so far; the operands' strides are packed along
  const auto can_merge = [&](int axis) {
    return std::ranges::all_of(operands, [&](const Operand& operand) {
      return operand.strides[axes - 1] == shape[axis] * operand.strides[axis];
    });
  };
  for (int axis = 0; axis < ndim; ++axis) {
    if (axis == ndim - inner) split_ = axes;
    if (shape[axis] == 1) continue;
    const bool is_first = axes == 0 || (axis >= ndim - inner && axes == split_);
    if (!is_first && can_merge(axis)) {
      shape_[axes - 1] *= shape[axis];
    } else {
      shape_.push_back(shape[axis]);
      ++axes;
    }
    for (Operand& operand : operands) operand.strides[axes - 1] = operand.strides[axis];
  }
  split_before(inner == 0 ? axes : split_);
}

void Walk::split_before(int axis) {
  split_ = axis;
  outer_count_ = inner_count_ = 1;
  for (int i = 0; i < static_cast<int>(shape_.size()); ++i)
    (i < axis ? outer_count_ : inner_count_) *= shape_[i];
}

Walk Walk::over_all(std::span<const std::int64_t> shape, std::int64_t least,
                    std::span<Operand> operands) {
  Walk walk(shape, static_cast<int>(shape.size()), operands);
  int axis = static_cast<int>(walk.shape_.size());
  for (std::int64_t count = 1; axis > 0 && count < least;) count *= walk.shape_[--axis];
  walk.split_before(axis);
  return walk;
}

bool Walk::is_dense(const Operand& operand) const {
  std::int64_t expected = operand.bytes;
  if (expected == 0) return false;
  for (int axis = static_cast<int>(shape_.size()) - 1; axis >= split_; --axis) {
    if (operand.strides[axis] != expected) return false;
    expected *= shape_[axis];
  }
  return true;
}

template <class F>
void Walk::each_grid(const Operand& operand, std::int64_t begin, std::int64_t n, F f) const {
  const int last = static_cast<int>(shape_.size()) - 1;
  if (last < split_) return f(0, 0, 1, n);
  if (last == split_) return f(begin * operand.strides[last], 0, 1, n);
  std::int64_t index[max_dimensions];
  std::int64_t offset = 0, rest = begin;
  for (int axis = last; axis >= split_; --axis) {
    index[axis] = rest % shape_[axis];
    rest /= shape_[axis];
    offset += index[axis] * operand.strides[axis];
  }
  const std::int64_t length = shape_[last];
  for (std::int64_t done = 0;;) {
    const bool is_whole = index[last] == 0 && n - done >= length;
    const std::int64_t rows =
        is_whole ? std::min((n - done) / length, shape_[last - 1] - index[last - 1]) : 1;
    const std::int64_t columns = is_whole ? length : std::min(n - done, length - index[last]);
    f(offset, done, rows, columns);
    if ((done += rows * columns) == n) return;
    offset += (rows - 1) * operand.strides[last - 1] - index[last] * operand.strides[last];
    index[last - 1] += rows - 1;
    index[last] = 0;
    for (int axis = last - 1; axis >= split_; --axis) {
      offset += operand.strides[axis];
      if (++index[axis] < shape_[axis]) break;
      offset -= shape_[axis] * operand.strides[axis];
      index[axis] = 0;
    }
  }
}

void Walk::gather_repeated(const RowTable& rows, const Operand& operand, std::int64_t offset,
                           std::int64_t begin, std::int64_t n, char* out) const {
  constexpr std::int64_t most = 256;  // elements at a time
  alignas(64) char elements[most * 16], repeated[shortest_repetition * 16];
  const std::int64_t times = last_length(), bytes = operand.bytes, end = begin + n;
  const int size = log2_bytes(bytes);
  const Walk apart = without_last();
  for (std::int64_t first = begin / times; first * times < end; first += most) {
    const std::int64_t count = std::min(most, divided_up(end, times) - first);
    apart.gather(rows, operand, offset, first, count, elements);
    for (std::int64_t i = 0; i < count;) {
      const std::int64_t at = (first + i) * times;
      const std::int64_t whole = at < begin ? 0 : std::min(count - i, (end - at) / times);
      char* const to = out + (at - begin) * bytes;
      if (whole > 0) {
        rows.repeats[size](to, elements + i * bytes, times, whole);
        i += whole;
        continue;
      }
      // the first and the last element may be cut
      const std::int64_t from = std::max(at, begin), part = std::min(at + times, end) - from;
      rows.repeats[size](repeated, elements + i * bytes, part, 1);
      std::memcpy(out + (from - begin) * bytes, repeated, static_cast<std::size_t>(part * bytes));
      ++i;
    }
  }
}

void Walk::gather(const RowTable& rows, const Operand& operand, std::int64_t offset,
                  std::int64_t begin, std::int64_t n, char* out) const {
  const std::int64_t stride = last_stride(operand);
  if (operand.bytes == 0) {
    const std::int64_t start = reinterpret_cast<std::intptr_t>(operand.base) + offset;
    const std::int64_t by_row = row_stride(operand);
    return each_grid(operand, begin, n, [&](auto at, auto first, auto rows_of, auto columns) {
      auto* index = reinterpret_cast<std::int64_t*>(out) + first;
      for (std::int64_t row = 0; row < rows_of; ++row, index += columns)
        number(index, start + at + row * by_row, stride, columns);
    });
  }
  const bool has_more = static_cast<int>(shape_.size()) - split_ > 1;
  if (has_more && stride == 0 && last_length() < shortest_repetition)
    return gather_repeated(rows, operand, offset, begin, n, out);
  const int size = log2_bytes(operand.bytes);
  each_grid(operand, begin, n, [&](auto at, auto first, auto count, auto columns) {
    char* const to = out + first * operand.bytes;
    const char* const from = operand.base + offset + at;
    if (count == 1 || columns > longest_row) {
      for (std::int64_t row = 0; row < count; ++row)
        rows.gathers[size](to + row * columns * operand.bytes, from + row * row_stride(operand),
                           stride, columns);
      return;
    }
    rows.gather_grids[size](to, from, {row_stride(operand), stride, count, columns});
  });
}

void Walk::scatter(const RowTable& rows, const Operand& operand, std::int64_t offset,
                   std::int64_t begin, std::int64_t n, const char* in) const {
  const std::int64_t stride = last_stride(operand);
  const int size = log2_bytes(operand.bytes);
  each_grid(operand, begin, n, [&](auto at, auto first, auto count, auto columns) {
    const char* const from = in + first * operand.bytes;
    char* const to = operand.base + offset + at;
    if (count == 1 || columns > longest_row) {
      for (std::int64_t row = 0; row < count; ++row)
        rows.scatters[size](to + row * row_stride(operand), from + row * columns * operand.bytes,
                            stride, columns);
      return;
    }
    rows.scatter_grids[size](to, from, {row_stride(operand), stride, count, columns});
  });
}

}  // namespace isthmus::inline ISTHMUS_ABI::host
