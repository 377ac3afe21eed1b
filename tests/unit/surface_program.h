// surface_program.h: the program of the front page, on the device of a text.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "isthmus/isthmus.h"

namespace surface {

namespace xp = isthmus;

inline void run(const std::string& device) {
  SCOPED_TRACE(device);
  std::vector<double> some_vector{0, 1, 2};
  xp::Array a({{1., 2., 3.}, {4., 5., 6.}}), w(std::move(some_vector));
  auto y = (2 * a + sin(w)).astype<float>();
  auto m = xp::sum(y, 0) / a.shape(0);
  std::vector<float> out = m.to_vector<float>();
  xp::Array z = xp::zeros<float>({out.size(), out.size()}, device);
  ASSERT_EQ(out.size(), 3u);
  for (std::size_t i = 0; i < 3; ++i)
    EXPECT_FLOAT_EQ(out[i], static_cast<float>(2. * static_cast<double>(i) + 5 +
                                               std::sin(static_cast<double>(i))));
  EXPECT_EQ(z.shape(), (xp::Dims{3, 3}));
  EXPECT_EQ(z.dtype(), xp::TypeId::float32);
  EXPECT_EQ(z.device(), xp::Device(device));

  // and what it calculates, there
  const xp::Array b({{1.f, 2.f}, {3.f, 4.f}}, device);
  z[0] = 2;
  EXPECT_EQ(xp::sum(b * b + 1, 0).to_vector<float>(), (std::vector<float>{12, 22}));
  EXPECT_EQ(z.max(0).to_vector<double>(), (std::vector<double>{2, 2, 2}));
  EXPECT_EQ((b && z[{xp::slice(0, 2), xp::slice(0, 2)}]).any(1).to_vector<bool>(),
            (std::vector<bool>{true, false}));
}

/// A queue's handle, given away and taken for another's.
inline void exchange_queues(const std::string& device) {
  SCOPED_TRACE(device);
  const xp::Array b({{1.f, 2.f}, {3.f, 4.f}}, device);
  const xp::Queue queue = xp::current_queue(device);
  xp::NativeHandle handle = queue.native(), context = queue.context().native();
  const std::string backend(queue.device().backend());
  EXPECT_EQ(xp::adopt_queue(backend, handle.get()).context(), queue.context());
  EXPECT_EQ(xp::adopt_context(backend, context.get()), queue.context());
  const xp::NativeHandle moved = std::move(handle);
  EXPECT_EQ(handle.get(), nullptr);
  const xp::OnQueue scope(xp::adopt_queue(backend, moved.get()));
  EXPECT_EQ((b + 1).max().item<float>(), 5);
}

}  // namespace surface
