// wake.cpp: how long a sleeping thread takes to run after it is woken: the first loop of a program
// on several threads waits for this. The thread that wakes it was busy for 15 ms, or slept as long;
// in the last line the sleeper may not run where the other one does.
//
//     g++ -O2 -std=c++20 -pthread bench/wake.cpp -o /tmp/wake && /tmp/wake
#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <thread>
#include <vector>

namespace {

double now() {
  return std::chrono::duration<double, std::micro>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

enum class Waker { was_busy, slept, slept_and_keeps_sleeper_off };

void pause(bool is_asleep) {
  if (is_asleep) {
    usleep(15'000);
    return;
  }
  const double end = now() + 15'000;
  while (now() < end) {
  }
}

void measure(Waker waker, const char* name) {
  cpu_set_t all;
  sched_getaffinity(0, sizeof all, &all);
  std::atomic<std::int64_t> round = 0;
  std::atomic<double> awake = 0;
  std::atomic<pid_t> id = 0;
  std::thread sleeper([&] {
    id = gettid();
    for (std::int64_t last = 0; last >= 0;) {
      round.wait(last);
      last = round;
      awake = now();
      sched_setaffinity(0, sizeof all, &all);
    }
  });
  std::vector<double> times;
  while (!id) usleep(100);
  for (int i = 1; i <= 300; ++i) {
    pause(waker != Waker::was_busy);
    awake = 0;
    const double begin = now();
    if (waker == Waker::slept_and_keeps_sleeper_off) {
      cpu_set_t others = all;
      CPU_CLR(sched_getcpu(), &others);
      sched_setaffinity(id, sizeof others, &others);
    }
    round = i;
    round.notify_one();
    while (awake == 0) {
    }
    times.push_back(awake - begin);
  }
  round = -1;
  round.notify_one();
  sleeper.join();
  std::ranges::sort(times);
  std::printf("%s: median %.0f us, 90%% %.0f us, longest %.0f us\n", name, times[150], times[270],
              times[299]);
}

}  // namespace

int main() {
  measure(Waker::was_busy, "the waker was busy");
  measure(Waker::slept, "the waker slept, too");
  measure(Waker::slept_and_keeps_sleeper_off, "and the sleeper is kept off its processor");
}
