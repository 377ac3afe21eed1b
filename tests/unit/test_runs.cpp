// test_runs.cpp: loads and stores on the host whose positions follow each other along an axis.
#include <gtest/gtest.h>

#include "host_programs.h"

namespace isthmus {
namespace {

struct RunCase {
  std::int64_t rows, length, slope;
};
constexpr RunCase cases[] = {{3, 4, 1},    {300, 5, 1},  {1, 16, 1},     {700, 16, 1}, {90, 37, -1},
                             {45, 100, 1}, {9, 1000, 1}, {7, 5000, 1},   {2, 9000, 1}, {60, 64, 2},
                             {300, 3, 1},  {40, 33, 0},  {1500, 127, 1}, {5, 250, 3},  {0, 8, 1}};

/// Rows of `length` elements that are `slope` apart begin anywhere in so many elements.
struct Positions {
  explicit Positions(const RunCase& c, unsigned seed, bool has_negative = false) : shown(c) {
    std::mt19937_64 random(seed);
    const std::int64_t reach = (c.length - 1) * std::abs(c.slope) + 1;
    count = 3 * reach + 100;
    for (std::int64_t i = 0; i < c.rows; ++i) {
      const auto start = static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(count));
      const std::int64_t highest = count - reach;
      begins.push_back(std::min(start, highest) + (c.slope < 0 ? reach - 1 : 0));
      if (has_negative && random() % 4 == 0) begins.back() = -reach / 2;
    }
  }
  std::int64_t at(std::int64_t row, std::int64_t i) const { return begins[row] + i * shown.slope; }

  RunCase shown;
  std::int64_t count = 0;
  std::vector<std::int64_t> begins;
};

/// v0 is a value in memory or the base, v1 the begin of a row, v2 what is added along it.
Program program_with(Input::Kind first, TypeId type) {
  constexpr TypeId i64 = TypeId::int64, u64 = TypeId::uint64;
  Program program;
  program.map.inputs = {
      {first, type, 0}, {Input::Kind::memory, i64, 0}, {Input::Kind::number, u64, 0}};
  program.map.steps.push_back({Op::astype, u64, i64, {2, 0, 0}});
  program.map.steps.push_back({Op::add, i64, i64, {1, 3, 0}});
  return program;
}

Argument number_along(std::int64_t slope) {
  Argument number = memory(nullptr, {0, slope});
  number.offset = 0;
  return number;
}

class Runs : public ::testing::TestWithParam<TypeId> {};

TEST_P(Runs, loads_are_those_of_each_element) {
  const TypeId type = GetParam();
  const std::int64_t bytes = size_of(type);
  for (const RunCase& c : cases) {
    const Positions positions(c, 11);
    const Bytes base = random_elements(type, positions.count, 5);
    Program program = program_with(Input::Kind::base, type);
    program.map.steps.push_back({Op::load, type, type, {0, 4, 0}});
    program.map.outputs.push_back(5);
    const Argument inputs[] = {memory(base.data(), {0, 0}), memory(positions.begins.data(), {1, 0}),
                               number_along(c.slope)};
    for (const bool is_dense : {true, false}) {
      Bytes out(static_cast<std::size_t>(c.rows * c.length * bytes));
      const Argument output = memory(out.data(), is_dense ? Dims{c.length, 1} : Dims{1, c.rows});
      host::run(program, {{c.rows, c.length}, 0, inputs, {}, {&output, 1}});
      for (std::int64_t i = 0; i < c.rows * c.length; ++i) {
        const std::int64_t row = i / c.length, k = i % c.length;
        const std::int64_t to = is_dense ? i : row + k * c.rows;
        ASSERT_EQ(std::memcmp(out.data() + to * bytes, base.data() + positions.at(row, k) * bytes,
                              static_cast<std::size_t>(bytes)),
                  0)
            << info(type).name << ": row " << row << " of " << c.rows << ", element " << k << " of "
            << c.length << ", slope " << c.slope;
      }
    }
  }
}

TEST_P(Runs, stores_write_the_last_of_equal_positions_and_none_that_is_negative) {
  const TypeId type = GetParam();
  const std::int64_t bytes = size_of(type);
  for (const RunCase& c : cases) {
    const Positions positions(c, 12, true);
    const Bytes values = random_elements(type, c.rows * c.length, 6);
    Bytes out = random_elements(type, positions.count, 7), wanted = out;
    Program program = program_with(Input::Kind::memory, type);
    program.shape = KernelShape::store;
    program.store = Store::in_order;
    program.map.outputs = {0, 4};
    const Argument inputs[] = {memory(values.data(), {c.length, 1}),
                               memory(positions.begins.data(), {1, 0}), number_along(c.slope)};
    Argument output = memory(out.data(), {0, 0});
    output.scalar = Scalar::of(positions.count);
    host::run(program, {{c.rows, c.length}, 0, inputs, {}, {&output, 1}});
    for (std::int64_t i = 0; i < c.rows * c.length; ++i)
      if (const std::int64_t at = positions.at(i / c.length, i % c.length); at >= 0)
        std::memcpy(wanted.data() + at * bytes, values.data() + i * bytes,
                    static_cast<std::size_t>(bytes));
    ASSERT_EQ(out, wanted) << info(type).name << ": " << c.rows << " rows of " << c.length
                           << ", slope " << c.slope;
  }
}

INSTANTIATE_TEST_SUITE_P(Types, Runs,
                         ::testing::Values(TypeId::uint8, TypeId::bfloat16, TypeId::float16,
                                           TypeId::int32, TypeId::float64, TypeId::complex128),
                         [](const auto& of) { return std::string(isthmus::info(of.param).name); });

TEST(RunsOf, several_outputs_and_steps_around_the_load) {
  // x[row] * 2 and x[row], into dense memory and into columns
  for (const RunCase& c : cases) {
    const Positions positions(c, 13);
    std::vector<float> base(static_cast<std::size_t>(positions.count));
    for (std::size_t i = 0; i < base.size(); ++i) base[i] = static_cast<float>(i);
    Program program = program_with(Input::Kind::base, TypeId::float32);
    constexpr TypeId f32 = TypeId::float32;
    program.map.steps.push_back({Op::load, f32, f32, {0, 4, 0}});
    program.map.steps.push_back({Op::add, f32, f32, {5, 5, 0}});
    program.map.outputs = {6, 5};
    const Argument inputs[] = {memory(base.data(), {0, 0}), memory(positions.begins.data(), {1, 0}),
                               number_along(c.slope)};
    std::vector<float> twice(static_cast<std::size_t>(c.rows * c.length)), once(twice.size());
    const Argument outputs[] = {memory(twice.data(), {c.length, 1}),
                                memory(once.data(), {1, c.rows})};
    host::run(program, {{c.rows, c.length}, 0, inputs, {}, outputs});
    for (std::int64_t i = 0; i < c.rows * c.length; ++i) {
      const std::int64_t row = i / c.length, k = i % c.length;
      const float x = base[static_cast<std::size_t>(positions.at(row, k))];
      ASSERT_EQ(twice[static_cast<std::size_t>(i)], 2 * x) << c.length;
      ASSERT_EQ(once[static_cast<std::size_t>(row + k * c.rows)], x) << c.length;
    }
  }
}

TEST(RunsOf, equal_positions_of_values_that_take_long) {
  constexpr std::int64_t n = 100000, count = 5000;
  constexpr TypeId f64 = TypeId::float64;
  const Bytes x = random_elements(f64, n, 3);
  std::vector<std::int64_t> at(n);
  std::mt19937_64 random(4);
  for (std::int64_t& position : at) position = static_cast<std::int64_t>(random() % count) - 1;
  Program sines;
  sines.map.inputs = {{Input::Kind::memory, f64, 0}, {Input::Kind::memory, TypeId::int64, 0}};
  sines.map.steps = {{Op::sin, f64, f64, {0, 0, 0}}, {Op::sin, f64, f64, {2, 0, 0}}};
  sines.map.outputs.push_back(3);
  const Argument inputs[] = {memory(x.data(), {1}), memory(at.data(), {1})};
  std::vector<double> values(n), wanted(count, 7), out(count, 7);
  const Argument dense = memory(values.data(), {1});
  host::run(sines, {{n}, 0, inputs, {}, {&dense, 1}});
  for (std::size_t i = 0; i < at.size(); ++i)
    if (at[i] >= 0) wanted[static_cast<std::size_t>(at[i])] = values[i];
  sines.shape = KernelShape::store;
  sines.store = Store::in_order;
  sines.map.outputs.push_back(1);
  Argument output = memory(out.data(), {0});
  output.scalar = Scalar::of(count);
  const int before = thread_count();
  for (const int threads : {1, 4}) {
    set_thread_count(threads);
    out.assign(count, 7);
    host::run(sines, {{n}, 0, inputs, {}, {&output, 1}});
    EXPECT_EQ(out, wanted) << threads;
  }
  set_thread_count(before);
}

/// What is at each position and `factor` times the values that it gets.
template <TypeId type>
void check_sums(std::int64_t factor, const std::vector<Step>& steps) {
  using T = storage_t<type>;
  constexpr std::int64_t n = 70000, count = 300;
  std::vector<T> values(n), wanted(count, T(7)), out = wanted;
  std::vector<std::int64_t> at(n);
  std::mt19937_64 random(4);
  for (std::size_t i = 0; i < at.size(); ++i) {
    values[i] = static_cast<T>(random());
    at[i] = static_cast<std::int64_t>(random() % (count + 1)) - 1;
    if (at[i] < 0) continue;
    T& sum = wanted[static_cast<std::size_t>(at[i])];
    sum = static_cast<T>(static_cast<std::uint64_t>(sum) + static_cast<std::uint64_t>(values[i]) *
                                                               static_cast<std::uint64_t>(factor));
  }
  Program program;
  program.map.inputs = {{Input::Kind::memory, type, 0}, {Input::Kind::memory, TypeId::int64, 0}};
  for (const Step& step : steps) program.map.steps.push_back(step);
  program.map.outputs = {static_cast<std::uint16_t>(steps.empty() ? 0 : 1 + steps.size()), 1};
  program.shape = KernelShape::store;
  program.store = Store::sum;
  const Argument inputs[] = {memory(values.data(), {1}), memory(at.data(), {1})};
  Argument output = memory(out.data(), {0});
  output.scalar = Scalar::of(count);
  const int before = thread_count();
  for (const int threads : {1, 4}) {
    set_thread_count(threads);
    out.assign(count, T(7));
    host::run(program, {{n}, 0, inputs, {}, {&output, 1}});
    EXPECT_EQ(out, wanted) << info(type).name << ", threads: " << threads;
  }
  set_thread_count(before);
}

TEST(RunsOf, integers_of_equal_positions_are_added_up) {
  check_sums<TypeId::int8>(1, {});
  check_sums<TypeId::uint16>(1, {});
  check_sums<TypeId::int32>(1, {});
  check_sums<TypeId::uint64>(1, {});
  // values that are worth all threads
  constexpr TypeId i64 = TypeId::int64;
  std::vector<Step> doublings;
  for (std::uint16_t value = 0; value < 12; ++value) {
    const std::uint16_t last = value == 0 ? 0 : value + 1;
    doublings.push_back({Op::add, i64, i64, {last, last, 0}});
  }
  check_sums<TypeId::int64>(1 << 12, doublings);
}

TEST(RunsOf, positions_that_are_read_themselves) {
  // x[at[row], column]: the begin of a row is a load of its own
  constexpr std::int64_t rows = 500, length = 24;
  std::vector<std::int64_t> at(100), index(rows);
  for (std::size_t i = 0; i < at.size(); ++i) at[i] = static_cast<std::int64_t>(i * 37 % 100);
  for (std::size_t i = 0; i < index.size(); ++i) index[i] = static_cast<std::int64_t>(i * 7 % 100);
  std::vector<double> base(100 + length);
  for (std::size_t i = 0; i < base.size(); ++i) base[i] = static_cast<double>(i) / 4;
  constexpr TypeId i64 = TypeId::int64, f64 = TypeId::float64;
  Program program;
  program.map.inputs = {{Input::Kind::base, f64, 0},
                        {Input::Kind::base, i64, 0},
                        {Input::Kind::memory, i64, 0},
                        {Input::Kind::index, i64, 1}};
  program.map.steps.push_back({Op::load, i64, i64, {1, 2, 0}});
  program.map.steps.push_back({Op::add, i64, i64, {4, 3, 0}});
  program.map.steps.push_back({Op::load, f64, f64, {0, 5, 0}});
  program.map.outputs.push_back(6);
  const Argument inputs[] = {
      memory(base.data(), {0, 0}), memory(at.data(), {0, 0}), memory(index.data(), {1, 0}), {}};
  std::vector<double> out(rows * length);
  const Argument output = memory(out.data(), {length, 1});
  host::run(program, {{rows, length}, 0, inputs, {}, {&output, 1}});
  for (std::int64_t i = 0; i < rows * length; ++i) {
    const auto begin = at[static_cast<std::size_t>(index[static_cast<std::size_t>(i / length)])];
    ASSERT_EQ(out[static_cast<std::size_t>(i)], base[static_cast<std::size_t>(begin + i % length)]);
  }
}

}  // namespace
}  // namespace isthmus
