// test_host_reductions.cpp: reductions of the host executor.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>
#include <random>

#include "tests/unit/host_programs.h"

namespace isthmus {
namespace {

/// Runs a reduction of (kept, reduced) with the given strides.
Bytes reduce(Reduction reduction, TypeId type, TypeId accumulator, const void* x, Dims shape,
             int kept, Dims strides) {
  Program program;
  program.map.inputs.push_back({Input::Kind::memory, type, 0});
  program.map.outputs.push_back(0);
  if (type != accumulator) {
    program.map.steps.push_back({Op::astype, type, accumulator, {0, 0, 0}});
    program.map.outputs[0] = 1;
  }
  program.shape = KernelShape::reduce;
  program.reduction = reduction;
  program.accumulator = accumulator;
  program.epilogue.inputs.push_back({Input::Kind::result, accumulator, 0});
  program.epilogue.outputs.push_back(0);
  const Dims kept_shape(shape.begin(), shape.begin() + kept);
  Bytes out(static_cast<std::size_t>(row_major(kept_shape).count() * size_of(accumulator)));
  const Argument input = memory(x, strides),
                 output = memory(out.data(), row_major(kept_shape).strides);
  host::run(program, {shape, kept, {&input, 1}, {}, {&output, 1}});
  return out;
}

TEST(HostReductions, reductions_have_the_same_bits_in_every_layout_and_number_of_threads) {
  const int threads = thread_count();
  for (const auto& [kept, reduced] : {std::pair<std::int64_t, std::int64_t>{1, 300000},
                                      {17, 1000},
                                      {300, 70},
                                      {2000, 3},
                                      {40, 5000},
                                      {5, 2},
                                      {1000, 1025},
                                      {3, 40000},
                                      {70, 17500},
                                      {64, 31}}) {
    const Bytes x = random_elements(TypeId::float32, kept * reduced, 11);
    const Bytes columns = turned(x.data(), TypeId::float32, kept, reduced);
    for (const Reduction r : {Reduction::sum, Reduction::prod, Reduction::max, Reduction::min,
                              Reduction::nanmax, Reduction::nanmin}) {
      set_thread_count(1);
      const Bytes want =
          reduce(r, TypeId::float32, TypeId::float32, x.data(), {kept, reduced}, 1, {reduced, 1});
      for (const int count : {1, 2, 5}) {
        set_thread_count(count);
        EXPECT_EQ(want, reduce(r, TypeId::float32, TypeId::float32, x.data(), {kept, reduced}, 1,
                               {reduced, 1}));
        EXPECT_EQ(want, reduce(r, TypeId::float32, TypeId::float32, columns.data(), {kept, reduced},
                               1, {1, kept}))
            << kept << " x " << reduced;
      }
    }
  }
  set_thread_count(threads);
}

TEST(HostReductions, reductions_agree_with_a_plain_loop_on_every_type) {
  const std::int64_t kept = 21, reduced = 1300;
  for (const TypeId type : all_types) {
    if (is_left_out(type)) continue;
    const Bytes x = random_elements(type, kept * reduced, 13, -1, 1);
    for (int k = 0; k < static_cast<int>(reduction_table.size()); ++k) {
      const Reduction r = static_cast<Reduction>(k);
      TypeId accumulator = type;
      if (info(r).rule == AccumulateRule::boolean) {
        accumulator = TypeId::bool_;
      }
      if (info(r).rule == AccumulateRule::widen && info(type).family <= Family::natural) {
        accumulator = info(type).family == Family::natural ? TypeId::uint64 : TypeId::int64;
      }
      if (!info(r).accepts(info(accumulator).family)) {
        continue;
      }
      const Bytes out = reduce(r, type, accumulator, x.data(), {kept, reduced}, 1, {reduced, 1});
      for (std::int64_t i = 0; i < kept; ++i) {
        Wide sum = 0, most = -1e30L, least = 1e30L;
        std::uint64_t whole = 0;
        bool any = false, all = true;
        for (std::int64_t j = 0; j < reduced; ++j) {
          const void* at = x.data() + (i * reduced + j) * size_of(type);
          const Wide value = read(type, at);
          if (info(type).family <= Family::natural) {
            whole += static_cast<std::uint64_t>(integer_at(type, at));
          }
          sum += value, most = std::max(most, value), least = std::min(least, value);
          any |= value != 0, all &= value != 0;
        }
        const void* at = out.data() + i * size_of(accumulator);
        const double got = read(accumulator, at);
        if (r == Reduction::sum && info(accumulator).family <= Family::natural) {
          EXPECT_EQ(static_cast<std::uint64_t>(integer_at(accumulator, at)), whole);
        } else if (r == Reduction::sum) {
          EXPECT_NEAR(got, static_cast<double>(sum),
                      type == TypeId::bfloat16  ? 0.5
                      : type == TypeId::float16 ? 0.05
                                                : 1e-4);
        } else if (r == Reduction::max || r == Reduction::nanmax) {
          EXPECT_EQ(got, static_cast<double>(most)) << info(type).name;
        } else if (r == Reduction::min || r == Reduction::nanmin) {
          EXPECT_EQ(got, static_cast<double>(least)) << info(type).name;
        } else if (r == Reduction::any && type == TypeId::bool_) {
          EXPECT_EQ(got, any);
        } else if (r == Reduction::all && type == TypeId::bool_) {
          EXPECT_EQ(got, all);
        }
      }
    }
  }
}

/// Rows of a few special values each: which zero, and which NaN, depends on the order of steps.
template <class T, class I>
std::vector<T> special_rows(std::int64_t rows, std::int64_t columns) {
  const auto nan = [](I payload) {
    return std::bit_cast<T>(
        static_cast<I>(std::bit_cast<I>(std::numeric_limits<T>::quiet_NaN()) | payload));
  };
  const T inf = std::numeric_limits<T>::infinity();
  const std::vector<T> kinds[] = {{0, -T(0)},          {0, -T(0), nan(1), nan(2)},
                                  {inf, -inf, 1},      {-T(0), 0, -1, -inf},
                                  {nan(3), inf, -inf}, {1, -T(0), 0, -2}};
  std::mt19937 random(7);
  std::vector<T> x;
  for (std::int64_t i = 0; i < rows; ++i)
    for (std::int64_t j = 0; j < columns; ++j) {
      const std::vector<T>& kind = kinds[i % 6];
      x.push_back(kind[random() % kind.size()]);
    }
  return x;
}

template <class T, class I>
void expect_one_order(TypeId type) {
  for (const std::int64_t reduced : {5, 64, 127, 256, 1000, 1024, 3000, 20000, 50000}) {
    const std::int64_t kept = 24;
    const std::vector<T> x = special_rows<T, I>(kept, reduced);
    const Bytes columns =
        turned(reinterpret_cast<const unsigned char*>(x.data()), type, kept, reduced);
    for (const Reduction r : {Reduction::max, Reduction::min, Reduction::nanmax, Reduction::nanmin})
      EXPECT_EQ(reduce(r, type, type, x.data(), {kept, reduced}, 1, {reduced, 1}),
                reduce(r, type, type, columns.data(), {kept, reduced}, 1, {1, kept}))
          << info(r).name << " of " << reduced;
  }
}

TEST(HostReductions, the_zero_and_the_nan_that_max_and_min_give_are_the_same_in_every_layout) {
  expect_one_order<float, std::uint32_t>(TypeId::float32);
  expect_one_order<double, std::uint64_t>(TypeId::float64);
}

/// The order that fold.h states, element by element.
float sum_in_order(const float* x, std::int64_t n) {
  std::vector<float> sums;
  for (std::int64_t begin = 0; begin < n; begin += 1024) {
    const std::int64_t size = std::min<std::int64_t>(1024, n - begin);
    std::vector<float> lane;
    for (std::int64_t i = 0; i < size; ++i) {
      if (i < 32)
        lane.push_back(x[begin + i]);
      else
        lane[i % 32] += x[begin + i];
    }
    while (lane.size() > 1) {
      const std::size_t half = (lane.size() + 1) / 2;
      for (std::size_t i = 0; i + half < lane.size(); ++i) lane[i] += lane[i + half];
      lane.resize(half);
    }
    sums.push_back(lane[0]);
  }
  while (sums.size() > 1) {
    std::vector<float> next;
    for (std::size_t i = 0; i < sums.size(); i += 2)
      next.push_back(i + 1 < sums.size() ? sums[i] + sums[i + 1] : sums[i]);
    sums = next;
  }
  return sums[0];
}

TEST(HostReductions, sums_of_rows_and_of_columns_are_in_the_order_that_is_stated) {
  for (const std::int64_t reduced : {1, 31, 33, 1000, 1024, 1025, 4097, 16384, 16385, 100000}) {
    const std::int64_t kept = 67;  // whole vectors and a rest
    const Bytes bytes = random_elements(TypeId::float32, kept * reduced, 5, -1, 1);
    std::vector<float> x(static_cast<std::size_t>(kept * reduced));
    std::memcpy(x.data(), bytes.data(), bytes.size());
    const Bytes other = turned(bytes.data(), TypeId::float32, kept, reduced);
    std::vector<float> want;
    for (std::int64_t i = 0; i < kept; ++i)
      want.push_back(sum_in_order(x.data() + i * reduced, reduced));
    const Bytes rows = reduce(Reduction::sum, TypeId::float32, TypeId::float32, x.data(),
                              {kept, reduced}, 1, {reduced, 1});
    const Bytes columns = reduce(Reduction::sum, TypeId::float32, TypeId::float32, other.data(),
                                 {kept, reduced}, 1, {1, kept});
    EXPECT_EQ(std::memcmp(rows.data(), want.data(), rows.size()), 0) << reduced;
    EXPECT_EQ(std::memcmp(columns.data(), want.data(), columns.size()), 0) << reduced;
  }
}

TEST(HostReductions, columns_of_any_number_are_folded_as_their_rows) {
  const std::int64_t reduced = 1100;
  for (const TypeId type : {TypeId::bool_, TypeId::int8, TypeId::uint16, TypeId::int32,
                            TypeId::float32, TypeId::int64, TypeId::float64}) {
    if (is_left_out(type)) continue;
    const Bytes x = random_elements(type, 300 * reduced, 17, -1, 1);
    for (std::int64_t kept = 1; kept < 300; kept += kept < 140 ? 1 : 53) {
      const Bytes columns = turned(x.data(), type, kept, reduced);
      for (const Reduction r : {Reduction::max, Reduction::nanmin, Reduction::all})
        if (info(r).accepts(info(type).family))
          EXPECT_EQ(reduce(r, type, type, x.data(), {kept, reduced}, 1, {reduced, 1}),
                    reduce(r, type, type, columns.data(), {kept, reduced}, 1, {1, kept}))
              << info(r).name << " of " << info(type).name << ", " << kept << " columns";
    }
  }
}

TEST(HostReductions, reductions_of_bools_end_at_the_first_hit_and_give_what_others_do) {
  const int threads = thread_count();
  for (const int count : {1, 2, 5}) {
    set_thread_count(count);
    for (const std::int64_t n : {1, 70, 1024, 16384, 16385, 300000}) {
      for (const std::int64_t hit : {std::int64_t{0}, n / 3, n / 2, n - 1, n}) {
        for (const bool usual : {false, true}) {
          std::vector<std::uint8_t> x(static_cast<std::size_t>(n), usual);
          for (std::int64_t i = hit; i < n; i += 1 + n / 5) x[i] = !usual;
          const auto of = [&](Reduction r) {
            return reduce(r, TypeId::bool_, TypeId::bool_, x.data(), {n}, 0, {1})[0];
          };
          const auto index_of = [&](Reduction r) {
            Program program;
            program.map.inputs.push_back({Input::Kind::memory, TypeId::bool_, 0});
            program.map.outputs.push_back(0);
            program.shape = KernelShape::reduce;
            program.reduction = r;
            program.accumulator = TypeId::int64;
            program.epilogue.inputs.push_back({Input::Kind::result, TypeId::int64, 0});
            program.epilogue.outputs.push_back(0);
            std::int64_t out = -7;
            const Argument input = memory(x.data(), {1}), output = memory(&out, {});
            host::run(program, {{n}, 0, {&input, 1}, {}, {&output, 1}});
            return out;
          };
          const bool has_hit = hit < n;
          const bool any = std::ranges::count(x, 1) > 0, all = std::ranges::count(x, 0) == 0;
          const Bytes sum =
              reduce(Reduction::sum, TypeId::bool_, TypeId::int64, x.data(), {n}, 0, {1});
          std::int64_t truths;
          std::memcpy(&truths, sum.data(), sizeof truths);
          EXPECT_EQ(truths, std::ranges::count(x, 1)) << n << " " << hit << usual;
          EXPECT_EQ(of(Reduction::any), any) << n << " " << hit << usual;
          EXPECT_EQ(of(Reduction::max), any) << n << " " << hit << usual;
          EXPECT_EQ(of(Reduction::all), all) << n << " " << hit << usual;
          EXPECT_EQ(of(Reduction::nanmin), all) << n << " " << hit << usual;
          EXPECT_EQ(index_of(usual ? Reduction::argmin : Reduction::argmax), has_hit ? hit : 0)
              << n << " " << hit << usual;
        }
      }
    }
  }
  set_thread_count(threads);
}

TEST(HostReductions, max_of_a_nan_is_nan_and_empty_reductions_are_their_identity) {
  std::vector<float> x(5000, 1.0f);
  x[3210] = NAN;
  float out;
  const Bytes most =
      reduce(Reduction::max, TypeId::float32, TypeId::float32, x.data(), {5000}, 0, {1});
  std::memcpy(&out, most.data(), 4);
  EXPECT_TRUE(std::isnan(out));
  const Bytes one =
      reduce(Reduction::prod, TypeId::float64, TypeId::float64, x.data(), {3, 0}, 1, {0, 1});
  EXPECT_EQ(read(TypeId::float64, one.data() + 16), 1);
  const Bytes none = reduce(Reduction::sum, TypeId::int64, TypeId::int64, x.data(), {0}, 0, {1});
  EXPECT_EQ(read(TypeId::int64, none.data()), 0);
}

TEST(HostReductions, a_reduction_fuses_what_comes_before_and_after) {
  const std::int64_t kept = 30, reduced = 2000;
  const Bytes x = random_elements(TypeId::float32, kept * reduced, 17);
  Bytes squares(x.size());
  const Bytes* in[] = {&x};
  run_dense(program_of(Op::square, TypeId::float32, TypeId::float32), kept * reduced, in, squares);
  const Bytes sums = reduce(Reduction::sum, TypeId::float32, TypeId::float32, squares.data(),
                            {kept, reduced}, 1, {reduced, 1});
  Program program;
  program.map.inputs.push_back({Input::Kind::memory, TypeId::float32, 0});
  program.map.steps.push_back({Op::square, TypeId::float32, TypeId::float32, {0, 0, 0}});
  program.map.outputs.push_back(1);
  program.shape = KernelShape::reduce;
  program.reduction = Reduction::sum;
  program.epilogue.inputs = {{Input::Kind::result, TypeId::float32, 0},
                             {Input::Kind::scalar, TypeId::float32, 0}};
  program.epilogue.steps.push_back({Op::multiply, TypeId::float32, TypeId::float32, {0, 1, 0}});
  program.epilogue.outputs.push_back(2);
  std::vector<float> out(static_cast<std::size_t>(2 * kept));
  const Argument input = memory(x.data(), {reduced, 1}), two = constant(2),
                 output = memory(out.data(), {2});
  host::run(program, {{kept, reduced}, 1, {&input, 1}, {&two, 1}, {&output, 1}});
  for (std::int64_t i = 0; i < kept; ++i) {
    EXPECT_EQ(out[2 * i], 2 * static_cast<float>(read(TypeId::float32, sums.data() + 4 * i)));
  }
}

}  // namespace
}  // namespace isthmus
