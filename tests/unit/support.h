// support.h: graphs built by hand, for tests below the array.
#pragma once

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstring>
#include <memory>
#include <thread>
#include <vector>

#include "isthmus/array/apply.h"
#include "isthmus/backend/null/control.h"
#include "isthmus/runtime/devices/registry.h"
#include "isthmus/runtime/evaluate/evaluate.h"
#include "isthmus/runtime/kernels/kernel_cache.h"
#include "isthmus/runtime/memory/memory_pool.h"
#include "isthmus/runtime/observe/statistics.h"
#include "isthmus/runtime/settings.h"
#include "isthmus/runtime/submit/queues.h"

namespace isthmus {

inline const Device cpu, recorder("null", 0), shared_null("null", 1), discrete_null("null", 2);

inline const null::Control& control() {
  return *static_cast<const null::Control*>(backend("null").library(0, "null.control"));
}

inline Operand whole(const Ref<Storage>& storage) {
  Operand operand;
  operand.kind = Operand::Kind::storage;
  operand.storage = storage;
  return operand;
}

inline Operand view(const Ref<Storage>& storage, Layout layout) {
  Operand operand = whole(storage);
  operand.layout = std::move(layout);
  return operand;
}

inline Operand number(double value) {
  Operand operand;
  operand.kind = Operand::Kind::scalar;
  operand.scalar = Scalar::of(value);
  return operand;
}

/// The pending value of an operation over `shape`.
inline Ref<Storage> map(Op op, Device device, Dims shape, std::vector<Operand> operands,
                        DType dtype = TypeId::float32) {
  auto node = std::make_unique<Node>(work::Map(op, dtype.id));
  for (Operand& operand : operands) node->operands[node->operand_count++] = std::move(operand);
  return make_pending(dtype, device, row_major({shape.begin(), shape.end()}), std::move(node));
}

inline Ref<Storage> map(Op op, const Ref<Storage>& x, Operand y) {
  return map(op, x->device, x->layout.shape, {whole(x), std::move(y)}, x->dtype);
}
inline Ref<Storage> add(const Ref<Storage>& x, Operand y) { return map(Op::add, x, std::move(y)); }
inline Ref<Storage> times(const Ref<Storage>& x, Operand y) {
  return map(Op::multiply, x, std::move(y));
}

/// The sum over the last axis.
inline Ref<Storage> sum_last(const Ref<Storage>& x) {
  work::Axes axes(x->layout.shape.size(), false);
  axes.back() = true;
  auto node = std::make_unique<Node>(work::Reduce(Reduction::sum, {}, x->dtype.id, axes));
  node->operand_count = 1;
  node->operands[0] = whole(x);
  Dims shape = x->layout.shape;
  shape.pop_back();
  return make_pending(x->dtype, x->device, row_major({shape.begin(), shape.end()}),
                      std::move(node));
}

/// Copies bytes between a host buffer and evaluated memory, through the backend.
inline void transfer(BackendMemory& memory, void* bytes, std::size_t count, bool is_upload) {
  auto host = make_ref<BackendMemory>(cpu, MemoryKind::host,
                                      reinterpret_cast<std::uintptr_t>(bytes), count);
  host->host = bytes;
  Events waits, trash;
  const Ref<BackendQueue> queue = current_backend_queue(memory.device);
  std::unique_lock order(queue->order);
  {
    std::lock_guard lock(graph_lock());
    is_upload ? add_waits_for_writing(memory, waits) : add_waits_for_reading(memory, waits);
  }
  BackendMemory &from = is_upload ? *host : memory, &to = is_upload ? memory : *host;
  const Ref<Event> event = backend(memory.device).copy(*queue, from, 0, to, 0, count, waits);
  {
    std::lock_guard lock(graph_lock());
    is_upload ? note_write(memory, event, trash) : note_read(memory, event, trash);
  }
  order.unlock();
  if (event) event->wait();
}

inline Ref<Storage> floats(Device device, Dims shape, std::vector<float> values) {
  Ref<BackendMemory> memory = allocate(device, values.size() * sizeof(float));
  if (!values.empty()) transfer(*memory, values.data(), values.size() * sizeof(float), true);
  return make_ref<Storage>(TypeId::float32, row_major({shape.begin(), shape.end()}),
                           std::move(memory));
}
inline Ref<Storage> floats(Device device, std::vector<float> values) {
  const auto count = static_cast<std::int64_t>(values.size());
  return floats(device, {count}, std::move(values));
}
inline Ref<Storage> filled(Device device, std::int64_t count, float value) {
  return floats(device, std::vector<float>(static_cast<std::size_t>(count), value));
}

/// All of a float32 storage, evaluated, in the order of memory.
inline std::vector<float> values(const Ref<Storage>& storage) {
  evaluate(storage);
  std::vector<float> found(static_cast<std::size_t>(storage->layout.count()));
  if (!found.empty())
    transfer(*storage->memory(), found.data(), found.size() * sizeof(float), false);
  return found;
}

/// Waits for what runs in the background; whether the condition came true in ten seconds.
template <class F>
bool eventually(F condition) {
  for (int i = 0; i < 10000; ++i) {
    if (condition()) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return false;
}

/// An event that a test ends.
class ManualEvent : public Event {
 public:
  bool is_done() noexcept override { return done.load(); }
  bool has_failed() noexcept override { return done.load() && failed.load(); }
  void wait() override {
    done.wait(false);
    if (failed) fail(Errc::launch, "it failed");
  }
  void end(bool is_bad = false) {
    failed = is_bad;
    done = true;
    done.notify_all();
  }
  std::atomic<bool> done{false}, failed{false};
};

/// Counts of what may not be left behind.
struct Census {
  std::int64_t memories, nodes;
  friend bool operator==(const Census&, const Census&) = default;
};
inline Census census() {
  for (const Device& device : {cpu, recorder, shared_null, discrete_null}) trim_pool(device);
  return {live_memories(), live_nodes()};
}

/// Every test begins and ends with the same number of memories and nodes.
class Graph : public ::testing::Test {
 protected:
  void SetUp() override {
    set_inline_policy(Inline::never);
    for (const Device& device : {cpu, shared_null, discrete_null}) values(filled(device, 1, 0));
    eventually([] { return reaper_backlog() == 0; });
    before_ = census();
  }
  void TearDown() override {
    control().set_fail_at(0, false, 0);
    control().set_command_fail_at(0, false, 0);
    EXPECT_TRUE(eventually([&] { return reaper_backlog() == 0 && census() == before_; }))
        << live_memories() - before_.memories << " memories, " << live_nodes() - before_.nodes
        << " nodes too many";
    set_inline_policy(Inline::automatic);
  }

 private:
  Census before_{};
};

/// Of a test's parameter: -1 is `cpu`, others are null's.
inline Device device_of(int number) { return number < 0 ? cpu : Device("null", number); }

class EachDevice : public Graph, public ::testing::WithParamInterface<int> {
 protected:
  const Device device = device_of(GetParam());
};

inline std::string device_name(const ::testing::TestParamInfo<int>& info) {
  return info.param < 0 ? "cpu" : info.param == 1 ? "executing" : "discrete";
}

}  // namespace isthmus
