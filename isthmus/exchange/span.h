// span.h: std::span to an array and back, without a copy.
#pragma once

#include <memory>
#include <ranges>
#include <span>
#include <type_traits>

#include "isthmus/array/array.h"
#include "isthmus/array/lent_iterator.h"

namespace isthmus::inline ISTHMUS_ABI {

namespace detail {
/// An array that shares elements of the caller.
ISTHMUS_EXPORT Array shared_elements(std::shared_ptr<void> owner, const void* elements,
                                     std::size_t count, const Shape& shape, DType dtype,
                                     bool is_read_only);
/// See SpanOf.
ISTHMUS_EXPORT void begin_loan(const Array& array, DType dtype, bool is_read_only);
ISTHMUS_EXPORT void end_loan(const Array& array) noexcept;
/// host_address() of an array that is complete.
ISTHMUS_EXPORT void* address_of(const Array& array);
}  // namespace detail

/// Whether the host can access the memory of the array. Evaluates nothing.
ISTHMUS_EXPORT bool is_host_reachable(const Array& array);

/// Address of the first element; null if there is none. Evaluates the array, and waits if its
/// device is the host; unlike SpanOf, it does not wait for work of other devices on their own
/// memory. Throws ExchangeError if the host cannot access the memory.
ISTHMUS_EXPORT void* host_address(const Array& array);
/// Does not compile: the memory of a temporary is gone after the call.
template <std::same_as<Array> A>
void* host_address(A&&) {
  static_assert(detail::never<A>,
                "the memory of a temporary array is gone after the call: give the array a name");
  return nullptr;
}

/// An array of one axis, or of `shape` in row-major order, over a contiguous range: a std::vector,
/// std::array, std::span, C array. No copy: the memory is shared with the caller, who keeps it
/// alive or passes an owner that the array keeps. An array over const elements is read-only. Throws
/// ValueError if the shape has another number of elements.
template <std::ranges::contiguous_range R, class Owner = void>
  requires std::ranges::borrowed_range<R>  // a temporary vector would be gone
Array from_span(R&& range, const Shape& shape, std::shared_ptr<Owner> owner = nullptr) {
  using T = std::remove_reference_t<std::ranges::range_reference_t<R>>;
  return detail::shared_elements(std::move(owner), std::ranges::data(range),
                                 std::ranges::size(range), shape,
                                 dtype_of_type<std::remove_const_t<T>>(), std::is_const_v<T>);
}
/// Does not compile: nothing would be left of a temporary.
template <std::ranges::contiguous_range R, class... Rest>
  requires(!std::ranges::borrowed_range<R>)
Array from_span(R&&, const Shape&, const Rest&...) {
  static_assert(detail::never<R>,
                "from_span shares memory, and a temporary is gone after the call: write "
                "Array(std::move(vector)) to have an array own it, or give it a name");
  return {};
}
/// Does not compile: nothing would be left of a temporary.
template <std::ranges::contiguous_range R>
  requires(!std::ranges::borrowed_range<R>)
Array from_span(R&& range) {
  return from_span(std::forward<R>(range), Shape());
}
/// Does not compile: an address does not say how many elements are there.
template <class T, class... Rest>
Array from_span(T* const&, const Shape& = {}, const Rest&...) {
  static_assert(detail::never<T>,
                "an address does not say how many elements are there: write "
                "from_span(std::span(address, count), shape)");
  return {};
}
/// An array of one axis.
template <std::ranges::contiguous_range R, class Owner = void>
  requires std::ranges::borrowed_range<R>
Array from_span(R&& range, std::shared_ptr<Owner> owner = nullptr) {
  return from_span(range, Shape{static_cast<std::int64_t>(std::ranges::size(range))},
                   std::move(owner));
}

/// The elements of an array in row-major order, while this object lives. It evaluates the array,
/// waits for it and lends its memory: meanwhile, operations on the array run when they are called.
/// It is itself a range. It must have a name: its pointers and iterators are valid only while it
/// lives.
template <class T>
class SpanOf {
 public:
  /// Throws TypeError for another dtype, ExchangeError if the elements are not contiguous in
  /// row-major order, not accessible by the host, or read-only while T is not const.
  explicit SpanOf(const Array& array) : array_(array) {
    detail::begin_loan(array, dtype_of_type<std::remove_const_t<T>>(), std::is_const_v<T>);
  }
  /// Lends the same once more.
  SpanOf(const SpanOf& other) : SpanOf(other.array_) {}
  SpanOf& operator=(const SpanOf&) = delete;
  ~SpanOf() { detail::end_loan(array_); }

  /// @{
  /// The elements, as of a std::span.
  std::span<T> get() const& { return {data(), size()}; }
  operator std::span<T>() const& { return get(); }  // NOLINT: it is one
  operator std::span<const T>() const&              // NOLINT
    requires(!std::is_const_v<T>)
  {
    return get();
  }
  T* data() const& { return static_cast<T*>(detail::address_of(array_)); }
  LentIterator<T> begin() const& { return LentIterator<T>(data()); }
  LentIterator<T> end() const& { return begin() + static_cast<std::ptrdiff_t>(size()); }
  T& operator[](std::size_t i) const& { return data()[i]; }
  T& front() const& { return data()[0]; }
  T& back() const& { return data()[size() - 1]; }
  std::size_t size() const { return static_cast<std::size_t>(array_.size()); }
  bool empty() const { return size() == 0; }
  /// @}

  /// @{
  /// For a temporary: the element itself, not a reference to it; everything else does not compile.
  std::remove_const_t<T> operator[](std::size_t i) const&& { return data_of(*this)[i]; }
  std::remove_const_t<T> front() const&& { return data_of(*this)[0]; }
  std::remove_const_t<T> back() const&& { return data_of(*this)[size() - 1]; }
  std::span<T> get() const&& { return refused<std::span<T>>(); }
  operator std::span<T>() const&& { return refused<std::span<T>>(); }  // NOLINT
  operator std::span<const T>() const&&                                // NOLINT
    requires(!std::is_const_v<T>)
  {
    return refused<std::span<const T>>();
  }
  T* data() const&& { return refused<T*>(); }
  LentIterator<T> begin() const&& { return refused<LentIterator<T>>(); }
  LentIterator<T> end() const&& { return refused<LentIterator<T>>(); }
  /// @}

 private:
  static T* data_of(const SpanOf& lent) { return lent.data(); }
  template <class Result>
  Result refused() const {
    static_assert(detail::never<Result>,
                  "the memory is lent while the result of to_span lives, and a temporary is "
                  "gone at once: give it a name first, const auto lent = to_span<T>(x)");
    return {};
  }
  Array array_;
};

/// The elements as a range and a std::span, while the result lives; see SpanOf.
template <class T>
SpanOf<T> to_span(const Array& array) {
  return SpanOf<T>(array);
}

}  // namespace isthmus::inline ISTHMUS_ABI
