// index_check.cpp: the first index that is outside, found by a reduction and read by whoever waits
// for what relies on it.
#include "isthmus/array/index/index_check.h"

#include <algorithm>
#include <mutex>

#include "isthmus/array/apply.h"
#include "isthmus/array/create/create.h"
#include "isthmus/array/functions.h"
#include "isthmus/array/reduce/reduced.h"
#include "isthmus/array/text/format.h"
#include "isthmus/hazards/hazards.h"
#include "isthmus/runtime/submit/foreign_work.h"
#include "isthmus/runtime/submit/launch_check.h"

namespace isthmus::inline ISTHMUS_ABI::detail {

namespace {

/// What it finds is how many indices there are from the first on that is outside.
class IndexCheck final : public Finding {
 public:
  IndexCheck(std::string_view who, std::int64_t extent, int axis, const Dims& shape, Array index)
      : who_(who), extent_(extent), axis_(axis), shape_(shape), index_(std::move(index)) {}

  void raise() override {
    std::shared_ptr<const Error> error;
    {
      const std::lock_guard hold(lock_);
      error = error_;
    }
    if (!error) {
      error = make_error(Errc::index, text());
      const std::lock_guard hold(lock_);
      error_ = error;
    }
    error->raise();
  }

 protected:
  void forget() noexcept override {
    Finding::forget();
    std::optional<Array> index;
    const std::lock_guard hold(lock_);
    index.swap(index_);
  }

 private:
  Dims place() const {
    std::int64_t number = product_of({shape_.begin(), shape_.end()}) - this->number();
    Dims at(shape_.size(), 0);
    for (std::size_t i = shape_.size(); i-- > 0; number /= shape_[i]) at[i] = number % shape_[i];
    return at;
  }

  std::string text() const {
    const std::string where = axis_ < 0 ? format("an array of {} elements", extent_)
                                        : format("axis {} of length {}", axis_, extent_);
    return format("{}: {} at {} is outside {}", who_, to_string(*index_), place(), where);
  }

  const std::string who_;
  const std::int64_t extent_;
  const int axis_;
  const Dims shape_;
  /// Pending, so that it is read before others write there, and calculated where it is needed.
  std::optional<Array> index_;
  std::shared_ptr<const Error> error_;
};

/// How many indices there are from each one on, itself included.
Array count_from_each(const Array& indices) {
  const Shape shape(indices.shape());
  Array left = full({}, indices.size(), TypeId::int64, indices.device());
  std::int64_t behind = 1;
  for (int axis = indices.ndim(); axis-- > 0;) {
    const std::int64_t length = indices.shape()[static_cast<std::size_t>(axis)];
    if (length == 1) continue;
    const Array along = index_along(shape, axis, indices.device());
    left = std::move(left) - (behind == 1 ? along : along * behind);
    behind *= length;
  }
  return left;
}

bool drop_shown(BackendMemory& memory) noexcept {
  Ref<BackendMemory>::take(static_cast<BackendMemory*>(memory.owner));
  return false;
}

}  // namespace

std::optional<Array> at_hand(const Array& indices) {
  const Storage& storage = *indices.storage();
  // of what has failed whoever looks hears why
  if (indices.device().is_host() || storage.state() == Storage::State::failed) return indices;
  if (!storage.is_ready() || !storage.memory()->is_host_accessible()) return {};
  const Ref<BackendMemory>& memory = storage.memory();
  bool is_known;
  {
    const std::lock_guard lock(graph_lock());
    is_known = !has_foreign_queue(*memory) &&
               std::ranges::all_of(memory->activity().hazards.writes, [](const auto& event) {
                 return event->is_done() && !event->has_failed();
               });
  }
  if (!is_known) return {};
  settle_checks(*memory);
  auto shown = make_ref<BackendMemory>(
      Device(), MemoryKind::host, reinterpret_cast<std::uintptr_t>(memory->host), memory->bytes);
  shown->host = memory->host;
  shown->owner = Ref<BackendMemory>::share(memory.get()).release();
  shown->release = drop_shown;
  return from_view({std::move(shown), indices.dtype(), indices.layout(), true});
}

LateIndices check_late(std::string_view who, const Array& indices, std::int64_t extent, int axis,
                       const Dims& given) {
  check(extent > 0, Errc::index, "{}: {} indices into an axis of length 0; none is inside", who,
        indices.size());
  Array is_outside = indices >= extent;
  if (indices.dtype().family != Family::natural)
    is_outside = std::move(is_outside) | (indices < -extent);
  const Array finding =
      max(where(std::move(is_outside), count_from_each(indices), Finding::nothing));
  const std::int64_t count = indices.size();
  const Array number = clip(count - finding, 0, count - 1);
  const Array position = position_of(number, indices.shape(), indices.layout().strides);
  const Array index = load(who, indices, position + Positions(indices.layout()).first);
  return {make_ref<IndexCheck>(who, extent, axis, given, index), finding};
}

}  // namespace isthmus::inline ISTHMUS_ABI::detail
