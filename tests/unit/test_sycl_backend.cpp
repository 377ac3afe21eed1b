// test_sycl_backend.cpp: users' queues and contexts, on every SYCL device that is found.
#include <sycl/sycl.hpp>

#include "isthmus/exchange/native.h"
#include "opencl_devices.h"

namespace isthmus {
namespace {

const DevicesOf& found() {
  static const DevicesOf devices("sycl");
  return devices;
}

class SyclBackend : public Graph {
 protected:
  Backend& backend_ = backend("sycl");
  void SetUp() override {
    if (found().devices.empty()) GTEST_SKIP() << found().reason;
    Graph::SetUp();
  }
  /// The default context, as a user has it.
  sycl::context context_of(const Device& device) {
    const auto handle = backend_.export_context(*backend_.default_context(device.index()));
    const sycl::context context = *reinterpret_cast<const sycl::context*>(handle);
    backend_.drop_context(handle);
    return context;
  }
  static std::uintptr_t number_of(const void* object) {
    return reinterpret_cast<std::uintptr_t>(object);
  }
};

TEST_F(SyclBackend, knows_its_own_context_when_it_comes_back) {
  for (const Device& device : found().devices) {
    const sycl::context context = context_of(device);
    EXPECT_EQ(backend_.adopt_context(number_of(&context)),
              backend_.default_context(device.index()));
    const Ref<BackendQueue> own = backend_.default_queue(device.index());
    const auto handle = backend_.export_queue(*own);
    const Ref<BackendQueue> queue = backend_.adopt_queue(handle);
    EXPECT_EQ(queue->context, own->context);
    EXPECT_TRUE(queue->is_in_order);
    backend_.drop_queue(handle);
  }
}

TEST_F(SyclBackend, keeps_a_users_context_apart_from_its_own) {
  for (const Device& device : found().devices) {
    const sycl::context users(context_of(device).get_devices());
    const Ref<BackendContext> context = backend_.adopt_context(number_of(&users));
    EXPECT_EQ(backend_.adopt_context(number_of(&users)), context);
    EXPECT_NE(context, backend_.default_context(device.index()));
    EXPECT_FALSE(backend_.can_adopt(*context, *allocate(device, 64)));
    tidy(device);
  }
}

TEST_F(SyclBackend, works_in_a_users_queue_between_what_its_owner_enqueues) {
  for (const Device& device : found().devices) {
    const sycl::context context = context_of(device);
    for (const bool is_in_order : {true, false}) {
      const sycl::property_list properties =
          is_in_order ? sycl::property_list{sycl::property::queue::in_order{}}
                      : sycl::property_list{};
      sycl::queue users(context, context.get_devices()[0], properties);
      const Ref<BackendQueue> before = current_backend_queue(device);
      const Ref<BackendQueue> queue = backend_.adopt_queue(number_of(&users));
      EXPECT_EQ(queue->is_in_order, is_in_order);
      set_current_queue(device, queue);
      {
        const auto a = filled(device, 1000, 0);
        auto* address = reinterpret_cast<float*>(a->memory()->handle);
        for (int i = 0; i < 20; ++i) {
          users.fill(address, static_cast<float>(i), 1000);
          write(a, a->layout, whole(add(a, number(1))));
          std::vector<float> seen(1000);
          users.memcpy(seen.data(), address, 4000).wait();
          ASSERT_EQ(seen, std::vector<float>(1000, static_cast<float>(i + 1)));
        }
      }
      set_current_queue(device, before);
    }
    tidy(device);
  }
}

TEST_F(SyclBackend, shares_memory_and_events_with_opencl) {
  const DevicesOf below("opencl");
  for (const Device& device : found().devices)
    for (const Device& other : below.devices) {
      const Ref<BackendContext> context = backend(other).default_context(other.index());
      if (context->space != backend_.default_context(device.index())->space) continue;
      {
        const auto a = filled(device, 100, 1);
        EXPECT_TRUE(backend(other).can_adopt(*context, *a->memory()));
        const auto sum = add(a, number(2));
        evaluate(sum);
        Events waits;
        {
          const std::lock_guard lock(graph_lock());
          add_waits_for_reading(*sum->memory(), waits);
        }
        const Ref<BackendMemory> to = allocate(other, 400);
        const Ref<BackendQueue> queue = current_backend_queue(other);
        const Ref<Event> event = backend(other).copy(*queue, *sum->memory(), 0, *to, 0, 400,
                                                     {waits.begin(), waits.end()});
        if (event) event->wait();
        std::vector<float> seen(100);
        transfer(*to, seen.data(), 400, false);
        EXPECT_EQ(seen, std::vector<float>(100, 3));
      }
      tidy(device);
      tidy(other);
    }
}

TEST_F(SyclBackend, names_what_it_cannot_do) {
  EXPECT_THROW(backend_.adopt_queue(0), Error);
  EXPECT_THROW(backend_.adopt_context(0), Error);
  EXPECT_THROW(backend_.adopt_event(0), Error);
  EXPECT_THROW(parse_device("sycl:nothing:7"), Error);
  try {
    backend_.allocate(backend_.default_context(0), 0, std::size_t{1} << 50, MemoryKind::device);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Errc::out_of_memory);
  }
}

TEST_F(SyclBackend, takes_no_number_or_other_object_for_a_queue) {
  const std::uint64_t numbers[] = {77, 78};
  for (const void* wrong : {static_cast<const void*>(nullptr), reinterpret_cast<const void*>(16),
                            static_cast<const void*>(numbers)})
    try {
      isthmus::adopt_queue("sycl", wrong);
      ADD_FAILURE() << wrong;
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), Errc::exchange) << error.what();
    }
}

}  // namespace
}  // namespace isthmus
