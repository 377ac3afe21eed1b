// test_null_backend.cpp: the backend that other tests trust.
#include <sys/wait.h>
#include <unistd.h>

#include "support.h"

namespace isthmus {
namespace {

class NullBackend : public Graph {
 protected:
  Backend& null = backend("null");

  std::string records() {
    std::string text(control().records(nullptr, 0), '\0');
    control().records(text.data(), text.size());
    return text;
  }
  Ref<BackendMemory> upload(const Device& device, std::vector<float> data) {
    auto memory = allocate(device, data.size() * sizeof(float));
    transfer(*memory, data.data(), data.size() * sizeof(float), true);
    return memory;
  }
};

TEST_F(NullBackend, is_not_listed_but_found_by_name) {
  for (const Device& device : find_devices().devices) EXPECT_NE(device.backend(), "null");
  EXPECT_EQ(parse_device("null:2"), discrete_null);
  EXPECT_THROW(parse_device("null:3"), Error);
  EXPECT_THROW(null.default_context(3), Error);
}

TEST_F(NullBackend, says_what_its_devices_are) {
  EXPECT_EQ(null.describe(0).kinds.at(0), MemoryKind::buffer);
  EXPECT_EQ(null.describe(1).kinds.at(0), MemoryKind::shared);
  EXPECT_EQ(null.describe(2).kinds.at(0), MemoryKind::device);
  EXPECT_FALSE(null.describe(0).has_fp64);
  EXPECT_TRUE(null.describe(1).has_fp64);
  EXPECT_FALSE(null.describe(2).has_fp64);
  EXPECT_FALSE(null.describe(2).has_unified_memory);
}

TEST_F(NullBackend, records_what_the_first_device_was_asked_and_runs_nothing) {
  control().clear_records();
  cache::clear(false);
  setenv("ISTHMUS_CACHE", "0", 1);
  const auto a = filled(recorder, 6, 1);
  EXPECT_EQ(a->memory()->host, nullptr);
  evaluate(add(times(a, number(2)), number(1)));
  unsetenv("ISTHMUS_CACHE");
  EXPECT_EQ(records(), "copy 24 bytes\ncompile\nlaunch map (6,) multiply:float32 add:float32\n");
}

TEST_F(NullBackend, runs_asynchronously) {
  control().set_delay(50000);
  const auto a = filled(discrete_null, 10, 1);
  bool was_pending = false;
  for (int i = 0; i < 30 && !was_pending; ++i) {
    const auto r = add(a, number(1));
    evaluate(r);
    Events waits;
    std::lock_guard lock(graph_lock());
    add_waits_for_reading(*r->memory(), waits);
    was_pending = !waits.empty();
  }
  control().set_delay(300);
  EXPECT_TRUE(was_pending);
}

TEST_F(NullBackend, hides_discrete_memory_from_the_host) {
  const auto memory = upload(discrete_null, {1, 2, 3});
  EXPECT_EQ(memory->host, nullptr);
  EXPECT_DEATH(*reinterpret_cast<volatile float*>(memory->handle) = 1, "");
}

TEST_F(NullBackend, knows_its_own_addresses_and_no_others) {
  for (const Device& device : {shared_null, discrete_null}) {
    const auto memory = allocate(device, 1000);
    BackendContext& context = *null.default_context(device.index());
    const PointerInfo inside = null.query(context, memory->handle + 500);
    EXPECT_EQ(inside.base, memory->handle);
    EXPECT_EQ(inside.kind, memory->kind);
    EXPECT_EQ(inside.device, device.index());
    EXPECT_GE(inside.bytes, 1000u);
    EXPECT_EQ(null.query(context, memory->handle + inside.bytes).base == memory->handle, false);
    int local = 0;
    EXPECT_EQ(null.query(context, reinterpret_cast<std::uintptr_t>(&local)).kind,
              MemoryKind::unknown);
  }
}

TEST_F(NullBackend, refuses_doubles_on_the_discrete_device_but_moves_them) {
  auto memory = allocate(discrete_null, 80);
  const auto a = make_ref<Storage>(TypeId::float64, row_major(Dims{10}), memory);
  try {
    evaluate(map(Op::add, discrete_null, {10}, {whole(a), number(1)}, TypeId::float64));
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Errc::compile);
  }
  EXPECT_NO_THROW(evaluate(
      map(Op::astype, discrete_null, {10}, {view(a, {Dims{10}, Dims{-1}, 9})}, TypeId::float64)));
}

TEST_F(NullBackend, takes_queues_of_a_user_in_order_or_not) {
  for (const bool is_in_order : {true, false}) {
    const auto native = control().make_queue(2, 0, is_in_order);
    const Ref<BackendQueue> before = current_backend_queue(discrete_null);
    {
      const Ref<BackendQueue> queue = null.adopt_queue(native);
      EXPECT_EQ(queue->is_in_order, is_in_order);
      EXPECT_EQ(queue->context, null.default_context(2));
      control().drop_queue(native);  // retained
      set_current_queue(discrete_null, queue);
      const auto a = filled(discrete_null, 100, 0);
      for (int i = 0; i < 100; ++i) write(a, a->layout, whole(add(a, number(1))));
      EXPECT_EQ(values(a), std::vector<float>(100, 100));
      synchronize(discrete_null);
    }
    set_current_queue(discrete_null, before);
    EXPECT_THROW(null.adopt_queue(native + 8), Error);
  }
}

TEST_F(NullBackend, orders_work_of_two_queues_by_events_alone) {
  const Ref<BackendQueue> first = current_backend_queue(discrete_null);
  const auto native = control().make_queue(2, 0, false);
  const Ref<BackendQueue> second = null.adopt_queue(native);
  control().drop_queue(native);
  const auto a = filled(discrete_null, 50, 0);
  std::vector<Ref<Storage>> snapshots;
  for (int i = 0; i < 200; ++i) {
    set_current_queue(discrete_null, i % 3 ? second : first);
    snapshots.push_back(add(a, number(0)));
    write(a, a->layout, whole(add(a, number(1))));
  }
  set_current_queue(discrete_null, first);
  for (std::size_t i = 0; i < snapshots.size(); ++i)
    ASSERT_EQ(values(snapshots[i]), std::vector<float>(50, static_cast<float>(i)));
}

TEST_F(NullBackend, runs_an_out_of_order_queue_out_of_order_unless_events_say_so) {
  const auto native = control().make_queue(2, 0, false);
  const Ref<BackendQueue> queue = null.adopt_queue(native);
  control().drop_queue(native);
  control().set_delay(2000);
  const auto target = upload(discrete_null, std::vector<float>(20));
  bool was_disordered = false;
  std::vector<float> numbers(20), found(20);
  auto host = make_ref<BackendMemory>(cpu, MemoryKind::host,
                                      reinterpret_cast<std::uintptr_t>(numbers.data()),
                                      numbers.size() * sizeof(float));
  host->host = numbers.data();
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<float>(i);
  for (int round = 0; round < 50 && !was_disordered; ++round) {
    Events events;
    for (std::size_t i = 0; i < numbers.size(); ++i)
      events.push_back(null.copy(*queue, *host, 4 * i, *target, 4 * i, 4, {}));
    while (!events.back()->is_done()) std::this_thread::yield();
    for (const auto& event : events) was_disordered = was_disordered || !event->is_done();
    null.barrier(*queue, {})->wait();
    for (const auto& event : events) EXPECT_TRUE(event->is_done());
  }
  transfer(*target, found.data(), 80, false);
  EXPECT_EQ(found, numbers);
  control().set_delay(300);
  EXPECT_TRUE(was_disordered);
}

TEST_F(NullBackend, keeps_contexts_of_a_user_apart_and_one_object_each) {
  const auto native = control().make_context(2);
  const Ref<BackendContext> context = null.adopt_context(native);
  EXPECT_EQ(context, null.adopt_context(native));
  EXPECT_NE(context, null.default_context(2));
  EXPECT_EQ(null.adopt_context(null.default_context(2)->native), null.default_context(2));
  const auto queue = control().make_queue(2, native, true);
  EXPECT_EQ(null.adopt_queue(queue)->context, context);
  control().drop_queue(queue);
  control().drop_context(native);
  const auto memory = null.allocate(context, 2, 100, MemoryKind::device);
  EXPECT_TRUE(null.can_adopt(*context, *memory));
  EXPECT_FALSE(null.can_adopt(*null.default_context(2), *memory));
  EXPECT_THROW(null.adopt_context(12345), Error);
}

TEST_F(NullBackend, hands_events_out_and_takes_them_back) {
  control().set_delay(20000);
  const auto a = filled(discrete_null, 10, 1);
  const Ref<Event> event = null.barrier(*current_backend_queue(discrete_null), {});
  const std::uintptr_t native = null.export_event(*event);
  if (native) {
    null.adopt_event(native)->wait();
    control().drop_event(native);
  }
  control().set_delay(300);
  event->wait();
  EXPECT_EQ(null.export_event(*event), 0u);
  EXPECT_THROW(null.adopt_event(0), Error);
}

TEST_F(NullBackend, leaves_no_objects_behind) {
  cache::clear(false);
  eventually([] { return reaper_backlog() == 0; });
  census();
  std::int64_t before = 0;
  eventually(
      [&] { return std::exchange(before, control().live_objects()) == control().live_objects(); });
  {
    const auto native = control().make_queue(2, 0, false);
    const Ref<BackendQueue> queue = null.adopt_queue(native);
    control().drop_queue(native);
    set_current_queue(discrete_null, queue);
    for (int i = 0; i < 20; ++i) evaluate(add(filled(discrete_null, 1000 * i + 1, 1), number(1)));
  }
  set_current_queue(discrete_null, null.default_queue(2));
  synchronize(discrete_null);  // lets go of the queue
  cache::clear(false);
  EXPECT_TRUE(eventually([&] {
    census();
    return reaper_backlog() == 0 && control().live_objects() <= before;
  })) << control().live_objects()
      << " and " << before;
}

TEST_F(NullBackend, fails_commands_that_touch_released_memory) {
  const auto context = null.default_context(2);
  auto memory = null.allocate(context, 2, 100, MemoryKind::device);
  float number = 1;
  auto host =
      make_ref<BackendMemory>(cpu, MemoryKind::host, reinterpret_cast<std::uintptr_t>(&number), 4);
  host->host = &number;
  const auto gate = [] {
    struct Gate : Event {
      std::atomic<bool> open{false};
      bool is_done() noexcept override { return open; }
      bool has_failed() noexcept override { return false; }
      void wait() override { open.wait(false); }
    };
    return make_ref<Gate>();
  }();
  const Ref<Event> waits[] = {Ref<Event>(gate)};
  const Ref<Event> event = null.copy(*null.default_queue(2), *host, 0, *memory, 0, 4, waits);
  memory = nullptr;  // nobody noted the copy
  gate->open = true;
  gate->open.notify_all();
  EXPECT_THROW(event->wait(), Error);
  EXPECT_TRUE(event->has_failed());
  EXPECT_THROW(event->wait(), Error);
}

TEST_F(NullBackend, refuses_copies_past_the_end) {
  const auto memory = upload(discrete_null, {1, 2});
  EXPECT_THROW(null.copy(*current_backend_queue(discrete_null), *memory, 0, *memory, 0,
                         memory->bytes + 1, {}),
               Error);
  EXPECT_THROW(
      null.copy(*current_backend_queue(discrete_null), *memory, SIZE_MAX, *memory, 0, 2, {}),
      Error);
}

std::atomic<int> hooked{0};

TEST_F(NullBackend, passes_every_call_through_the_hook) {
  control().set_hook([](const char*) { ++hooked; });
  const auto before = control().calls_so_far();
  hooked = 0;
  values(add(filled(discrete_null, 3, 1), number(1)));
  EXPECT_EQ(hooked, control().calls_so_far() - before);
  EXPECT_GE(hooked, 4);
  control().set_hook(nullptr);
}

TEST_F(NullBackend, drains_a_queue_that_nobody_holds_any_more) {
  control().set_delay(3000);
  const auto native = control().make_queue(2, 0, true);
  Ref<BackendQueue> queue = null.adopt_queue(native);
  control().drop_queue(native);
  const auto target = upload(discrete_null, {0});
  Events events;
  for (int i = 0; i < 20; ++i) events.push_back(null.copy(*queue, *target, 0, *target, 0, 4, {}));
  queue = nullptr;
  for (const auto& event : events) EXPECT_NO_THROW(event->wait());
  control().set_delay(300);
}

TEST_F(NullBackend, says_so_in_a_forked_child_and_leaves_cpu_usable_there) {
  const auto on_cpu = filled(cpu, 4, 1);
  const auto on_null = filled(discrete_null, 4, 1);
  evaluate(add(on_null, number(1)));
  const pid_t child = fork();
  if (child == 0) {
    alarm(20);
    int code = 1;
    try {
      evaluate(add(on_null, number(2)));
    } catch (const Error& error) {
      const bool is_clear = std::string(error.what()).find("a forked child") != std::string::npos;
      code = error.code() == Errc::launch && is_clear ? 0 : 2;
    }
    if (values(add(on_cpu, number(1))) != std::vector<float>(4, 2)) code = 3;
    _exit(code);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 0);
}

}  // namespace
}  // namespace isthmus
