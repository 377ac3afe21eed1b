// vendor.cpp: folders of wheels, and the environment that OpenCL loaders read.
#include "isthmus/runtime/libraries/vendor.h"

#include <dlfcn.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <mutex>
#include <string>

#include "isthmus/base/environment.h"
#include "isthmus/base/file_error.h"
#include "isthmus/base/format.h"
#include "isthmus/base/generation.h"
#include "isthmus/base/hash.h"
#include "isthmus/base/words.h"
#include "isthmus/runtime/kernels/kernel_cache.h"
#include "isthmus/runtime/libraries/vendor_libraries.h"

namespace isthmus::inline ISTHMUS_ABI {

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

/// Where runtimes lie that were installed as their vendors and pip say.
std::vector<fs::path> usual_places() {
  std::vector<fs::path> places;
  Dl_info here;
  if (dladdr(reinterpret_cast<const void*>(&usual_places), &here) && here.dli_fname)
    places.push_back(fs::absolute(here.dli_fname).parent_path());
  const auto add = [&](const char* variable, const char* below) {
    if (const char* folder = secure_getenv(variable); folder && *folder)
      places.push_back(fs::path(folder) / below);
  };
  add("VIRTUAL_ENV", "lib");
  add("CONDA_PREFIX", "lib");
  add("CMPLR_ROOT", "lib");  // by oneAPI's setvars.sh, as the next
  add("ONEAPI_ROOT", "compiler/latest/lib");
  places.emplace_back("/opt/intel/oneapi/compiler/latest/lib");
  add("HOME", ".local/lib");  // pip install --user
  places.emplace_back("/usr/local/lib");
  return places;
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
  set_process_variable(variable, list.empty() ? file : list + ":" + file);
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
    if (old.path().extension() == ".icd" && !fs::exists(system, error))
      fs::remove(old.path(), error);
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
  detail::check_path("add_vendor_folder", folder.native());
  std::lock_guard lock(folders().lock);
  folders().added.push_back(folder);
}

fs::path find_vendor_file(std::string_view name) {
  std::vector<fs::path> places;
  if (const std::string wanted = variable("ISTHMUS_RUNTIME_DIR"); !wanted.empty())
    places.emplace_back(wanted);
  bool has_added = false;
  {
    std::lock_guard lock(folders().lock);
    has_added = !folders().added.empty();
    places.insert(places.end(), folders().added.begin(), folders().added.end());
  }
  places.push_back(prefix_of_wheel());
  if (!has_added) std::ranges::move(usual_places(), std::back_inserter(places));
  std::error_code ignored;  // a folder that cannot be read has no file for us
  for (const fs::path& place : places)
    if (!place.empty() && fs::exists(place / name, ignored)) return place / name;
  return {};
}

/// "libx.so.1" of "libx.so.1: cannot open shared object file: ...".
static std::string missing_library(std::string_view reason) {
  const auto end = reason.find(": cannot open shared object file");
  if (end == reason.npos || reason.substr(0, end).find('/') != reason.npos) return {};
  return std::string(reason.substr(0, end));
}

static void* open_library(const fs::path& file, std::string& reason, int depth) {
  for (std::string before;;) {
    if (void* const library = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL)) return library;
    reason = dlerror();
    const std::string missing = missing_library(reason);
    if (missing.empty() || missing == before || depth == 0) return nullptr;
    const fs::path found = find_vendor_file(missing);
    std::string why;
    if (found.empty()) return nullptr;
    if (!open_library(found, why, depth - 1)) {
      reason = why;
      return nullptr;
    }
    before = missing;
  }
}

void* open_library(const fs::path& file, std::string& reason) {
  return open_library(file, reason, 8);  // levels of needs; circles end
}

/// Whether SYCL had opened its adapters, and so listed its devices, before the setup below.
static bool is_late = false;

static bool is_setup_off() { return choose("ISTHMUS_NO_RUNTIME_SETUP", {"0", "1"}) == 1; }

static void set_up() {
  const fs::path library = find_vendor_file("libintelocl.so");
  if (is_setup_off() || library.empty()) return;
  is_late = is_mapped("libur_adapter_");
  if (!std::getenv("OCL_ICD_VENDORS"))
    if (const fs::path folder = make_icd_folder(library); !folder.empty())
      set_process_variable("OCL_ICD_VENDORS", folder.string());
  append_to_list("OCL_ICD_FILENAMES", library.string());
  if (is_mapped("libOpenCL.so")) return;
  // SYCL opens "libOpenCL.so.1": the wheel's loader must have that name first, since a system's may
  // not read OCL_ICD_FILENAMES. It needs four libraries and does not say where they are.
  for (const char* name :
       {"libintlc.so.5", "libimf.so", "libsvml.so", "libirng.so", "libOpenCL.so.1"})
    if (const fs::path file = find_vendor_file(name); !file.empty())
      dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
}

/// Others wait for the thread that does it; what a thread of the parent process was at when it
/// forked is done again.
void set_up_vendor_runtimes() {
  static constinit std::atomic<std::uint64_t> state{0};
  constexpr std::uint64_t undone = 0, done = 1;
  const std::uint64_t doing = generation() + std::uint64_t{2};
  const auto leave = [&](std::uint64_t now) {
    state.store(now, std::memory_order_release);
    state.notify_all();
    return now;
  };
  for (std::uint64_t now = state.load(std::memory_order_acquire); now != done;) {
    if (now == doing) {
      state.wait(doing, std::memory_order_acquire);
      now = state.load(std::memory_order_acquire);
    } else if (state.compare_exchange_weak(now, doing, std::memory_order_acq_rel)) {
      try {
        set_up();
      } catch (...) {  // no memory: the next who asks tries again
        leave(undone);
        throw;
      }
      now = leave(done);
    }
  }
}

std::string why_intel_is_missing() {
  const std::string library = find_vendor_file("libintelocl.so").string();
  if (library.empty()) return std::string(words().find_sycl);
  if (is_setup_off())
    return format(
        "ISTHMUS_NO_RUNTIME_SETUP=1 hides Intel's runtime from it; start the process with "
        "OCL_ICD_FILENAMES={}",
        library);
  if (is_late)
    return format("{}, or start the process with OCL_ICD_FILENAMES={}", words().list_sycl_later,
                  library);
  return format("Intel's runtime is in {}; {}", library, words().examine_runtime);
}

}  // namespace isthmus::inline ISTHMUS_ABI
