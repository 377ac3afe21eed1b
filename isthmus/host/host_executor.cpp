// host_executor.cpp: picks the instruction set, and the loop of a program's shape.
#include "isthmus/host/host_executor.h"

#include <utility>

#include "isthmus/base/environment.h"
#include "isthmus/host/block_product.h"
#include "isthmus/host/fold.h"
#include "isthmus/host/loops.h"

namespace isthmus::inline ISTHMUS_ABI::host {

#if defined(ISTHMUS_HAS_INSTRUCTION_SETS)
namespace v2 {
void fill(RowTable& table);
void fill(ProductTable& table);
}  // namespace v2
namespace v3 {
void fill(RowTable& table);
void fill(ProductTable& table);
}  // namespace v3
namespace v4 {
void fill(RowTable& table);
void fill(ProductTable& table);
}  // namespace v4
#else
namespace baseline {
void fill(RowTable& table);
void fill(ProductTable& table);
}  // namespace baseline
#endif

namespace {

struct Machine {
  RowTable rows{};
  ProductTable products{};
  std::string_view name;

  Machine() {
#if defined(ISTHMUS_HAS_INSTRUCTION_SETS)
    const int wanted =
        choose("ISTHMUS_ISA", {"auto", "v2", "v3", "v4", "x86-64-v2", "x86-64-v3", "x86-64-v4"});
    const bool is_v2_wanted = wanted == 1 || wanted == 4;
    const bool is_v3_wanted = wanted == 2 || wanted == 5;
    __builtin_cpu_init();
    if (__builtin_cpu_supports("x86-64-v4") && !is_v2_wanted && !is_v3_wanted) {
      v4::fill(rows);
      v4::fill(products);
      name = "x86-64-v4";
    } else if (__builtin_cpu_supports("x86-64-v3") && !is_v2_wanted) {
      v3::fill(rows);
      v3::fill(products);
      name = "x86-64-v3";
    } else {
      v2::fill(rows);
      v2::fill(products);
      name = "x86-64-v2";
    }
#else
    baseline::fill(rows);
    baseline::fill(products);
    name = "baseline";
#endif
  }
};

/// Made while the library is loaded: a child that is forked while some thread makes a local static
/// would wait for that thread for ever.
const Machine machine;

}  // namespace

[[gnu::hot]] bool run_row(const Step& step, void* out, const void* const* operands,
                          std::int64_t n) noexcept {
  if (is_half(step.type) || is_half(step.result)) return false;
  const RowTable& rows = machine.rows;
  const int type = static_cast<int>(step.type);
  const Row row = step.op == Op::astype ? rows.casts[type][static_cast<int>(step.result)]
                                        : row_of(rows, step.op, step.type);
  row(out, operands[0], operands[1], operands[2], n);
  return true;
}

void fill(void* out, const void* element, std::int64_t bytes, std::int64_t n) noexcept {
  machine.rows.gathers[log2_bytes(bytes)](out, element, 0, n);
}

[[gnu::hot]] bool run_fold(Reduction reduction, TypeId type, void* out, const void* in,
                           std::int64_t n) noexcept {
  if (is_half(type) || n < 1 || n > chunk_length) return false;
  if (static_cast<int>(reduction) >= reduction_count) {
    const StateTable& table = state_of(machine.rows, reduction, type);
    alignas(16) char state[64];
    table.fold(state, in, n, 0, nullptr);
    table.finish(out, state, 1);
    return true;
  }
  machine.rows.folds[static_cast<int>(reduction)][static_cast<int>(type)](out, in, n);
  return true;
}

/// Elements of a matrix that is turned before it is multiplied.
constexpr std::int64_t most_turned = 1 << 12;
/// Whether the rows of y fill vectors, so that a BLAS is slower for any number of rows of x.
static bool fills_vectors(const ProductShape& shape) {
  return shape.inner >= 4 && shape.columns % 4 == 0;
}

bool is_small_product(TypeId type, const ProductShape& shape) noexcept {
  constexpr std::int64_t most = 1 << 15;
  const std::int64_t of_y = product_at_most(shape.inner, shape.columns);
  return (type == TypeId::float32 || type == TypeId::float64) && of_y <= most_turned &&
         (fills_vectors(shape) || product_at_most(shape.rows, of_y) <= most);
}

template <class T>
static void run_small_product(void (*run)(const SmallProduct&), const ProductShape& shape,
                              const Matrix& x, const Matrix& y, void* out) {
  SmallProduct product{shape.rows, shape.inner, shape.columns, x.start, x.step,
                       1,          y.start,     y.step,        out};
  if (x.is_transposed) std::swap(product.x_row, product.x_column);
  alignas(64) T turned[most_turned];
  if (shape.columns == 1) {
    const auto* const column = static_cast<const T*>(y.start);
    product.y_row = 1;
    if (!y.is_transposed && y.step != 1) {
      for (std::int64_t k = 0; k < shape.inner; ++k) turned[k] = column[k * y.step];
      product.y = turned;
    }
    if (x.is_transposed)  // the transpose of the column times the rows of memory
      product = {1, shape.inner, shape.rows, product.y, 0, 1, x.start, x.step, out};
  } else if (y.is_transposed) {
    const auto* const columns = static_cast<const T*>(y.start);
    for (std::int64_t k = 0; k < shape.inner; ++k)
      for (std::int64_t j = 0; j < shape.columns; ++j)
        turned[k * shape.columns + j] = columns[j * y.step + k];
    product.y = turned;
    product.y_row = shape.columns;
  }
  run(product);
}

void run_small_product(TypeId type, const ProductShape& shape, const Matrix& x, const Matrix& y,
                       void* out) noexcept {
  if (type == TypeId::float32)
    run_small_product<float>(machine.products.of_float, shape, x, y, out);
  else
    run_small_product<double>(machine.products.of_double, shape, x, y, out);
}

void run_products(TypeId type, const StridedProduct& product,
                  std::span<const ProductPlace> places) {
  run_products(machine.products, type, product, places);
}

void run(const Program& program, const Launch& launch) {
  const RowTable& rows = machine.rows;
  if (program.record_bytes) return run_copy(rows, program.record_bytes, launch);
  switch (program.shape) {
#define SHAPE(name, ...) \
  case KernelShape::name: return run_##name(rows, program, launch);
#include "isthmus/core/shapes.def"
  }
}

std::string_view instruction_set() { return machine.name; }

}  // namespace isthmus::inline ISTHMUS_ABI::host
