// continuous.cpp: real random numbers.
#include <cmath>
#include <limits>

#include "isthmus/array/functions.h"
#include "isthmus/random/drawing.h"

namespace isthmus::inline ISTHMUS_ABI::random {

using detail::check;

namespace {

bool is_number(const Value& value, double number) {
  const std::optional<double> given = number_of(value);
  return given && *given == number;
}

/// offset + factor * x in the dtype of x.
Array scaled(const Target& target, Array x, const Value& factor, const Value& offset) {
  if (!is_number(factor, 1)) {
    const Value by = parameter_of(target, factor);
    x = by.array ? multiply(std::move(x), astype(*by.array, target.dtype, false))
                 : multiply(std::move(x), by);
  }
  if (!is_number(offset, 0)) {
    const Value from = parameter_of(target, offset);
    x = from.array ? add(astype(*from.array, target.dtype, false), std::move(x))
                   : add(from, std::move(x));
  }
  return x;
}

}  // namespace

Array Generator::random(const Shape& size, std::optional<DType> dtype,
                        const std::optional<Device>& device) {
  return held().draw(real_target("random", {}, size, dtype, device), Op::random_uniform);
}

Array Generator::uniform(const Value& low, const Value& high, const Shape& size,
                         std::optional<DType> dtype, const std::optional<Device>& device) {
  const InContextOfFirst meanwhile({&low, &high});
  const Target target = real_target("uniform", {&low, &high}, size, dtype, device);
  const Value from = parameter_of(target, low), to = parameter_of(target, high);
  if (!from.array && !to.array) {
    const double range = *number_of(to) - *number_of(from);
    const double largest = target.dtype == TypeId::float32 ? std::numeric_limits<float>::max()
                                                           : std::numeric_limits<double>::max();
    check(std::abs(range) <= largest, Errc::overflow,
          "uniform: from {} to {} is not a finite range", *number_of(from), *number_of(to));
    check(range >= 0, Errc::value, "uniform: high {} is below low {}", *number_of(to),
          *number_of(from));
    return scaled(target, held().draw(target, Op::random_uniform), range, from);
  }
  const auto wide = [&](const Value& value) { return astype(*value.array, target.dtype, false); };
  const Array range = !to.array     ? subtract(to, wide(from))
                      : !from.array ? subtract(wide(to), from)
                                    : subtract(wide(to), wide(from));
  return scaled(target, held().draw(target, Op::random_uniform), range, from);
}

Array Generator::standard_normal(const Shape& size, std::optional<DType> dtype,
                                 const std::optional<Device>& device) {
  return held().draw(real_target("standard_normal", {}, size, dtype, device), Op::random_normal);
}

Array Generator::normal(const Value& loc, const Value& scale, const Shape& size,
                        std::optional<DType> dtype, const std::optional<Device>& device) {
  const InContextOfFirst meanwhile({&loc, &scale});
  const Target target = real_target("normal", {&loc, &scale}, size, dtype, device);
  (void)parameter_of(target, loc);
  check_not_negative("normal", "scale", parameter_of(target, scale));
  return scaled(target, held().draw(target, Op::random_normal), scale, loc);
}

Array Generator::standard_exponential(const Shape& size, std::optional<DType> dtype,
                                      const std::optional<Device>& device) {
  return held().draw(real_target("standard_exponential", {}, size, dtype, device),
                     Op::random_exponential);
}

Array Generator::exponential(const Value& scale, const Shape& size, std::optional<DType> dtype,
                             const std::optional<Device>& device) {
  const InContextOfFirst meanwhile({&scale});
  const Target target = real_target("exponential", {&scale}, size, dtype, device);
  check_not_negative("exponential", "scale", parameter_of(target, scale));
  return scaled(target, held().draw(target, Op::random_exponential), scale, 0.0);
}

Array Generator::standard_gamma(const Value& shape, const Shape& size, std::optional<DType> dtype,
                                const std::optional<Device>& device) {
  const Target target = real_target("standard_gamma", {&shape}, size, dtype, device);
  check_not_negative("standard_gamma", "shape", parameter_of(target, shape));
  return gamma(shape, 1.0, target.shape, target.dtype, target.device);
}

Array Generator::gamma(const Value& shape, const Value& scale, const Shape& size,
                       std::optional<DType> dtype, const std::optional<Device>& device) {
  const InContextOfFirst meanwhile({&shape, &scale});
  const Target target = real_target("gamma", {&shape, &scale}, size, dtype, device);
  const Value of = parameter_of(target, shape);
  check_not_negative("gamma", "shape", of);
  check_not_negative("gamma", "scale", parameter_of(target, scale));
  return scaled(target, held().draw_in_loops(target, Op::random_gamma, of), scale, 0.0);
}

Array Generator::poisson(const Value& lam, const Shape& size, const std::optional<Device>& device) {
  const InContextOfFirst meanwhile({&lam});
  const Target target = real_target("poisson", {&lam}, size, std::nullopt, device);
  const Target wide{target.who, target.shape, default_real(target.device), target.device};
  const Value mean = parameter_of(wide, lam);
  check_not_negative("poisson", "lam", mean);
  check(mean.array || *number_of(mean) <= 9.2e18, Errc::value, "poisson: lam: {} is past 9.2e18",
        number_of(mean).value_or(0));
  return astype(held().draw_in_loops(wide, Op::random_poisson, mean), TypeId::int64, false);
}

}  // namespace isthmus::inline ISTHMUS_ABI::random
