// read_npz.cpp: archives of arrays whose members are stored, read by the directory at their end.
#include <fcntl.h>

#include <algorithm>
#include <vector>

#include "isthmus/base/file_error.h"
#include "isthmus/exchange/asarray.h"
#include "isthmus/exchange/checksum.h"
#include "isthmus/exchange/disk_file.h"
#include "isthmus/exchange/files.h"

namespace isthmus::inline ISTHMUS_ABI {

using detail::check;
using detail::fail;
using detail::format;

namespace {

/// Numbers in a piece of a file, least byte first.
class ByteReader {
 public:
  ByteReader(std::string_view who, std::string_view bytes) : who_(who), bytes_(bytes) {}
  std::uint64_t take(std::size_t count) {
    const std::string_view part = text(count);
    std::uint64_t value = 0;
    for (std::size_t i = count; i-- > 0;) value = value << 8 | static_cast<unsigned char>(part[i]);
    return value;
  }
  std::string_view text(std::size_t count) {
    check(count <= bytes_.size(), Errc::value, "{}: the archive's directory is truncated", who_);
    const std::string_view part = bytes_.substr(0, count);
    bytes_.remove_prefix(count);
    return part;
  }
  bool is_empty() const { return bytes_.empty(); }

 private:
  std::string_view who_, bytes_;
};

struct Member {
  std::string name;
  std::uint64_t flags = 0, method = 0, crc = 0, packed = 0, size = 0, offset = 0;
};

struct Directory {
  std::uint64_t count = 0, bytes = 0, offset = 0;
};

/// One member, as a source that ends with it.
class MemberSource : public ByteSource {
 public:
  MemberSource(DiskFile& file, std::uint64_t bytes) : file_(file), left_(bytes) {}
  std::size_t read(void* to, std::size_t bytes) override {
    const std::size_t got = file_.read(to, std::min<std::uint64_t>(bytes, left_));
    left_ -= got;
    crc_ = crc32(crc_, to, got);
    return got;
  }
  std::optional<std::uint64_t> left() override { return left_; }
  std::uint32_t crc() const { return crc_; }

 private:
  DiskFile& file_;
  std::uint64_t left_;
  std::uint32_t crc_ = 0;
};

class Archive {
 public:
  Archive(const std::string& who, const std::filesystem::path& path)
      : who_(who), file_(who, path, O_RDONLY) {
    const auto size = file_.left();
    check(size.has_value(), Errc::value, "{}: only a file on disk can be read as an archive", who_);
    size_ = *size;
  }

  std::vector<Member> members() {
    const Directory directory = find_directory();
    check(directory.bytes <= size_ && directory.offset <= size_ - directory.bytes, Errc::value,
          "{}: the archive's directory is outside of the file", who_);
    const std::string bytes = piece(directory.offset, directory.bytes);
    ByteReader numbers(who_, bytes);
    std::vector<Member> found;
    for (std::uint64_t i = 0; i < directory.count; ++i) found.push_back(next_member(numbers));
    return found;
  }

  Array array_of(const Member& member) {
    const std::string who = format("{}: '{}'", who_, member.name);
    check(!(member.flags & 1), Errc::unsupported, "{}: is encrypted", who);
    check(member.method == 0, Errc::unsupported,
          "{}: is compressed; only stored members can be read, as savez writes them", who);
    constexpr std::uint64_t head = 30;
    check(member.offset <= size_ && size_ - member.offset >= head, Errc::value,
          "{}: is outside of the file", who);
    const std::string local = piece(member.offset, head);
    ByteReader numbers(who, local);
    check(numbers.take(4) == 0x04034b50, Errc::value, "{}: is not where the directory says", who);
    numbers.text(22);
    const std::uint64_t begin = member.offset + head + numbers.take(2) + numbers.take(2);
    check(begin <= size_ && member.size <= size_ - begin, Errc::value,
          "{}: extends past the end of the file", who);
    file_.move_to(begin);
    MemberSource source(file_, member.size);
    Array array = read_npy(who, source);
    check(source.left() != 0 || source.crc() == member.crc, Errc::value,
          "{}: its checksum differs from the archive's", who);
    return array;
  }

 private:
  std::string piece(std::uint64_t offset, std::uint64_t bytes) {
    std::string text(bytes, '\0');
    file_.move_to(offset);
    check(file_.read(text.data(), bytes) == bytes, Errc::value, "{}: the file has become shorter",
          who_);
    return text;
  }

  Directory find_directory() {
    constexpr std::uint64_t least = 22, most = least + 0xffff;
    check(size_ >= least, Errc::value, "{}: is not an archive: it is too short", who_);
    const std::uint64_t begin = size_ - std::min(size_, most);
    const std::string tail = piece(begin, size_ - begin);
    const std::size_t at = tail.rfind(std::string_view("PK\5\6", 4), tail.size() - least);
    check(at != tail.npos, Errc::value, "{}: is not an archive: it has no directory at its end",
          who_);
    ByteReader numbers(who_, std::string_view(tail).substr(at + 8));
    numbers.take(2);
    Directory found;
    found.count = numbers.take(2), found.bytes = numbers.take(4), found.offset = numbers.take(4);
    const bool is_large =
        found.count == 0xffff || found.bytes == 0xffffffff || found.offset == 0xffffffff;
    return is_large && begin + at >= 20 ? large_directory(begin + at - 20, found) : found;
  }

  Directory large_directory(std::uint64_t locator, const Directory& otherwise) {
    const std::string where = piece(locator, 20);
    ByteReader numbers(who_, where);
    if (numbers.take(4) != 0x07064b50) return otherwise;
    numbers.take(4);
    const std::uint64_t offset = numbers.take(8);
    check(size_ >= 56 && offset <= size_ - 56, Errc::value,
          "{}: the archive's directory is outside of the file", who_);
    const std::string record = piece(offset, 56);
    ByteReader large(who_, record);
    check(large.take(4) == 0x06064b50, Errc::value, "{}: the archive's directory is not there",
          who_);
    large.text(28);
    Directory found;
    found.count = large.take(8), found.bytes = large.take(8), found.offset = large.take(8);
    return found;
  }

  Member next_member(ByteReader& numbers) {
    check(numbers.take(4) == 0x02014b50, Errc::value, "{}: the archive's directory is wrong", who_);
    numbers.text(4);
    Member m;
    m.flags = numbers.take(2), m.method = numbers.take(2);
    numbers.text(4);
    m.crc = numbers.take(4), m.packed = numbers.take(4), m.size = numbers.take(4);
    const std::uint64_t name = numbers.take(2), extra = numbers.take(2), comment = numbers.take(2);
    numbers.text(8);
    m.offset = numbers.take(4);
    m.name = numbers.text(name);
    ByteReader fields(who_, numbers.text(extra));
    numbers.text(comment);
    while (!fields.is_empty()) {
      const std::uint64_t id = fields.take(2);
      ByteReader field(who_, fields.text(fields.take(2)));
      if (id != 1) continue;
      for (std::uint64_t* value : {&m.size, &m.packed, &m.offset})
        if (*value == 0xffffffff) *value = field.take(8);
    }
    return m;
  }

  std::string who_;
  DiskFile file_;
  std::uint64_t size_ = 0;
};

}  // namespace

std::map<std::string, Array> load_archive(const std::filesystem::path& path,
                                          const std::optional<Device>& device) {
  detail::check_path("load_archive", path.native());
  const std::string who = format("load_archive: '{}'", path.string());
  Archive archive(who, path);
  std::map<std::string, Array> arrays;
  for (const Member& member : archive.members()) {
    const std::string_view name = member.name;
    if (!name.ends_with(".npy")) continue;
    Array x = detail::as_wanted(who, archive.array_of(member), true, {.device = device});
    arrays.insert_or_assign(std::string(name.substr(0, name.size() - 4)), std::move(x));
  }
  return arrays;
}

}  // namespace isthmus::inline ISTHMUS_ABI
