// interned.h: values of which there is one copy each, for as long as the process lives.
#pragma once

#include <atomic>
#include <memory>
#include <utility>

#include "isthmus/base/export.h"

namespace isthmus::inline ISTHMUS_ABI {

/// A list that only grows. Without a lock, so that a child which was forked from the middle of
/// find() can go on using it. For dozens of values, not thousands.
template <class T>
class Interned {
 public:
  constexpr Interned() = default;

  /// The one copy that equals `value`, made from it if there is none.
  template <class U>
  const T& find(U&& value) {
    Entry* seen = nullptr;
    Entry* first = first_.load(std::memory_order_acquire);
    if (const T* known = search(value, first, seen)) return *known;
    auto made = std::make_unique<Entry>(T(std::forward<U>(value)), first);
    while (!first_.compare_exchange_weak(first, made.get(), std::memory_order_acq_rel)) {
      // others have come first; perhaps with the same value
      seen = std::exchange(made->next, first);
      if (const T* known = search(made->value, first, seen)) return *known;
    }
    return made.release()->value;
  }

 private:
  struct Entry {
    Entry(T value, Entry* next) : value(std::move(value)), next(next) {}
    const T value;
    Entry* next;
  };

  template <class U>
  static const T* search(const U& value, const Entry* first, const Entry* last) {
    for (const Entry* entry = first; entry != last; entry = entry->next)
      if (entry->value == value) return &entry->value;
    return nullptr;
  }

  std::atomic<Entry*> first_{nullptr};
};

}  // namespace isthmus::inline ISTHMUS_ABI
