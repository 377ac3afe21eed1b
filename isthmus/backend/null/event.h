// event.h: the end of a command.
#pragma once

#include <memory>

#include "isthmus/backend/null/objects.h"
#include "isthmus/core/queue.h"

namespace isthmus::null {

class NullEvent final : public Event, Alive {
 public:
  bool is_done() noexcept override;
  bool has_failed() noexcept override;
  void wait() override;
  std::optional<Interval> ran() noexcept override;
  /// The worker's, before finish().
  Interval interval;

  /// Called once, by the queue that ran the command, or could not: then the error is that of what
  /// the command waited for.
  void finish(std::shared_ptr<const Error> error, bool is_inherited = false);
  /// The error of the work that failed first, and what that was; null if all went well.
  std::shared_ptr<const Error> first_error();

 private:
  enum State : int { pending, done, failed };
  std::atomic<int> state_{pending};
  std::shared_ptr<const Error> error_;
  bool is_inherited_ = false;
};

}  // namespace isthmus::null
