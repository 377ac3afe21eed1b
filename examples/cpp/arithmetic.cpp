// arithmetic.cpp: calculate with whole arrays, and know which dtype comes out.
#include <isthmus/isthmus.h>

#include <complex>
#include <iomanip>
#include <iostream>
#include <vector>

#include "checks.h"

namespace xp = isthmus;

int main() {
  const xp::Array a({{1., 2., 3.}, {4., 5., 6.}});
  const xp::Array b(std::vector<double>{0, 0.5, 1});  // takes the vector over: no copy
  const xp::Array c = 2 * a + sin(b) / (1 + b);       // (2, 3) with (3,); nothing has run yet
  expect(c.is_pending(), "c is pending");
  std::cout << c << '\n';  // needs the value: it is calculated now
  std::cout << std::fixed << std::setprecision(2) << c << '\n';

  const xp::Array small = xp::ones<float>({3});
  expect((small * 0.5).dtype() == xp::float32, "a number takes the array's dtype");
  expect((small * b).dtype() == xp::float64, "two arrays promote");
  expect((small * xp::Array(0.5)).dtype() == xp::float64, "and this number is an array");
  const xp::Array inner = where(a > 2 && a < 6, a, -1);  // element by element
  std::cout << inner << '\n';

  expect(is_near(c[{1, 2}].item<double>(), 12 + std::sin(1.0) / 2), "c[1, 2] is 12 + sin(1) / 2");
  kernels();
  const double total = sum(2 * a + sin(a) / (1 + a)).item<double>();
  expect(kernels() == 1, "five operations and a sum ran as one kernel");
  double loop = 0;
  for (int i = 1; i <= 6; ++i) loop += 2 * i + std::sin(i) / (1 + i);
  expect(is_near(total, loop), "and gave what a loop adds up to");
  expect(inner.to_vector<double>() == std::vector<double>{-1, -1, 3, 4, 5, -1},
         "-1 where a is not between 2 and 6");
  using std::sin;  // changes nothing: the argument decides
  expect(is_near(sin(b)[2].item<double>(), sin(1.0)), "sin of arrays and of numbers");
  expect((xp::Array({1, 2}) / 2).dtype() == xp::float64, "/ of integers gives reals");
  expect((a * std::complex(0.0, 1.0)).dtype() == xp::complex128, "a complex number makes complex");
  expect(all(floor_divide(xp::Array({7, -7}), 2) == xp::Array({3, -4})).item<bool>(),
         "7 // 2 is 3, -7 // 2 is -4");
}
