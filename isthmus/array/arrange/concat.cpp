// concat.cpp: arrays joined along an axis, or along a new one.
#include "isthmus/graph/concat.h"

#include <cstring>

#include "isthmus/array/apply.h"
#include "isthmus/array/arrange/manipulate.h"
#include "isthmus/array/arrange/pieces.h"
#include "isthmus/array/create/create.h"
#include "isthmus/array/host_elements.h"
#include "isthmus/array/place.h"
#include "isthmus/core/axis_count.h"
#include "isthmus/core/internal.h"
#include "isthmus/runtime/observe/records.h"
#include "isthmus/runtime/submit/run_here.h"
#include "isthmus/runtime/submit/submission.h"

namespace isthmus::inline ISTHMUS_ABI {

namespace {

/// Whether it shows all elements of its storage in the order in which that has them.
bool is_whole(const Array& x) {
  const Layout& all = x.storage()->layout;
  return is_row_major(x.layout()) && is_row_major(all) && x.layout().offset == all.offset &&
         x.size() == all.count();
}

Part part_at(Layout place, const Array& x) {
  Part part;
  part.source.kind = Operand::Kind::storage;
  part.source.storage = x.storage();
  part.place = std::move(place);
  const Layout& all = x.storage()->layout;
  if (x.layout() == all) return part;
  // a view that is but another shape: the place is seen in the storage's, so that its kernel joins
  Layout seen;
  if (is_whole(x) && try_reshape(part.place, {all.shape.begin(), all.shape.end()}, seen))
    part.place = std::move(seen);
  else
    part.source.layout = x.layout();
  return part;
}

DType common_dtype(std::string_view who, std::span<const Array> arrays) {
  const std::vector<Value> values(arrays.begin(), arrays.end());
  return result_type(who, values);
}

void check_device(std::string_view who, const Array& first, const Array& x) {
  check(x.device() == first.device(), Errc::device_mismatch,
        "{}: arrays are on {} and {}; move one with to_device", who, first.device(), x.device());
}

/// Copies row-major elements to a place in row-major memory, a run of them at a time.
void copy_to(char* memory, const Layout& place, const char* from, std::int64_t bytes) {
  std::size_t outer = place.shape.size();
  std::int64_t run = 1;
  while (outer > 0 && (place.shape[outer - 1] == 1 || place.strides[outer - 1] == run))
    run *= place.shape[--outer];
  Dims at(outer, 0);
  for (std::int64_t left = place.count() / run; left > 0; --left) {
    std::int64_t offset = place.offset;
    for (std::size_t axis = 0; axis < outer; ++axis) offset += at[axis] * place.strides[axis];
    std::memcpy(memory + offset * bytes, from, static_cast<std::size_t>(run * bytes));
    from += run * bytes;
    for (std::size_t axis = outer; axis-- > 0; at[axis] = 0)
      if (++at[axis] < place.shape[axis]) break;
  }
}

/// Many small arrays, of which a kernel for each would take longer than the copy. False, and
/// nothing is done, where the host does not work, or an array needs more than a copy.
template <class F>
bool copy_on_host(std::string_view who, const Array& result, std::span<const Array> arrays,
                  F place_of) {
  const std::int64_t bytes = result.dtype().bytes();
  if (!host_works_for(result.device())) return false;
  std::vector<BackendMemory*> reads;
  for (const Array& x : arrays) {
    if (x.size() == 0) continue;
    if (x.dtype() != result.dtype() || !is_row_major(x.layout())) return false;
    x.eval();
    if (!host_elements(x)) return false;
    reads.push_back(x.storage()->memory().get());
  }
  char* const out = host_elements(result);
  if (!out) return false;
  BackendMemory* const writes[] = {result.storage()->memory().get()};
  Submission(Ref<BackendQueue>(), reads, writes).wait();
  const std::int64_t begin = profiled_now();
  for (std::size_t i = 0; i < arrays.size(); ++i)
    if (arrays[i].size())
      copy_to(out, place_of(i, result.layout()), host_elements(arrays[i]), bytes);
  note_host_work(who, result.layout().shape, result.device(), begin);
  return true;
}

/// The value of `shape` in which the elements of arrays[i] lie at place_of(i, all of it).
template <class F>
Array joined(std::string_view who, std::span<const Array> arrays, DType dtype, const Dims& shape,
             F place_of) {
  const Device device = arrays[0].device();
  const Ref<BackendContext> context = context_for(who, device, arrays);
  check(has_dtype(device, dtype), Errc::type, "{}: {} has no {}; use float32", who, device, dtype);
  const std::int64_t bytes = checked_bytes(who, {shape.begin(), shape.end()}, dtype.bytes());
  // On the host, as many parts as a graph takes longer to plan than they take to copy.
  constexpr std::size_t many = 16;
  constexpr std::int64_t few_bytes = 1 << 20;
  if (!context && arrays.size() > many && bytes <= few_bytes) {
    const Array result = empty({shape.begin(), shape.end()}, dtype, device);
    if (copy_on_host(who, result, arrays, place_of)) return result;
  }
  Layout whole = row_major({shape.begin(), shape.end()});
  std::vector<Part> parts;
  for (std::size_t i = 0; i < arrays.size(); ++i)
    if (arrays[i].size())
      parts.push_back(
          part_at(place_of(i, whole), dtype.record ? astype(arrays[i], dtype, false) : arrays[i]));
  if (parts.empty() || parts.size() > max_parts) {
    std::optional<OnQueue> meanwhile;
    if (context) meanwhile.emplace(queue_in(context, device));
    const Array result = empty({shape.begin(), shape.end()}, dtype, device);
    for (Part& part : parts) write(result.storage(), part.place, std::move(part.source));
    return result;
  }
  PendingFacts facts;
  Ref<Storage> made = make_concat(dtype, device, std::move(whole), context, parts, &facts);
  parts.clear();
  return detail::settle(std::move(made), facts);
}

Array joined_in_row(std::string_view who, std::span<const Array> arrays) {
  const DType dtype = common_dtype(who, arrays);
  Dims begins;
  std::int64_t count = 0;
  for (const Array& x : arrays) {
    check_device(who, arrays[0], x);
    begins.push_back(count);
    check(sum_fits(count, x.size(), count), Errc::value, "{}: axis 0 is longer than 2^63-1", who);
  }
  return joined(who, arrays, dtype, {count}, [&](std::size_t i, const Layout&) {
    Layout place = row_major({arrays[i].shape().begin(), arrays[i].shape().end()});
    place.offset = begins[i];
    return place;
  });
}

}  // namespace

Array detail::concat_for(std::string_view who, std::span<const Array> arrays,
                         OptionalInteger along) {
  check(!arrays.empty(), Errc::value, "{}: no arrays", who);
  if (!along) return joined_in_row(who, arrays);
  const Array& first = arrays[0];
  const auto axis = static_cast<std::size_t>(checked_axis(who, *along, first.ndim()));
  const DType dtype = common_dtype(who, arrays);
  Dims shape = first.shape(), begins;
  shape[axis] = 0;
  for (const Array& x : arrays) {
    check_device(who, first, x);
    check(x.ndim() == first.ndim(), Errc::value, "{}: arrays of {} and {}", who,
          detail::AxisCount(first.ndim()), detail::AxisCount(x.ndim()));
    begins.push_back(shape[axis]);
    std::int64_t extent;
    check(sum_fits(shape[axis], x.shape()[static_cast<int>(axis)], extent), Errc::value,
          "{}: axis {} is longer than 2^63-1", who, axis);
    Dims like = x.shape();
    like[axis] = shape[axis];
    check(like == shape, Errc::value, "{}: shapes {} and {} differ in axes other than {}", who,
          first.shape(), x.shape(), axis);
    shape[axis] = extent;
  }
  return joined(who, arrays, dtype, shape, [&](std::size_t i, const Layout& whole) {
    Layout place = whole;
    place.shape[axis] = arrays[i].shape()[static_cast<int>(axis)];
    place.offset = begins[i] * whole.strides[axis];
    return place;
  });
}

Array concat(std::span<const Array> arrays, OptionalInteger axis) {
  return detail::concat_for("concat", arrays, axis);
}

Array detail::made_of(std::string_view who, std::span<const Piece> pieces, const Shape& shape,
                      DType dtype) {
  std::vector<Array> arrays;
  for (const Piece& piece : pieces) arrays.push_back(piece.array);
  return joined(who, arrays, dtype, {shape.begin(), shape.end()},
                [&](std::size_t i, const Layout& whole) {
                  Layout place = whole;
                  for (std::size_t axis = 0; axis < place.shape.size(); ++axis) {
                    place.shape[axis] = arrays[i].shape()[axis];
                    place.offset += pieces[i].first[axis] * whole.strides[axis];
                  }
                  return place;
                });
}

Array stack(std::span<const Array> arrays, AnyInteger axis) {
  check(!arrays.empty(), Errc::value, "stack: no arrays");
  const Array& first = arrays[0];
  const auto at = static_cast<std::size_t>(checked_axis("stack", axis, first.ndim() + 1));
  for (const Array& x : arrays)
    check(x.shape() == first.shape(), Errc::value, "stack: shapes {} and {} differ", first.shape(),
          x.shape());
  check(static_cast<std::size_t>(first.ndim()) < max_dimensions, Errc::value,
        "stack: the result has {} axes; at most {}", first.ndim() + 1, max_dimensions);
  const DType dtype = common_dtype("stack", arrays);
  for (const Array& x : arrays) check_device("stack", first, x);
  Dims shape = first.shape();
  shape.insert(at, static_cast<std::int64_t>(arrays.size()));
  return joined("stack", arrays, dtype, shape, [&](std::size_t i, const Layout& whole) {
    Layout place = whole;
    place.shape.erase(at);
    place.strides.erase(at);
    place.offset = static_cast<std::int64_t>(i) * whole.strides[at];
    return place;
  });
}

}  // namespace isthmus::inline ISTHMUS_ABI
