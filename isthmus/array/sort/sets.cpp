// sets.cpp: distinct elements by a sort, whose runs of equal elements are numbered by a scan.
#include "isthmus/array/sort/sets.h"

#include <bit>
#include <optional>
#include <utility>

#include "isthmus/array/arrange/manipulate.h"
#include "isthmus/array/create/create.h"
#include "isthmus/array/functions.h"
#include "isthmus/array/index/index.h"
#include "isthmus/array/index/nonzero.h"
#include "isthmus/array/index/positions.h"
#include "isthmus/array/infer/dtypes.h"
#include "isthmus/array/place.h"
#include "isthmus/array/reduce/reduced.h"
#include "isthmus/array/sort/rows.h"
#include "isthmus/array/sort/scan.h"
#include "isthmus/array/sort/sort.h"

namespace isthmus::inline ISTHMUS_ABI {

namespace {

using detail::load;
using detail::store;

/// The elements of an array in order, and where runs of equal ones are.
class Runs {
 public:
  Runs(std::string_view who, const Array& x) : who_(who), meanwhile_(x) {
    check_has_numbers(who, x);
    const Array row = detail::in_one_row(x);
    size_ = row.size();
    order_ = argsort(row).eval();
    elements_ = load(who, row, order_).eval();
    place_ = index_along(Shape{size_}, 0, x.device());
    const Array before = load(who, elements_, maximum(place_ - 1, 0));
    is_first_ = ((place_ == 0) | (elements_ != before)).eval();
    run_ = (cumulative_sum(is_first_) - 1).eval();
  }

  std::int64_t size() const { return size_; }
  const Array& order() const { return order_; }

  /// How many runs there are. Waits.
  std::int64_t count() const { return size_ ? run_[-1].item<std::int64_t>() + 1 : 0; }

  Array values(std::int64_t count) const { return of_first(elements_, count); }
  Array indices(std::int64_t count) const { return of_first(order_, count); }

  /// The run that each element of x is in, in row-major order.
  Array inverse() const {
    const Array made = empty(Shape{size_}, TypeId::int64, order_.device());
    if (size_) store(who_, made, order_, run_, true);
    return made;
  }

  Array counts(std::int64_t count) const {
    const Array begin = of_first(place_, count);
    const Array run = index_along(Shape{count}, 0, order_.device());
    const Array next = load(who_, begin, minimum(run + 1, std::max<std::int64_t>(count - 1, 0)));
    return where(run < count - 1, next, size_) - begin;
  }

 private:
  /// Of each run what its first element has.
  Array of_first(const Array& x, std::int64_t count) const {
    const Array made = empty(Shape{count}, x.dtype(), x.device());
    if (count) store(who_, made, where(is_first_, run_, -1), x, true);
    return made;
  }

  std::string_view who_;
  InContextOf meanwhile_;
  std::int64_t size_ = 0;
  Array order_, elements_, place_, is_first_, run_;
};

/// The sorted elements of an array, without their positions.
class InOrder {
 public:
  /// Waits.
  explicit InOrder(const Array& x) : elements_(sort(detail::in_one_row(x)).eval()) {
    if (elements_.size() < 2) return;
    next_ = flatnonzero(elements_[{slice(1)}] != elements_[{slice({}, -1)}]) + 1;
    next_.eval();
  }

  Array values() const {
    if (elements_.size() < 2) return elements_;
    return concat({elements_[{slice(0, 1)}], load("unique_values", elements_, next_)});
  }
  Array counts() const {
    const std::int64_t size = elements_.size();
    if (size < 2) return full(Shape{size}, 1, TypeId::int64, elements_.device());
    const auto place = [&](std::int64_t at) {
      return full(Shape{1}, at, TypeId::int64, next_.device());
    };
    return concat({next_, place(size)}) - concat({place(0), next_});
  }

 private:
  Array elements_;
  Array next_;  ///< Where runs of equal elements begin, but for the first one.
};

/// By one order of both; the elements of x1 and the runs that x2 has.
Array is_in_by_runs(const Array& x1, const Array& x2) {
  const Runs runs("isin", concat({detail::in_one_row(x1), detail::in_one_row(x2)}));
  const Array is_known = zeros(Shape{runs.size()}, TypeId::bool_, x1.device());
  const Array run = runs.inverse();
  if (x2.size()) store("isin", is_known, run[{slice(x1.size())}], true, false);
  return reshape(load("isin", is_known, run[{slice({}, x1.size())}]), Shape(x1.shape()));
}

/// So many comparisons take less time on the host than a search. Devices would compile a kernel for
/// each number of them.
constexpr std::int64_t few_values = 16;

/// By comparing with each value.
Array is_any_of(const Array& x, const Array& known) {
  const Array values = detail::in_one_row(known).eval();
  Array found = x == values[0];
  for (std::int64_t i = 1; i < values.size(); ++i) found = found | (x == values[i]);
  return found;
}

/// The type without a sign that has as many bits as an integer's.
DType natural_of(DType type) {
  constexpr TypeId by_size[] = {TypeId::uint8, TypeId::uint16, TypeId::uint32, TypeId::uint64};
  return by_size[std::countr_zero(static_cast<unsigned>(type.bits)) - 3];
}

/// By a table with a place for each integer from the least to the greatest that is known. Nothing
/// where that takes more than a few places for each element.
std::optional<Array> is_in_by_table(const Array& x, const Array& known) {
  constexpr std::uint64_t places_each = 6, most_places = std::uint64_t{1} << 26;
  const Array values = detail::in_one_row(known).eval();
  const Array first = min(values), last = max(values);
  const auto bits = [](const Array& number) {
    const Scalar s = number.item();
    return s.dtype.family == Family::natural ? s.natural : static_cast<std::uint64_t>(s.integer);
  };
  const std::uint64_t range = bits(last) - bits(first);
  // a view may show more elements than 64 bits count places for
  const std::uint64_t elements = static_cast<std::uint64_t>(x.size()) + values.size();
  if (range >= most_places || range / places_each >= elements) return {};
  // differences wrap around, so that they are in the range for what lies in it alone
  const DType natural = natural_of(x.dtype());
  const Array at = astype(x - first, natural, false);
  const Array is_inside = at <= astype(last - first, natural, false);
  const Array table = zeros(Shape{static_cast<std::int64_t>(range) + 1}, TypeId::bool_, x.device());
  store("isin", table, astype(astype(values - first, natural, false), TypeId::int64), true, false);
  const Array place = astype(where(is_inside, at, 0), TypeId::int64, false);
  return logical_and(load("isin", table, place), is_inside);
}

Array is_in(const Array& x1, const Array& x2) {
  const Value both[] = {x1, x2};
  const DType common = result_type("isin", both);
  const bool is_bool = common.family == Family::boolean;
  const DType dtype = is_bool ? DType(TypeId::uint8) : calculated_in(common, x1.device());
  const InContextOf meanwhile(x1);
  if (x2.size() == 0) return full(x1.shape(), false, {}, x1.device());
  if (is_integer(x1.dtype()) && is_integer(x2.dtype()) && common.family == Family::real) {
    // uint64 and a signed dtype: floats would make one number of several
    const bool is_signed = x1.dtype().family == Family::integer;
    const Array fits = is_signed ? x1 >= 0 : x1 <= INT64_MAX;
    const DType wide = is_signed ? TypeId::uint64 : TypeId::int64;
    return is_in(astype(x1, wide, false), astype(x2, wide, false)) & fits;
  }
  const Array x = astype(x1, dtype, false), known = astype(x2, dtype, false);
  if (x.device().is_host() && known.size() <= few_values) return is_any_of(x, known);
  if (dtype.family == Family::complex) return is_in_by_runs(x, known);
  if (x.device().is_host() && is_integer(dtype))
    if (std::optional<Array> found = is_in_by_table(x, known)) return std::move(*found);
  const Array sorted = sort(detail::in_one_row(known)).eval();
  const Array at = detail::search("isin", sorted, x, false);
  return load("isin", sorted, minimum(at, sorted.size() - 1)) == x;
}

}  // namespace

Array unique_values(const Array& x) {
  check_has_numbers("unique_values", x);
  const InContextOf meanwhile(x);
  return InOrder(x).values();
}

UniqueCounts unique_counts(const Array& x) {
  check_has_numbers("unique_counts", x);
  const InContextOf meanwhile(x);
  const InOrder elements(x);
  return {elements.values(), elements.counts()};
}

UniqueInverse unique_inverse(const Array& x) {
  const Runs runs("unique_inverse", x);
  return {runs.values(runs.count()), reshape(runs.inverse(), Shape(x.shape()))};
}

UniqueAll unique_all(const Array& x) {
  const Runs runs("unique_all", x);
  const std::int64_t count = runs.count();
  return {runs.values(count), runs.indices(count), reshape(runs.inverse(), Shape(x.shape())),
          runs.counts(count)};
}

Array isin(const Value& x1, const Value& x2, Flag invert) {
  check(x1.array || x2.array, Errc::type, "isin: two numbers; one must be an array");
  for (const Value* value : {&x1, &x2})
    if (value->array) check_has_numbers("isin", *value->array);
  // comparisons know what is equal to a number, also to one that the dtype does not hold
  const Array found = !x2.array   ? apply(Op::equal, {*x1.array, x2})
                      : !x1.array ? any(apply(Op::equal, {*x2.array, x1}))
                                  : is_in(*x1.array, *x2.array);
  return invert ? logical_not(found) : found;
}

}  // namespace isthmus::inline ISTHMUS_ABI
