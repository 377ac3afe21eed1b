// test_emit_opencl.cpp: emitted kernels give what the host executor gives, on each OpenCL CPU found.
#include <gtest/gtest.h>

#include <bit>
#include <random>

#include "tests/unit/host_programs.h"
#include "tests/unit/opencl_runner.h"

namespace isthmus {
namespace {

/// A program with operands in blocks of the host's: run here and there, and compared.
struct Case {
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
  const Tape& tape = program.reduction ? program.epilogue : program.map;
  return tape.type_of(tape.outputs[i]);
}

/// The outputs' blocks after the host executor has run.
void run_on_host(const Case& c) {
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
  const int digits = type == TypeId::float16    ? 11
                     : type == TypeId::bfloat16 ? 8
                     : real_of(type) == TypeId::float32 ? 24 : 53;
  const int least = type == TypeId::float16 ? -13 : real_of(type) == TypeId::float64 ? -1021 : -125;
  const int exponent = std::max(least, std::ilogb(b) + 1);
  return std::fabs(a - b) / std::ldexp(1.0, exponent - digits);
}

/// Largest distance of an element of the outputs from what the host executor gives.
double error_of(const Case& c, OpenCLDevice& device) {
  OpenCLDevice::Blocks blocks;
  for (const Bytes& bytes : c.blocks)
    blocks[const_cast<unsigned char*>(bytes.data())] = bytes.size();
  const std::vector<Bytes> before = c.blocks;
  try {
    device.run(c.program, {c.shape, c.kept, c.inputs, c.epilogue_inputs, c.outputs}, blocks);
  } catch (const std::exception& error) {
    ADD_FAILURE() << error.what();
    return 1e300;
  }
  const std::vector<Bytes> there = c.blocks;
  auto& same = const_cast<std::vector<Bytes>&>(c.blocks);
  for (std::size_t i = 0; i < same.size(); ++i)
    std::copy(before[i].begin(), before[i].end(), same[i].begin());
  run_on_host(c);
  double worst = 0;
  for (std::size_t k = 0; k < c.outputs.size(); ++k) {
    const TypeId type = output_type(c.program, k), part = real_of(type);
    std::size_t b = 0;
    while (c.blocks[b].data() != c.outputs[k].address) ++b;
    for (std::size_t at = 0; at < c.blocks[b].size(); at += size_of(part)) {
      if (info(part).family == Family::real) {
        worst = std::max(worst, distance(part, &there[b][at], &c.blocks[b][at]));
      } else if (std::memcmp(&there[b][at], &c.blocks[b][at], size_of(part))) {
        worst = 1e30;
      }
    }
  }
  return worst;
}

class EmitOpenCL : public ::testing::Test {
 protected:
  void SetUp() override {
    if (OpenCLDevice::all().empty()) GTEST_SKIP() << "no OpenCL CPU device was found";
  }
};

Case operation_case(Op op, TypeId type, TypeId result, std::int64_t n, double lo, double hi) {
  Case c;
  c.program = program_of(op, type, result);
  c.shape = {n}, c.kept = 1;
  unsigned seed = 1;
  for (const Input& input : c.program.map.inputs)
    c.inputs.push_back(c.block(input.type, c.shape, {1}, seed++, lo, hi));
  c.outputs.push_back(c.block(result, c.shape, {1}, 9, 0, 0));
  return c;
}

TEST_F(EmitOpenCL, Operations) {
  for (const auto& device : OpenCLDevice::all())
    for (std::size_t op = 0; op < op_table.size(); ++op)
      for (const TypeId type : all_types) {
        const OpInfo& row = op_table[op];
        if (!row.accepts(info(type).family)) continue;
        const auto which = static_cast<Op>(op);
        const Case c =
            operation_case(which, type, result_of(which, type), 5000, row.lo, row.hi);
        const double error = error_of(c, *device);
        const bool is_complex = info(type).family == Family::complex;
        EXPECT_LE(error, is_complex ? 1e30 : 2 * row.ulp)
            << device->name << ": " << row.name << " of " << info(type).name;
      }
}

TEST_F(EmitOpenCL, Casts) {
  for (const auto& device : OpenCLDevice::all())
    for (const TypeId from : all_types)
      for (const TypeId to : all_types) {
        const Case c = operation_case(Op::astype, from, to, 5000, -300, 300);
        EXPECT_EQ(error_of(c, *device), 0)
            << device->name << ": " << info(from).name << " to " << info(to).name;
      }
}

}  // namespace
}  // namespace isthmus
