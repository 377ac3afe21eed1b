// backend.h: what a backend must do. One folder under backend/, one exported symbol each.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "isthmus/codegen/emit.h"
#include "isthmus/hazards/hazards.h"

namespace isthmus::inline ISTHMUS_ABI {

/// What a driver knows of an address.
struct PointerInfo {
  MemoryKind kind = MemoryKind::unknown;
  std::uintptr_t base = 0;
  std::size_t bytes = 0;
  int device = -1;
};

/// What a kernel of a user's program takes, as its text declares it.
struct Parameter {
  enum class Kind : std::uint8_t {
    memory,  ///< a pointer to memory of the device
    local,   ///< a pointer to memory of a work-group
    value,
  };
  Kind kind = Kind::value;
  bool is_read_only = false;  ///< The kernel cannot write to that memory.
  std::string type, name;     ///< "float*", "x".
  std::size_t bytes = 0;      ///< Of a struct that is no pointer, if it is known; else 0.
};

/// What a kernel takes of a device.
struct KernelNeeds {
  std::size_t largest_group = 0;       ///< Work-items that a work-group can have.
  std::size_t group_multiple = 0;      ///< Of which it best has a multiple.
  std::size_t local_bytes = 0;         ///< Of each work-group, without arguments.
  std::size_t private_bytes = 0;       ///< Of each work-item.
  std::size_t most_local_bytes = 0;    ///< That the device has for a work-group.
  std::size_t required_group[3] = {};  ///< By its text; 0: any.
};

/// One argument of a kernel: memory, the bytes of a value, or memory of each work-group.
struct CallArgument {
  BackendMemory* memory = nullptr;
  std::size_t byte = 0;              ///< Where in that memory.
  std::span<const std::byte> value;  ///< If there is no memory.
  std::size_t local_bytes = 0;       ///< If there is neither.
};

/// One kernel put on a queue.
struct KernelCall {
  std::string_view entry;  ///< The name of the kernel in its text.
  int dimensions = 1;
  std::size_t global[3] = {1, 1, 1};  ///< Work-items: a multiple of `local` along each axis.
  std::size_t local[3] = {1, 1, 1};
  std::span<const CallArgument> arguments;
};

/// What a compiler is given.
struct KernelText {
  std::string text;       ///< In the language of the device; see Traits::dialect.
  std::string options;    ///< Users', of their text or of their functions in it.
  bool is_users = false;  ///< Its kernels have to say what they take: Kernel::parameters().
};

/// The compiled kernels of one text. Backends derive from it.
class ISTHMUS_EXPORT Kernel : public Counted<Kernel> {
 public:
  virtual ~Kernel();
  /// What a later process can load instead of compiling; empty if there is no such thing.
  virtual std::string binary() const { return {}; }
  /// Of a user's program: what a kernel takes and needs. Throws value, with the names of those
  /// that there are, for another name.
  virtual const std::vector<Parameter>& parameters(std::string_view entry);
  virtual KernelNeeds needs(std::string_view entry);
};

/// What a compiler gives.
struct Compiled {
  Ref<Kernel> kernel;
  std::string log;  ///< What the compiler said.
};

/// A family of devices driven by one API. All of it may be called from any thread, blocks no
/// longer than the driver does, and throws Error and nothing else. `waits` are events of any
/// backend: those that a driver cannot wait for, the backend waits for on the host.
class ISTHMUS_EXPORT Backend {
 public:
  virtual ~Backend();

  virtual std::string_view name() const = 0;
  /// Opens the driver when it is first asked. Throws backend_unavailable with the reason.
  virtual int device_count() = 0;
  /// Stays where it is for ever. Throws device_not_found.
  virtual const DeviceInfo& describe(int device) = 0;
  /// The device of a selector of the backend's own, as "gpu:1" is one of SYCL's. Throws
  /// device_not_found with the reason alone: parse_device says the rest.
  virtual int find_device(std::string_view selector);
  /// The type by which DLPack knows its devices; 12, which is for extensions, where it knows none.
  virtual int dlpack_type() const { return 12; }
  /// The number by which DLPack knows the device, and the device of that number, or -1.
  virtual int dlpack_number(int device) { return device; }
  virtual int device_of_dlpack_number(int number) {
    return number >= 0 && number < device_count() ? number : -1;
  }
  /// Changes when kernels on disk must not be used any more: device, driver, options.
  virtual std::string cache_key(int device) = 0;

  virtual Ref<BackendContext> default_context(int device) = 0;
  virtual Ref<BackendQueue> default_queue(int device) = 0;
  /// A new queue of ours, in order, for work in a user's context. Throws exchange where there are
  /// no such contexts.
  virtual Ref<BackendQueue> make_queue(const Ref<BackendContext>& context);
  /// A user's own handles; they are retained. Throws exchange if they are of no use here.
  virtual Ref<BackendContext> adopt_context(std::uintptr_t native) = 0;
  virtual Ref<BackendQueue> adopt_queue(std::uintptr_t native) = 0;
  /// The context of ours that shares memory with another backend's of this space, as OpenCL's with
  /// SYCL's above it; null if there is none.
  virtual Ref<BackendContext> context_in(std::uintptr_t space);
  virtual Ref<Event> adopt_event(std::uintptr_t native) = 0;
  /// Throws exchange for a number that cannot be the handle of a queue, as far as can be seen
  /// without following it to where nothing is; for numbers that users write.
  virtual void check_queue(std::uintptr_t native);
  /// The same of a buffer handle, which anybody may write into a DLPack tensor.
  virtual void check_buffer(std::uintptr_t native);
  /// A driver's handle of one of our events, which the caller owns; 0 if it has ended.
  virtual std::uintptr_t export_event(Event& event) = 0;
  /// Handles of ours for others, which the caller owns: a retained cl_context or cl_command_queue,
  /// a sycl::context* or sycl::queue* made with new. Throws exchange where there is no such thing.
  virtual std::uintptr_t export_context(BackendContext& context);
  virtual std::uintptr_t export_queue(BackendQueue& queue);
  /// The same handle, borrowed: it means something while the queue lives.
  virtual std::uintptr_t queue_handle(BackendQueue& queue);
  /// The end of an exported handle that nobody took.
  virtual void drop_context(std::uintptr_t native) noexcept;
  virtual void drop_queue(std::uintptr_t native) noexcept;

  /// New memory with undefined contents, 64-byte aligned, released when it is dropped. Throws
  /// out_of_memory.
  virtual Ref<BackendMemory> allocate(const Ref<BackendContext>& context, int device,
                                      std::size_t bytes, MemoryKind kind) = 0;
  virtual PointerInfo query(BackendContext& context, std::uintptr_t address) = 0;
  /// What a driver knows of a buffer handle. Throws exchange where there are no such handles.
  virtual PointerInfo query_buffer(BackendContext& context, std::uintptr_t handle);
  /// The context that a buffer handle is of. Throws exchange for what is no buffer handle.
  virtual Ref<BackendContext> context_of_buffer(std::uintptr_t handle);
  /// One more reference to a buffer handle, and its end.
  virtual void hold_buffer(std::uintptr_t handle);
  virtual void drop_buffer(std::uintptr_t handle) noexcept;
  /// Whether kernels of this context can read `memory` where it lies.
  virtual bool can_adopt(BackendContext& context, const BackendMemory& memory) = 0;

  /// What texts for a device are printed by, users' ones among them, and kernels launched. Calls no
  /// driver, and stays where it is for ever. By default the device takes programs as they are.
  virtual const Traits& traits(int device);

  /// @{
  /// For devices whose traits name a language.
  /// May take seconds. Throws compile, with the compiler's log; the caller adds the text.
  virtual Compiled compile(BackendContext& context, int device, const KernelText& text);
  /// A kernel from Kernel::binary() of the same cache_key and text; null if it cannot be used.
  virtual Ref<Kernel> load(BackendContext& context, int device, const KernelText& text,
                           std::string_view binary);
  /// Puts kernels of one text on a queue, each behind the one before it, and returns; the event is
  /// that of all of them. A null event: done. Memory of the arguments stays until then, values
  /// until this returns.
  virtual Ref<Event> enqueue(BackendQueue& queue, Kernel& kernel, std::span<const KernelCall> calls,
                             std::span<const Ref<Event>> waits);
  /// @}

  /// @{
  /// For devices that take programs as they are.
  /// Whether there are no kernels at all. Else compile() and load() are called with a text that
  /// says no more than which program it is (key_of).
  virtual bool interprets() const { return false; }
  /// Puts a program on a queue and returns; `kernel` is null where there are none. A null event:
  /// done. Arguments have the handle of their memory as address.
  virtual Ref<Event> launch(BackendQueue& queue, Kernel* kernel, const Program& program,
                            const Launch& launch, std::span<const Ref<Event>> waits);
  /// @}

  /// Copies bytes between two memories, either of which may be plain host memory.
  virtual Ref<Event> copy(BackendQueue& queue, BackendMemory& from, std::size_t from_byte,
                          BackendMemory& to, std::size_t to_byte, std::size_t bytes,
                          std::span<const Ref<Event>> waits) = 0;
  /// A new event behind all that is in the queue now and behind `waits`; work enqueued later on an
  /// in-order or out-of-order queue comes after them.
  virtual Ref<Event> barrier(BackendQueue& queue, std::span<const Ref<Event>> waits) = 0;

  /// Waits until the queue is empty, without an event: for when there is no memory for one.
  virtual void finish(BackendQueue& queue) noexcept = 0;

  /// A table of functions for a library operation ("matmul", "fft"), or null. Its form is theirs
  /// who ask for that name.
  virtual const void* library(int device, std::string_view capability) = 0;
};

/// The version of this interface; a module built for another one is not used.
inline constexpr int backend_interface = 9;

/// What a backend module exports. Never destroyed.
struct BackendModule {
  int interface;
  Backend* (*make)();
};

}  // namespace isthmus::inline ISTHMUS_ABI

/// The one symbol of a backend module.
extern "C" ISTHMUS_EXPORT const isthmus::BackendModule isthmus_backend;
