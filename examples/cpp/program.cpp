// program.cpp: the program of the first page, on the device that the command line names.
//   program [device]
#include <isthmus/isthmus.h>

#include <cmath>
#include <iostream>
#include <string>
#include <utility>
#include <vector>

#include "checks.h"

namespace xp = isthmus;

int main(int argc, char** argv) {
  const std::string device = argc > 1 ? argv[1] : "cpu";
  std::vector<double> some_vector{0, 1, 2};

  xp::Array a({{1., 2., 3.}, {4., 5., 6.}}), w(std::move(some_vector));
  auto y = (2 * a + sin(w)).astype<float>();
  auto m = xp::sum(y, 0) / a.shape(0);
  std::vector<float> out = m.to_vector<float>();
  xp::Array z = xp::zeros<float>({out.size(), out.size()}, device);

  std::cout << y << '\n' << m << '\n' << z << " on " << z.device() << '\n';
  expect(out.size() == 3, "one mean for each column");
  for (std::size_t i = 0; i < 3; ++i) {
    const auto column = static_cast<double>(i);
    expect(is_near(out[i], 2 * column + 5 + std::sin(column)), "column " + std::to_string(i));
  }
  expect(y.dtype() == xp::float32 && m.dtype() == xp::float32, "of float32");
  expect(z.shape() == xp::Shape{3, 3}, "3 x 3 zeros ...");
  expect(z.device() == xp::Device(device), "... on " + device);
  z += 1;
  expect(z.sum().item<float>() == 9, "where one can calculate");
}
