// product_kernel.cpp: the texts of kernels that multiply matrices in tiles or blocks.
#include "isthmus/array/products/product_kernel.h"

#include "isthmus/base/format.h"
#include "isthmus/codegen/emit/prelude.h"

namespace isthmus::inline ISTHMUS_ABI {

using detail::format;

namespace {

constexpr std::string_view plain = R"(
#define READ(p, at) (NUMBER)p[at]
#define WRITE(p, at, value) p[at] = (ELEMENT)(value)
#define ADD(sum, a, b) sum += a * b
)";

constexpr std::string_view boolean = R"(
#define READ(p, at) (NUMBER)(p[at] != 0)
#define WRITE(p, at, value) p[at] = (ELEMENT)(value)
#define ADD(sum, a, b) sum |= a & b
)";

constexpr std::string_view complex = R"(
#define READ(p, at) p[at]
#define WRITE(p, at, value) p[at] = value
#define ADD(sum, a, b) \
  sum += (NUMBER)(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x)
)";

constexpr std::string_view float16 = R"(
#define READ(p, at) float16_to_float(p[at])
#define WRITE(p, at, value) p[at] = float_to_float16(round_float16(value))
#define ADD(sum, a, b) sum += a * b
)";

constexpr std::string_view bfloat16 = R"(
#define READ(p, at) bfloat16_to_float(p[at])
#define WRITE(p, at, value) p[at] = float_to_bfloat16(round_bfloat16(value))
#define ADD(sum, a, b) sum += a * b
)";

constexpr std::string_view operands = R"(
typedef struct {
  long x, y;
  long rows, columns, inner;
  long x_row, x_column, y_row, y_column;
  long shape[AXES], x_stack[AXES], y_stack[AXES];
} Operands;

#define FIND_STARTS                                                             \
  long x_start = p.x, y_start = p.y, rest = matrix;                             \
  for (int axis = AXES - 1; axis >= 0; --axis) {                                \
    x_start += rest % p.shape[axis] * p.x_stack[axis];                          \
    y_start += rest % p.shape[axis] * p.y_stack[axis];                          \
    rest /= p.shape[axis];                                                      \
  }
)";

constexpr int tile_of_item = 4;  // elements of the result along each axis

// FILL copies a tile of an operand to local memory, with zeros beyond the end. Neighbours read
// neighbours: along the inner axis where elements lie densely there, else across.
constexpr std::string_view tiles = R"(
#define SQUARE (GROUP * EACH)

#define FILL(tile, from, start, first, length, across, along)                   \
  for (int i = item; i < SQUARE * DEPTH; i += GROUP * GROUP) {                  \
    const int depth = along == 1 ? i % DEPTH : i / SQUARE;                      \
    const int at = along == 1 ? i / DEPTH : i % SQUARE;                         \
    const int is_there = first + at < length && k + depth < p.inner;            \
    const long place = start + (first + at) * across + (k + depth) * along;     \
    tile[depth][at] = (NUMBER)(0);                                              \
    if (is_there) tile[depth][at] = READ(from, place);                          \
  }

__kernel __attribute__((reqd_work_group_size(GROUP, GROUP, 1)))
void product(__global const ELEMENT* restrict x, __global const ELEMENT* restrict y,
             __global ELEMENT* restrict out, const Operands p) {
  __local NUMBER of_x[DEPTH][SQUARE + 1], of_y[DEPTH][SQUARE + 1];
  const int column = (int)get_local_id(0), row = (int)get_local_id(1);
  const int item = row * GROUP + column;
  const long high = (p.rows + SQUARE - 1) / SQUARE, wide = (p.columns + SQUARE - 1) / SQUARE;
  const long group = (long)get_group_id(0), matrix = group / wide / high;
  const long first_row = group / wide % high * SQUARE, first_column = group % wide * SQUARE;
  FIND_STARTS
  NUMBER sums[EACH][EACH];
  for (int i = 0; i < EACH; ++i)
    for (int j = 0; j < EACH; ++j) sums[i][j] = (NUMBER)(0);
  for (long k = 0; k < p.inner; k += DEPTH) {
    FILL(of_x, x, x_start, first_row, p.rows, p.x_row, p.x_column);
    FILL(of_y, y, y_start, first_column, p.columns, p.y_column, p.y_row);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int depth = 0; depth < DEPTH; ++depth) {
      NUMBER a[EACH], b[EACH];
      for (int i = 0; i < EACH; ++i) a[i] = of_x[depth][row + i * GROUP];
      for (int j = 0; j < EACH; ++j) b[j] = of_y[depth][column + j * GROUP];
      for (int i = 0; i < EACH; ++i)
        for (int j = 0; j < EACH; ++j) ADD(sums[i][j], a[i], b[j]);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  for (int i = 0; i < EACH; ++i)
    for (int j = 0; j < EACH; ++j) {
      const long at_row = first_row + row + i * GROUP;
      const long at_column = first_column + column + j * GROUP;
      if (at_row < p.rows && at_column < p.columns)
        WRITE(out, (matrix * p.rows + at_row) * p.columns + at_column, sums[i][j]);
    }
}
)";

constexpr int block_rows = 4, block_columns = 16;

// Beyond the end are the last row and column again, of which nothing is written. Blocks below each
// other follow each other, so that they find the columns of y in the cache.
constexpr std::string_view blocks = R"(
#define MULTIPLY(place)                                                         \
  for (long k = 0; k < p.inner; ++k) {                                          \
    NUMBER a[ROWS], b[COLUMNS];                                                 \
    for (int i = 0; i < ROWS; ++i) a[i] = READ(x, of_x[i] + k * p.x_column);    \
    for (int j = 0; j < COLUMNS; ++j) b[j] = READ(y, place + k * p.y_row);      \
    for (int i = 0; i < ROWS; ++i)                                              \
      for (int j = 0; j < COLUMNS; ++j) ADD(sums[i][j], a[i], b[j]);            \
  }

__kernel __attribute__((reqd_work_group_size(1, 1, 1)))
void product(__global const ELEMENT* restrict x, __global const ELEMENT* restrict y,
             __global ELEMENT* restrict out, const Operands p) {
  const long high = (p.rows + ROWS - 1) / ROWS, wide = (p.columns + COLUMNS - 1) / COLUMNS;
  const long block = (long)get_group_id(0), matrix = block / high / wide;
  const long first_row = block % high * ROWS, first_column = block / high % wide * COLUMNS;
  FIND_STARTS
  long of_x[ROWS], of_y[COLUMNS];
  for (int i = 0; i < ROWS; ++i) of_x[i] = x_start + min(first_row + i, p.rows - 1) * p.x_row;
  for (int j = 0; j < COLUMNS; ++j)
    of_y[j] = y_start + min(first_column + j, p.columns - 1) * p.y_column;
  NUMBER sums[ROWS][COLUMNS];
  for (int i = 0; i < ROWS; ++i)
    for (int j = 0; j < COLUMNS; ++j) sums[i][j] = (NUMBER)(0);
  if (p.y_column == 1 && first_column + COLUMNS <= p.columns) {
    MULTIPLY(of_y[0] + j)
  } else {
    MULTIPLY(of_y[j])
  }
  for (int i = 0; i < ROWS; ++i)
    for (int j = 0; j < COLUMNS; ++j) {
      const long row = first_row + i, column = first_column + j;
      if (row < p.rows && column < p.columns)
        WRITE(out, (matrix * p.rows + row) * p.columns + column, sums[i][j]);
    }
}
)";

struct TypeNames {
  std::string_view element, number, words;
  int depth;  ///< Numbers of the inner axis in local memory: 17 KB of all at most.
};

TypeNames names_of(TypeId type) {
  switch (type) {
    case TypeId::bool_: return {"uchar", "uchar", boolean, 16};
    case TypeId::int8: return {"char", "uint", plain, 16};
    case TypeId::uint8: return {"uchar", "uint", plain, 16};
    case TypeId::int16: return {"short", "uint", plain, 16};
    case TypeId::uint16: return {"ushort", "uint", plain, 16};
    case TypeId::int32: return {"int", "uint", plain, 16};
    case TypeId::uint32: return {"uint", "uint", plain, 16};
    case TypeId::int64: return {"long", "ulong", plain, 16};
    case TypeId::uint64: return {"ulong", "ulong", plain, 16};
    case TypeId::float16: return {"ushort", "float", float16, 16};
    case TypeId::bfloat16: return {"ushort", "float", bfloat16, 16};
    case TypeId::float64: return {"double", "double", plain, 16};
    case TypeId::complex64: return {"float2", "float2", complex, 16};
    case TypeId::complex128: return {"double2", "double2", complex, 8};
    default: return {"float", "float", plain, 16};
  }
}

/// The functions that read and round halves, with the bits of all our kernels.
std::string functions_of(TypeId type) {
  if (type != TypeId::float16 && type != TypeId::bfloat16) return {};
  emitting::Prelude prelude;
  const std::string_view name = info(type).name;
  prelude.need(format("{}_to_float", name), type);
  prelude.need(format("round_{}", name), type);
  prelude.need(format("float_to_{}", name), type);
  return prelude.print("");
}

/// Names, functions and the last parameter, which both kernels have.
std::string front_of(TypeId type) {
  const TypeNames names = names_of(type);
  return format("#define ELEMENT {}\n#define NUMBER {}\n#define AXES {}\n", names.element,
                names.number, axes_of_stack) +
         functions_of(type) + std::string(names.words) + std::string(operands);
}

}  // namespace

ProductText product_in_tiles(TypeId type, int length) {
  const std::string sizes = format("#define DEPTH {}\n#define GROUP {}\n#define EACH {}\n",
                                   names_of(type).depth, length, tile_of_item);
  const std::int64_t square = length * tile_of_item;
  return {sizes + front_of(type) + std::string(tiles), length, square, square};
}

ProductText product_in_blocks(TypeId type) {
  const std::string sizes =
      format("#define ROWS {}\n#define COLUMNS {}\n", block_rows, block_columns);
  return {sizes + front_of(type) + std::string(blocks), 1, block_rows, block_columns};
}

}  // namespace isthmus::inline ISTHMUS_ABI
