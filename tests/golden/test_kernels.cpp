// test_kernels.cpp: the text of a few kernels, as it stands beside this file. A change of it is
// reviewed like code: ISTHMUS_UPDATE_GOLDEN=1 writes the files anew.
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

#include "isthmus/codegen/emit.h"
#include "isthmus/codegen/form.h"

namespace isthmus {
namespace {

struct Sample {
  const char* name;
  Program program;
  Dims shape;
  int kept;
  std::vector<Dims> inputs, outputs;  ///< Strides; none for a scalar or an index.
  Traits traits = {};
};

Input memory(TypeId type) { return {Input::Kind::memory, type, 0}; }
Input scalar(TypeId type) { return {Input::Kind::scalar, type, 0}; }

Program map(std::initializer_list<Input> inputs, std::initializer_list<Step> steps,
            std::initializer_list<std::uint16_t> outputs) {
  Program program;
  for (const Input& input : inputs) program.map.inputs.push_back(input);
  for (const Step& step : steps) program.map.steps.push_back(step);
  for (const std::uint16_t output : outputs) program.map.outputs.push_back(output);
  return program;
}

/// The mean square of rows: a product before, a division after.
Program mean_square(TypeId type) {
  Program program = map({memory(type)}, {{Op::square, type, type, {0}}}, {1});
  program.shape = KernelShape::reduce;
  program.reduction = Reduction::sum;
  program.accumulator = type;
  program.epilogue.inputs = {{Input::Kind::result, type, 0}, scalar(type)};
  program.epilogue.steps.push_back({Op::divide, type, type, {0, 1}});
  program.epilogue.outputs.push_back(2);
  return program;
}

/// What goes along the last axis and gives as many elements.
Program along_the_axis(KernelShape shape, TypeId from, TypeId to) {
  Program program = map({memory(from)}, {}, {0});
  program.shape = shape;
  program.accumulator = to;
  program.epilogue.inputs.push_back({Input::Kind::result, to, 0});
  program.epilogue.outputs.push_back(0);
  return program;
}

std::vector<Sample> samples() {
  constexpr TypeId f32 = TypeId::float32, f16 = TypeId::float16, c64 = TypeId::complex64;
  const Traits gpu{.is_cpu = false, .local_bytes = 32768};
  Program largest = mean_square(TypeId::int32);
  largest.reduction = Reduction::max;
  std::vector<Sample> all;
  all.push_back({"expression",
                 map({scalar(f32), memory(f32), memory(f32)},
                     {{Op::multiply, f32, f32, {0, 1}},
                      {Op::sin, f32, f32, {2}},
                      {Op::add, f32, f32, {3, 4}}},
                     {5}),
                 {1000},
                 1,
                 {{}, {1}, {1}},
                 {{1}}});
  all.push_back({"strided",
                 map({memory(f32), memory(f32), {Input::Kind::index, TypeId::int64, 2}},
                     {{Op::astype, TypeId::int64, f32, {2}},
                      {Op::maximum, f32, f32, {0, 1}},
                      {Op::multiply, f32, f32, {3, 4}}},
                     {5, 4}),
                 {3, 4, 5, 60},
                 4,
                 {{1, 3, 12, 60}, {0, 0, 0, 1}, {}},
                 {{1200, 300, 60, 1}, {1200, 300, 60, 1}}});
  all.push_back(
      {"casts",
       map({memory(f32)},
           {{Op::astype, f32, TypeId::uint8, {0}}, {Op::astype, f32, TypeId::bool_, {0}}}, {1, 2}),
       {1000},
       1,
       {{1}},
       {{1}, {1}}});
  all.push_back({"complex",
                 map({memory(c64), memory(c64)}, {{Op::divide, c64, c64, {0, 1}}}, {2}),
                 {1000},
                 1,
                 {{1}, {0}},
                 {{1}}});
  all.push_back({"float16",
                 map({memory(f16), scalar(f16)}, {{Op::add, f16, f16, {0, 1}}}, {2}),
                 {1000},
                 1,
                 {{1}, {}},
                 {{1}}});
  all.push_back({"float64_copy",
                 map({memory(TypeId::float64)}, {}, {0}),
                 {40, 3},
                 2,
                 {{1, 40}},
                 {{3, 1}},
                 {.has_fp64 = false}});
  all.push_back({"reduction", mean_square(f32), {10, 1000}, 1, {{1000, 1}, {}}, {{1}}});
  all.push_back({"reduction_in_chunks", mean_square(f32), {10, 5000}, 1, {{5000, 1}, {}}, {{1}}});
  all.push_back({"reduction_of_columns", largest, {100, 70}, 1, {{1, 100}, {}}, {{1}}});
  all.push_back({"reduction_in_teams", mean_square(f32), {5000}, 0, {{1}, {}}, {{}}, gpu});
  Program both = mean_square(f32);
  both.beside.push_back({Reduction::max, f32});
  both.map.outputs.push_back(both.map.outputs[0]);
  both.epilogue = {};
  both.epilogue.inputs = {{Input::Kind::result, f32, 0}, {Input::Kind::result, f32, 0}};
  both.epilogue.outputs = {0, 1};
  all.push_back({"reductions_beside", both, {10, 5000}, 1, {{5000, 1}}, {{1}, {1}}});
  all.push_back({"reductions_beside_in_teams", both, {5000}, 0, {{1}}, {{}, {}}, gpu});
  constexpr TypeId i64 = TypeId::int64;
  Program position = mean_square(f16);
  position.reduction = Reduction::argmax;
  position.accumulator = i64;
  position.epilogue.inputs = {{Input::Kind::result, i64, 0}, scalar(i64)};
  position.epilogue.steps[0] = {Op::add, i64, i64, {0, 1}};
  Program both_kinds = both;
  both_kinds.beside[0] = {Reduction::argmax, i64};
  both_kinds.epilogue.inputs[1].type = i64;
  all.push_back({"state_beside", both_kinds, {10, 5000}, 1, {{5000, 1}}, {{1}, {1}}});
  all.push_back({"state_in_chunks", position, {10, 5000}, 1, {{5000, 1}, {}}, {{1}}});
  all.push_back({"state_in_teams", position, {5000}, 0, {{1}, {}}, {{}}, gpu});
  Program lowest = mean_square(f32);
  lowest.reduction = Reduction::argmin;
  lowest.accumulator = i64;
  lowest.epilogue = {};
  lowest.epilogue.inputs = {{Input::Kind::result, i64, 0}};
  lowest.epilogue.outputs = {0};
  all.push_back({"state_in_vectors", lowest, {10, 5000}, 1, {{5000, 1}}, {{1}}});
  const Input base{Input::Kind::base, f16, 0};
  all.push_back({"load",
                 map({base, memory(i64)}, {{Op::load, f16, f16, {0, 1}}}, {2}),
                 {1000},
                 1,
                 {{0}, {1}},
                 {{1}}});
  all.push_back({"search",
                 map({{Input::Kind::base, f32, 0}, memory(f32), scalar(i64)},
                     {{Op::search_right, f32, i64, {0, 1, 2}}}, {3}),
                 {1000},
                 1,
                 {{0}, {1}, {}},
                 {{1}}});
  constexpr TypeId u64 = TypeId::uint64;
  all.push_back({"random",
                 map({{Input::Kind::number, u64, 0}, scalar(u64), scalar(u64), memory(f32)},
                     {{Op::random_normal, f32, f32, {0, 1, 2}}, {Op::add, f32, f32, {3, 4}}}, {5}),
                 {20, 30},
                 2,
                 {{1, 20}, {}, {}, {30, 1}},
                 {{30, 1}},
                 {.has_fp64 = false}});
  Program ordered = map({memory(f32), memory(i64)}, {}, {0, 1});
  ordered.shape = KernelShape::store;
  ordered.store = Store::in_order;
  all.push_back({"store", ordered, {20, 30}, 2, {{1, 20}, {30, 1}}, {{0, 0}}});
  all.push_back({"store_by_marks", ordered, {20, 30}, 2, {{1, 20}, {30, 1}}, {{0, 0}}, gpu});
  Program added = map({memory(i64), scalar(i64)}, {}, {1, 0});
  added.shape = KernelShape::store;
  added.store = Store::sum;
  all.push_back({"store_of_sums", added, {100}, 1, {{1}, {}}, {{0}}});
  Program powers = map({memory(f16), memory(i64)}, {{Op::pow, f16, f16, {0, 0}}}, {2, 1});
  powers.shape = KernelShape::store;
  powers.store = Store::in_order;
  all.push_back({"store_calculated_first", powers, {100}, 1, {{1}, {1}}, {{0}}});
  Program sums = along_the_axis(KernelShape::scan, f32, f32);
  sums.reduction = Reduction::sum;
  all.push_back({"scan_in_chunks", sums, {10, 5000}, 1, {{5000, 1}}, {{5000, 1}}});
  Program order = along_the_axis(KernelShape::sort, f32, i64);
  order.sorting.gives_indices = true;
  all.push_back({"argsort", order, {10, 500}, 1, {{500, 1}}, {{500, 1}}});
  all.push_back({"argsort_by_digits", order, {10, 5000}, 1, {{5000, 1}}, {{5000, 1}}});
  Program half_order = along_the_axis(KernelShape::sort, f16, f16);
  half_order.sorting.is_descending = true;
  all.push_back({"sort_of_halves", half_order, {5000}, 0, {{2}}, {{1}}});
  return all;
}

std::string text_of(Sample& sample) {
  std::vector<Argument> arguments[3];
  for (std::size_t i = 0; i < sample.inputs.size(); ++i) {
    const bool is_map = i < sample.program.map.inputs.size();
    arguments[is_map ? 0 : 1].emplace_back().strides = sample.inputs[i];
  }
  for (const Dims& strides : sample.outputs) arguments[2].emplace_back().strides = strides;
  sample.program.form = form_of(
      sample.program, {sample.shape, sample.kept, arguments[0], arguments[1], arguments[2]});
  return emit(sample.program, sample.traits);
}

TEST(Golden, KernelsOfOpenCLC) {
  const std::string folder = std::string(ISTHMUS_TEST_FILES) + "/golden/";
  const bool is_update = std::getenv("ISTHMUS_UPDATE_GOLDEN") != nullptr;
  for (Sample& sample : samples()) {
    const std::string path = folder + sample.name + ".cl";
    const std::string text = text_of(sample);
    if (is_update) std::ofstream(path) << text;
    std::stringstream known;
    known << std::ifstream(path).rdbuf();
    EXPECT_EQ(text, known.str()) << path << " differs; ISTHMUS_UPDATE_GOLDEN=1 writes it anew";
    if (!sample.traits.has_fp64) EXPECT_EQ(text.find("double"), text.npos) << path;
  }
}

TEST(Golden, WithoutLocalMemoryNoTeamSharesARow) {
  for (Sample& sample : samples()) {
    sample.traits.is_cpu = false;
    sample.traits.local_bytes = 0;
    EXPECT_EQ(text_of(sample).find("__local"), std::string::npos) << sample.name;
  }
}

TEST(Golden, AGpuSortsLongRowsByComparisonsToo) {
  for (Sample& sample : samples()) {
    if (sample.program.shape != KernelShape::sort) continue;
    sample.traits.is_cpu = false;
    const std::string text = text_of(sample);
    EXPECT_NE(text.find("void isthmus_merge("), std::string::npos) << sample.name;
    EXPECT_EQ(text.find("digit_of("), std::string::npos) << sample.name;
  }
}

TEST(Golden, ScratchOfASortThatNoNumberCounts) {
  Program order = along_the_axis(KernelShape::sort, TypeId::uint8, TypeId::uint8);
  std::vector<Argument> inputs(1), outputs(1);
  inputs[0].strides = outputs[0].strides = Dims{1};
  for (const std::int64_t row : {std::int64_t{1} << 58, std::int64_t{1} << 61}) {
    const Launch launch{Dims{row}, 0, inputs, {}, outputs};
    order.form = form_of(order, launch);
    for (const bool is_cpu : {true, false}) {
      Traits traits;
      traits.is_cpu = is_cpu;
      try {
        const Passes passes = plan_passes(order, launch, traits);
        EXPECT_FALSE(is_cpu) << passes.scratch_bytes;
        EXPECT_EQ(passes.scratch_bytes, std::size_t{1} << 62);
      } catch (const Error& error) {
        EXPECT_EQ(error.code(), Errc::out_of_memory);
      }
    }
  }
}

TEST(Golden, AProgramOfManyWordsTakesThemFromMemory) {
  Program program;
  std::vector<Argument> inputs(10), outputs(1);
  const Dims shape(12, 2);
  for (std::uint16_t i = 0; i < 10; ++i) {
    program.map.inputs.push_back(memory(TypeId::float32));
    inputs[i].strides = row_major({shape.begin(), shape.end()}).strides;
  }
  program.map.outputs.push_back(0);
  outputs[0].strides = inputs[0].strides;
  const Launch launch{shape, 12, inputs, {}, outputs};
  program.form = form_of(program, launch);
  const Passes passes = plan_passes(program, launch, {});
  ASSERT_EQ(passes.passes.size(), 1u);
  EXPECT_EQ(passes.passes[0].pointers.back().of, Pointer::Of::words);
  EXPECT_NE(emit(program, {}).find("__global const long* w"), std::string::npos);
}

}  // namespace
}  // namespace isthmus
