// thread_scopes.h: what scopes say that are of one thread and may end on another one.
#pragma once

#include <atomic>
#include <memory>
#include <utility>
#include <vector>

namespace isthmus::inline ISTHMUS_ABI {

/// The scopes of a thread, to be thread_local. A scope is ended by its flag, on any thread and in
/// any order; the thread forgets it when it looks next.
template <class T>
class ThreadScopes {
 public:
  /// What says that the scope has ended, to be set to true.
  using End = std::shared_ptr<std::atomic<bool>>;

  /// Begins one on this thread.
  End begin(T value) {
    auto scope = std::make_shared<Scope>(std::move(value));
    scopes_.push_back(scope);
    return {scope, &scope->has_ended};
  }
  /// What the innermost scope says; null if there is none.
  const T* innermost() {
    forget_ended();
    return scopes_.empty() ? nullptr : &scopes_.back()->value;
  }
  /// Forgets what has ended.
  void forget_ended() {
    while (!scopes_.empty() && scopes_.back()->has_ended.load(std::memory_order_acquire))
      scopes_.pop_back();
  }

 private:
  struct Scope {
    explicit Scope(T v) : value(std::move(v)) {}
    const T value;
    std::atomic<bool> has_ended{false};
  };
  std::vector<std::shared_ptr<Scope>> scopes_;
};

}  // namespace isthmus::inline ISTHMUS_ABI
