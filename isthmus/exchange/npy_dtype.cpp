// npy_dtype.cpp: dtypes as the `descr` of .npy files has them. numpy.lib.format 2.4.
#include <algorithm>
#include <charconv>

#include "isthmus/base/error.h"
#include "isthmus/base/format.h"
#include "isthmus/exchange/header_text.h"
#include "isthmus/exchange/npy_format.h"

namespace isthmus::inline ISTHMUS_ABI {

using detail::check;
using detail::fail;
using detail::format;

namespace {

using Kind = HeaderValue::Kind;

/// A typestr of numbers, taken apart.
struct Numbers {
  std::string format;      ///< In this machine's byte order.
  std::int64_t bytes = 0;  ///< Of one.
  std::int64_t part = 0;   ///< Of what is swapped as a whole: half of a complex number.
  bool is_swapped = false;
};

Numbers numbers_of(std::string_view who, std::string_view typestr) {
  const bool has_order =
      !typestr.empty() && std::string_view("<>|=").find(typestr[0]) != typestr.npos;
  const char order = has_order ? typestr[0] : '|';
  const std::string_view rest = typestr.substr(has_order);
  check(!rest.empty() && rest[0] != 'O', Errc::value,
        "{}: the file holds objects, which are pickled; only numbers are read", who);
  const char kind = rest[0];
  Numbers n;
  const char* const digits = rest.data() + 1;
  const auto [end, error] = std::from_chars(digits, rest.data() + rest.size(), n.bytes);
  const bool has_size = error == std::errc() && end == rest.data() + rest.size() && n.bytes > 0;
  const auto is_one_of = [&](std::initializer_list<int> sizes) {
    return std::ranges::find(sizes, n.bytes) != sizes.end();
  };
  const bool is_known = has_size && ((kind == 'b' && n.bytes == 1) ||
                                     ((kind == 'i' || kind == 'u') && is_one_of({1, 2, 4, 8})) ||
                                     (kind == 'f' && is_one_of({2, 4, 8, 16})) ||
                                     (kind == 'c' && is_one_of({8, 16, 32})) || kind == 'V');
  check(is_known, Errc::type,
        "{}: the file holds '{}'; Isthmus has bool, integers, floats, complex numbers, bfloat16 "
        "and structs of them",
        who, typestr);
  n.part = kind == 'c' ? n.bytes / 2 : n.bytes;
  const bool has_no_order = n.bytes == 1 || kind == 'V';
  n.is_swapped = order == '>' && !has_no_order;
  n.format = format("{}{}", has_no_order ? '|' : '<', rest);
  return n;
}

/// Where fields go that are read one after another.
struct Fields {
  RecordType& record;
  std::vector<Swap>& swaps;
  std::int64_t base;  ///< Of the record within the whole element.
};

const RecordType* record_of(std::string_view who, const HeaderValue& list, std::vector<Swap>& swaps,
                            std::int64_t base);

void add_field(std::string_view who, const HeaderValue& entry, std::size_t index, Fields to) {
  const auto& items = entry.items;
  const bool is_field = entry.is(Kind::tuple) && (items.size() == 2 || items.size() == 3);
  check(is_field, Errc::value, "{}: the header: field {} of a struct is not a name with a type",
        who, index);
  RecordType::Field field;
  const bool has_title = items[0].is(Kind::tuple) && items[0].items.size() == 2 &&
                         items[0].items[0].is(Kind::text) && items[0].items[1].is(Kind::text);
  check(has_title || items[0].is(Kind::text), Errc::value,
        "{}: the header: field {} of a struct has no name", who, index);
  field.name = has_title ? items[0].items[1].text : items[0].text;
  if (has_title) field.title = items[0].items[0].text;
  field.byte_offset = to.record.bytes;

  std::int64_t each, count = 1;
  Numbers numbers;
  if (items.size() == 3) {
    const auto extents = items[2].is(Kind::number) ? std::vector{items[2]} : items[2].items;
    for (const HeaderValue& extent : extents) {
      check(extent.is(Kind::number) && extent.number >= 0 &&
                detail::product_fits(count, extent.number, count),
            Errc::value, "{}: the header: field '{}' has an invalid shape", who, field.name);
      field.shape.push_back(extent.number);
    }
  }
  if (items[1].is(Kind::list)) {
    check(count <= 4096, Errc::type, "{}: field '{}' has {} structs; at most 4096", who, field.name,
          count);
    std::vector<Swap> inner;
    field.nested = record_of(who, items[1], inner, 0);
    field.format = format("|V{}", field.nested->bytes);
    each = field.nested->bytes;
    for (std::int64_t i = 0; i < count; ++i)
      for (Swap swap : inner) {
        swap.byte_offset += to.base + field.byte_offset + i * each;
        to.swaps.push_back(swap);
      }
  } else {
    check(items[1].is(Kind::text), Errc::value, "{}: the header: field '{}' has no type", who,
          field.name);
    numbers = numbers_of(who, items[1].text);
    field.format = numbers.format;
    each = numbers.bytes;
    if (numbers.is_swapped)
      to.swaps.push_back(
          {to.base + field.byte_offset, numbers.part, count * (each / numbers.part)});
  }
  std::int64_t bytes;
  const bool fits = detail::product_fits(each, count, bytes) &&
                    detail::sum_fits(to.record.bytes, bytes, to.record.bytes) &&
                    to.record.bytes < std::int64_t{1} << 31;
  check(fits, Errc::value, "{}: the header: a struct of 2^31 bytes or more", who);
  const bool is_gap = field.name.empty() && field.format[1] == 'V';  // as descr writes gaps
  if (is_gap) return;
  if (field.name.empty()) field.name = format("f{}", index);
  for (const RecordType::Field& other : to.record.fields)
    check(other.name != field.name, Errc::value, "{}: the header: two fields are called '{}'", who,
          field.name);
  to.record.fields.push_back(std::move(field));
}

const RecordType* record_of(std::string_view who, const HeaderValue& list, std::vector<Swap>& swaps,
                            std::int64_t base) {
  RecordType record;
  for (std::size_t i = 0; i < list.items.size(); ++i)
    add_field(who, list.items[i], i, {record, swaps, base});
  check(!record.fields.empty() && record.bytes > 0, Errc::type,
        "{}: the file holds structs without fields", who);
  return intern(std::move(record));
}

std::string tuple_text(std::span<const std::int64_t> numbers) {
  std::string text = "(";
  for (const std::int64_t number : numbers) text += format("{}{}", text == "(" ? "" : ", ", number);
  return text + (numbers.size() == 1 ? ",)" : ")");
}

}  // namespace

DType dtype_of_descr(std::string_view who, const HeaderValue& descr, std::vector<Swap>& swaps) {
  if (descr.is(Kind::list)) return DType(record_of(who, descr, swaps, 0));
  check(descr.is(Kind::text), Errc::value, "{}: the header: 'descr' is not a type", who);
  if (descr.text == "<V2") return TypeId::bfloat16;  // what ml_dtypes calls it; bytes are "|V2"
  const Numbers numbers = numbers_of(who, descr.text);
  if (numbers.is_swapped) swaps.push_back({0, numbers.part, numbers.bytes / numbers.part});
  for (std::size_t i = 0; i < type_table.size(); ++i)
    if (type_table[i].typestr == numbers.format) return static_cast<TypeId>(i);
  check(numbers.format[1] == 'V' && numbers.format[0] == '|', Errc::type,
        "{}: the file holds '{}', which arrays of Isthmus cannot hold", who, descr.text);
  RecordType record;
  record.bytes = numbers.bytes;
  record.fields.push_back({"", numbers.format, 0, {}, nullptr});
  return DType(intern(std::move(record)));
}

std::string descr_of(std::string_view who, DType dtype) {
  if (!dtype.record) return quoted_text(info(dtype.id).typestr);
  const RecordType& record = *dtype.record;
  if (record.fields.empty() || record.fields[0].name.empty())
    return quoted_text(format("|V{}", record.bytes));
  std::string text = "[";
  std::int64_t end = 0;
  const auto add_gap = [&](std::int64_t to) {
    if (to == end) return;
    text += format("{}('', '|V{}')", text == "[" ? "" : ", ", to - end);
  };
  for (const RecordType::Field& field : record.fields) {
    check(field.byte_offset >= end, Errc::type,
          "{}: field '{}' overlaps or precedes the field before it; files have fields in order",
          who, field.name);
    add_gap(field.byte_offset);
    const std::string name = quoted_text(field.name);
    text += text == "[" ? "(" : ", (";
    text += field.title.empty() ? name : format("({}, {})", quoted_text(field.title), name);
    text += format(", {}",
                   field.nested ? descr_of(who, DType(field.nested)) : quoted_text(field.format));
    if (!field.shape.empty()) text += format(", {}", tuple_text(field.shape));
    text += ")";
    std::int64_t bytes = 0;
    if (field.nested) {
      bytes = field.nested->bytes;
    } else {
      std::from_chars(field.format.data() + 2, field.format.data() + field.format.size(), bytes);
    }
    for (const std::int64_t extent : field.shape) bytes *= extent;
    end = field.byte_offset + bytes;
  }
  add_gap(record.bytes);
  return text + "]";
}

}  // namespace isthmus::inline ISTHMUS_ABI
