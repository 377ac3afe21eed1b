// test_host_executor.cpp: loops, layouts and threads of the host executor.
#include <gtest/gtest.h>

#include <bit>
#include <limits>
#include <random>
#include <stdexcept>

#include "isthmus/threads/shares.h"
#include "tests/unit/host_programs.h"

namespace isthmus {
namespace {

/// (x * b + c) - sin(x) / b ..., long enough for chains, in one program or a step at a time.
Tape long_tape(TypeId type) {
  Tape tape;
  for (int i = 0; i < 3; ++i) {
    tape.inputs.push_back({Input::Kind::memory, type, 0});
  }
  tape.inputs.push_back({Input::Kind::scalar, type, 0});
  const auto add = [&](Op op, int x, int y) {
    tape.steps.push_back(
        {op, type, type, {static_cast<std::uint16_t>(x), static_cast<std::uint16_t>(y), 0}});
    return static_cast<int>(tape.inputs.size() + tape.steps.size()) - 1;
  };
  int t = add(Op::multiply, 0, 1);
  int u = add(Op::sin, 0, 0);
  t = add(Op::add, t, 2);
  int v = add(Op::divide, u, 3);
  t = add(Op::subtract, v, t);
  int w = add(Op::multiply, 1, 2);
  t = add(Op::add, w, t);
  t = add(Op::multiply, t, t);
  t = add(Op::sqrt, t, 0);
  t = add(Op::maximum, 3, t);
  int q = add(Op::negative, t, 0);
  t = add(Op::divide, q, t);
  t = add(Op::subtract, t, v);
  int m = add(Op::multiply, 3, 0), k = add(Op::subtract, 1, 3);
  t = add(Op::add, t, m);
  t = add(Op::multiply, k, t);
  t = add(Op::add, t, t);
  t = add(Op::abs, t, 0);
  t = add(Op::minimum, t, 2);
  tape.outputs = {static_cast<std::uint16_t>(t), static_cast<std::uint16_t>(v)};
  return tape;
}

TEST(HostExecutor, fused_and_stepwise_results_are_the_same_bits) {
  for (const TypeId type : {TypeId::float16, TypeId::bfloat16, TypeId::float32, TypeId::float64}) {
    for (const std::int64_t n : {1, 3, 100, 128, 129, 1000, 5003, 100001}) {
      const Tape tape = long_tape(type);
      std::vector<Bytes> values;
      for (unsigned i = 0; i < 3; ++i) {
        values.push_back(random_elements(type, n, i + 7, 0.5, 3));
      }
      values.emplace_back();
      const Argument scalar = constant(1.75);
      Program fused;
      fused.map = tape;
      Bytes out[2] = {Bytes(n * size_of(type)), Bytes(n * size_of(type))};
      const Argument inputs[] = {memory(values[0].data(), {1}), memory(values[1].data(), {1}),
                                 memory(values[2].data(), {1}), scalar};
      const Argument outputs[] = {memory(out[0].data(), {1}), memory(out[1].data(), {1})};
      host::run(fused, {{n}, 0, inputs, {}, outputs});
      for (const Step& step : tape.steps) {
        Program one;
        std::vector<Argument> operands;
        for (int k = 0; k < info(step.op).arity; ++k) {
          const std::uint16_t v = step.operands[k];
          one.map.inputs.push_back({v == 3 ? Input::Kind::scalar : Input::Kind::memory, type, 0});
          operands.push_back(v == 3 ? scalar : memory(values[v].data(), {1}));
        }
        one.map.steps.push_back({step.op, type, type, {0, 1, 2}});
        one.map.outputs.push_back(static_cast<std::uint16_t>(operands.size()));
        values.emplace_back(n * size_of(type));
        const Argument output = memory(values.back().data(), {1});
        host::run(one, {{n}, 0, operands, {}, {&output, 1}});
      }
      EXPECT_EQ(out[0], values[tape.outputs[0]]) << info(type).name << " " << n;
      EXPECT_EQ(out[1], values[tape.outputs[1]]) << info(type).name << " " << n;
    }
  }
}

TEST(HostExecutor, strides_of_any_sign_reach_the_right_elements) {
  Program program;
  program.map = long_tape(TypeId::float32);
  program.map.outputs.resize(1);
  std::mt19937 random(5);
  for (int round = 0; round < 60; ++round) {
    Dims shape;
    const int ndim = static_cast<int>(random() % 5);
    for (int i = 0; i < ndim; ++i) {
      shape.push_back(1 + random() % (ndim < 3 ? 90 : 12));
    }
    const std::int64_t n = row_major(shape).count();
    std::vector<std::vector<float>> buffers;
    std::vector<Argument> arguments;
    std::vector<float> dense[4];
    for (int k = 0; k < 4; ++k) {
      // A random order of axes, some gaps, some axes backwards, some broadcast.
      std::vector<int> order(ndim);
      for (int i = 0; i < ndim; ++i) {
        order[i] = i;
      }
      std::shuffle(order.begin(), order.end(), random);
      Dims strides(static_cast<std::size_t>(ndim));
      std::int64_t stride = 1 + random() % 2, lowest = 0;
      for (const int axis : order) {
        strides[axis] = k < 3 && random() % 5 == 0 ? 0 : random() % 3 == 0 ? -stride : stride;
        if (strides[axis] < 0) {
          lowest -= strides[axis] * (shape[axis] - 1);
        }
        stride *= shape[axis] + random() % 2;
      }
      buffers.emplace_back(static_cast<std::size_t>(stride + 1), 0.0f);
      for (float& x : buffers.back()) {
        x = 0.5f + static_cast<float>(random() % 1000) / 400;
      }
      arguments.push_back(memory(buffers.back().data() + lowest, strides));
    }
    const auto at = [&](int k, std::int64_t flat) {
      std::int64_t offset = 0;
      for (int axis = ndim - 1; axis >= 0; --axis) {
        offset += flat % shape[axis] * arguments[k].strides[axis];
        flat /= shape[axis];
      }
      return static_cast<float*>(arguments[k].address) + offset;
    };
    for (int k = 0; k < 4; ++k) {
      for (std::int64_t i = 0; i < n; ++i) {
        dense[k].push_back(*at(k, i));
      }
    }
    const Argument scalar = constant(1.5);
    const Argument strided[] = {arguments[0], arguments[1], arguments[2], scalar};
    const Argument plain[] = {memory(dense[0].data(), {1}), memory(dense[1].data(), {1}),
                              memory(dense[2].data(), {1}), scalar};
    const Argument plain_out = memory(dense[3].data(), {1});
    host::run(program, {shape, 0, strided, {}, {&arguments[3], 1}});
    host::run(program, {{n}, 0, plain, {}, {&plain_out, 1}});
    for (std::int64_t i = 0; i < n; ++i) {
      ASSERT_EQ(*at(3, i), dense[3][i]) << round << " at " << i;
    }
  }
}

TEST(HostExecutor, an_output_may_be_an_input) {
  for (const std::int64_t n : {1, 77, 4096, 100000}) {
    Program program;
    program.map = long_tape(TypeId::float64);
    std::vector<std::vector<double>> in(3, std::vector<double>(n));
    for (auto& v : in) {
      for (std::int64_t i = 0; i < n; ++i) {
        v[i] = 1 + 0.001 * static_cast<double>(i % 777);
      }
    }
    std::vector<double> first(n), second(n);
    const auto run = [&](double* a, double* b) {
      const Argument inputs[] = {memory(in[0].data(), {1}), memory(in[1].data(), {1}),
                                 memory(in[2].data(), {1}), constant(1.5)};
      const Argument outputs[] = {memory(a, {1}), memory(b, {1})};
      host::run(program, {{n}, 0, inputs, {}, outputs});
    };
    run(first.data(), second.data());
    run(in[1].data(), in[0].data());
    EXPECT_EQ(in[1], first);
    EXPECT_EQ(in[0], second);
    Program exchange;  // (x, y) = (y, x)
    exchange.map.inputs = {{Input::Kind::memory, TypeId::float64, 0},
                           {Input::Kind::memory, TypeId::float64, 0}};
    exchange.map.outputs = {1, 0};
    const Argument both[] = {memory(first.data(), {1}), memory(second.data(), {1})};
    const auto x = first, y = second;
    host::run(exchange, {{n}, 0, both, {}, both});
    EXPECT_EQ(first, y);
    EXPECT_EQ(second, x);
  }
}

TEST(HostExecutor, elements_that_are_repeated_along_the_last_axis_are_in_their_places) {
  for (const TypeId type :
       {TypeId::int8, TypeId::uint16, TypeId::float32, TypeId::complex64, TypeId::complex128}) {
    for (const std::int64_t times : {1, 2, 3, 4, 5, 31, 32, 33}) {
      for (const std::int64_t n : {1, 7, 255, 257, 3000}) {
        const Bytes x = random_elements(type, n, 19, -1, 1);
        for (const std::int64_t step : {1, -1}) {
          Program program;
          program.map.inputs.push_back({Input::Kind::memory, type, 0});
          program.map.outputs.push_back(0);
          const std::int64_t bytes = size_of(type);
          Bytes out(static_cast<std::size_t>(n * times * bytes)), want;
          const Argument input = memory(x.data() + (step < 0 ? (n - 1) * bytes : 0), {step, 0});
          const Argument output = memory(out.data(), {times, 1});
          host::run(program, {{n, times}, 0, {&input, 1}, {}, {&output, 1}});
          for (std::int64_t i = 0; i < n; ++i) {
            const auto at = x.begin() + (step < 0 ? n - 1 - i : i) * bytes;
            for (std::int64_t k = 0; k < times; ++k) want.insert(want.end(), at, at + bytes);
          }
          EXPECT_EQ(out, want) << info(type).name << " " << n << " x " << times;
        }
      }
    }
  }
}

TEST(HostExecutor, index_inputs_are_positions_along_their_axis) {
  Program program;  // row * 1000 + column
  program.map.inputs = {{Input::Kind::index, TypeId::int64, 0},
                        {Input::Kind::index, TypeId::int64, 1},
                        {Input::Kind::scalar, TypeId::int64, 0}};
  program.map.steps.push_back({Op::multiply, TypeId::int64, TypeId::int64, {0, 2, 0}});
  program.map.steps.push_back({Op::add, TypeId::int64, TypeId::int64, {3, 1, 0}});
  program.map.outputs.push_back(4);
  Argument thousand;
  thousand.scalar = Scalar::of(std::int64_t{1000});
  const Argument inputs[] = {{}, {}, thousand};
  std::vector<std::int64_t> out(300 * 700);
  const Argument output = memory(out.data(), {1, 300});
  host::run(program, {{300, 700}, 0, inputs, {}, {&output, 1}});
  for (std::int64_t i = 0; i < 300; ++i) {
    for (std::int64_t j = 0; j < 700; ++j) {
      ASSERT_EQ(out[i + 300 * j], i * 1000 + j);
    }
  }
}

TEST(HostExecutor, random_numbers_in_a_row_have_the_bits_of_single_ones) {
  constexpr std::int64_t most = 9000;
  const auto check = [&](Op op, TypeId type, std::uint64_t begin) {
    Program program;
    program.map.inputs = {{Input::Kind::number, TypeId::uint64, 0},
                          {Input::Kind::scalar, TypeId::uint64, 0},
                          {Input::Kind::scalar, TypeId::uint64, 0}};
    program.map.steps.push_back({op, type, type, {0, 1, 2}});
    program.map.outputs.push_back(3);
    Argument inputs[3];
    inputs[0].strides = {1};
    inputs[1].scalar = Scalar::of(std::uint64_t{0x123456789abcdef0});
    inputs[2].scalar = Scalar::of(std::uint64_t{0xfedcba9876543210});
    const auto bytes = static_cast<std::size_t>(size_of(type));
    const auto draw = [&](std::int64_t first, std::int64_t n) {
      Bytes out(static_cast<std::size_t>(n) * bytes);
      const Argument output = memory(out.data(), {1});
      inputs[0].offset = static_cast<std::int64_t>(begin) + first;
      host::run(program, {{n}, 0, inputs, {}, {&output, 1}});
      return out;
    };
    Bytes single;
    for (std::int64_t i = 0; i < most; ++i)
      for (const unsigned char byte : draw(i, 1)) single.push_back(byte);
    for (const std::int64_t n : {2, 15, 16, 17, 127, 128, 129, 255, 256, 257, 300, 4097, 8900})
      for (const std::int64_t first : {0, 1, 2, 3, 50}) {
        const Bytes drawn = draw(first, n);
        ASSERT_EQ(std::memcmp(drawn.data(), single.data() + first * size_of(type), drawn.size()), 0)
            << info(op).name << " " << info(type).name << " " << begin << " + " << first << " "
            << n;
      }
  };
  // where the low word of the counter overflows, too
  for (const std::uint64_t begin : {std::uint64_t{0}, (std::uint64_t{1} << 33) - 4001})
    for (const TypeId type : {TypeId::uint64, TypeId::float64, TypeId::uint32, TypeId::float32}) {
      const std::uint64_t at = size_of(type) == 8 ? begin : 2 * begin;
      if (info(type).family == Family::natural) {
        check(Op::random_bits, type, at);
        continue;
      }
      for (const Op op : {Op::random_uniform, Op::random_exponential, Op::random_normal})
        check(op, type, at);
    }
}

TEST(HostExecutor, empty_loops_touch_nothing) {
  const Program program = program_of(Op::sin, TypeId::float32, TypeId::float32);
  const Argument nothing = memory(nullptr, {1, 1});
  host::run(program, {{3, 0}, 0, {&nothing, 1}, {}, {&nothing, 1}});
}

TEST(HostExecutor, copies_of_elements_at_any_strides_are_whole_and_touch_no_others) {
  const TypeId types[] = {TypeId::uint8, TypeId::int16, TypeId::float32, TypeId::int64,
                          TypeId::complex128};
  const Dims shapes[] = {{1}, {7}, {1000}, {5000}, {33, 65}, {64, 3}, {3, 64}, {2, 40, 40}};
  for (const TypeId type : types)
    for (const Dims& shape : shapes)
      for (const std::int64_t apart : {-5, -3, -2, -1, 1, 2, 3, 4, 6})
        for (const bool is_turned : {false, true}) {
          const std::int64_t n = row_major(shape).count(), size = size_of(type);
          // memory ends with the last element that is read
          const std::int64_t elements = (n - 1) * std::abs(apart) + 1;
          const Bytes values = random_elements(type, elements, 9);
          Bytes out(static_cast<std::size_t>(n * size)), back(values.size(), 0xab);
          Dims strides(shape.size());
          std::int64_t stride = apart;
          for (std::size_t i = 0; i < shape.size(); ++i) {
            const std::size_t axis = is_turned ? i : shape.size() - 1 - i;
            strides[axis] = stride;
            stride *= shape[axis];
          }
          const std::int64_t first = apart < 0 ? (elements - 1) * size : 0;
          Program copy;
          copy.map.inputs.push_back({Input::Kind::memory, type, 0});
          copy.map.outputs.push_back(0);
          const Argument in = memory(values.data() + first, strides);
          const Argument dense = memory(out.data(), row_major(shape).strides);
          const Argument there = memory(back.data() + first, strides);
          host::run(copy, {shape, 0, {&in, 1}, {}, {&dense, 1}});
          host::run(copy, {shape, 0, {&dense, 1}, {}, {&there, 1}});
          Bytes wanted(values.size(), 0xab);
          for (std::int64_t i = 0; i < n; ++i) {
            std::int64_t at = first, rest = i;
            for (std::size_t axis = shape.size(); axis-- > 0; rest /= shape[axis])
              at += rest % shape[axis] * strides[axis] * size;
            ASSERT_EQ(std::memcmp(out.data() + i * size, values.data() + at, size), 0)
                << info(type).name << " " << apart << " " << i << " of " << n;
            std::memcpy(wanted.data() + at, values.data() + at, size);
          }
          ASSERT_EQ(back, wanted) << info(type).name << " " << apart << " " << n;
        }
}

TEST(HostExecutor, records_are_copied_whole) {
  for (const std::int64_t bytes : {1, 3, 4, 12, 16, 24}) {
    Program program;
    program.record_bytes = bytes;
    program.map.inputs.push_back({});
    program.map.outputs.push_back(0);
    Bytes x(static_cast<std::size_t>(bytes * 50 * 70)), out(x.size()), back(x.size());
    for (std::size_t i = 0; i < x.size(); ++i) {
      x[i] = static_cast<unsigned char>(i * 7 + i / 256);
    }
    const Argument a = memory(x.data(), {70, 1}), b = memory(out.data(), {1, 50}),
                   c = memory(back.data(), {70, 1});
    host::run(program, {{50, 70}, 0, {&a, 1}, {}, {&b, 1}});
    host::run(program, {{50, 70}, 0, {&b, 1}, {}, {&c, 1}});
    EXPECT_EQ(x, back);
    EXPECT_NE(x, out);
  }
}

TEST(Executor, chunks_cover_the_range_once_and_nested_loops_run) {
  for (const int threads : {1, 2, 4}) {
    set_thread_count(threads);
    std::vector<std::atomic<int>> hits(10007);
    auto mark = [&](std::int64_t begin, std::int64_t end) {
      EXPECT_EQ(begin % 16, 0);
      auto one = [&](std::int64_t i, std::int64_t j) {
        for (; i < j; ++i) {
          ++hits[begin + i];
        }
      };
      parallel_for(end - begin, 4, one);
    };
    for (int round = 0; round < 50; ++round) {
      parallel_for(10007, 16, mark);
    }
    for (auto& hit : hits) {
      ASSERT_EQ(hit, 50);
    }
  }
  set_thread_count(2);
}

TEST(Executor, a_thread_runs_its_own_chunks_first_and_then_those_of_others) {
  for (const int threads : {1, 2, 3, 8, 200})
    for (const std::int64_t count : {1, 2, 7, 99, 1000, 5003})
      for (int thread = 0; thread < threads; ++thread) {
        std::vector<std::int64_t> begins;
        auto note = [&](std::int64_t begin, std::int64_t end) {
          EXPECT_EQ(end, std::min(count, begin + 3));
          begins.push_back(begin);
        };
        detail::Shares shares(count, 3, threads, note);
        shares.run(thread);
        shares.run(0);  // nothing is left
        const auto chunks = static_cast<std::int64_t>(begins.size());
        ASSERT_EQ(chunks, (count + 2) / 3);
        ASSERT_LE(shares.size(), std::min<std::int64_t>(threads, chunks));
        const std::int64_t own = thread % shares.size();
        const std::int64_t each = chunks / shares.size(), more = chunks % shares.size();
        const std::int64_t first = own * each + std::min(own, more);
        for (std::int64_t i = 0; i < chunks; ++i) ASSERT_EQ(begins[i], (first + i) % chunks * 3);
      }
}

TEST(Executor, no_chunk_begins_after_one_that_throws) {
  int ran = 0;
  auto fail = [&](std::int64_t, std::int64_t) {
    if (++ran == 5) throw std::runtime_error("the fifth");
  };
  detail::Shares shares(1000, 1, 4, fail);
  EXPECT_THROW(shares.run(1), std::runtime_error);
  shares.run(2);
  EXPECT_EQ(ran, 5);
}

TEST(Executor, chunks_of_the_largest_counts_do_not_overflow) {
  constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
  std::int64_t elements = 0, last = 0;
  auto add = [&](std::int64_t begin, std::int64_t end) {
    elements += end - begin;
    last = std::max(last, end);
  };
  detail::Shares shares(most, most / 2, 2, add);
  shares.run(1);
  EXPECT_EQ(elements, most);
  EXPECT_EQ(last, most);
}

}  // namespace
}  // namespace isthmus
