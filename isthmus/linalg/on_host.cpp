// on_host.cpp: what all calls of LAPACK have in common.
#include "isthmus/linalg/on_host.h"

#include <algorithm>
#include <limits>

#include "isthmus/array/arrange/manipulate.h"
#include "isthmus/array/create/create.h"
#include "isthmus/array/reduce/reduced.h"
#include "isthmus/core/axis_count.h"
#include "isthmus/runtime/observe/records.h"
#include "isthmus/runtime/settings.h"
#include "isthmus/runtime/submit/run_here.h"
#include "isthmus/runtime/submit/submission.h"
#include "isthmus/runtime/unblocked.h"
#include "isthmus/threads/interrupts.h"

namespace isthmus::inline ISTHMUS_ABI::linalg {

namespace {

/// Operations of one matrix up to which the library uses one thread: waking another one takes it
/// longer, much longer where processors are busy. Stacks of such matrices are divided among ours.
constexpr std::int64_t small = std::int64_t{1} << 24;
/// The same, if there are enough matrices for our threads.
constexpr std::int64_t medium = std::int64_t{1} << 27;
/// Operations that are worth a thread's turn, and those that a call of LAPACK costs by itself.
constexpr std::int64_t work_of_chunk = 1 << 17, work_of_call = 1 << 9;

const Blas& blas_with_lapack(std::string_view who) {
  const Blas* const found = blas();
  if (found && found->lapack()) return *found;
  const std::string what = found                         ? found->name() + " does not have"
                           : blas_setting() == "builtin" ? "the setting 'builtin' leaves out"
                                                         : "was not found";
  fail(Errc::unsupported,
       "{}: needs LAPACK, which {}; install the package scipy-openblas64, and set ISTHMUS_BLAS to "
       "auto or to the path of a library that has it",
       who, what);
}

}  // namespace

DType lapack_dtype(std::string_view who, DType dtype, const Device& device) {
  if (dtype.family == Family::boolean || dtype.family == Family::integer ||
      dtype.family == Family::natural)
    return default_real(device);
  check(dtype.is_builtin() && (dtype.family == Family::complex || dtype.bits >= 32), Errc::type,
        "{}: does not accept {}; use astype(float32)", who, dtype);
  return dtype;
}

void check_matrix(std::string_view who, const Array& x) {
  check(x.ndim() >= 2, Errc::value, "{}: an array of {}; matrices have at least 2", who,
        isthmus::detail::AxisCount(x.ndim()));
}

Array matrices_of(std::string_view who, const Array& x) {
  check_has_numbers(who, x);
  check_matrix(who, x);
  return astype(x, lapack_dtype(who, x.dtype(), x.device()), false);
}

Array square_of(std::string_view who, const Array& x) {
  Array matrices = matrices_of(who, x);
  check(x.shape(-1) == x.shape(-2), Errc::value,
        "{}: shape {}: the last two axes must be equal, for square matrices", who, x.shape());
  return matrices;
}

Shape in_front_of(const Array& x, int own) {
  return Shape(Dims(x.shape().begin(), x.shape().end() - own));
}

Shape with_axes(Shape shape, std::initializer_list<std::int64_t> more) {
  for (const std::int64_t length : more) shape.push_back(length);
  return shape;
}

Array empty_for(std::string_view who, const Shape& shape, DType dtype, const Device& device) {
  isthmus::detail::checked_bytes(who, shape, dtype.bytes());
  return empty(shape, dtype, device);
}

Array empty_or_identities(std::string_view who, const Shape& shape, DType dtype,
                          const Device& device) {
  Array made = empty_for(who, shape, dtype, device);
  if (made.size() == 0) return made;
  return copy(broadcast_to(eye(made.shape(-1), {}, 0, dtype, device), shape));
}

Stack::Stack(const Array& x, const Shape& front, int own)
    : rows(x.shape(-own)),
      columns(own == 2 ? x.shape(-1) : 1),
      row_stride(x.layout().strides[static_cast<std::size_t>(x.ndim() - own)]),
      column_stride(own == 2 ? x.layout().strides.back() : 0),
      front_(front.begin(), front.end()),
      strides_(front.size(), 0) {
  const Layout& layout = x.layout();
  const std::int64_t bytes = x.dtype().bytes();
  start_ = static_cast<char*>(x.storage()->memory()->host) + layout.offset * bytes;
  const std::size_t in_front = layout.shape.size() - static_cast<std::size_t>(own);
  for (std::size_t i = 0; i < in_front; ++i)
    if (layout.shape[i] > 1) strides_[front_.size() - in_front + i] = layout.strides[i] * bytes;
}

char* Stack::place(std::int64_t i) const {
  char* found = start_;
  for (std::size_t axis = front_.size(); axis-- > 0; i /= front_[axis])
    found += i % front_[axis] * strides_[axis];
  return found;
}

void make_reachable(std::string_view who, const Array& x) {
  x.eval();
  check(x.storage()->memory()->is_host_accessible(), Errc::unsupported,
        "{}: the host cannot access the memory of {}, where no LAPACK works; "
        "to_device(\"cpu\") copies it",
        who, x.device());
}

HostWork::HostWork(std::string_view who) : who_(who), blas_(blas_with_lapack(who)) {}

void HostWork::check_extents(std::initializer_list<std::int64_t> extents) const {
  if (lapack().has_wide_integers()) return;
  constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max();
  for (const std::int64_t extent : extents)
    check(extent <= most, Errc::unsupported,
          "{}: a matrix that needs numbers up to {}; {} has integers of 32 bits; the package "
          "scipy-openblas64 has 64",
          who_, extent, blas_.name());
}

void HostWork::run_chunks(std::span<const Array> reads, std::span<const Array> writes,
                          std::int64_t count, std::int64_t operations, ChunkFunction some) const {
  std::vector<BackendMemory*> read, written;
  const auto add = [](std::vector<BackendMemory*>& list, const Array& x) {
    BackendMemory* const memory = x.storage()->memory().get();
    if (std::ranges::find(list, memory) == list.end()) list.push_back(memory);
  };
  for (const Array& x : reads) add(read, x);
  for (const Array& x : writes) add(written, x);
  const Ref<BackendQueue> of_host;
  Submission(of_host, read, written).wait();
  const std::int64_t begin = profiled_now();
  const int threads = thread_count();
  const std::int64_t each = operations + work_of_call;
  const bool is_small = each <= small;
  const bool is_divided =
      count > 1 && (is_small || (each <= medium && count >= 2 * std::int64_t{threads}));
  {
    const Unblocked unblocked;
    const Interruptible interruptible(true);  // what is written is new memory
    const BlasThreads of_library(blas_, is_divided || is_small ? 1 : threads);
    if (is_divided) {
      parallel_for(count, std::max(work_of_chunk / each, std::int64_t{1}), some);
    } else {
      for (std::int64_t i = 0; i < count; ++i) {
        some(i, i + 1);
        listen();
      }
    }
  }
  const Array& made = writes.front();
  note_host_work(who_, Dims(made.shape().begin(), made.shape().end()), made.device(), begin);
}

std::optional<Failure> HostWork::finish(const Result& result) const {
  check(result.has_memory, Errc::out_of_memory, "{}: the host has no memory left to work in", who_);
  return result.first;
}

std::string which(std::int64_t i, const Shape& front) {
  if (front.empty()) return "the matrix";
  Dims index(front.size(), 0);
  for (std::size_t axis = front.size(); axis-- > 0; i /= front[axis]) index[axis] = i % front[axis];
  std::string text;
  for (const std::int64_t one : index) text += format("{}{}", text.empty() ? "" : ", ", one);
  return format("matrix ({}) of the stack", text);
}

void fail_with(std::string_view who, const Failure& failure, const Shape& front,
               std::string_view what) {
  fail(Errc::linalg, "{}: {} {}", who, which(failure.matrix, front),
       failure.info == not_finite ? "has NaN or infinity" : what);
}

}  // namespace isthmus::inline ISTHMUS_ABI::linalg
