// raw_kernel.h: kernels that users write entirely in OpenCL C.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <ranges>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "isthmus/array/array.h"

namespace isthmus::inline ISTHMUS_ABI {

class Event;
class KernelArgument;
class RawKernel;

namespace detail {
struct KernelSource;
/// As RawKernel::run. Returns the event of its end, or null if there is nothing left to wait for.
ISTHMUS_EXPORT Ref<Event> launch(const RawKernel& kernel, const Shape& grid, const Shape& block,
                                 std::span<const KernelArgument> arguments);
}  // namespace detail

/// Memory shared by the work-items of a group, as the argument for a parameter such as `__local
/// float* scratch`.
struct LocalMemory {
  /// Memory of `nbytes` bytes for each group. Throws ValueError for a negative number.
  ISTHMUS_EXPORT explicit LocalMemory(AnyInteger nbytes);
  std::size_t bytes;  ///< Of each group.
};

/// One argument of a RawKernel.
class ISTHMUS_EXPORT KernelArgument {
 public:
  /// The address of an array's first element, for a pointer to global or constant memory.
  KernelArgument(Array x)
      : kind_(Kind::array), array_(std::move(x)) {}  // NOLINT: an array is an argument
  /// @{
  /// A number, which is converted to the type that the kernel declares.
  template <Number T>
  KernelArgument(T number) : kind_(Kind::number), number_(to_scalar(number)) {}  // NOLINT
  KernelArgument(const Scalar& number)
      : kind_(Kind::number), number_(number) {}  // NOLINT: and a number
  /// @}
  /// An integer of any size, for floating parameters; infinite if it is outside the range of
  /// double.
  static KernelArgument past_64_bits(double integer) {
    KernelArgument made(integer);
    made.is_past_64_bits_ = true;
    return made;
  }
  /// Local memory of each group.
  KernelArgument(LocalMemory memory)
      : kind_(Kind::local), local_(memory) {}  // NOLINT: and local memory
  /// The bytes of a struct.
  KernelArgument(std::vector<std::byte> bytes)
      : kind_(Kind::bytes), bytes_(std::move(bytes)) {}  // NOLINT
  /// A struct, passed as its bytes in C++.
  template <class T>
    requires(std::is_trivially_copyable_v<T> && std::is_class_v<T> && !Number<T> &&
             !std::is_same_v<T, LocalMemory> && !std::is_same_v<T, Scalar>)
  KernelArgument(const T& object) : KernelArgument(bytes_of(object)) {  // NOLINT
    static_assert(!std::ranges::borrowed_range<T>,
                  "a kernel would receive the address of a span, not its elements: pass an Array");
  }

  /// @{
  /// The value: one of these; the others are null.
  const Array* array() const& { return kind_ == Kind::array ? &array_ : nullptr; }
  const Scalar* number() const& { return kind_ == Kind::number ? &number_ : nullptr; }
  bool is_past_64_bits() const { return is_past_64_bits_; }  ///< Of a number, as created.
  const LocalMemory* local() const& { return kind_ == Kind::local ? &local_ : nullptr; }
  const std::vector<std::byte>* bytes() const& { return kind_ == Kind::bytes ? &bytes_ : nullptr; }
  /// @}
  /// @{
  /// For a temporary: does not compile.
  const Array* array() const&& = delete;
  const Scalar* number() const&& = delete;
  const LocalMemory* local() const&& = delete;
  const std::vector<std::byte>* bytes() const&& = delete;
  /// @}

 private:
  template <class T>
  static std::vector<std::byte> bytes_of(const T& object) {
    std::vector<std::byte> bytes(sizeof object);
    std::memcpy(bytes.data(), &object, sizeof object);
    return bytes;
  }
  // A std::variant of these takes a tenth of a second to compile.
  enum class Kind : std::uint8_t { array, number, local, bytes };
  Kind kind_;
  bool is_past_64_bits_ = false;
  Array array_;
  Scalar number_{};
  LocalMemory local_{0};
  std::vector<std::byte> bytes_;
};

/// The resources that a kernel uses on a device, see RawKernel::attributes().
struct KernelAttributes {
  std::size_t largest_group = 0;   ///< The largest number of work-items of a group.
  std::size_t group_multiple = 0;  ///< The preferred multiple of work-items of a group.
  std::size_t local_bytes = 0;     ///< Local memory of a group, without arguments.
  std::size_t private_bytes = 0;   ///< Private memory of a work-item.
};

/// One kernel of a program in OpenCL C, for arrays of `opencl`, `sycl` and `cpu`. It is built on
/// the first call on a device, once for each source; builds are kept in memory and on disk.
///
/// The name is CuPy's. Copies share the source. Any thread may call it.
class ISTHMUS_EXPORT RawKernel {
 public:
  /// The kernel `name` of `code`. `options` are passed to the compiler, "-DN=4". Nothing is built
  /// yet. Throws ValueError for an empty name.
  RawKernel(std::string code, std::string name, const std::vector<std::string>& options = {});
  ~RawKernel();
  RawKernel(const RawKernel& other);             ///< The same kernel.
  RawKernel& operator=(const RawKernel& other);  ///< The same kernel.

  /// Runs the kernel in `grid` groups of `block` work-items each, along up to three axes. Arrays
  /// are passed as the address of their first element, whatever their strides; the kernel reads and
  /// writes them in place, in order with all other work. A number is converted to the declared
  /// type.
  ///
  /// An OpenCL device that can access the host's memory works on arrays of `cpu` in place. Does not
  /// wait for the kernel, unless the host may access the written memory without synchronization.
  /// Throws CompileError with the source and the compiler's output; TypeError and ValueError for
  /// arguments that do not match the declared parameters, groups that are too large, and read-only
  /// arrays (a broadcast, read-only memory) for a pointer without const; DeviceMismatchError for
  /// arrays of several devices or contexts; UnsupportedError for a device without user kernels.
  template <class... Args>
  void operator()(const Shape& grid, const Shape& block, const Args&... args) const {
    const KernelArgument arguments[] = {KernelArgument(args)..., LocalMemory{0}};
    run(grid, block, {arguments, sizeof...(Args)});
  }
  /// The same with a list of arguments.
  void run(const Shape& grid, const Shape& block, std::span<const KernelArgument> arguments) const;

  /// Builds the kernel for a device and waits for the build; otherwise the first call does so.
  /// Throws as a call does.
  void compile(const Device& device = default_device()) const;
  /// The resources that the kernel uses on a device. Builds it. Throws as a call does.
  KernelAttributes attributes(const Device& device = default_device()) const;
  const std::string& name() const& { return name_; }                  ///< Of the kernel.
  std::string name() const&& { return name_; }                        ///< A copy of it.
  const std::string& code() const&;                                   ///< The whole source.
  std::string code() const&& { return std::as_const(*this).code(); }  ///< A copy of it.
  const std::vector<std::string>& options() const&;                   ///< For the compiler.
  std::vector<std::string> options() const&& {                        ///< A copy of them.
    return std::as_const(*this).options();
  }

 private:
  friend class RawModule;
  friend detail::Ref<Event> detail::launch(const RawKernel& kernel, const Shape& grid,
                                           const Shape& block,
                                           std::span<const KernelArgument> arguments);
  RawKernel(std::shared_ptr<const detail::KernelSource> source, std::string name);
  std::shared_ptr<const detail::KernelSource> source_;
  std::string name_;
};

/// A program with several kernels.
class ISTHMUS_EXPORT RawModule {
 public:
  /// As for RawKernel.
  explicit RawModule(std::string code, const std::vector<std::string>& options = {});
  ~RawModule();
  RawModule(const RawModule& other);             ///< The same source.
  RawModule& operator=(const RawModule& other);  ///< The same source.
  /// The kernel of this name. Whether it exists is only known when it is built.
  RawKernel get_function(std::string name) const;
  /// Builds the program for a device and waits for the build; otherwise the first call of a kernel
  /// does so. Throws CompileError and UnsupportedError as a call does.
  void compile(const Device& device = default_device()) const;
  const std::string& code() const&;                                   ///< The whole source.
  std::string code() const&& { return std::as_const(*this).code(); }  ///< A copy of it.
  const std::vector<std::string>& options() const&;                   ///< For the compiler.
  std::vector<std::string> options() const&& {                        ///< A copy of them.
    return std::as_const(*this).options();
  }

 private:
  std::shared_ptr<const detail::KernelSource> source_;
};

}  // namespace isthmus::inline ISTHMUS_ABI
