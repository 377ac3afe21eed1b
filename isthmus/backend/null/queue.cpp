// queue.cpp: the workers of a queue, and the chance that they take.
#include "isthmus/backend/null/queue.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <system_error>
#include <thread>

#include "isthmus/runtime/evaluate/failure.h"

namespace isthmus::null {

using std::chrono::microseconds;

namespace {

std::uint64_t first_seed() {
  const char* text = std::getenv("ISTHMUS_NULL_SEED");
  return text && *text ? std::strtoull(text, nullptr, 10) : 1;
}

std::atomic<std::uint64_t>& random_state() {
  static std::atomic<std::uint64_t> state{first_seed()};
  return state;
}
std::atomic<std::int64_t> longest_delay{300};
std::atomic<bool> lost[device_count];

/// The next number of splitmix64, shared by all threads.
std::uint64_t random_number() {
  constexpr std::uint64_t step = 0x9e3779b97f4a7c15;
  std::uint64_t z = random_state().fetch_add(step, std::memory_order_relaxed) + step;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
  z = (z ^ z >> 27) * 0x94d049bb133111eb;
  return z ^ z >> 31;
}

/// Nothing half of the time, so that commands also follow close upon each other.
void delay() {
  const std::uint64_t chance = random_number();
  const auto most = static_cast<std::uint64_t>(longest_delay.load(std::memory_order_relaxed));
  if (most == 0 || chance % 2) return;
  const std::uint64_t limit = chance % 8 ? most / 8 : most;
  std::this_thread::sleep_for(microseconds((chance >> 8) % (limit + 1)));
}

std::shared_ptr<const Error> error_of(const Ref<Event>& event) {
  if (auto* own = dynamic_cast<NullEvent*>(event.get())) return own->first_error();
  try {
    event->join();
  } catch (const Error& error) {
    return error.share();
  }
  return nullptr;
}

}  // namespace

/// Shared by the queue and its workers.
struct NativeQueue::State {
  explicit State(bool is_in_order, int device) : is_in_order(is_in_order), device(device) {}

  /// An in-order queue has one worker and takes what is first; another one takes anything whose
  /// waits are over, in an order that chance decides. Needs the lock; end() if there is none.
  std::deque<Command>::iterator choose() {
    if (is_in_order || commands.empty()) return commands.begin();
    const auto first = static_cast<std::ptrdiff_t>(random_number() % commands.size());
    const auto is_ready = [](const Command& command) {
      const auto is_over = [](auto& event) { return event->is_done(); };
      return std::ranges::all_of(command.waits, is_over) &&
             std::ranges::all_of(command.after, is_over);
    };
    const auto found = std::find_if(commands.begin() + first, commands.end(), is_ready);
    return found != commands.end() ? found
                                   : std::find_if(commands.begin(), commands.end(), is_ready);
  }

  void run(Command& command) const {
    std::shared_ptr<const Error> error;
    for (const Ref<Event>& event : command.waits)
      if (auto first = error_of(event); first && !error) error = std::move(first);
    const bool is_inherited = error != nullptr;
    command.event->interval.begin = now_in_nanoseconds();
    if (device == discrete) delay();
    if (!error) try {
        require_device(device);
        command_fault().pass("null_command");
        if (command.run) command.run();
      } catch (const std::exception&) {
        error = current_failure();
      }
    if (device == discrete) delay();
    command.event->interval.end = now_in_nanoseconds();
    const Ref<NullEvent> event = std::move(command.event);
    command = {};  // before the event, after which nobody promises that what it holds is alive
    event->finish(std::move(error), is_inherited);
  }

  void work() {
    std::unique_lock hold(lock);
    for (;;) {
      auto next = choose();
      if (next == commands.end()) {
        if (commands.empty() && is_closed) return;
        // waits may be of queues that do not know of this one
        commands.empty() ? wake.wait(hold) : (void)wake.wait_for(hold, microseconds(100));
        continue;
      }
      Command command = std::move(*next);
      commands.erase(next);
      ++running;
      hold.unlock();
      run(command);
      hold.lock();
      --running;
    }
  }

  const bool is_in_order;
  const int device;
  std::mutex lock;
  std::condition_variable wake;
  std::deque<Command> commands;
  std::vector<Ref<NullEvent>> unfinished;  ///< What a barrier of an out-of-order queue is behind.
  Ref<NullEvent> last_barrier;
  int workers = 0, running = 0;
  bool is_closed = false;
};

NativeQueue::NativeQueue(std::shared_ptr<NativeContext> context, bool is_in_order)
    : context(std::move(context)),
      is_in_order(is_in_order),
      state_(std::make_shared<State>(is_in_order, this->context->device)) {}

NativeQueue::~NativeQueue() {
  if (is_orphaned()) return;  // the lock may be held by a thread that is not here
  std::lock_guard lock(state_->lock);
  state_->is_closed = true;
  state_->wake.notify_all();
}

Ref<NullEvent> NativeQueue::put(std::function<void()> run, std::vector<Ref<Event>> waits,
                                bool is_barrier) {
  State& s = *state_;
  auto event = make_ref<NullEvent>();
  std::vector<Ref<NullEvent>> after, ended;  // dropped without the lock
  std::lock_guard lock(s.lock);
  if (!is_in_order) {
    ended.reserve(s.unfinished.size());
    const auto over = std::partition(s.unfinished.begin(), s.unfinished.end(),
                                     [](auto& e) { return !e->is_done(); });
    ended.assign(std::move_iterator(over), std::move_iterator(s.unfinished.end()));
    s.unfinished.erase(over, s.unfinished.end());
    if (is_barrier)
      after = s.unfinished;
    else if (s.last_barrier && !s.last_barrier->is_done())
      after.push_back(s.last_barrier);
    s.unfinished.reserve(s.unfinished.size() + 1);
  }
  for (const int wanted = is_in_order ? 1 : 2; s.workers < wanted; ++s.workers) try {
      std::thread([state = state_] { state->work(); }).detach();
    } catch (const std::system_error& e) {
      if (s.workers) break;
      fail(Errc::launch, "null: no thread for a queue: {}", e.what());
    }
  s.commands.push_back({std::move(run), std::move(waits), std::move(after), event});
  // the last that could fail is done
  if (!is_in_order) s.unfinished.push_back(event);
  if (!is_in_order && is_barrier) s.last_barrier = event;
  s.wake.notify_one();
  return event;
}

Ref<NullEvent> NativeQueue::enqueue(std::function<void()> run, std::span<const Ref<Event>> waits) {
  return put(std::move(run), {waits.begin(), waits.end()}, false);
}

Ref<NullEvent> NativeQueue::barrier(std::span<const Ref<Event>> waits) {
  return put(nullptr, {waits.begin(), waits.end()}, true);
}

void NativeQueue::finish() noexcept {
  std::unique_lock lock(state_->lock);
  while (!state_->commands.empty() || state_->running) {
    lock.unlock();
    std::this_thread::sleep_for(microseconds(100));
    lock.lock();
  }
}

void set_lost(int device, bool is_lost) { lost[device].store(is_lost); }
void require_device(int device) {
  check(!lost[device].load(), Errc::launch, "null: device null:{} is lost", device);
}

void set_seed(std::uint64_t seed) { random_state().store(seed); }
void set_delay(std::int64_t microseconds) {
  longest_delay.store(std::max<std::int64_t>(microseconds, 0));
}

// Without a guard, for which a child would wait that is forked while a worker asks first.
static constinit Fault fault;
Fault& command_fault() { return fault; }

}  // namespace isthmus::null
