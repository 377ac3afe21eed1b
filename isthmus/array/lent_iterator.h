// lent_iterator.h: LentIterator, for loops over ranges that must not convert to std::span.
#pragma once

#include <compare>
#include <cstddef>
#include <iterator>
#include <type_traits>

#include "isthmus/base/export.h"

namespace isthmus::inline ISTHMUS_ABI {

/// An iterator of SpanOf and ShapeOf. It is neither a pointer nor a contiguous iterator, because
/// std::span would accept those of a temporary.
template <class T>
class LentIterator {
 public:
  /// @{
  /// As in any random access iterator.
  using value_type = std::remove_const_t<T>;
  using difference_type = std::ptrdiff_t;
  using reference = T&;
  using pointer = T*;
  using iterator_category = std::random_access_iterator_tag;

  LentIterator() = default;
  explicit LentIterator(T* at) : at_(at) {}
  T& operator*() const { return *at_; }
  T* operator->() const { return at_; }
  T& operator[](difference_type n) const { return at_[n]; }
  LentIterator& operator+=(difference_type n) { return at_ += n, *this; }
  LentIterator& operator-=(difference_type n) { return at_ -= n, *this; }
  LentIterator& operator++() { return *this += 1; }
  LentIterator& operator--() { return *this -= 1; }
  LentIterator operator++(int) { return LentIterator(at_++); }
  LentIterator operator--(int) { return LentIterator(at_--); }
  friend LentIterator operator+(LentIterator i, difference_type n) { return i += n; }
  friend LentIterator operator+(difference_type n, LentIterator i) { return i += n; }
  friend LentIterator operator-(LentIterator i, difference_type n) { return i -= n; }
  friend difference_type operator-(LentIterator a, LentIterator b) { return a.at_ - b.at_; }
  friend auto operator<=>(LentIterator, LentIterator) = default;
  /// @}

 private:
  T* at_ = nullptr;
};

}  // namespace isthmus::inline ISTHMUS_ABI
