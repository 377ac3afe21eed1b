// bind_files.cpp: what isthmus/_files.py stands on: .npy files, archives, and Python's own files.
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cstring>

#include "isthmus/exchange/files.h"
#include "isthmus/exchange/npy_format.h"
#include "python/src/bind/bind.h"
#include "python/src/object/arguments.h"
#include "python/src/object/array_object.h"
#include "python/src/protocol.h"

namespace isthmus::python {

namespace {

constexpr std::size_t piece = std::size_t{16}
                              << 20;  // bytes that a file of Python's is handed at once

/// An object with read(), behind bytes that were read before.
class PythonSource : public ByteSource {
 public:
  PythonSource(nb::handle file, nb::bytes before, nb::handle left)
      : read_(file.attr("read")), before_(std::move(before)) {
    if (!left.is_none()) left_ = nb::cast<std::uint64_t>(left);
  }
  std::size_t read(void* to, std::size_t bytes) override {
    auto* const at = static_cast<char*>(to);
    std::size_t done = 0;
    while (done < bytes) {
      const bool has_some = taken_ < before_.size();
      const nb::object got = has_some ? nb::object(before_) : read_(std::min(bytes - done, piece));
      check(PyBytes_Check(got.ptr()), Errc::type,
            "load: the file's read() returned {}, not bytes; open it in binary mode",
            found_as(got));
      const auto size = static_cast<std::size_t>(PyBytes_GET_SIZE(got.ptr()));
      const std::size_t begin = has_some ? taken_ : 0;
      const std::size_t count = std::min(size - begin, bytes - done);
      check(has_some || count == size, Errc::value,
            "load: the file's read() returned more bytes than requested");
      if (count == 0) break;
      std::memcpy(at + done, PyBytes_AS_STRING(got.ptr()) + begin, count);
      if (has_some) taken_ += count;
      done += count;
    }
    if (left_) *left_ -= std::min<std::uint64_t>(done, *left_);
    return done;
  }
  std::optional<std::uint64_t> left() override { return left_; }

 private:
  nb::object read_;
  nb::bytes before_;
  std::size_t taken_ = 0;
  std::optional<std::uint64_t> left_;
};

/// An object with write().
class PythonSink : public ByteSink {
 public:
  explicit PythonSink(nb::handle file) : write_(file.attr("write")) {}
  void write(const void* from, std::size_t bytes) override {
    const auto* at = static_cast<const char*>(from);
    while (bytes > 0) {
      // bytes of its own, since nobody knows how long the object looks at them
      const std::size_t count = std::min(bytes, piece);
      const nb::object said = write_(nb::bytes(at, count));
      std::size_t done = count;
      if (PyLong_Check(said.ptr())) {
        const std::int64_t took = int_of("save: what the file's write() returns", said);
        check(took > 0 && took <= static_cast<std::int64_t>(count), Errc::file,
              "save: the file's write() took {} of {} bytes", took, count);
        done = static_cast<std::size_t>(took);
      }
      at += done;
      bytes -= done;
    }
  }

 private:
  nb::object write_;
};

/// What os.fsencode gives.
std::filesystem::path path_of(const nb::bytes& path) {
  return std::string(path.c_str(), path.size());
}

std::optional<MapMode> mode_of(const std::string& text) {
  if (text == "r") return MapMode::read;
  if (text == "r+") return MapMode::read_write;
  if (text == "c") return MapMode::copy_on_write;
  return {};
}

nb::object as_object(Array array) {
  need_dtype_object(array.dtype());
  return nb::steal(wrap(std::move(array)));
}

std::vector<NamedArray> named(const std::vector<std::string>& names, nb::list arrays) {
  std::vector<NamedArray> all;
  for (std::size_t i = 0; i < names.size(); ++i)
    all.emplace_back(names[i], require_array("savez", nb::object(arrays[i]).ptr()));
  return all;
}

}  // namespace

void bind_files(nb::module_& m) {
  m.def(
      "_save",
      [](nb::bytes path, nb::handle x) { save(path_of(path), require_array("save", x.ptr())); },
      nb::sig("def _save(path: bytes, x: Array, /) -> None"));
  m.def(
      "_write_npy",
      [](nb::handle file, nb::handle x) {
        PythonSink sink(file);
        write_npy("save", require_array("save", x.ptr()), sink);
      },
      nb::sig("def _write_npy(file: object, x: Array, /) -> None"));
  m.def(
      "_savez",
      [](nb::bytes path, const std::vector<std::string>& names, nb::list arrays) {
        savez(path_of(path), named(names, arrays));
      },
      nb::sig("def _savez(path: bytes, names: list[str], arrays: list[Array], /) -> None"));
  m.def(
      "_write_npz",
      [](nb::handle file, const std::vector<std::string>& names, nb::list arrays) {
        const std::vector<NamedArray> all = named(names, arrays);
        std::vector<ArchiveMember> members;
        for (const NamedArray& one : all) members.push_back({one.first, &one.second});
        PythonSink sink(file);
        write_npz("savez", members, sink);
      },
      nb::sig("def _write_npz(file: object, names: list[str], arrays: list[Array], /) -> None"));
  m.def(
      "_load",
      [](nb::bytes path, const std::string& mode, nb::handle device) {
        LoadOptions how{.mmap_mode = mode_of(mode)};
        if (!device.is_none()) how.device = device_of(device);
        return as_object(load(path_of(path), how));
      },
      nb::arg(), nb::arg(), nb::arg().none(),
      nb::sig("def _load(path: bytes, mode: str, device: Device | str | None, /) -> Array"));
  m.def(
      "_read_npy",
      [](nb::handle file, nb::bytes before, nb::handle left) {
        PythonSource source(file, std::move(before), left);
        return as_object(read_npy("load", source));
      },
      nb::arg(), nb::arg(), nb::arg().none(),
      nb::sig("def _read_npy(file: object, before: bytes, left: int | None, /) -> Array"));
}

}  // namespace isthmus::python
