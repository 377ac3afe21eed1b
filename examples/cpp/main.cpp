// main.cpp: a program that shares its memory with Isthmus, both ways, without a copy.
#include <isthmus/isthmus.h>

#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <numeric>
#include <sstream>
#include <utility>
#include <vector>

namespace {

// With a using-directive sqrt would mean two things: <cmath> has one too.
namespace xp = isthmus;
using xp::Array;

void expect(bool holds, const char* what) {
  std::printf("  %-6s %s\n", holds ? "ok" : "FAILED", what);
  if (!holds) std::exit(1);
}

/// Kernels that ran since the last call.
std::int64_t kernels() {
  static std::int64_t before = 0;
  const std::int64_t now = xp::statistics().kernels;
  return now - std::exchange(before, now);
}

bool is_near(float got, float wanted) { return std::abs(got - wanted) <= 1e-6f * std::abs(wanted); }

/// Somebody else's tensor: 3 x 4 float32, which a real program would get from another library.
struct Theirs {
  std::array<float, 12> elements{};
  std::array<std::int64_t, 2> shape{3, 4}, strides{4, 1};
  xp::dlpack::DLManagedTensorVersioned tensor{};
};
int tensors_deleted = 0;

xp::dlpack::DLManagedTensorVersioned* make_tensor() {
  auto* theirs = new Theirs;
  std::iota(theirs->elements.begin(), theirs->elements.end(), 1.0f);
  auto& t = theirs->tensor;
  t.version = {xp::dlpack::major_version, xp::dlpack::minor_version};
  t.manager_ctx = theirs;
  t.deleter = [](xp::dlpack::DLManagedTensorVersioned* self) {
    ++tensors_deleted;
    delete static_cast<Theirs*>(self->manager_ctx);
  };
  t.dl_tensor.data = theirs->elements.data();
  t.dl_tensor.device = {xp::dlpack::kDLCPU, 0};
  t.dl_tensor.ndim = 2;
  t.dl_tensor.dtype = {2, 32, 1};  // float, 32 bits, one lane
  t.dl_tensor.shape = theirs->shape.data();
  t.dl_tensor.strides = theirs->strides.data();
  return &t;
}

void adopt_a_vector() {
  std::printf("a std::vector, adopted\n");
  std::vector<float> mine(1000);
  std::iota(mine.begin(), mine.end(), 0.0f);
  const Array x = xp::from_span(mine);
  kernels();
  Array y = x;
  {
    const xp::Fusing promise;  // nobody writes to `mine` meanwhile, so reading it may be put off
    y = 2 * xp::sqrt(x) + x / 4 - 1;
    expect(y.is_pending(), "2 * sqrt(x) + x / 4 - 1 is pending");
    y.eval();
  }
  expect(kernels() == 1, "five operations ran as one kernel");
  const auto out = xp::to_span<const float>(y);
  expect(is_near(out[400], 139.0f), "y[400] is 2 * 20 + 100 - 1");

  mine[9] = 16;
  expect(!Array(x + 1).is_pending(), "outside the promise an operation runs when it is called");
  expect(static_cast<const float*>(xp::host_address(x)) == mine.data(),
         "x lies where the vector does");
  expect(xp::item<float>(x[9]) == 16, "x[9] shows what the vector holds");
  x[9] = 25;
  expect(mine[9] == 25, "the vector holds what was written to x[9]");
  x[xp::slice(0, 3)] *= 2;
  expect(mine[2] == 4, "and what was calculated in place");
  std::ostringstream text;
  text << x[xp::slice(0, 4)];
  expect(text.str() == "[0. 2. 4. 3.]", text.str().c_str());
}

void adopt_a_tensor() {
  std::printf("a DLPack tensor, adopted\n");
  {
    const Array x = xp::from_dlpack(make_tensor());
    expect(x.ndim() == 2 && x.shape()[0] == 3 && x.shape()[1] == 4, "its shape is (3, 4)");
    kernels();
    Array means = x;
    {
      const xp::Fusing promise;
      means = xp::mean((x - 1) * (x - 1), {1});
      means.eval();
    }
    expect(kernels() == 1, "producers, sum and division ran as one kernel");
    const auto out = xp::to_span<const float>(means);
    expect(is_near(out[0], 3.5f), "the mean of 0, 1, 4 and 9 is 3.5");
  }
  expect(tensors_deleted == 1, "its deleter ran once");
}

void hand_one_out() {
  std::printf("an array, handed out as DLPack\n");
  xp::DlpackTensor tensor;
  {
    const Array x = xp::full({6}, 1.5);
    const Array y = x * x + 1;
    tensor = xp::to_dlpack(y);
  }
  const auto& t = tensor->dl_tensor;
  expect(t.device.device_type == xp::dlpack::kDLCPU && t.ndim == 1 && t.shape[0] == 6,
         "six on the CPU");
  expect(static_cast<const double*>(t.data)[5] == 3.25, "it outlives the array; 1.5 * 1.5 + 1");
}

void refuse_clearly() {
  std::printf("an error\n");
  try {
    xp::ones({3}) + xp::ones({4});
    expect(false, "shapes that do not broadcast are refused");
  } catch (const xp::ValueError& error) {
    expect(error.code() == xp::Errc::value, error.what());
  }
}

}  // namespace

int main() {
  std::printf("devices:");
  for (const xp::Device& device : xp::find_devices().devices)
    std::printf(" %s", xp::to_string(device).c_str());
  std::printf("\n");
  adopt_a_vector();
  adopt_a_tensor();
  hand_one_out();
  refuse_clearly();
}
