// dlpack.h: the DLPack 1.3 ABI, and arrays to and from it.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "isthmus/array/array.h"
#include "isthmus/runtime/submit/queue.h"

/// The structs of dlpack.h, laid out as there, in a namespace so that both can be included. A
/// pointer to one of them may be cast to its namesake.
namespace isthmus::inline ISTHMUS_ABI::dlpack {

/// @{
/// Of DLPack, as it is spoken here.
inline constexpr std::uint32_t major_version = 1, minor_version = 3;
/// @}

/// A version of the ABI.
struct DLPackVersion {
  std::uint32_t major;  ///< Another one cannot be read, but for its version and its deleter.
  std::uint32_t minor;  ///< Another one can be read.
};

/// Kinds of devices, those that are distinguished here.
enum DLDeviceType : std::int32_t {
  kDLCPU = 1,           ///< The host.
  kDLCUDA = 2,          ///< A GPU of CUDA.
  kDLCUDAHost = 3,      ///< Memory of the host that CUDA has pinned.
  kDLOpenCL = 4,        ///< A buffer of OpenCL: `data` is the cl_mem.
  kDLROCMHost = 11,     ///< Memory of the host that ROCm has pinned.
  kDLExtDev = 12,       ///< Another device.
  kDLCUDAManaged = 13,  ///< Memory that CUDA moves between the host and GPUs.
  kDLOneAPI = 14,       ///< USM of SYCL.
};

/// What a number is: the codes of DLDataType.
enum DLDataTypeCode : std::uint8_t {
  kDLInt = 0,           ///< Signed integers.
  kDLUInt = 1,          ///< Unsigned integers.
  kDLFloat = 2,         ///< Reals as IEEE 754 has them.
  kDLOpaqueHandle = 3,  ///< Handles; no dtype here.
  kDLBfloat = 4,        ///< bfloat16.
  kDLComplex = 5,       ///< Complex numbers; `bits` are those of both parts.
  kDLBool = 6,          ///< Bools, of a byte each.
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

/// Memory and how a tensor lies in it; owns neither.
struct DLTensor {
  void* data;                 ///< An address or a handle, see DLDeviceType.
  DLDevice device;            ///< Where the memory is.
  std::int32_t ndim;          ///< How many axes there are.
  DLDataType dtype;           ///< Of the elements.
  std::int64_t* shape;        ///< The lengths of the axes.
  std::int64_t* strides;      ///< In elements.
  std::uint64_t byte_offset;  ///< From `data` to the first element.
};

/// A tensor with its owner, in the form before version 1.0.
struct DLManagedTensor {
  DLTensor dl_tensor;                 ///< The tensor.
  void* manager_ctx;                  ///< Of who made it.
  void (*deleter)(DLManagedTensor*);  ///< Its consumer calls it once; may be null.
};

/// @{
/// Bits of DLManagedTensorVersioned::flags.
inline constexpr std::uint64_t read_only_flag = 1, copied_flag = 2, padded_flag = 4;
/// @}

/// A tensor with its owner.
struct DLManagedTensorVersioned {
  DLPackVersion version;                       ///< Of this struct.
  void* manager_ctx;                           ///< Of who made it.
  void (*deleter)(DLManagedTensorVersioned*);  ///< Its consumer calls it once; may be null.
  std::uint64_t flags;                         ///< See read_only_flag.
  DLTensor dl_tensor;                          ///< The tensor.
};

/// The beginning of DLPackExchangeAPI in all versions.
struct DLPackExchangeAPIHeader {
  DLPackVersion version;              ///< Of the table.
  DLPackExchangeAPIHeader* prev_api;  ///< The table of an older version, or null.
};

/// Functions by which libraries of Python exchange tensors from C.
struct DLPackExchangeAPI {
  DLPackExchangeAPIHeader header;  ///< Its version.
  /// @{
  /// As dlpack.h says. They return 0, or -1 with an error of Python or one given to `set_error`.
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

/// What the consumer wants.
struct DlpackExport {
  bool is_copied = false;   ///< A copy, which nobody but the consumer has, and which is counted.
  bool is_on_host = false;  ///< As (kDLCPU, 0), whatever device the array is of.
  /// Where it will work on it; none: not known, so that the call waits for our work.
  std::optional<Queue> queue = {};
  bool is_ordered = false;  ///< It sees to the order itself, and nobody waits.
};

/// Ends a tensor by its deleter.
struct DlpackDeleter {
  /// Calls the deleter, if there is one.
  template <class Tensor>
  void operator()(Tensor* tensor) const {
    if (tensor->deleter) tensor->deleter(tensor);
  }
};
/// A tensor of ours until it is given to its consumer, by release().
using DlpackTensor = std::unique_ptr<dlpack::DLManagedTensorVersioned, DlpackDeleter>;
/// The same in the form before version 1.0.
using LegacyDlpackTensor = std::unique_ptr<dlpack::DLManagedTensor, DlpackDeleter>;

/// The array as a tensor of version 1.3, which its consumer ends by the deleter, on any thread.
/// Evaluates, and waits unless it can put the consumer's queue behind our work; no copy unless
/// asked for. The data pointer is that of the first element (byte_offset is 0, which some consumers
/// ignore), null if there is none. Of kDLOneAPI it is that of the lowest one, and of kDLOpenCL the
/// cl_mem. Throws ExchangeError for dtypes and devices without a DLPack form, and for USM of
/// another context than the one in which consumers look.
[[nodiscard]] ISTHMUS_EXPORT DlpackTensor to_dlpack(const Array& array,
                                                    const DlpackExport& wanted = {});
/// The same in the form before version 1.0. Throws ExchangeError for a read-only array, which it
/// cannot describe, unless it is copied.
[[nodiscard]] ISTHMUS_EXPORT LegacyDlpackTensor to_legacy_dlpack(const Array& array,
                                                                 const DlpackExport& wanted = {});
/// The tensor that a borrower may use until it returns; it points into `array`. What was
/// put on the consumer's queue by then is in order with our work; it may write.
ISTHMUS_EXPORT void borrow_dlpack(const Array& array, dlpack::DLTensor& out,
                                  const DlpackExport& wanted = {.is_on_host = true});
/// Does not compile: the tensor points into the array.
template <std::same_as<Array> A>
void borrow_dlpack(A&&, dlpack::DLTensor&, const DlpackExport& = {}) {
  static_assert(detail::never<A>,
                "the tensor points into the array, and a temporary is gone after the call: give "
                "the array a name");
}

/// What the importer knows beyond the tensor.
struct DlpackImport {
  bool is_read_only = false;        ///< Whatever its flags say.
  bool is_writable = false;         ///< Whatever its flags say.
  bool is_private = false;          ///< Nobody else reaches the memory.
  std::optional<Queue> queue = {};  ///< Where its owner puts work on it; none: not known.
  /// Where its producer says it is; a tensor of another device is refused. None: it did not say.
  std::optional<dlpack::DLDevice> device = {};
};

/// @{
/// The tensor's memory as an array, no copy; the tensor is taken over, and its deleter is called
/// exactly once, when the last array drops the memory or before an error is thrown. A tensor of
/// ours gives back what it was made of. Throws ExchangeError, naming the field.
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

/// The device as which to_dlpack shows the array; (kDLExtDev, index) if it cannot. kDLOneAPI for
/// USM of SYCL, kDLOpenCL for buffers, else (kDLCPU, 0) where the host can look. Evaluates nothing.
ISTHMUS_EXPORT dlpack::DLDevice dlpack_device(const Array& array);
/// The device that DLPack numbers so; nothing where it is none that this build can reach, nor for
/// the host. May load backends.
ISTHMUS_EXPORT std::optional<Device> from_dlpack(dlpack::DLDevice device);
/// Throws ExchangeError for dtypes that DLPack has no code for.
ISTHMUS_EXPORT dlpack::DLDataType to_dlpack(DType dtype);
/// More than one lane is a struct of equal fields s0, s1, ... Throws ExchangeError.
ISTHMUS_EXPORT DType from_dlpack(dlpack::DLDataType dtype);

}  // namespace isthmus::inline ISTHMUS_ABI
