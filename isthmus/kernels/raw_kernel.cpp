// raw_kernel.cpp: users' kernels: where they run, and their launch.
#include "isthmus/kernels/raw_kernel.h"

#include <algorithm>
#include <mutex>
#include <utility>

#include "isthmus/graph/storage.h"
#include "isthmus/kernels/c_tokens.h"
#include "isthmus/kernels/compiler_options.h"
#include "isthmus/kernels/devices.h"
#include "isthmus/kernels/parameters.h"
#include "isthmus/runtime/devices/registry.h"
#include "isthmus/runtime/evaluate/evaluate.h"
#include "isthmus/runtime/kernels/kernel_cache.h"
#include "isthmus/runtime/observe/counting.h"
#include "isthmus/runtime/observe/records.h"
#include "isthmus/runtime/submit/foreign_work.h"
#include "isthmus/runtime/submit/submission.h"
#include "isthmus/runtime/submit/waiting.h"
#include "isthmus/runtime/unblocked.h"

namespace isthmus::inline ISTHMUS_ABI {

using detail::format;

struct detail::KernelSource {
  Program program;  ///< Its text alone.
  std::vector<Typedef> typedefs;
  std::vector<std::string> options;
};

namespace {

std::shared_ptr<const detail::KernelSource> source_of(std::string_view who, std::string code,
                                                      const std::vector<std::string>& options) {
  detail::check_compilable(who, {code});
  std::string line = detail::joined_options(who, options);
  auto source = std::make_shared<detail::KernelSource>();
  source->typedefs = detail::typedefs_of(code);
  source->options = options;
  source->program.user.ref = make_ref<UserText>(std::move(code), std::move(line));
  return source;
}

Device device_of(std::string_view name, std::span<const KernelArgument> arguments) {
  const Array* first = nullptr;
  for (const KernelArgument& argument : arguments) {
    const auto* x = argument.array();
    if (!x) continue;
    if (!first) first = x;
    check(x->device() == first->device(), Errc::device_mismatch,
          "kernel '{}': arrays are on {} and {}; copy one with to_device{}", name, first->device(),
          x->device(),
          first->ndim() == 0 || x->ndim() == 0 ? ", or pass the item() of one without axes" : "");
  }
  return detail::kernel_device(name, first ? first->device() : default_device());
}

/// In operations: what a kernel that was seen to end soon counts as. Sixteen of them are no brief
/// wait any more.
constexpr std::int64_t little_work = brief_work / 16;

/// Evaluates what the kernel reads, and what is pending on what it may write.
void settle_arguments(std::span<const KernelArgument> arguments) {
  for (const KernelArgument& argument : arguments) {
    const auto* x = argument.array();
    if (!x) continue;
    x->eval();
    evaluate_readers(*x->storage()->memory());
  }
}

void set_groups(std::string_view name, const Shape& grid, const Shape& block,
                const KernelNeeds& needs, KernelCall& call) {
  for (const auto& [what, lengths] : {std::pair("grid", &grid), std::pair("block", &block)})
    check(lengths->size() >= 1 && lengths->size() <= 3, Errc::value,
          "kernel '{}': the {} {} has {} axes; it may have 1 to 3", name, what, *lengths,
          lengths->size());
  call.dimensions = static_cast<int>(std::max(grid.size(), block.size()));
  std::int64_t items = 1;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const std::int64_t groups = axis < grid.size() ? grid[axis] : 1;
    const std::int64_t length = axis < block.size() ? block[axis] : 1;
    std::int64_t all;
    check(groups >= 0, Errc::value, "kernel '{}': the grid {} has {} blocks along axis {}", name,
          grid, groups, axis);
    check(length >= 1, Errc::value,
          "kernel '{}': the block {} has {} work-items along axis {}; it needs one or more", name,
          block, length, axis);
    check(product_fits(groups, length, all), Errc::value,
          "kernel '{}': the grid {} of blocks {} has more work-items than 64 bits count", name,
          grid, block);
    items = product_at_most(items, length);
    call.global[axis] = static_cast<std::size_t>(all);
    call.local[axis] = static_cast<std::size_t>(length);
  }
  check(items <= static_cast<std::int64_t>(needs.largest_group), Errc::value,
        "kernel '{}': groups of {} are {} work-items; the device allows at most {} for it", name,
        block, items, needs.largest_group);
  const auto& required = needs.required_group;
  check(required[0] == 0 || std::ranges::equal(required, call.local), Errc::value,
        "kernel '{}': its code requires groups of ({}, {}, {}), not {}", name, required[0],
        required[1], required[2], block);
  std::size_t local_bytes = needs.local_bytes;
  for (const CallArgument& argument : call.arguments) local_bytes += argument.local_bytes;
  check(local_bytes <= needs.most_local_bytes, Errc::value,
        "kernel '{}': groups have {} bytes of local memory; the device has {}", name, local_bytes,
        needs.most_local_bytes);
}

/// The kernel, and a queue for it.
struct Built {
  Device device;
  Ref<BackendQueue> queue;
  Ref<ProgramKernel> found;
  Kernel& kernel() const { return *found->code; }
};

Built find(const Program& program, const Device& device, std::span<BackendMemory* const> memories) {
  Ref<BackendQueue> queue = queue_reaching(current_backend_queue(device), memories);
  Ref<ProgramKernel> found = find_kernel(backend(device), *queue->context, device.index(), program);
  return {device, std::move(queue), std::move(found)};
}

/// Throws the error that is being handled; one of a compiler says of what it is.
[[noreturn]] void raise_again(std::string_view who, const Error& error) {
  if (error.code() != Errc::compile) throw;
  raise_error(error.code(), format("{}: {}", who, error.what()), error.compile_details());
}

Built build(std::string_view name, const Program& program, const Device& device,
            std::span<BackendMemory* const> memories) try {
  return find(program, device, memories);
} catch (const Error& error) {
  raise_again(format("kernel '{}'", name), error);
}

Ref<Event> submit(std::string_view name, const Built& built, const KernelCall& call,
                  const detail::BoundCall& bound) {
  for (BackendMemory* memory : bound.writes) memory->has_any_bytes = true;
  const bool is_exposed = is_any_open({bound.reads.begin(), bound.reads.end()}) ||
                          is_any_open({bound.writes.begin(), bound.writes.end()});
  Dims shape;
  for (int axis = 0; axis < call.dimensions; ++axis)
    shape.push_back(static_cast<std::int64_t>(call.global[axis]));
  std::size_t items = 1;
  for (const std::size_t length : call.global) items *= length;
  const Pace::Run run{built.found->pace_of(name), items, now_in_nanoseconds()};
  const Ref<Event> event =
      Submission(built.queue, bound.reads, bound.writes)
          .run(
              [&](const Events& waits) {
                Ref<Event> enqueued =
                    backend(built.device)
                        .enqueue(*built.queue, built.kernel(), std::span(&call, 1), waits);
                if (enqueued) enqueued->run = run;
                return enqueued;
              },
              [kernel = std::string(name), shape] {
                return format("kernel '{}' of {} work-items", kernel, shape);
              },
              run.pace->is_brief(items) ? little_work : brief_work, [] { count_kernel(0, false); });
  if (is_profiled()) {
    KernelRecord record{0,
                        {},
                        shape,
                        built.device,
                        KernelRecord::Where::launched,
                        {run.begin, now_in_nanoseconds()},
                        event};
    record.operations.push_back("RawKernel");
    note_alone(std::move(record));
  }
  if (is_exposed) wait_for(event);  // who may look at what it writes may do so when this returns
  return event;
}

}  // namespace

LocalMemory::LocalMemory(AnyInteger nbytes) : bytes(static_cast<std::size_t>(nbytes.value)) {
  check(nbytes.value >= 0, Errc::value, "LocalMemory: {} bytes; 0 or more are possible",
        nbytes.value);
}

RawKernel::RawKernel(std::string code, std::string name, const std::vector<std::string>& options)
    : RawKernel(source_of("RawKernel", std::move(code), options), std::move(name)) {}
RawKernel::RawKernel(std::shared_ptr<const detail::KernelSource> source, std::string name)
    : source_(std::move(source)), name_(std::move(name)) {
  check(!name_.empty(), Errc::value, "RawKernel: the name of the kernel is empty");
  detail::check_compilable("RawKernel", {name_});
}
RawKernel::~RawKernel() = default;
RawKernel::RawKernel(const RawKernel& other) = default;
RawKernel& RawKernel::operator=(const RawKernel& other) = default;

const std::string& RawKernel::code() const& { return source_->program.user->text; }

void RawKernel::run(const Shape& grid, const Shape& block,
                    std::span<const KernelArgument> arguments) const {
  detail::launch(*this, grid, block, arguments);
}

Ref<Event> detail::launch(const RawKernel& kernel, const Shape& grid, const Shape& block,
                          std::span<const KernelArgument> arguments) {
  const std::string& name = kernel.name_;
  const Device device = device_of(name, arguments);
  settle_arguments(arguments);
  detail::SmallVector<BackendMemory*, 8> memories;
  for (const KernelArgument& argument : arguments)
    if (const auto* x = argument.array()) memories.push_back(x->storage()->memory().get());
  const Unblocked unblocked;  // a kernel's lock is held during calls of the driver
  const Built built = build(name, kernel.source_->program, device, memories);
  const BoundCall bound =
      detail::bind(name, built.kernel().parameters(name), arguments, kernel.source_->typedefs);
  KernelCall call;
  call.entry = name;
  call.arguments = {bound.arguments.begin(), bound.arguments.end()};
  set_groups(name, grid, block, built.kernel().needs(name), call);
  for (const std::size_t length : call.global)
    if (length == 0) return nullptr;
  return submit(name, built, call, bound);
}

const std::vector<std::string>& RawKernel::options() const& { return source_->options; }

void RawKernel::compile(const Device& device) const { attributes(device); }

KernelAttributes RawKernel::attributes(const Device& device) const {
  const Device on = detail::kernel_device(name_, device);
  const Unblocked unblocked;
  const KernelNeeds needs = build(name_, source_->program, on, {}).kernel().needs(name_);
  return {needs.largest_group, needs.group_multiple, needs.local_bytes, needs.private_bytes};
}

RawModule::RawModule(std::string code, const std::vector<std::string>& options)
    : source_(source_of("RawModule", std::move(code), options)) {}
RawModule::~RawModule() = default;
RawModule::RawModule(const RawModule& other) = default;
RawModule& RawModule::operator=(const RawModule& other) = default;

RawKernel RawModule::get_function(std::string name) const {
  return RawKernel(source_, std::move(name));
}
const std::string& RawModule::code() const& { return source_->program.user->text; }
const std::vector<std::string>& RawModule::options() const& { return source_->options; }

void RawModule::compile(const Device& device) const try {
  const Device on = detail::kernel_device("RawModule", device);
  const Unblocked unblocked;
  find(source_->program, on, {});
} catch (const Error& error) {
  raise_again("RawModule", error);
}

}  // namespace isthmus::inline ISTHMUS_ABI
