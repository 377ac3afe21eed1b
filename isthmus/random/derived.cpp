// derived.cpp: distributions that are expressions of others, by exactly rounded operations alone.
#include <algorithm>
#include <cmath>
#include <limits>

#include "isthmus/array/arrange/manipulate.h"
#include "isthmus/array/create/create.h"
#include "isthmus/array/functions.h"
#include "isthmus/array/index/take.h"
#include "isthmus/array/infer/dtypes.h"
#include "isthmus/array/sort/sort.h"
#include "isthmus/random/drawing.h"

namespace isthmus::inline ISTHMUS_ABI::random {

using detail::check;

namespace {

void check_positive(std::string_view who, std::string_view name, const Value& value) {
  const std::optional<double> number = number_of(value);
  check(!number || *number > 0, Errc::value, "{}: {}: {} is not above 0", who, name,
        number.value_or(0));
}

void check_probability(std::string_view who, const Value& value) {
  const std::optional<double> number = number_of(value);
  check(!number || (*number >= 0 && *number <= 1), Errc::value, "{}: p: {} is not from 0 to 1", who,
        number.value_or(0));
}

/// A number of trials, which is an integer.
std::int64_t whole_number(std::string_view who, const Value& n) {
  const bool is_natural = n.scalar.dtype.family == Family::natural;
  const bool fits = !n.is_past_64_bits && (!is_natural || n.scalar.natural <= INT64_MAX);
  check(fits, Errc::value, "{}: n: it is past 2^63-1", who);
  return n.scalar.integer;
}

/// A parameter beside real numbers of a target, in their dtype.
Value real_of(const Target& target, const Value& value) {
  const Value real = parameter_of(target, value);
  return real.array ? Value(astype(*real.array, target.dtype, false)) : real;
}

/// Of what real_of() gives: of two numbers a number.
Value combined(const Target& target, Op op, const Value& x, const Value& y) {
  const std::optional<double> left = number_of(x), right = number_of(y);
  if (left && right) return op == Op::subtract ? *left - *right : *left / *right;
  return calculate(target.who, op, target.dtype, {x, y});
}

/// x / 2, of a number or of an array.
Value half_of(const Value& x) {
  return x.array ? Value(*x.array * 0.5) : Value(*number_of(x) * 0.5);
}

/// What devices might flush to zero as zero.
Array flushed(const Array& x) {
  const double tiny = x.dtype().bits == 64 ? 2.3e-308 : 1.2e-38;
  return where(less(x, tiny), 0, x);
}

/// exp(x) of numbers up to 0, by exactly rounded operations; 0 below e^-708, or e^-87 in float32.
/// A row of random.def would do it in one step; it would be of use here alone.
Array exponential_of(const Array& x) {
  const bool is_wide = x.dtype().bits == 64;
  const double least = is_wide ? -708 : -87;
  const Array inside = maximum(x, least);
  const Array k = round(inside * 1.4426950408889634);
  // log(2) in two parts: the product with the first is exact
  const double high = is_wide ? 0.69314718036912381649 : 0.693145751953125;
  const double low = is_wide ? 1.9082149292705877e-10 : 0.00000142860677;
  const Array rest = inside - k * high - k * low;
  // Taylor's series, for |rest| <= log(2) / 2
  const int terms = is_wide ? 14 : 8;
  double factorial = 1;
  for (int i = 2; i < terms; ++i) factorial *= i;
  Array series = rest * (1 / factorial);
  for (int i = terms - 1; i > 0; --i) {
    factorial /= i;
    series = series + 1 / factorial;
    if (i > 1) series = series * rest;
  }
  return where(less(x, least), 0, special::ldexp(series, k));
}

/// Gamma numbers as products: those of shapes near 0 are too small for floats, where their
/// quotients are not. Marsaglia and Tsang: one of shape a is one of shape a + 1 times u^(1 / a).
struct GammaProduct {
  Array mass;   ///< Of the shape that is larger by 1.
  Array depth;  ///< -log(u) / a * 2^-60, so that it is finite for every a above 0.
};

GammaProduct gamma_product(Generator& rng, const Target& target, const Value& shape) {
  // below 0, which stays there, it is NaN
  const Value larger = shape.array
                           ? Value(where(less(*shape.array, 0), *shape.array, *shape.array + 1))
                           : Value(*number_of(shape) + 1);
  const Array mass = rng.gamma(larger, 1.0, target.shape, target.dtype, target.device);
  const Array log = rng.standard_exponential(target.shape, target.dtype, target.device);
  // above 0, so that a shape of 0 has no mass
  return {mass, divide(log * 0x1p-60 + 0x1p-100, shape)};
}

}  // namespace

Array Generator::beta(const Value& a, const Value& b, const Shape& size, std::optional<DType> dtype,
                      const std::optional<Device>& device) {
  const InContextOfFirst meanwhile({&a, &b});
  const Target target = real_target("beta", {&a, &b}, size, dtype, device);
  check_positive("beta", "a", a);
  check_positive("beta", "b", b);
  const Value left = real_of(target, a), right = real_of(target, b);
  const std::optional<double> from = number_of(left), to = number_of(right);
  if (from && to && *from >= 1 && *to >= 1) {  // gamma numbers that floats have; twice as fast
    const Array x = gamma(left, 1.0, target.shape, target.dtype, target.device);
    return divide(x, x + gamma(right, 1.0, target.shape, target.dtype, target.device));
  }
  // numbers so small that a float32 would be 0 choose between the ends as larger ones do
  const double factor = from && to ? std::max(1.0, 1e-20 / (*from + *to)) : 1.0;
  const auto inside = [&](const Value& shape, const std::optional<double>& number) {
    return number ? Value(*number * factor) : shape;
  };
  const GammaProduct x = gamma_product(*this, target, inside(left, from));
  const GammaProduct y = gamma_product(*this, target, inside(right, to));
  const Array ahead = (y.depth - x.depth) * 0x1p60;  // of x, as a logarithm
  const Array less_of_it = exponential_of(-abs(ahead));
  const Array part = where(less(ahead, 0), flushed(x.mass * less_of_it), x.mass);
  const Array rest = where(less(ahead, 0), y.mass, flushed(y.mass * less_of_it));
  return flushed(divide(part, part + rest));
}

Array Generator::chisquare(const Value& df, const Shape& size, std::optional<DType> dtype,
                           const std::optional<Device>& device) {
  const InContextOfFirst meanwhile({&df});
  const Target target = real_target("chisquare", {&df}, size, dtype, device);
  check_positive("chisquare", "df", df);
  const Value half = half_of(real_of(target, df));
  return gamma(half, 2.0, target.shape, target.dtype, target.device);
}

Array Generator::f(const Value& dfnum, const Value& dfden, const Shape& size,
                   std::optional<DType> dtype, const std::optional<Device>& device) {
  const InContextOfFirst meanwhile({&dfnum, &dfden});
  const Target target = real_target("f", {&dfnum, &dfden}, size, dtype, device);
  check_positive("f", "dfnum", dfnum);
  check_positive("f", "dfden", dfden);
  const Value above = real_of(target, dfnum), below = real_of(target, dfden);
  const Array x = chisquare(above, target.shape, target.dtype, target.device);
  const Array y = chisquare(below, target.shape, target.dtype, target.device);
  return divide(divide(x, above), divide(y, below));
}

Array Generator::triangular(const Value& left, const Value& mode, const Value& right,
                            const Shape& size, std::optional<DType> dtype,
                            const std::optional<Device>& device) {
  constexpr const char* who = "triangular";
  const InContextOfFirst meanwhile({&left, &mode, &right});
  const Target target = real_target(who, {&left, &mode, &right}, size, dtype, device);
  const Value low = real_of(target, left), top = real_of(target, mode),
              high = real_of(target, right);
  const auto from = number_of(low), at = number_of(top), to = number_of(high);
  check(!from || !at || *from <= *at, Errc::value, "{}: left {} must not exceed mode {}", who,
        from.value_or(0), at.value_or(0));
  check(!at || !to || *at <= *to, Errc::value, "{}: mode {} must not exceed right {}", who,
        at.value_or(0), to.value_or(0));
  check(!from || !to || *from < *to, Errc::value, "{}: left {} is not below right {}", who,
        from.value_or(0), to.value_or(0));
  const Value range = combined(target, Op::subtract, high, low);
  const std::optional<double> number = number_of(range);
  const double largest = target.dtype == TypeId::float32 ? std::numeric_limits<float>::max()
                                                         : std::numeric_limits<double>::max();
  check(!number || *number <= largest, Errc::overflow, "{}: from {} to {} is not a finite range",
        who, from.value_or(0), to.value_or(0));
  const Value share = combined(target, Op::divide, combined(target, Op::subtract, top, low), range);
  const Value rest = combined(target, Op::subtract, 1.0, share);
  const auto kept = [](const Value& value) { return Value(value); };  // a calculation uses it up
  const Array u = random(target.shape, target.dtype, target.device);
  const Array rising = add(multiply(sqrt(multiply(u, kept(share))), kept(range)), kept(low));
  const Array falling = subtract(kept(high), multiply(sqrt(multiply(1 - u, rest)), range));
  // what rounding has put outside of the range is at its end
  return minimum(maximum(where(less_equal(u, share), rising, falling), low), high);
}

Array Generator::standard_t(const Value& df, const Shape& size, std::optional<DType> dtype,
                            const std::optional<Device>& device) {
  const InContextOfFirst meanwhile({&df});
  const Target target = real_target("standard_t", {&df}, size, dtype, device);
  check_positive("standard_t", "df", df);
  const Value freedom = real_of(target, df);
  const Array normal = standard_normal(target.shape, target.dtype, target.device);
  const Array squares = chisquare(freedom, target.shape, target.dtype, target.device);
  return divide(normal, sqrt(divide(squares, freedom)));
}

Array Generator::standard_cauchy(const Shape& size, std::optional<DType> dtype,
                                 const std::optional<Device>& device) {
  const Target target = real_target("standard_cauchy", {}, size, dtype, device);
  const Array x = standard_normal(target.shape, target.dtype, target.device);
  return divide(x, standard_normal(target.shape, target.dtype, target.device));
}

Array Generator::laplace(const Value& loc, const Value& scale, const Shape& size,
                         std::optional<DType> dtype, const std::optional<Device>& device) {
  const InContextOfFirst meanwhile({&loc, &scale});
  const Target target = real_target("laplace", {&loc, &scale}, size, dtype, device);
  check_not_negative("laplace", "scale", scale);
  const Array x = standard_exponential(target.shape, target.dtype, target.device);
  const Array y = standard_exponential(target.shape, target.dtype, target.device);
  return add(multiply(x - y, real_of(target, scale)), real_of(target, loc));
}

Array Generator::rayleigh(const Value& scale, const Shape& size, std::optional<DType> dtype,
                          const std::optional<Device>& device) {
  const InContextOfFirst meanwhile({&scale});
  const Target target = real_target("rayleigh", {&scale}, size, dtype, device);
  check_not_negative("rayleigh", "scale", scale);
  const Array squares = standard_exponential(target.shape, target.dtype, target.device) * 2;
  return multiply(sqrt(squares), real_of(target, scale));
}

Array Generator::dirichlet(const Array& alpha, const Shape& size, std::optional<DType> dtype,
                           const std::optional<Device>& device) {
  check(alpha.ndim() == 1, Errc::value, "dirichlet: alpha has the shape {}; it must have one axis",
        alpha.shape());
  check(alpha.shape(0) > 0, Errc::value, "dirichlet: alpha has no elements");
  const Value parameter(alpha);
  const InContextOfFirst meanwhile({&parameter});
  Target target = real_target("dirichlet", {&parameter}, {}, dtype, device);
  target.shape = size;
  target.shape.push_back(alpha.shape(0));
  const GammaProduct x = gamma_product(*this, target, real_of(target, parameter));
  const Array nearest = min(x.depth, -1, true);
  const Array behind = (nearest - x.depth) * 0x1p60;
  const Array part = flushed(x.mass * exponential_of(behind));
  // where all shapes are 0 no depth is finite, and no part has any mass
  return where(isinf(nearest), 0, flushed(divide(part, sum(part, -1, true))));
}

namespace {

/// So many trials are drawn one by one, at most.
constexpr std::int64_t most_trials = 1 << 10;

/// What is left of many trials: so many of such a chance, beside successes that are known.
struct Trials {
  Array count, chance, hits;
};

/// Half of the trials for all elements that have many. A trial succeeds where a number of [0, 1) is
/// below p. The one in the middle of all in order is a beta number: if it is below p, so are all
/// before it, and else none behind it succeeds. The others are numbers beyond it, and before it.
/// Relles, "A simple algorithm for generating binomial random variables when n is large", 1972.
Trials halved(Generator& rng, const Target& target, const Trials& trials) {
  const Array is_many = greater(trials.count, most_trials);
  const Array count = where(is_many, trials.count, 3);
  const Array before = floor_divide(count, 2), behind = count - before - 1;
  const Array middle =
      rng.beta(astype(before + 1, target.dtype, false), astype(behind + 1, target.dtype, false),
               target.shape, target.dtype, target.device);
  middle.eval();  // three results follow from it
  const Array& p = trials.chance;
  const Array is_below = less_equal(middle, p);
  Trials made{where(is_many, where(is_below, behind, before), trials.count),
              where(is_many, where(is_below, divide(p - middle, 1 - middle), divide(p, middle)), p),
              trials.hits + where(logical_and(is_many, is_below), before + 1, 0)};
  // kernels for each halving, which are those of the one before, and not one for all of them
  for (const Array* const one : {&made.count, &made.chance, &made.hits}) one->eval();
  return made;
}

}  // namespace

Array Generator::binomial(const Value& n, const Value& p, const Shape& size,
                          const std::optional<Device>& device) {
  constexpr const char* who = "binomial";
  const InContextOfFirst meanwhile({&n, &p});
  const Target target = real_target(who, {&n, &p}, size, {}, device);
  check_probability(who, p);
  check(n.is_past_64_bits || is_integer(n.array ? n.array->dtype() : n.scalar.dtype), Errc::type,
        "{}: n has the dtype {}, not an integer one", who,
        n.array ? n.array->dtype() : n.scalar.dtype);
  const bool is_empty = target.count() == 0;
  const bool has_none = n.array && n.array->size() == 0;
  const auto trials =
      n.array ? (has_none ? 0 : max(*n.array).item<std::int64_t>()) : whole_number(who, n);
  const auto fewest = n.array ? (has_none ? 0 : min(*n.array).item<std::int64_t>()) : trials;
  check(fewest >= 0, Errc::value, "{}: n: {} is below 0", who, fewest);
  const Value chance = real_of(target, p);
  // integers have no NaN: what astype makes of one
  const auto where_p_is_one = [&](Array made) {
    if (!chance.array) return made;
    const Array is_one = logical_and(greater_equal(*chance.array, 0), less_equal(*chance.array, 1));
    return where(is_one, std::move(made), INT64_MIN);
  };
  if (trials == 0 || is_empty)
    return where_p_is_one(zeros(target.shape, TypeId::int64, target.device));
  const auto everywhere = [&](const Value& value, DType dtype) {
    return value.array ? broadcast_to(astype(*value.array, dtype, false), target.shape)
                       : full(target.shape, value, dtype, target.device);
  };
  if (trials > most_trials) {
    const Target wide{who, target.shape, default_real(target.device), target.device};
    const Array count = everywhere(n, TypeId::int64), each = everywhere(chance, wide.dtype);
    // of what happens seldom: 1 - p of a large p is exact, and numbers near 1 are far apart
    const Array is_likely = greater(each, 0.5);
    Trials left{count, where(is_likely, 1 - each, each),
                zeros(target.shape, TypeId::int64, target.device)};
    for (std::int64_t most = trials; most > most_trials; most /= 2)
      left = halved(*this, wide, left);
    const Array hits = left.hits + binomial(left.count, left.chance, target.shape);
    return where_p_is_one(where(is_likely, count - hits, hits));
  }
  Shape shape = target.shape;
  shape.push_back(trials);
  // copied, since what others may write to is read at once, for all trials
  const auto beside_trials = [&](const Array& x) {
    return expand_dims(broadcast_to(copy(x), target.shape), -1);
  };
  const Array u = random(shape, target.dtype, target.device);
  Array hits = chance.array ? less(u, beside_trials(*chance.array)) : less(u, chance);
  if (n.array && fewest < trials)
    hits = logical_and(hits, less(arange(trials, TypeId::int64, target.device),
                                  beside_trials(astype(*n.array, TypeId::int64, false))));
  return where_p_is_one(sum(hits, -1, false, TypeId::int64));
}

Array Generator::negative_binomial(const Value& n, const Value& p, const Shape& size,
                                   const std::optional<Device>& device) {
  constexpr const char* who = "negative_binomial";
  const InContextOfFirst meanwhile({&n, &p});
  const Target target = real_target(who, {&n, &p}, size, {}, device);
  check_positive(who, "n", n);
  check_probability(who, p);
  check_positive(who, "p", p);
  const Target wide{who, target.shape, default_real(target.device), target.device};
  const Value chance = real_of(wide, p);
  const Value odds = chance.array ? Value(divide(subtract(1, *chance.array), *chance.array))
                                  : Value((1 - *number_of(chance)) / *number_of(chance));
  // the means are gamma numbers: ten deviations above theirs is what poisson() has to take
  const std::optional<double> count = number_of(n), each = number_of(odds);
  check(!count || !each || *each * (*count + 10 * std::sqrt(*count)) <= 9.2e18, Errc::value,
        "{}: n: {} successes take too many trials where p is so small", who, count.value_or(0));
  return poisson(gamma(real_of(wide, n), odds, wide.shape, wide.dtype, wide.device), wide.shape,
                 wide.device);
}

Array Generator::permuted(const Array& x, OptionalInteger axis) {
  if (!axis) return reshape(permuted(ravel(x), 0), x.shape());
  const InContextOf meanwhile(x);
  const int along = detail::checked_axis("permuted", *axis, x.ndim());
  const Target target{"permuted", Shape(x.shape().begin(), x.shape().end()), TypeId::uint64,
                      x.device()};
  return take_along_axis(x, argsort(held().draw(target, Op::random_bits), along), along);
}

}  // namespace isthmus::inline ISTHMUS_ABI::random
