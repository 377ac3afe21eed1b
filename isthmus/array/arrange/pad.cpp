// pad.cpp: what pad() is asked for, and the axes that it pads, one after the other.
#include <string>

#include "isthmus/array/arrange/margins.h"
#include "isthmus/array/index/part.h"
#include "isthmus/array/place.h"
#include "isthmus/array/reduce/reduced.h"
#include "isthmus/core/axis_count.h"
#include "isthmus/core/internal.h"

namespace isthmus::inline ISTHMUS_ABI {

namespace {

using detail::AxisCount, detail::Margin, detail::Padded;

struct MarginName {
  std::string_view mode;
  Margin margin;
};
constexpr MarginName margin_names[] = {{"constant", Margin::constant},
                                       {"edge", Margin::edge},
                                       {"linear_ramp", Margin::linear_ramp},
                                       {"mean", Margin::mean},
                                       {"median", Margin::median},
                                       {"maximum", Margin::maximum},
                                       {"minimum", Margin::minimum},
                                       {"reflect", Margin::reflect},
                                       {"symmetric", Margin::symmetric},
                                       {"wrap", Margin::wrap},
                                       {"empty", Margin::empty}};

Margin margin_of(std::string_view mode) {
  std::string all;
  for (const MarginName& name : margin_names) {
    if (name.mode == mode) return name.margin;
    all += detail::format("{}{}", all.empty() ? "" : ", ", name.mode);
  }
  fail(Errc::value, "pad: mode: '{}' is none of {}", mode, all);
}

bool is_statistic(Margin margin) {
  return margin == Margin::mean || margin == Margin::median || margin == Margin::maximum ||
         margin == Margin::minimum;
}
bool is_mirror(Margin margin) { return margin == Margin::reflect || margin == Margin::symmetric; }

/// Throws for options that the mode does not take or that cannot be.
void check_options(const Array& x, std::string_view mode, Margin margin,
                   const PadOptions& options) {
  const auto takes = [&](bool is_taken, bool is_given, const char* keyword, const char* who) {
    check(is_taken || !is_given, Errc::value, "pad: mode '{}' does not accept {}; use {}", mode,
          keyword, who);
  };
  const auto pairs = [&](std::size_t count, const char* what) {
    check(count <= 1 || std::cmp_equal(count, x.ndim()), Errc::value,
          "pad: {} pairs of {} for {}; one for each, or one for all", count, what,
          AxisCount(x.ndim()));
  };
  takes(margin == Margin::constant, !options.constant_values.empty(), "constant_values",
        "'constant'");
  takes(margin == Margin::linear_ramp, !options.end_values.empty(), "end_values", "'linear_ramp'");
  takes(is_statistic(margin), !options.stat_length.empty(), "stat_length",
        "'mean', 'median', 'maximum' or 'minimum'");
  takes(is_mirror(margin), !options.reflect_type.empty(), "reflect_type",
        "'reflect' or 'symmetric'");
  pairs(options.constant_values.size(), "constants");
  pairs(options.end_values.size(), "end_values");
  pairs(options.stat_length.size(), "stat_length");
  for (const PadWidth& length : options.stat_length)
    for (const std::int64_t some : {length.before.value, length.after.value})
      check(some >= 1, Errc::value,
            "pad: stat_length is {}; it must be 1 or more; omit it for all elements", some);
  const std::string_view type = options.reflect_type;
  check(type.empty() || type == "even" || type == "odd", Errc::value,
        "pad: reflect_type: '{}' is neither even nor odd", type);
  if (margin == Margin::linear_ramp || is_statistic(margin) || type == "odd")
    check_has_numbers(
        detail::format("pad: mode '{}'{}", mode, type == "odd" ? ", reflect_type 'odd'" : ""), x);
}

/// What was given for this axis or for all of them, or else `otherwise`.
template <class Pair>
Pair of_axis(const std::vector<Pair>& pairs, int axis, const Pair& otherwise) {
  if (pairs.empty()) return otherwise;
  return pairs[pairs.size() == 1 ? 0 : static_cast<std::size_t>(axis)];
}

/// The axes that get margins, and the shape of the result. Throws for what cannot be, also for a
/// result that is too large.
std::vector<Padded> checked_axes(const Array& x, const std::vector<PadWidth>& widths, Margin margin,
                                 Shape& whole) {
  check(widths.size() == 1 || std::cmp_equal(widths.size(), x.ndim()), Errc::value,
        "pad: {} pairs of widths for {}; one for each, or one for all", widths.size(),
        AxisCount(x.ndim()));
  const bool needs_none = margin == Margin::constant || margin == Margin::empty;
  std::vector<Padded> axes;
  for (int axis = 0; axis < x.ndim(); ++axis) {
    const PadWidth width = of_axis(widths, axis, {0, 0});
    const std::int64_t before = width.before, after = width.after, length = length_of(x, axis);
    check(before >= 0 && after >= 0, Errc::value,
          "pad: {} before and {} after axis {}; both must be 0 or more", before, after, axis);
    check(needs_none || length > 0 || (before == 0 && after == 0), Errc::value,
          "pad: axis {} has no elements to copy; the modes 'constant' and 'empty' need none", axis);
    std::int64_t padded = 0;
    check(sum_fits(before, after, padded) && sum_fits(padded, length, padded), Errc::value,
          "pad: axis {} is longer than 2^63-1", axis);
    if (before > 0 || after > 0) axes.push_back({axis, before, after});
    whole.push_back(padded);
  }
  checked_bytes("pad", whole, x.dtype().bytes(), Errc::value);
  return axes;
}

}  // namespace

Array pad(const Array& x, const std::vector<PadWidth>& widths, std::string_view mode,
          const PadOptions& options) {
  const Margin margin = margin_of(mode);
  check_options(x, mode, margin, options);
  Shape whole;
  const std::vector<Padded> axes = checked_axes(x, widths, margin, whole);
  const InContextOf meanwhile(x);
  if (axes.empty()) return copy(x);
  if (margin == Margin::empty) return detail::amid_nothing(x, axes, whole);
  const bool is_odd = options.reflect_type == "odd";
  const PadConstant zeros{0, 0};
  const PadWidth all{INT64_MAX, INT64_MAX};
  if (margin == Margin::constant) {
    std::vector<PadConstant> constants;
    for (const Padded& at : axes)
      constants.push_back(of_axis(options.constant_values, at.axis, zeros));
    return detail::with_constants(x, axes, whole, constants);
  }
  Array made = x;
  for (const Padded& at : axes) {
    if (margin == Margin::linear_ramp)
      made = detail::with_ramps(made, at, of_axis(options.end_values, at.axis, zeros));
    else if (is_statistic(margin))
      made = detail::with_statistics(made, at, margin, of_axis(options.stat_length, at.axis, all));
    else if (is_odd && length_of(x, at.axis) > 1)
      made = detail::with_odd_mirrors(made, at, margin);
    else
      made = detail::with_copies(made, at, margin);
  }
  return made;
}

}  // namespace isthmus::inline ISTHMUS_ABI
