// reductions.cpp: sums, means and extremes over all axes, or over some.
#include <isthmus/isthmus.h>

#include <cmath>
#include <iostream>
#include <vector>

#include "checks.h"

namespace xp = isthmus;

int main() {
  const xp::Array x({{1., 2., 3.}, {4., 5., 9.}});
  std::cout << sum(x) << ' ' << sum(x, 0) << ' ' << max(x, {0, -1}) << '\n';
  const xp::Array centre = mean(x, 1, true);  // (2, 1): the axis is kept, and broadcasts
  const xp::Array spread = sqrt(mean(square(x - centre), 1));
  const double largest = spread.max().item<double>();  // waits, and gives a number of C++
  std::cout << "spreads " << spread << ", at most " << largest << '\n';
  if (any(x > 8).item<bool>()) std::cout << "some are above 8\n";

  expect(sum(x).item<double>() == 24, "the sum of all is 24");
  expect(sum(x, 0).to_vector<double>() == std::vector<double>{5, 7, 12}, "by columns");
  expect(max(x, {0, -1}).item<double>() == 9, "over two axes");
  expect(sum(x, xp::Axes()).shape() == x.shape(), "over no axis it is x");
  expect(centre.shape() == xp::Shape{2, 1}, "the mean of each row has a row of its own");
  expect(is_near(largest, std::sqrt(14.0 / 3)), "the larger spread is the root of 14 / 3");

  const xp::Array bytes = xp::full<std::int8_t>({1000}, 100);
  expect(sum(bytes).item<int>() == 100'000, "small integers add up in int64");
  expect(sum<float>(bytes).dtype() == xp::float32, "or in a dtype that is named");
  expect(mean(bytes).dtype() == xp::float64, "a mean of integers is real");
  expect(std::isnan(max(xp::Array({1., xp::nan})).item<double>()), "a NaN is the largest");
  expect(sum(xp::zeros({0})).item<double>() == 0, "nothing adds up to 0");
  try {
    max(xp::zeros({0, 3}), 0);
    expect(false, "a maximum of nothing is refused");
  } catch (const xp::ValueError& error) {
    expect(true, error.what());
  }
  const xp::Array w = xp::linspace(0, 999, 1000).eval();
  kernels();
  expect(sum(w * (w < 500)).item<double>() == 499 * 250, "a sum over a mask, without x[mask]");
  expect(kernels() == 1, "in one kernel");
}
