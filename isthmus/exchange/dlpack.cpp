// dlpack.cpp: arrays as DLPack tensors, and tensors as arrays after every field was checked.
#include "isthmus/exchange/dlpack.h"

#include "isthmus/exchange/share.h"

namespace isthmus {

using dlpack::DLManagedTensor;
using dlpack::DLManagedTensorVersioned;
using dlpack::DLTensor;

namespace {

/// A tensor and what it shows; the tensor's shape and strides are those of the array.
template <class Tensor>
struct Exported {
  Tensor tensor{};
  Array array;
};

template <class Tensor>
void delete_exported(Tensor* tensor) {
  if (!tensor) return;
  auto* exported = static_cast<Exported<Tensor>*>(tensor->manager_ctx);
  end_export(*exported->array.storage()->memory());
  delete exported;
}

DLTensor describe(const Array& array, dlpack::DLDataType dtype) {
  const Layout& layout = array.layout();
  DLTensor tensor{};
  tensor.data = host_address(array);
  tensor.device = {dlpack::kDLCPU, 0};
  tensor.ndim = layout.ndim();
  tensor.dtype = dtype;
  // the ABI has no const; consumers do not write to shapes
  tensor.shape = const_cast<std::int64_t*>(layout.shape.data());
  tensor.strides = const_cast<std::int64_t*>(layout.strides.data());
  return tensor;
}

void check_exportable(const Array& array) {
  check(is_host_reachable(array), Errc::exchange,
        "__dlpack__: memory of {} is out of the host's reach and has no DLPack form; ask for "
        "dl_device=(1, 0) to copy it, or use to_device(\"cpu\")",
        array.device());
}

template <class Tensor>
Tensor* export_as(const Array& array) {
  const dlpack::DLDataType dtype = to_dlpack(array.dtype());
  check_exportable(array);
  array.eval();
  auto made = std::make_unique<Exported<Tensor>>(
      Exported<Tensor>{{}, array.view(with_plain_strides(array.layout()))});
  begin_export(array);
  Exported<Tensor>* exported = made.release();
  exported->tensor.dl_tensor = describe(exported->array, dtype);
  exported->tensor.manager_ctx = exported;
  exported->tensor.deleter = delete_exported<Tensor>;
  return &exported->tensor;
}

template <class Tensor>
bool call_deleter(Memory& memory) noexcept {
  auto* tensor = static_cast<Tensor*>(memory.owner);
  if (tensor->deleter) tensor->deleter(tensor);
  return false;
}

Layout layout_of(const DLTensor& tensor) {
  constexpr auto most = static_cast<std::int32_t>(max_dimensions);
  check(tensor.ndim >= 0 && tensor.ndim <= most, Errc::exchange,
        "from_dlpack: ndim: {} is not in 0 to {}", tensor.ndim, most);
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
    check_foreign("from_dlpack", "", TypeId::int8,
                  plain);  // the extents, before they are multiplied
    layout = row_major({layout.shape.begin(), layout.shape.end()});
  }
  return layout;
}

Foreign foreign_of(const DLTensor& tensor) {
  switch (tensor.device.device_type) {
    case dlpack::kDLCPU:
    case dlpack::kDLCUDAHost:
    case dlpack::kDLROCMHost: break;
    default:
      fail(Errc::exchange,
           "from_dlpack: device: ({}, {}) is none that this build can reach; copy "
           "it to the host first",
           static_cast<int>(tensor.device.device_type), tensor.device.device_id);
  }
  Foreign foreign;
  foreign.who = "from_dlpack";
  foreign.dtype = from_dlpack(tensor.dtype);
  foreign.layout = layout_of(tensor);
  std::uintptr_t address = 0;
  if (tensor.data)
    check(!__builtin_add_overflow(reinterpret_cast<std::uintptr_t>(tensor.data), tensor.byte_offset,
                                  &address),
          Errc::exchange, "from_dlpack: byte_offset: {} leads past the address space",
          tensor.byte_offset);
  foreign.address = reinterpret_cast<void*>(address);
  return foreign;
}

template <class Tensor>
struct Deleter {
  void operator()(Tensor* tensor) const {
    if (tensor->deleter) tensor->deleter(tensor);
  }
};

template <class Tensor>
Array import_from(Tensor* tensor, std::uint64_t flags, const DlpackImport& import) {
  std::unique_ptr<Tensor, Deleter<Tensor>> owned(tensor);
  if (tensor->deleter == delete_exported<Tensor>) {
    const Array& array = static_cast<Exported<Tensor>*>(tensor->manager_ctx)->array;
    return array.view(array.layout(), import.is_read_only);
  }
  Foreign foreign = foreign_of(tensor->dl_tensor);
  foreign.is_read_only = import.is_read_only || (flags & dlpack::read_only_flag);
  foreign.is_private = import.is_private || (flags & dlpack::copied_flag);
  foreign.owner = tensor;
  foreign.release = import.release ? import.release : call_deleter<Tensor>;
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

dlpack::DLDataType to_dlpack(DType dtype) {
  if (!dtype.record) return {info(dtype.id).dlpack_code, dtype.lane_bits, dtype.lanes};
  const std::string lane = lane_format(*dtype.record);
  for (const TypeInfo& row : type_table)
    if (row.typestr == lane)
      return {row.dlpack_code, row.bits, static_cast<std::uint16_t>(dtype.record->fields.size())};
  fail(Errc::exchange,
       "__dlpack__: dtype: DLPack has no code for a {}; the buffer protocol and "
       "__array_interface__ carry structs",
       dtype);
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
  fail(Errc::exchange, "from_dlpack: dtype: code {} of {} bits is none of Isthmus",
       static_cast<int>(dtype.code), static_cast<int>(dtype.bits));
}

dlpack::DLDevice dlpack_device(const Array& array) {
  if (is_host_reachable(array)) return {dlpack::kDLCPU, 0};
  return {dlpack::kDLExtDev, array.device().index()};
}

DLManagedTensorVersioned* to_dlpack(const Array& array, bool is_copied) {
  auto* tensor = export_as<DLManagedTensorVersioned>(array);
  tensor->version = {dlpack::major_version, dlpack::minor_version};
  tensor->flags =
      (array.is_read_only() ? dlpack::read_only_flag : 0) | (is_copied ? dlpack::copied_flag : 0);
  return tensor;
}

DLManagedTensor* to_legacy_dlpack(const Array& array) {
  check(!array.is_read_only(), Errc::exchange,
        "__dlpack__: the array is read-only, which capsules before version 1.0 cannot say; pass "
        "max_version=(1, 0) or copy=True");
  return export_as<DLManagedTensor>(array);
}

void borrow_dlpack(const Array& array, DLTensor& out) {
  const dlpack::DLDataType dtype = to_dlpack(array.dtype());
  check(!array.is_read_only(), Errc::exchange,
        "dltensor_from_py_object: the array is read-only, which a borrowed tensor cannot say; take "
        "an owning one, or a copy");
  check_exportable(array);
  lend_briefly(array);
  out = describe(array, dtype);
}

Array from_dlpack(DLManagedTensorVersioned* tensor, const DlpackImport& import) {
  check(tensor, Errc::exchange, "from_dlpack: the tensor is null");
  if (tensor->version.major != dlpack::major_version) {
    const std::uint32_t major = tensor->version.major;  // nothing behind it may be read
    Deleter<DLManagedTensorVersioned>()(tensor);
    fail(Errc::exchange, "from_dlpack: version: {} is not understood; this is version {}.{}", major,
         dlpack::major_version, dlpack::minor_version);
  }
  return import_from(tensor, tensor->flags, import);
}

Array from_dlpack(DLManagedTensor* tensor, const DlpackImport& import) {
  check(tensor, Errc::exchange, "from_dlpack: the tensor is null");
  return import_from(tensor, 0, import);
}

}  // namespace isthmus
