// explain.cpp: why memory is shared, and what it takes to have it elsewhere.
#include "isthmus/exchange/explain.h"

#include <mutex>

#include "isthmus/exchange/share.h"

namespace isthmus::inline ISTHMUS_ABI {

using detail::format;

static std::string why_shared(const Array& array) {
  if (array.is_pending()) return "pending: it will have memory of its own when it is calculated";
  std::lock_guard lock(graph_lock());
  const Activity& activity = array.storage()->memory()->activity();
  if (activity.is_foreign)
    return "shared: code outside of Isthmus knows the memory, and may write to it";
  if (activity.exports == 1)
    return "shared: 1 export of the memory is alive, and exports can be written to";
  if (activity.exports)
    return format("shared: {} exports of the memory are alive", activity.exports);
  return "private: nobody else reaches the memory";
}

std::string_view to_string(Explanation::Verdict verdict) {
  return verdict == Explanation::Verdict::zero_copy ? "zero-copy"
         : verdict == Explanation::Verdict::copy    ? "copy"
                                                    : "impossible";
}

std::string to_string(const Explanation& explanation) {
  const std::string_view verdict = to_string(explanation.verdict);
  return explanation.reason.empty() ? std::string(verdict)
                                    : format("{}: {}", verdict, explanation.reason);
}

Explanation::Verdict verdict_on(const Array& x, const std::optional<Device>& device) {
  using Verdict = Explanation::Verdict;
  return !device || can_share_on(x, *device) ? Verdict::zero_copy : Verdict::copy;
}

std::string crossing_to(const Array& x, const std::optional<Device>& device) {
  if (!device || *device == x.device()) return {};
  return can_share_on(x, *device)
             ? format("; {} reaches memory of {} where it lies", *device, x.device())
             : format("; from {} to {}", x.device(), *device);
}

Explanation explain(const Array& x, const std::optional<Device>& device) {
  return {verdict_on(x, device), why_shared(x) + crossing_to(x, device)};
}

}  // namespace isthmus::inline ISTHMUS_ABI
