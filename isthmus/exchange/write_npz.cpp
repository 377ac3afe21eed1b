// write_npz.cpp: archives of arrays: zip files whose members are stored as they are. PKWARE's
// APPNOTE 6.3.9, with its fields of 64 bits where they are needed.
#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "isthmus/base/error.h"
#include "isthmus/exchange/checksum.h"
#include "isthmus/exchange/npy_format.h"
#include "isthmus/runtime/unblocked.h"

namespace isthmus::inline ISTHMUS_ABI {

using detail::check;

namespace {

constexpr std::uint64_t beyond_32_bits = 0xffffffff;

class Bytes {
 public:
  Bytes& u16(std::uint64_t value) { return put(value, 2); }
  Bytes& u32(std::uint64_t value) { return put(value, 4); }
  Bytes& u64(std::uint64_t value) { return put(value, 8); }
  Bytes& text(std::string_view value) {
    bytes_ += value;
    return *this;
  }
  const std::string& get() const { return bytes_; }

 private:
  Bytes& put(std::uint64_t value, int count) {
    for (int i = 0; i < count; ++i) bytes_ += static_cast<char>(value >> (8 * i) & 0xff);
    return *this;
  }
  std::string bytes_;
};

/// What the directory at the end says of a member.
struct Entry {
  std::string name;
  std::uint32_t crc;
  std::uint64_t size, offset;
};

constexpr std::uint64_t held(std::uint64_t value) { return std::min(value, beyond_32_bits); }

/// The fields that both headers of a member have. The names are UTF-8, the time is 1980.
void add_common(Bytes& to, const Entry& entry, std::size_t extra, bool is_large) {
  to.u16(is_large ? 45 : 20).u16(0x0800).u16(0).u16(0).u16(0x21).u32(entry.crc);
  const std::uint64_t size = is_large ? beyond_32_bits : entry.size;
  to.u32(size).u32(size).u16(entry.name.size()).u16(extra);
}

std::string local_header(const Entry& entry) {
  const bool is_large = entry.size >= beyond_32_bits;
  Bytes to;
  to.u32(0x04034b50);
  add_common(to, entry, is_large ? 20 : 0, is_large);
  to.text(entry.name);
  if (is_large) to.u16(1).u16(16).u64(entry.size).u64(entry.size);
  return to.get();
}

std::string directory_entry(const Entry& entry) {
  const bool is_large = entry.size >= beyond_32_bits || entry.offset >= beyond_32_bits;
  Bytes to;
  to.u32(0x02014b50).u16(is_large ? 0x032d : 0x0314);
  add_common(to, entry, is_large ? 28 : 0, is_large);
  to.u16(0).u16(0).u16(0).u32(std::uint64_t{0100644} << 16);
  to.u32(is_large ? beyond_32_bits : entry.offset).text(entry.name);
  if (is_large) to.u16(1).u16(24).u64(entry.size).u64(entry.size).u64(entry.offset);
  return to.get();
}

std::string end_of(std::uint64_t count, std::uint64_t bytes, std::uint64_t offset) {
  Bytes to;
  if (count >= 0xffff || bytes >= beyond_32_bits || offset >= beyond_32_bits) {
    to.u32(0x06064b50).u64(44).u16(45).u16(45).u32(0).u32(0);
    to.u64(count).u64(count).u64(bytes).u64(offset);
    to.u32(0x07064b50).u32(0).u64(offset + bytes).u32(1);
  }
  const std::uint64_t few = std::min<std::uint64_t>(count, 0xffff);
  to.u32(0x06054b50).u16(0).u16(0).u16(few).u16(few).u32(held(bytes)).u32(held(offset)).u16(0);
  return to.get();
}

}  // namespace

void write_npz(std::string_view who, std::span<const ArchiveMember> members, ByteSink& sink) {
  std::set<std::string_view> names;
  for (const ArchiveMember& member : members) {
    const std::string_view name = member.name;
    check(!name.empty() && name.size() < 0xff00 && name.find('\0') == name.npos, Errc::value,
          "{}: a member cannot have a name of {} bytes, or one with a NUL", who, name.size());
    check(names.insert(name).second, Errc::value, "{}: the name '{}' is given twice", who, name);
  }
  std::vector<Entry> entries;
  std::uint64_t offset = 0;
  const auto write = [&](std::string_view text) {
    sink.write(text.data(), text.size());
    offset += text.size();
  };
  for (const ArchiveMember& member : members) {
    const NpyContent content(who, *member.array);
    const std::string& header = content.header();
    const std::span<const std::byte> elements = content.elements();
    Entry entry{std::string(member.name) + ".npy", 0, header.size() + elements.size(), offset};
    {
      const Unblocked unblocked;
      entry.crc = crc32(crc32(0, header.data(), header.size()), elements.data(), elements.size());
    }
    write(local_header(entry));
    write(header);
    if (!elements.empty()) write({reinterpret_cast<const char*>(elements.data()), elements.size()});
    entries.push_back(std::move(entry));
  }
  const std::uint64_t directory = offset;
  for (const Entry& entry : entries) write(directory_entry(entry));
  write(end_of(entries.size(), offset - directory, directory));
}

}  // namespace isthmus::inline ISTHMUS_ABI
