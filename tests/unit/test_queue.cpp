// test_queue.cpp: queues, contexts and devices of threads as programs hold them.
#include "isthmus/runtime/submit/queue.h"

#include <gtest/gtest.h>

#include <memory>
#include <thread>
#include <utility>
#include <vector>

#include "isthmus/array/create/create.h"
#include "isthmus/array/functions.h"
#include "isthmus/exchange/span.h"
#include "isthmus/runtime/devices/registry.h"
#include "isthmus/runtime/submit/queues.h"
#include "tests/unit/errors.h"
#include "tests/unit/support.h"

namespace isthmus {
namespace {

TEST(QueueValue, is_the_devices_own_and_equal_to_its_copies) {
  const Queue queue(cpu), copy = queue;
  EXPECT_EQ(queue, copy);
  EXPECT_EQ(queue, Queue("cpu"));
  EXPECT_EQ(queue.device(), cpu);
  EXPECT_TRUE(queue.is_in_order());
  EXPECT_EQ(queue.context(), Context(cpu));
  EXPECT_FALSE(Queue(discrete_null) == queue);
  EXPECT_FALSE(Context(discrete_null) == queue.context());
  Queue other(discrete_null);
  other = queue;
  EXPECT_EQ(other, queue);
  queue.synchronize();
  synchronize(cpu);
}

TEST(QueueValue, of_the_host_has_no_handle) {
  EXPECT_THROW(Queue(cpu).native(), ExchangeError);
  const Queue queue(cpu);
  EXPECT_THROW(queue.handle(), ExchangeError);
  EXPECT_THROW(Context(cpu).native(), ExchangeError);
}

TEST(QueueValue, is_never_null) {
  EXPECT_THROW(Queue(Ref<BackendQueue>()), ValueError);
  EXPECT_THROW(Context(Ref<BackendContext>()), ValueError);
  EXPECT_THROW(Queue("nothing:0"), DeviceNotFoundError);
}

TEST(OnQueueScope, is_of_its_thread_and_ends_with_its_block) {
  const Queue own(discrete_null);
  const Queue mine(backend(discrete_null).make_queue(own.context().backend_context()));
  EXPECT_EQ(current_queue(discrete_null), own);
  {
    const OnQueue outer(mine);
    EXPECT_EQ(current_queue(discrete_null), mine);
    {
      const OnQueue inner(own);
      EXPECT_EQ(current_queue(discrete_null), own);
    }
    EXPECT_EQ(current_queue(discrete_null), mine);
    std::thread([&] { EXPECT_EQ(current_queue(discrete_null), own); }).join();
    const Array x = ones({4}, TypeId::float32, discrete_null) + 1;
    EXPECT_EQ(sum(x).item<float>(), 8);
  }
  EXPECT_EQ(current_queue(discrete_null), own);
}

TEST(OnDeviceScope, makes_new_arrays_of_its_thread_there) {
  EXPECT_EQ(default_device(), cpu);
  {
    const OnDevice outer(discrete_null);
    EXPECT_EQ(zeros({2}).device(), discrete_null);
    EXPECT_EQ(Array({1, 2}).device(), discrete_null);
    {
      const OnDevice inner("cpu");
      EXPECT_EQ(zeros({2}).device(), cpu);
    }
    EXPECT_EQ(default_device(), discrete_null);
    std::thread([] { EXPECT_EQ(default_device(), cpu); }).join();
  }
  EXPECT_EQ(default_device(), cpu);
}

TEST(OnDeviceScope, leaves_the_memory_of_vectors_on_the_host) {
  const OnDevice there(discrete_null);
  std::vector<float> v{1, 2};
  EXPECT_EQ(Array(v).device(), discrete_null) << "a copy";
  EXPECT_EQ(from_span(v).device(), cpu);
  EXPECT_EQ(Array(std::move(v)).device(), cpu);
  EXPECT_EQ(Array(std::vector<bool>(2)).device(), discrete_null) << "a copy";
}

TEST(OnDeviceScope, may_end_before_a_later_one) {
  auto outer = std::make_unique<OnDevice>(discrete_null), inner = std::make_unique<OnDevice>(cpu);
  outer.reset();
  EXPECT_EQ(default_device(), cpu);
  const OnDevice last(discrete_null);
  EXPECT_EQ(zeros({2}).device(), discrete_null);
  inner.reset();
  EXPECT_EQ(zeros({2}).device(), discrete_null);
}

TEST(OnDeviceScope, that_ends_on_another_thread_ends_for_its_own) {
  auto scope = std::make_unique<OnDevice>(discrete_null);
  std::thread([&] {
    const OnDevice of_this_thread("cpu");
    scope.reset();
    EXPECT_EQ(default_device(), cpu);
    scope = std::make_unique<OnDevice>(discrete_null);
  }).join();
  EXPECT_EQ(default_device(), cpu);
  scope.reset();  // its thread has gone
  EXPECT_EQ(default_device(), cpu);
}

TEST(OnQueueScope, that_ends_on_another_thread_ends_for_its_own) {
  const Queue own(discrete_null);
  const Queue mine(backend(discrete_null).make_queue(own.context().backend_context()));
  auto scope = std::make_unique<OnQueue>(mine);
  EXPECT_EQ(current_queue(discrete_null), mine);
  std::thread([&] {
    scope.reset();
    EXPECT_EQ(current_queue(discrete_null), own);
    const OnQueue of_this_thread(mine);
    EXPECT_EQ(current_queue(discrete_null), mine);
    scope = std::make_unique<OnQueue>(mine);
  }).join();
  EXPECT_EQ(current_queue(discrete_null), own);
  scope.reset();
  EXPECT_EQ(current_queue(discrete_null), own);
}

TEST(OnQueueScope, that_ends_keeps_its_queue_no_longer) {
  const Queue own(discrete_null);
  const Ref<BackendQueue> mine = backend(discrete_null).make_queue(own.context().backend_context());
  const auto before = mine->references();
  {
    const OnQueue scope(mine);
    EXPECT_GT(mine->references(), before);
  }
  EXPECT_EQ(mine->references(), before);
}

TEST(OnQueueScope, may_end_before_a_later_one) {
  const Queue own(discrete_null);
  const Queue mine(backend(discrete_null).make_queue(own.context().backend_context()));
  auto outer = std::make_unique<OnQueue>(mine), inner = std::make_unique<OnQueue>(own);
  outer.reset();
  EXPECT_EQ(current_queue(discrete_null), own);
  const OnQueue last(mine);
  inner.reset();
  EXPECT_EQ(current_queue(discrete_null), mine);
}

TEST(Devices, that_are_not_there_are_refused_wherever_they_are_named) {
  EXPECT_THROW(ones({2}, TypeId::float32, Device("cpu", 3)).eval(), DeviceNotFoundError);
  EXPECT_THROW(Device("cpu", -1).info(), DeviceNotFoundError);
  for (const char* name : {"../../evil", "", "a/b", "cpu.so", "CPU"}) {
    EXPECT_THROW(Device(name, 0).info(), DeviceError) << name;
    EXPECT_THROW(backend(name), BackendUnavailableError) << name;
  }
  EXPECT_NE(error_of(Errc::backend_unavailable, [] { backend("../evil"); })
                .find("is not a valid backend name"),
            std::string::npos);
}

}  // namespace
}  // namespace isthmus
