// kernel_cache.cpp: one compile for each kernel, however many threads ask.
#include "isthmus/runtime/kernels/kernel_cache.h"

#include <pthread.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <unordered_map>
#include <vector>

#include "isthmus/base/error.h"
#include "isthmus/base/hash.h"
#include "isthmus/base/log.h"
#include "isthmus/base/mutex.h"
#include "isthmus/runtime/evaluate/failure.h"
#include "isthmus/runtime/kernels/build.h"
#include "isthmus/runtime/kernels/disk_cache.h"
#include "isthmus/runtime/kernels/dump.h"
#include "isthmus/threads/interrupts.h"
#include "isthmus/version.h"

namespace isthmus::inline ISTHMUS_ABI {

namespace {

/// What a kernel on disk depends on besides its program: the library, the interface, and the text
/// of every operation, whose numbers the key of a program holds.
const std::string& library_key() {
  static const std::string& key = *new std::string([] {
    std::string text = detail::format("isthmus {} {}\n", ISTHMUS_VERSION_STRING, backend_interface);
    for (const OpInfo& op : op_table)
      text += detail::format("{}\n{}\n{}\n{}\n{}\n", op.name, op.boolean, op.integer, op.real,
                             op.complex);
    for (const ReductionInfo& r : all_reductions)
      text += detail::format("{}\n{}\n{}\n{}\n{}\n{}\n{}\n{}\n{}\n", r.name, r.boolean, r.integer,
                             r.real, r.complex, r.identity, r.state, r.lift, r.finish);
    for (const TypeInfo& type : type_table) text += detail::format("{}\n", type.name);
    return to_hex(sha256(text));
  }());
  return key;
}

/// A kernel, or one that somebody is making.
struct CachedKernel {
  Ref<BackendContext>
      context;  // held, so that no other context gets the address that is in the name
  bool is_done = false;
  std::uint64_t used = 0;  // when, by Cache::clock
  Ref<ProgramKernel> kernel;
  Failure error;
};

/// What a kernel is found by. `Text` holds or borrows the program.
template <class Text>
struct Name {
  const Backend* backend;
  const BackendContext* context;
  int device;
  Text program;
};
using Wanted = Name<const Program&>;

struct Hash {
  using is_transparent = void;
  template <class Text>
  std::size_t operator()(const Name<Text>& name) const noexcept {
    return hash_of(name.program) + reinterpret_cast<std::uintptr_t>(name.context) / 64 +
           static_cast<std::size_t>(name.device);
  }
};
struct Equal {
  using is_transparent = void;
  template <class A, class B>
  bool operator()(const Name<A>& a, const Name<B>& b) const noexcept {
    return a.backend == b.backend && a.context == b.context && a.device == b.device &&
           a.program == b.program;
  }
};

using Entries = std::unordered_map<Name<Program>, std::shared_ptr<CachedKernel>, Hash, Equal>;

struct Cache {
  Mutex lock;
  std::condition_variable_any made;
  Entries entries;
  std::uint64_t clock = 0;
  std::atomic<std::int64_t> hits{0}, disk_hits{0}, compiled{0}, rejected{0};
};

/// Leaked: kernels are never given to a driver that is gone. A forked child starts an empty one,
/// since the parent's may be locked, and its drivers' kernels are of no use there.
std::atomic<Cache*> current{nullptr};

Cache& all_kernels() {
  static const int hook = pthread_atfork(nullptr, nullptr, [] { current.store(nullptr); });
  static_cast<void>(hook);
  if (Cache* found = current.load(std::memory_order_acquire)) return *found;
  auto made = std::make_unique<Cache>();
  Cache* expected = nullptr;
  if (current.compare_exchange_strong(expected, made.get())) return *made.release();
  return *expected;
}

/// Makes room where there are too many: takes an eighth out, of those not used for longest. Needs
/// the lock; the result is to be dropped without it, since a kernel's destructor calls a driver.
std::vector<std::shared_ptr<CachedKernel>> take_oldest(Cache& c) {
  std::vector<std::shared_ptr<CachedKernel>> taken;
  if (c.entries.size() < most_kernels) return taken;
  std::vector<std::uint64_t> uses;
  for (const auto& [name, entry] : c.entries) uses.push_back(entry->used);
  const auto last = uses.begin() + most_kernels / 8;
  std::ranges::nth_element(uses, last);
  taken.reserve(most_kernels / 8 + 1);  // while the cache changes nothing may fail
  std::erase_if(c.entries, [&](auto& item) {
    const bool is_old = item.second->is_done && item.second->used <= *last;
    if (is_old) taken.push_back(std::move(item.second));
    return is_old;
  });
  return taken;
}

/// The text begins with the program's operations and the context's device.
template <class... Args>
void log_kernel(Level level, std::string_view text, const Program& program,
                const BackendContext& context, const Args&... args) {
  if (is_logged(Channel::jit, level))
    detail::log(Channel::jit, level, text, list_of(names_of(program)), context.device, args...);
}

Ref<Kernel> from_disk(Backend& backend, BackendContext& context, int device, const Program& program,
                      const KernelText& text, std::string_view key) {
  const disk::Found found = disk::find(key);
  Ref<Kernel> kernel;
  std::string reason = "the driver does not accept it";
  if (found.binary) try {
      kernel = backend.load(context, device, text, *found.binary);
    } catch (const Error& error) {
      reason = error.what();  // a binary that a driver chokes on is one more that it cannot use
    }
  if (kernel) {
    all_kernels().disk_hits.fetch_add(1);
    log_kernel(Level::debug, "{} for {}: loaded from disk", program, context);
  } else if (found.binary || found.is_rejected) {
    all_kernels().rejected.fetch_add(1);
    if (!found.binary) reason = "the file is damaged, or others may write to it";
    log_kernel(Level::warning, "{} for {}: the kernel on disk is rejected ({}) and built again",
               program, context, reason);
  }
  return kernel;
}

Ref<Kernel> compile(Backend& backend, BackendContext& context, int device, const Program& program,
                    const KernelText& text, const std::string& name) {
  using Clock = std::chrono::steady_clock;
  const auto start = Clock::now();
  Ref<Kernel> kernel = build(backend, context, device, program, text, name);
  all_kernels().compiled.fetch_add(1);
  const std::chrono::duration<double, std::milli> spent = Clock::now() - start;
  log_kernel(Level::info, "{} for {}: built in {} ms", program, context, spent.count());
  return kernel;
}

/// Whether a compiler may read files beside the text, which may be others the next time.
bool may_include_files(const KernelText& text) {
  return text.text.find("include") != text.text.npos ||
         text.options.find("-include") != text.options.npos;
}

Ref<Kernel> make_kernel(Backend& backend, BackendContext& context, int device,
                        const Program& program) {
  const Traits& traits = backend.traits(device);
  const KernelText text = text_of(program, traits);
  const std::string key = detail::format("{}\n{}\n{}\n{}", library_key(), backend.cache_key(device),
                                         key_of(program), text.text);
  const std::string name = to_hex(sha256(key));
  const bool may_be_stored = !may_include_files(text);
  Ref<Kernel> kernel;
  if (may_be_stored) kernel = from_disk(backend, context, device, program, text, key);
  const bool is_dumped = !dump_folder().empty();
  if (kernel && !is_dumped) return kernel;
  const bool is_new = !kernel;
  if (is_new) kernel = compile(backend, context, device, program, text, name);
  const std::string binary = kernel->binary();
  if (is_new && may_be_stored && !binary.empty()) disk::store(key, binary);
  if (is_dumped)
    dump_kernel(to_string(context.device), name,
                traits.dialect == Dialect::tape ? std::string() : text.text, binary);
  return kernel;
}

}  // namespace

Ref<Pace> ProgramKernel::pace_of(std::string_view entry) {
  const std::lock_guard guard(lock_);
  for (const auto& [name, pace] : paces_)
    if (name == entry) return pace;
  return paces_.emplace_back(entry, make_ref<Pace>()).second;
}

Ref<ProgramKernel> find_kernel(Backend& backend, BackendContext& context, int device,
                               const Program& program) {
  const Wanted name{&backend, &context, device, program};
  Cache& c = all_kernels();
  std::vector<std::shared_ptr<CachedKernel>> trash;  // dropped after the lock
  std::unique_lock lock(c.lock);
  if (const auto found = c.entries.find(name); found != c.entries.end()) {
    found->second->used = ++c.clock;
    if (found->second->kernel) [[likely]] {
      c.hits.fetch_add(1, std::memory_order_relaxed);
      return found->second->kernel;
    }
    const std::shared_ptr<CachedKernel> entry = found->second;  // alive while the lock is free
    c.made.wait(lock, [&] { return entry->is_done; });
    if (entry->error) entry->error->raise();
    c.hits.fetch_add(1, std::memory_order_relaxed);
    return entry->kernel;
  }
  const auto entry = std::make_shared<CachedKernel>();
  entry->context = Ref<BackendContext>::share(&context);
  entry->used = ++c.clock;
  trash = take_oldest(c);
  c.entries.emplace(Name<Program>{&backend, &context, device, program}, entry);
  lock.unlock();

  Ref<ProgramKernel> kernel;
  Failure error;
  try {
    kernel = make_ref<ProgramKernel>(make_kernel(backend, context, device, program));
  } catch (const Error&) {
    error = current_failure();
  } catch (const std::exception&) {
    error =
        current_failure([&] { return detail::format("{}: compiling a kernel", backend.name()); });
  }
  lock.lock();
  entry->is_done = true;
  entry->kernel = kernel;
  entry->error = error;
  // those who waited share the failure; whoever asks next tries again
  const auto mine = c.entries.find(name);
  if (error && mine != c.entries.end() && mine->second == entry) c.entries.erase(mine);
  lock.unlock();
  c.made.notify_all();
  if (error) {
    poll_interrupt();  // a signal makes PoCL's compiler fail: that is an interrupt, no bad kernel
    log_kernel(Level::error, "{} for {}: {}", program, context, error->what());
    error->raise();
  }
  return kernel;
}

CacheStatistics cache_statistics() {
  const Cache& c = all_kernels();
  return {c.hits.load(), c.disk_hits.load(), c.compiled.load(), c.rejected.load()};
}

cache::Info cache::info() {
  const CacheStatistics found = cache_statistics();
  const disk::Contents there = disk::contents();
  return {cache_folder().string(),
          there.files,
          there.bytes,
          static_cast<std::int64_t>(cache_limit()),
          found.hits,
          found.disk_hits,
          found.compiled,
          found.rejected};
}

void cache::clear(bool disk) {
  Entries dropped;  // outside the lock: a kernel's destructor calls a driver
  {
    Cache& c = all_kernels();
    std::lock_guard lock(c.lock);
    dropped.swap(c.entries);
  }
  if (disk) disk::clear();
}

}  // namespace isthmus::inline ISTHMUS_ABI
