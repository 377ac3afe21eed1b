// test_few_columns.cpp: reductions that keep a few elements side by side, as means of a table do.
#include <gtest/gtest.h>

#include "tests/unit/host_programs.h"

namespace isthmus {
namespace {

/// A reduction of x, or of x + y where y has one element for each column.
Program program_of(Reduction reduction, TypeId type, bool adds) {
  Program program;
  program.map.inputs.push_back({Input::Kind::memory, type, 0});
  program.map.outputs.push_back(0);
  if (adds) {
    program.map.inputs.push_back({Input::Kind::memory, type, 0});
    program.map.steps.push_back({Op::add, type, type, {0, 1, 0}});
    program.map.outputs[0] = 2;
  }
  program.shape = KernelShape::reduce;
  program.reduction = reduction;
  program.accumulator = info(reduction).rule == AccumulateRule::index ? TypeId::int64 : type;
  program.epilogue.inputs.push_back({Input::Kind::result, program.accumulator, 0});
  program.epilogue.outputs.push_back(0);
  return program;
}

/// Of (tables, rows, few), whose elements lie so far apart, along the rows.
Bytes reduce_tables(const Program& program, const Bytes& x, const Bytes& y, Dims shape,
                    Dims strides) {
  const std::int64_t tables = shape[0], rows = shape[1], few = shape[2];
  Bytes out(static_cast<std::size_t>(tables * few * size_of(program.accumulator)));
  SmallVector<Argument, 2> inputs;
  inputs.push_back(memory(x.data(), {strides[0], strides[2], strides[1]}));
  if (program.map.inputs.size() > 1) inputs.push_back(memory(y.data(), {0, 1, 0}));
  const Argument output = memory(out.data(), {few, 1});
  host::run(program, {{tables, few, rows}, 2, {inputs.begin(), inputs.size()}, {}, {&output, 1}});
  return out;
}

class FewColumns : public ::testing::TestWithParam<TypeId> {};
INSTANTIATE_TEST_SUITE_P(Types, FewColumns,
                         ::testing::Values(TypeId::int8, TypeId::int64, TypeId::float16,
                                           TypeId::float32, TypeId::float64),
                         [](const auto& test) {
                           return std::string(isthmus::info(test.param).name);
                         });

TEST_P(FewColumns, have_the_bits_of_rows_whatever_is_calculated_before) {
  const TypeId type = GetParam();
  const int threads = thread_count();
  for (const std::int64_t few : {2, 3, 7, 15, 16, 31, 32, 33, 100}) {
    for (const std::int64_t rows : {16, 31, 33, 64, 1000, 1024, 1025, 5000}) {
      const std::int64_t tables = rows < 100 ? 5 : 1;
      const Bytes x = random_elements(type, tables * rows * few, 3, -1, 1);
      const Bytes y = random_elements(type, few, 5, -1, 1);
      Bytes turned_x;
      for (std::int64_t i = 0; i < tables; ++i) {
        const Bytes table = turned(x.data() + i * rows * few * size_of(type), type, rows, few);
        turned_x.insert(turned_x.end(), table.begin(), table.end());
      }
      for (const Reduction reduction :
           {Reduction::sum, Reduction::prod, Reduction::max, Reduction::nanmin, Reduction::argmax,
            Reduction::nanargmin}) {
        for (const bool adds : {false, true}) {
          const Program program = program_of(reduction, type, adds);
          set_thread_count(1);
          const Bytes wanted =
              reduce_tables(program, turned_x, y, {tables, rows, few}, {rows * few, 1, rows});
          for (const int count : {1, 3}) {
            set_thread_count(count);
            EXPECT_EQ(reduce_tables(program, x, y, {tables, rows, few}, {rows * few, few, 1}),
                      wanted)
                << info(reduction).name << " of " << rows << " rows of " << few << ", adds "
                << adds;
          }
        }
      }
    }
  }
  set_thread_count(threads);
}

}  // namespace
}  // namespace isthmus
