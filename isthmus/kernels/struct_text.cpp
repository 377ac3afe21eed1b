// struct_text.cpp: structs of dtypes as C defines them.
#include "isthmus/kernels/struct_text.h"

#include <algorithm>
#include <cctype>

#include "isthmus/base/error.h"
#include "isthmus/codegen/emit/prelude.h"
#include "isthmus/codegen/emit/signature.h"
#include "isthmus/core/record_field.h"
#include "isthmus/kernels/c_tokens.h"

namespace isthmus::inline ISTHMUS_ABI {

using detail::check, detail::fail;
using detail::format;

namespace {

using Field = RecordType::Field;

std::vector<const Field*> by_place(const RecordType& record) {
  std::vector<const Field*> fields;
  for (const Field& field : record.fields) fields.push_back(&field);
  std::ranges::stable_sort(fields, {}, [](const Field* field) { return field->byte_offset; });
  return fields;
}

std::int64_t count_of(const Field& field) {
  return detail::product_of({field.shape.data(), field.shape.size()});
}

std::int64_t up_to(std::int64_t bytes, std::int64_t alignment) {
  return (bytes + alignment - 1) / alignment * alignment;
}

/// Whether C, left to itself, lays the struct out so.
bool is_laid_out_by_c(const RecordType& record) {
  std::int64_t end = 0, alignment = 1;
  for (const Field* field : by_place(record)) {
    const auto type = detail::dtype_of_field(*field);
    const std::int64_t own = type ? detail::c_alignment_of(*type) : 1;
    if (!type || field->byte_offset != up_to(end, own)) return false;
    end = field->byte_offset + type->bytes() * count_of(*field);
    alignment = std::max(alignment, own);
  }
  return record.bytes == up_to(end, alignment);
}

class Definitions {
 public:
  Definitions(std::string_view who, const KernelStructs& structs) : who_(who), structs_(structs) {
    for (const KernelStruct& one : structs) check_name(one);
    for (const KernelStruct& one : structs) add(one);
  }
  std::vector<UserStruct> take() { return std::move(made_); }

 private:
  void check_name(const KernelStruct& one) const {
    const std::string& name = one.name;
    check(detail::is_identifier(name) && !detail::is_word_of_c(name), Errc::value,
          "{}: structs: '{}' is not a name in C", who_, name);
    const bool is_letter = name.size() == 1 && std::isupper(static_cast<unsigned char>(name[0]));
    const auto is_it = [&](const TypeInfo& type) { return type.name == name; };
    check(!is_letter && name != "raw" && std::ranges::none_of(type_table, is_it), Errc::value,
          "{}: structs: '{}' means something else in parameters; take another name", who_, name);
    check(one.dtype.record, Errc::type, "{}: structs: '{}' is {}, not a struct", who_, name,
          one.dtype);
    for (const KernelStruct& other : structs_) {
      if (&other == &one) return;
      check(other.name != name, Errc::value, "{}: structs: '{}' is given twice", who_, name);
      check(!detail::is_alike(other.dtype, one.dtype), Errc::value,
            "{}: structs: '{}' and '{}' are the same struct; one name is enough", who_, other.name,
            name);
    }
  }

  void add(const KernelStruct& one) {
    if (detail::find(made_, one.dtype)) return;
    const RecordType& record = *one.dtype.record;
    check(!record.fields.empty() && !record.fields[0].name.empty(), Errc::type,
          "{}: structs: '{}' is {}, which has no fields", who_, one.name, one.dtype);
    std::string text = definition(one.name, record);  // adds those of its fields first
    made_.push_back({one.name, one.dtype, std::move(text)});
  }

  std::string_view name_of(std::string_view name, const Field& field) {
    const auto type = detail::dtype_of_field(field);
    check(detail::is_identifier(field.name) && !detail::is_word_of_c(field.name), Errc::value,
          "{}: structs: '{}': the field '{}' has no name in C", who_, name, field.name);
    check(type && (!type->is_builtin() || !emitting::is_half(type->id)), Errc::type,
          "{}: structs: '{}': the field '{}' is {}, which structs of kernels cannot hold", who_,
          name, field.name, type ? to_string(*type) : field.format);
    if (type->is_builtin()) return emitting::c_type(type->id);
    const auto is_it = [&](const KernelStruct& one) { return detail::is_alike(one.dtype, *type); };
    const auto named = std::ranges::find_if(structs_, is_it);
    check(
        named != structs_.end(), Errc::type,
        "{}: structs: '{}': the field '{}' is {}, which has no name in C; name it in structs, too",
        who_, name, field.name, *type);
    add(*named);
    return named->name;
  }

  std::string definition(std::string_view name, const RecordType& record) {
    std::vector<std::string> members;
    for (const Field* field : by_place(record)) {
      std::string& member =
          members.emplace_back(format("  {} {}", name_of(name, *field), field->name));
      for (const std::int64_t extent : field->shape) member += format("[{}]", extent);
      member += ";\n";
    }
    if (is_laid_out_by_c(record)) {
      std::string text = "typedef struct {\n";
      for (const std::string& member : members) text += member;
      return text + format("} {};\n", name);
    }
    return packed(name, record, members);
  }

  /// With every gap written out.
  std::string packed(std::string_view name, const RecordType& record,
                     const std::vector<std::string>& members) const {
    std::string text = "typedef struct __attribute__((packed)) {\n";
    std::int64_t end = 0;
    std::size_t k = 0;
    const auto fill = [&](std::int64_t up_to) {
      if (up_to > end) text += format("  uchar isthmus_gap{}[{}];\n", k, up_to - end);
    };
    for (const Field* field : by_place(record)) {
      check(field->byte_offset >= end, Errc::type, "{}: structs: '{}': fields of {} overlap", who_,
            name, DType(&record));
      fill(field->byte_offset);
      text += members[k++];
      end = field->byte_offset + detail::dtype_of_field(*field)->bytes() * count_of(*field);
    }
    fill(record.bytes);
    return text + format("} {};\n", name);
  }

  std::string_view who_;
  const KernelStructs& structs_;
  std::vector<UserStruct> made_;
};

}  // namespace

DType struct_dtype(const std::vector<std::pair<std::string, DType>>& fields) {
  check(!fields.empty(), Errc::type, "struct_dtype: there are no fields");
  RecordType record;
  record.is_aligned = true;
  for (const auto& [name, dtype] : fields) {
    check(!name.empty(), Errc::value, "struct_dtype: field {} has no name", record.fields.size());
    check(std::ranges::find(record.fields, name, &RecordType::Field::name) == record.fields.end(),
          Errc::value, "struct_dtype: two fields have the name '{}'", name);
    const std::int64_t alignment = detail::c_alignment_of(dtype);
    const std::string bits =
        dtype.record ? format("|V{}", dtype.bytes()) : std::string(info(dtype.id).typestr);
    const std::int64_t place = up_to(record.bytes, alignment);
    record.fields.push_back({name, bits, place, {}, dtype.record});
    record.bytes = place + dtype.bytes();
    record.alignment = std::max(record.alignment, alignment);
  }
  record.bytes = up_to(record.bytes, record.alignment);
  return DType(intern(std::move(record)));
}

namespace detail {

bool is_identifier(std::string_view word) {
  const auto is_letter = [](char c) {
    return c == '_' || std::isalpha(static_cast<unsigned char>(c));
  };
  const auto is_part = [&](char c) {
    return is_letter(c) || std::isdigit(static_cast<unsigned char>(c));
  };
  return !word.empty() && is_letter(word[0]) && std::ranges::all_of(word, is_part);
}

std::vector<UserStruct> defined(std::string_view who, const KernelStructs& structs) {
  return Definitions(who, structs).take();
}

bool is_alike(DType a, DType b) {
  if (a == b) return true;
  if (!a.record || !b.record) return false;
  const auto is_same = [](const Field& one, const Field& other) {
    const bool is_place = one.byte_offset == other.byte_offset && one.shape == other.shape;
    return is_place && one.name == other.name &&
           (one.nested && other.nested ? is_alike(DType(one.nested), DType(other.nested))
                                       : one.format == other.format);
  };
  return a.bytes() == b.bytes() && std::ranges::equal(a.record->fields, b.record->fields, is_same);
}

const UserStruct* find(std::span<const UserStruct> structs, DType dtype) {
  const auto found = std::ranges::find_if(
      structs, [&](const UserStruct& one) { return is_alike(one.dtype, dtype); });
  return found == structs.end() ? nullptr : &*found;
}

bool has_fp64(DType dtype) {
  if (!dtype.record) return real_part(dtype).id == TypeId::float64;
  return std::ranges::any_of(dtype.record->fields, [](const Field& field) {
    const auto type = detail::dtype_of_field(field);
    return type && has_fp64(*type);
  });
}

std::int64_t c_alignment_of(DType dtype) {
  if (!dtype.record) return alignment_of(dtype);
  if (!is_laid_out_by_c(*dtype.record)) return 1;
  std::int64_t alignment = 1;
  for (const Field& field : dtype.record->fields)
    alignment = std::max(alignment, c_alignment_of(*detail::dtype_of_field(field)));
  return alignment;
}

}  // namespace detail

}  // namespace isthmus::inline ISTHMUS_ABI
