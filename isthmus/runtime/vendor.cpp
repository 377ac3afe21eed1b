// vendor.cpp: folders of wheels, and the environment that OpenCL loaders read.
#include "isthmus/runtime/vendor.h"

#include <dlfcn.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <mutex>
#include <string>

#include "isthmus/base/environment.h"
#include "isthmus/base/format.h"
#include "isthmus/base/hash.h"
#include "isthmus/runtime/kernel_cache.h"

namespace isthmus {

using detail::format;

namespace {

namespace fs = std::filesystem;

struct Folders {
  std::mutex lock;
  std::vector<fs::path> added;
};

Folders& folders() {
  static Folders& f = *new Folders;
  return f;
}

/// <prefix>/lib, where wheels put libraries, if this library lies in a wheel's package.
fs::path prefix_of_wheel() {
  Dl_info here;
  if (!dladdr(reinterpret_cast<const void*>(&prefix_of_wheel), &here) || !here.dli_fname) return {};
  return fs::absolute(here.dli_fname).parent_path().parent_path().parent_path().parent_path();
}

bool is_mapped(std::string_view name) {
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);)
    if (const auto slash = line.rfind('/'); slash != line.npos)
      if (std::string_view(line).substr(slash + 1).starts_with(name)) return true;
  return false;
}

/// Appends `file` to a list with colons, unless it is there.
void append_to_list(const char* variable, const std::string& file) {
  const char* old = std::getenv(variable);
  const std::string list = old ? old : "";
  if ((":" + list + ":").find(":" + file + ":") != std::string::npos) return;
  setenv(variable, (list.empty() ? file : list + ":" + file).c_str(), 1);
}

/// A folder of .icd files: the system's and `library`. Loaders that do not know OCL_ICD_FILENAMES
/// (ocl-icd, which PyOpenCL brings) take it instead of the system's.
fs::path make_icd_folder(const fs::path& library) {
  std::error_code error;
  const fs::path cache = cache_folder();
  if (cache.empty()) return {};
  const fs::path folder = cache / ("icd-" + to_hex(sha256(library.string())).substr(0, 12));
  fs::create_directories(folder, error);
  for (const auto& old : fs::directory_iterator(folder, error)) {
    const fs::path system = fs::path("/etc/OpenCL/vendors") / old.path().filename();
    if (old.path().extension() == ".icd" && !fs::exists(system)) fs::remove(old.path(), error);
  }
  const auto put = [&](const fs::path& name, const std::string& text) {
    const fs::path temporary = folder / format("{}.{}", name.string(), getpid());
    std::ofstream(temporary) << text << '\n';
    fs::rename(temporary, folder / name, error);
  };
  for (const auto& icd : fs::directory_iterator("/etc/OpenCL/vendors", error)) {
    std::string text;
    std::ifstream file(icd.path());
    if (icd.path().extension() == ".icd" && std::getline(file, text))
      put(icd.path().filename(), text);
  }
  put("isthmus-intel.icd", library.string());
  return folder;
}

}  // namespace

void add_vendor_folder(const fs::path& folder) {
  std::lock_guard lock(folders().lock);
  folders().added.push_back(folder);
}

fs::path find_vendor_file(std::string_view name) {
  std::vector<fs::path> places;
  if (const std::string wanted = variable("ISTHMUS_RUNTIME_DIR"); !wanted.empty())
    places.emplace_back(wanted);
  {
    std::lock_guard lock(folders().lock);
    places.insert(places.end(), folders().added.begin(), folders().added.end());
  }
  places.push_back(prefix_of_wheel());
  std::error_code ignored;  // a folder that cannot be read has no file for us
  for (const fs::path& place : places)
    if (!place.empty() && fs::exists(place / name, ignored)) return place / name;
  return {};
}

/// Whether SYCL had opened its adapters, and so listed its devices, before the setup below.
static bool is_late = false;

static bool is_setup_off() { return choose("ISTHMUS_NO_RUNTIME_SETUP", {"0", "1"}) == 1; }

void set_up_vendor_runtimes() {
  static std::once_flag once;
  std::call_once(once, [] {
    const fs::path library = find_vendor_file("libintelocl.so");
    if (is_setup_off() || library.empty()) return;
    is_late = is_mapped("libur_adapter_");
    if (!std::getenv("OCL_ICD_VENDORS"))
      if (const fs::path folder = make_icd_folder(library); !folder.empty())
        setenv("OCL_ICD_VENDORS", folder.c_str(), 1);
    append_to_list("OCL_ICD_FILENAMES", library.string());
    if (is_mapped("libOpenCL.so")) return;
    // SYCL opens "libOpenCL.so.1": the wheel's loader must have that name first, since a system's
    // may not read OCL_ICD_FILENAMES. It needs four libraries and does not say where they are.
    for (const char* name :
         {"libintlc.so.5", "libimf.so", "libsvml.so", "libirng.so", "libOpenCL.so.1"})
      if (const fs::path file = find_vendor_file(name); !file.empty())
        dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  });
}

std::string why_intel_is_missing() {
  const std::string library = find_vendor_file("libintelocl.so").string();
  if (library.empty()) return "pip install \"isthmus[sycl]\" brings Intel's runtime for CPUs";
  if (is_setup_off())
    return format(
        "ISTHMUS_NO_RUNTIME_SETUP=1 keeps Intel's runtime from it; start the process with "
        "OCL_ICD_FILENAMES={}",
        library);
  if (is_late)
    return format(
        "its list was made before isthmus was imported, and is made once; import isthmus before "
        "dpctl or dpnp are used, or start the process with OCL_ICD_FILENAMES={}",
        library);
  return format("Intel's runtime is in {}; `python -m isthmus doctor` says what it lacks", library);
}

}  // namespace isthmus
