// small_vector.h: a vector whose first N items live inside it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <initializer_list>
#include <iterator>
#include <memory>
#include <span>
#include <type_traits>
#include <utility>

#include "isthmus/base/export.h"

namespace isthmus::inline ISTHMUS_ABI::detail {

/// Like std::vector, for sequences that are mostly short (shapes, tapes, a kernel's operands): no
/// allocation up to N items. Moving it moves the items that live inside.
template <class T, std::size_t N>
class SmallVector {
  static_assert(std::is_nothrow_move_constructible_v<T> && std::is_nothrow_move_assignable_v<T>);

 public:
  using value_type = T;

  // Not defaulted: an object that contains one would first be zeroed as a whole, with the unused
  // items.
  SmallVector() {
    if constexpr (is_copied_whole) std::memset(inner_, 0, sizeof inner_);
  }
  explicit SmallVector(std::size_t count, const T& value = T{}) : SmallVector() {
    resize(count, value);
  }
  SmallVector(std::initializer_list<T> items) : SmallVector() {
    assign(items.begin(), items.end());
  }
  template <std::forward_iterator It>
  SmallVector(It first, It last) : SmallVector() {
    assign(first, last);
  }
  SmallVector(std::span<const T> items) : SmallVector() { assign(items.begin(), items.end()); }
  SmallVector(const SmallVector& other) {
    if constexpr (is_plain) {
      copy_from(other);
    } else {
      SmallVector copy(other.begin(), other.end());  // destroyed if one of the copies fails
      take_from(copy);
    }
  }
  SmallVector(SmallVector&& other) noexcept { take_from(other); }
  SmallVector& operator=(const SmallVector& other) {
    if (this != &other) clear(), copy_from(other);
    return *this;
  }
  SmallVector& operator=(SmallVector&& other) noexcept {
    if (this != &other) release(), take_from(other);
    return *this;
  }
  ~SmallVector() {
    clear();
    if (data_ != inner()) std::allocator<T>().deallocate(data_, capacity_);
  }

  template <std::forward_iterator It>
  void assign(It first, It last) {
    clear();
    reserve(static_cast<std::size_t>(std::distance(first, last)));
    for (; first != last; ++first) std::construct_at(data_ + size_, *first), ++size_;
  }
  void reserve(std::size_t count) {
    if (count > capacity_) grow(count);
  }
  void resize(std::size_t count, const T& value = T{}) {
    if (count < size_) return shorten(count);
    if (count > capacity_) {  // the value may be an item, which moves
      const T kept = value;
      grow(count);
      return fill_up(count, kept);
    }
    fill_up(count, value);
  }
  void push_back(T item) {
    if (size_ == capacity_) grow(2 * capacity_);
    std::construct_at(data_ + size_, std::move(item));
    ++size_;
  }
  /// The arguments must not be items of this vector.
  template <class... Args>
  T& emplace_back(Args&&... args) {
    if (size_ == capacity_) grow(2 * capacity_);
    T* made = std::construct_at(data_ + size_, std::forward<Args>(args)...);
    ++size_;
    return *made;
  }
  void pop_back() { shorten(size_ - 1); }
  void clear() { shorten(0); }
  void insert(std::size_t at, T item) {
    push_back(std::move(item));
    std::rotate(begin() + at, end() - 1, end());
  }
  void erase(std::size_t at) {
    std::move(begin() + at + 1, end(), begin() + at);
    pop_back();
  }
  template <class F>
  void erase_if(F is_unwanted) {
    shorten(static_cast<std::size_t>(std::remove_if(begin(), end(), is_unwanted) - begin()));
  }

  T* begin() { return data_; }
  T* end() { return data_ + size_; }
  const T* begin() const { return data_; }
  const T* end() const { return data_ + size_; }
  T* data() { return data_; }
  const T* data() const { return data_; }
  std::size_t size() const { return size_; }
  std::size_t capacity() const { return capacity_; }
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
  /// Items are bytes, which need no destructor.
  static constexpr bool is_plain =
      std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>;
  /// A copy of known size is a few moves; a copy of the actual number of items would be a call.
  static constexpr bool is_copied_whole = is_plain && N * sizeof(T) <= 64;
  static void copy_inner(T* to, const T* from, std::size_t count) {
    if constexpr (is_copied_whole && N <= 4)
      // item by item: one move that reads several items waits for those that were just written
      [&]<std::size_t... I>(std::index_sequence<I...>) {
        ((to[I] = from[I]), ...);
      }(std::make_index_sequence<N>());
    else
      std::memcpy(static_cast<void*>(to), from, (is_copied_whole ? N : count) * sizeof(T));
  }
  T* inner() { return reinterpret_cast<T*>(inner_); }
  const T* inner() const { return reinterpret_cast<const T*>(inner_); }
  /// Moves items to uninitialized memory, and destroys them here.
  static void move_items(T* from, std::size_t count, T* to) noexcept {
    if constexpr (is_plain) {
      std::memcpy(static_cast<void*>(to), from, count * sizeof(T));
    } else {
      std::uninitialized_move_n(from, count, to);
      std::destroy_n(from, count);
    }
  }
  void shorten(std::size_t count) noexcept {
    if constexpr (!is_plain) std::destroy(data_ + count, data_ + size_);
    size_ = count;
  }
  void fill_up(std::size_t count, const T& value) {
    for (; size_ < count; ++size_) std::construct_at(data_ + size_, value);
  }
  /// These two find it empty.
  void copy_from(const SmallVector& other) {
    if constexpr (!is_plain) {
      assign(other.begin(), other.end());
    } else if (other.data_ == other.inner()) {
      copy_inner(data_, other.data_, other.size_);
      size_ = other.size_;
    } else {
      reserve(other.size_);
      std::memcpy(static_cast<void*>(data_), other.data_, other.size_ * sizeof(T));
      size_ = other.size_;
    }
  }
  void take_from(SmallVector& other) noexcept {
    size_ = other.size_;
    if (other.data_ != other.inner()) {
      data_ = other.data_, capacity_ = other.capacity_;
      other.data_ = other.inner(), other.capacity_ = N;
    } else if constexpr (is_copied_whole) {
      copy_inner(data_, other.data_, size_);
    } else {
      move_items(other.data_, size_, data_);
    }
    other.size_ = 0;
  }
  void grow(std::size_t count) {
    count = std::max(count, 2 * capacity_);
    T* larger = std::allocator<T>().allocate(count);
    move_items(data_, size_, larger);
    if (data_ != inner()) std::allocator<T>().deallocate(data_, capacity_);
    data_ = larger, capacity_ = count;
  }
  void release() noexcept {
    clear();
    if (data_ != inner()) std::allocator<T>().deallocate(data_, capacity_);
    data_ = inner(), capacity_ = N;
  }

  std::size_t size_ = 0;
  std::size_t capacity_ = N;
  T* data_ = inner();
  alignas(T) std::byte inner_[N * sizeof(T)];
};

}  // namespace isthmus::inline ISTHMUS_ABI::detail
