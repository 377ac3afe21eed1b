// test_launch_plans.cpp: which launches are planned anew.
#include "isthmus/runtime/kernels/launch_plans.h"

#include <gtest/gtest.h>

#include <limits>

#include "isthmus/codegen/form.h"

namespace isthmus {
namespace {

/// x + number, over four elements.
class LaunchPlansOfOneProgram : public ::testing::Test {
 protected:
  LaunchPlansOfOneProgram() {
    program.map.inputs = {{Input::Kind::memory, TypeId::float32, 0},
                          {Input::Kind::scalar, TypeId::float32, 0}};
    program.map.steps.push_back({Op::add, TypeId::float32, TypeId::float32, {0, 1, 0}});
    program.map.outputs = {2};
    inputs[0].strides = outputs[0].strides = Dims{1};
    set_number(1);
    program.form = form_of(program, launch());
  }
  Launch launch() const { return {shape, 1, inputs, {}, outputs}; }
  void set_number(double value) {
    inputs[1].scalar.dtype = TypeId::float64;
    inputs[1].scalar.number.re = value;
  }
  Ref<LaunchPlan> plan() { return plans.find(program, launch(), {}); }

  Program program;
  Dims shape{4};
  std::vector<Argument> inputs = std::vector<Argument>(2), outputs = std::vector<Argument>(1);
  LaunchPlans plans;
};

TEST_F(LaunchPlansOfOneProgram, are_one_for_equal_numbers_wherever_operands_lie) {
  const auto first = plan();
  int elsewhere = 0;
  inputs[0].address = &elsewhere;
  EXPECT_EQ(plan(), first);
  set_number(std::numeric_limits<double>::quiet_NaN());
  const auto of_nan = plan();
  EXPECT_NE(of_nan, first);
  EXPECT_EQ(plan(), of_nan) << "a NaN is like itself";
}

TEST_F(LaunchPlansOfOneProgram, differ_with_every_number) {
  set_number(0.0);
  auto last = plan();
  const auto expect_new = [&] {
    const auto next = plan();
    EXPECT_NE(next, last);
    last = next;
  };
  set_number(-0.0);
  expect_new();
  inputs[0].offset = 2;
  expect_new();
  outputs[0].strides = Dims{2};
  expect_new();
  shape = Dims{5};
  expect_new();
}

TEST_F(LaunchPlansOfOneProgram, stay_as_they_are_for_who_holds_them) {
  const auto first = plan();
  const std::vector<std::int64_t> words = first->passes.passes.at(0).words;
  shape = Dims{7};
  EXPECT_NE(plan()->passes.passes.at(0).words, words);
  EXPECT_EQ(first->passes.passes.at(0).words, words);
}

}  // namespace
}  // namespace isthmus
