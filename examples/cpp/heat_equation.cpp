// heat_equation.cpp: the heat equation in place by slices, beside the same in loops.
//   heat_equation [device]
#include <isthmus/isthmus.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <vector>

namespace {

namespace xp = isthmus;
using xp::slice;

constexpr std::int64_t size = 256;
constexpr int steps = 50;
constexpr float alpha = 0.2f;  // up to 0.25 is stable

/// One step of the plate, all but its edges.
void step(const xp::Array& u) {
  const auto inner = slice(1, -1), before = slice({}, -2), after = slice(2);
  const xp::Array neighbours =
      u[{after, inner}] + u[{before, inner}] + u[{inner, after}] + u[{inner, before}];
  u[{inner, inner}] += alpha * (neighbours - 4 * u[{inner, inner}]);
}

void step(std::vector<float>& u, std::vector<float>& next) {
  next = u;
  for (std::int64_t i = 1; i < size - 1; ++i)
    for (std::int64_t j = 1; j < size - 1; ++j) {
      const float* at = u.data() + i * size + j;
      const float neighbours = at[size] + at[-size] + at[1] + at[-1];
      next.data()[i * size + j] += alpha * (neighbours - 4 * at[0]);
    }
  u.swap(next);
}

double seconds_since(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

int run(const xp::Device& device) {
  const xp::Array u = xp::zeros({size, size}, xp::TypeId::float32, device);
  u[0] = 100;  // the upper edge is hot
  step(u);     // kernels are built now
  auto begin = std::chrono::steady_clock::now();
  const std::int64_t kernels = xp::statistics().kernels;
  for (int i = 1; i < steps; ++i) step(u);
  xp::synchronize(device);
  const double ours = seconds_since(begin);
  const double a_step = double(xp::statistics().kernels - kernels) / (steps - 1);

  std::vector<float> plain(size * size), next;
  std::fill_n(plain.begin(), size, 100.0f);
  step(plain, next);
  begin = std::chrono::steady_clock::now();
  for (int i = 1; i < steps; ++i) step(plain, next);
  const double loops = seconds_since(begin);
  std::printf("%s: %.2f kernels and %.0f us a step; %.0f us by loops\n",
              xp::to_string(device).c_str(), a_step, 1e6 * ours / (steps - 1),
              1e6 * loops / (steps - 1));

  const xp::Array expected = xp::to_device(xp::from_span(plain, {size, size}), device);
  const auto off = xp::item<float>(xp::max(xp::abs(u - expected)));
  if (!(off < 1e-3f)) {
    std::fprintf(stderr, "a temperature is off by %g beside the loops'\n", off);
    return 1;
  }
  std::printf("The plate agrees with the loops': off by at most %.2g of 100.\n", off);
  return 0;
}

}  // namespace

int main(int count, char** arguments) {
  try {
    return run(xp::parse_device(count > 1 ? arguments[1] : "cpu"));
  } catch (const xp::Error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
