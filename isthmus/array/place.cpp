// place.cpp: contexts are compared when an operation is called, not when it runs.
#include "isthmus/array/place.h"

#include <algorithm>

#include "isthmus/array/apply.h"
#include "isthmus/base/words.h"
#include "isthmus/runtime/devices/registry.h"
#include "isthmus/runtime/submit/queues.h"

namespace isthmus::inline ISTHMUS_ABI {

namespace {

/// Null for plain host memory, which all contexts reach that can be asked to, and where it was left
/// open. The storage keeps it.
BackendContext* context_of(const Storage& storage) {
  return storage.is_ready() ? storage.memory()->context.get() : storage.context.get();
}

bool is_same(const BackendContext* a, const BackendContext* b) {
  return !a || !b || a == b || a->space == b->space;
}

void check_same(std::string_view who, const BackendContext* a, const BackendContext* b) {
  if (is_same(a, b)) return;
  fail(Errc::device_mismatch,
       "{}: operands are of {} and of {}; make them in one context (`{}`), or copy one to an array "
       "in the other's (`{}`)",
       who, a->name, b->name, words().enter_queue, words().assign_all);
}

/// The first one that there is.
class Found {
 public:
  Found(std::string_view who, const Device& device) : who_(who), device_(device) {}

  void add(const Storage& storage) {
    BackendContext* const own = context_of(storage);
    check_same(who_, found_, own);
    if (!found_) found_ = own;
  }
  Ref<BackendContext> context() const {
    return found_ ? Ref<BackendContext>::share(found_) : current_backend_queue(device_)->context;
  }

 private:
  std::string_view who_;
  const Device& device_;
  BackendContext* found_ = nullptr;
};

}  // namespace

[[gnu::hot]] Ref<BackendContext> context_for(std::string_view who, const Device& device,
                                             const Node& node) {
  if (device.is_host()) return nullptr;
  Found found(who, device);
  for (int i = 0; i < node.operand_count; ++i)
    if (node.operands[i].kind == Operand::Kind::storage) found.add(*node.operands[i].storage);
  return found.context();
}

Ref<BackendContext> context_for(std::string_view who, const Device& device,
                                std::span<const Value> operands) {
  if (device.is_host()) return nullptr;
  Found found(who, device);
  for (const Value& operand : operands)
    if (operand.array) found.add(*operand.array->storage());
  return found.context();
}

Ref<BackendContext> context_for(std::string_view who, const Device& device,
                                std::span<const Array> arrays) {
  if (device.is_host()) return nullptr;
  Found found(who, device);
  for (const Array& x : arrays) found.add(*x.storage());
  return found.context();
}

Ref<BackendContext> context_of(const Array& x) {
  if (x.device().is_host()) return nullptr;
  BackendContext* const own = context_of(*x.storage());
  return own ? Ref<BackendContext>::share(own) : current_backend_queue(x.device())->context;
}

bool has_context(const Array& x) { return context_of(*x.storage()) != nullptr; }

Array in_context_of(const Array& near, Array x) {
  if (x.device().is_host() || x.device() != near.device() || has_context(x)) return x;
  const Ref<BackendContext> wanted = context_of(near);
  Backend& b = backend(x.device());
  if (is_same(wanted.get(), b.default_context(x.device().index()).get())) return x;
  const OnQueue meanwhile(queue_in(wanted, x.device()));
  return copy(x);
}

InContextOf::InContextOf(const Array& x) {
  if (const Ref<BackendContext> context = context_of(x))
    meanwhile_.emplace(queue_in(context, x.device()));
}

InContextOf::InContextOf(std::string_view who, std::span<const Array> arrays) {
  const Device device = arrays[0].device();
  if (!std::ranges::all_of(arrays, [&](const Array& x) { return x.device() == device; })) return;
  if (const Ref<BackendContext> context = context_for(who, device, arrays))
    meanwhile_.emplace(queue_in(context, device));
}

void check_same_context(std::string_view who, const Storage& target, const Storage& source) {
  if (!target.device.is_host()) check_same(who, context_of(target), context_of(source));
}

bool has_same_context(const Storage& target, const Storage& source) {
  return target.device.is_host() || is_same(context_of(target), context_of(source));
}

}  // namespace isthmus::inline ISTHMUS_ABI
