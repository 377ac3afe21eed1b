// test_waiting.cpp: waits that a signal may end, and what errors of the work say.
#include "isthmus/runtime/submit/waiting.h"
#include "isthmus/threads/interrupts.h"

#include <sys/wait.h>
#include <unistd.h>

#include <atomic>

#include "support.h"

namespace isthmus {

using detail::format;
namespace {

using Clock = std::chrono::steady_clock;

/// Work that ends when the test says so.
class Endless : public Event {
 public:
  bool is_done() noexcept override { return done.load(); }
  bool has_failed() noexcept override { return false; }
  void wait() override { done.wait(false); }
  void end() {
    done = true;
    done.notify_all();
  }
  std::atomic<bool> done{false};
};

std::atomic<int> polls{0}, polls_until_stop{0};
std::thread::id listener;

class Waiting : public Graph {
 protected:
  void SetUp() override {
    Graph::SetUp();
    polls = 0;
    polls_until_stop = 0;
    listener = std::this_thread::get_id();
    set_interrupts({[] {
                      if (++polls == polls_until_stop) fail(Errc::interrupted, "stop");
                    },
                    [] { return std::this_thread::get_id() == listener; }});
  }
  void TearDown() override {
    set_interrupts({});
    Graph::TearDown();
  }
};

TEST_F(Waiting, for_work_that_does_not_end_is_ended_by_an_interrupt) {
  const auto endless = make_ref<Endless>();
  polls_until_stop = 3;
  const auto start = Clock::now();
  EXPECT_THROW(wait_for(endless), Error);
  EXPECT_LT(Clock::now() - start, std::chrono::seconds(5));
  // and another wait is not held up by the one that was left
  const auto other = make_ref<Endless>();
  std::thread later([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    other->end();
  });
  wait_for(other);
  later.join();
  EXPECT_GT(polls, 3);
  endless->end();
}

TEST_F(Waiting, polls_only_where_somebody_listens) {
  const auto event = make_ref<Endless>();
  polls_until_stop = 1;
  std::thread waiter([&] { wait_for(event); });
  std::this_thread::sleep_for(std::chrono::milliseconds(60));
  event->end();
  waiter.join();
  EXPECT_EQ(polls, 0);
  const Uninterruptible scope;
  const auto other = make_ref<Endless>();
  std::thread later([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(60));
    other->end();
  });
  wait_for(other);
  later.join();
  EXPECT_EQ(polls, 0);
}

TEST_F(Waiting, learns_how_many_items_of_a_kernel_end_soon) {
  const auto pace = make_ref<Pace>();
  constexpr std::int64_t second = 1'000'000'000;
  const auto note = [&](std::size_t items, std::int64_t began, bool was_waited_for) {
    Pace::Run{pace, items, now_in_nanoseconds() + began}.note_end(was_waited_for);
  };
  EXPECT_FALSE(pace->is_brief(1)) << "nobody has seen it end";
  note(10, second, false);  // it has yet to begin, so it took no time
  note(4, second, true);
  EXPECT_TRUE(pace->is_brief(10));
  EXPECT_FALSE(pace->is_brief(11));
  note(20, -second, true);
  note(10, -second, false);  // nobody waited: it may have ended long ago
  EXPECT_TRUE(pace->is_brief(10));
  note(5, -second, true);
  EXPECT_FALSE(pace->is_brief(10));
}

TEST_F(Waiting, for_what_is_brief_asks_nobody) {
  const auto event = make_ref<Endless>();
  event->is_brief = true;
  std::thread later([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(60));
    event->end();
  });
  wait_for(event);
  later.join();
  EXPECT_EQ(polls, 0);
}

TEST_F(Waiting, for_a_kernel_on_a_device_is_ended_by_an_interrupt_and_the_value_comes_later) {
  control().set_delay(2000000);
  auto r = filled(discrete_null, 4, 1);
  for (int i = 0; i < 12; ++i) {
    r = add(r, number(1));
    evaluate(r);
  }
  polls_until_stop = 2;
  const auto start = Clock::now();
  EXPECT_THROW(wait(r), Error);
  EXPECT_LT(Clock::now() - start, std::chrono::milliseconds(900));
  control().set_delay(0);
  EXPECT_EQ(values(r), std::vector<float>(4, 13));
  control().set_delay(300);
}

TEST_F(Waiting, says_what_the_work_was_that_failed) {
  for (const Device& device : {shared_null, discrete_null}) {
    const auto a = filled(device, 6, 2);
    synchronize(device);
    control().set_command_fail_at(1, false, static_cast<int>(Errc::launch));
    const auto bad = add(times(a, number(2)), number(1));
    evaluate(bad);
    for (int time = 0; time < 2; ++time) try {
        wait(bad);
        FAIL();
      } catch (const Error& error) {
        EXPECT_TRUE(std::string_view(error.what())
                        .starts_with("multiply, add of shape (6,): null_command: call "))
            << error.what();
      }
    // what is made of it later says whose fault it was
    const auto root = map(Op::sqrt, device, {6}, {whole(bad)});
    evaluate(root);
    const auto above = add(root, number(1));
    evaluate(above);
    try {
      wait(above);
      FAIL();
    } catch (const Error& error) {
      EXPECT_TRUE(std::string_view(error.what())
                      .starts_with("add of shape (6,): multiply, add of shape (6,): null_"))
          << error.what();
    }
  }
}

/// Status of a child that runs `f`; it is killed if it hangs.
template <class F>
int child(F f) {
  const pid_t pid = fork();
  if (pid == 0) {
    alarm(20);
    _exit(f());
  }
  int status = 0;
  waitpid(pid, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
}

TEST_F(Waiting, for_what_another_thread_was_calculating_ends_in_a_forked_child) {
  static std::atomic<bool> is_between{false}, may_go_on{false};
  is_between = may_go_on = false;
  set_interrupts({[] {
                    is_between = true;
                    is_between.notify_all();
                    may_go_on.wait(false);
                  },
                  [] { return false; }});
  const auto a = filled(cpu, 6, 2);
  const auto first = times(a, number(2));
  // two kernels: the thread stands still between them
  const auto r = map(Op::add, cpu, {6}, {view(first, {Dims{6}, Dims{-1}, 5}), number(1)});
  std::thread thread([&] { evaluate(r); });
  is_between.wait(false);
  EXPECT_EQ(r->state(), Storage::State::running);
  EXPECT_EQ(child([&] {
              set_interrupts({});
              for (int time = 0; time < 2; ++time) try {
                  evaluate(r);
                  return 1;
                } catch (const Error& error) {
                  if (!std::strstr(error.what(), "forked")) return 2;
                }
              write(a, a->layout, number(7));  // a write asks the pending readers first
              return values(add(a, number(1))) == std::vector<float>(6, 8) ? 0 : 3;
            }),
            0);
  may_go_on = true;
  may_go_on.notify_all();
  thread.join();
  EXPECT_EQ(values(r), std::vector<float>(6, 5));
}

TEST_F(Waiting, for_a_backend_that_another_thread_opens_ends_in_a_forked_child) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "the sanitizer's own locks do not stand a fork while threads allocate";
#endif
  std::atomic<bool> is_over{false};
  std::vector<std::thread> threads;
  for (int t = 0; t < 3; ++t)
    threads.emplace_back([&, t] {
      for (int i = 0; !is_over; ++i) try {
          backend(format("absent_{}_{}", t, i % 500));
        } catch (const Error& error) {
          if (error.code() != Errc::backend_unavailable) std::abort();
        }
    });
  int hung = 0;
  for (int i = 0; i < 30; ++i)
    hung += child([&] {
      for (int n = 0; n < 500; n += 7) try {
          backend(format("absent_0_{}", n));
        } catch (const Error& error) {
          if (error.code() != Errc::backend_unavailable) return 1;
        }
      return parse_device("cpu").is_host() ? 0 : 2;
    });
  is_over = true;
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(hung, 0);
}

}  // namespace
}  // namespace isthmus
