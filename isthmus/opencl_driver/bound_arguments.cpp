// bound_arguments.cpp: comparing launches.
#include "isthmus/opencl_driver/bound_arguments.h"

#include <algorithm>
#include <bit>

#include "isthmus/hazards/hazards.h"

namespace isthmus::driver {

namespace {

/// Zeros of two signs differ, and a NaN is like itself.
bool is_same(const Scalar& a, const Scalar& b) {
  if (!(a.dtype == b.dtype)) return false;
  const Family family = info(a.dtype.id).family;
  if (family != Family::real && family != Family::complex) return a.natural == b.natural;
  const auto bits = [](double part) { return std::bit_cast<std::uint64_t>(part); };
  return bits(a.number.re) == bits(b.number.re) && bits(a.number.im) == bits(b.number.im);
}

template <class F>
bool all_of(const Launch& launch, F f) {
  for (const auto& part : {launch.inputs, launch.epilogue_inputs, launch.outputs})
    for (const Argument& argument : part)
      if (!f(argument)) return false;
  return true;
}

}  // namespace

const Passes& BoundArguments::plan(const Program& program, const Launch& launch,
                                   const Traits& traits) {
  if (releases_ != releases()) {
    releases_ = releases();
    for (Bound& said : bound_) said.pointers.clear();
  }
  if (is_like(launch)) return passes_;
  arguments_.clear();  // like no launch, should what follows fail
  for (Bound& said : bound_) said.has_words = false;
  passes_ = plan_passes(program, launch, traits);
  bound_.resize(std::max(bound_.size(), passes_.passes.size()));
  remember(launch);
  return passes_;
}

void BoundArguments::note_pointer(std::size_t pass, std::size_t index, const void* pointer) {
  auto& pointers = bound_[pass].pointers;
  if (index >= pointers.size()) pointers.resize(index + 1, nullptr);
  pointers[index] = pointer;
}

void BoundArguments::forget() {
  for (Bound& said : bound_) said = {};
}

bool BoundArguments::is_like(const Launch& launch) const {
  const std::size_t count =
      launch.inputs.size() + launch.epilogue_inputs.size() + launch.outputs.size();
  if (count != arguments_.size() || kept_ != launch.kept || !(shape_ == launch.shape)) return false;
  auto known = arguments_.begin();
  return all_of(launch, [&](const Argument& argument) {
    const Numbers& numbers = *known++;
    return numbers.offset == argument.offset && numbers.strides == argument.strides &&
           is_same(numbers.scalar, argument.scalar);
  });
}

void BoundArguments::remember(const Launch& launch) {
  std::vector<Numbers> arguments;
  all_of(launch, [&](const Argument& argument) {
    arguments.push_back({argument.offset, argument.strides, argument.scalar});
    return true;
  });
  shape_ = launch.shape;
  kept_ = launch.kept;
  arguments_ = std::move(arguments);
}

}  // namespace isthmus::driver
