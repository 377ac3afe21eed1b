// test_few_elements.cpp: maps of few elements, which the host executor does without a plan.
#include <gtest/gtest.h>

#include <random>

#include "tests/unit/host_programs.h"

namespace isthmus {
namespace {

/// A tape of random steps on two arrays, a number, positions and a base, of any types.
Tape random_tape(std::mt19937& random, TypeId x, TypeId y, TypeId scalar, TypeId base) {
  Tape tape;
  tape.inputs = {{Input::Kind::memory, x, 0},
                 {Input::Kind::memory, y, 0},
                 {Input::Kind::scalar, scalar, 0},
                 {Input::Kind::index, TypeId::int64, 0},
                 {Input::Kind::base, base, 0}};
  const auto any_type = [&] { return all_types[random() % std::size(all_types)]; };
  const auto any_value = [&] {
    for (;;)
      if (const auto v = random() % (tape.inputs.size() + tape.steps.size()); v != 4)
        return static_cast<std::uint16_t>(v);
  };
  const auto add = [&](Op op, TypeId type, TypeId result, std::uint16_t a, std::uint16_t b,
                       std::uint16_t c) {
    tape.steps.push_back({op, type, result, {a, b, c}});
    return static_cast<std::uint16_t>(tape.inputs.size() + tape.steps.size() - 1);
  };
  const auto as = [&](std::uint16_t v, TypeId type) {
    const TypeId from = tape.type_of(v);
    return from == type ? v : add(Op::astype, from, type, v, 0, 0);
  };
  const int count = 1 + static_cast<int>(random() % 5);
  for (int i = 0; i < count; ++i) {
    const TypeId type = any_type();
    const bool is_complex = info(type).family == Family::complex;
    const std::uint16_t a = as(any_value(), type), b = as(any_value(), type);
    switch (random() % 5) {
      case 0: add(Op::load, base, base, 4, 3, 0); break;
      case 1: add(Op::where, type, type, as(any_value(), TypeId::bool_), a, b); break;
      case 2: add(Op::equal, type, TypeId::bool_, a, b, 0); break;
      case 3: add(is_complex ? Op::subtract : Op::maximum, type, type, a, b, 0); break;
      default: add(type == TypeId::bool_ ? Op::maximum : Op::multiply, type, type, a, b, 0);
    }
  }
  const int outputs = 1 + static_cast<int>(random() % 3);
  for (int k = 0; k < outputs; ++k) tape.outputs.push_back(any_value());
  tape.outputs[0] = static_cast<std::uint16_t>(tape.inputs.size() + tape.steps.size() - 1);
  return tape;
}

TEST(FewElements, few_elements_have_the_bits_of_the_same_among_many) {
  constexpr std::int64_t many = 3000;
  std::mt19937 random(11);
  const auto any_type = [&] { return all_types[random() % std::size(all_types)]; };
  for (int round = 0; round < 1000; ++round) {
    const TypeId types[] = {any_type(), any_type(), any_type(), any_type()};
    Program program;
    program.map = random_tape(random, types[0], types[1], types[2], types[3]);
    Bytes values[3];
    Argument inputs[5];
    for (unsigned k = 0; k < 2; ++k) {
      const std::int64_t strides[] = {1, 2, 0, -1};
      const std::int64_t stride = strides[random() % 4];
      values[k] = random_elements(types[k], 2 * many, random());
      const std::int64_t first = stride < 0 ? many : 0;
      inputs[k] = memory(values[k].data() + first * size_of(types[k]), {stride});
    }
    inputs[2] = constant(1.0 + static_cast<double>(random() % 5));
    inputs[3].strides = {0};
    values[2] = random_elements(types[3], many, random());
    inputs[4] = memory(values[2].data(), {0});
    const std::int64_t n = std::int64_t{1} << random() % 8;
    const std::size_t outputs = program.map.outputs.size();
    std::vector<Bytes> out[2];
    for (const bool is_few : {false, true}) {
      std::vector<Argument> places;
      for (const std::uint16_t value : program.map.outputs) {
        out[is_few].emplace_back(2 * many * size_of(program.map.type_of(value)), 0xee);
        places.push_back(memory(out[is_few].back().data(), {round % 2 + 1}));
      }
      host::run(program, {{is_few ? n : many}, 1, inputs, {}, places});
    }
    for (std::size_t k = 0; k < outputs; ++k) {
      const std::int64_t item = size_of(program.map.type_of(program.map.outputs[k]));
      const std::int64_t end = ((n - 1) * (round % 2 + 1) + 1) * item;
      ASSERT_TRUE(std::equal(out[1][k].begin(), out[1][k].begin() + end, out[0][k].begin()))
          << "round " << round << ", output " << k << " of " << n << ": "
          << list_of(names_of(program));
      ASSERT_EQ(out[1][k][static_cast<std::size_t>(end)], 0xee) << "round " << round;
    }
  }
}

TEST(FewElements, few_elements_may_be_written_over_what_several_outputs_read) {
  for (const std::int64_t n : {1, 7, 400, 3000}) {
    Program program;
    program.map.inputs = {{Input::Kind::memory, TypeId::float32, 0},
                          {Input::Kind::memory, TypeId::float32, 0}};
    program.map.steps = {{Op::add, TypeId::float32, TypeId::float32, {0, 1, 0}},
                         {Op::subtract, TypeId::float32, TypeId::float32, {0, 1, 0}}};
    program.map.outputs = {2, 3, 0};
    std::vector<float> x(static_cast<std::size_t>(n), 5), y(x.size(), 3), z(x.size(), 0);
    const Argument inputs[] = {memory(x.data(), {1}), memory(y.data(), {1})};
    const Argument outputs[] = {memory(x.data(), {1}), memory(y.data(), {1}),
                                memory(z.data(), {1})};
    host::run(program, {{n}, 1, inputs, {}, outputs});
    EXPECT_EQ(x, std::vector<float>(x.size(), 8));
    EXPECT_EQ(y, std::vector<float>(x.size(), 2));
    EXPECT_EQ(z, std::vector<float>(x.size(), 5));
  }
}

}  // namespace
}  // namespace isthmus
