// npy_format.cpp: headers and elements of .npy files. numpy.lib.format 2.4, versions 1.0 to 3.0.
#include "isthmus/exchange/npy_format.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "isthmus/array/arrange/manipulate.h"
#include "isthmus/array/create/create.h"
#include "isthmus/exchange/header_text.h"
#include "isthmus/exchange/share.h"
#include "isthmus/exchange/span.h"

namespace isthmus::inline ISTHMUS_ABI {

using detail::check;
using detail::fail;
using detail::format;

static_assert(std::endian::native == std::endian::little, "typestrs say '<'");

namespace {

using Kind = HeaderValue::Kind;

constexpr std::string_view magic = "\x93NUMPY";
constexpr std::size_t alignment = 64;                 // of the first element in a file
constexpr std::size_t most_text = 16 << 20;           // of a header
constexpr std::size_t piece = std::size_t{64} << 20;  // read at a time where the end is not known

/// UTF-8 as Latin-1; nothing if a character is not in it.
std::optional<std::string> as_latin1(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto c = static_cast<unsigned char>(text[i]);
    if (c < 0x80) {
      out += text[i];
    } else if ((c == 0xc2 || c == 0xc3) && i + 1 < text.size()) {
      out += static_cast<char>((c & 3) << 6 | (static_cast<unsigned char>(text[++i]) & 0x3f));
    } else {
      return {};
    }
  }
  return out;
}

std::string from_latin1(std::string_view text) {
  std::string out;
  for (const char byte : text) {
    const auto c = static_cast<unsigned char>(byte);
    if (c < 0x80) {
      out += byte;
    } else {
      out += static_cast<char>(0xc0 | c >> 6);
      out += static_cast<char>(0x80 | (c & 0x3f));
    }
  }
  return out;
}

bool is_utf8(std::string_view text) {
  for (std::size_t i = 0; i < text.size();) {
    const auto c = static_cast<unsigned char>(text[i]);
    const std::size_t more = c < 0x80                ? 0
                             : c >= 0xc2 && c < 0xe0 ? 1
                             : c >= 0xe0 && c < 0xf0 ? 2
                             : c >= 0xf0 && c < 0xf5 ? 3
                                                     : 4;
    if (more == 4 || i + more >= text.size() + (more == 0)) return false;
    for (std::size_t k = 1; k <= more; ++k)
      if ((static_cast<unsigned char>(text[i + k]) & 0xc0) != 0x80) return false;
    if (more == 2) {  // no halves of surrogate pairs, no longer forms
      const auto second = static_cast<unsigned char>(text[i + 1]);
      if ((c == 0xe0 && second < 0xa0) || (c == 0xed && second >= 0xa0)) return false;
    }
    i += more + 1;
  }
  return true;
}

void read_all(std::string_view who, ByteSource& source, void* to, std::size_t bytes,
              std::string_view what) {
  const std::size_t got = source.read(to, bytes);
  check(got == bytes, Errc::value, "{}: the file ends within {}: {} of {} bytes are there", who,
        what, got, bytes);
}

void swap_bytes(const NpyHeader& header, std::byte* at) {
  const std::int64_t item = header.dtype.bytes(), count = detail::product_of(header.shape);
  for (const Swap& swap : header.swaps)
    for (std::int64_t i = 0; i < count; ++i) {
      std::byte* number = at + i * item + swap.byte_offset;
      for (std::int64_t k = 0; k < swap.count; ++k, number += swap.bytes)
        std::reverse(number, number + swap.bytes);
    }
}

/// Bytes of a source whose length is not known: memory for them is taken as they come.
std::vector<std::byte> read_pieces(std::string_view who, ByteSource& source, std::size_t bytes) {
  std::vector<std::byte> all;
  while (all.size() < bytes) {
    const std::size_t had = all.size(), more = std::min(bytes - had, std::max(piece, had));
    all.resize(had + more);
    read_all(who, source, all.data() + had, more, "the elements");
  }
  return all;
}

/// The elements as they lie in the file, shown in the order of axes that the header says.
Layout layout_of(const NpyHeader& header) {
  return header.is_column_major ? column_major(header.shape) : row_major(header.shape);
}

}  // namespace

std::int64_t NpyHeader::bytes() const { return detail::product_of(shape) * dtype.bytes(); }

std::string npy_header(std::string_view who, DType dtype, std::span<const std::int64_t> shape,
                       bool is_column_major) {
  std::string extents = "(";
  for (const std::int64_t extent : shape)
    extents += format("{}{}", extents == "(" ? "" : ", ", extent);
  extents += shape.size() == 1 ? ",)" : ")";
  std::string text = format("{'descr': {}, 'fortran_order': {}, 'shape': {}, }",
                            descr_of(who, dtype), is_column_major ? "True" : "False", extents);
  // room for the one extent that may grow when elements are appended to a file
  if (!shape.empty()) {
    const std::size_t digits = format("{}", is_column_major ? shape.back() : shape.front()).size();
    text.append(21 - std::min<std::size_t>(digits, 21), ' ');
  }
  const std::optional<std::string> latin1 = as_latin1(text);
  if (latin1) text = *latin1;
  int version = latin1 ? 1 : 3;
  const auto head_of = [&] { return magic.size() + 2 + (version == 1 ? 2 : 4); };
  const auto pad_of = [&] { return alignment - (head_of() + text.size() + 1) % alignment; };
  if (version == 1 && text.size() + 1 + pad_of() > 0xffff) version = 2;
  const std::size_t pad = pad_of();
  text.append(pad, ' ') += '\n';
  std::string head(magic);
  head += static_cast<char>(version);
  head += '\0';
  for (int i = 0; i < (version == 1 ? 2 : 4); ++i)
    head += static_cast<char>(text.size() >> (8 * i) & 0xff);
  return head + text;
}

NpyHeader parse_npy_header(std::string_view who, std::string_view text) {
  const HeaderValue all = header_value(who, text);
  check(all.is(Kind::dict), Errc::value, "{}: the header is not a dictionary", who);
  const HeaderValue *descr = nullptr, *order = nullptr, *shape = nullptr;
  for (std::size_t i = 0; i + 1 < all.items.size(); i += 2) {
    const HeaderValue &key = all.items[i], &value = all.items[i + 1];
    const HeaderValue*& found = key.text == "descr"           ? descr
                                : key.text == "fortran_order" ? order
                                                              : shape;
    const bool is_known = key.is(Kind::text) && (&found != &shape || key.text == "shape");
    check(is_known && !found, Errc::value,
          "{}: the header: the key '{}' is not allowed, or appears twice", who, key.text);
    found = &value;
  }
  check(descr && order && shape, Errc::value,
        "{}: the header lacks 'descr', 'fortran_order' or 'shape'", who);
  check(order->is(Kind::truth), Errc::value, "{}: the header: 'fortran_order' is not a bool", who);
  check(shape->is(Kind::tuple), Errc::value, "{}: the header: 'shape' is not a tuple", who);
  NpyHeader header;
  header.is_column_major = order->number != 0;
  for (const HeaderValue& extent : shape->items) {
    check(extent.is(Kind::number) && extent.number >= 0, Errc::value,
          "{}: the header: 'shape' has an item that is not a length", who);
    header.shape.push_back(extent.number);
  }
  check(header.shape.size() <= max_dimensions, Errc::value, "{}: the header: {} axes; at most {}",
        who, header.shape.size(), max_dimensions);
  header.dtype = dtype_of_descr(who, *descr, header.swaps);
  detail::checked_bytes(who, header.shape, header.dtype.bytes(), Errc::value);
  return header;
}

NpyHeader read_npy_header(std::string_view who, ByteSource& source) {
  char head[8];
  const std::size_t got = source.read(head, sizeof head);
  check(got > 0, Errc::value, "{}: the file is empty", who);
  check(!std::string_view(head, got).starts_with("PK\3\4"), Errc::value,
        "{}: this is an archive of arrays (.npz); load_archive reads it", who);
  check(got == sizeof head && std::string_view(head, magic.size()) == magic, Errc::value,
        "{}: this is not a .npy file: it does not begin with \\x93NUMPY", who);
  const int major = static_cast<unsigned char>(head[6]),
            minor = static_cast<unsigned char>(head[7]);
  check(major >= 1 && major <= 3 && minor == 0, Errc::value,
        "{}: version {}.{} of the .npy format; 1.0, 2.0 and 3.0 are supported", who, major, minor);
  unsigned char digits[4] = {};
  read_all(who, source, digits, major == 1 ? 2 : 4, "the length of the header");
  std::size_t length = 0;
  for (int i = 3; i >= 0; --i) length = length << 8 | digits[i];
  check(length <= most_text, Errc::value, "{}: a header of {} bytes; at most {}", who, length,
        most_text);
  std::string text(length, '\0');
  read_all(who, source, text.data(), length, "the header");
  if (major < 3) text = from_latin1(text);
  check(is_utf8(text), Errc::value, "{}: the header is not UTF-8", who);
  return parse_npy_header(who, text);
}

Array read_npy(std::string_view who, ByteSource& source) {
  const NpyHeader header = read_npy_header(who, source);
  const auto bytes = static_cast<std::size_t>(header.bytes());
  const auto left = source.left();
  check(!left || *left >= bytes, Errc::value,
        "{}: the file ends within the elements: {} of {} bytes are there", who, left.value_or(0),
        bytes);
  std::vector<std::byte> pieces;
  if (!left && bytes > piece) pieces = read_pieces(who, source, bytes);
  const Array made = empty(Shape(header.shape), header.dtype, Device());
  begin_export(made);  // a bool may be any byte from now on
  const std::shared_ptr<void> lent(nullptr, [&](void*) { end_export(*made.storage()->memory()); });
  auto* const at = static_cast<std::byte*>(host_address(made));
  if (!pieces.empty())
    std::memcpy(at, pieces.data(), bytes);
  else if (bytes)
    read_all(who, source, at, bytes, "the elements");
  swap_bytes(header, at);
  if (!header.is_column_major) return made;
  return from_view({made.storage()->memory(), header.dtype, layout_of(header)});
}

NpyContent::NpyContent(std::string_view who, const Array& x) : array_(x) {
  if (!is_host_reachable(array_)) array_ = to_device(array_, Device());
  const bool is_dense = is_row_major(array_.layout()) || is_column_major(array_.layout());
  if (!is_dense) array_ = contiguous(array_);
  header_ = npy_header(who, array_.dtype(), array_.shape(), !is_row_major(array_.layout()));
  begin_export(array_);
}

NpyContent::~NpyContent() { end_export(*array_.storage()->memory()); }

std::span<const std::byte> NpyContent::elements() const {
  if (array_.size() == 0) return {};
  return {static_cast<const std::byte*>(host_address(array_)),
          static_cast<std::size_t>(array_.size() * array_.dtype().bytes())};
}

void write_npy(std::string_view who, const Array& x, ByteSink& sink) {
  const NpyContent content(who, x);
  sink.write(content.header().data(), content.header().size());
  const std::span<const std::byte> elements = content.elements();
  if (!elements.empty()) sink.write(elements.data(), elements.size());
}

}  // namespace isthmus::inline ISTHMUS_ABI
