// dlpack.cpp: arrays as DLPack tensors, and tensors as arrays after every field was checked.
#include "isthmus/exchange/dlpack.h"

#include <atomic>

#include "isthmus/array/index/seen.h"
#include "isthmus/base/log.h"
#include "isthmus/base/words.h"
#include "isthmus/exchange/dlpack_memory.h"
#include "isthmus/exchange/share.h"
#include "isthmus/runtime/devices/registry.h"
#include "isthmus/runtime/memory/memory_pool.h"
#include "isthmus/runtime/observe/counting.h"
#include "isthmus/runtime/submit/queues.h"

namespace isthmus::inline ISTHMUS_ABI {

using detail::format;

using dlpack::DLManagedTensor;
using dlpack::DLManagedTensorVersioned;
using dlpack::DLTensor;

namespace {

using dlpack::DLDevice;

/// A tensor and what it shows; the tensor's shape and strides are those of the array.
template <class Tensor>
struct Exported {
  Exported(const Array& from, Borrower borrower)  // in place: layouts are large to move
      : array(has_plain_strides(from.layout()) ? from
                                               : seen_as(from, with_plain_strides(from.layout()))),
        borrower(std::move(borrower)) {}
  Tensor tensor{};
  Array array;
  Borrower borrower;
};

template <class Tensor>
[[gnu::hot]] void delete_exported(Tensor* tensor) {
  if (!tensor) return;
  auto* exported = static_cast<Exported<Tensor>*>(tensor->manager_ctx);
  end_export(*exported->array.storage()->memory(), exported->borrower);
  delete exported;
}

constexpr DLDevice host_device{dlpack::kDLCPU, 0};

/// Bytes from the lowest address to the first element. dpnp 0.20 takes `data` for the lowest one
/// and refuses what lies below, so that byte_offset must lead to the first; others have no such
/// arrays.
std::uint64_t bytes_below(const Layout& layout, DType dtype) {
  std::int64_t below = 0;
  for (int axis = 0; axis < layout.ndim(); ++axis)
    below -= std::min<std::int64_t>(layout.strides[axis], 0) * (layout.shape[axis] - 1);
  return static_cast<std::uint64_t>(below * dtype.bytes());
}

/// Of an array that the device can show; the host reaches it if that is the device.
[[gnu::hot]] DLTensor describe(const Array& array, dlpack::DLDataType dtype, DLDevice device) {
  const Layout& layout = array.layout();
  const auto byte_offset = static_cast<std::uint64_t>(layout.offset * array.dtype().bytes());
  const BackendMemory& memory = *array.storage()->memory();
  DLTensor tensor{};
  tensor.device = device;
  const bool is_empty = layout.count() == 0;
  if (device == host_device) {
    if (!is_empty) tensor.data = static_cast<char*>(memory.host) + byte_offset;
  } else if (!is_empty) {
    const bool is_handle = device.device_type == dlpack::kDLOpenCL;
    tensor.byte_offset = is_handle ? byte_offset : bytes_below(layout, array.dtype());
    tensor.data = reinterpret_cast<void*>(
        is_handle ? memory.handle : memory.handle + byte_offset - tensor.byte_offset);
  }
  tensor.ndim = layout.ndim();
  tensor.dtype = dtype;
  // the ABI has no const; consumers do not write to shapes
  tensor.shape = const_cast<std::int64_t*>(layout.shape.data());
  tensor.strides = const_cast<std::int64_t*>(layout.strides.data());
  return tensor;
}

/// Of an evaluated array. Throws where there is no such form.
[[gnu::hot]] DLDevice exported_device(const Array& array, bool is_on_host) {
  if (is_on_host && is_host_reachable(array)) return host_device;
  const DLDevice device = is_on_host ? host_device : dlpack_device(array);
  const bool is_shown = device.device_type != dlpack::kDLExtDev &&
                        (device != host_device || is_host_reachable(array));
  check(is_shown, Errc::exchange,
        "{}: the host cannot access memory of {}, which has no DLPack form; {}", words().to_dlpack,
        array.device(), words().ask_for_host);
  // a cl_mem says its context itself
  const bool is_known = device == host_device || device.device_type == dlpack::kDLOpenCL;
  if (is_known || array.size() == 0) return device;
  const BackendContext& own = *array.storage()->memory()->context;
  const Ref<BackendContext> looked_in =
      backend(array.device()).default_context(array.device().index());
  check(own.space == looked_in->space, Errc::exchange,
        "{}: the memory belongs to {}, but consumers look in {}; {}", words().to_dlpack, own.name,
        looked_in->name, words().ask_for_host);
  return device;
}

/// Of the kind of memory that it has: another kind may have another device in DLPack.
Array copy_of_its_kind(const Array& x) {
  const BackendMemory& memory = *x.eval().storage()->memory();
  const Device device = x.device();
  if (!memory.context || memory.kind == backend(device).describe(device.index()).kinds.at(0))
    return copy(x);
  const OnQueue meanwhile(queue_in(memory.context, device));
  const Layout dense = row_major({x.shape().begin(), x.shape().end()});
  const auto bytes = static_cast<std::size_t>(x.size() * x.dtype().bytes());
  const Array made = from_view({allocate(device, bytes, memory.kind), x.dtype(), dense});
  assign(made, x);
  return made;
}

/// The copy that was asked for.
Array copied(const Array& array, const DlpackExport& wanted) {
  if (wanted.is_on_host && !is_host_reachable(array)) return to_device(array, Device());
  count_copy();  // a transfer counts itself
  detail::log(Channel::exchange, Level::info, "{}: copy of {} bytes", words().to_dlpack,
              array.nbytes());
  return copy_of_its_kind(array);
}

Borrower borrower_of(const DlpackExport& wanted) {
  return {wanted.queue ? wanted.queue->backend_queue() : nullptr, wanted.is_ordered};
}

template <class Tensor>
[[gnu::hot]] std::unique_ptr<Tensor, DlpackDeleter> export_as(const Array& array,
                                                              const DlpackExport& wanted) {
  const dlpack::DLDataType dtype = to_dlpack(array.dtype());
  array.eval();
  const DLDevice device = exported_device(array, wanted.is_on_host);
  auto made = std::make_unique<Exported<Tensor>>(array, borrower_of(wanted));
  begin_export(array, made->borrower);
  Exported<Tensor>* exported = made.release();
  exported->tensor.dl_tensor = describe(exported->array, dtype, device);
  exported->tensor.manager_ctx = exported;
  exported->tensor.deleter = delete_exported<Tensor>;
  return std::unique_ptr<Tensor, DlpackDeleter>(&exported->tensor);
}

/// The array itself, or a copy if it was asked for.
template <class Tensor>
std::unique_ptr<Tensor, DlpackDeleter> exported(const Array& array, const DlpackExport& wanted) {
  if (!wanted.is_copied) return export_as<Tensor>(array, wanted);
  to_dlpack(array.dtype());  // throws, before anything is copied
  return export_as<Tensor>(copied(array, wanted), wanted);
}

template <class Tensor>
bool call_deleter(BackendMemory& memory) noexcept {
  auto* tensor = static_cast<Tensor*>(memory.owner);
  if (tensor->deleter) tensor->deleter(tensor);
  return false;
}

Layout layout_of(const DLTensor& tensor, DType dtype) {
  constexpr auto most = static_cast<std::int32_t>(max_dimensions);
  check(tensor.ndim >= 0 && tensor.ndim <= most, Errc::exchange,
        "from_dlpack: ndim: {} is not from 0 to {}", tensor.ndim, most);
  check(tensor.ndim == 0 || tensor.shape, Errc::exchange, "from_dlpack: shape: null for {} axes",
        tensor.ndim);
  const auto count = static_cast<std::size_t>(tensor.ndim);
  Layout layout;
  layout.shape = Dims(std::span<const std::int64_t>(tensor.shape, count));
  if (tensor.strides || count == 0) {
    layout.strides = Dims(std::span<const std::int64_t>(tensor.strides, count));
  } else {  // row-major, before version 1.2
    Layout plain = layout;
    plain.strides = Dims(count, 0);
    check_extents("from_dlpack", dtype, plain);  // before they are multiplied
    layout = row_major({layout.shape.begin(), layout.shape.end()});
  }
  return layout;
}

Ref<BackendContext> context_of_buffer(Backend& b, std::uintptr_t handle) {
  try {
    return b.context_of_buffer(handle);
  } catch (const Error& error) {
    if (error.code() != Errc::exchange) throw;
    fail(Errc::exchange, "from_dlpack: data: {}", error.text());
  }
}

/// The context of a cl_mem, else the default one in which the tensor's pointer means something.
/// PyTorch and dpctl number devices differently where OpenCL's come first, so that the pointer has
/// the last word.
Ref<BackendContext> context_of(const DLTensor& tensor) {
  const auto [type, id] = tensor.device;
  Backend* b = dlpack_backend(type);
  check(b != nullptr, Errc::exchange,
        "from_dlpack: device: ({}, {}) is not a device that this build can access; copy it to the "
        "host first",
        static_cast<int>(type), id);
  const int named = b->device_of_dlpack_number(id);
  const auto address = reinterpret_cast<std::uintptr_t>(tensor.data);
  if (tensor.data && type == dlpack::kDLOpenCL) {
    const Ref<BackendContext> context = context_of_buffer(*b, address);
    check(context->device.index() == named, Errc::exchange,
          "from_dlpack: device: ({}, {}), but the cl_mem in data is of {}", static_cast<int>(type),
          id, context->device);
    return context;
  }
  const int count = tensor.data ? b->device_count() : 0;
  for (int i = -1; i < count; ++i) {
    const int index = i < 0 ? named : i;
    if (index < 0 || !count) continue;
    const PointerInfo info = b->query(*b->default_context(index), address);
    if (info.kind != MemoryKind::unknown)
      return b->default_context(info.device < 0 ? index : info.device);
  }
  check(named >= 0, Errc::exchange, "from_dlpack: device: {} has no device of number {}", b->name(),
        id);
  return b->default_context(named);  // what is wrong with the pointer, adopt says
}

bool is_host(dlpack::DLDeviceType type) {
  return type == dlpack::kDLCPU || type == dlpack::kDLCUDAHost || type == dlpack::kDLROCMHost;
}

Foreign foreign_of(const DLTensor& tensor) {
  Foreign foreign;
  foreign.who = "from_dlpack";
  if (!is_host(tensor.device.device_type)) foreign.context = context_of(tensor);
  foreign.is_buffer = tensor.device.device_type == dlpack::kDLOpenCL;
  foreign.dtype = from_dlpack(tensor.dtype);
  foreign.layout = layout_of(tensor, foreign.dtype);
  std::uintptr_t address = reinterpret_cast<std::uintptr_t>(tensor.data);
  if (foreign.is_buffer) {
    check(tensor.byte_offset <= INT64_MAX, Errc::exchange,
          "from_dlpack: byte_offset: {} is past 2^63-1 bytes", tensor.byte_offset);
    const auto offset = static_cast<std::int64_t>(tensor.byte_offset);
    foreign.layout.offset = elements_in("from_dlpack", "byte_offset", offset, foreign.dtype);
  } else if (tensor.data) {
    check(sum_fits(address, tensor.byte_offset, address), Errc::exchange,
          "from_dlpack: byte_offset: {} leads past the address space", tensor.byte_offset);
  }
  foreign.address = reinterpret_cast<void*>(address);
  return foreign;
}

/// The host's number says nothing; nor does it say whether its memory is pinned: PyTorch's tensors
/// do not know.
void check_device(const std::optional<dlpack::DLDevice>& named, const dlpack::DLDevice& found) {
  if (!named) return;
  const bool are_of_host = is_host(named->device_type) && is_host(found.device_type);
  // libraries number SYCL's devices in more than one way; the address says more
  const bool are_of_sycl =
      named->device_type == found.device_type && found.device_type == dlpack::kDLOneAPI;
  check(are_of_host || are_of_sycl || *named == found, Errc::exchange,
        "from_dlpack: device: ({}, {}), but its producer names ({}, {})",
        static_cast<int>(found.device_type), found.device_id, static_cast<int>(named->device_type),
        named->device_id);
}

template <class Tensor>
Array import_from(Tensor* tensor, std::uint64_t flags, const DlpackImport& import,
                  BackendMemory::Release release) {
  std::unique_ptr<Tensor, DlpackDeleter> owned(tensor);
  if (tensor->deleter == delete_exported<Tensor>) {
    const Array& array = static_cast<Exported<Tensor>*>(tensor->manager_ctx)->array;
    return seen_as(array, array.layout(), import.is_read_only);
  }
  check_device(import.device, tensor->dl_tensor.device);
  Foreign foreign = foreign_of(tensor->dl_tensor);
  if (foreign.context && import.queue) foreign.queue = import.queue->backend_queue();
  const bool is_flagged = (flags & dlpack::read_only_flag) && !import.is_writable;
  foreign.is_read_only = import.is_read_only || is_flagged;
  foreign.is_private = import.is_private || (flags & dlpack::copied_flag);
  foreign.owner = tensor;
  foreign.release = release;
  Array array = adopt(foreign);
  owned.release();
  return array;
}

/// The typestr of a struct whose fields are `lanes` equal numbers s0, s1, ...; else empty.
std::string lane_format(const RecordType& record) {
  std::int64_t at = 0;
  for (const RecordType::Field& field : record.fields) {
    const auto i = static_cast<std::size_t>(&field - record.fields.data());
    if (field.name != format("s{}", i) || field.format != record.fields[0].format || field.nested ||
        !field.shape.empty() || field.byte_offset != at)
      return {};
    at += record.bytes / static_cast<std::int64_t>(record.fields.size());
  }
  return record.fields.size() < 2 ? std::string() : record.fields[0].format;
}

}  // namespace

[[gnu::hot]] dlpack::DLDataType to_dlpack(DType dtype) {
  if (!dtype.record) return {info(dtype.id).dlpack_code, dtype.bits, 1};
  const std::string lane = lane_format(*dtype.record);
  for (const TypeInfo& row : type_table)
    if (row.typestr == lane)
      return {row.dlpack_code, row.bits, static_cast<std::uint16_t>(dtype.record->fields.size())};
  fail(Errc::exchange, "{}: dtype: DLPack has no code for a {}; {}", words().to_dlpack, dtype,
       words().carry_structs);
}

DType from_dlpack(dlpack::DLDataType dtype) {
  check(dtype.bits % 8 == 0 && dtype.bits > 0, Errc::exchange,
        "from_dlpack: dtype: elements of {} bits share bytes; widen them first", dtype.bits);
  check(dtype.lanes > 0, Errc::exchange, "from_dlpack: dtype: 0 lanes");
  for (std::size_t i = 0; i < type_table.size(); ++i) {
    const TypeInfo& row = type_table[i];
    if (row.dlpack_code != dtype.code || row.bits != dtype.bits) continue;
    if (dtype.lanes == 1) return static_cast<TypeId>(i);
    check(dtype.lanes <= 64, Errc::exchange, "from_dlpack: dtype: {} lanes; at most 64",
          dtype.lanes);
    RecordType vector;
    vector.bytes = std::int64_t{dtype.lanes} * dtype.bits / 8;
    for (int lane = 0; lane < dtype.lanes; ++lane)
      vector.fields.push_back(
          {format("s{}", lane), std::string(row.typestr), lane * (dtype.bits / 8), {}, nullptr});
    return DType(intern(std::move(vector)));
  }
  fail(Errc::exchange, "from_dlpack: dtype: code {} of {} bits is not a dtype of Isthmus",
       static_cast<int>(dtype.code), static_cast<int>(dtype.bits));
}

Backend* dlpack_backend(dlpack::DLDeviceType type) {
  static std::atomic<Backend*> last{nullptr};  // backends stay, and the search reads a folder
  if (Backend* known = last.load(); known && known->dlpack_type() == type) return known;
  if (type == dlpack::kDLCPU || type == dlpack::kDLExtDev) return nullptr;
  for (const std::string& name : backend_names()) try {
      Backend& b = backend(name);
      if (b.dlpack_type() != type) continue;
      last.store(&b);
      return &b;
    } catch (const Error& error) {
      if (error.code() != Errc::backend_unavailable) throw;
    }
  return nullptr;
}

[[gnu::hot]] DLDevice dlpack_device(const Array& array) {
  const Device& device = array.device();
  if (device.is_host()) return host_device;
  Backend& b = backend(device);
  const auto type = static_cast<dlpack::DLDeviceType>(b.dlpack_type());
  const Storage& storage = *array.storage();
  const bool is_there = storage.is_ready();
  const MemoryKind kind =
      is_there ? storage.memory()->kind : b.describe(device.index()).kinds.at(0);
  const bool is_usm = type == dlpack::kDLOneAPI && (!is_there || storage.memory()->context);
  // the data of kDLOpenCL is a cl_mem: USM and SVM have no form under that name
  const bool is_buffer = type == dlpack::kDLOpenCL && kind == MemoryKind::buffer;
  if (is_usm || is_buffer) return {type, b.dlpack_number(device.index())};
  if (is_host_reachable(array)) return host_device;
  return {dlpack::kDLExtDev, device.index()};
}

std::optional<Device> from_dlpack(DLDevice device) {
  Backend* b = dlpack_backend(device.device_type);
  const int index = b ? b->device_of_dlpack_number(device.device_id) : -1;
  return index < 0 ? std::nullopt : std::optional(Device(b->name(), index));
}

[[gnu::hot]] DlpackTensor to_dlpack(const Array& array, const DlpackExport& wanted) {
  auto tensor = exported<DLManagedTensorVersioned>(array, wanted);
  tensor->version = {dlpack::major_version, dlpack::minor_version};
  tensor->flags = wanted.is_copied       ? dlpack::copied_flag
                  : array.is_read_only() ? dlpack::read_only_flag
                                         : 0;
  return tensor;
}

LegacyDlpackTensor to_legacy_dlpack(const Array& array, const DlpackExport& wanted) {
  check(!array.is_read_only() || wanted.is_copied, Errc::exchange,
        "{}: the array is read-only, which {} before version 1.0 cannot express; {}",
        words().to_dlpack, words().tensors, words().lend_read_only);
  return exported<DLManagedTensor>(array, wanted);
}

[[gnu::hot]] void borrow_dlpack(const Array& array, DLTensor& out, const DlpackExport& wanted) {
  const dlpack::DLDataType dtype = to_dlpack(array.dtype());
  check(!array.is_read_only(), Errc::exchange,
        "{}: the array is read-only, which a borrowed tensor cannot express; take an owning one, "
        "or a copy",
        words().borrow_dlpack);
  array.eval();
  const DLDevice device = exported_device(array, wanted.is_on_host);
  lend_briefly(array, borrower_of(wanted));
  out = describe(array, dtype, device);
}

Array from_dlpack(DLManagedTensorVersioned* tensor, const DlpackImport& import,
                  BackendMemory::Release release) {
  check(tensor, Errc::exchange, "from_dlpack: the tensor is null");
  if (tensor->version.major != dlpack::major_version) {
    const std::uint32_t major = tensor->version.major;  // nothing behind it may be read
    DlpackDeleter()(tensor);
    fail(Errc::exchange, "from_dlpack: version: {} is not supported; this is version {}.{}", major,
         dlpack::major_version, dlpack::minor_version);
  }
  return import_from(tensor, tensor->flags, import, release);
}

Array from_dlpack(DLManagedTensor* tensor, const DlpackImport& import,
                  BackendMemory::Release release) {
  check(tensor, Errc::exchange, "from_dlpack: the tensor is null");
  return import_from(tensor, 0, import, release);
}

Array from_dlpack(DLManagedTensorVersioned* tensor, const DlpackImport& import) {
  return from_dlpack(tensor, import, call_deleter<DLManagedTensorVersioned>);
}
Array from_dlpack(DLManagedTensor* tensor, const DlpackImport& import) {
  return from_dlpack(tensor, import, call_deleter<DLManagedTensor>);
}

}  // namespace isthmus::inline ISTHMUS_ABI
