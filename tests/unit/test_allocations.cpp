// test_allocations.cpp: every allocation of host memory fails once, and from then on: no crash, no
// leak, no wrong number, and the library is usable after.
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <new>
#include <numeric>

#include "isthmus/array/create.h"
#include "isthmus/array/index.h"
#include "isthmus/array/manipulate.h"
#include "isthmus/exchange/dlpack.h"
#include "isthmus/exchange/span.h"
#include "support.h"

namespace {

/// Which allocation fails. Those of the test itself, outside of Injection, never do.
struct Fault {
  std::atomic<std::int64_t> passed{0}, fails_at{0};
  std::atomic<bool> is_sticky{false}, is_everywhere{false};
};
Fault fault;
thread_local bool is_armed = false;

bool fails() noexcept {
  const std::int64_t at = fault.fails_at.load(std::memory_order_relaxed);
  if (at == 0 || !(is_armed || fault.is_everywhere.load(std::memory_order_relaxed))) return false;
  const std::int64_t number = fault.passed.fetch_add(1, std::memory_order_relaxed) + 1;
  return number == at || (number > at && fault.is_sticky.load(std::memory_order_relaxed));
}

void* allocate_aligned(std::size_t alignment, std::size_t bytes) noexcept {
  void* block = nullptr;
  if (fails() || posix_memalign(&block, alignment, bytes ? bytes : 1) != 0) return nullptr;
  return block;
}

}  // namespace

// They take the place of the standard library's in the whole process, libisthmus.so and the
// backends included.
[[gnu::noinline]] void* operator new(std::size_t bytes) {
  void* block = fails() ? nullptr : std::malloc(bytes ? bytes : 1);
  if (!block) throw std::bad_alloc();
  return block;
}
[[gnu::noinline]] void* operator new(std::size_t bytes, const std::nothrow_t&) noexcept {
  return fails() ? nullptr : std::malloc(bytes ? bytes : 1);
}
[[gnu::noinline]] void* operator new(std::size_t bytes, std::align_val_t alignment) {
  void* block = allocate_aligned(static_cast<std::size_t>(alignment), bytes);
  if (!block) throw std::bad_alloc();
  return block;
}
[[gnu::noinline]] void operator delete(void* block) noexcept { std::free(block); }
[[gnu::noinline]] void operator delete(void* block, std::size_t) noexcept { std::free(block); }
[[gnu::noinline]] void operator delete(void* block, std::align_val_t) noexcept { std::free(block); }
[[gnu::noinline]] void operator delete(void* block, std::size_t, std::align_val_t) noexcept {
  std::free(block);
}

// The sanitizers have one of their own.
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
extern "C" void* aligned_alloc(std::size_t alignment, std::size_t bytes) {
  return allocate_aligned(alignment, bytes);
}
#endif

namespace isthmus {
namespace {

/// While it lives, the nth allocation of this thread fails, or of any thread.
class Injection {
 public:
  Injection(std::int64_t nth, bool is_sticky, bool is_everywhere) {
    fault.passed = 0;
    fault.is_sticky = is_sticky;
    fault.is_everywhere = is_everywhere;
    is_armed = true;
    fault.fails_at = nth;
  }
  ~Injection() {
    fault.fails_at = 0;
    is_armed = false;
  }
  Injection(const Injection&) = delete;
};

using Numbers = std::vector<double>;

std::vector<double> numbers_of(const Array& x) {
  const Array here = to_host(astype(contiguous(x), TypeId::float32, false));
  const auto* first = static_cast<const float*>(here.storage()->memory()->host);
  std::vector<double> found;
  for (std::int64_t i = 0; i < here.size(); ++i)
    found.push_back(static_cast<double>(first[here.layout().offset + i]));
  return found;
}

Array plus(const Array& x, const Value& y) { return apply(Op::add, {x, y}); }
Array product(const Array& x, const Value& y) { return apply(Op::multiply, {x, y}); }

Array ramp(std::int64_t count, const Device& device) {
  return arange(Scalar::of(0.0), Scalar::of(static_cast<double>(count)), Scalar::of(1.0),
                TypeId::float32, device);
}

void fuse_and_view(const Device& device) {
  const Array x = ramp(6, device);
  const IndexItem backwards[] = {slice({}, {}, -1)};
  const Array y = plus(index(plus(product(x, 2), 1), backwards), apply(Op::sqrt, {product(x, x)}));
  const Array both[] = {x, y};
  const Array z = concat(both, 0);
  const auto found = numbers_of(z);
  EXPECT_EQ(found, (Numbers{0, 1, 2, 3, 4, 5, 11, 10, 9, 8, 7, 6}));
}

void write_through_an_alias(const Device& device) {
  const Array x = copy(ramp(6, device)).eval();
  const IndexItem even[] = {slice({}, {}, 2)}, back[] = {slice(1, {})}, front[] = {slice({}, -1)};
  const Array reader = plus(x, 10), alias = index(x, even);
  assign(alias, product(reader.view(alias.layout()), 2));
  EXPECT_EQ(numbers_of(x), (Numbers{20, 1, 24, 3, 28, 5}));
  EXPECT_EQ(numbers_of(reader), (Numbers{10, 11, 12, 13, 14, 15}));
  assign(index(x, back), index(x, front));  // overlapping: as if the right side were copied first
  EXPECT_EQ(numbers_of(x), (Numbers{20, 20, 1, 24, 3, 28}));
}

void reduce(const Device& device) {
  const Array x = reshape(ramp(12, device), std::vector<std::int64_t>{3, 4});
  const std::int64_t axis[] = {1};
  const Array sums =
      plus(isthmus::reduce(Reduction::sum, product(x, 2), std::span(axis), false), 1);
  EXPECT_EQ(numbers_of(sums), (Numbers{13, 45, 77}));
  EXPECT_EQ(item(isthmus::reduce(Reduction::max, x, {}, false)).number.re, 11);
}

void large(const Device& device) {
  const Array x = full(std::vector<std::int64_t>{100000}, Scalar::of(3.0), TypeId::float32, device);
  const Array y = plus(product(x, x), product(apply(Op::sin, {x}), 0));
  EXPECT_EQ(item(isthmus::reduce(Reduction::sum, y, {}, false)).number.re, 900000);
}

void lend_and_borrow(const Device& device) {
  const Array x = product(ramp(6, device), 3);
  dlpack::DLManagedTensorVersioned* tensor = to_dlpack(x);
  const Array same = from_dlpack(tensor);
  const Array sum = plus(same, x);
  assign(same, Value(1.0));
  EXPECT_EQ(numbers_of(x), Numbers(6, 1));
  EXPECT_EQ(numbers_of(sum), (Numbers{0, 6, 12, 18, 24, 30}));
  std::vector<float> mine(16, 2);
  {
    const Array a = from_span(std::span(mine).first(10)), b = from_span(std::span(mine).last(10));
    assign(a, Value(5.0));
    EXPECT_EQ(numbers_of(b), (Numbers{5, 5, 5, 5, 2, 2, 2, 2, 2, 2}));
  }
}

void move_between_devices(const Device& device) {
  const Array x = plus(ramp(6, Device()), 1);
  const Array there = product(to_device(x, device), 2);
  EXPECT_EQ(numbers_of(to_device(there, Device())), (Numbers{2, 4, 6, 8, 10, 12}));
}

struct Program {
  const char* name;
  void (*run)(const Device& device);
  bool is_for_host = false;  ///< Alone.
};
constexpr Program programs[] = {
    {"fuse_and_view", fuse_and_view},
    {"write_through_an_alias", write_through_an_alias},
    {"reduce", reduce},
    {"large", large},
    {"lend_and_borrow", lend_and_borrow, true},
    {"move_between_devices", move_between_devices},
};

class Allocations : public OnDevice {
 protected:
  void SetUp() override {
    OnDevice::SetUp();
    set_inline_policy(Inline::never);
    control().set_delay(0);
    alarm(500);  // a deadlock must not look like patience
  }
  void TearDown() override {
    alarm(0);
    control().set_delay(300);
    OnDevice::TearDown();
  }

  void run_clean(const Program& program) {
    clear_cache(false);
    synchronize(device);
    ASSERT_TRUE(eventually([] { return reaper_backlog() == 0; }));
    census();
    program.run(device);
  }

  /// Fails the nth allocation, then the next, until the program ends without a failure.
  void fail_each(const Program& program, bool is_sticky, bool is_everywhere) {
    if (program.is_for_host && !device.is_host()) return;
    run_clean(program);
    ASSERT_TRUE(eventually([] { return reaper_backlog() == 0; }));
    const Census before = census();
    std::int64_t nth = 1, raised = 0;
    for (;; ++nth) {
      clear_cache(false);
      census();  // gives idle blocks back
      bool has_failed = false;
      {
        const Injection injection(nth, is_sticky, is_everywhere);
        try {
          program.run(device);
        } catch (const Error& error) {
          has_failed = true;
          fault.fails_at = 0;
          EXPECT_EQ(error.code(), Errc::out_of_memory) << nth << ": " << error.what();
        } catch (const std::bad_alloc&) {
          has_failed = true;
        }
      }
      raised += has_failed;
      const bool is_over = fault.passed < nth;
      synchronize(device);
      ASSERT_TRUE(eventually([&] { return reaper_backlog() == 0 && census() == before; }))
          << program.name << ": allocation " << nth << " left " << live_memories() - before.memories
          << " memories, " << live_nodes() - before.nodes << " nodes";
      if (::testing::Test::HasFailure()) FAIL() << program.name << ": allocation " << nth;
      if (is_over) break;
      if (nth % 16 == 1) run_clean(program);
    }
    run_clean(program);
    EXPECT_GT(raised, 0);
    RecordProperty(program.name, static_cast<int>(nth));
  }
};

TEST_P(Allocations, each_may_fail_once) {
  for (const Program& program : programs) fail_each(program, false, false);
}

TEST_P(Allocations, all_may_fail_from_one_on) {
  for (const Program& program : programs) fail_each(program, true, false);
}

TEST_P(Allocations, each_may_fail_on_any_thread) {
  for (const Program& program : programs) fail_each(program, false, true);
}

INSTANTIATE_TEST_SUITE_P(Devices, Allocations, testing::Values(-1, 1, 2), device_name);

}  // namespace
}  // namespace isthmus
