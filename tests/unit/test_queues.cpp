// test_queues.cpp: contexts and queues that users bring, and waiting for all of them.
#include "isthmus/exchange/share.h"
#include "isthmus/runtime/submit/queues.h"

#include <set>

#include "isthmus/exchange/native.h"
#include "isthmus/runtime/call.h"
#include "support.h"

namespace isthmus {
namespace {

/// A context of the discrete device that a user made, and queues on it.
class Queues : public Graph {
 protected:
  void SetUp() override {
    Graph::SetUp();
    before_ = current_backend_queue(discrete_null);
    native_ = control().make_context(2);
  }
  void TearDown() override {
    control().set_delay(300);
    set_current_queue(discrete_null, before_);
    synchronize(discrete_null);
    control().drop_context(native_);
    before_ = nullptr;
    Graph::TearDown();
  }
  Ref<BackendQueue> make_queue(bool is_of_user, bool is_in_order = true) {
    const auto native = control().make_queue(2, is_of_user ? native_ : 0, is_in_order);
    const Ref<BackendQueue> queue = backend("null").adopt_queue(native);
    control().drop_queue(native);
    return queue;
  }

  std::uintptr_t native_ = 0;  ///< The user's context.

 private:
  Ref<BackendQueue> before_;
};

TEST_F(Queues, outputs_and_new_arrays_belong_to_the_context_of_the_queue) {
  const Ref<BackendQueue> queue = make_queue(true);
  set_current_queue(discrete_null, queue);
  const auto a = filled(discrete_null, 10, 3);
  EXPECT_EQ(a->memory()->context, queue->context);
  const auto r = add(times(a, number(2)), number(1));
  EXPECT_EQ(values(r), std::vector<float>(10, 7));
  EXPECT_EQ(r->memory()->context, queue->context);
}

TEST_F(Queues, memory_of_another_context_is_an_error_that_names_both) {
  const auto a = filled(discrete_null, 10, 3);
  const Ref<BackendQueue> of_user = make_queue(true);
  set_current_queue(discrete_null, of_user);
  const auto b = filled(discrete_null, 10, 4);
  EXPECT_EQ(values(add(a, number(1))), std::vector<float>(10, 4)) << "a alone goes to its own";
  set_current_queue(discrete_null, of_user);
  try {
    evaluate(add(a, whole(b)));
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Errc::device_mismatch);
    const std::string text = error.what();
    EXPECT_NE(text.find("default context of null:2"), text.npos) << text;
    EXPECT_NE(text.find("user's context of null:2"), text.npos) << text;
  }
  set_current_queue(discrete_null, make_queue(false));
  EXPECT_EQ(values(add(a, number(1))), std::vector<float>(10, 4)) << "two queues of one context";
}

TEST_F(Queues, what_is_idle_in_a_users_context_goes_when_another_gets_memory) {
  trim_pool(discrete_null);
  const auto idle = [] { return pool_statistics(discrete_null).bytes_idle; };
  const auto before = idle();
  Ref<BackendContext> context;
  const auto use = [&] {
    const Ref<BackendQueue> queue = make_queue(true);
    context = queue->context;
    set_current_queue(discrete_null, queue);
    return filled(discrete_null, 1000, 1)->memory()->handle;
  };
  const auto first = use();
  synchronize(discrete_null);
  EXPECT_TRUE(eventually([&] { return idle() > before; }))
      << "kept for who makes arrays there again";
  EXPECT_EQ(use(), first) << "and used again";
  synchronize(discrete_null);
  const auto used = native_;
  native_ = control().make_context(2);
  const Ref<BackendContext> old = std::move(context);
  use();
  EXPECT_TRUE(eventually([&] { return old->references() == 1; })) << "nothing keeps it then";
  set_current_queue(discrete_null, make_queue(false));
  trim_pool(discrete_null);
  control().drop_context(used);
  EXPECT_TRUE(eventually([&] { return idle() == before; }));
}

TEST_F(Queues, contexts_that_begin_at_once_have_memory_of_their_own) {
  std::atomic<int> ready = 0;
  std::atomic<int> mixed = 0;
  const auto use = [&] {
    for (int round = 1; round <= 300; ++round) {
      const auto native = control().make_context(2), handle = control().make_queue(2, native, true);
      {
        const Ref<BackendQueue> queue = backend("null").adopt_queue(handle);
        ++ready;
        while (ready.load() < 4 * round) std::this_thread::yield();
        const Ref<BackendMemory> first = allocate(*queue, 100), second = allocate(*queue, 100);
        mixed += (first->context != queue->context) + (second->context != queue->context);
      }
      control().drop_queue(handle);
      control().drop_context(native);
    }
  };
  std::vector<std::thread> threads;
  for (int k = 0; k < 4; ++k) threads.emplace_back(use);
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(mixed.load(), 0);
}

TEST_F(Queues, synchronize_waits_for_the_queues_of_every_thread) {
  control().set_delay(30000);
  for (const bool is_in_order : {true, false}) {
    std::vector<Ref<Storage>> made(8);
    std::vector<std::thread> threads;
    for (auto& result : made)
      threads.emplace_back([&result, queue = make_queue(false, is_in_order)]() mutable {
        set_current_queue(discrete_null, std::move(queue));  // ends with the thread
        result = add(add(filled(discrete_null, 10, 1), number(1)), number(1));
        evaluate(result);
      });
    for (auto& thread : threads) thread.join();
    synchronize(discrete_null);
    for (const auto& result : made) {
      Events waits;
      const std::lock_guard lock(graph_lock());
      add_waits_for_reading(*result->memory(), waits);
      EXPECT_TRUE(waits.empty());
    }
  }
}

TEST_F(Queues, that_nobody_holds_go_when_their_work_is_over) {
  const auto work_on_another = [&] {
    set_current_queue(discrete_null, make_queue(false));
    values(add(filled(discrete_null, 10, 1), number(1)));
  };
  for (int i = 0; i < 40; ++i) work_on_another();
  EXPECT_TRUE(eventually([&] {
    work_on_another();  // which is when the others are looked at
    return control().live_objects() < 40;
  })) << "most of them go without being waited for: "
      << control().live_objects();
  set_current_queue(discrete_null, make_queue(false));
}

TEST_F(Queues, of_ours_are_waited_for_without_a_call_of_the_driver) {
  control().set_delay(30000);
  auto r = filled(discrete_null, 10, 1);
  for (int i = 0; i < 4; ++i) {
    r = add(r, number(1));
    evaluate(r);
  }
  const auto calls = call_fault().passed();
  synchronize(discrete_null);
  EXPECT_EQ(call_fault().passed(), calls);
  Events waits;
  const std::lock_guard lock(graph_lock());
  add_waits_for_reading(*r->memory(), waits);
  EXPECT_TRUE(waits.empty());
}

TEST_F(Queues, errors_stay_with_arrays_when_all_is_waited_for) {
  const auto a = filled(discrete_null, 10, 1);
  synchronize(discrete_null);
  control().set_command_fail_at(1, false, static_cast<int>(Errc::launch));
  const auto bad = add(a, number(1));
  evaluate(bad);
  synchronize(discrete_null);
  EXPECT_THROW(wait(bad), Error);
  EXPECT_EQ(values(a), std::vector<float>(10, 1));
}

TEST_F(Queues, a_wait_that_fails_is_not_forgotten) {
  const Ref<BackendQueue> queue = make_queue(false);
  set_current_queue(discrete_null, queue);
  const auto a = filled(discrete_null, 10, 1);
  control().set_fail_at(1, false, static_cast<int>(Errc::launch));
  EXPECT_THROW(synchronize(discrete_null), Error);
  EXPECT_TRUE(queue->has_work);
  synchronize(discrete_null);
  EXPECT_FALSE(queue->has_work);
}

TEST_F(Queues, hold_up_who_is_two_rounds_of_launches_ahead) {
  const Ref<BackendQueue> queue = make_queue(false);
  const auto put = [&](const Ref<Event>& event) {
    Events trash;
    const std::lock_guard order(queue->order);
    return note_work(queue, event, 1, trash);
  };
  const auto other = make_ref<ManualEvent>(), last = make_ref<ManualEvent>();
  other->end();
  for (int i = 1; i < 1024; ++i) EXPECT_FALSE(put(other));
  EXPECT_FALSE(put(last)) << "the first round has nothing before it";
  for (int i = 1; i < 1024; ++i) EXPECT_FALSE(put(other));
  const Ref<Event> milestone = put(other);
  EXPECT_EQ(milestone.get(), last.get());
  const auto held_up = [&] {
    const auto begin = std::chrono::steady_clock::now();
    throttle(milestone);
    return std::chrono::steady_clock::now() - begin;
  };
  EXPECT_GE(held_up(), std::chrono::seconds(1)) << "it may be our caller who ends it";
  last->end();
  EXPECT_LT(held_up(), std::chrono::seconds(1));
}

TEST_F(Queues, that_are_lent_memory_again_and_again_leave_one_event_each) {
  const Ref<BackendQueue> borrowers[] = {make_queue(false), make_queue(false)};
  const auto x = filled(discrete_null, 10, 3);
  wait(x);
  control().set_delay(30000);  // nobody's work ends while the memory comes and goes
  const Array array(x);
  for (int i = 0; i < 50; ++i)
    for (const Ref<BackendQueue>& borrower : borrowers) const Lease lease(array, Queue(borrower));
  std::set<std::uint64_t> timelines;
  {
    std::lock_guard lock(graph_lock());
    const auto& writes = x->memory()->activity().hazards.writes;
    for (const Ref<Event>& event : writes)
      EXPECT_TRUE(event->is_done() || timelines.insert(event->timeline).second);
  }
  EXPECT_FALSE(timelines.empty()) << "the borrowers are still at work";
  control().set_delay(0);
  EXPECT_EQ(values(add(x, number(1))), std::vector<float>(10, 4));
}

TEST_F(Queues, that_borrow_memory_again_and_again_leave_one_event_each) {
  const Ref<BackendQueue> borrowers[] = {make_queue(false), make_queue(false)};
  const auto x = filled(discrete_null, 10, 3);
  wait(x);
  control().set_delay(30000);
  const Array array(x);
  const auto known = [&] {
    const std::lock_guard lock(graph_lock());
    return x->memory()->activity().hazards.writes.size();
  };
  lend_briefly(array, {borrowers[0]});
  const std::size_t once = known();
  EXPECT_GE(once, 1u) << "nobody waits for the borrower";
  for (int i = 0; i < 50; ++i) lend_briefly(array, {borrowers[0]});
  EXPECT_EQ(known(), once);
  for (int i = 0; i < 50; ++i) lend_briefly(array, {borrowers[1]});
  EXPECT_LE(known(), once + 1);
  control().set_delay(0);
  EXPECT_EQ(values(add(x, number(1))), std::vector<float>(10, 4));
  isthmus::synchronize(discrete_null);
  wait(x, true);
  const std::lock_guard lock(graph_lock());
  for (const Ref<Event>& event : x->memory()->activity().hazards.writes)
    EXPECT_TRUE(event->is_done());
}

TEST_F(Queues, of_backends_for_tests_are_not_told_to_users) {
  try {
    parse_device("nowhere:0");
    FAIL();
  } catch (const Error& error) {
    const std::string text = error.what();
    EXPECT_NE(text.find("cpu"), text.npos) << text;
    EXPECT_EQ(text.find("null"), text.npos) << text;
  }
}

}  // namespace
}  // namespace isthmus
