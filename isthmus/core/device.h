// device.h: Device and DeviceInfo.
#pragma once

#include <atomic>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "isthmus/base/export.h"

namespace isthmus::inline ISTHMUS_ABI {

class Device;
/// The device with a name such as "cpu", "opencl:0" or "opencl". Throws DeviceNotFoundError, naming
/// the available backends, or BackendUnavailableError.
ISTHMUS_EXPORT Device parse_device(std::string_view text);
/// The device of new arrays: that of the innermost OnDevice of this thread, else the one that was
/// set, else that of ISTHMUS_DEVICE, else "cpu".
ISTHMUS_EXPORT Device default_device();
/// Sets the default device of all threads, except where an OnDevice overrides it.
ISTHMUS_EXPORT void set_default_device(Device device);
/// "cpu" for the host's one device, else "backend:index".
ISTHMUS_EXPORT std::string to_string(const Device& device);

/// A string: a literal, a std::string, a std::string_view.
template <class T>
concept TextLike =
    std::convertible_to<const T&, std::string_view> && !std::same_as<T, std::nullptr_t>;

/// The kind of an allocation.
enum class MemoryKind : std::uint8_t {
  host,     ///< plain host memory, or USM host
  device,   ///< a pointer that only the device can dereference
  shared,   ///< USM shared
  buffer,   ///< an OpenCL cl_mem: a handle, not a pointer
  managed,  ///< CUDA managed
  pinned,   ///< CUDA pinned host
  unknown,  ///< foreign memory that the driver does not know
};
/// "host", "device", ... Throws ValueError for a number that is not a kind.
ISTHMUS_EXPORT std::string_view to_string(MemoryKind kind);

/// Properties of a device.
struct DeviceInfo {
  std::string name;                    ///< As reported by its driver.
  std::string driver;                  ///< The driver's name and version.
  std::size_t memory_bytes = 0;        ///< Total memory.
  std::size_t largest_allocation = 0;  ///< In bytes.
  bool has_fp64 = true;                ///< It can calculate in float64.
  bool has_fp16 = true;                ///< It can calculate in float16.
  bool has_unified_memory = false;     ///< The host can access what it allocates by default.
  bool has_system_memory = false;      ///< It can access any host memory by its address.
  bool has_shared_buffers = false;     ///< The host can access buffers while the device uses them.
  std::vector<MemoryKind> kinds;       ///< Kinds that it can allocate; the first is the default.
};

/// One device of one backend, "opencl:0". Equal if they refer to the same device; cheap to copy. A
/// string converts to a Device: zeros({3}, TypeId::float32, "opencl:0").
class ISTHMUS_EXPORT Device {
 public:
  /// "cpu:0", the device that always exists.
  Device() : backend_(host_name) {}
  /// `backend` is interned; any name is accepted, and the registry checks whether it exists.
  Device(std::string_view backend, int index);
  /// As parse_device().
  template <TextLike T>
  Device(const T& text) : Device(parse_device(text)) {}   // NOLINT: a text names a device
  std::string_view backend() const { return backend_; }   ///< "opencl" of "opencl:0".
  int index() const { return index_; }                    ///< 0 of "opencl:0".
  bool is_host() const { return backend_ == host_name; }  ///< Whether it is "cpu".
  /// Its properties: driver, memory, fp64. Opens the driver; throws DeviceNotFoundError.
  const DeviceInfo& info() const;
  /// Whether both are the same device.
  friend bool operator==(const Device&, const Device&) = default;
  /// Whether the text equals to_string(device): x.device() == "opencl:0".
  template <TextLike T>
  friend bool operator==(const Device& device, const T& text) {
    return to_string(device) == std::string_view(text);
  }

 private:
  static const char host_name[];  // "cpu"
  const char* backend_;           // interned: equal names are equal pointers
  int index_ = 0;
};

/// Makes a device the default for new arrays in this thread while it lives. It may end on another
/// thread, and before an OnDevice created later: the device is that of the last one that has not
/// ended.
class ISTHMUS_EXPORT OnDevice {
 public:
  /// Begins.
  [[nodiscard("it ends with the statement: give it a name")]] explicit OnDevice(
      const Device& device);
  /// Ends, for the thread on which it began.
  ~OnDevice();
  OnDevice(const OnDevice&) = delete;
  OnDevice& operator=(const OnDevice&) = delete;

 private:
  std::shared_ptr<std::atomic<bool>> has_ended_;
};

}  // namespace isthmus::inline ISTHMUS_ABI

/// @cond  Doxygen does not find the scope of a qualified name
template <>
struct std::hash<isthmus::Device> {
  std::size_t operator()(const isthmus::Device& d) const noexcept {
    return std::hash<const void*>()(d.backend().data()) * 31 + static_cast<std::size_t>(d.index());
  }
};
/// @endcond
