// small_vector.h: a vector of trivial values whose first N live inside it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <initializer_list>
#include <iterator>
#include <memory>
#include <span>
#include <type_traits>

namespace isthmus {

/// Like std::vector for what shapes, strides and tapes need; no allocation up to N items.
template <class T, std::size_t N>
class SmallVector {
  static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>);

 public:
  using value_type = T;

  // Not defaulted: what has one would be zeroed as a whole first, the many unused items too.
  SmallVector() {
    if constexpr (is_copied_whole) std::memset(inner_, 0, sizeof inner_);
  }
  explicit SmallVector(std::size_t count, T value = T{}) : SmallVector() { resize(count, value); }
  SmallVector(std::initializer_list<T> items) : SmallVector() {
    assign(items.begin(), items.end());
  }
  template <std::forward_iterator It>
  SmallVector(It first, It last) : SmallVector() {
    assign(first, last);
  }
  SmallVector(std::span<const T> items) : SmallVector() { assign(items.begin(), items.end()); }
  SmallVector(const SmallVector& other) { copy_from(other); }
  SmallVector(SmallVector&& other) noexcept { take_from(other); }
  SmallVector& operator=(const SmallVector& other) {
    if (this != &other) size_ = 0, copy_from(other);
    return *this;
  }
  SmallVector& operator=(SmallVector&& other) noexcept {
    if (this != &other) release(), take_from(other);
    return *this;
  }
  ~SmallVector() {
    if (data_ != inner()) std::allocator<T>().deallocate(data_, capacity_);
  }

  template <std::forward_iterator It>
  void assign(It first, It last) {
    size_ = 0;
    reserve(static_cast<std::size_t>(std::distance(first, last)));
    for (; first != last; ++first) data_[size_++] = *first;
  }
  void reserve(std::size_t count) {
    if (count > capacity_) grow(count);
  }
  void resize(std::size_t count, T value = T{}) {
    reserve(count);
    if (count > size_) std::fill(data_ + size_, data_ + count, value);
    size_ = count;
  }
  void push_back(T item) {
    if (size_ == capacity_) grow(2 * capacity_);
    data_[size_++] = item;
  }
  void pop_back() { --size_; }
  void clear() { size_ = 0; }
  void insert(std::size_t at, T item) {
    push_back(item);
    std::rotate(begin() + at, end() - 1, end());
  }
  void erase(std::size_t at) {
    std::copy(begin() + at + 1, end(), begin() + at);
    --size_;
  }

  T* begin() { return data_; }
  T* end() { return data_ + size_; }
  const T* begin() const { return data_; }
  const T* end() const { return data_ + size_; }
  T* data() { return data_; }
  const T* data() const { return data_; }
  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  T& operator[](std::size_t i) { return data_[i]; }
  const T& operator[](std::size_t i) const { return data_[i]; }
  T& back() { return data_[size_ - 1]; }
  const T& back() const { return data_[size_ - 1]; }
  friend bool operator==(const SmallVector& a, const SmallVector& b) {
    if (a.size_ != b.size_) return false;
    for (std::size_t i = 0; i < a.size_; ++i)
      if (!(a.data_[i] == b.data_[i])) return false;
    return true;
  }

 private:
  /// A copy of known size is a few moves; one of as many items as there are would be a call.
  static constexpr bool is_copied_whole = N * sizeof(T) <= 64;
  static void copy_inner(T* to, const T* from, std::size_t count) {
    std::memcpy(static_cast<void*>(to), from, (is_copied_whole ? N : count) * sizeof(T));
  }
  T* inner() { return reinterpret_cast<T*>(inner_); }
  const T* inner() const { return reinterpret_cast<const T*>(inner_); }
  void copy_from(const SmallVector& other) {
    if (other.data_ == other.inner()) {
      copy_inner(data_, other.data_, other.size_);
    } else {
      reserve(other.size_);
      std::memcpy(static_cast<void*>(data_), other.data_, other.size_ * sizeof(T));
    }
    size_ = other.size_;
  }
  void take_from(SmallVector& other) noexcept {
    size_ = other.size_;
    if (other.data_ == other.inner()) {
      copy_inner(data_, other.data_, size_);
    } else {
      data_ = other.data_, capacity_ = other.capacity_;
      other.data_ = other.inner(), other.capacity_ = N;
    }
    other.size_ = 0;
  }
  void grow(std::size_t count) {
    count = std::max(count, 2 * capacity_);
    T* larger = std::allocator<T>().allocate(count);
    std::memcpy(static_cast<void*>(larger), data_, size_ * sizeof(T));
    const std::size_t size = size_;
    release();
    data_ = larger, capacity_ = count, size_ = size;
  }
  void release() noexcept {
    if (data_ != inner()) std::allocator<T>().deallocate(data_, capacity_);
    data_ = inner(), capacity_ = N, size_ = 0;
  }

  std::size_t size_ = 0;
  std::size_t capacity_ = N;
  T* data_ = inner();
  alignas(T) std::byte inner_[N * sizeof(T)];
};

}  // namespace isthmus
