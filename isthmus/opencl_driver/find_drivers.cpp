// find_drivers.cpp: what the ICD loaders read, and what they would not find.
#include "isthmus/opencl_driver/find_drivers.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string_view>

#include "isthmus/runtime/libraries/vendor.h"

namespace isthmus::driver {

namespace {

namespace fs = std::filesystem;

void add(std::vector<std::string>& files, std::string file) {
  if (!file.empty() && std::ranges::find(files, file) == files.end())
    files.push_back(std::move(file));
}

/// The first line of every .icd file names a library.
void add_folder(std::vector<std::string>& files, const fs::path& folder) {
  std::vector<fs::path> found;
  std::error_code ignored;  // no folder, no drivers
  for (const auto& entry : fs::directory_iterator(folder, ignored))
    if (entry.path().extension() == ".icd") found.push_back(entry.path());
  std::ranges::sort(found);
  for (const fs::path& path : found) {
    std::ifstream file(path);
    std::string line;
    std::getline(file, line);
    while (!line.empty() && std::isspace(static_cast<unsigned char>(line.back()))) line.pop_back();
    add(files, line);
  }
}

void add_list(std::vector<std::string>& files, std::string_view list) {
  while (!list.empty()) {
    const auto colon = list.find(':');
    add(files, std::string(list.substr(0, colon)));
    list.remove_prefix(colon == list.npos ? list.size() : colon + 1);
  }
}

}  // namespace

std::vector<std::string> driver_files() {
  std::vector<std::string> files;
  if (const char* list = std::getenv("OCL_ICD_FILENAMES")) add_list(files, list);
  const char* vendors = std::getenv("OCL_ICD_VENDORS");
  const fs::path place = vendors && *vendors ? vendors : "/etc/OpenCL/vendors";
  fs::is_directory(place) ? add_folder(files, place) : add(files, place.string());
  add(files, find_vendor_file("libintelocl.so").string());
  // NVIDIA's driver and containers often come without their .icd file
  for (const char* name : {"libnvidia-opencl.so.1", "/usr/lib/libnvidia-opencl.so",
                           "/usr/local/nvidia/lib64/libnvidia-opencl.so.1", "libpocl.so.2"})
    add(files, name);
  return files;
}

}  // namespace isthmus::driver
