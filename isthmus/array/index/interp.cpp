// interp.cpp: linear interpolation between the two nearest points.
#include <cmath>
#include <limits>
#include <utility>

#include "isthmus/array/arrange/manipulate.h"
#include "isthmus/array/calculated.h"
#include "isthmus/array/create/create.h"
#include "isthmus/array/functions.h"
#include "isthmus/array/index/choice.h"
#include "isthmus/array/index/index.h"
#include "isthmus/array/index/part.h"
#include "isthmus/array/index/positions.h"
#include "isthmus/array/index/search.h"
#include "isthmus/array/place.h"
#include "isthmus/array/sort/sort.h"
#include "isthmus/core/axis_count.h"

namespace isthmus::inline ISTHMUS_ABI {

namespace {

/// The coordinates of points in ascending order, and their values.
struct Points {
  Array x, y;
};

DType with_fractions(DType dtype, const Device& device) {
  return has_fractions(dtype) ? dtype : promote(dtype, default_real(device));
}

/// One period, with the last point before it and the first point after it.
Points repeated(const Points& points, double period) {
  const Array x = remainder(points.x, period), order = argsort(x);
  const std::int64_t n = x.size();
  const Array sorted = detail::elements_at("interp", x, order, 0);
  const Array values = detail::elements_at("interp", points.y, order, 0);
  return {
      concat({part_of(sorted, 0, n - 1, n) - period, sorted, part_of(sorted, 0, 0, 1) + period}, 0),
      concat({part_of(values, 0, n - 1, n), values, part_of(values, 0, 0, 1)}, 0)};
}

/// The line of each x: its points i and i + 1, or the only one.
struct Lines {
  Array x;  ///< With one axis.
  Array sorted, i, next, x0, x1;

  Lines(const Array& row, const Array& coordinates) : x(row), sorted(contiguous(coordinates)) {
    const std::int64_t n = sorted.size();
    const Array found = detail::search("interp", sorted, x, true) - 1;
    i = clip(found, 0, std::max<std::int64_t>(n - 2, 0));
    next = n == 1 ? i : i + 1;
    x0 = at(sorted, i);
    x1 = at(sorted, next);
  }

  static Array at(const Array& from, const Array& positions) {
    return detail::elements_at("interp", from, positions, 0);
  }

  /// Of real values; `absent` where x is NaN.
  Array values(const Array& of, const Value& left, const Value& right, const Value& absent) const {
    const std::int64_t n = sorted.size();
    const Array y0 = at(of, i), y1 = at(of, next), slope = (y1 - y0) / (x1 - x0);
    Array y = slope * (x - x0) + y0;
    // infinite values: from the other end, and between equal ones their own
    y = where(y == y, y, slope * (x - x1) + y1);
    y = where((y != y) & (y0 == y1), y0, y);
    y = where(x == x1, y1, where(x == x0, y0, y));
    y = where(x < part_of(sorted, 0, 0, 1), left, y);
    y = where(x > part_of(sorted, 0, n - 1, n), right, y);
    return where(x == x, y, absent);
  }
};

Array interpolated(const Array& x, const Points& points, const std::optional<Value>& left,
                   const std::optional<Value>& right) {
  const std::int64_t n = points.x.size();
  const DType dtype = points.y.dtype();
  const auto outside = [&](const char* side, const std::optional<Value>& given, std::int64_t end) {
    if (!given) return reshape(part_of(points.y, 0, end, end + 1), {});
    check(!given->array || given->array->ndim() == 0, Errc::value,
          "interp: {}: an array of {}; a number is needed", side,
          detail::AxisCount(given->array ? given->array->ndim() : 0));
    return given->array ? astype(*given->array, dtype, false)
                        : full({}, *given, dtype, x.device(), "interp");
  };
  const Array before = outside("left", left, 0), after = outside("right", right, n - 1);
  constexpr double none = std::numeric_limits<double>::quiet_NaN();
  const Lines lines(reshape(x, {x.size()}), points.x);
  if (dtype.family != Family::complex)
    return reshape(lines.values(points.y, before, after, none), x.shape());
  // one part at a time: an infinite one makes no NaN of the other
  const Array parts[] = {lines.values(real(points.y), real(before), real(after), none),
                         lines.values(imag(points.y), imag(before), imag(after), 0)};
  return reshape(stack(parts, -1).view(dtype), x.shape());
}

}  // namespace

Array interp(const Value& x, const Array& xp, const Array& fp, const std::optional<Value>& left,
             const std::optional<Value>& right, std::optional<double> period) {
  check(xp.ndim() == 1 && fp.ndim() == 1, Errc::value,
        "interp: coordinates of {} and values of {}; one is needed", detail::AxisCount(xp.ndim()),
        detail::AxisCount(fp.ndim()));
  check(xp.size() == fp.size() && xp.size() > 0, Errc::value,
        "interp: {} coordinates and {} values; as many, and at least one, are needed", xp.size(),
        fp.size());
  check(!period || (std::isfinite(*period) && *period != 0), Errc::value,
        "interp: period: {}; a finite number other than 0 is needed", period.value_or(0));
  const Value operands[] = {x, xp};
  const DType coordinate = result_type("interp", operands);
  check(coordinate.is_builtin() && coordinate.family != Family::complex, Errc::type,
        "interp: {} cannot be ordered; bools, integers and reals can", coordinate);
  check(fp.dtype().is_builtin(), Errc::type,
        "interp: does not accept values of {}; it accepts bool, integers, floats, complex",
        fp.dtype());
  const Array arrays[] = {xp, fp, x.array ? *x.array : xp};
  const InContextOf meanwhile("interp", arrays);
  const Device& device = xp.device();
  const DType given = had_by(
      device, promote(with_fractions(coordinate, device), with_fractions(fp.dtype(), device)));
  DType wide = summing_dtype(given);
  // a small coordinate modulo a period loses its last digits: as few as possible
  if (period) wide = promote(wide, default_real(device));
  const DType real = real_part(wide);
  Array wanted = x.array ? astype(*x.array, real, false) : full({}, x, real, device, "interp");
  Points points{astype(xp, real, false), astype(fp, wide, false)};
  if (!period) return astype(interpolated(wanted, points, left, right), given, false);
  const double size = std::abs(*period);
  wanted = remainder(std::move(wanted), size);
  return astype(interpolated(wanted, repeated(points, size), {}, {}), given, false);
}

}  // namespace isthmus::inline ISTHMUS_ABI
