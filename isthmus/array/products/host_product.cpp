// host_product.cpp: stacks of matrices, a call of BLAS or of a row for each, in place where layouts
// allow.
#include "isthmus/array/products/host_product.h"

#include <algorithm>
#include <chrono>

#include "isthmus/array/arrange/manipulate.h"
#include "isthmus/array/create/create.h"
#include "isthmus/array/place.h"
#include "isthmus/core/internal.h"
#include "isthmus/hazards/hazards.h"
#include "isthmus/host/host_executor.h"
#include "isthmus/runtime/libraries/library.h"
#include "isthmus/runtime/observe/counting.h"
#include "isthmus/runtime/observe/records.h"
#include "isthmus/runtime/settings.h"
#include "isthmus/runtime/submit/submission.h"
#include "isthmus/runtime/unblocked.h"
#include "isthmus/threads/executor.h"
#include "isthmus/threads/interrupts.h"

namespace isthmus::inline ISTHMUS_ABI {

namespace {

/// Multiplications of one product up to which OpenBLAS uses one thread; stacks of such products are
/// divided among ours.
constexpr std::int64_t small_product = 1 << 18, small_vector_product = 9000;
/// Multiplications that are worth a thread's turn.
constexpr std::int64_t work_of_chunk = 1 << 17;

/// The last two axes of one operand as BLAS reads them, and the way from one to the next.
struct Stack {
  Array array;  // keeps the memory
  Matrix first;
  Dims strides;  // in bytes, for each axis of the result in front of the last two
};

std::optional<Matrix> first_of(const Array& x) {
  const Layout& layout = x.layout();
  const std::size_t row = layout.shape.size() - 2, column = row + 1;
  return matrix_of(layout.shape[row], layout.shape[column], layout.strides[row],
                   layout.strides[column]);
}

/// Copies to a dense array, once, what BLAS cannot read where it lies.
Stack stack_of(Array x, std::size_t axes_in_front) {
  if (!first_of(x)) {
    Array dense = copy(x);
    if (!first_of(dense)) dense = contiguous(x);
    x = std::move(dense);
  }
  x.eval();
  const Layout& layout = x.layout();
  const std::int64_t bytes = x.dtype().bytes();
  Stack stack{x, *first_of(x), Dims(axes_in_front, 0)};
  stack.first.start = static_cast<const char*>(x.storage()->memory()->host) + layout.offset * bytes;
  const std::size_t own = layout.shape.size() - 2;
  for (std::size_t i = 0; i < own; ++i)
    if (layout.shape[i] > 1) stack.strides[axes_in_front - own + i] = layout.strides[i] * bytes;
  return stack;
}

bool reaches(const Array& x) { return x.storage()->memory()->is_host_accessible(); }

bool is_on_host(const Device& device) {
  if (device.is_host()) return true;
  const Inline policy = inline_policy();
  return policy == Inline::always ||
         (policy == Inline::automatic && device.info().has_unified_memory);
}

/// The matrices of both stacks, one after another.
class Products {
 public:
  /// `blas`: null for small ones.
  Products(const Blas* blas, TypeId type, const ProductShape& shape, const Stack& x, const Stack& y,
           std::span<const std::int64_t> in_front, char* out, std::int64_t bytes)
      : blas_(blas),
        type_(type),
        shape_(shape),
        x_(x),
        y_(y),
        in_front_(in_front),
        out_(out),
        bytes_(shape.rows * shape.columns * bytes) {}

  /// On several threads: the library's, or if each product is small ours. May be interrupted.
  void run_all() const {
    const std::int64_t count = product_of(in_front_);
    const std::int64_t size = product_at_most(shape_.rows * shape_.columns, shape_.inner);
    const bool has_vector = shape_.rows == 1 || shape_.columns == 1;
    const auto run_some = [&](std::int64_t begin, std::int64_t end) { run(begin, end); };
    const Interruptible interruptible(true);  // what is written is new memory
    if (size <= (has_vector ? small_vector_product : small_product))
      return parallel_for(count, std::max(work_of_chunk / size, std::int64_t{1}), run_some);
    using Clock = std::chrono::steady_clock;
    constexpr auto patience = std::chrono::milliseconds(50);  // to listen takes Python's lock
    auto next = Clock::now() + patience;
    for (std::int64_t i = 0; i < count; ++i) {
      if (Clock::now() >= next && is_interrupt_heard()) {
        poll_interrupt();
        next = Clock::now() + patience;
      }
      run(i, i + 1);
    }
  }

 private:
  void run(std::int64_t begin, std::int64_t end) const {
    for (std::int64_t i = begin; i < end; ++i) {
      Matrix x = x_.first, y = y_.first;
      std::int64_t rest = i;
      for (std::size_t axis = in_front_.size(); axis-- > 0; rest /= in_front_[axis]) {
        const std::int64_t index = rest % in_front_[axis];
        x.start = static_cast<const char*>(x.start) + index * x_.strides[axis];
        y.start = static_cast<const char*>(y.start) + index * y_.strides[axis];
      }
      char* const out = out_ + i * bytes_;
      if (blas_)
        blas_->multiply(type_, shape_, x, y, out);
      else
        host::run_small_product(type_, shape_, x, y, out);
    }
  }

  const Blas* blas_;
  TypeId type_;
  const ProductShape& shape_;
  const Stack &x_, &y_;
  std::span<const std::int64_t> in_front_;
  char* out_;
  std::int64_t bytes_;
};

void note_product(const Array& made, const ProductShape& shape, std::int64_t begin) {
  const bool is_inlined = !made.device().is_host();
  if (begin) {
    Dims loop(made.shape().begin(), made.shape().end());
    loop.push_back(shape.inner);
    KernelRecord record;
    record.operations.push_back("matmul");
    record.shape = std::move(loop);
    record.device = made.device();
    record.where = is_inlined ? KernelRecord::Where::inlined : KernelRecord::Where::host;
    record.host = {begin, now_in_nanoseconds()};
    note_alone(std::move(record));
  }
  const std::lock_guard lock(graph_lock());
  count_kernel(1, is_inlined);
}

}  // namespace

std::optional<Array> multiply_on_host(std::string_view who, const Array& x, const Array& y,
                                      const Shape& shape) {
  const ProductShape each{x.shape(-2), x.shape(-1), y.shape(-1)};
  const std::int64_t count = product_of({shape.begin(), shape.end()});
  if (count == 0 || each.inner == 0 || !is_on_host(x.device())) return std::nullopt;
  const bool is_small = host::is_small_product(x.dtype().id, each);
  const Blas* const found = is_small ? nullptr : blas();
  const bool is_taken = is_small || (found && found->takes(x.dtype().id, each));
  if (!is_taken || !reaches(x) || !reaches(y)) return std::nullopt;
  check_same_context(who, *x.storage(), *y.storage());
  const InContextOf meanwhile(x.storage()->memory()->context ? x : y);
  const std::size_t axes_in_front = shape.size() - 2;
  const Stack left = stack_of(x, axes_in_front), right = stack_of(y, axes_in_front);
  Array made = empty(shape, x.dtype(), x.device());
  if (!reaches(left.array) || !reaches(right.array) || !reaches(made)) return std::nullopt;
  BackendMemory* const reads[] = {left.array.storage()->memory().get(),
                                  right.array.storage()->memory().get()};
  BackendMemory* const writes[] = {made.storage()->memory().get()};
  const Ref<BackendQueue> of_host;
  Submission(of_host, reads, writes).wait();
  const std::int64_t begin = is_profiled() ? now_in_nanoseconds() : 0;
  const Products products(found, x.dtype().id, each, left, right, {shape.begin(), axes_in_front},
                          static_cast<char*>(made.storage()->memory()->host), x.dtype().bytes());
  {
    const Unblocked unblocked;
    std::optional<BlasThreads> threads;
    if (found) threads.emplace(*found);
    products.run_all();
  }
  note_product(made, each, begin);
  return made;
}

}  // namespace isthmus::inline ISTHMUS_ABI
