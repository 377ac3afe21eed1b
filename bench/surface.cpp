// surface.cpp: what the small public calls of C++ cost: a one-element add, item, a view, a slice.
//   g++ -std=c++20 -O3 bench/surface.cpp $(isthmus --cflags) $(isthmus --libs) -o surface
#include <isthmus/isthmus.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <vector>

namespace {

namespace xp = isthmus;

/// The best of many rounds, in nanoseconds a call.
template <class F>
void report(const char* what, F call) {
  constexpr int calls = 2000, rounds = 200;
  double best = 1e9;
  for (int round = 0; round < rounds; ++round) {
    const auto begin = std::chrono::steady_clock::now();
    for (int i = 0; i < calls; ++i) call();
    const std::chrono::duration<double, std::nano> taken = std::chrono::steady_clock::now() - begin;
    best = std::min(best, taken.count() / calls);
  }
  std::printf("%-28s %7.1f ns\n", what, best);
}

}  // namespace

int main() {
  const xp::Array x = xp::ones({1}, xp::TypeId::float32), y = xp::ones({1}, xp::TypeId::float32);
  const xp::Array plane = xp::ones({64, 64}, xp::TypeId::float32);
  x.eval(), y.eval(), plane.eval();
  report("a + b, pending", [&] { (void)(x + y); });
  report("2 * a, pending", [&] { (void)(2 * x); });
  report("sin(a), pending", [&] { (void)xp::sin(x); });
  report("a + b, calculated", [&] { (x + y).eval(); });
  report("item<float>(a)", [&] { (void)xp::item<float>(x); });
  report("p[3]", [&] { (void)plane[3]; });
  report("p[{3, slice(1, 9)}]", [&] { (void)plane[{3, xp::slice(1, 9)}]; });
  report("reshape(p, {4096})", [&] { (void)xp::reshape(plane, {4096}); });
  report("transpose(p)", [&] { (void)xp::transpose(plane); });
  report("copy and move of a handle", [&] {
    xp::Array other = x;
    xp::Array moved = std::move(other);
    (void)moved.ndim();
  });
  report("sum(p, {0}), pending", [&] { (void)xp::sum(plane, {0}); });
}
