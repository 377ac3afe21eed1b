// dlpack.h: the DLPack 1.3 ABI, and conversions of arrays to and from it.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "isthmus/array/array.h"
#include "isthmus/runtime/submit/queue.h"

/// The structs of dlpack.h with the same layout, in a namespace so that both can be included. A
/// pointer to one of them may be cast to the struct of the same name.
namespace isthmus::inline ISTHMUS_ABI::dlpack {

/// @{
/// The version of DLPack implemented here.
inline constexpr std::uint32_t major_version = 1, minor_version = 3;
/// @}

/// A version of the ABI.
struct DLPackVersion {
  std::uint32_t major;  ///< If it differs, only the version and the deleter can be read.
  std::uint32_t minor;  ///< If it differs, the struct can be read.
};

/// Kinds of devices, as far as they are distinguished here.
enum DLDeviceType : std::int32_t {
  kDLCPU = 1,           ///< The host.
  kDLCUDA = 2,          ///< A CUDA GPU.
  kDLCUDAHost = 3,      ///< Host memory pinned by CUDA.
  kDLOpenCL = 4,        ///< An OpenCL buffer: `data` is the cl_mem.
  kDLROCMHost = 11,     ///< Host memory pinned by ROCm.
  kDLExtDev = 12,       ///< Another device.
  kDLCUDAManaged = 13,  ///< Memory that CUDA moves between the host and GPUs.
  kDLOneAPI = 14,       ///< SYCL USM.
};

/// Kinds of numbers: the codes of DLDataType.
enum DLDataTypeCode : std::uint8_t {
  kDLInt = 0,           ///< Signed integers.
  kDLUInt = 1,          ///< Unsigned integers.
  kDLFloat = 2,         ///< IEEE 754 reals.
  kDLOpaqueHandle = 3,  ///< Handles; not supported as a dtype here.
  kDLBfloat = 4,        ///< bfloat16.
  kDLComplex = 5,       ///< Complex numbers; `bits` counts both parts.
  kDLBool = 6,          ///< Bools of one byte each.
};

/// A device.
struct DLDevice {
  DLDeviceType device_type;  ///< Its kind.
  std::int32_t device_id;    ///< Its number among those of its kind.
  /// Whether both are the same.
  friend bool operator==(const DLDevice&, const DLDevice&) = default;
};

/// The type of elements.
struct DLDataType {
  std::uint8_t code;    ///< A DLDataTypeCode.
  std::uint8_t bits;    ///< Of one lane.
  std::uint16_t lanes;  ///< Of a vector type; else 1.
};

/// Memory and the layout of a tensor in it; owns neither.
struct DLTensor {
  void* data;                 ///< An address or a handle, see DLDeviceType.
  DLDevice device;            ///< Where the memory is.
  std::int32_t ndim;          ///< The number of axes.
  DLDataType dtype;           ///< Of the elements.
  std::int64_t* shape;        ///< The lengths of the axes.
  std::int64_t* strides;      ///< In elements.
  std::uint64_t byte_offset;  ///< From `data` to the first element.
};

/// A tensor with its owner, in the form before version 1.0.
struct DLManagedTensor {
  DLTensor dl_tensor;                 ///< The tensor.
  void* manager_ctx;                  ///< For the producer.
  void (*deleter)(DLManagedTensor*);  ///< Its consumer calls it once; may be null.
};

/// @{
/// Bits of DLManagedTensorVersioned::flags.
inline constexpr std::uint64_t read_only_flag = 1, copied_flag = 2, padded_flag = 4;
/// @}

/// A tensor with its owner.
struct DLManagedTensorVersioned {
  DLPackVersion version;                       ///< Of this struct.
  void* manager_ctx;                           ///< For the producer.
  void (*deleter)(DLManagedTensorVersioned*);  ///< Its consumer calls it once; may be null.
  std::uint64_t flags;                         ///< See read_only_flag.
  DLTensor dl_tensor;                          ///< The tensor.
};

/// The beginning of DLPackExchangeAPI in all versions.
struct DLPackExchangeAPIHeader {
  DLPackVersion version;              ///< Of the table.
  DLPackExchangeAPIHeader* prev_api;  ///< The table of an older version, or null.
};

/// Functions by which Python libraries exchange tensors from C.
struct DLPackExchangeAPI {
  DLPackExchangeAPIHeader header;  ///< Its version.
  /// @{
  /// As dlpack.h says. They return 0, or -1 with a Python error or one passed to `set_error`.
  int (*managed_tensor_allocator)(DLTensor* prototype, DLManagedTensorVersioned** out,
                                  void* error_ctx,
                                  void (*set_error)(void* error_ctx, const char* kind,
                                                    const char* message));
  int (*managed_tensor_from_py_object_no_sync)(void* py_object, DLManagedTensorVersioned** out);
  int (*managed_tensor_to_py_object_no_sync)(DLManagedTensorVersioned* tensor,
                                             void** out_py_object);
  int (*dltensor_from_py_object_no_sync)(void* py_object, DLTensor* out);
  int (*current_work_stream)(DLDeviceType device_type, std::int32_t device_id,
                             void** out_current_stream);
  /// @}
};

static_assert(sizeof(DLTensor) == 48 && sizeof(DLManagedTensorVersioned) == 80 &&
              sizeof(DLPackExchangeAPI) == 56 && sizeof(DLManagedTensor) == 64);

}  // namespace isthmus::inline ISTHMUS_ABI::dlpack

namespace isthmus::inline ISTHMUS_ABI {

/// The requirements of the consumer.
struct DlpackExport {
  bool is_copied = false;   ///< A copy for the consumer alone; it is counted.
  bool is_on_host = false;  ///< As (kDLCPU, 0), whatever device the array is of.
  /// The queue on which the consumer will work on it. If it is not known, the call waits for our
  /// work.
  std::optional<Queue> queue = {};
  bool is_ordered = false;  ///< The consumer orders the work itself; nobody waits.
};

/// Releases a tensor by its deleter.
struct DlpackDeleter {
  /// Calls the deleter, if there is one.
  template <class Tensor>
  void operator()(Tensor* tensor) const {
    if (tensor->deleter) tensor->deleter(tensor);
  }
};
/// A tensor of the library, until release() passes it to its consumer.
using DlpackTensor = std::unique_ptr<dlpack::DLManagedTensorVersioned, DlpackDeleter>;
/// The same in the form before version 1.0.
using LegacyDlpackTensor = std::unique_ptr<dlpack::DLManagedTensor, DlpackDeleter>;

/// The array as a tensor of version 1.3, which its consumer releases by the deleter, on any thread.
/// Evaluates the array, and waits unless it can make the consumer's queue wait for our work. Copies
/// only on request. The data pointer is that of the first element (byte_offset is 0, because some
/// consumers ignore it), or null if there is none. For kDLOneAPI it is that of the lowest element,
/// and for kDLOpenCL the cl_mem. Throws ExchangeError for dtypes and devices without a DLPack
/// equivalent, and for USM of another context than the one that consumers use.
[[nodiscard]] ISTHMUS_EXPORT DlpackTensor to_dlpack(const Array& array,
                                                    const DlpackExport& wanted = {});
/// The same in the form before version 1.0. Throws ExchangeError for a read-only array, which it
/// cannot describe, unless it is copied.
[[nodiscard]] ISTHMUS_EXPORT LegacyDlpackTensor to_legacy_dlpack(const Array& array,
                                                                 const DlpackExport& wanted = {});
/// A tensor that a borrower may use until it returns; it points into `array`. Work that is on the
/// consumer's queue by then is in order with our work, and may write.
ISTHMUS_EXPORT void borrow_dlpack(const Array& array, dlpack::DLTensor& out,
                                  const DlpackExport& wanted = {.is_on_host = true});
/// Does not compile: the tensor points into the array.
template <std::same_as<Array> A>
void borrow_dlpack(A&&, dlpack::DLTensor&, const DlpackExport& = {}) {
  static_assert(detail::never<A>,
                "the tensor points into the array, and a temporary is gone after the call: give "
                "the array a name");
}

/// What the importer knows in addition to the tensor.
struct DlpackImport {
  bool is_read_only = false;        ///< Whatever its flags say.
  bool is_writable = false;         ///< Whatever its flags say.
  bool is_private = false;          ///< Nobody else accesses the memory.
  std::optional<Queue> queue = {};  ///< The queue on which the owner works on it; none: not known.
  /// The device according to the producer; a tensor of another device is refused. None: not stated.
  std::optional<dlpack::DLDevice> device = {};
};

/// @{
/// The tensor's memory as an array, without a copy. Takes the tensor over: its deleter is called
/// exactly once, when the last array releases the memory or before an error is thrown. For a tensor
/// of this library, the result is what it was made from. Throws ExchangeError, naming the field.
ISTHMUS_EXPORT Array from_dlpack(dlpack::DLManagedTensorVersioned* tensor,
                                 const DlpackImport& import = {});
ISTHMUS_EXPORT Array from_dlpack(dlpack::DLManagedTensor* tensor, const DlpackImport& import = {});
inline Array from_dlpack(DlpackTensor tensor, const DlpackImport& import = {}) {
  return from_dlpack(tensor.release(), import);
}
inline Array from_dlpack(LegacyDlpackTensor tensor, const DlpackImport& import = {}) {
  return from_dlpack(tensor.release(), import);
}
/// @}

/// The device of the array in to_dlpack; (kDLExtDev, index) if there is none. kDLOneAPI for SYCL
/// USM, kDLOpenCL for buffers, otherwise (kDLCPU, 0) if the host can access the memory. Evaluates
/// nothing.
ISTHMUS_EXPORT dlpack::DLDevice dlpack_device(const Array& array);
/// The device with this DLPack number; nothing if this build cannot use it, and for the host. May
/// load backends.
ISTHMUS_EXPORT std::optional<Device> from_dlpack(dlpack::DLDevice device);
/// The DLPack dtype. Throws ExchangeError for dtypes without a DLPack code.
ISTHMUS_EXPORT dlpack::DLDataType to_dlpack(DType dtype);
/// The dtype of a DLPack dtype; more than one lane gives a struct of equal fields s0, s1, ...
/// Throws ExchangeError.
ISTHMUS_EXPORT DType from_dlpack(dlpack::DLDataType dtype);

}  // namespace isthmus::inline ISTHMUS_ABI
