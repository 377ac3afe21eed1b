// host_product.cpp: stacks of matrices, by BLAS or by our own blocks, in place where layouts allow.
#include "isthmus/array/products/host_product.h"

#include <algorithm>

#include "isthmus/array/arrange/manipulate.h"
#include "isthmus/array/create/create.h"
#include "isthmus/array/place.h"
#include "isthmus/array/products/symmetric.h"
#include "isthmus/core/internal.h"
#include "isthmus/host/host_executor.h"
#include "isthmus/host/product.h"
#include "isthmus/runtime/libraries/library.h"
#include "isthmus/runtime/observe/records.h"
#include "isthmus/runtime/submit/run_here.h"
#include "isthmus/runtime/submit/submission.h"
#include "isthmus/runtime/unblocked.h"
#include "isthmus/threads/executor.h"
#include "isthmus/threads/interrupts.h"

namespace isthmus::inline ISTHMUS_ABI {

namespace {

/// Multiplications of one product up to which OpenBLAS uses one thread; stacks of such products are
/// divided among ours.
constexpr std::int64_t small_product = 1 << 18, small_vector_product = 9000;
/// Multiplications that are worth a thread's turn; the second for products with a vector, which
/// wait for memory.
constexpr std::int64_t work_of_chunk = 1 << 18, vector_work_of_chunk = 1 << 17;
/// Multiplications below which packing costs more than it saves.
constexpr std::int64_t least_of_blocks = 1 << 9;
/// Multiplications, times the bytes of an element, that one call of a library may be given: about
/// half a second on one thread, and so many that a call for each costs nothing.
constexpr std::int64_t most_of_call = std::int64_t{1} << 35;

/// The last two axes of one operand, and the way from one matrix to the next.
struct Stack {
  Array array;   // keeps the memory
  Matrix first;  // as BLAS reads it; otherwise only its start
  std::int64_t row, column;
  Dims strides;  // in bytes, for each axis of the result in front of the last two
};

std::optional<Matrix> first_of(const Array& x) {
  const Layout& layout = x.layout();
  const std::size_t row = layout.shape.size() - 2, column = row + 1;
  return matrix_of(layout.shape[row], layout.shape[column], layout.strides[row],
                   layout.strides[column]);
}

/// `is_for_blas`: copies to a dense array, once, what BLAS cannot read where it lies.
Stack stack_of(Array x, std::size_t axes_in_front, bool is_for_blas) {
  if (is_for_blas && !first_of(x)) {
    Array dense = copy(x);
    if (!first_of(dense)) dense = contiguous(x);
    x = std::move(dense);
  }
  x.eval();
  const Layout& layout = x.layout();
  const std::int64_t bytes = x.dtype().bytes();
  const std::size_t own = layout.shape.size() - 2;
  Stack stack{x, first_of(x).value_or(Matrix()), layout.strides[own], layout.strides[own + 1],
              Dims(axes_in_front, 0)};
  stack.first.start = static_cast<const char*>(x.storage()->memory()->host) + layout.offset * bytes;
  for (std::size_t i = 0; i < own; ++i)
    if (layout.shape[i] > 1) stack.strides[axes_in_front - own + i] = layout.strides[i] * bytes;
  return stack;
}

bool reaches(const Array& x) { return x.storage()->memory()->is_host_accessible(); }

/// What multiplies.
enum class Way : std::uint8_t { small_row, library, blocks };

std::optional<Way> way_of(TypeId type, const ProductShape& shape) {
  if (host::is_small_product(type, shape)) return Way::small_row;
  const Blas* const found = blas();
  if (found && found->takes(type, shape)) return Way::library;
  const bool has_vector = shape.rows == 1 || shape.columns == 1;
  const std::int64_t size = product_at_most(shape.rows * shape.columns, shape.inner);
  if (has_vector || size < least_of_blocks) return std::nullopt;
  return Way::blocks;
}

Matrix moved(Matrix matrix, std::int64_t row, std::int64_t column, std::int64_t bytes) {
  const std::int64_t outer = matrix.is_transposed ? column : row;
  const std::int64_t inner = matrix.is_transposed ? row : column;
  matrix.start = static_cast<const char*>(matrix.start) + (outer * matrix.step + inner) * bytes;
  return matrix;
}

/// A large product as calls of the library that end soon.
class Pieces {
 public:
  Pieces(const Blas& blas, TypeId type, std::int64_t out_step)
      : blas_(blas), type_(type), out_step_(out_step) {}

  /// Halves the longest axis until a piece is short; halves of the inner one are added up.
  void run(const ProductShape& shape, const Matrix& x, const Matrix& y, char* out, bool adds) {
    const std::int64_t bytes = info(type_).bits / 8;
    const std::int64_t size = product_at_most(shape.rows * shape.columns, shape.inner);
    if (size <= most_of_call / bytes) {
      blas_.multiply_part(type_, shape, x, y, out, out_step_, adds);
      return listen();
    }
    ProductShape first = shape, second = shape;
    const auto halve = [&](std::int64_t ProductShape::* axis) {
      first.*axis = shape.*axis / 2;
      second.*axis = shape.*axis - first.*axis;
      return first.*axis;
    };
    if (shape.inner >= shape.rows && shape.inner >= shape.columns) {
      const std::int64_t at = halve(&ProductShape::inner);
      run(first, x, y, out, adds);
      run(second, moved(x, 0, at, bytes), moved(y, at, 0, bytes), out, true);
    } else if (shape.rows >= shape.columns) {
      const std::int64_t at = halve(&ProductShape::rows);
      run(first, x, y, out, adds);
      run(second, moved(x, at, 0, bytes), y, out + at * out_step_ * bytes, adds);
    } else {
      const std::int64_t at = halve(&ProductShape::columns);
      run(first, x, y, out, adds);
      run(second, x, moved(y, 0, at, bytes), out + at * bytes, adds);
    }
  }

 private:
  const Blas& blas_;
  TypeId type_;
  std::int64_t out_step_;
};

/// The matrices of both stacks, one after another.
class Products {
 public:
  Products(Way way, TypeId type, const ProductShape& shape, const Stack& x, const Stack& y,
           std::span<const std::int64_t> in_front, char* out)
      : way_(way),
        blas_(way == Way::library ? blas() : nullptr),
        type_(type),
        shape_(shape),
        x_(x),
        y_(y),
        in_front_(in_front),
        out_(out),
        bytes_(shape.rows * shape.columns * info(type).bits / 8) {}

  const Blas* library() const { return blas_; }

  /// On several threads: the library's, or if each product is small ours. May be interrupted.
  void run_all() const {
    const std::int64_t count = product_of(in_front_);
    const std::int64_t size = product_at_most(shape_.rows * shape_.columns, shape_.inner);
    const bool has_vector = shape_.rows == 1 || shape_.columns == 1;
    const std::int64_t least = has_vector ? vector_work_of_chunk : work_of_chunk;
    const Interruptible interruptible(true);  // what is written is new memory
    if (way_ == Way::blocks) return run_blocks(count);
    if (way_ == Way::small_row && size > work_of_chunk) return run_rows(count, size / shape_.rows);
    const auto run_some = [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t i = begin; i < end; ++i) run(i);
    };
    if (size <= (has_vector ? small_vector_product : small_product))
      return parallel_for(count, std::max(least / size, std::int64_t{1}), run_some);
    for (std::int64_t i = 0; i < count; ++i) {
      if (has_vector) {
        run(i);
        listen();
      } else {
        const auto [x, y, out] = matrices(i);
        if (is_own_transpose(shape_, x, y) && blas_->adds_symmetric(type_))
          multiply_symmetric(*blas_, type_, shape_, x, out, most_of_call / info(type_).bits * 8);
        else
          Pieces(*blas_, type_, shape_.columns).run(shape_, x, y, out, false);
      }
    }
  }

 private:
  struct Matrices {
    Matrix x, y;
    char* out;
  };

  Matrices matrices(std::int64_t i) const {
    Matrix x = x_.first, y = y_.first;
    std::int64_t rest = i;
    for (std::size_t axis = in_front_.size(); axis-- > 0; rest /= in_front_[axis]) {
      const std::int64_t index = rest % in_front_[axis];
      x.start = static_cast<const char*>(x.start) + index * x_.strides[axis];
      y.start = static_cast<const char*>(y.start) + index * y_.strides[axis];
    }
    return {x, y, out_ + i * bytes_};
  }

  void run(std::int64_t i) const {
    const auto [x, y, out] = matrices(i);
    if (blas_)
      blas_->multiply(type_, shape_, x, y, out);
    else
      host::run_small_product(type_, shape_, x, y, out);
  }

  /// Many rows times a small matrix, divided among our threads.
  void run_rows(std::int64_t count, std::int64_t work_of_row) const {
    for (std::int64_t i = 0; i < count; ++i) {
      const auto [x, y, out] = matrices(i);
      const auto run_some = [&, &x = x, &y = y, out = out](std::int64_t begin, std::int64_t end) {
        const std::int64_t bytes = info(type_).bits / 8;
        host::run_small_product(type_, {end - begin, shape_.inner, shape_.columns},
                                moved(x, begin, 0, bytes), y, out + begin * shape_.columns * bytes);
      };
      parallel_for(shape_.rows, work_of_chunk / work_of_row, run_some);
    }
  }

  void run_blocks(std::int64_t count) const {
    constexpr std::int64_t most = 4096;
    const StridedProduct product{shape_, x_.row, x_.column, y_.row, y_.column};
    std::vector<ProductPlace> places;
    for (std::int64_t first = 0; first < count; first += most) {
      places.clear();
      for (std::int64_t i = first; i < std::min(first + most, count); ++i) {
        const auto [x, y, out] = matrices(i);
        places.push_back({x.start, y.start, out});
      }
      host::run_products(type_, product, places);
    }
  }

  const Way way_;
  const Blas* const blas_;  // null: not needed
  const TypeId type_;
  const ProductShape& shape_;
  const Stack &x_, &y_;
  std::span<const std::int64_t> in_front_;
  char* out_;
  std::int64_t bytes_;
};

}  // namespace

std::optional<Array> multiply_on_host(std::string_view who, const Array& x, const Array& y,
                                      const Shape& shape) {
  const ProductShape each{x.shape(-2), x.shape(-1), y.shape(-1)};
  const std::int64_t count = product_of({shape.begin(), shape.end()});
  if (count == 0 || each.inner == 0 || !host_works_for(x.device())) return std::nullopt;
  const std::optional<Way> way = way_of(x.dtype().id, each);
  if (!way || !reaches(x) || !reaches(y)) return std::nullopt;
  check_same_context(who, *x.storage(), *y.storage());
  const InContextOf meanwhile(x.storage()->memory()->context ? x : y);
  const std::size_t axes_in_front = shape.size() - 2;
  const bool is_for_blas = way != Way::blocks;
  const Stack left = stack_of(x, axes_in_front, is_for_blas);
  const Stack right = stack_of(y, axes_in_front, is_for_blas);
  Array made = empty(shape, x.dtype(), x.device());
  if (!reaches(left.array) || !reaches(right.array) || !reaches(made)) return std::nullopt;
  BackendMemory* const reads[] = {left.array.storage()->memory().get(),
                                  right.array.storage()->memory().get()};
  BackendMemory* const writes[] = {made.storage()->memory().get()};
  const Ref<BackendQueue> of_host;
  Submission(of_host, reads, writes).wait();
  const std::int64_t begin = profiled_now();
  const Products products(*way, x.dtype().id, each, left, right, {shape.begin(), axes_in_front},
                          static_cast<char*>(made.storage()->memory()->host));
  {
    const Unblocked unblocked;
    std::optional<BlasThreads> threads;
    if (products.library()) threads.emplace(*products.library());
    products.run_all();
  }
  Dims loop(shape.begin(), shape.end());
  loop.push_back(each.inner);
  note_host_work("matmul", loop, made.device(), begin);
  return made;
}

}  // namespace isthmus::inline ISTHMUS_ABI
