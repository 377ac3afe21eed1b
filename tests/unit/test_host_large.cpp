// test_host_large.cpp: results that are larger than caches, which the host writes past them.
#include <gtest/gtest.h>

#include "tests/unit/host_programs.h"

namespace isthmus {
namespace {

struct LargeResults : testing::TestWithParam<TypeId> {
  TypeId type = GetParam();
  std::int64_t bytes = size_of(type);
  std::int64_t count = (std::int64_t{32} << 20) / bytes + 1237;  ///< No whole number of groups.
  Bytes x = elements(1), y = elements(2), z = elements(3);

  /// Random ones again and again, since drawing them all would take long.
  Bytes elements(unsigned seed) const {
    const Bytes some = random_elements(type, 65521, seed);
    Bytes all(static_cast<std::size_t>(count * bytes));
    for (std::size_t at = 0; at < all.size(); at += some.size())
      std::memcpy(all.data() + at, some.data(), std::min(some.size(), all.size() - at));
    return all;
  }

  /// Runs the program on elements from `begin` on.
  void run(const Program& program, unsigned char* out, std::int64_t begin, std::int64_t n) const {
    std::vector<Argument> inputs;
    for (std::size_t k = 0; k < program.map.inputs.size(); ++k)
      inputs.push_back(memory((k == 0 ? x : k == 1 ? y : z).data() + begin * bytes, {1}));
    const Argument outputs[] = {memory(out, {1})};
    host::run(program, {{n}, 0, inputs, {}, outputs});
  }

  /// At once, so many bytes behind a multiple of 64, and in small pieces: the same bits.
  void compare(const Program& program, std::size_t behind) const {
    const auto size = static_cast<std::size_t>(count * bytes);
    Bytes large(size + 192, 0xa5), piece(static_cast<std::size_t>(50000 * bytes));
    const std::size_t offset = 64 - reinterpret_cast<std::uintptr_t>(large.data()) % 64 + behind;
    run(program, large.data() + offset, 0, count);
    for (std::int64_t begin = 0; begin < count; begin += 50000) {
      const std::int64_t n = std::min<std::int64_t>(50000, count - begin);
      run(program, piece.data(), begin, n);
      const unsigned char* const at = large.data() + offset + begin * bytes;
      ASSERT_EQ(std::memcmp(at, piece.data(), static_cast<std::size_t>(n * bytes)), 0) << begin;
    }
    for (std::size_t i = 0; i < 64; ++i) ASSERT_EQ(large[offset + size + i], 0xa5);
    for (std::size_t i = 0; i < offset; ++i) ASSERT_EQ(large[i], 0xa5);
  }

  /// max(x * y + z, x).
  Program chain() const {
    Program program;
    for (int i = 0; i < 3; ++i) program.map.inputs.push_back({Input::Kind::memory, type, 0});
    program.map.steps.push_back({Op::multiply, type, type, {0, 1}});
    program.map.steps.push_back({Op::add, type, type, {3, 2}});
    program.map.steps.push_back({Op::maximum, type, type, {4, 0}});
    program.map.outputs.push_back(5);
    return program;
  }
};

TEST_P(LargeResults, OfAChainHaveTheBitsOfPieces) {
  for (const std::size_t behind : {0, 8, 16, 32}) compare(chain(), behind);
}

TEST_P(LargeResults, OfOneOperationToo) {
  for (const Op op : {Op::add, Op::square, Op::sin}) compare(program_of(op, type, type), 0);
}

TEST_P(LargeResults, AreWrittenOverAnOperand) {
  Bytes copy = x;
  const Program program = program_of(Op::add, type, type);
  const Argument inputs[] = {memory(copy.data(), {1}), memory(y.data(), {1})};
  const Argument outputs[] = {memory(copy.data(), {1})};
  host::run(program, {{count}, 0, inputs, {}, outputs});
  Bytes want(copy.size());
  for (std::int64_t begin = 0; begin < count; begin += 50000)
    run(program, want.data() + begin * bytes, begin, std::min<std::int64_t>(50000, count - begin));
  EXPECT_TRUE(copy == want);
}

TEST_P(LargeResults, AreReadBySteps) {  // one output is an operand of the other
  Program program = chain();
  program.map.outputs.push_back(4);
  const auto size = static_cast<std::size_t>(count * bytes);
  Bytes both[2] = {Bytes(size), Bytes(size)}, alone(size);
  std::vector<Argument> inputs;
  for (const Bytes* operand : {&x, &y, &z}) inputs.push_back(memory(operand->data(), {1}));
  const Argument outputs[] = {memory(both[0].data(), {1}), memory(both[1].data(), {1})};
  host::run(program, {{count}, 0, inputs, {}, outputs});
  for (const int k : {0, 1}) {
    Program one = chain();
    one.map.outputs[0] = k == 0 ? 5 : 4;
    run(one, alone.data(), 0, count);
    EXPECT_TRUE(both[k] == alone) << k;
  }
}

INSTANTIATE_TEST_SUITE_P(Types, LargeResults, testing::Values(TypeId::float32, TypeId::float64),
                         [](const auto& info) {
                           return std::string(isthmus::info(info.param).name);
                         });

}  // namespace
}  // namespace isthmus
