// array.h: Array, the one thing that users hold.
#pragma once

#include <initializer_list>
#include <optional>
#include <span>
#include <vector>

#include "isthmus/array/number.h"
#include "isthmus/graph/node.h"
#include "isthmus/runtime/evaluate.h"

namespace isthmus {

struct IndexItem;
struct Value;

/// An n-d array on one device: a storage, and how it is seen. A value: cheap to copy, never
/// changed itself; views share their storage, so that a write through one is seen by all.
/// `y = x` makes y the same array as x; `x[{1}] = y` writes elements.
class ISTHMUS_EXPORT Array {
 public:
  /// All of a storage.
  explicit Array(Ref<Storage> storage) : storage_(std::move(storage)) {}
  /// A view of it.
  Array(Ref<Storage> storage, Layout layout, bool is_read_only)
      : storage_(std::move(storage)), seen_(std::move(layout)), is_read_only_(is_read_only) {}

  Array(const Array&) = default;
  Array(Array&&) noexcept = default;
  Array& operator=(const Array&) & = default;
  Array& operator=(Array&&) & noexcept = default;
  ~Array() = default;

  DType dtype() const { return storage_->dtype; }
  const Device& device() const { return storage_->device; }
  const Dims& shape() const { return layout().shape; }
  const Layout& layout() const { return seen_ ? *seen_ : storage_->layout; }
  int ndim() const { return layout().ndim(); }
  std::int64_t size() const { return layout().count(); }
  const Ref<Storage>& storage() const { return storage_; }
  bool is_read_only() const { return is_read_only_; }
  bool is_pending() const { return !storage_->is_ready(); }

  /// A view by basic indexing, as in Python: x[{0, slice(1, 3)}], x[-1], x[{ellipsis, newaxis}];
  /// index.h has the words. Throws index for what is outside, value for a step of 0.
  Array operator[](std::initializer_list<IndexItem> items) const;
  Array operator[](const IndexItem& item) const;
  /// Of a view that has no name, x[{0}] = y: changes its elements as assign() does.
  const Array& operator=(const Value& value) &&;

  /// The same storage, seen otherwise.
  Array view(Layout layout, bool is_read_only = false) const {
    return Array(storage_, std::move(layout), is_read_only_ || is_read_only);
  }

  /// Starts the calculation of a pending value; returns itself. Waits only where the device is
  /// the host. Throws the error of a value that failed.
  const Array& eval() const {
    if (is_pending()) evaluate(storage_);
    return *this;
  }

 private:
  Ref<Storage> storage_;
  std::optional<Layout> seen_;  // none: all of the storage, as it is
  bool is_read_only_ = false;
};

/// An operand: an array, or a number. A weak number (a literal) takes the arrays' dtype as far as
/// its kind allows, as in NumPy 2; a strong one has its own.
struct Value {
  const Array* array = nullptr;
  Scalar scalar;
  bool is_weak = true;
  bool is_past_64_bits = false;  ///< A weak integer that `scalar` has as a double, perhaps rounded.

  Value(const Array& array) : array(&array) {}  // NOLINT: an array is an operand
  template <Number T>
  Value(T value) : scalar(to_scalar(value)) {}  // NOLINT: and so is a number
  Value(Scalar scalar, bool is_weak = false) : scalar(scalar), is_weak(is_weak) {}  // NOLINT
  /// An integer of any size; infinite past the doubles too.
  static Value past_64_bits(double integer) {
    Value value(integer);
    value.is_past_64_bits = true;
    return value;
  }
};

/// The dtype that all operands have in common; at least one of them must be an array or strong.
ISTHMUS_EXPORT DType result_type(std::string_view who, std::span<const Value> values);

/// The pending result of a row of ops.def; operands broadcast. Runs at once where it reads memory
/// that others may change, where operations are eager, or where the graph is full. Throws
/// promotion, type, value (shapes) and device_mismatch.
ISTHMUS_EXPORT Array apply(Op op, std::span<const Value> operands);
inline Array apply(Op op, std::initializer_list<Value> operands) {
  return apply(op, std::span(operands.begin(), operands.size()));
}

/// The pending result of a row of reductions.def over `axes` (all of them if not given), summed
/// up in `dtype` if given. Throws index or value for bad axes, value for an empty max or min.
ISTHMUS_EXPORT Array reduce(Reduction reduction, const Array& x,
                            std::optional<std::span<const std::int64_t>> axes, bool keepdims,
                            std::optional<DType> dtype = {});
/// The pending mean over `axes` (all of them if not given), in the dtype of x or, for integers,
/// the default real one. Throws index or value for bad axes.
ISTHMUS_EXPORT Array mean(const Array& x, std::optional<std::span<const std::int64_t>> axes = {},
                          bool keepdims = false);
inline Array mean(const Array& x, std::initializer_list<std::int64_t> axes, bool keepdims = false) {
  return mean(x, std::span(axes.begin(), axes.size()), keepdims);
}

/// Changes the elements of `target` to `value`, broadcast and cast. Evaluates what is pending and
/// would read them; enqueues the write at once. Throws value for read-only memory.
ISTHMUS_EXPORT void assign(const Array& target, const Value& value);
/// target = op(target, value), in place as assign() does it, in one kernel; what overlaps gives
/// what NumPy gives. Throws type if the result is of a greater family than the target (a real for
/// integers), value if it has another shape or the target is read-only. Returns the target.
ISTHMUS_EXPORT const Array& apply_in_place(Op op, const Array& target, const Value& value);

/// target = result, as an operation's own output: not cast to a lesser family, and not broadcast.
/// Throws type and value as apply_in_place() does, device_mismatch. Returns the target.
ISTHMUS_EXPORT const Array& write_result(std::string_view who, const Array& target,
                                         const Array& result);

/// x as another dtype: x itself if it has that one and `copy` is false, else a pending value.
ISTHMUS_EXPORT Array astype(const Array& x, DType dtype, bool copy = true);
/// A pending copy with a dense layout ordered as x's.
ISTHMUS_EXPORT Array copy(const Array& x);
/// A pending copy in row-major order, or x itself if it has that already.
ISTHMUS_EXPORT Array contiguous(const Array& x);

/// x on another device; x itself if it is there. Copies, waits for the source, and is counted.
ISTHMUS_EXPORT Array to_device(const Array& x, const Device& device);
/// x where the host can look, in any layout, with nothing pending on it: itself if it is already.
ISTHMUS_EXPORT Array to_host(const Array& x);
/// The one element. Waits. Throws value if there are more or none.
ISTHMUS_EXPORT Scalar item(const Array& x);
/// The same as a C++ number: item<float>(x). Throws what number_as() does, too.
template <Number T>
T item(const Array& x) {
  return number_as<T>("item", item(x));
}

/// Whether the device can calculate in this dtype; and the real dtype of new arrays there.
ISTHMUS_EXPORT bool has_dtype(const Device& device, DType dtype);
ISTHMUS_EXPORT DType default_real(const Device& device);

/// Rounded to so many places after the point, or before it where `decimals` is negative, halves to
/// even, calculated as NumPy does; what that would take past the dtype's range has no such places
/// and stays. Integers stay what they are unless it is negative.
ISTHMUS_EXPORT Array round_to(const Array& x, int decimals);

namespace detail {
/// Runs what must not stay pending; see apply().
Array settle(Ref<Storage> storage, const PendingFacts& facts);
/// Makes an operand show `array` through `shape`.
void show(Operand& operand, std::string_view who, const Array& array, const Dims& shape);
}  // namespace detail

}  // namespace isthmus
