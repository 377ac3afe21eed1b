// dump.cpp: one file for a kernel's text, one for its binary.
#include "isthmus/runtime/kernels/dump.h"

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "isthmus/base/environment.h"
#include "isthmus/base/format.h"

namespace isthmus::inline ISTHMUS_ABI {

using detail::format;

namespace fs = std::filesystem;

std::string dump_folder() { return variable("ISTHMUS_DUMP"); }

void dump_kernel(std::string_view device, std::string_view key, std::string_view source,
                 std::string_view binary) {
  const fs::path folder = dump_folder();
  std::error_code error;
  fs::create_directories(folder, error);
  std::string name = format("{}-{}", device, key);
  std::ranges::replace(name, ':', '-');
  const auto put = [&](std::string_view extension, std::string_view text) {
    if (text.empty()) return;
    std::ofstream file(folder / name.append(extension), std::ios::binary | std::ios::trunc);
    name.resize(name.size() - extension.size());
    if (!(file << text << std::flush))
      warn_of_setting(format("ISTHMUS_DUMP: '{}' cannot be written to; use a folder of yours",
                             folder.string()));
  };
  put(".cl", source);
  put(".bin", binary);
}

}  // namespace isthmus::inline ISTHMUS_ABI
