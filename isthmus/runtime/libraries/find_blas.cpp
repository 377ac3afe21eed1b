// find_blas.cpp: which BLAS there is, and which the user wants.
#include <dlfcn.h>
#include <link.h>

#include <atomic>
#include <filesystem>
#include <string_view>
#include <vector>

#include "isthmus/base/environment.h"
#include "isthmus/base/file_error.h"
#include "isthmus/runtime/libraries/library.h"
#include "isthmus/runtime/libraries/vendor.h"
#include "isthmus/runtime/libraries/vendor_libraries.h"
#include "isthmus/runtime/settings.h"

namespace isthmus::inline ISTHMUS_ABI {

using detail::check, detail::format;

namespace {

/// How a library spells dgemm, and openblas_set_num_threads.
struct Spelling {
  const char *prefix, *suffix, *suffix_of_c;
  bool has_wide_integers;
};
constexpr Spelling spellings[] = {
    {"scipy_", "_64_", "64_", true},
    {"", "_64_", "64_", true},
    {"scipy_", "_", "", false},
    {"", "_", "", false},
};

/// Of float32, float64, complex64 and complex128, at the beginning of names.
constexpr char letters[] = {'s', 'd', 'c', 'z'};
/// In the order of Routine.
constexpr std::array<const char*, routine_count> real_routines{
#define ROUTINE(real, complex) #real,
#include "isthmus/runtime/libraries/lapack.def"
};
constexpr std::array<const char*, routine_count> complex_routines{
#define ROUTINE(real, complex) #complex,
#include "isthmus/runtime/libraries/lapack.def"
};

/// Files of libraries in this process whose names begin so.
std::vector<std::string> mapped_files(std::string_view beginning) {
  struct Found {
    std::string_view beginning;
    std::vector<std::string> files;
  } found{beginning, {}};
  dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void* data) {
        auto& all = *static_cast<Found*>(data);
        const std::string_view file = info->dlpi_name ? info->dlpi_name : "";
        const std::string_view name = file.substr(file.rfind('/') + 1);
        if (name.starts_with(all.beginning)) all.files.emplace_back(file);
        return 0;
      },
      &found);
  return std::move(found.files);
}

}  // namespace

/// Opens libraries, and takes the functions from them.
struct BlasSearch {
  /// Null, and the reason, if it is none, or if it has to be fast and is Netlib's reference. What
  /// was made stays, as the library does.
  static const Blas* open(const std::filesystem::path& file, bool must_be_fast,
                          std::string& reason) {
    void* const library = open_library(file, reason);
    if (!library) return nullptr;
    for (const Spelling& spelling : spellings) {
      Blas made;
      if (!take_functions(made, library, spelling)) continue;
      made.has_wide_integers_ = spelling.has_wide_integers;
      made.has_lapack_ = take_lapack(made.lapack_, library, spelling);
      const std::string kind = kind_of(library, spelling);
      if (must_be_fast && kind.empty()) break;  // our kernels are faster than the reference
      made.name_ = format("{}, {}", kind.empty() ? "BLAS" : kind, file_of(made.gemm_[0]));
      return new Blas(std::move(made));
    }
    reason = "it lacks sgemm, dgemm or others";
    return nullptr;
  }

 private:
  static bool take_functions(Blas& blas, void* library, const Spelling& spelling) {
    for (std::size_t i = 0; i < std::size(letters); ++i) {
      const auto named = [&](const char* what) {
        const std::string name =
            format("{}{}{}{}", spelling.prefix, letters[i], what, spelling.suffix);
        return dlsym(library, name.c_str());
      };
      blas.gemm_[i] = named("gemm");
      blas.gemv_[i] = named("gemv");
      blas.syrk_[i] = named("syrk");
      if (!blas.gemm_[i] || !blas.gemv_[i]) return false;
    }
    blas.set_threads_ =
        reinterpret_cast<void (*)(int)>(of_openblas(library, spelling, "set_num_threads"));
    blas.threads_ = reinterpret_cast<int (*)()>(of_openblas(library, spelling, "get_num_threads"));
    return true;
  }

  static bool take_lapack(Lapack& lapack, void* library, const Spelling& spelling) {
    lapack.has_wide_integers_ = spelling.has_wide_integers;
    for (std::size_t i = 0; i < routine_count; ++i)
      for (std::size_t type = 0; type < 4; ++type) {
        const char* const routine = (type < 2 ? real_routines : complex_routines)[i];
        const std::string name =
            format("{}{}{}{}", spelling.prefix, letters[type], routine, spelling.suffix);
        void* const found = dlsym(library, name.c_str());
        if (!found) return false;
        lapack.functions_[i][type] = found;
      }
    return true;
  }

  static void* of_openblas(void* library, const Spelling& spelling, const char* what) {
    return dlsym(library,
                 format("{}openblas_{}{}", spelling.prefix, what, spelling.suffix_of_c).c_str());
  }

  /// "OpenBLAS 0.3.34", "BLIS", "MKL"; empty for others.
  static std::string kind_of(void* library, const Spelling& spelling) {
    const auto configuration =
        reinterpret_cast<const char* (*)()>(of_openblas(library, spelling, "get_config"));
    if (configuration) {
      const std::string_view text = configuration();  // "OpenBLAS 0.3.34  USE64BITINT ..."
      return std::string(text.substr(0, text.find(' ', text.find(' ') + 1)));
    }
    if (dlsym(library, "bli_info_get_version_str")) return "BLIS";
    return dlsym(library, "MKL_Get_Version_String") ? "MKL" : "";
  }

  static std::string file_of(void* function) {
    Dl_info place;
    const bool is_known = dladdr(function, &place) && place.dli_fname;
    return is_known ? std::filesystem::path(place.dli_fname).lexically_normal().string() : "";
  }
};

namespace {

struct Choice {
  const Blas* blas = nullptr;
  std::string wanted;              // empty: what is there
  std::string problem;             // why not the wanted one
  const Choice* before = nullptr;  // the one that it replaced, which others may still read
};

/// The library of the scipy-openblas64 package, below a folder of wheels; empty if there is none.
std::filesystem::path find_wheel() {
  for (int minor = 11; minor < 20; ++minor)
    if (auto file = find_vendor_file(
            format("python3.{}/site-packages/scipy_openblas64/lib/libscipy_openblas64_.so", minor));
        !file.empty())
      return file;
  return {};
}

/// The best that there is.
const Blas* search(bool takes_others) {
  std::vector<std::filesystem::path> candidates;
  const auto add = [&](const char* name) {
    const std::filesystem::path file = find_vendor_file(name);
    candidates.emplace_back(file.empty() ? name : file);
  };
  // Threads of a second OpenBLAS would wait for processors on which those of the first spin: at
  // 256 x 256, on two of them, products in turns with NumPy's took 4 ms each instead of 0.15.
  for (const char* beginning : {"libscipy_openblas64_", "libscipy_openblas", "libopenblas"})
    for (std::string& file : mapped_files(beginning)) candidates.emplace_back(std::move(file));
  if (auto file = find_wheel(); !file.empty()) candidates.push_back(std::move(file));
  add("libopenblas.so.0");
  if (takes_others) add("libblas.so.3");
  std::string ignored;  // the next one will do
  for (const std::filesystem::path& file : candidates)
    if (const Blas* const found = BlasSearch::open(file, true, ignored)) return found;
  return nullptr;
}

Choice choose_blas(std::string wanted) {
  Choice choice;
  choice.wanted = std::move(wanted);
  if (choice.wanted == "builtin") return choice;
  if (std::filesystem::path(choice.wanted).has_parent_path()) {
    std::string reason;
    choice.blas = BlasSearch::open(choice.wanted, false, reason);
    if (!choice.blas)
      choice.problem = format(
          "'{}' cannot be used: {}; use the path of a BLAS with Fortran's functions, or auto, "
          "openblas, builtin",
          choice.wanted, reason);
  } else if (choice.wanted == "openblas") {
    choice.blas = search(false);
    if (!choice.blas)
      choice.problem =
          "openblas: none was found; the package scipy-openblas64 has one, or name its path";
  } else if (choice.wanted.empty() || choice.wanted == "auto") {
    choice.blas = search(true);
  } else {
    choice.problem = format("'{}' is none of auto, openblas, builtin, and not a path with a slash",
                            choice.wanted);
  }
  return choice;
}

/// Replaced as a whole and never freed: others read it. Without a lock, which a forked child could
/// inherit; who comes second throws away what he found.
std::atomic<const Choice*> chosen{nullptr};

const Choice& choice() {
  const Choice* known = chosen.load(std::memory_order_acquire);
  if (known) return *known;
  Choice found = choose_blas(variable("ISTHMUS_BLAS"));
  if (!found.problem.empty()) {
    warn_of_setting(format("ISTHMUS_BLAS: {}; taken as auto", found.problem));
    found = choose_blas("");
  }
  const Choice* made = new Choice(std::move(found));
  if (chosen.compare_exchange_strong(known, made, std::memory_order_acq_rel)) return *made;
  delete made;
  return *known;
}

}  // namespace

const Blas* blas() { return choice().blas; }

std::string blas_library() {
  const Blas* const found = blas();
  return found ? found->name() : "builtin";
}

std::string blas_setting() {
  const std::string& wanted = choice().wanted;
  return wanted.empty() ? "auto" : wanted;
}

void set_blas(std::string_view wanted) {
  detail::check_path("set_blas", wanted);
  Choice found = choose_blas(std::string(wanted));
  check(found.problem.empty(), Errc::value, "set_blas: {}", found.problem);
  auto* const made = new Choice(std::move(found));
  made->before = chosen.load(std::memory_order_acquire);
  while (!chosen.compare_exchange_weak(made->before, made, std::memory_order_acq_rel)) {
  }
}

}  // namespace isthmus::inline ISTHMUS_ABI
