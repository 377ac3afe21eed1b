// views.cpp: look at a part of an array, and write to it in place.
#include <isthmus/isthmus.h>

#include <iostream>
#include <vector>

#include "checks.h"

namespace xp = isthmus;

int main() {
  using xp::slice;
  const xp::Array x = xp::zeros<int>({4, 6});
  const xp::Array inner = x[{slice(1, -1), slice({}, {}, 2)}];  // x[1:-1, ::2], a view
  inner += 1;                                                   // writes to x
  x[-1] = xp::arange(6);                                        // the last row
  x[{xp::ellipsis, 0}] = x[{xp::ellipsis, 5}];                  // a column into another
  x[{0, slice(1)}] = x[{-1, slice({}, -1)}];                    // a row, shifted by one
  std::cout << x << '\n';

  const xp::Array kept = x[3].copy();  // keeps what the row has now
  xp::Array name = x[3];               // a view: shows what is written later
  name = x[0];                         // the name is of another row now; nothing is written
  assign(x[3], 9);                     // as x[3] = 9

  expect(x[1].to_vector<int>() == std::vector{0, 0, 1, 0, 1, 0}, "the inner rows");
  expect(x[0].to_vector<int>() == std::vector{0, 5, 1, 2, 3, 4}, "the first row");
  expect(x[3].to_vector<int>() == std::vector(6, 9), "the last row was written twice");
  expect(kept.to_vector<int>() == std::vector{5, 1, 2, 3, 4, 5}, "its copy was not");
  expect(name[1].item<int>() == 5, "a name may be given to another view");

  const xp::Array v = xp::arange<float>(5);
  v[slice(1)] += v[slice({}, -1)];
  expect(v.to_vector<float>() == std::vector<float>{0, 1, 3, 5, 7}, "overlapping, as in NumPy");
  const xp::Array m = v[slice(0, 4)].reshape({2, 2});
  m.T()[0] = -1;
  expect(v[0].item<float>() == -1 && v[2].item<float>() == -1, "reshape and T are views");
  const xp::Array twice = 2 * v;  // pending
  v.fill(0);
  expect(twice[4].item<float>() == 14, "what was calculated before a write has the old values");
  try {
    xp::broadcast_to(v, {2, 5})[0] = 1;
    expect(false, "a broadcast is read-only");
  } catch (const xp::ValueError& error) {
    expect(true, error.what());
  }
}
