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
    return format("{}: {} is out of bounds for {}, at {} of the indices", who_, to_string(*index_),
                  where, place());
  }

  const std::string who_;
  const std::int64_t extent_;
  const int axis_;
  const Dims shape_;
  /// Pending, so that it is read before others write there, and calculated where it is needed.
  std::optional<Array> index_;
  std::shared_ptr<const Error> error_;
};

/// Of those that are outside how many indices there are from there on, of the others 0.
Array count_from(Array is_outside) {
  const Shape shape(is_outside.shape());
  const std::int64_t count = is_outside.size();
  std::optional<Array> left;
  std::int64_t behind = 1;
  for (int axis = is_outside.ndim(); axis-- > 0;) {
    const std::int64_t length = is_outside.shape()[static_cast<std::size_t>(axis)];
    if (length == 1) continue;
    Array along = index_along(shape, axis, is_outside.device());
    if (behind > 1) along = std::move(along) * behind;
    left = left ? std::move(*left) - std::move(along) : count - std::move(along);
    behind *= length;
  }
  if (!left) return astype(std::move(is_outside), TypeId::int64);
  return where(std::move(is_outside), std::move(*left), Finding::nothing);
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
  Array is_outside = indices >= extent;
  if (indices.dtype().family != Family::natural)
    is_outside = std::move(is_outside) | (indices < -extent);
  const Array finding = max(count_from(std::move(is_outside)));
  const std::int64_t count = indices.size();
  const Array number = clip(count - finding, 0, count - 1);
  const Array position = position_of(number, indices.shape(), indices.layout().strides);
  const Array index = load(who, indices, position + Positions(indices.layout()).first);
  return {make_ref<IndexCheck>(who, extent, axis, given, index), finding};
}

}  // namespace isthmus::inline ISTHMUS_ABI::detail
