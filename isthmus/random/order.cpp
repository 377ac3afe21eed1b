// order.cpp: random orders, and choices of what there is.
#include <cmath>
#include <limits>
#include <unordered_set>

#include "isthmus/array/arrange/manipulate.h"
#include "isthmus/array/functions.h"
#include "isthmus/array/index/index.h"
#include "isthmus/array/index/search.h"
#include "isthmus/array/index/take.h"
#include "isthmus/array/sort/scan.h"
#include "isthmus/array/sort/sort.h"
#include "isthmus/random/drawing.h"

namespace isthmus::inline ISTHMUS_ABI::random {

using detail::check, detail::checked_count;

namespace {

/// p as reals. Throws for what are no probabilities of so many things; waits to look at them.
Array checked_probabilities(Array p, std::int64_t count) {
  const Family family = p.dtype().family;
  check(family == Family::real || family == Family::integer || family == Family::natural,
        Errc::type, "choice: p has the dtype {}, not a real one", p.dtype());
  if (family != Family::real) p = astype(p, default_real(p.device()));
  check(p.ndim() == 1 && p.shape(0) == count, Errc::value,
        "choice: p has the shape {} for {} elements", p.shape(), count);
  check(all(p >= 0).item<bool>(), Errc::value, "choice: p has numbers below 0, or NaN");
  const double total = sum(p).item<double>();
  const double error = p.dtype().bits == 64 ? 1.5e-8 : 3.5e-4;
  check(std::abs(total - 1) <= error, Errc::value, "choice: the sum of p is {}, not 1", total);
  return p;
}

/// Fewer elements than one in so many are drawn one after another: few of them are drawn twice, and
/// a random order of all elements would take the time and memory of all.
constexpr std::int64_t few_of = 32;

/// `wanted` different integers from 0 to below `count`: one that was drawn before is left out.
Array few_different(Generator& generator, std::int64_t wanted, std::int64_t count) {
  std::vector<std::int64_t> found;
  std::unordered_set<std::int64_t> known;
  while (std::ssize(found) < wanted) {
    const std::int64_t missing = wanted - std::ssize(found);
    const Array drawn =
        generator.integers(0, count, missing + missing / few_of + 4, TypeId::int64, false, "cpu");
    for (const std::int64_t one : drawn.to_vector<std::int64_t>())
      if (std::ssize(found) < wanted && known.insert(one).second) found.push_back(one);
  }
  return Array(std::move(found));
}

/// x with its axis in the order of the indices, which are inside.
Array taken(const Array& x, const Array& indices, std::int64_t axis) {
  return take(x, indices, axis, Outside::clip);
}

}  // namespace

Array Generator::permutation(AnyInteger count, const std::optional<Device>& device) {
  check(count >= 0, Errc::value, "permutation: of {} numbers", count);
  const Target target{"permutation", Shape{count}, TypeId::uint64,
                      device ? *device : default_device()};
  return argsort(held().draw(target, Op::random_bits));
}

Array Generator::permutation(const Array& x, AnyInteger axis) {
  const InContextOf meanwhile(x);
  const int along = detail::checked_axis("permutation", axis, x.ndim());
  return taken(x, permutation(x.shape(along), x.device()), along);
}

void Generator::shuffle(const Array& x, AnyInteger axis) {
  check(!x.is_read_only(), Errc::value, "shuffle: the array is read-only");
  assign(x, permutation(x, detail::checked_axis("shuffle", axis, x.ndim())));
}

Array Generator::choice(AnyInteger count, const Shape& size, Flag replace,
                        const std::optional<Array>& often, const std::optional<Device>& device) {
  std::optional<InContextOf> meanwhile;
  if (often) meanwhile.emplace(*often);
  const Device where = device ? *device : often ? often->device() : default_device();
  const std::int64_t wanted = checked_count("choice", {size.begin(), size.end()});
  check(count >= 0, Errc::value, "choice: of {} numbers", count);
  check(count > 0 || wanted == 0, Errc::value, "choice: {} of {} elements", wanted, count);
  std::optional<Array> p;
  if (often) {
    p = checked_probabilities(*often, count);
    check(p->device() == where, Errc::device_mismatch,
          "choice: p is on {}, the result on {}; move it with to_device", p->device(), where);
  }
  if (replace) {
    if (!p || wanted == 0)
      return integers(0, std::max<std::int64_t>(count, 1), size, TypeId::int64, false, where);
    const Array sums = cumulative_sum(*p, 0);
    const Array u = random(size, p->dtype().bits == 64 ? TypeId::float64 : TypeId::float32, where);
    return searchsorted(sums / sums[{-1}], u, Side::right);
  }
  const std::int64_t there =
      p ? sum(not_equal(*p, 0), all_axes, false, TypeId::int64).item<std::int64_t>() : count.value;
  check(wanted <= there, Errc::value, "choice: {} of {} elements without replacement", wanted,
        there);
  if (!p && wanted < count / few_of)
    return reshape(to_device(few_different(*this, wanted, count), where), size);
  // Efraimidis and Spirakis, "Weighted random sampling with a reservoir", 2006
  const Array order =
      p ? argsort(divide(
              standard_exponential(
                  Shape{count}, p->dtype().bits == 64 ? TypeId::float64 : TypeId::float32, where),
              *p))
        : permutation(count, where);
  return reshape(order[{slice(0, wanted)}], size);
}

Array Generator::choice(const Array& x, const Shape& size, Flag replace,
                        const std::optional<Array>& p, AnyInteger axis) {
  const InContextOf meanwhile(x);
  const int along = detail::checked_axis("choice", axis, x.ndim());
  return taken(x, choice(x.shape(along), size, replace, p, x.device()), along);
}

}  // namespace isthmus::inline ISTHMUS_ABI::random
