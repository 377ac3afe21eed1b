// host_executor.h: runs a program on memory that the host can reach.
#pragma once

#include "isthmus/codegen/program.h"

namespace isthmus::inline ISTHMUS_ABI {
struct Matrix;
struct ProductPlace;
struct ProductShape;
struct StridedProduct;
}  // namespace isthmus::inline ISTHMUS_ABI

namespace isthmus::inline ISTHMUS_ABI::host {

/// Runs `program` once and waits for it. Inputs and outputs are host addresses (Argument::address
/// points at element (0, ..., 0); Argument::offset is 0). An output may be the memory of an input
/// of the same layout and element size; any other overlap is the caller's to avoid. Uses the
/// threads of executor.h for large loops; bits never depend on their number. Does not throw but
/// for out_of_memory. Any thread.
ISTHMUS_EXPORT void run(const Program& program, const Launch& launch);

/// One operation on few dense elements, without a plan: `operands` are of the types that `step`
/// takes. False, and nothing is done, if it needs a plan after all. Any thread; does not throw.
bool run_row(const Step& step, void* out, const void* const* operands, std::int64_t n) noexcept;

/// Copies one element of a built-in type to `n` places, dense. Any thread.
void fill(void* out, const void* element, std::int64_t bytes, std::int64_t n) noexcept;

/// A reduction of one short run of dense elements, of the type they are combined in, to its result.
/// False, and nothing is done, if it needs a plan after all. Any thread; does not throw.
bool run_fold(Reduction reduction, TypeId type, void* out, const void* in, std::int64_t n) noexcept;

/// Whether a product of matrices is done faster here than by a call of a library: of few float32 or
/// float64, or of any number of rows and a small matrix.
bool is_small_product(TypeId type, const ProductShape& shape) noexcept;
/// Such a product, or some rows of it: out = x y, row-major and dense. Sums are in the order of
/// ProductTable; x86-64-v3 and v4 round each product and addition once. Any thread.
void run_small_product(TypeId type, const ProductShape& shape, const Matrix& x, const Matrix& y,
                       void* out) noexcept;

/// Products of large matrices of any strides, one for each place, row-major and dense. Integers
/// wrap around, bools are joined by "or" of "and"; sums go in the order of the inner axis, with the
/// same bits on all instruction sets. Of all dtypes but halves. On the threads of executor.h; may
/// be interrupted inside an Interruptible. Throws out_of_memory.
void run_products(TypeId type, const StridedProduct& product, std::span<const ProductPlace> places);

/// The instruction set that was picked: "x86-64-v2", "x86-64-v3", "x86-64-v4" or "baseline".
/// ISTHMUS_ISA names a lesser one.
ISTHMUS_EXPORT std::string_view instruction_set();

}  // namespace isthmus::inline ISTHMUS_ABI::host
