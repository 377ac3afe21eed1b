// executor.cpp: parallel_for on oneTBB, or on a small pool of our own.
#include "isthmus/threads/executor.h"

#include <pthread.h>
#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <charconv>
#include <exception>
#include <map>
#include <mutex>
#include <optional>
#include <string_view>
#include <thread>
#include <utility>

#ifdef ISTHMUS_TBB
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/partitioner.h>
#include <oneapi/tbb/task_arena.h>
#endif

#include "isthmus/base/environment.h"
#include "isthmus/base/error.h"
#include "isthmus/threads/interrupts.h"
#include "isthmus/threads/shares.h"

namespace isthmus::inline ISTHMUS_ABI {

using detail::format;
namespace {

/// The processors that this process may run on: fewer than there are under taskset, in a batch job
/// or in a container.
int processors() {
#if defined(__linux__)
  cpu_set_t allowed;
  if (sched_getaffinity(0, sizeof allowed, &allowed) == 0) return std::max(CPU_COUNT(&allowed), 1);
#endif
  return std::max(static_cast<int>(std::thread::hardware_concurrency()), 1);
}

/// The number that a text begins with, if it is 1 or more and `ends(rest)`; else nothing.
template <class Ends>
std::optional<int> count_of(std::string_view text, Ends ends) {
  int count = 0;
  const char* const end = text.data() + text.size();
  const auto [at, error] = std::from_chars(text.data(), end, count);
  if (error != std::errc() || count < 1 || !ends(std::string_view(at, end))) return {};
  return count;
}

/// One for each processor; fewer if OMP_NUM_THREADS says so, with which programs and job schedulers
/// limit all libraries of a process. It may be a list, for nested loops.
int usual_thread_count() {
  const auto ends = [](std::string_view rest) { return rest.empty() || rest.front() == ','; };
  const int most = processors();
  return std::min(count_of(variable("OMP_NUM_THREADS"), ends).value_or(most), most);
}

int first_thread_count() {
  const int usual = usual_thread_count();
  const std::string text = variable("ISTHMUS_NUM_THREADS");
  if (text.empty()) return usual;
  if (const auto count = count_of(text, [](std::string_view rest) { return rest.empty(); }))
    return *count;
  warn_of_setting(format(
      "ISTHMUS_NUM_THREADS: '{}' is not a number of 1 or more; {} threads are used", text, usual));
  return usual;
}

/// Asked while the library is loaded: a child that is forked while some thread makes a local static
/// would wait for that thread for ever.
std::atomic<int> wanted_threads{first_thread_count()};

/// Whether this thread is inside a chunk; a loop that it starts then runs on it alone.
thread_local bool is_inside = false;

class Inside {
 public:
  Inside() { is_inside = true; }
  ~Inside() { is_inside = false; }
  Inside(const Inside&) = delete;
};

void run_alone(std::int64_t count, std::int64_t grain, ChunkFunction f) {
  for (std::int64_t begin = 0; begin < count; begin += grain)
    f(begin, std::min(count, begin + grain));
}

#ifdef ISTHMUS_TBB

/// Set in a forked child: TBB's threads did not come along, and it cannot be started again.
std::atomic<bool> is_forked = false;
[[maybe_unused]] const int fork_hook =
    pthread_atfork(nullptr, nullptr, [] { is_forked.store(true, std::memory_order_relaxed); });

void run_together(std::int64_t count, std::int64_t grain, int threads, ChunkFunction f) {
  if (is_forked.load(std::memory_order_relaxed)) return run_alone(count, grain, f);
  static std::mutex mutex;
  // one for each number of threads; leaked, since TBB may be gone before static destructors
  static auto& arenas = *new std::map<int, tbb::task_arena>;
  tbb::task_arena* current;
  {
    const std::lock_guard lock(mutex);
    current = &arenas.try_emplace(threads, threads).first->second;
  }
  detail::Shares shares(count, grain, threads, f);
  const auto work = [&](int) {
    const Inside inside;
    shares.run(tbb::this_task_arena::current_thread_index());
  };
  // static: each thread of the arena gets its task, as long as it comes before another has run it
  current->execute([&] { tbb::parallel_for(0, shares.size(), work, tbb::static_partitioner()); });
}

#else

void pause() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#endif
}

/// One loop at a time. Workers wait for `round` to change, run chunks while there are any, and
/// count themselves out; the caller runs chunks too and returns when all workers are out.
class Pool {
 public:
  explicit Pool(int wanted) : wanted_(wanted) {
    try {
      for (; workers_ < wanted; ++workers_)
        std::jthread([this, i = workers_ + 1] { work(i); }).detach();
    } catch (const std::exception&) {
      return;  // those that run are enough, were there none
    }
  }
  int wanted() const { return wanted_; }

  /// False if another thread has the pool.
  bool try_run(std::int64_t count, std::int64_t grain, ChunkFunction f) {
    if (is_busy_.exchange(true, std::memory_order_acquire)) return false;
    detail::Shares shares(count, grain, wanted_ + 1, f);
    loop_ = &shares;
    // A ticket for each worker that may come; whoever arrives late finds none and stays out.
    const std::uint32_t round = (round_.load(std::memory_order_relaxed) & ~mask) + step;
    round_.store(round | static_cast<std::uint32_t>(workers_), std::memory_order_seq_cst);
    if (sleepers_.load(std::memory_order_seq_cst) > 0) round_.notify_all();
    run_chunks(0);
    // The door shuts: workers that have not entered never will, the others are waited for.
    std::uint32_t state = round_.fetch_and(~mask, std::memory_order_acq_rel);
    const int entered = workers_ - static_cast<int>(state & mask);
    for (int spins = 0; done_.load(std::memory_order_acquire) != entered; ++spins)
      spins < 4000 ? pause() : std::this_thread::yield();
    done_.store(0, std::memory_order_relaxed);
    const std::exception_ptr failure = std::exchange(failure_, nullptr);
    has_failed_.store(false, std::memory_order_relaxed);
    is_busy_.store(false, std::memory_order_release);
    if (failure) std::rethrow_exception(failure);
    return true;
  }

 private:
  static constexpr std::uint32_t mask = 0xfff, step = 0x1000;

  void run_chunks(int thread) {
    const Inside inside;
    try {
      loop_->run(thread);
    } catch (...) {  // the first is the caller's
      if (!has_failed_.exchange(true)) failure_ = std::current_exception();
    }
  }

  bool enter() {
    std::uint32_t state = round_.load(std::memory_order_acquire);
    while (state & mask)
      if (round_.compare_exchange_weak(state, state - 1, std::memory_order_acq_rel)) return true;
    return false;
  }

  void work(int thread) {
    for (;;) {
      std::uint32_t state = round_.load(std::memory_order_acquire);
      for (int spins = 0; !(state & mask) && spins < 4000; ++spins) {
        pause();
        state = round_.load(std::memory_order_acquire);
      }
      if (!(state & mask)) {
        sleepers_.fetch_add(1, std::memory_order_seq_cst);
        state = round_.load(std::memory_order_seq_cst);
        while (!(state & mask)) {
          round_.wait(state, std::memory_order_seq_cst);
          state = round_.load(std::memory_order_seq_cst);
        }
        sleepers_.fetch_sub(1, std::memory_order_relaxed);
      }
      if (!enter()) continue;
      run_chunks(thread);
      done_.fetch_add(1, std::memory_order_release);
    }
  }

  const int wanted_;
  int workers_ = 0;  ///< As many as could be had.
  std::atomic<bool> is_busy_ = false;
  detail::Shares* loop_ = nullptr;
  std::atomic<bool> has_failed_ = false;
  std::exception_ptr failure_;
  alignas(64) std::atomic<std::uint32_t> round_ = 0;  ///< Round, and workers that may still enter.
  alignas(64) std::atomic<int> done_ = 0;
  alignas(64) std::atomic<int> sleepers_ = 0;
};

std::atomic<Pool*> pool = nullptr;
// A forked child has no workers: it forgets the pool (and leaks it) and starts its own.
[[maybe_unused]] const int fork_hook =
    pthread_atfork(nullptr, nullptr, [] { pool.store(nullptr); });

/// Leaked on purpose, also when the thread count changes: workers never end, and joining them in
/// a static destructor hangs or crashes where other libraries have been torn down already.
Pool* pool_of(int threads) {
  Pool* current = pool.load(std::memory_order_acquire);
  if (current && current->wanted() == threads - 1) return current;
  try {
    Pool* fresh = new Pool(threads - 1);
    if (pool.compare_exchange_strong(current, fresh, std::memory_order_acq_rel)) return fresh;
    return current && current->wanted() == threads - 1 ? current : fresh;
  } catch (...) {
    return nullptr;  // no more threads to be had: the caller does the work
  }
}

void run_together(std::int64_t count, std::int64_t grain, int threads, ChunkFunction f) {
  Pool* current = pool_of(std::min(threads, 4000));  // the tickets of a round have 12 bits
  if (!current || !current->try_run(count, grain, f)) run_alone(count, grain, f);
}

#endif

}  // namespace

static void run(std::int64_t count, std::int64_t grain, ChunkFunction f) {
  const int threads = is_inside ? 1 : thread_count();
  if (threads == 1) return run_alone(count, grain, f);
  run_together(count, grain, threads, f);
}

void parallel_for(std::int64_t count, std::int64_t grain, ChunkFunction f) {
  if (count <= 0) return;
  if (count <= grain) return f(0, count);
  if (!Interruptible::is_on || is_inside || !is_interrupt_heard()) return run(count, grain, f);
  const auto caller = std::this_thread::get_id();
  auto listening = [&](std::int64_t begin, std::int64_t end) {
    if (std::this_thread::get_id() == caller) listen();
    f(begin, end);
  };
  run(count, grain, listening);
}

int thread_count() { return wanted_threads.load(std::memory_order_relaxed); }

void set_thread_count(int count) {
  detail::check(count >= 1, Errc::value, "set_thread_count: {} threads; at least 1 is needed",
                count);
  wanted_threads.store(count, std::memory_order_relaxed);
}

}  // namespace isthmus::inline ISTHMUS_ABI
