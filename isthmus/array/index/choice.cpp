// choice.cpp: positions of chosen elements as one expression, which the kernel that reads or writes
// them calculates.
#include "isthmus/array/index/choice.h"

#include <algorithm>
#include <bit>

#include "isthmus/array/apply.h"
#include "isthmus/array/arrange/manipulate.h"
#include "isthmus/array/functions.h"
#include "isthmus/array/index/positions.h"
#include "isthmus/array/index/seen.h"
#include "isthmus/array/place.h"
#include "isthmus/array/reduce/reduced.h"
#include "isthmus/core/record_field.h"
#include "isthmus/runtime/evaluate/put_off.h"

namespace isthmus::inline ISTHMUS_ABI::detail {

namespace {

/// The shape that all indices broadcast to.
Dims common_shape(std::string_view who, const std::vector<Chosen>& chosen) {
  Dims common;
  for (const Chosen& one : chosen) {
    const Dims& shape = one.indices.shape();
    while (common.size() < shape.size()) common.insert(0, 1);
    const std::size_t missing = common.size() - shape.size();
    for (std::size_t i = 0; i < shape.size(); ++i) {
      std::int64_t& length = common[missing + i];
      check(length == shape[i] || length == 1 || shape[i] == 1, Errc::index,
            "{}: indices of shapes {} and {} cannot be broadcast together", who, common, shape);
      if (length == 1) length = shape[i];
    }
  }
  return common;
}

/// With axes of length 1 in front, and so many behind.
Array among(const Array& x, std::size_t rank, std::size_t behind) {
  Layout layout = x.layout();
  while (behind-- > 0) layout.shape.push_back(1), layout.strides.push_back(0);
  while (layout.shape.size() < rank) layout.shape.insert(0, 1), layout.strides.insert(0, 0);
  return layout.shape == x.shape() ? x : seen_as(x, std::move(layout));
}

Array inside(std::string_view who, Array indices, const Chosen& of, LateIndexList& late) {
  if (of.is_checked) return indices;
  const std::int64_t length = product_of({of.shape.begin(), of.shape.end()});
  const int axis = of.shape.size() == 1 ? of.axis : -1;
  if (of.outside == Outside::raise)
    return checked_indices(who, indices, length, axis, of.indices.shape(), late);
  check_integers(who, indices);
  check(length > 0 || indices.size() == 0, Errc::index,
        "{}: {} indices are out of bounds for an axis of length 0", who, indices.size());
  const std::int64_t last = std::max<std::int64_t>(length, 1) - 1;
  if (indices.dtype().id != TypeId::uint64)
    indices = astype(std::move(indices), TypeId::int64, false);
  indices = of.outside == Outside::wrap ? remainder(std::move(indices), last + 1)
                                        : clip(std::move(indices), 0, last);
  return astype(std::move(indices), TypeId::int64, false);
}

}  // namespace

Array Choice::positions(std::string_view who, const Array& x, LateIndexList& late) const {
  const InContextOf meanwhile(x);
  const std::int64_t first = kept.offset - Positions(x.layout()).lowest;
  const auto position = [&](const Chosen& one, Array indices) {
    check(one.indices.device() == x.device(), Errc::device_mismatch,
          "{}: the array is on {}, the indices on {}; move one with to_device", who, x.device(),
          one.indices.device());
    check_same_context(who, *x.storage(), *one.indices.storage());
    return position_of(inside(who, std::move(indices), one, late), one.shape, one.strides);
  };
  if (chosen.size() == 1 && kept.shape.empty()) {
    Array only = position(chosen[0], chosen[0].indices);
    return first == 0 ? only : std::move(only) + first;
  }
  const Dims common = common_shape(who, chosen);
  const std::size_t behind = kept.shape.size() - place, rank = common.size() + kept.shape.size();
  check(rank <= max_dimensions, Errc::value, "{}: the result has {} axes; at most {}", who, rank,
        max_dimensions);
  std::optional<Array> sum;
  const auto add = [&](Array part) {
    sum = sum ? std::move(*sum) + std::move(part) : std::move(part);
  };
  for (const Chosen& one : chosen) add(position(one, among(one.indices, rank, behind)));
  Shape shape;
  for (std::size_t i = 0; i <= kept.shape.size(); ++i) {
    for (std::size_t k = 0; i == place && k < common.size(); ++k) shape.push_back(common[k]);
    if (i < kept.shape.size()) shape.push_back(kept.shape[i]);
  }
  // the axes without indices give one number, so that where they are dense the positions are known
  // to follow each other
  Layout along{Dims(shape), Dims(shape.size(), 0), first};
  bool has_axes = false;
  for (std::size_t i = 0; i < kept.shape.size(); ++i) {
    if (kept.shape[i] == 1) continue;
    along.strides[i < place ? i : i + common.size()] = kept.strides[i];
    has_axes = true;
  }
  if (has_axes) return std::move(*sum) + places_of(std::move(along), x.device());
  return along.offset == 0 ? std::move(*sum) : std::move(*sum) + along.offset;
}

Choice along_axis(const Array& x, const Array& indices, int axis, Outside outside,
                  bool is_checked) {
  Choice choice;
  const auto at = static_cast<std::size_t>(axis);
  choice.kept = x.layout();
  choice.place = at;
  const std::int64_t length = choice.kept.shape[at], stride = choice.kept.strides[at];
  choice.kept.shape.erase(at);
  choice.kept.strides.erase(at);
  choice.chosen.push_back({indices, Dims{length}, Dims{stride}, axis, outside, is_checked});
  return choice;
}

Array elements_at(std::string_view who, const Array& x, Array positions, int axis) {
  return read(who, x, along_axis(x, positions, axis, Outside::raise, true));
}

namespace {

/// Structs as words of memory, which are one more axis. The host moves 16 bytes at once, whatever
/// their address; kernels of devices may calculate with them.
struct Words {
  /// The most bytes of a word that memory and structs allow.
  static std::int64_t width_of(const Array& x) {
    x.eval();
    const Ref<BackendMemory>& memory = x.storage()->memory();
    const bool has_address = memory->kind != MemoryKind::buffer;
    std::int64_t width = x.device().is_host() ? 16 : 8;
    while (x.dtype().bytes() % width != 0 ||
           (has_address && memory->handle % std::min<std::uintptr_t>(width, 8)))
      width /= 2;
    return width;
  }

  Words(const Array& x, std::int64_t width) : each(x.dtype().bytes() / width) {
    constexpr TypeId types[] = {TypeId::uint8, TypeId::uint16, TypeId::uint32, TypeId::uint64,
                                TypeId::complex128};
    const DType dtype = types[std::countr_zero(static_cast<std::uint64_t>(width))];
    elements = from_view({x.storage()->memory(), dtype, of(x.layout()), x.is_read_only()});
  }

  Layout of(Layout layout) const {
    stretch(layout.strides);
    layout.offset *= each;
    layout.shape.push_back(each);
    layout.strides.push_back(1);
    return layout;
  }
  Choice of(Choice choice) const {
    choice.kept = of(std::move(choice.kept));
    for (Chosen& one : choice.chosen) stretch(one.strides);
    return choice;
  }
  void stretch(Dims& strides) const {
    for (std::int64_t& stride : strides)
      if (!product_fits(stride, each, stride)) stride = 1;  // only of no elements
  }

  std::int64_t each;
  Array elements;
};

/// Back from words, of which a struct has `each`.
Array as_structs(const Array& words, DType dtype) {
  const Array whole = contiguous(words);
  whole.eval();
  Dims shape = whole.shape();
  shape.pop_back();
  Layout layout = row_major({shape.begin(), shape.end()});
  layout.offset = whole.layout().offset / whole.shape().back();
  return from_view({whole.storage()->memory(), dtype, std::move(layout), false});
}

/// Values without leading axes that positions do not have: those of length 1, and, as in NumPy, any
/// where none are written and what is left has no elements either.
Array fitted(const Array& values, const Array& positions) {
  const Array plain = without_leading_ones(values, positions.ndim());
  if (positions.size() != 0 || plain.ndim() <= positions.ndim()) return plain;
  const auto more = static_cast<std::size_t>(plain.ndim() - positions.ndim());
  Layout layout = plain.layout();
  for (std::size_t i = 0; i < more; ++i) layout.shape.erase(0), layout.strides.erase(0);
  return layout.count() == 0 ? seen_as(plain, std::move(layout)) : plain;
}

}  // namespace

Array read(std::string_view who, const Array& x, const Choice& choice) {
  LateIndexList late;
  if (x.dtype().is_builtin())
    return load(who, x, guarded(choice.positions(who, x, late), late, false));
  const Words words(x, Words::width_of(x));
  const Array at = words.of(choice).positions(who, words.elements, late);
  return as_structs(load(who, words.elements, guarded(at, late, false)), x.dtype());
}

void write(std::string_view who, const Array& x, const Choice& choice, const Value& values) {
  check(!x.is_read_only(), Errc::value,
        "{}: the array is read-only (a broadcast, or read-only memory); copy it first", who);
  // of one value for all it does not matter which comes last
  const bool is_one = !values.array || values.array->size() == 1;
  const bool is_unique = is_one || (choice.is_unique && !may_overlap_itself(x.layout()));
  LateIndexList late;
  if (!x.dtype().is_builtin()) {
    check(values.array && is_same_struct(values.array->dtype(), x.dtype()), Errc::type,
          "{}: the values must be an array of the same structs", who);
    const Array near = brought_to(x, *values.array);
    const std::int64_t width = std::min(Words::width_of(x), Words::width_of(near));
    const Words words(x, width), source(near, width);
    const Array at = guarded(words.of(choice).positions(who, words.elements, late), late, true);
    return store(who, words.elements, at, fitted(source.elements, at), is_unique);
  }
  const WrittenAtOnce written;
  Array at = guarded(choice.positions(who, x, late), late, true);
  if (!values.array) return store(who, x, std::move(at), values, is_unique);
  const Array near = fitted(brought_to(x, *values.array), at);
  store(who, x, std::move(at), near, is_unique);
}

}  // namespace isthmus::inline ISTHMUS_ABI::detail
