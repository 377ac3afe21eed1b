// test_opencl_backend.cpp: drivers and users' handles, on every OpenCL device that is found.
#include <algorithm>
#include <filesystem>
#include <fstream>

#include "isthmus/exchange/native.h"
#include "isthmus/opencl_driver/find_drivers.h"
#include "opencl_devices.h"

namespace isthmus {

using detail::format;
namespace {

const DevicesOf& found() {
  static const DevicesOf devices("opencl");
  return devices;
}

class OpenclBackend : public Graph {
 protected:
  Backend& opencl = backend("opencl");
  void SetUp() override {
    if (found().devices.empty()) GTEST_SKIP() << found().reason;
    Graph::SetUp();
  }
  template <class F>
  void on_each_device(F f) {
    for (const Device& device : found().devices) {
      SCOPED_TRACE(to_string(device));
      f(device);
      tidy(device);
    }
  }
};

TEST(FindDrivers, reads_icd_files_and_lists_each_driver_once) {
  const auto folder = std::filesystem::temp_directory_path() / format("icd-{}", getpid());
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "b.icd") << "libsecond.so  \nignored\n";
  std::ofstream(folder / "a.icd") << "/first/lib.so\r\n";
  std::ofstream(folder / "not.txt") << "libnever.so\n";
  setenv("OCL_ICD_VENDORS", folder.c_str(), 1);
  setenv("OCL_ICD_FILENAMES", "/named/one.so:libsecond.so", 1);
  const auto files = driver::driver_files();
  unsetenv("OCL_ICD_VENDORS");
  unsetenv("OCL_ICD_FILENAMES");
  std::filesystem::remove_all(folder);
  ASSERT_GE(files.size(), 3u);
  EXPECT_EQ(files[0], "/named/one.so");
  EXPECT_EQ(files[1], "libsecond.so");
  EXPECT_EQ(files[2], "/first/lib.so");
  EXPECT_EQ(std::ranges::count(files, "libsecond.so"), 1);
  EXPECT_EQ(std::ranges::count(files, "libnever.so"), 0);
}

TEST_F(OpenclBackend, knows_its_own_context_when_it_comes_back) {
  on_each_device([&](const Device& device) {
    const Ref<BackendContext> context = opencl.default_context(device.index());
    const std::uintptr_t handle = opencl.export_context(*context);
    EXPECT_EQ(opencl.adopt_context(handle), context);
    opencl.drop_context(handle);
    EXPECT_THROW(opencl.adopt_context(0), Error);
    EXPECT_THROW(opencl.adopt_queue(0), Error);
  });
}

TEST_F(OpenclBackend, keeps_one_wrapper_of_a_users_context_apart_from_its_own) {
  on_each_device([&](const Device& device) {
    const Ref<BackendContext> own = opencl.default_context(device.index());
    const cl_device_id id = cl_device_of(cl_context_of(*own));
    const driver::Api& api = api_of(id);
    const driver::Owned users(api.clReleaseContext,
                              driver::make("clCreateContext", api.clCreateContext, nullptr,
                                           cl_uint{1}, &id, nullptr, nullptr));
    const auto native = reinterpret_cast<std::uintptr_t>(users.get());
    const Ref<BackendContext> context = opencl.adopt_context(native);
    EXPECT_EQ(opencl.adopt_context(native), context);
    EXPECT_NE(context, own);
    EXPECT_EQ(context->device, device);
    const auto memory = allocate(device, 64);
    EXPECT_TRUE(opencl.can_adopt(*own, *memory));
    EXPECT_FALSE(opencl.can_adopt(*context, *memory));
  });
}

TEST_F(OpenclBackend, works_on_a_users_queue_in_order_or_not_and_lets_go_of_it) {
  on_each_device([&](const Device& device) {
    const Ref<BackendQueue> before = current_backend_queue(device);
    for (const bool is_in_order : {true, false}) {
      const auto users = make_cl_queue(cl_context_of(*before->context), is_in_order);
      const cl_uint held = references(users.get());
      {
        const Ref<BackendQueue> queue =
            opencl.adopt_queue(reinterpret_cast<std::uintptr_t>(users.get()));
        EXPECT_EQ(queue->is_in_order, is_in_order);
        EXPECT_EQ(queue->context, before->context);
        set_current_queue(device, queue);
        const auto a = filled(device, 100, 0);
        for (int i = 0; i < 60; ++i) write(a, a->layout, whole(add(a, number(1))));
        EXPECT_EQ(values(a), std::vector<float>(100, 60));
        synchronize(device);  // which lets go of queues that had work
        set_current_queue(device, before);
      }
      tidy(device);  // PoCL's memory keeps its last event, and events keep their queue
      EXPECT_TRUE(eventually([&] { return references(users.get()) <= held + 1; }))
          << references(users.get()) << " references, not " << held;
    }
  });
}

/// Also where a driver is not told to begin, since it does so by itself: what waits for an event of
/// another queue is begun when that has ended, too.
TEST_F(OpenclBackend, begins_with_work_that_nobody_waits_for) {
  on_each_device([&](const Device& device) {
    const Ref<BackendQueue> own = current_backend_queue(device);
    for (const bool is_in_order : {true, false}) {
      const auto users = make_cl_queue(cl_context_of(*own->context), is_in_order);
      const auto a = filled(device, 5000, 1);
      for (int i = 0; i < 50; ++i) {
        const auto first = add(a, whole(a));
        evaluate(first);
        set_current_queue(device,
                          opencl.adopt_queue(reinterpret_cast<std::uintptr_t>(users.get())));
        const auto second = add(first, whole(a));
        evaluate(second);
        set_current_queue(device, own);
        const auto has_ended = [&] {
          const std::lock_guard lock(graph_lock());
          const Events& writes = second->memory()->activity().hazards.writes;
          return std::ranges::all_of(writes, [](const auto& event) { return event->is_done(); });
        };
        ASSERT_TRUE(eventually(has_ended))
            << "of a queue " << (is_in_order ? "in" : "out of") << " order";
      }
      synchronize(device);
    }
  });
}

TEST_F(OpenclBackend, orders_work_of_two_queues_by_events_alone) {
  on_each_device([&](const Device& device) {
    const Ref<BackendQueue> first = current_backend_queue(device);
    const auto users = make_cl_queue(cl_context_of(*first->context), false);
    const Ref<BackendQueue> second =
        opencl.adopt_queue(reinterpret_cast<std::uintptr_t>(users.get()));
    const auto a = filled(device, 50, 0);
    std::vector<Ref<Storage>> snapshots;
    for (int i = 0; i < 60; ++i) {
      set_current_queue(device, i % 3 ? second : first);
      snapshots.push_back(add(a, number(0)));
      write(a, a->layout, whole(add(a, number(1))));
    }
    set_current_queue(device, first);
    for (std::size_t i = 0; i < snapshots.size(); ++i)
      ASSERT_EQ(values(snapshots[i]), std::vector<float>(50, static_cast<float>(i)));
  });
}

TEST_F(OpenclBackend, lends_buffers_to_the_device_and_gives_them_back_to_the_host) {
  on_each_device([&](const Device& device) {
    const auto& kinds = opencl.describe(device.index()).kinds;
    for (const MemoryKind kind : {MemoryKind::buffer, MemoryKind::shared}) {
      if (std::ranges::find(kinds, kind) == kinds.end()) continue;
      const Ref<BackendMemory> memory = allocate(device, 4000, kind);
      if (!memory->host) continue;
      auto* numbers = static_cast<float*>(memory->host);
      const auto a = make_ref<Storage>(TypeId::float32, row_major(Dims{1000}), memory);
      for (int round = 0; round < 5; ++round) {
        for (int i = 0; i < 1000; ++i) numbers[i] = static_cast<float>(i + round);
        write(a, a->layout, whole(add(a, number(1))));
        wait(a, true);
        for (int i = 0; i < 1000; ++i) ASSERT_EQ(numbers[i], static_cast<float>(i + round + 1));
      }
    }
  });
}

TEST_F(OpenclBackend, waits_on_the_host_for_events_of_other_drivers) {
  on_each_device([&](const Device& device) {
    control().set_delay(20000);
    for (int i = 0; i < 10; ++i) {
      const auto there = filled(shared_null, 200, static_cast<float>(i));
      const auto sum = add(there, number(1));
      evaluate(sum);
      Events waits;
      {
        const std::lock_guard lock(graph_lock());
        add_waits_for_reading(*sum->memory(), waits);
      }
      std::vector<float> seen(200);
      const Ref<BackendMemory> to = allocate(device, 800);
      const Ref<BackendQueue> queue = current_backend_queue(device);
      const Ref<Event> event =
          opencl.copy(*queue, *sum->memory(), 0, *to, 0, 800, {waits.begin(), waits.end()});
      if (event) event->wait();
      transfer(*to, seen.data(), 800, false);
      EXPECT_EQ(seen, std::vector<float>(200, static_cast<float>(i + 1)));
    }
    control().set_delay(300);
  });
}

TEST_F(OpenclBackend, names_what_it_cannot_allocate) {
  on_each_device([&](const Device& device) {
    const auto code_of = [&](std::size_t bytes, MemoryKind kind) {
      try {
        opencl.allocate(opencl.default_context(device.index()), device.index(), bytes, kind);
      } catch (const Error& error) {
        return error.code();
      }
      return Errc::unsupported;
    };
    EXPECT_EQ(code_of(std::size_t{1} << 50, opencl.describe(device.index()).kinds[0]),
              Errc::out_of_memory);
    EXPECT_EQ(code_of(64, MemoryKind::managed), Errc::value);
  });
}

TEST_F(OpenclBackend, takes_no_context_and_no_device_for_a_queue) {
  on_each_device([&](const Device& device) {
    const Ref<BackendContext> context = opencl.default_context(device.index());
    const auto queue = make_cl_queue(cl_context_of(*context), true);
    adopt_queue("opencl", queue.get());
    const cl_device_id id = cl_device_of(cl_context_of(*context));
    const driver::Platform& platform = driver::platform_of(id);
    for (const void* wrong : {static_cast<const void*>(cl_context_of(*context)),
                              static_cast<const void*>(id), static_cast<const void*>(platform.id)})
      EXPECT_THROW(adopt_queue("opencl", wrong), ExchangeError);
  });
}

TEST_F(OpenclBackend, takes_no_number_and_no_memory_of_the_host_for_a_buffer) {
  on_each_device([](const Device& device) {
    const std::int64_t numbers[] = {77, 78, 79, 80};
    NativeMemory memory;
    memory.queue = current_queue(device);
    memory.is_buffer = true;
    memory.dtype = TypeId::float32;
    memory.layout = row_major(Dims{4});
    for (const void* wrong : {reinterpret_cast<const void*>(16), static_cast<const void*>(numbers)})
      try {
        memory.handle = const_cast<void*>(wrong);
        from_native(memory);
        ADD_FAILURE() << wrong;
      } catch (const Error& error) {
        EXPECT_EQ(error.code(), Errc::exchange) << error.what();
      }
  });
}

}  // namespace
}  // namespace isthmus
