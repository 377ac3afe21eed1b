// array_class.h: the class Array.
#pragma once

#include <initializer_list>
#include <memory>
#include <optional>
#include <ranges>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "isthmus/array/create/nested.h"
#include "isthmus/array/not_of_arrays.h"
#include "isthmus/array/number.h"
#include "isthmus/array/ranges.h"
#include "isthmus/array/shape.h"
#include "isthmus/graph/storage.h"

namespace isthmus::inline ISTHMUS_ABI {

class Array;
struct Value;
struct IndexItem;
struct IndexEntry;
class IndexedArray;
struct SortOptions;
enum class Outside : std::uint8_t;
enum class Side : std::uint8_t;

/// The only element. Waits. Throws ValueError unless the array has exactly one element.
ISTHMUS_EXPORT Scalar item(const Array& x);

namespace detail {
[[noreturn]] ISTHMUS_EXPORT void refuse_empty();
ISTHMUS_EXPORT void begin_evaluation(const Ref<Storage>& storage);
/// An array of these elements, on the default device if `device` is null.
ISTHMUS_EXPORT Array array_of(const Nested& elements, std::optional<DType> dtype,
                              const Device* device);
/// An array of one axis over elements that `owner` keeps alive; nobody else accesses them.
ISTHMUS_EXPORT Array adopted(std::shared_ptr<void> owner, const void* elements, std::size_t count,
                             DType dtype);
/// The same on the default device.
ISTHMUS_EXPORT Array adopted_there(std::shared_ptr<void> owner, const void* elements,
                                   std::size_t count, DType dtype);
/// Copies the elements in row-major order, converted to a dtype that holds them; see to_vector.
ISTHMUS_EXPORT void copy_elements(const Array& x, DType as, void* to);
}  // namespace detail

/// An n-d array on one device: a layout over a storage. It is a value: cheap to copy, never changed
/// itself. Views share their storage, so a write through one view is visible in all of them.
/// `y = x` makes y the same array as x; `x[{1}] = y` writes elements.
///
/// A default-constructed or moved-from array is empty: it supports assignment, destruction and
/// has_value(); everything else throws ValueError.
class ISTHMUS_EXPORT Array : public NotOfArrays {
 public:
  /// Empty.
  Array() = default;
  /// An array of numbers in nested braces of any depth, Array({{1., 2.}, {3., 4.}}), on the default
  /// device unless you name one. The dtype is the common dtype of the numbers: int64 for ints, the
  /// default real dtype for doubles, their own for others. An int or a long takes the dtype of
  /// numbers of other types, and a float next to a double becomes a double. Throws ValueError if
  /// lists differ in length, and the usual errors for a number that does not fit the dtype.
  Array(std::initializer_list<Nested> elements, std::optional<DType> dtype = {});
  /// The same on a device, with the default real dtype of that device.
  Array(std::initializer_list<Nested> elements, std::optional<DType> dtype, const Device& device);
  /// The same on a device, or on a device given by name.
  template <class T>
    requires(TextLike<T> || std::same_as<T, Device>)
  Array(std::initializer_list<Nested> elements, const T& device)
      : Array(elements, std::nullopt, Device(device)) {}
  /// An array without axes on the default device; the dtype is as for a list.
  template <Number T>
  explicit Array(T number) : Array(detail::array_of(Nested(number), {}, nullptr)) {}
  /// Takes over the elements of a vector in place: on `cpu`, whatever the default device is, and
  /// without a copy. A vector<bool>, whose elements have no addresses, is copied to the default
  /// device.
  template <Element T, class Allocator>
  explicit Array(std::vector<T, Allocator>&& elements) {
    auto owner = std::make_shared<std::vector<T, Allocator>>(std::move(elements));
    if constexpr (std::is_same_v<T, bool>)
      *this = Array(std::as_const(*owner));
    else
      *this = detail::adopted(owner, owner->data(), owner->size(), dtype_of_type<T>());
  }
  /// A copy of the elements of a vector, an array, a span, on the default device; from_span shares.
  template <detail::NamedElementRange R>
  explicit Array(const R& elements) {
    using T = std::ranges::range_value_t<R>;
    const auto owner =
        std::make_shared<std::vector<T>>(std::ranges::begin(elements), std::ranges::end(elements));
    *this = detail::adopted_there(owner, owner->data(), owner->size(), dtype_of_type<T>());
  }
  /// Does not compile, in Array x = range and x + range: say whether to copy or to take over.
  template <detail::AnyElementRange R>
  Array(const R&) = delete;  // write Array(range), a copy, or Array(std::move(vector))
  /// Does not compile: copy a list, a deque or a view to a vector first.
  template <detail::LooseRange R>
  explicit Array(const R&) {
    static_assert(detail::never<R>,
                  "an array is made of elements that are contiguous in memory: copy the range to a "
                  "vector first, Array(std::vector<T>(range.begin(), range.end()))");
  }
  /// @{
  /// Does not compile: rows must have the same length and be contiguous; a char is not a number.
  template <detail::RangeOfRanges R>
  explicit Array(const R&) {
    static_assert(detail::never<R>,
                  "an array is made of numbers that are contiguous in memory: copy the rows to one "
                  "vector first, Array(std::move(vector)).reshape({rows, columns})");
  }
  template <detail::CharacterRange R>
  explicit Array(const R&) {
    static_assert(detail::never<R>,
                  "characters are not numbers: write std::vector<std::int8_t> or "
                  "std::vector<std::uint8_t>");
  }
  template <detail::RangeOfArrays R>
  explicit Array(const R&) {
    static_assert(detail::never<R>,
                  "join arrays by stack(arrays), along a new axis, or concat(arrays)");
  }
  /// @}
  /// @{
  /// Does not compile: the elements determine the dtype; use from_memory() for structs.
  template <detail::ElementRange R, class T, class... Rest>
    requires(std::convertible_to<const T&, DType> || std::convertible_to<const T&, Device>)
  Array(const R&, const T&, const Rest&...) {
    static_assert(detail::never<R>,
                  "the range determines the dtype, and the array is on the default device: "
                  "write Array(range).astype(dtype), and .to_device(device)");
  }
  template <detail::RangeOfOthers R>
  explicit Array(const R&) {
    static_assert(detail::never<R>,
                  "no dtype has elements of this type: describe structs by a struct_dtype(), "
                  "and share their memory by from_memory()");
  }
  /// @}
  /// A copy of the elements of a vector<bool>, on the default device.
  template <std::same_as<bool> T, class Allocator>
  explicit Array(const std::vector<T, Allocator>& elements) {
    const auto owner = std::make_shared<std::vector<char>>(elements.begin(), elements.end());
    *this = detail::adopted_there(owner, owner->data(), owner->size(), TypeId::bool_);
  }

  /// The whole of a storage; for internal use by the library.
  explicit Array(detail::Ref<detail::Storage> storage, bool is_read_only = false)
      : storage_(std::move(storage)), is_read_only_(is_read_only) {}
  /// An unchecked view of a storage; for internal use by the library.
  Array(detail::Ref<detail::Storage> storage, Layout layout, bool is_read_only)
      : storage_(std::move(storage)), seen_(std::move(layout)), is_read_only_(is_read_only) {}

  Array(const Array&) = default;                   ///< Shares the storage and the layout.
  Array(Array&&) noexcept = default;               ///< Leaves the other one empty.
  Array& operator=(const Array&) & = default;      ///< Makes it the other array; writes nothing.
  Array& operator=(Array&&) & noexcept = default;  ///< The same; leaves the other one empty.
  ~Array() = default;

  /// False only if default-constructed or moved from. An array without elements has a value.
  bool has_value() const { return static_cast<bool>(storage_); }

  DType dtype() const { return held().dtype; }     ///< Of the elements.
  Device device() const { return held().device; }  ///< Where the elements are, or will be.
  /// @{
  /// The lengths of the axes. For a temporary array this is a value, which does not convert to
  /// std::span.
  const Dims& shape() const& { return layout().shape; }
  ShapeOf shape() const&& { return ShapeOf(std::as_const(*this).layout().shape); }
  /// @}
  /// The length of one axis; negative axes count from the last. Throws IndexError.
  std::int64_t shape(AnyInteger axis) const {
    return shape()[static_cast<std::size_t>(detail::checked_axis("shape", axis, ndim()))];
  }
  /// @{
  /// Where the elements are in the storage: shape, strides and offset, in elements. For a temporary
  /// array this is a value, whose parts do not convert to std::span.
  const Layout& layout() const& {
    const detail::Storage& all = held();
    return seen_ ? *seen_ : all.layout;
  }
  LayoutOf layout() const&& { return LayoutOf(std::as_const(*this).layout()); }
  /// @}
  int ndim() const { return layout().ndim(); }                 ///< The number of axes.
  std::int64_t size() const { return layout().count(); }       ///< The number of elements.
  std::int64_t itemsize() const { return dtype().bytes(); }    ///< Bytes of one element.
  std::int64_t nbytes() const { return size() * itemsize(); }  ///< Bytes of all elements.
  /// @{
  /// The storage, which other arrays may share.
  const detail::Ref<detail::Storage>& storage() const& {
    held();
    return storage_;
  }
  detail::Ref<detail::Storage> storage() && {
    held();
    return std::move(storage_);
  }
  /// @}
  /// Whether writes through it are refused.
  bool is_read_only() const {
    held();
    return is_read_only_;
  }
  /// Whether its value has not been calculated yet.
  bool is_pending() const { return !held().is_ready(); }

  /// @{
  /// A view by basic indexing, as in Python: x[{0, slice(1, 3)}], x[-1], x[{ellipsis, newaxis}];
  /// see index.h. Throws IndexError for an index out of range, ValueError for a step of 0.
  Array operator[](std::initializer_list<IndexItem> items) const;
  Array operator[](const IndexItem& item) const;
  /// @}
  /// @{
  /// Indexing by arrays of integers and masks, as in Python: x[mask], x[{slice(1), indices}]. The
  /// result can be assigned to. New memory, pending; waits for the arrays. See index() and
  /// IndexedArray.
  template <std::same_as<IndexEntry> E = IndexEntry>
  IndexedArray operator[](std::initializer_list<std::type_identity_t<E>> entries) const;
  template <std::derived_from<Array> A>
  IndexedArray operator[](const A& indices) const;
  /// @}
  /// Does not compile: a range could be indices of one axis, or one of each axis.
  template <std::ranges::input_range R>
    requires(!std::derived_from<R, Array> && !std::convertible_to<const R&, std::string_view>)
  Array operator[](const R&) const {
    static_assert(
        detail::never<R>,
        "a range is not an index: write x[Array(range)] for these elements of the first axis, "
        "index(x, std::span<const IndexItem>(items)) for an index of each axis");
    return *this;
  }
  /// For a temporary view, x[{0}] = y: changes its elements as assign() does.
  /// @{
  Array operator=(const Value& value) &&;
  Array operator=(Value&& value) &&;
  /// @}
  /// The same with a list of elements, x[0] = {1, 2, 3}, as Array({1, 2, 3}) makes them.
  Array operator=(std::initializer_list<Nested> elements) &&;
  /// For anything else: does not compile.
  template <detail::NoElements T>
  Array& operator=(const T&) && {
    static_assert(detail::never<T>,
                  "elements are set to an array, a number or a list of numbers: for a vector or a "
                  "span, make an array first, x[0] = Array(range)");
    return *this;
  }
  /// For an array with a name: does not compile, because `x = y` makes x another array.
  template <class T>
    requires(!std::derived_from<T, Array>)
  Array& operator=(const T&) & {
    static_assert(detail::never<T>,
                  "x = value would write nothing: to change the elements of x write x[ellipsis] = "
                  "value or assign(x, value), to make x another array x = Array(value)");
    return *this;
  }
  /// @{
  /// For a list, x = {9, 9}: likewise.
  template <class T>
  Array& operator=(std::initializer_list<T> elements) & {
    return *this = elements.size();
  }
  template <class T>
  Array& operator=(std::initializer_list<std::initializer_list<T>> elements) & {
    return *this = elements.size();
  }
  template <std::same_as<Nested> N = Nested>
  Array& operator=(std::initializer_list<std::type_identity_t<N>> elements) & {
    return *this = elements.size();
  }
  /// @}
  /// For an empty list, x = {}: makes x empty.
  Array& operator=(std::initializer_list<detail::Nothing>) & { return *this = Array(); }
  /// @{
  /// Starts the calculation of a pending value; returns the array. Waits only where the host
  /// calculates it: not for a device that copies to an array of the host. Throws the error of a
  /// value that failed.
  const Array& eval() const& {
    if (is_pending()) detail::begin_evaluation(storage_);
    return *this;
  }
  Array eval() && {
    std::as_const(*this).eval();
    return std::move(*this);
  }
  /// @}

  /// The only element as a C++ number, x.item<float>(). Waits. Throws TypeError or OverflowError if
  /// T cannot hold it, ValueError unless there is exactly one element.
  template <Element T>
  T item() const {
    return number_as<T>("item", isthmus::item(*this));
  }
  /// The only element, with its dtype. Waits. Throws ValueError unless the array has exactly one
  /// element.
  Scalar item() const { return isthmus::item(*this); }
  /// All elements in row-major order, each as item() returns it. Waits.
  template <Element T>
  std::vector<T> to_vector() const {
    std::vector<std::conditional_t<std::is_same_v<T, bool>, std::uint8_t, T>> elements(
        static_cast<std::size_t>(size()));
    detail::copy_elements(*this, dtype_of_type<T>(), elements.data());
    if constexpr (std::is_same_v<T, bool>)
      return {elements.begin(), elements.end()};
    else
      return elements;
  }
  /// Does not compile: elements have a type.
  template <std::same_as<void> T = void>
  void to_vector() const {
    static_assert(detail::never<T>, "elements have a type: write x.to_vector<float>()");
  }

  Array to_device(const Device& device) const;  ///< See to_device(const Array&, const Device&).
  /// A pending copy in row-major order; isthmus::copy(x) keeps the axis order of x. NumPy 2: the
  /// same.
  Array copy() const;
  /// Writes one value to all elements; see assign().
  void fill(const Value& value) const;

  /// See reshape(const Array&, const Shape&, std::optional<Flag>).
  Array reshape(const Shape& shape, std::optional<Flag> copy = {}) const;
  /// Does not compile: a shape must be a list.
  template <class... I>
    requires detail::LooseIntegers<I...>
  Array reshape(I...) const {
    static_assert(detail::never<I...>, "a shape needs braces: x.reshape({2, 3})");
    return *this;
  }
  Array ravel() const;                      ///< See ravel(const Array&).
  Array flatten() const;                    ///< See flatten(const Array&).
  Array transpose() const;                  ///< See transpose(const Array&).
  Array transpose(const Axes& axes) const;  ///< permute_dims().
  Array T() const;   ///< The transpose of a matrix; throws ValueError for others.
  Array mT() const;  ///< matrix_transpose(): the last two axes exchanged.
  /// A view with two axes exchanged; see swapaxes(const Array&, AnyInteger, AnyInteger).
  Array swapaxes(AnyInteger first, AnyInteger second) const;
  /// A view without axes of length 1; see squeeze(const Array&, const AxisSet&).
  Array squeeze(const AxisSet& axes = all_axes) const;
  Array real() const;  ///< A view: real_view().
  Array imag() const;  ///< A view: imag_view().
  /// @{
  /// The same memory as elements of another dtype, as in NumPy: a view. Elements of another size
  /// need a contiguous last axis, which gets longer or shorter. Evaluates a pending value if the
  /// dtype is another. Throws ValueError if sizes do not fit, or if the new elements would not
  /// begin at multiples of their size.
  Array view(DType dtype) const;
  template <Element T>
  Array view() const {
    return view(dtype_of_type<T>());
  }
  /// @}
  /// Does not compile: a dtype is not a string.
  template <std::convertible_to<std::string_view> T>
  Array view(const T&) const {
    static_assert(detail::never<T>,
                  "a dtype is not a string: write x.view<float>() or x.view(TypeId::float32)");
    return *this;
  }
  /// See take(const Array&, const Array&, OptionalInteger, Outside).
  Array take(const Array& indices, OptionalInteger axis = {}, Outside outside = Outside()) const;
  /// See put(const Array&, const Array&, const Value&, Outside).
  void put(const Array& indices, const Value& values, Outside outside = Outside()) const;
  std::vector<Array> nonzero() const;  ///< See nonzero(const Array&).
  /// See searchsorted(const Array&, const Value&, Side, const std::optional<Array>&).
  Array searchsorted(const Value& values, Side side = Side(),
                     const std::optional<Array>& sorter = {}) const;
  /// A view; see diagonal(const Array&, AnyInteger, AnyInteger, AnyInteger).
  Array diagonal(AnyInteger offset = 0, AnyInteger axis1 = 0, AnyInteger axis2 = 1) const;
  /// See repeat(const Array&, AnyInteger, OptionalInteger).
  Array repeat(AnyInteger repeats, OptionalInteger axis = {}) const;
  /// See repeat(const Array&, const Array&, OptionalInteger).
  Array repeat(const Array& repeats, OptionalInteger axis = {}) const;
  /// Sorts the elements along an axis in place; sort(x) returns a new array.
  void sort(AnyInteger axis = -1) const;
  void sort(AnyInteger axis, const SortOptions& options) const;  ///< The same.
  /// Partitions the elements along an axis in place; partition(x, kth) returns a new array.
  void partition(const Axes& kth, AnyInteger axis = -1) const;
  /// See argpartition(const Array&, const Axes&, AnyInteger).
  Array argpartition(const Axes& kth, AnyInteger axis = -1) const;

  /// @name Calculations
  /// @{

  /// Same as the function of this name; round() rounds halves to even, see round_to(Array,
  /// AnyInteger). A temporary array is released by the call, too.
  Array astype(DType dtype, Flag copy = true) const&;
  Array astype(DType dtype, Flag copy = true) &&;
  /// Does not compile: a dtype is not a string.
  template <std::convertible_to<std::string_view> T>
  Array astype(const T&, Flag = true) const {
    static_assert(detail::never<T>,
                  "a dtype is not a string: write x.astype<float>() or x.astype(TypeId::float32)");
    return *this;
  }
  template <Element T>
  Array astype(Flag copy = true) const& {
    return astype(dtype_of_type<T>(), copy);
  }
  template <Element T>
  Array astype(Flag copy = true) && {
    return std::move(*this).astype(dtype_of_type<T>(), copy);
  }
  Array sum(const AxisSet& axes = all_axes, Flag keepdims = false,
            std::optional<DType> dtype = {}) const&;
  Array sum(const AxisSet& axes = all_axes, Flag keepdims = false,
            std::optional<DType> dtype = {}) &&;
  Array prod(const AxisSet& axes = all_axes, Flag keepdims = false,
             std::optional<DType> dtype = {}) const&;
  Array prod(const AxisSet& axes = all_axes, Flag keepdims = false,
             std::optional<DType> dtype = {}) &&;
  Array mean(const AxisSet& axes = all_axes, Flag keepdims = false,
             std::optional<DType> dtype = {}) const&;
  Array mean(const AxisSet& axes = all_axes, Flag keepdims = false,
             std::optional<DType> dtype = {}) &&;
  Array var(const AxisSet& axes = all_axes, Flag keepdims = false, double correction = 0,
            std::optional<DType> dtype = {}) const&;
  Array var(const AxisSet& axes = all_axes, Flag keepdims = false, double correction = 0,
            std::optional<DType> dtype = {}) &&;
  Array std(const AxisSet& axes = all_axes, Flag keepdims = false, double correction = 0,
            std::optional<DType> dtype = {}) const&;
  Array std(const AxisSet& axes = all_axes, Flag keepdims = false, double correction = 0,
            std::optional<DType> dtype = {}) &&;
  Array max(const AxisSet& axes = all_axes, Flag keepdims = false) const&;
  Array max(const AxisSet& axes = all_axes, Flag keepdims = false) &&;
  Array min(const AxisSet& axes = all_axes, Flag keepdims = false) const&;
  Array min(const AxisSet& axes = all_axes, Flag keepdims = false) &&;
  Array argmax(OptionalInteger axis = {}, Flag keepdims = false) const&;
  Array argmax(OptionalInteger axis = {}, Flag keepdims = false) &&;
  Array argmin(OptionalInteger axis = {}, Flag keepdims = false) const&;
  Array argmin(OptionalInteger axis = {}, Flag keepdims = false) &&;
  Array any(const AxisSet& axes = all_axes, Flag keepdims = false) const&;
  Array any(const AxisSet& axes = all_axes, Flag keepdims = false) &&;
  Array all(const AxisSet& axes = all_axes, Flag keepdims = false) const&;
  Array all(const AxisSet& axes = all_axes, Flag keepdims = false) &&;
  Array clip(const std::optional<Value>& low, const std::optional<Value>& high) const&;
  Array clip(const std::optional<Value>& low, const std::optional<Value>& high) &&;
  Array argsort(OptionalInteger axis = -1) const&;
  Array argsort(OptionalInteger axis = -1) &&;
  Array argsort(OptionalInteger axis, const SortOptions& options) const;  ///< Likewise.
  Array round(AnyInteger decimals = 0) const&;
  Array round(AnyInteger decimals = 0) &&;
  Array conj() const&;
  Array conj() &&;
  /// @}
  /// @{
  /// As cumulative_sum() and cumulative_prod(); without an axis, over all elements in row-major
  /// order.
  Array cumsum(OptionalInteger axis = {}, std::optional<DType> dtype = {}) const;
  Array cumprod(OptionalInteger axis = {}, std::optional<DType> dtype = {}) const;
  /// @}
  /// See trace(const Array&, AnyInteger, AnyInteger, AnyInteger, std::optional<DType>).
  Array trace(AnyInteger offset = 0, AnyInteger axis1 = 0, AnyInteger axis2 = 1,
              std::optional<DType> dtype = {}) const;
  Array dot(const Array& y) const;  ///< NumPy's product; see dot(const Array&, const Array&).
  /// The product with a number, which takes the dtype of the array as a weak number; see dot(const
  /// Array&, T).
  template <Number Given>
  Array dot(Given number) const;
  /// The sum of conj(x) * y over all elements; see vdot(const Array&, const Array&).
  Array vdot(const Array& y) const;

 private:
  const detail::Storage& held() const {
    if (!storage_) [[unlikely]]
      detail::refuse_empty();
    return *storage_;
  }

  detail::Ref<detail::Storage> storage_;
  std::optional<Layout> seen_;  // none: all of the storage, as it is
  bool is_read_only_ = false;
};

}  // namespace isthmus::inline ISTHMUS_ABI
