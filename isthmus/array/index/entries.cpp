// entries.cpp: x[...] with arrays among the entries, as NumPy means it.
#include <algorithm>

#include "isthmus/array/apply.h"
#include "isthmus/array/arrange/manipulate.h"
#include "isthmus/array/create/create.h"
#include "isthmus/array/functions.h"
#include "isthmus/array/index/choice.h"
#include "isthmus/array/index/index.h"
#include "isthmus/array/index/nonzero.h"
#include "isthmus/array/infer/literal.h"
#include "isthmus/array/place.h"
#include "isthmus/base/words.h"
#include "isthmus/core/axis_count.h"
#include "isthmus/runtime/evaluate/put_off.h"

namespace isthmus::inline ISTHMUS_ABI {

using detail::Choice;
using detail::Chosen;
using Kind = IndexItem::Kind;
using Entries = std::span<const IndexEntry>;

namespace {

bool is_mask(const IndexEntry& entry) {
  return entry.array && entry.array->dtype().family == Family::boolean;
}

/// How many axes of x an entry takes; of an ellipsis none.
int axes_of(const IndexEntry& entry) {
  if (is_mask(entry)) return entry.array->ndim();
  return entry.array || entry.item.kind == Kind::integer || entry.item.kind == Kind::slice;
}

void check_array(std::string_view who, const Array& x, const Array& indices) {
  const Family family = indices.dtype().family;
  check(family == Family::boolean || family == Family::integer || family == Family::natural,
        Errc::index, "{}: an array of {} is not an index; integers and bools are", who,
        indices.dtype());
  check(indices.device() == x.device(), Errc::device_mismatch,
        "{}: the array is on {}, the indices on {}; move one with to_device", who, x.device(),
        indices.device());
}

/// The entries without integers that have no axes: those are numbers. Waits for them. Throws for
/// what cannot be entries of x, and for too many.
std::vector<IndexEntry> numbered(std::string_view who, const Array& x, Entries entries) {
  std::vector<IndexEntry> plain;
  int axes = 0, ellipses = 0;
  for (const IndexEntry& entry : entries) {
    if (entry.array) check_array(who, x, *entry.array);
    axes += axes_of(entry);
    ellipses += !entry.array && entry.item.kind == Kind::ellipsis;
    if (!entry.array || is_mask(entry) || entry.array->ndim() > 0) {
      plain.push_back(entry);
    } else if (entry.array->dtype().family == Family::natural) {
      const auto number = entry.array->item<std::uint64_t>();
      check(std::in_range<std::int64_t>(number), Errc::index,
            "{}: {} is out of bounds for every axis", who, number);
      plain.emplace_back(static_cast<std::int64_t>(number));
    } else {
      plain.emplace_back(entry.array->item<std::int64_t>());
    }
  }
  check(ellipses <= 1, Errc::index, "{}: {} ellipses; at most one is allowed", who, ellipses);
  check(axes <= x.ndim(), Errc::index, "{}: {} indices for an array of {}", who, axes,
        detail::AxisCount(x.ndim()));
  return plain;
}

bool has_arrays(Entries entries) {
  return std::ranges::any_of(entries, [](const IndexEntry& entry) { return !!entry.array; });
}

/// The axes of x from this one on that a mask takes the place of are as long as its own, but for
/// those of length 0, with which it chooses nothing.
void check_mask(std::string_view who, const Array& x, int axis, const Array& mask) {
  bool fits = true;
  for (int i = 0; i < mask.ndim(); ++i) {
    const std::int64_t length = mask.shape()[static_cast<std::size_t>(i)];
    fits = fits && (length == 0 || length == x.shape()[static_cast<std::size_t>(axis + i)]);
  }
  if (fits) return;
  const int last = axis + mask.ndim() - 1;
  fail(Errc::index, "{}: a mask of shape {} does not fit {} of shape {}", who, mask.shape(),
       last == axis ? detail::format("axis {}", axis) : detail::format("axes {} to {}", axis, last),
       x.shape());
}

/// Goes through the entries and their axes of x, those of an ellipsis and of missing ones as
/// slices: calls f(entry, axis).
template <class F>
void each_axis(const Array& x, Entries entries, F f) {
  int taken = 0, axis = 0;
  for (const IndexEntry& entry : entries) taken += axes_of(entry);
  const auto all = slice();
  const auto skip = [&](int count) {
    for (; count > 0; --count) f(IndexEntry(all), axis++);
  };
  bool has_ellipsis = false;
  for (const IndexEntry& entry : entries) {
    if (!entry.array && entry.item.kind == Kind::ellipsis) {
      has_ellipsis = true;
      f(entry, axis);
      skip(x.ndim() - taken);
    } else {
      f(entry, axis);
      axis += axes_of(entry);
    }
  }
  if (!has_ellipsis) skip(x.ndim() - taken);
}

/// Where a mask of no axes stands: an axis of length 1, or 0 if it is false.
Chosen chosen_by(const Array& truth) {
  const std::int64_t length = truth.item<bool>();
  return {zeros({length}, TypeId::int64, truth.device()), Dims(), Dims(), 0, Outside::raise, true};
}

Choice choice_of(std::string_view who, const Array& x, Entries entries) {
  if (entries.size() == 1 && !is_mask(entries[0]))  // most, and often few elements
    return detail::along_axis(x, *entries[0].array, 0, Outside::raise);
  const InContextOf meanwhile(x);
  // slices and numbers first: what they leave, and in which axes of it arrays are
  std::vector<IndexItem> basic;
  std::vector<std::pair<const Array*, int>> arrays;  // with the number of the first axis
  std::vector<std::size_t> taken;                    // axes of what is left, of each array
  std::size_t left = 0;
  enum { before, within, behind, apart } state = before;
  Choice choice;
  each_axis(x, entries, [&](const IndexEntry& entry, int axis) {
    const bool is_number = !entry.array && entry.item.kind == Kind::integer;
    if (entry.array || is_number) {
      if (state == before) choice.place = left;
      if (state == behind) state = apart;
      if (state == before) state = within;
    } else if (state == within) {
      state = behind;
    }
    if (!entry.array) {
      if (entry.item.kind != Kind::ellipsis) basic.push_back(entry.item);
      left += entry.item.kind == Kind::slice || entry.item.kind == Kind::newaxis;
      return;
    }
    if (is_mask(entry)) check_mask(who, x, axis, *entry.array);
    arrays.emplace_back(&*entry.array, axis);
    taken.push_back(left);
    for (int i = axes_of(entry); i > 0; --i) basic.push_back(slice());
  });
  if (state == apart) choice.place = 0;
  choice.kept = index(x, std::span<const IndexItem>(basic)).layout();
  int masks = 0;
  for (std::size_t i = 0; i < arrays.size(); ++i) {
    const Array& array = *arrays[i].first;
    const IndexEntry entry(array);
    if (is_mask(entry) && array.ndim() == 0) {
      choice.chosen.push_back(chosen_by(array));
      ++masks;
      continue;
    }
    Chosen one{array, {}, {}, arrays[i].second, Outside::raise, false};
    for (int k = axes_of(entry); k > 0; --k) {
      one.shape.push_back(choice.kept.shape[taken[i]]);
      one.strides.push_back(choice.kept.strides[taken[i]]);
      choice.kept.shape.erase(taken[i]);
      choice.kept.strides.erase(taken[i]);
    }
    if (is_mask(entry)) {
      one.indices = detail::true_positions(array);
      one.is_checked = true;
      ++masks;
    }
    choice.chosen.push_back(std::move(one));
  }
  choice.is_unique = masks == 1 && arrays.size() == 1;
  return choice;
}

/// Writes one element to all that the only array, a mask, chooses: by one kernel over all of x that
/// other entries leave. Whether it could.
bool try_fill(std::string_view who, const Array& x, Entries entries, const Value& value) {
  const IndexEntry* mask = nullptr;
  for (const IndexEntry& entry : entries) {
    if (!entry.array) continue;
    if (mask || !is_mask(entry) || entry.array->ndim() == 0) return false;
    mask = &entry;
  }
  if (!x.dtype().is_builtin() || (value.array && value.array->size() != 1)) return false;
  if (value.array && value.array->ndim() > 1) return false;
  const InContextOf meanwhile(x);
  std::vector<IndexItem> basic;
  Shape stretched;  // the mask's axes, and 1 for the others
  each_axis(x, entries, [&](const IndexEntry& entry, int axis) {
    if (!entry.array) {
      if (entry.item.kind != Kind::ellipsis) basic.push_back(entry.item);
      if (entry.item.kind == Kind::slice || entry.item.kind == Kind::newaxis)
        stretched.push_back(1);
      return;
    }
    check_mask(who, x, axis, *mask->array);
    for (const std::int64_t length : mask->array->shape()) {
      basic.push_back(slice());
      stretched.push_back(length);
    }
  });
  if (mask->array->size() == 0) return false;  // its axes may be others than those of x
  const Array target = index(x, std::span<const IndexItem>(basic));
  const Array seen =
      stretched == mask->array->shape() ? *mask->array : reshape(*mask->array, stretched, false);
  const WrittenAtOnce written;
  if (value.array) {
    check_cast(who, value.array->dtype(), x.dtype());
    const Array element = reshape(detail::brought_to(x, *value.array), {});
    assign(target, where(seen, astype(element, x.dtype(), false), target));
  } else {
    check_fits(who, value, x.dtype());
    alignas(16) char element[16];
    store(value.scalar, x.dtype(), element);
    assign(target, where(seen, Value(load(x.dtype(), element)), target));
  }
  return true;
}

}  // namespace

/// Where no entry has an array.
static Array view_by(const Array& x, Entries entries) {
  std::vector<IndexItem> items;
  for (const IndexEntry& entry : entries) items.push_back(entry.item);
  return index(x, std::span<const IndexItem>(items));
}

std::optional<Choice> detail::choice_by(std::string_view who, const Array& x, Entries entries) {
  if (!has_arrays(entries)) return {};
  const std::vector<IndexEntry> plain = numbered(who, x, entries);
  if (!has_arrays(plain)) return {};
  return choice_of(who, x, plain);
}

Array index(const Array& x, Entries entries) {
  if (!has_arrays(entries)) return view_by(x, entries);
  const std::vector<IndexEntry> plain = numbered("index", x, entries);
  if (!has_arrays(plain)) return view_by(x, plain);
  return detail::read("index", x, choice_of("index", x, plain));
}

void assign(const Array& x, Entries entries, const Value& value) {
  if (!has_arrays(entries)) return assign(view_by(x, entries), value);
  check(!x.is_read_only(), Errc::value,
        "{}: the array is read-only (a broadcast, or read-only memory); copy it first",
        words().assign);
  const std::vector<IndexEntry> plain = numbered("index", x, entries);
  if (!has_arrays(plain)) return assign(view_by(x, plain), value);
  if (try_fill("index", x, plain, value)) return;
  detail::write("index", x, choice_of("index", x, plain), value);
}

void IndexedArray::operator=(const Value& value) && {
  // its own value is not needed, and need not be calculated before the write
  if (value.array != this) static_cast<Array&>(*this) = Array();
  assign(x_, entries_, value);
}

void IndexedArray::operator=(std::initializer_list<Nested> elements) && {
  for (const Scalar& number : Nested(elements).numbers)  // what one number may not be, none may
    check_fits(words().assign, Value(number, true), x_.dtype());
  const InContextOf meanwhile(x_);
  std::move(*this) = Array(elements, std::nullopt, x_.device());
}

void IndexedArray::update(Op op, const Value& value) && {
  Array changed = std::move(*this);
  apply_in_place(op, changed, value);
  assign(x_, entries_, changed);
}

}  // namespace isthmus::inline ISTHMUS_ABI
