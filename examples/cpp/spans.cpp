// spans.cpp: share memory with vectors, spans and plain pointers, both ways, without a copy.
#include <isthmus/isthmus.h>

#include <cstdint>
#include <memory>
#include <numeric>
#include <span>
#include <sstream>
#include <vector>

#include "checks.h"

namespace xp = isthmus;

int main() {
  kernels();
  std::vector<float> mine(1000);
  std::iota(mine.begin(), mine.end(), 0.0f);
  const xp::Array x = xp::from_span(mine);  // no copy; `mine` stays yours, and must outlive x
  xp::Array y;
  {
    const xp::Fusing promise;  // nobody writes to `mine` in this block, so that reading it can wait
    y = 2 * sqrt(x) + x / 4 - 1;
    expect(y.is_pending(), "2 * sqrt(x) + x / 4 - 1 is pending");
  }  // the end of the promise calculates y
  const auto lent = xp::to_span<const float>(y);  // a range; y's memory is lent while it lives
  double total = 0;
  for (const float element : lent) total += element;

  expect(kernels() == 1, "five operations ran as one kernel");
  expect(is_near(lent[400], 139), "y[400] is 2 * 20 + 100 - 1");
  expect(is_near(total, sum<double>(y).item<double>()), "a loop over y");

  expect(xp::host_address(x) == mine.data(), "x lies where the vector does");
  mine[9] = 16;
  expect(x[9].item<float>() == 16, "x[9] shows what the vector holds");
  expect(!xp::Array(x + 1).is_pending(), "without the promise an operation runs when it is called");
  x[9] = 25;
  expect(mine[9] == 25, "the vector holds what was written to x[9]");
  x[xp::slice(0, 3)] *= 2;
  expect(mine[2] == 4, "and what was calculated in place");
  std::ostringstream text;
  text << x[xp::slice(0, 4)];
  expect(text.str() == "[0. 2. 4. 3.]", text.str());

  std::vector<float> other(6, 1);
  const float* const there = other.data();
  const xp::Array owner(std::move(other));  // the array owns the elements now, where they lie
  expect(xp::host_address(owner) == there, "a vector that was moved in was not copied");
  const xp::Array matrix = xp::from_span(mine, {10, 100});
  expect(matrix[{9, -1}].item<float>() == 999, "the same elements as rows");
  std::weak_ptr<std::vector<float>> alive;
  {
    const auto held = std::make_shared<std::vector<float>>(3, 2.0f);
    alive = held;
    const xp::Array z = xp::from_span(*held, held);  // kept alive by the array
    y = z[xp::slice(1)];                             // and by its views
  }
  expect(!alive.expired() && sum(y).item<float>() == 4, "an owner lives as long as the last view");
  y = xp::Array();
  expect(alive.expired(), "and no longer");

  struct Particle {
    float x, mass;
    int id;
  };
  std::vector<Particle> particles{{1, 2, 7}, {3, 4, 8}};
  const std::span bytes(reinterpret_cast<std::uint8_t*>(particles.data()),
                        particles.size() * sizeof(Particle));
  const xp::DType particle =
      xp::struct_dtype({{"x", xp::float32}, {"mass", xp::float32}, {"id", xp::int32}});
  const xp::Memory memory(xp::from_span(bytes));  // no copy
  const xp::Array p = xp::from_memory(memory, {2}, particle);
  field(p, "x") += 10;

  expect(particles[1].x == 13, "the vector holds what was written to a field");
  expect(sum(field(p, "mass")).item<float>() == 6, "a field is an array");
}
