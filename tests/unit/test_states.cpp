// test_states.cpp: reductions with a state on the host executor, beside a plain loop.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "tests/unit/host_programs.h"

namespace isthmus {
namespace {

constexpr Reduction extremes[] = {Reduction::argmax, Reduction::argmin, Reduction::nanargmax,
                                  Reduction::nanargmin};

/// Where an extreme of (kept, reduced) is, for each kept element.
Program program_of(Reduction extreme, TypeId type) {
  Program program;
  program.map.inputs.push_back({Input::Kind::memory, type, 0});
  program.map.outputs.push_back(0);
  program.shape = KernelShape::reduce;
  program.reduction = extreme;
  program.accumulator = TypeId::int64;
  program.epilogue.inputs.push_back({Input::Kind::result, TypeId::int64, 0});
  program.epilogue.outputs.push_back(0);
  return program;
}

std::vector<std::int64_t> run(const Program& program, const void* x, std::int64_t kept,
                              std::int64_t reduced, Dims strides) {
  std::vector<std::int64_t> out(static_cast<std::size_t>(kept), -7);
  const Argument input = memory(x, std::move(strides)), output = memory(out.data(), {1});
  host::run(program, {{kept, reduced}, 1, {&input, 1}, {}, {&output, 1}});
  return out;
}

/// By a loop from the first element to the last.
std::int64_t wanted_of(Reduction extreme, TypeId type, const unsigned char* row, std::int64_t n) {
  const bool is_max = extreme == Reduction::argmax || extreme == Reduction::nanargmax;
  const bool skips_nan = extreme == Reduction::nanargmax || extreme == Reduction::nanargmin;
  const bool is_real = info(type).family == Family::real;
  const auto is_nan = [&](std::int64_t i) {
    return is_real && std::isnan(read(type, row + i * size_of(type)));
  };
  const auto is_less = [&](std::int64_t i, std::int64_t j) {
    const unsigned char *a = row + i * size_of(type), *b = row + j * size_of(type);
    return is_real ? read(type, a) < read(type, b) : integer_at(type, a) < integer_at(type, b);
  };
  std::int64_t best = -1;
  for (std::int64_t i = 0; i < n; ++i) {
    if (is_nan(i) && skips_nan) continue;
    if (best < 0 || (is_nan(i) && !is_nan(best)) ||
        (!is_nan(best) && (is_max ? is_less(best, i) : is_less(i, best))))
      best = i;
  }
  return best;
}

/// Rows in which elements repeat, and of which some are NaN, at either end and as a whole.
Bytes rows_of(TypeId type, std::int64_t kept, std::int64_t reduced) {
  Bytes x = random_elements(type, kept * reduced, 3);
  std::mt19937 random(5);
  constexpr double infinite = std::numeric_limits<double>::infinity();
  const double kinds[][4] = {
      {1, 2, 2, 1},         {NAN, 1, 1, NAN},           {0.0, -0.0, -0.0, 0.0},
      {NAN, NAN, NAN, NAN}, {NAN, -infinite, NAN, NAN}, {NAN, infinite, 1, 2}};
  for (std::int64_t i = 0; i < kept; ++i)
    for (std::int64_t j = 0; j < reduced && i % 7 < 6; ++j) {
      const double value = kinds[i % 7][random() % 4];
      unsigned char* const at = x.data() + (i * reduced + j) * size_of(type);
      if (info(type).family == Family::real)
        store(Scalar::of(Complex<double>{value, 0}), type, at);
      else
        store(Scalar::of(static_cast<std::int64_t>(random() % 2)), type, at);
    }
  return x;
}

class States : public ::testing::TestWithParam<TypeId> {};
constexpr TypeId ordered[] = {TypeId::bool_,  TypeId::int8,    TypeId::int16,    TypeId::int32,
                              TypeId::int64,  TypeId::uint8,   TypeId::uint16,   TypeId::uint32,
                              TypeId::uint64, TypeId::float16, TypeId::bfloat16, TypeId::float32,
                              TypeId::float64};
INSTANTIATE_TEST_SUITE_P(Types, States, ::testing::ValuesIn(ordered), [](const auto& test) {
  return std::string(isthmus::info(test.param).name);
});

TEST_P(States, extremes_are_where_a_loop_finds_them_in_every_layout_and_number_of_threads) {
  const TypeId type = GetParam();
  if (is_left_out(type)) GTEST_SKIP() << "one type of each size is enough";
  const int threads = thread_count();
  for (const auto& [kept, reduced] : {std::pair<std::int64_t, std::int64_t>{7, 1},
                                      {7, 31},
                                      {40, 33},
                                      {40, 8},
                                      {40, 17},
                                      {40, 128},
                                      {40, 161},
                                      {7, 1024},
                                      {14, 3000},
                                      {300, 1100},
                                      {7, 40000}}) {
    const Bytes x = rows_of(type, kept, reduced);
    const Bytes columns = turned(x.data(), type, kept, reduced);
    const std::int64_t bytes = size_of(type);
    for (const Reduction extreme : extremes) {
      std::vector<std::int64_t> wanted;
      for (std::int64_t i = 0; i < kept; ++i)
        wanted.push_back(wanted_of(extreme, type, x.data() + i * reduced * bytes, reduced));
      const Program program = program_of(extreme, type);
      for (const int count : {1, 3}) {
        set_thread_count(count);
        EXPECT_EQ(run(program, x.data(), kept, reduced, {reduced, 1}), wanted)
            << info(extreme).name << " of rows of " << reduced;
        EXPECT_EQ(run(program, columns.data(), kept, reduced, {1, kept}), wanted)
            << info(extreme).name << " of columns of " << reduced;
      }
    }
  }
  set_thread_count(threads);
}

TEST(HostStates, maps_before_and_after_are_part_of_the_program) {
  const std::int64_t n = 5000;
  std::vector<float> x(static_cast<std::size_t>(n), 1.0f);
  x[3333] = -4, x[4444] = 3;
  Program program = program_of(Reduction::argmax, TypeId::float32);
  program.map.steps.push_back({Op::square, TypeId::float32, TypeId::float32, {0, 0, 0}});
  program.map.outputs[0] = 1;
  program.epilogue.steps.push_back({Op::negative, TypeId::int64, TypeId::int64, {0, 0, 0}});
  program.epilogue.outputs[0] = 1;
  EXPECT_EQ(run(program, x.data(), 1, n, {n, 1}), std::vector<std::int64_t>{-3333});
}

}  // namespace
}  // namespace isthmus
