// field.cpp: strides of structs as strides of one of their fields.
#include "isthmus/array/index/field.h"

#include <algorithm>

#include "isthmus/array/apply.h"
#include "isthmus/array/create/create.h"
#include "isthmus/base/words.h"
#include "isthmus/core/record_field.h"

namespace isthmus::inline ISTHMUS_ABI {

using detail::format;

namespace {

std::string names_in(const RecordType& record) {
  std::string list;
  for (const RecordType::Field& field : record.fields)
    list += format("{}'{}'", list.empty() ? "" : ", ", field.name);
  return list;
}

const RecordType& record_of(std::string_view who, const Array& x) {
  const RecordType* const record = x.dtype().record;
  const bool has_fields = record && !record->fields.empty() && !record->fields[0].name.empty();
  check(has_fields, Errc::type, "{}: an array of {} has no fields", who, x.dtype());
  return *record;
}

const RecordType::Field& find(std::string_view who, const RecordType& record,
                              std::string_view name) {
  for (const RecordType::Field& field : record.fields)
    if (field.name == name || (!field.title.empty() && field.title == name)) return field;
  fail(Errc::value, "{}: there is no field '{}'; the fields are {}", who, name, names_in(record));
}

/// Where element 0 of the memory lies, as far as it has an address.
void check_alignment(const Array& x, const RecordType::Field& field, DType dtype) {
  const BackendMemory& memory = *x.storage()->memory();
  if (memory.kind == MemoryKind::buffer || x.size() == 0) return;
  const std::int64_t alignment = alignment_of(dtype);
  const auto at = memory.handle + static_cast<std::uintptr_t>(field.byte_offset);
  check(
      at % static_cast<std::uintptr_t>(alignment) == 0, Errc::value,
      "field '{}': the structs are misaligned for {}, which needs addresses that are multiples of "
      "{}; copy them",
      field.name, dtype, alignment);
}

}  // namespace

Array field(const Array& x, std::string_view name) {
  const RecordType& record = record_of("field", x);
  const RecordType::Field& field = find("field", record, name);
  const auto dtype = detail::dtype_of_field(field);
  if (!dtype)
    fail(Errc::type, "field '{}': {} is not a dtype of Isthmus; {}", name, field.format,
         detail::format(words().read_field, name));
  const std::int64_t item = dtype->bytes();
  if (record.bytes % item != 0 || field.byte_offset % item != 0)
    fail(Errc::value,
         "field '{}': {} at byte {} of structs of {} bytes does not fall on whole elements, since "
         "these are not multiples of {}; {}",
         name, *dtype, field.byte_offset, record.bytes, item,
         detail::format(words().align_fields, name));
  x.eval();
  check_alignment(x, field, *dtype);
  const std::int64_t each = record.bytes / item;
  Layout layout = x.layout();
  for (std::int64_t& stride : layout.strides)
    if (!product_fits(stride, each, stride)) stride = 1;  // only of no elements
  layout.offset = layout.offset * each + field.byte_offset / item;
  const Layout within = row_major({field.shape.data(), field.shape.size()});
  for (std::size_t i = 0; i < within.shape.size(); ++i) {
    layout.shape.push_back(within.shape[i]);
    layout.strides.push_back(within.strides[i]);
  }
  checked_bytes("field", {layout.shape.begin(), layout.shape.end()}, item, Errc::value);
  return from_view({x.storage()->memory(), *dtype, std::move(layout), x.is_read_only()});
}

Array fields(const Array& x, std::span<const std::string> names) {
  const RecordType& record = record_of("fields", x);
  check(!names.empty(), Errc::value, "fields: no names; the fields are {}", names_in(record));
  RecordType chosen = record;
  chosen.fields.clear();
  for (const std::string& name : names) {
    const RecordType::Field& field = find("fields", record, name);
    const bool is_new = std::ranges::find(chosen.fields, field) == chosen.fields.end();
    check(is_new, Errc::value, "fields: '{}' is given twice", name);
    chosen.fields.push_back(field);
  }
  return as_struct(x, DType(intern(std::move(chosen))));
}

Array as_struct(const Array& x, DType dtype) {
  check(x.dtype().record && dtype.record, Errc::type, "as_struct: {} as {}: both must be structs",
        x.dtype(), dtype);
  check(x.dtype().bytes() == dtype.bytes(), Errc::value, "as_struct: {} as {}: sizes differ",
        x.dtype(), dtype);
  return x.view(dtype);
}

}  // namespace isthmus::inline ISTHMUS_ABI
