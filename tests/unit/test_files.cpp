// test_files.cpp: save, load, savez and load_archive.
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "isthmus/exchange/checksum.h"
#include "isthmus/isthmus.h"
#include "tests/unit/errors.h"

namespace isthmus {
namespace {

namespace fs = std::filesystem;

class Files : public testing::Test {
 protected:
  Files() : folder(fs::temp_directory_path() / ("isthmus-files-" + std::to_string(getpid()))) {
    fs::create_directories(folder);
  }
  ~Files() override { fs::remove_all(folder); }
  static std::string bytes_of(const fs::path& file) {
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  static void write(const fs::path& file, const std::string& bytes) {
    std::ofstream(file, std::ios::binary) << bytes;
  }
  fs::path folder;
};

TEST_F(Files, AreNumpysAndComeBack) {
  const Array x = arange(6.0).reshape({2, 3});
  save(folder / "x", x);
  const std::string bytes = bytes_of(folder / "x.npy");
  const std::string head = "{'descr': '<f8', 'fortran_order': False, 'shape': (2, 3), }";
  ASSERT_EQ(bytes.size(), 128u + 48);
  EXPECT_EQ(bytes.substr(0, 10), std::string("\x93NUMPY\1\0\x76\0", 10));
  EXPECT_EQ(bytes.substr(10, head.size()), head);
  EXPECT_EQ(bytes[127], '\n');
  const Array back = load(folder / "x.npy");
  EXPECT_EQ(back.dtype(), TypeId::float64);
  EXPECT_TRUE(array_equal(back, x).item<bool>());

  save(folder / "t.npy", x.T());
  const Array columns = load(folder / "t.npy");
  EXPECT_TRUE(array_equal(columns, x.T()).item<bool>());
  EXPECT_EQ(columns.layout().strides, (Dims{1, 3}));
  const Array back_to_front = flip(x);
  save(folder / "s.npy", back_to_front);
  EXPECT_TRUE(array_equal(load(folder / "s.npy"), back_to_front).item<bool>());
}

TEST_F(Files, BringBackStructsThatMixWithThoseThatWereSaved) {
  const DType particle = struct_dtype({{"id", TypeId::int8}, {"x", TypeId::float32}});
  const Array p = zeros({3}, particle);
  field(p, "id")[ellipsis] = Array({1, 2, 3});
  field(p, "x")[ellipsis] = Array({.5, 1., 1.5});
  save(folder / "p.npy", p);
  const Array back = load(folder / "p.npy");
  EXPECT_NE(back.dtype(), particle) << "files do not say that structs have C's alignment";
  const Array both = concat({flip(p), back});
  EXPECT_EQ(to_string(field(both, "id")), "[3 2 1 1 2 3]");
  EXPECT_EQ(to_string(field(both, "x")), "[1.5 1.  0.5 0.5 1.  1.5]");
  p[ellipsis] = flip(back);
  EXPECT_EQ(to_string(field(p, "id")), "[3 2 1]");
  p[Array({0, 2})] = back[{slice(0, 2)}];
  EXPECT_EQ(to_string(field(p, "x")), "[0.5 1.  1. ]");
  EXPECT_EQ(back.astype(particle).dtype(), particle);
  EXPECT_EQ(promote(particle, back.dtype()), back.dtype());
  EXPECT_TRUE(can_cast(back.dtype(), particle));
  const DType other = struct_dtype({{"id", TypeId::int8}, {"x", TypeId::int32}});
  EXPECT_THROW(p[ellipsis] = zeros({3}, other), Error);
  EXPECT_THROW(promote(particle, other), Error);
  EXPECT_FALSE(can_cast(particle, other));
}

TEST_F(Files, AreMappedWithoutACopy) {
  const fs::path file = folder / "x.npy";
  save(file, arange(8.0));
  const Array both = load(file, {.mmap_mode = MapMode::read_write});
  const Array read = load(file, {.mmap_mode = MapMode::read});
  const Array copied = load(file, {.mmap_mode = MapMode::copy_on_write});
  both[1] = 10.0;
  copied[1] = 20.0;
  EXPECT_EQ(read[1].item<double>(), 10.0);
  EXPECT_EQ(copied[1].item<double>(), 20.0);
  EXPECT_EQ(load(file)[1].item<double>(), 10.0);
  EXPECT_TRUE(read.is_read_only());
  EXPECT_EQ(code_of([&] { read[0] = 1.0; }), Errc::value);
  save(file, read + 1.0);  // takes the place of the file that is shown
  EXPECT_EQ(read[1].item<double>(), 10.0);
  EXPECT_EQ(load(file)[1].item<double>(), 11.0);
}

TEST_F(Files, AreWrittenByDevicesThatShareTheirPagesAlone) {
  const fs::path file = folder / "x.npy";
  for (const Device& device : find_devices().devices) {
    save(file, arange(8, float32));
    const Array host = load(file, {.mmap_mode = MapMode::read_write});
    const LoadOptions how{.mmap_mode = MapMode::read_write, .device = device};
    if (explain(host, device).verdict != Explanation::Verdict::zero_copy) {
      EXPECT_EQ(code_of([&] { load(file, how); }), Errc::copy_refused) << to_string(device);
      continue;
    }
    const Array both = load(file, how);
    EXPECT_EQ(both.device(), device);
    both[1] = 10.0;
    synchronize(device);
    EXPECT_EQ(load(file)[1].item<float>(), 10.0f) << to_string(device);
  }
}

TEST_F(Files, ArchivesGoBothWays) {
  const Array x = ones({2, 2}), y = arange(3);
  savez(folder / "a", {{"x", x}, {"y", y}});
  const auto arrays = load_archive(folder / "a.npz");
  ASSERT_EQ(arrays.size(), 2u);
  EXPECT_TRUE(array_equal(arrays.at("x"), x).item<bool>());
  EXPECT_TRUE(array_equal(arrays.at("y"), y).item<bool>());
  EXPECT_EQ(code_of([&] { savez(folder / "b", {{"x", x}, {"x", y}}); }), Errc::value);
  EXPECT_FALSE(fs::exists(folder / "b.npz"));

  std::string bytes = bytes_of(folder / "a.npz");
  const std::size_t directory = bytes.find("PK\1\2");
  for (std::size_t length = 0; length < bytes.size(); length += 7) {
    write(folder / "c.npz", bytes.substr(0, length));
    EXPECT_EQ(code_of([&] { load_archive(folder / "c.npz"); }), Errc::value) << length;
  }
  std::string packed = bytes;
  packed[directory + 10] = 8;
  write(folder / "c.npz", packed);
  EXPECT_NE(error_of(Errc::unsupported, [&] { load_archive(folder / "c.npz"); }).find("compressed"),
            std::string::npos);
  bytes[directory - 1] ^= 1;
  write(folder / "c.npz", bytes);
  EXPECT_NE(error_of(Errc::value, [&] { load_archive(folder / "c.npz"); }).find("checksum"),
            std::string::npos);
}

TEST_F(Files, ErrorsSayWhatWouldDo) {
  EXPECT_NE(error_of(Errc::value, [] { save("", ones({2})); }).find("is empty"), std::string::npos);
  savez(folder / "a.npz", {{"x", ones({2})}});
  EXPECT_NE(error_of(Errc::value, [&] { load(folder / "a.npz"); }).find("load_archive reads it"),
            std::string::npos);
}

TEST_F(Files, ErrorsSayWhatIsWrong) {
  const fs::path file = folder / "x.npy";
  EXPECT_NE(error_of(Errc::file, [&] { load(file); }).find("cannot be opened: No such file"),
            std::string::npos);
  EXPECT_THROW(save(folder / "none" / "x.npy", ones({2})), FileError);
  save(file, ones({4}));
  const std::string bytes = bytes_of(file);
  for (std::size_t length = 0; length < bytes.size(); length += 3) {
    write(file, bytes.substr(0, length));
    EXPECT_EQ(code_of([&] { load(file); }), Errc::value) << length;
    EXPECT_EQ(code_of([&] { load(file, {.mmap_mode = MapMode::read}); }), Errc::value) << length;
  }
  EXPECT_EQ(std::distance(fs::directory_iterator(folder), fs::directory_iterator()), 1);
}

TEST_F(Files, WithANulInTheirNameAreRefused) {
  const fs::path file = folder / std::string("x\0.npy", 6);
  write(folder / "x", "precious");
  EXPECT_NE(error_of(Errc::value, [&] { save(file, ones({2})); }).find("null byte behind"),
            std::string::npos);
  EXPECT_EQ(code_of([&] { load(file); }), Errc::value);
  EXPECT_EQ(code_of([&] { load(file, {.mmap_mode = MapMode::read}); }), Errc::value);
  EXPECT_EQ(code_of([&] { savez(file, {{"x", ones({2})}}); }), Errc::value);
  EXPECT_EQ(code_of([&] { load_archive(file); }), Errc::value);
  EXPECT_EQ(bytes_of(folder / "x"), "precious");
  EXPECT_EQ(std::distance(fs::directory_iterator(folder), fs::directory_iterator()), 1);
}

TEST_F(Files, HaveNamesAsLongAsTheSystemTakes) {
  const fs::path longest = folder / (std::string(251, 'x') + ".npy");
  save(longest, ones({2}));
  EXPECT_EQ(load(longest).to_vector<double>(), std::vector<double>(2, 1.0));
  const fs::path longer = folder / (std::string(252, 'x') + ".npy");
  try {
    save(longer, ones({2}));
    ADD_FAILURE() << "took a longer name";
  } catch (const SystemFileError& error) {
    EXPECT_EQ(error.number(), ENAMETOOLONG);
    EXPECT_EQ(error.path(), longer);
    const std::shared_ptr<const Error> kept = error.share();
    EXPECT_THROW(kept->raise(), SystemFileError);
  }
  EXPECT_EQ(std::distance(fs::directory_iterator(folder), fs::directory_iterator()), 1);
}

TEST_F(Files, ThatAreMisalignedAreNotMapped) {
  save(folder / "x.npy", ones({4}));
  std::string bytes = bytes_of(folder / "x.npy");
  bytes[8] = static_cast<char>(bytes[8] - 1);  // a header that is a byte shorter
  bytes.erase(bytes.find("  "), 1);
  write(folder / "x.npy", bytes);
  EXPECT_NE(error_of(Errc::exchange, [&] { load(folder / "x.npy", {.mmap_mode = MapMode::read}); })
                .find("load it without mmap_mode"),
            std::string::npos);
  EXPECT_EQ(load(folder / "x.npy").to_vector<double>(), std::vector<double>(4, 1.0));
}

TEST(Checksum, IsTheOneOfZipFiles) {
  const std::string text = "123456789";
  EXPECT_EQ(crc32(0, text.data(), text.size()), 0xcbf43926u);
  EXPECT_EQ(crc32(crc32(0, text.data(), 4), text.data() + 4, 5), 0xcbf43926u);
}

}  // namespace
}  // namespace isthmus
