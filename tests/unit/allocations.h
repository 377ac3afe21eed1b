// allocations.h: host memory that runs out on demand, and programs to run meanwhile. It replaces
// operator new of the whole process: for one file of an executable.
#pragma once

#include <dlfcn.h>
#include <link.h>
#include <unistd.h>
#include <unwind.h>

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <new>
#include <numeric>

#include "isthmus/array/arrange/manipulate.h"
#include "isthmus/array/create/create.h"
#include "isthmus/array/index/index.h"
#include "isthmus/array/index/seen.h"
#include "isthmus/exchange/dlpack.h"
#include "isthmus/exchange/span.h"
#include "support.h"

namespace {

/// Code of some libraries.
struct Text {
  struct Range {
    std::uintptr_t begin, end;
  };
  Range ranges[32];
  std::atomic<int> count{0};
  bool has(std::uintptr_t address) const noexcept {
    const Range* last = ranges + count.load(std::memory_order_acquire);
    return std::any_of(ranges, last,
                       [&](const Range& r) { return r.begin <= address && address < r.end; });
  }
  void add(const dl_phdr_info& library) noexcept {
    for (int i = 0; i < library.dlpi_phnum; ++i) {
      const auto& segment = library.dlpi_phdr[i];
      const int at = count.load();
      if (segment.p_type != PT_LOAD || !(segment.p_flags & PF_X) || at == std::ssize(ranges))
        continue;
      const std::uintptr_t begin = library.dlpi_addr + segment.p_vaddr;
      ranges[at] = {begin, begin + segment.p_memsz};
      count.store(at + 1, std::memory_order_release);
    }
  }
};

/// Of this executable, libisthmus.so and the backends; and of the standard libraries.
Text ours, standard;

/// Which allocation fails. Those of the test itself, outside of Injection, never do.
struct Fault {
  std::atomic<std::int64_t> passed{0}, fails_at{0};
  std::atomic<bool> is_sticky{false}, is_everywhere{false};
  std::atomic<bool> spares_drivers{false};  ///< Only what our own code asks for fails.
};
Fault fault;
thread_local bool is_armed = false;

/// Whether an allocation is our own code's: some frame is, and none is a driver's. Drivers call the
/// standard library, and what ours has compiled of its templates, too.
bool is_ours(void* caller) noexcept {
  const auto first = reinterpret_cast<std::uintptr_t>(caller);
  if (!ours.has(first) && !standard.has(first)) return false;
  struct Stack {
    bool has_ours = false, has_others = false;
  } stack;
  const auto step = [](_Unwind_Context* frame, void* data) {
    Stack& s = *static_cast<Stack*>(data);
    const std::uintptr_t at = _Unwind_GetIP(frame);
    if (ours.has(at))
      s.has_ours = true;
    else if (at && !standard.has(at))  // 0 below the first
      s.has_others = true;
    return s.has_others ? _URC_END_OF_STACK : _URC_NO_REASON;
  };
  _Unwind_Backtrace(step, &stack);
  return stack.has_ours && !stack.has_others;
}

bool fails(void* caller) noexcept {
  const std::int64_t at = fault.fails_at.load(std::memory_order_relaxed);
  if (at == 0 || !(is_armed || fault.is_everywhere.load(std::memory_order_relaxed))) return false;
  if (fault.spares_drivers.load(std::memory_order_relaxed) && !is_ours(caller)) return false;
  const std::int64_t number = fault.passed.fetch_add(1, std::memory_order_relaxed) + 1;
  return number == at || (number > at && fault.is_sticky.load(std::memory_order_relaxed));
}

void* allocate_aligned(std::size_t alignment, std::size_t bytes, void* caller) noexcept {
  void* block = nullptr;
  alignment = std::max(alignment, sizeof(void*));  // compilers ask for less, too
  if (fails(caller) || posix_memalign(&block, alignment, bytes ? bytes : 1) != 0) return nullptr;
  return block;
}

}  // namespace

// They take the place of the standard library's in the whole process, libisthmus.so and the
// backends included.
[[gnu::noinline]] void* operator new(std::size_t bytes) {
  void* block = fails(__builtin_return_address(0)) ? nullptr : std::malloc(bytes ? bytes : 1);
  if (!block) throw std::bad_alloc();
  return block;
}
[[gnu::noinline]] void* operator new(std::size_t bytes, const std::nothrow_t&) noexcept {
  return fails(__builtin_return_address(0)) ? nullptr : std::malloc(bytes ? bytes : 1);
}
[[gnu::noinline]] void* operator new(std::size_t bytes, std::align_val_t alignment) {
  void* block =
      allocate_aligned(static_cast<std::size_t>(alignment), bytes, __builtin_return_address(0));
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
  return allocate_aligned(alignment, bytes, __builtin_return_address(0));
}
#endif

namespace isthmus {
namespace {

/// From now on only allocations of our own code fail, and not those of drivers.
inline void spare_drivers() {
  const auto look = [](dl_phdr_info* library, std::size_t, void*) {
    const std::string_view name = library->dlpi_name;
    const bool is_backend =
        name.ends_with("/backends/opencl.so") || name.ends_with("/backends/sycl.so");
    if (name.empty() || name.find("libisthmus.so") != name.npos || is_backend) ours.add(*library);
    for (const char* library_of_all : {"/libstdc++.so", "/libc.so", "/ld-linux"})
      if (name.find(library_of_all) != name.npos) standard.add(*library);
    return 0;
  };
  ours.count = standard.count = 0;
  dl_iterate_phdr(look, nullptr);
  fault.spares_drivers = true;
}

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
  assign(alias, product(seen_as(reader, alias.layout()), 2));
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
  const Array same = from_dlpack(to_dlpack(x));
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

void choose_by_pending_indices(const Device& device) {
  const Array x = copy(ramp(6, device)).eval();
  const IndexEntry first[] = {astype(ramp(3, device), TypeId::int64)};
  const IndexEntry last[] = {plus(astype(ramp(3, device), TypeId::int64), -3)};
  const Array read = plus(index(x, std::span<const IndexEntry>(last)), 1);
  assign(x, std::span<const IndexEntry>(first), read);
  EXPECT_EQ(numbers_of(x), (Numbers{4, 5, 6, 3, 4, 5}));
  EXPECT_EQ(numbers_of(read), (Numbers{4, 5, 6}));
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
    {"choose_by_pending_indices", choose_by_pending_indices},
};

/// A census of what a program leaves on a device, while allocations fail.
class Allocations : public Graph {
 protected:
  void SetUp() override {
    Graph::SetUp();
    set_inline_policy(Inline::never);
    control().set_delay(0);
    alarm(500);  // a deadlock must not look like patience
  }
  void TearDown() override {
    alarm(0);
    control().set_delay(300);
    Graph::TearDown();
  }

  static Census census_of(const Device& device) {
    trim_pool(device);
    return census();
  }

  static void run_clean(const Program& program, const Device& device) {
    cache::clear(false);
    synchronize(device);
    ASSERT_TRUE(eventually([] { return reaper_backlog() == 0; }));
    census_of(device);
    program.run(device);
  }

  /// Fails the nth allocation, then the next or one some steps on, until the program ends without a
  /// failure.
  static void fail_each(const Program& program, const Device& device, bool is_sticky,
                        bool is_everywhere, std::int64_t step = 1) {
    if (program.is_for_host && !device.is_host()) return;
    run_clean(program, device);
    ASSERT_TRUE(eventually([] { return reaper_backlog() == 0; }));
    const Census before = census_of(device);
    std::int64_t nth = 1, raised = 0;
    for (;; nth += step) {
      cache::clear(false);
      census_of(device);  // gives idle blocks back
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
      ASSERT_TRUE(eventually([&] { return reaper_backlog() == 0 && census_of(device) == before; }))
          << program.name << ": allocation " << nth << " left " << live_memories() - before.memories
          << " memories, " << live_nodes() - before.nodes << " nodes";
      if (::testing::Test::HasFailure()) FAIL() << program.name << ": allocation " << nth;
      if (is_over) break;
      if (nth / step % 16 == 0) run_clean(program, device);
    }
    run_clean(program, device);
    EXPECT_GT(raised, 0);
    RecordProperty(detail::format("{} {}", to_string(device), program.name), static_cast<int>(nth));
  }
};

}  // namespace
}  // namespace isthmus
