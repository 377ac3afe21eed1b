// dlpack.cpp: take a tensor of another library over, and hand an array out as one.
#include <isthmus/isthmus.h>

#include <array>
#include <numeric>

#include "checks.h"

namespace xp = isthmus;
using Tensor = xp::dlpack::DLManagedTensorVersioned;

int tensors_deleted = 0;

/// Somebody else's tensor: 3 x 4 float32, which a real program would get from another library.
struct Theirs {
  std::array<float, 12> elements{};
  std::array<std::int64_t, 2> shape{3, 4}, strides{4, 1};
  Tensor tensor{};
};

Tensor* make_tensor() {
  auto* theirs = new Theirs;
  std::iota(theirs->elements.begin(), theirs->elements.end(), 1.0f);
  theirs->tensor.version = {xp::dlpack::major_version, xp::dlpack::minor_version};
  theirs->tensor.manager_ctx = theirs;
  theirs->tensor.deleter = [](Tensor* self) {
    ++tensors_deleted;
    delete static_cast<Theirs*>(self->manager_ctx);
  };
  theirs->tensor.dl_tensor = {.data = theirs->elements.data(),
                              .device = {xp::dlpack::kDLCPU, 0},
                              .ndim = 2,
                              .dtype = {2, 32, 1},  // float, 32 bits, one lane
                              .shape = theirs->shape.data(),
                              .strides = theirs->strides.data(),
                              .byte_offset = 0};
  return &theirs->tensor;
}

int main() {
  xp::Array x = xp::from_dlpack(make_tensor());  // its memory; the tensor is taken over
  const xp::Array means = mean((x - 1) * (x - 1), 1);
  xp::DlpackTensor tensor = xp::to_dlpack(means);  // ours until it is released
  const xp::dlpack::DLTensor& seen = tensor->dl_tensor;
  std::printf("the first of %d means is %g\n", static_cast<int>(seen.shape[0]),
              static_cast<const float*>(seen.data)[0]);
  Tensor* const given = tensor.release();  // to a consumer, who calls the deleter
  given->deleter(given);

  expect(x.shape() == xp::Shape{3, 4} && x.dtype() == xp::float32, "3 x 4 of float32");
  expect(is_near(means[0].item<float>(), 3.5), "the mean of 0, 1, 4 and 9 is 3.5");
  kernels();
  {
    const xp::Fusing promise;  // nobody writes to their tensor meanwhile
    const xp::Array all = mean((x - 1) * (x - 1));
    expect(is_near(all.item<float>(), 506.0 / 12), "the mean of all");
  }
  expect(kernels() == 1, "producers, sum and division ran as one kernel");
  expect(tensors_deleted == 0, "the deleter has not run while there is an array");
  x = xp::Array();
  expect(tensors_deleted == 1, "it ran once with the last one");

  {
    const xp::Array y = xp::full({6}, 1.5);
    tensor = xp::to_dlpack(y * y + 1);
  }
  const auto& t = tensor->dl_tensor;
  expect(t.device == xp::dlpack::DLDevice{xp::dlpack::kDLCPU, 0} && t.ndim == 1 && t.shape[0] == 6,
         "six on the CPU");
  expect(static_cast<const double*>(t.data)[5] == 3.25, "it outlives the array; 1.5 * 1.5 + 1");

  const xp::Array a = xp::zeros({2});
  const xp::Array same = xp::from_dlpack(xp::to_dlpack(a));
  const xp::Array copy = xp::from_dlpack(xp::to_dlpack(a, {.is_copied = true}));
  same[0] = 7;
  expect(a[0].item<double>() == 7, "a tensor of ours gives back the array's own memory");
  expect(copy[0].item<double>() == 0, "a copy is a copy");
}
