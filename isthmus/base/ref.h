// ref.h: intrusive reference counting for the objects that arrays share.
#pragma once

#include <atomic>
#include <concepts>
#include <cstdint>
#include <utility>

#include "isthmus/base/export.h"

namespace isthmus::inline ISTHMUS_ABI::detail {

/// Base class of counted objects; created by make_ref, freed with the last Ref.
template <class Derived>
class Counted {
 public:
  Counted(const Counted&) = delete;
  Counted& operator=(const Counted&) = delete;

  void hold() noexcept { references_.fetch_add(1, std::memory_order_relaxed); }
  void drop() noexcept {
    if (drop_one()) delete static_cast<Derived*>(this);
  }
  /// Adds a reference unless the last one is already gone.
  bool try_hold() noexcept {
    std::uint32_t count = references_.load(std::memory_order_relaxed);
    while (count != 0)
      if (references_.compare_exchange_weak(count, count + 1, std::memory_order_acq_rel))
        return true;
    return false;
  }
  std::uint32_t references() const noexcept { return references_.load(std::memory_order_acquire); }

 protected:
  Counted() = default;
  ~Counted() = default;
  /// Whether this was the last reference.
  bool drop_one() noexcept { return references_.fetch_sub(1, std::memory_order_acq_rel) == 1; }
  /// Gives an object whose last reference is gone a new one, instead of deleting it.
  void revive() noexcept { references_.store(1, std::memory_order_release); }

 private:
  std::atomic<std::uint32_t> references_{1};
};

/// Shared owner of a Counted object. Copies are thread-safe; one Ref is not.
template <class T>
class Ref {
 public:
  Ref() = default;
  Ref(std::nullptr_t) {}
  /// Takes over one reference that the caller owns.
  static Ref take(T* object) {
    Ref ref;
    ref.object_ = object;
    return ref;
  }
  /// Adds a reference.
  static Ref share(T* object) {
    if (object) object->hold();
    return take(object);
  }
  template <class U>
    requires(std::derived_from<U, T> && !std::same_as<U, T>)
  Ref(Ref<U> other) : object_(other.release()) {}  // NOLINT: as pointers convert
  Ref(const Ref& other) : object_(other.object_) {
    if (object_) object_->hold();
  }
  Ref(Ref&& other) noexcept : object_(std::exchange(other.object_, nullptr)) {}
  Ref& operator=(Ref other) noexcept {
    std::swap(object_, other.object_);
    return *this;
  }
  ~Ref() {
    if (object_) object_->drop();
  }

  T* get() const { return object_; }
  T* operator->() const { return object_; }
  T& operator*() const { return *object_; }
  explicit operator bool() const { return object_ != nullptr; }
  /// Gives the reference away; the caller owns it.
  T* release() { return std::exchange(object_, nullptr); }
  friend bool operator==(const Ref& a, const Ref& b) { return a.object_ == b.object_; }

 private:
  T* object_ = nullptr;
};

template <class T, class... Args>
Ref<T> make_ref(Args&&... args) {
  return Ref<T>::take(new T(std::forward<Args>(args)...));
}

}  // namespace isthmus::inline ISTHMUS_ABI::detail
