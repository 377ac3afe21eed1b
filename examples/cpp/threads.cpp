// threads.cpp: calculate with the same arrays in several threads.
#include <isthmus/isthmus.h>

#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "checks.h"

namespace xp = isthmus;

int main() {
  constexpr int count = 4;
  const xp::Array x = xp::linspace(0, 1, 100'001);
  const xp::Array y = 2 * sqrt(x) + 1;  // pending: who needs it first calculates it
  const xp::Array rows = xp::zeros({count, 100'001});
  std::mutex mutex;
  std::shared_ptr<const xp::Error> failure;
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < count; ++i)
      threads.emplace_back([&, i] {
        try {
          rows[i] = y + i;  // each thread writes a row of its own
        } catch (const xp::Error& error) {
          const std::scoped_lock lock(mutex);
          failure = error.share();  // keeps its class
        }
      });
  }  // joins
  if (failure) failure->raise();
  const std::vector<double> means = mean(rows, 1).to_vector<double>();

  for (std::size_t i = 0; i < means.size(); ++i)
    expect(std::abs(means[i] - (4.0 / 3 + 1 + static_cast<double>(i))) < 1e-5,
           "row " + std::to_string(i));
  const xp::Array z = x * x;
  kernels();
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < count; ++i) threads.emplace_back([&] { z.eval(); });
  }
  expect(kernels() == 1, "four threads that want one value calculate it once");

  const xp::Array twice = 2 * x;
  std::jthread other([&] { twice.eval(); });
  x.fill(0);  // at the same time
  other.join();
  expect(twice[-1].item<double>() == 2, "a value that was defined before a write is the old one");

  std::vector<double> shared(10, 1);
  const xp::Array s = xp::from_span(shared);
  const xp::Fusing promise;
  expect((s + 1).is_pending(), "a promise puts off what its own thread calculates");
  std::jthread([&] { expect(!(s + 1).is_pending(), "in other threads it says nothing"); }).join();
  xp::set_eager(true);  // settings are those of the process
  std::jthread([&] { expect(!(z + 1).is_pending(), "eager is every thread, or none"); }).join();
}
