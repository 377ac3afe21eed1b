// span.h: std::span to an array and back, no copy.
#pragma once

#include <complex>
#include <memory>
#include <span>
#include <type_traits>

#include "isthmus/exchange/share.h"

namespace isthmus {

/// The dtype that elements of a C++ type have; char and wchar_t have none.
template <class T>
constexpr DType dtype_of_type() {
  if constexpr (std::is_same_v<T, bool>)
    return TypeId::bool_;
  else if constexpr (std::is_same_v<T, std::complex<float>> || std::is_same_v<T, Complex<float>>)
    return TypeId::complex64;
  else if constexpr (std::is_same_v<T, std::complex<double>> || std::is_same_v<T, Complex<double>>)
    return TypeId::complex128;
  else if constexpr (std::is_floating_point_v<T> && sizeof(T) <= 8)
    return sizeof(T) == 4 ? TypeId::float32 : TypeId::float64;
  else {
    static_assert(std::is_integral_v<T>, "no dtype has elements of this type");
    constexpr TypeId integers[] = {TypeId::int8, TypeId::int16, TypeId::int32, TypeId::int64};
    constexpr TypeId naturals[] = {TypeId::uint8, TypeId::uint16, TypeId::uint32, TypeId::uint64};
    constexpr int log = sizeof(T) == 1 ? 0 : sizeof(T) == 2 ? 1 : sizeof(T) == 4 ? 2 : 3;
    return std::is_signed_v<T> ? integers[log] : naturals[log];
  }
}

/// An array of one axis, or of `shape` in row-major order, over the span. Shared with the caller,
/// who keeps the memory alive, or gives an owner to be kept. A span of const is read-only.
/// Throws value if the shape has another number of elements.
template <class T>
Array from_span(std::span<T> span, std::optional<Shape> shape = {},
                std::shared_ptr<void> owner = nullptr) {
  const auto length = static_cast<std::int64_t>(span.size());
  const Shape extents = shape.value_or(Shape(&length, 1));
  check(checked_count("from_span", extents) == length, Errc::value,
        "from_span: shape {} has another number of elements than the span's {}", extents, length);
  Foreign foreign;
  foreign.address = const_cast<std::remove_const_t<T>*>(span.data());
  foreign.dtype = dtype_of_type<std::remove_const_t<T>>();
  foreign.layout = row_major(extents);
  foreign.is_read_only = std::is_const_v<T>;
  auto held = owner ? std::make_unique<std::shared_ptr<void>>(std::move(owner)) : nullptr;
  foreign.owner = held.get();
  if (held)
    foreign.release = [](Memory& memory) noexcept {
      delete static_cast<std::shared_ptr<void>*>(memory.owner);
      return false;
    };
  Array array = adopt(foreign);
  held.release();  // the memory has it
  return array;
}

/// The elements of an array in row-major order, while this object lives: evaluated, waited for and
/// lent, so that operations on it run when they are called meanwhile.
template <class T>
class SpanOf {
 public:
  /// Throws type for another dtype, exchange where the elements are not in row-major order one
  /// after another, out of the host's reach, or read-only and T is not const.
  explicit SpanOf(const Array& array) : array_(array) {
    check(array.dtype() == dtype_of_type<std::remove_const_t<T>>(), Errc::type,
          "to_span: the array's elements are {}", array.dtype());
    check(is_row_major(array.layout()), Errc::exchange,
          "to_span: elements with strides {} are no span; use contiguous", array.layout().strides);
    check(is_host_reachable(array), Errc::exchange,
          "to_span: {} is out of the host's reach; use "
          "to_device",
          array.device());
    check(std::is_const_v<T> || !array.is_read_only(), Errc::exchange,
          "to_span: the array is read-only; ask for a span of const");
    begin_export(array_);
  }
  SpanOf(const SpanOf& other) : SpanOf(other.array_) {}
  SpanOf& operator=(const SpanOf&) = delete;
  ~SpanOf() { end_export(*array_.storage()->memory()); }

  std::span<T> get() const {
    return {static_cast<T*>(host_address(array_)), static_cast<std::size_t>(array_.size())};
  }
  operator std::span<T>() const { return get(); }

 private:
  Array array_;
};

template <class T>
SpanOf<T> to_span(const Array& array) {
  return SpanOf<T>(array);
}

}  // namespace isthmus
