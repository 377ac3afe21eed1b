// test_emit_opencl.cpp: emitted kernels give what the host executor gives, on each OpenCL CPU
// found.
#include <gtest/gtest.h>

#include <bit>
#include <random>

#include "isthmus/base/format.h"
#include "tests/unit/host_programs.h"
#include "tests/unit/opencl_runner.h"

namespace isthmus {

using detail::format;
namespace {

/// A program with operands in blocks of the host's: run here and there, and compared.
struct EmitCase {
  Program program;
  Dims shape;
  int kept = 0;
  std::vector<Argument> inputs, epilogue_inputs, outputs;
  std::vector<Bytes> blocks;

  /// An operand of `type` over `axes` axes of the shape, with these strides (in elements).
  Argument block(TypeId type, std::span<const std::int64_t> extents, Dims strides, unsigned seed,
                 double lo, double hi) {
    std::int64_t begin = 0, end = 1;
    for (std::size_t i = 0; i < strides.size(); ++i) {
      const std::int64_t reach = strides[i] * (extents[i] - 1);
      (reach < 0 ? begin : end) += extents[i] > 0 ? reach : 0;
    }
    blocks.push_back(random_elements(type, end - begin, seed, lo, hi));
    Argument argument = memory(blocks.back().data(), std::move(strides));
    argument.offset = -begin;
    return argument;
  }
};

TypeId output_type(const Program& program, std::size_t i) {
  const Tape& tape = program.has_kept_axes() ? program.epilogue : program.map;
  return tape.type_of(tape.outputs[i]);
}

/// The outputs' blocks after the host executor has run.
void run_on_host(const EmitCase& c) {
  const auto located = [](const Tape& tape, std::vector<Argument> arguments, std::size_t skipped) {
    for (std::size_t i = 0; i < arguments.size(); ++i) {
      Argument& a = arguments[i];
      const TypeId type = tape.inputs[i + skipped].type;
      if (a.address) a.address = static_cast<char*>(a.address) + a.offset * size_of(type);
      a.offset = 0;
    }
    return arguments;
  };
  const auto in = located(c.program.map, c.inputs, 0);
  const auto with = located(c.program.epilogue, c.epilogue_inputs, 1);
  std::vector<Argument> out = c.outputs;
  for (std::size_t i = 0; i < out.size(); ++i) {
    out[i].address =
        static_cast<char*>(out[i].address) + out[i].offset * size_of(output_type(c.program, i));
    out[i].offset = 0;
  }
  host::run(c.program, {c.shape, c.kept, in, with, out});
}

/// Units in the last place between two numbers of a type; huge if only one is a NaN.
double distance(TypeId type, const unsigned char* x, const unsigned char* y) {
  const double a = read(type, x), b = read(type, y);
  if (a == b || (a != a && b != b)) return 0;
  if (a != a || b != b || std::isinf(a) || std::isinf(b)) return 1e30;
  const int digits = type == TypeId::float16            ? 11
                     : type == TypeId::bfloat16         ? 8
                     : real_of(type) == TypeId::float32 ? 24
                                                        : 53;
  const int least = type == TypeId::float16 ? -13 : real_of(type) == TypeId::float64 ? -1021 : -125;
  const int exponent = std::max(least, std::ilogb(b) + 1);
  return std::fabs(a - b) / std::ldexp(1.0, exponent - digits);
}

/// Units in the last place of the larger part, for complex numbers that are finite in both.
double complex_distance(TypeId part, const unsigned char* x, const unsigned char* y) {
  const double re = read(part, x), im = read(part, x + size_of(part));
  const double re0 = read(part, y), im0 = read(part, y + size_of(part));
  if (!std::isfinite(re0) || !std::isfinite(im0)) return 0;
  const double size = std::hypot(re0, im0);
  return std::hypot(re - re0, im - im0) /
         (std::max(size, 1e-30) * std::ldexp(1.0, part == TypeId::float32 ? -23 : -52));
}

double distance_of(TypeId type, const unsigned char* x, const unsigned char* y) {
  if (info(type).family == Family::complex) return complex_distance(real_of(type), x, y);
  if (info(type).family == Family::real) return distance(type, x, y);
  return std::memcmp(x, y, static_cast<std::size_t>(size_of(type))) ? 1e30 : 0;
}

/// Of each output, the largest distance of an element from what the host executor gives.
std::vector<double> errors_of(EmitCase& c, OpenCLDevice& device) {
  OpenCLDevice::Blocks blocks;
  for (Bytes& bytes : c.blocks) blocks[bytes.data()] = bytes.size();
  const std::vector<Bytes> before = c.blocks;
  try {
    device.run(c.program, {c.shape, c.kept, c.inputs, c.epilogue_inputs, c.outputs}, blocks);
  } catch (const std::exception& error) {
    ADD_FAILURE() << error.what();
    return {1e300};
  }
  const std::vector<Bytes> there = c.blocks;
  for (std::size_t i = 0; i < before.size(); ++i)
    std::copy(before[i].begin(), before[i].end(), c.blocks[i].begin());
  run_on_host(c);
  std::vector<double> errors;
  for (std::size_t k = 0; k < c.outputs.size(); ++k) {
    const TypeId type = output_type(c.program, k);
    std::size_t b = 0;
    while (c.blocks[b].data() != c.outputs[k].address) ++b;
    double worst = 0;
    for (std::size_t at = 0; at < there[b].size(); at += static_cast<std::size_t>(size_of(type)))
      worst = std::max(worst, distance_of(type, &there[b][at], &c.blocks[b][at]));
    errors.push_back(worst);
  }
  return errors;
}

double error_of(EmitCase& c, OpenCLDevice& device) {
  return std::ranges::max(errors_of(c, device));
}

class EmitOpenCL : public ::testing::Test {
 protected:
  void SetUp() override {
    if (OpenCLDevice::all().empty()) GTEST_SKIP() << "no OpenCL CPU device was found";
  }
};

/// Many operations on one dtype, each on operands of its own, in as few programs as will do: a
/// build takes longer than everything else.
EmitCase operations_case(TypeId type, std::span<const Op> ops) {
  EmitCase c;
  c.shape = {2000}, c.kept = 1;
  Tape& tape = c.program.map;
  unsigned seed = 1;
  for (const Op op : ops) {
    const OpInfo& row = info(op);
    Step step{op, type, result_of(op, type), {}};
    for (int k = 0; k < row.arity; ++k) {
      const TypeId operand = op == Op::where && k == 0 ? TypeId::bool_ : type;
      step.operands[k] = static_cast<std::uint16_t>(tape.inputs.size());
      tape.inputs.push_back({Input::Kind::memory, operand, 0});
      c.inputs.push_back(c.block(operand, c.shape, {1}, seed++, row.lo, row.hi));
    }
    tape.steps.push_back(step);
    c.outputs.push_back(c.block(step.result, c.shape, {1}, 9, 0, 0));
  }
  for (std::size_t i = 0; i < ops.size(); ++i)
    tape.outputs.push_back(static_cast<std::uint16_t>(tape.inputs.size() + i));
  return c;
}

TEST_F(EmitOpenCL, Operations) {
  constexpr std::size_t in_one = 10;
  for (const auto& device : OpenCLDevice::all())
    for (const TypeId type : all_types) {
      std::vector<Op> accepted;
      for (std::size_t op = 0; op < op_table.size(); ++op)
        if (op_table[op].accepts(info(type).family)) accepted.push_back(static_cast<Op>(op));
      for (std::size_t first = 0; first < accepted.size(); first += in_one) {
        const auto ops =
            std::span(accepted).subspan(first, std::min(in_one, accepted.size() - first));
        EmitCase c = operations_case(type, ops);
        const std::vector<double> errors = errors_of(c, *device);
        ASSERT_EQ(errors.size(), ops.size());
        const bool is_complex = info(type).family == Family::complex;
        for (std::size_t i = 0; i < ops.size(); ++i)
          // both may be as far from the truth as the row promises
          EXPECT_LE(errors[i], 2 * (is_complex ? info(ops[i]).complex_ulp : info(ops[i]).ulp))
              << device->name << ": " << info(ops[i]).name << " of " << info(type).name;
      }
    }
}

TEST_F(EmitOpenCL, Casts) {
  for (const auto& device : OpenCLDevice::all())
    for (const TypeId from : all_types) {
      EmitCase c;
      c.shape = {5000}, c.kept = 1;
      c.program.map.inputs.push_back({Input::Kind::memory, from, 0});
      c.inputs.push_back(c.block(from, c.shape, {1}, 1, -70000, 70000));
      for (const TypeId to : all_types) {
        if (to == from) continue;
        c.program.map.steps.push_back({Op::astype, from, to, {0}});
        c.program.map.outputs.push_back(static_cast<std::uint16_t>(c.program.map.steps.size()));
        c.outputs.push_back(c.block(to, c.shape, {1}, 9, 0, 0));
      }
      EXPECT_EQ(error_of(c, *device), 0) << device->name << ": from " << info(from).name;
    }
}

/// x + y * 3, over layouts of any kind.
TEST_F(EmitOpenCL, Layouts) {
  struct Operands {
    Dims shape, x, y, out;
  };
  const Operands layouts[] = {
      {{}, {}, {}, {}},
      {{7}, {-1}, {0}, {2}},
      {{0}, {1}, {1}, {1}},
      {{40, 50}, {50, 1}, {1, 40}, {50, 1}},
      {{40, 50}, {50, 1}, {0, 1}, {1, 40}},
      {{1000, 3}, {6, 2}, {3, 1}, {3, 1}},
      {{5, 6, 70}, {420, 70, 1}, {70, 0, -1}, {420, 70, 1}},
      {{3, 4, 5, 33}, {660, 165, 33, 1}, {1, 3, 12, 60}, {660, 165, 33, 1}},
      {{2, 3, 4, 5, 6}, {360, 120, 30, 6, 1}, {1, 2, 6, 24, 120}, {360, 120, 30, 6, 1}}};
  for (const auto& device : OpenCLDevice::all())
    for (const bool is_cpu : {true, false})
      for (const Operands& layout : layouts) {
        EmitCase c;
        c.shape = layout.shape, c.kept = static_cast<int>(c.shape.size());
        Tape& tape = c.program.map;
        tape.inputs = {{Input::Kind::memory, TypeId::float32, 0},
                       {Input::Kind::memory, TypeId::float32, 0},
                       {Input::Kind::scalar, TypeId::float32, 0}};
        tape.steps.push_back({Op::multiply, TypeId::float32, TypeId::float32, {1, 2}});
        tape.steps.push_back({Op::add, TypeId::float32, TypeId::float32, {0, 3}});
        tape.outputs.push_back(4);
        c.inputs = {c.block(TypeId::float32, c.shape, layout.x, 1, -9, 9),
                    c.block(TypeId::float32, c.shape, layout.y, 2, -9, 9), constant(3)};
        c.outputs = {c.block(TypeId::float32, c.shape, layout.out, 3, 0, 0)};
        device->traits.is_cpu = is_cpu;
        EXPECT_EQ(error_of(c, *device), 0)
            << device->name << ": " << format("{} {} {}", layout.shape, layout.x, layout.y);
      }
  for (const auto& device : OpenCLDevice::all()) device->traits.is_cpu = true;
}

/// A reduction of x over the axes from `kept` on, and its result times an array.
EmitCase reduction_case(Reduction reduction, TypeId type, Dims shape, int kept, Dims strides) {
  EmitCase c;
  c.shape = shape, c.kept = kept;
  c.program.shape = KernelShape::reduce;
  c.program.reduction = reduction;
  const Family family = info(type).family;
  const bool widens = info(reduction).rule == AccumulateRule::widen;
  const bool gives_index = info(reduction).rule == AccumulateRule::index;
  const TypeId accumulator = gives_index                                          ? TypeId::int64
                             : !widens                                            ? type
                             : family == Family::natural                          ? TypeId::uint64
                             : family == Family::integer || type == TypeId::bool_ ? TypeId::int64
                                                                                  : type;
  c.program.accumulator = accumulator;
  c.program.map.inputs.push_back({Input::Kind::memory, type, 0});
  c.program.map.outputs.push_back(0);
  if (accumulator != type && !gives_index) {
    c.program.map.steps.push_back({Op::astype, type, accumulator, {0}});
    c.program.map.outputs[0] = 1;
  }
  Tape& epilogue = c.program.epilogue;
  epilogue.inputs = {{Input::Kind::result, accumulator, 0}, {Input::Kind::memory, accumulator, 0}};
  epilogue.steps.push_back({Op::multiply, accumulator, accumulator, {0, 1}});
  epilogue.outputs = {0, 2};
  const std::span<const std::int64_t> kept_shape(c.shape.begin(), static_cast<std::size_t>(kept));
  const Dims dense = row_major(kept_shape).strides;
  c.inputs = {c.block(type, c.shape, strides, 1, -2, 2)};
  c.epilogue_inputs = {c.block(accumulator, kept_shape, dense, 2, 1, 2)};
  c.outputs = {c.block(accumulator, kept_shape, dense, 3, 0, 0),
               c.block(accumulator, kept_shape, dense, 4, 0, 0)};
  return c;
}

/// The same bits as the host's, since the order is the same.
TEST_F(EmitOpenCL, Reductions) {
  struct Loop {
    Dims shape;
    int kept;
    Dims strides;
  };
  const Loop rows{{20, 2000}, 1, {2000, 1}};
  const Loop loops[] = {{{1}, 0, {1}},
                        {{31}, 0, {1}},
                        {{32}, 0, {-1}},
                        {{100}, 0, {3}},
                        {{1024}, 0, {1}},
                        {{1025}, 0, {1}},
                        {{100000}, 0, {1}},
                        {{300, 3}, 1, {3, 1}},
                        {{300, 100}, 1, {100, 1}},
                        {{300, 100}, 1, {1, 300}},
                        {{70, 3000}, 1, {1, 70}},
                        {{7, 40, 20, 30}, 2, {24000, 30, 1200, 1}},
                        {{7, 20, 40, 30}, 2, {24000, 1, 600, 20}},
                        {{7, 20, 70, 30}, 2, {42000, 1, 600, 20}},
                        {{4, 0}, 1, {1, 1}}};
  const auto expect_same = [&](OpenCLDevice& device, Reduction reduction, TypeId type,
                               const Loop& loop, bool is_cpu) {
    device.traits.is_cpu = is_cpu;
    EmitCase c = reduction_case(reduction, type, loop.shape, loop.kept, loop.strides);
    EXPECT_EQ(error_of(c, device), 0) << device.name << ": " << info(reduction).name << " of "
                                      << info(type).name << format(" {}", loop.shape);
    device.traits.is_cpu = true;
  };
  for (const auto& device : OpenCLDevice::all()) {
    for (const bool is_cpu : {true, false})
      for (const Loop& loop : loops) {
        expect_same(*device, Reduction::sum, TypeId::float32, loop, is_cpu);
        if (loop.shape.back() > 0)  // nothing has no index
          expect_same(*device, Reduction::argmax, TypeId::float32, loop, is_cpu);
      }
    for (std::size_t r = 0; r < all_reductions.size(); ++r)
      for (const TypeId type : all_types)
        if (all_reductions[r].accepts(info(type).family))
          expect_same(*device, static_cast<Reduction>(r), type, rows, type < TypeId::float16);
  }
}

}  // namespace
}  // namespace isthmus
